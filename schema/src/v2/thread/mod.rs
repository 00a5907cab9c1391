//! Threads: `thread/…`.

mod action;
mod attachment;
mod goal;
mod history;
mod list;
mod queue;
mod realtime;
mod realtime_item;
mod search;
mod section;
mod settings;
mod start;
#[expect(clippy::module_inception, reason = "it holds the family's own types")]
mod thread;

pub use action::*;
pub use attachment::*;
pub use goal::*;
pub use history::*;
pub use list::*;
pub use queue::*;
pub use realtime::*;
pub use realtime_item::*;
pub use search::*;
pub use section::*;
pub use settings::*;
pub use start::*;
pub use thread::*;

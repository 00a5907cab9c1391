//! Which threads exist and who listens to them.
//!
//! Start reading at [`ThreadManager`]. What a client may hear goes through [`Audience`].
//! This room must not know what a turn does, nor how a connection speaks.

mod audience;
mod catalog;
pub(crate) mod idle;
mod load;
mod manager;
mod notes;
mod notice;
mod request;
mod search;
mod settled;
pub(crate) mod subscribers;
mod undo;

pub use audience::{Audience, Line, Recipients};
pub use catalog::{ItemsPage, ThreadPage, TurnsPage};
pub use manager::{EngineOptions, ThreadManager};
pub use request::{
    Answering, Following, ForkPoint, ForkThread, NotYours, Originator, ResumeThread, Resumed,
    StartThread, Started, StartedTurn, ThreadSource, Unsubscribed,
};
pub use search::{FoundThread, SearchPage};
pub use subscribers::Follower;

pub use crate::tools::BackgroundCommand;

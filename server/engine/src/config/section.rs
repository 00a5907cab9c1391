//! The settings by subject, typed.

mod environment;
mod model;
mod permission;
mod prompt;
mod tool;
mod undo;

pub(crate) use environment::environment;
pub use model::{AutoCompactScope, ModelSettings, Verbosity};
pub use permission::{PermissionSettings, SandboxMode, TrustLevel, WorkspaceWrite};
pub use prompt::PromptSettings;
pub use tool::{HistorySettings, Persistence, ToolSettings, WebSearchMode};
pub use undo::UndoSettings;

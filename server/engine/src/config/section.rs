//! The settings by subject, typed.

mod environment;
mod frontend;
mod model;
mod network;
mod permission;
mod prompt;
mod tool;
mod undo;

pub(crate) use environment::environment;
pub use frontend::{Answers, FrontendSettings};
pub use model::{AutoCompactScope, ModelSettings, Verbosity};
pub(crate) use network::NetworkDemand;
pub use network::{ManagedNetwork, NetworkProfile};
pub use permission::{PermissionSettings, SandboxMode, TrustLevel, WorkspaceWrite};
pub use prompt::PromptSettings;
pub use tool::{HistorySettings, Persistence, ToolSettings, WebSearchMode};
pub use undo::UndoSettings;

//! Settings, from files, the command line and requests.
//!
//! Start reading at [`Loader`], then [`Config`]. Every value is read once, when a thread
//! starts, and knows where it came from. This room must not know what a setting is used for.

mod edit;
mod effective;
mod error;
mod feature;
mod file;
mod flag;
mod installation;
mod key;
mod known;
mod layer;
mod load;
mod path;
mod project;
mod reader;
mod requirement;
mod section;
mod settings;
mod thread;
mod tree;
mod warning;

pub use edit::{Edit, MergeStrategy, OnBroken, Overridden, WriteRequest, Written};
pub use error::Error;
pub use feature::{FEATURES, Feature, Features, Stage, feature};
pub use installation::installation_id;
pub use key::KeyError;
pub use layer::{Layer, LayerMetadata, LayerSource};
pub use load::Loader;
pub(crate) use project::folders as project_folders;
pub use requirement::{Forbidden, Requirements};
pub use section::{
    Answers, AutoCompactScope, FrontendSettings, HistorySettings, ManagedNetwork, ModelSettings,
    NetworkProfile, PermissionSettings, Persistence, PromptSettings, SandboxMode, ToolSettings,
    TrustLevel, UndoSettings, Verbosity, WebSearchMode, WorkspaceWrite,
};
pub use settings::{Config, Settings};
pub use warning::{ConfigWarning, TextPosition, TextRange};

//! Stands in for the engine.
use spindle_schema::ids::ConnectionId;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
#[derive(Clone, Debug)]
pub(crate) struct EngineOptions {
    pub home: PathBuf,
    pub config_overrides: Vec<(String, String)>,
    pub features: Vec<(String, bool)>,
    pub version: &'static str,
    pub env: HashMap<String, String>,
}
#[derive(Clone, Debug)]
pub(crate) struct ThreadManager(std::sync::Arc<EngineOptions>);
impl ThreadManager {
    pub(crate) fn new(options: EngineOptions) -> Self {
        Self(std::sync::Arc::new(options))
    }
    pub(crate) fn home(&self) -> &Path {
        &self.0.home
    }
    pub(crate) fn installation_id(&self) -> String {
        "00000000-0000-0000-0000-000000000000".into()
    }
    pub(crate) fn connection_closed(&self, _: ConnectionId) {}
    pub(crate) fn active_turns(&self) -> usize {
        0
    }
    pub(crate) async fn shutdown(&self, _: Duration) {}
}

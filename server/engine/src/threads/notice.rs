//! What people should know when a thread is loaded: what of their configuration and of the
//! system is not as they may think it is.

use std::path::{Path, PathBuf};

use spindle_exec::sandbox::Support;
use spindle_schema::event::{ConfigNotice, EventMsg};
use spindle_schema::ids::{ConnectionId, ThreadId};
use spindle_schema::settings::{SandboxPolicy, ThreadSettings};

use super::audience::Recipients;
use super::manager::ThreadManager;
use crate::config::{Config, Forbidden, TrustLevel, project_folders};
use crate::rooms::SessionRooms;
use crate::tools::rules_notice;

/// A thread that was just loaded, and for whom.
pub(super) struct Newcomer {
    /// The thread.
    pub(super) thread: ThreadId,
    /// Who loaded it.
    pub(super) connection: ConnectionId,
    /// Whether commands are to run in a sandbox.
    pub(super) sandboxed: bool,
    /// What was asked for and is not allowed.
    pub(super) forbidden: Vec<Forbidden>,
}

impl ThreadManager {
    /// Tells whoever loaded a thread, without keeping the answer waiting.
    pub(super) fn tell_notices(&self, newcomer: Newcomer, rooms: &SessionRooms) {
        let Newcomer { thread, connection, sandboxed, forbidden } = newcomer;
        let mut events = rule_faults(rooms);
        events.extend(unfinished(&rooms.config));
        events.extend(forbidden.iter().map(limited));
        let manager = self.clone();
        tokio::spawn(async move {
            if sandboxed {
                events.extend(weak_sandbox().await);
            }
            for event in events {
                manager.announce(thread, event, Recipients::Only(&[connection]));
            }
        });
    }
}

/// Whether commands of these settings run in a sandbox of ours.
pub(super) fn is_sandboxed(settings: &ThreadSettings) -> bool {
    matches!(
        settings.sandbox_policy,
        SandboxPolicy::ReadOnly { .. } | SandboxPolicy::WorkspaceWrite { .. }
    )
}

/// The folders of rules in a project that the user trusts, as far as they are there. One that is
/// made later does not count: a command could have made it.
pub(super) fn project_rules(config: &Config, cwd: &Path) -> Vec<PathBuf> {
    if config.trust() != Some(TrustLevel::Trusted) {
        return Vec::new();
    }
    let folders = project_folders(cwd, &config.prompt.project_root_markers).into_iter();
    let folders = folders.map(|folder| folder.join(".codex"));
    let folders = folders.filter(|folder| folder != config.home());
    folders.map(|folder| folder.join("rules")).filter(|folder| folder.is_dir()).collect()
}

fn config_warning(notice: ConfigNotice) -> EventMsg {
    EventMsg::ConfigWarning(Box::new(notice))
}

/// Rule files that cannot be used.
fn rule_faults(rooms: &SessionRooms) -> Vec<EventMsg> {
    let faults = {
        let mut book = rooms.rules.lock();
        book.current();
        book.take_errors()
    };
    faults.iter().map(|fault| config_warning(rules_notice(fault))).collect()
}

/// What the sandbox of this system cannot hold, and that commands are asked about where it can
/// hold nothing.
async fn weak_sandbox() -> Option<EventMsg> {
    let details = Support::detect().await.warning()?;
    let summary = "The sandbox is weaker here than it should be.".to_owned();
    Some(config_warning(ConfigNotice { summary, details: Some(details), path: None, range: None }))
}

/// Features that are switched on and not finished.
fn unfinished(config: &Config) -> Option<EventMsg> {
    let names = config.features.unfinished().collect::<Vec<_>>().join(", ");
    if names.is_empty() || config.raw("suppress_unstable_features_warning") == Some(&true.into()) {
        return None;
    }
    let file = config.home().join("config.toml");
    let text = format!(
        "Under-development features enabled: {names}. They are incomplete and may change. Set \
         `suppress_unstable_features_warning = true` in {} to hide this warning.",
        file.display()
    );
    Some(EventMsg::Warning(text.into()))
}

/// A setting that the owner of the machine does not allow.
fn limited(forbidden: &Forbidden) -> EventMsg {
    let first = forbidden.allowed.first().map_or("", String::as_str);
    EventMsg::Warning(format!("{forbidden}; `{first}` is used").into())
}

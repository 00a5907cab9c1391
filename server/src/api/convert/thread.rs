//! Threads without their turns.

use serde_json::Value;
use spindle_schema::event::{ThreadSnapshot, ThreadStatus as CoreStatus};
use spindle_schema::note::{ReadState, Section, SectionLook, Unread};
use spindle_schema::rollout;
use spindle_schema::settings::SessionSource as CoreSource;
use spindle_schema::v2::{
    GitInfo, SessionSource, SubAgentSource, Thread, ThreadActiveFlag, ThreadEnvironment,
    ThreadHistoryMode, ThreadReadState, ThreadSection, ThreadSectionAppearance, ThreadSource,
    ThreadStatus, ThreadUnreadPosition,
};

/// A thread without its turns.
pub(in crate::api) fn of(thread: &ThreadSnapshot) -> Thread {
    let is_loaded = thread.status != CoreStatus::NotLoaded;
    Thread {
        id: thread.id.to_string(),
        environments: is_loaded.then(|| environments(&thread.cwd, &thread.workspace_roots)),
        extra: None,
        session_id: thread.id.to_string(),
        forked_from_id: thread.forked_from.map(|id| id.to_string()),
        attached_to_thread_id: None,
        parent_thread_id: thread.parent.map(|id| id.to_string()),
        preview: thread.preview.clone(),
        ephemeral: thread.ephemeral,
        section: thread.notes.placed.as_ref().map(|placed| section(&placed.section)),
        section_entered_at: thread.notes.placed.as_ref().map(|it| it.entered_at_ms / 1000),
        project_id: owned(thread.notes.project.as_deref()),
        history_mode: match &*thread.history_mode {
            "paginated" => ThreadHistoryMode::Paginated,
            _ => ThreadHistoryMode::Legacy,
        },
        model_provider: thread.model_provider.to_string(),
        model: owned(thread.model.as_deref()),
        reasoning_effort: thread.effort.as_deref().map(Into::into),
        created_at: thread.created_at,
        updated_at: thread.updated_at,
        recency_at: thread.recency_at,
        status: status(thread.status),
        path: owned(thread.path.as_deref()),
        cwd: (&*thread.cwd).into(),
        cli_version: thread.cli_version.to_string(),
        originator: owned(thread.originator.as_deref()),
        source: source(&thread.source),
        can_accept_direct_input: is_loaded.then_some(true),
        thread_source: thread.thread_source.as_deref().map(|text| ThreadSource(text.to_owned())),
        agent_nickname: None,
        agent_role: None,
        git_info: thread.git.as_ref().map(git),
        name: owned(thread.name.as_deref()),
        daybreak_enabled: thread.notes.daybreak,
        turns: Vec::new(),
    }
}

/// A section that sorts threads.
pub(in crate::api) fn section(section: &Section) -> ThreadSection {
    let look = |look: &SectionLook| ThreadSectionAppearance {
        color: owned(look.color.as_deref()),
        icon: owned(look.icon.as_deref()),
    };
    ThreadSection {
        id: section.id.to_string(),
        name: section.name.to_string(),
        appearance: section.look.as_ref().map(look),
    }
}

/// How far a thread has been read.
pub(in crate::api) fn read_state(state: &ReadState) -> ThreadReadState {
    ThreadReadState {
        first_unread: state.first_unread.as_ref().map(|unread| match unread {
            Unread::ThreadStart => ThreadUnreadPosition::ThreadStart,
            Unread::Turn { turn_id } => ThreadUnreadPosition::Turn { turn_id: turn_id.to_string() },
        }),
        revision: state.revision.to_string(),
    }
}

/// How far a thread has been read, as far as that is kept and there is something to read.
pub(in crate::api) fn read_state_of(thread: &ThreadSnapshot) -> Option<ThreadReadState> {
    let known = || thread.notes.read_state.clone().unwrap_or_else(|| ReadState::initial(thread.id));
    let is_fresh = thread.preview.is_empty() && thread.notes.read_state.is_none();
    (!thread.ephemeral && !is_fresh).then(|| read_state(&known()))
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

/// The one environment there is: this machine.
pub(super) fn environments(cwd: &str, roots: &[Box<str>]) -> Vec<ThreadEnvironment> {
    vec![ThreadEnvironment {
        environment_id: "local".to_owned(),
        cwd: cwd.into(),
        runtime_workspace_roots: roots.iter().map(|root| (&**root).into()).collect(),
    }]
}

/// How a thread stands.
pub(in crate::api) fn status(status: CoreStatus) -> ThreadStatus {
    match status {
        CoreStatus::NotLoaded => ThreadStatus::NotLoaded,
        CoreStatus::Idle => ThreadStatus::Idle,
        CoreStatus::SystemError => ThreadStatus::SystemError,
        CoreStatus::Active(flags) => {
            let approval = flags.waiting_on_approval.then_some(ThreadActiveFlag::WaitingOnApproval);
            let input = flags.waiting_on_user_input.then_some(ThreadActiveFlag::WaitingOnUserInput);
            ThreadStatus::Active { active_flags: approval.into_iter().chain(input).collect() }
        }
    }
}

/// Where a thread came from.
pub(in crate::api) fn source(source: &CoreSource) -> SessionSource {
    match source {
        CoreSource::Cli => SessionSource::Cli,
        CoreSource::Vscode => SessionSource::Vscode,
        CoreSource::Exec => SessionSource::Exec,
        CoreSource::Mcp => SessionSource::AppServer,
        CoreSource::Unknown => SessionSource::Unknown,
        CoreSource::Other(value) => other_source(value),
    }
}

fn other_source(value: &Value) -> SessionSource {
    if let Some(custom) = value.get("custom").and_then(Value::as_str) {
        return SessionSource::Custom(custom.to_owned());
    }
    let agent = value.get("subagent").cloned();
    match agent.and_then(|agent| serde_json::from_value::<SubAgentSource>(agent).ok()) {
        Some(agent) => SessionSource::SubAgent(agent),
        None => SessionSource::Unknown,
    }
}

fn git(git: &rollout::GitInfo) -> GitInfo {
    GitInfo {
        sha: owned(git.commit_hash.as_deref()),
        branch: owned(git.branch.as_deref()),
        origin_url: owned(git.repository_url.as_deref()),
    }
}

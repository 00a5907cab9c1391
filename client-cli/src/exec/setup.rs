//! From options to requests: which folder, which thread, which settings.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::{Map, Value};
use spindle_schema::v2::{
    AbsolutePathBuf, AskForApproval, ConfigReadParams, SandboxMode, SandboxPolicy,
    ThreadResumeParams, ThreadResumeResponse, ThreadSource, ThreadStartParams, ThreadStartResponse,
    TurnStartParams, UserInput,
};

use super::args::ExecOptions;
use super::report::ThreadFacts;
use crate::args::Shared;
use crate::client::Session;
use crate::{overrides, turn};

/// Everything that the options say, made ready.
#[derive(Debug)]
pub(crate) struct Setup {
    /// The options, those after `resume` included.
    pub(crate) options: ExecOptions,
    /// Settings of the whole command line.
    pub(crate) shared: Shared,
    /// The folder to work in.
    pub(crate) cwd: PathBuf,
    /// A JSON Schema for the answer.
    schema: Option<Value>,
}

impl Setup {
    /// Reads what the options name: folders and files.
    pub(crate) fn new(shared: Shared, mut options: ExecOptions) -> anyhow::Result<Self> {
        let shared = shared.then(std::mem::take(&mut options.shared));
        let here = std::env::current_dir().context("failed to find the current folder")?;
        let cwd = match &options.cd {
            Some(dir) => std::fs::canonicalize(here.join(dir))
                .with_context(|| format!("failed to enter {}", dir.display()))?,
            None => here,
        };
        let schema = options.output_schema.as_deref().map(read_schema).transpose()?;
        Ok(Self { options, shared, cwd, schema })
    }

    /// Refuses to work where nothing can be undone and nobody has said that it is fine.
    pub(crate) async fn check_folder(&self, session: &mut Session) -> anyhow::Result<()> {
        if self.options.skip_git_repo_check
            || self.options.bypass
            || self.options.remote.remote.is_some()
            || is_in_git(&self.cwd)
            || self.is_trusted(session).await
        {
            return Ok(());
        }
        bail!(
            "{} is neither in a git repository nor a trusted folder; \
             use --skip-git-repo-check to work here all the same",
            self.cwd.display()
        )
    }

    /// Whether the settings call the folder trusted.
    async fn is_trusted(&self, session: &mut Session) -> bool {
        let cwd = self.cwd.to_string_lossy().into_owned();
        let params = ConfigReadParams { cwd: Some(cwd.clone()), include_layers: false };
        let Ok(read) = session.call(&params).await else { return false };
        read.config
            .extra
            .get("projects")
            .and_then(|projects| projects.get(&cwd)?.get("trust_level")?.as_str())
            == Some("trusted")
    }

    /// How commands are asked about. `exec` has nobody to ask, so the answer is never, unless
    /// the user set another policy; then what is asked is declined.
    fn approval(&self) -> Option<AskForApproval> {
        let is_set = self.shared.overrides("approval_policy") && !self.options.bypass;
        (!is_set).then_some(AskForApproval::Never)
    }

    fn sandbox(&self) -> Option<SandboxMode> {
        if self.options.bypass {
            return Some(SandboxMode::DangerFullAccess);
        }
        self.options.sandbox.map(SandboxMode::from)
    }

    /// The folder as the daemon is told; a daemon elsewhere keeps its own unless one is named.
    fn cwd(&self) -> Option<String> {
        let is_told = self.options.remote.remote.is_none() || self.options.cd.is_some();
        is_told.then(|| self.cwd.to_string_lossy().into_owned())
    }

    /// The workspace folders, when there are more than the one worked in.
    fn roots(&self) -> Option<Vec<AbsolutePathBuf>> {
        if self.options.add_dir.is_empty() {
            return None;
        }
        let all = std::iter::once(self.cwd.clone())
            .chain(self.options.add_dir.iter().map(|dir| self.absolute(dir)));
        Some(all.map(|dir| AbsolutePathBuf(dir.to_string_lossy().into_owned())).collect())
    }

    /// Settings for a daemon elsewhere; one of our own was started with them.
    fn config(&self) -> Option<Map<String, Value>> {
        let config = overrides::to_config(&self.shared);
        (self.options.remote.remote.is_some() && !config.is_empty()).then_some(config)
    }

    /// Makes a path absolute the way a shell would read it.
    fn absolute(&self, path: &Path) -> PathBuf {
        let here = std::env::current_dir().unwrap_or_else(|_| self.cwd.clone());
        std::fs::canonicalize(path).unwrap_or_else(|_| here.join(path))
    }

    /// Params that start a thread.
    pub(crate) fn thread_start(&self) -> ThreadStartParams {
        ThreadStartParams {
            approval_policy: self.approval(),
            config: self.config(),
            cwd: self.cwd(),
            ephemeral: self.options.ephemeral.then_some(true),
            model: self.options.model.clone(),
            runtime_workspace_roots: self.roots(),
            sandbox: self.sandbox(),
            thread_source: self.options.thread_source.clone().map(ThreadSource),
            ..ThreadStartParams::default()
        }
    }

    /// Params that take a thread up again.
    pub(crate) fn thread_resume(&self, thread_id: &str) -> ThreadResumeParams {
        let mut params = turn::resume(thread_id);
        params.approval_policy = self.approval();
        params.config = self.config();
        params.cwd = self.options.cd.as_ref().and_then(|_| self.cwd());
        params.model.clone_from(&self.options.model);
        params.runtime_workspace_roots = self.roots();
        params.sandbox = self.sandbox();
        params
    }

    /// Params that ask.
    pub(crate) fn turn_start(&self, thread_id: &str, prompt: String) -> TurnStartParams {
        let pictures = self.options.image.iter().map(|path| UserInput::LocalImage {
            path: self.absolute(path).to_string_lossy().into_owned(),
            detail: None,
        });
        let words = UserInput::Text { text: prompt, text_elements: Vec::new() };
        let mut params = turn::start(thread_id, pictures.chain([words]).collect());
        params.approval_policy = self.approval();
        params.cyber_access_program = self.options.cyber_access_program.map(Into::into);
        params.output_schema.clone_from(&self.schema);
        params.turn_trigger = Some("exec".to_owned());
        params
    }
}

impl From<ThreadStartResponse> for ThreadFacts {
    fn from(started: ThreadStartResponse) -> Self {
        Self {
            id: started.thread.id,
            cwd: started.cwd.0,
            model: started.model,
            provider: started.model_provider,
            approval: name_of(&started.approval_policy),
            sandbox: sandbox_name(&started.sandbox),
        }
    }
}

impl From<ThreadResumeResponse> for ThreadFacts {
    fn from(resumed: ThreadResumeResponse) -> Self {
        Self {
            id: resumed.thread.id,
            cwd: resumed.cwd.0,
            model: resumed.model,
            provider: resumed.model_provider,
            approval: name_of(&resumed.approval_policy),
            sandbox: sandbox_name(&resumed.sandbox),
        }
    }
}

/// The word that stands for a value in settings; the first word of one that is a table.
fn name_of(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(name)) => name,
        Ok(Value::Object(table)) => table.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

fn sandbox_name(policy: &SandboxPolicy) -> String {
    let name = match policy {
        SandboxPolicy::DangerFullAccess => "danger-full-access",
        SandboxPolicy::ReadOnly { .. } => "read-only",
        SandboxPolicy::WorkspaceWrite { .. } => "workspace-write",
        SandboxPolicy::ExternalSandbox { .. } => "external",
    };
    name.to_owned()
}

fn read_schema(path: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("failed to read the output schema {}", path.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("the output schema {} is not valid JSON", path.display()))
}

/// Whether the folder or one above it is a git work tree.
fn is_in_git(folder: &Path) -> bool {
    folder.ancestors().any(|folder| folder.join(".git").exists())
}

#[cfg(test)]
mod tests;

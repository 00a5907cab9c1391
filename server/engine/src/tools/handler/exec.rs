//! `exec_command`: a shell command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use spindle_exec::patch::{ShellPatch, patch_in_argv};
use spindle_exec::policy::classify;
use spindle_exec::sandbox::Mode;
use spindle_exec::shell::{Shell, display};
use spindle_exec::{Command, Limits, Process, SpawnError, Stdio};
use spindle_schema::event::EventMsg;
use spindle_schema::item::{CommandExecution, CommandSource, CommandStatus, TurnItem};

use super::super::call::CallContext;
use super::super::network::{Outlet, Way};
use super::super::orchestrator::{Ruling, Yes, rejected, rule};
use super::super::output::ToolOutput;
use super::super::processes::{Entry, Running};
use super::super::truncate::{Kept, fit, tokens_of};
use super::arguments;
use crate::approvals::{Beyond, Grant, ModelForm};

/// How long a call waits for the end when the model does not say. Milliseconds.
const DEFAULT_YIELD_MS: u64 = 10_000;
/// The shortest and the longest wait. Milliseconds.
const YIELD_MS: std::ops::RangeInclusive<u64> = 250..=30_000;
/// How much of the output is returned when the model does not say. Tokens.
pub(in crate::tools) const DEFAULT_OUTPUT_TOKENS: u64 = 10_000;
/// What the model is told when it asks for more than the sandbox allows in a way that does not
/// work.
const NO_ADDITIONAL: &str = "additional permissions are disabled; enable \
    `features.exec_permission_approvals` before using `with_additional_permissions`";
const NOTHING_ADDITIONAL: &str = "`additional_permissions` must include at least one requested \
    permission in `network` or `file_system`";
const STRAY_ADDITIONAL: &str = "`additional_permissions` counts only with `sandbox_permissions` \
    set to `with_additional_permissions`";
/// The terminal's size: lines and characters.
const TERMINAL: (u16, u16) = (24, 80);

#[derive(Deserialize)]
struct Arguments {
    cmd: String,
    #[serde(default)]
    workdir: Option<String>,
    #[serde(default)]
    shell: Option<String>,
    #[serde(default)]
    login: Option<bool>,
    #[serde(default)]
    tty: bool,
    #[serde(default)]
    yield_time_ms: Option<u64>,
    #[serde(default)]
    max_output_tokens: Option<u64>,
    #[serde(default)]
    sandbox_permissions: Option<SandboxPermissions>,
    #[serde(default)]
    justification: Option<String>,
    #[serde(default)]
    prefix_rule: Option<Vec<String>>,
    #[serde(default)]
    additional_permissions: Option<Value>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum SandboxPermissions {
    #[default]
    UseDefault,
    WithAdditionalPermissions,
    RequireEscalated,
}

/// What the model wants to run.
pub(in crate::tools) struct Request {
    /// Program and arguments.
    pub(in crate::tools) argv: Vec<String>,
    /// Working folder.
    pub(in crate::tools) cwd: PathBuf,
    /// How far beyond the sandbox it wants.
    pub(in crate::tools) beyond: Beyond,
    /// Why, for the person.
    pub(in crate::tools) justification: Option<String>,
    /// The words of a rule that would allow commands like it.
    pub(in crate::tools) prefix_rule: Option<Vec<String>>,
}

/// How an answer is to be given.
pub(super) struct Answering {
    /// How long to wait for the end.
    pub(super) wait: Duration,
    /// How much of the output to return.
    pub(super) tokens: u64,
}

/// Runs a command and gives its output, or the number of its session.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    match start(&context).await {
        Ok((running, answering)) => answer(&context, &running, &answering, Looking::AtStart).await,
        Err(output) => output,
    }
}

/// A patch that the model wrote as a shell command is applied as a patch.
async fn apply(context: &CallContext, request: &Request, patch: ShellPatch) -> ToolOutput {
    let since = tokio::time::Instant::now();
    let folder = patch.folder.map_or(request.cwd.clone(), |folder| request.cwd.join(folder));
    let done = super::patch::apply(context, &patch.text, folder).await;
    let wall = since.elapsed().as_secs_f64();
    done.map_or_else(
        |output| output,
        |done| ToolOutput::text(format!("Wall time: {wall:.4} seconds\nOutput:\n{done}")),
    )
}

async fn start(context: &CallContext) -> Result<(Arc<Running>, Answering), ToolOutput> {
    let arguments: Arguments = arguments(context)?;
    let answering = Answering {
        wait: wait(arguments.yield_time_ms.unwrap_or(DEFAULT_YIELD_MS)),
        tokens: arguments.max_output_tokens.unwrap_or(DEFAULT_OUTPUT_TOKENS),
    };
    let tty = arguments.tty;
    let request = request(context, arguments)?;
    if let Some(patch) = patch_in_argv(&request.argv) {
        return Err(Box::pin(apply(context, &request, patch)).await);
    }
    let (yes, shown_since) = match rule(context, &request).await {
        Ruling::Run { clearance, shown_since } => (clearance, shown_since),
        Ruling::Refused(why) => return Err(ToolOutput::text(why)),
        Ruling::Cancelled(after) => return Err(ToolOutput::aborted(&context.call, after)),
    };
    let item = request.item(context, CommandStatus::InProgress);
    let sandbox = mode(context, &request, yes);
    let is_cancelled = tokio::select! {
        biased;
        () = context.cancel.cancelled() => true,
        () = context.undo.before_command(&request.argv, &sandbox) => false,
    };
    if is_cancelled {
        if shown_since.is_some() {
            not_started(context, item, shown_since, "interrupted").await;
        }
        return Err(ToolOutput::aborted(&context.call, Duration::ZERO));
    }
    match spawn(context, &request, tty, yes).await {
        Ok((process, outlet)) => {
            let entry = Entry { process, outlet, item, shown_since };
            Ok((context.rooms.processes.enter(context, entry).await, answering))
        }
        Err(error) => Err(not_started(context, item, shown_since, &root_cause(&error)).await),
    }
}

/// What the command may touch.
fn mode(context: &CallContext, request: &Request, yes: Yes) -> Mode {
    match yes {
        Yes::Sandbox => context.sandbox(&request.beyond.grant()),
        Yes::FullAccess | Yes::Approved(_) | Yes::Rule => Mode::FullAccess,
    }
}

fn wait(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.clamp(*YIELD_MS.start(), *YIELD_MS.end()))
}

fn request(context: &CallContext, arguments: Arguments) -> Result<Request, ToolOutput> {
    let allowed = context.rooms.config.permission.allow_login_shell;
    if arguments.login == Some(true) && !allowed {
        return Err(ToolOutput::text(
            "login shell is disabled by config; omit `login` or set it to false.",
        ));
    }
    let path = OsString::from(context.rooms.env.get("PATH").cloned().unwrap_or_default());
    let named = arguments.shell.map(|name| Shell::named(&name, &path));
    let shell = named.as_ref().unwrap_or(&context.rooms.shell);
    let cwd = context.absolute(arguments.workdir.as_deref().unwrap_or_default());
    let wanted = arguments.sandbox_permissions.unwrap_or_default();
    Ok(Request {
        argv: shell.argv(&arguments.cmd, arguments.login.unwrap_or(allowed)),
        beyond: beyond(context, wanted, arguments.additional_permissions, &cwd)?,
        cwd,
        justification: arguments.justification,
        prefix_rule: arguments.prefix_rule.filter(|words| !words.is_empty()),
    })
}

/// How far beyond the sandbox a command wants, or why that is no way to ask.
fn beyond(
    context: &CallContext,
    wanted: SandboxPermissions,
    permissions: Option<Value>,
    cwd: &Path,
) -> Result<Beyond, ToolOutput> {
    let refused = |text: &str| Err(ToolOutput::text(text));
    match (wanted, permissions) {
        (SandboxPermissions::WithAdditionalPermissions, permissions) => {
            if !context.rooms.config.features.enabled("exec_permission_approvals") {
                return refused(NO_ADDITIONAL);
            }
            let form = ModelForm::deserialize(permissions.unwrap_or_default());
            let form = form.map_err(|error| ToolOutput::bad_arguments(&error))?;
            let grant = Grant::asked(form, cwd).without(&context.rooms.home);
            if grant.is_empty() { refused(NOTHING_ADDITIONAL) } else { Ok(Beyond::Widened(grant)) }
        }
        (_, Some(_)) => refused(STRAY_ADDITIONAL),
        (SandboxPermissions::RequireEscalated, None) => Ok(Beyond::Everything),
        (SandboxPermissions::UseDefault, None) => Ok(Beyond::Nothing),
    }
}

async fn spawn(
    context: &CallContext,
    request: &Request,
    tty: bool,
    yes: Yes,
) -> Result<(Process, Option<Outlet>), SpawnError> {
    let (rows, cols) = TERMINAL;
    let (way, sandbox) = Way::of(context, mode(context, request, yes)).await;
    let mut env = context.environment(&sandbox);
    way.tell(&mut env);
    let command = Command {
        argv: request.argv.iter().map(OsString::from).collect(),
        cwd: request.cwd.clone(),
        env,
        stdio: if tty { Stdio::Pty { rows, cols } } else { Stdio::Pipes },
        limits: Limits::default(),
        sandbox,
    };
    way.start(context, yes.clear(command)).await
}

/// Tells clients and the model that a command could not be started.
async fn not_started(
    context: &CallContext,
    mut item: CommandExecution,
    shown_since: Option<i64>,
    why: &str,
) -> ToolOutput {
    let why = format!("Failed to create unified exec process: {why}");
    item.source = CommandSource::UnifiedExecStartup;
    let started = context.speaker.started(TurnItem::CommandExecution(Box::new(item.clone())));
    let since = shown_since.or(started.item.started_at_ms).unwrap_or_default();
    if shown_since.is_none() {
        context.speaker.say(vec![EventMsg::ItemStarted(started)]).await;
    }
    item.status = CommandStatus::Failed;
    item.exit_code = Some(-1);
    item.aggregated_output = Some(why.clone());
    item.duration = Some(Duration::ZERO.into());
    let item = TurnItem::CommandExecution(Box::new(item));
    if let Err(error) = context.record_completed(&item, since).await {
        tracing::error!(%error, "a command that did not start could not be recorded");
    }
    let completed = context.speaker.completed(item, since);
    context.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
    ToolOutput::text(rejected(&why))
}

/// What the system said, where it said something.
fn root_cause(error: &SpawnError) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Why the model looks at a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looking {
    /// It has just started it.
    AtStart,
    /// It looks again.
    Again,
}

/// Waits for the end of a command or of the wait, and says what the model then sees.
///
/// When the turn is cancelled, the command ends with it.
pub(super) async fn answer(
    context: &CallContext,
    running: &Running,
    answering: &Answering,
    looking: Looking,
) -> ToolOutput {
    let asked = tokio::time::Instant::now();
    tokio::select! {
        biased;
        () = context.cancel.cancelled() => {
            running.end().await;
            context.rooms.processes.forget(running.id);
            return ToolOutput::aborted(&context.call, asked.elapsed());
        }
        () = running.ended() => {}
        () = tokio::time::sleep(answering.wait) => {}
    }
    if let Some(why) = running.refusal().filter(|_| running.status().is_some()) {
        context.rooms.processes.forget(running.id);
        let tool = &context.call.name;
        return ToolOutput::text(format!("{tool} failed: ProcessFailed {{ message: {why:?} }}"));
    }
    let wall = match looking {
        Looking::AtStart => running.since.elapsed(),
        Looking::Again => asked.elapsed(),
    };
    let seen = unseen(running).await;
    let end = match running.status() {
        Some(status) => {
            context.rooms.processes.forget(running.id);
            format!("Process exited with code {}", status.code)
        }
        None => {
            running.goes_on();
            format!("Process running with session ID {}", running.id)
        }
    };
    let text = String::from_utf8_lossy(&seen.bytes);
    let kept = Kept { text: &text, total_bytes: seen.total, omitted_bytes: seen.missed };
    ToolOutput::text(format!(
        "Chunk ID: {}\nWall time: {:.4} seconds\n{end}\nOriginal token count: {}\nOutput:\n{}",
        chunk_id(),
        wall.as_secs_f64(),
        tokens_of(seen.total),
        fit(&kept, answering.tokens),
    ))
}

/// What the model has not seen of a command's output.
struct Unseen {
    bytes: Vec<u8>,
    missed: u64,
    total: u64,
}

async fn unseen(running: &Running) -> Unseen {
    let mut reader = running.unseen.lock().await;
    let missed_before = reader.missed();
    let mut bytes = Vec::new();
    while let Some(chunk) = reader.try_next() {
        bytes.extend_from_slice(&chunk);
    }
    let missed = reader.missed() - missed_before;
    let total = bytes.len() as u64 + missed;
    Unseen { bytes, missed, total }
}

fn chunk_id() -> String {
    let random = uuid::Uuid::new_v4().as_u128() & 0x00ff_ffff;
    format!("{random:06x}")
}

impl Request {
    /// The command as a person reads it.
    pub(in crate::tools) fn display(&self) -> String {
        display(&self.argv)
    }

    /// The item as clients see it before it runs.
    pub(in crate::tools) fn item(
        &self,
        context: &CallContext,
        status: CommandStatus,
    ) -> CommandExecution {
        CommandExecution {
            id: context.call.item_id(),
            process_id: None,
            command: self.argv.clone(),
            cwd: format!("file://{}", self.cwd.display()),
            parsed_cmd: classify(&self.argv),
            source: CommandSource::Agent,
            status,
            aggregated_output: None,
            exit_code: None,
            duration: None,
        }
    }
}

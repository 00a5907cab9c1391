//! `apply_patch`: changes to files, all or nothing (SPEC X4).

use std::path::{Path, PathBuf};
use std::time::Duration;

use spindle_exec::patch::{Patch, Plan, VerifyError, summary};
use spindle_schema::event::{
    AnswerMsg, CommandDecision, EventMsg, FileChangeQuestion, QuestionKind, TurnText,
};
use spindle_schema::item::{CommandStatus, FileChange, TurnItem};
use spindle_schema::settings::{ApprovalPolicy, SandboxPolicy, ThreadSettings};
use tokio::time::Instant;

use super::super::call::{CallContext, Payload};
use super::super::output::ToolOutput;
use crate::approvals::{About, Approved, Asked};
use crate::context::PROTECTED;
use crate::turn::ReportMsg;

const REFUSED: &str =
    "patch rejected: writing outside of the project; rejected by user approval settings";

/// Applies the patch that the model wrote.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    let Payload::Custom(text) = &context.call.payload else {
        return ToolOutput::text("apply_patch takes the patch as plain text");
    };
    let folder = PathBuf::from(&*context.settings.cwd);
    let since = Instant::now();
    match apply(&context, text, folder).await {
        Ok(done) => ToolOutput::text(format!(
            "Exit code: 0\nWall time: {:.1} seconds\nOutput:\n{done}",
            since.elapsed().as_secs_f64()
        )),
        Err(output) => output,
    }
}

/// Checks a patch against the files, asks where that is needed, writes it, and tells the clients.
/// Gives what the model is told when it went well.
pub(in crate::tools) async fn apply(
    context: &CallContext,
    text: &str,
    folder: PathBuf,
) -> Result<String, ToolOutput> {
    let misfit = |error: VerifyError| ToolOutput::text(error.for_model());
    let patch = Patch::parse(text).map_err(|error| misfit(error.into()))?;
    let plan = blocking(move || Plan::check(&patch, &folder)).await?.map_err(misfit)?;
    let changes = plan.changes().into_iter();
    let mut item = FileChange {
        id: context.call.item_id(),
        changes: changes.map(|(path, update)| (path.display().to_string(), update)).collect(),
        status: Some(CommandStatus::InProgress),
        stdout: None,
        stderr: None,
    };
    let started_at_ms = clear(context, &plan, &item).await?;
    let told = summary(&plan);
    let kept = context.undo.before_patch(&plan).await;
    let (plan, written) = blocking(move || {
        let written = plan.write().map(drop).map_err(|error| error.to_string());
        (plan, written)
    })
    .await?;
    drop(kept);
    item.status = Some(match written {
        Ok(()) => CommandStatus::Completed,
        Err(_) => CommandStatus::Failed,
    });
    item.stdout = Some(written.as_ref().map_or_else(|_| String::new(), |()| told.clone()));
    item.stderr = Some(written.as_ref().err().cloned().unwrap_or_default());
    finish(context, TurnItem::FileChange(item), started_at_ms).await;
    written.map_err(|error| ToolOutput::text(format!("patch could not be applied: {error}")))?;
    tell_diff(context, &plan).await;
    Ok(told)
}

/// Asks where that is needed. Gives the moment clients saw the item begin.
async fn clear(context: &CallContext, plan: &Plan, item: &FileChange) -> Result<i64, ToolOutput> {
    let started = context.speaker.started(TurnItem::FileChange(item.clone()));
    let since = started.item.started_at_ms.unwrap_or_default();
    let keys: Vec<Approved> = plan.targets().map(key).collect();
    let remembered = keys.iter().all(|key| context.rooms.memory.allows(key));
    match judge(&context.settings, plan.targets()) {
        Verdict::Refuse => return Err(ToolOutput::text(REFUSED)),
        Verdict::Ask if !remembered => {}
        Verdict::Ask | Verdict::Run => {
            context.speaker.say(vec![EventMsg::ItemStarted(started)]).await;
            return Ok(since);
        }
    }
    let question = QuestionKind::FileChange(FileChangeQuestion { reason: None, grant_root: None });
    let (question, asked) = context.ask_unsettled(question, About::Item(started)).await;
    let decision = match asked {
        Asked::Answered(AnswerMsg::Decision(decision)) => Some(decision),
        Asked::Answered(_) => None,
        Asked::Cancelled(after) => return Err(ToolOutput::aborted(after)),
    };
    let settled = |also| ReportMsg::Settled { question, also };
    match decision {
        Some(CommandDecision::Accept | CommandDecision::AcceptWithAmendment(_)) => {}
        Some(CommandDecision::AcceptForSession) => {
            keys.into_iter().for_each(|key| context.rooms.memory.remember(key));
        }
        Some(CommandDecision::Cancel) => {
            context.speaker.report(settled(Vec::new())).await;
            context.cancel.cancel();
            return Err(ToolOutput::aborted(Duration::ZERO));
        }
        Some(CommandDecision::Decline) | None => {
            let item = FileChange { status: Some(CommandStatus::Declined), ..item.clone() };
            let item = TurnItem::FileChange(item);
            if let Err(error) = context.record_completed(&item, since).await {
                tracing::warn!(%error, "a declined patch could not be recorded");
            }
            let also = vec![EventMsg::ItemCompleted(context.speaker.completed(item, since))];
            context.speaker.report(settled(also)).await;
            return Err(ToolOutput::text("patch rejected by user"));
        }
    }
    context.speaker.report(settled(Vec::new())).await;
    Ok(since)
}

async fn finish(context: &CallContext, item: TurnItem, started_at_ms: i64) {
    if let Err(error) = context.record_completed(&item, started_at_ms).await {
        tracing::error!(%error, "a patch could not be recorded");
    }
    let completed = context.speaker.completed(item, started_at_ms);
    context.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
}

/// Tells all that the turn has changed so far.
async fn tell_diff(context: &CallContext, plan: &Plan) {
    let text = {
        let mut diff = context.diff.lock();
        diff.record(plan);
        diff.render()
    };
    let turn_id = context.turn_id().clone();
    context
        .speaker
        .say(vec![EventMsg::TurnDiffUpdated(Box::new(TurnText { turn_id, text }))])
        .await;
}

/// Runs work on files apart from the runtime's workers.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolOutput> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "work on files broke down");
        ToolOutput::text("the patch failed in an unexpected way")
    })
}

/// What the settings say about a patch before anybody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Run,
    Ask,
    Refuse,
}

/// Judges a patch by where it would write. `targets` are real paths, links followed.
fn judge<'a>(settings: &ThreadSettings, targets: impl Iterator<Item = &'a Path>) -> Verdict {
    let mut targets = targets;
    let inside = targets.all(|target| is_writable(settings, target));
    match settings.approval_policy {
        ApprovalPolicy::Untrusted => Verdict::Ask,
        _ if inside => Verdict::Run,
        ApprovalPolicy::Never => Verdict::Refuse,
        ApprovalPolicy::Granular(kinds) if !kinds.sandbox_approval => Verdict::Refuse,
        ApprovalPolicy::OnRequest | ApprovalPolicy::Granular(_) => Verdict::Ask,
    }
}

fn is_writable(settings: &ThreadSettings, target: &Path) -> bool {
    match &settings.sandbox_policy {
        SandboxPolicy::DangerFullAccess | SandboxPolicy::ExternalSandbox { .. } => true,
        SandboxPolicy::ReadOnly { .. } => false,
        SandboxPolicy::WorkspaceWrite { writable_roots, .. } => {
            let own = settings.workspace_roots.iter().map(|root| Path::new(&**root));
            let mut roots = own.chain(writable_roots.iter().map(Path::new));
            roots.any(|root| {
                let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
                let below = target.strip_prefix(&root).ok();
                below.is_some_and(|below| {
                    let first = below.components().next();
                    !PROTECTED
                        .iter()
                        .any(|name| first.is_some_and(|first| first.as_os_str() == *name))
                })
            })
        }
    }
}

fn key(target: &Path) -> Approved {
    Approved {
        argv: vec!["apply_patch".into(), target.display().to_string()],
        cwd: String::new(),
        escalated: false,
    }
}

#[cfg(test)]
mod tests;

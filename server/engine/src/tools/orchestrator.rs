//! May this command run, and how? Rules and policy, then people, then the sandbox (SPEC X2).

use std::sync::Arc;
use std::time::Duration;

use spindle_exec::policy::{
    self, CommandLine, Confinement, Context, Escalation, Rules, Verdict, append_prefix_rule,
};
use spindle_exec::sandbox::Support;
use spindle_exec::{Approval, Clearance, Cleared, Command};
use spindle_schema::event::{AnswerMsg, CommandDecision, CommandQuestion, EventMsg, QuestionKind};
use spindle_schema::ids::QuestionId;
use spindle_schema::item::{CommandExecution, CommandStatus, TurnItem};

use super::call::CallContext;
use super::handler::exec::Request;
use super::rules::rules_notice;
use crate::approvals::{About, Approved, Asked, Beyond, Grant};
use crate::turn::ReportMsg;

/// What came of asking whether a command may run.
pub(super) enum Ruling {
    /// It may.
    Run {
        /// By whose word.
        clearance: Yes,
        /// Unix milliseconds at which clients saw its item begin, if they did.
        shown_since: Option<i64>,
    },
    /// It may not; this is what the model is told.
    Refused(String),
    /// The turn ended before there was an answer.
    Cancelled(Duration),
}

/// By whose word a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Yes {
    /// The person has switched all limits off.
    FullAccess,
    /// A person said yes to it.
    Approved(Approval),
    /// The sandbox holds it.
    Sandbox,
    /// A rule of the person's allows it.
    Rule,
}

impl Yes {
    /// Clears the command.
    pub(super) fn clear(self, command: Command) -> Cleared<Command> {
        match self {
            Self::FullAccess => Clearance::full_access(command),
            Self::Approved(approval) => Clearance::approved(command, approval),
            Self::Sandbox => Clearance::sandboxed(command),
            Self::Rule => Clearance::by_rule(command),
        }
    }
}

/// Rules on a command, asking people where that is needed.
pub(super) async fn rule(context: &CallContext, request: &Request) -> Ruling {
    let confinement = confinement(context).await;
    let held = confinement == Confinement::Enforced;
    let granted = context.granted();
    let beyond = request.beyond.left_by(&granted);
    let escalation = if *beyond == Beyond::Nothing { Escalation::No } else { Escalation::Asked };
    let case = Context { approval: context.settings.approval_policy, confinement, escalation };
    let rules = current_rules(context).await;
    let (reason, amendment) = match policy::judge(&rules, &CommandLine::new(&request.argv), case) {
        Verdict::Allow { bypass_sandbox } => {
            return Ruling::Run { clearance: unasked(held, bypass_sandbox), shown_since: None };
        }
        Verdict::Forbid { reason } => return Ruling::Refused(forbidden(&reason)),
        Verdict::Ask { reason, proposed_amendment } => (reason, proposed_amendment),
    };
    let stays = held && *beyond != Beyond::Everything;
    let yes = if stays { Yes::Sandbox } else { Yes::Approved(Approval::Once) };
    let key = Approved {
        argv: request.argv.clone(),
        cwd: request.cwd.display().to_string(),
        beyond: beyond.clone(),
    };
    if context.rooms.memory.allows(&key) {
        return Ruling::Run { clearance: yes, shown_since: None };
    }
    let amendment = request.prefix_rule.clone().filter(|_| amendment.is_some()).or(amendment);
    let reason = request.justification.clone().or(reason);
    ask(context, request, Asking { yes, key, reason, amendment }).await
}

/// By whose word a command runs that nobody is asked about.
fn unasked(held: bool, bypass_sandbox: bool) -> Yes {
    match (held, bypass_sandbox) {
        (_, true) => Yes::Rule,
        (true, false) => Yes::Sandbox,
        (false, false) => Yes::FullAccess,
    }
}

/// The rules as they are at this moment. Everybody who follows the thread is told of files that
/// have become unusable since the last command.
async fn current_rules(context: &CallContext) -> Arc<Rules> {
    let (rules, faults) = {
        let mut book = context.rooms.rules.lock();
        (book.current(), book.take_errors())
    };
    let notices = faults.iter().map(rules_notice);
    let notices = notices.map(|notice| EventMsg::ConfigWarning(Box::new(notice)));
    context.speaker.say(notices.collect()).await;
    rules
}

/// What holds the commands of this call.
async fn confinement(context: &CallContext) -> Confinement {
    let mode = context.sandbox(&Grant::default());
    if !mode.is_sandboxed() {
        Confinement::Unwanted
    } else if Support::detect().await.can_enforce(&mode) {
        Confinement::Enforced
    } else {
        Confinement::Unavailable
    }
}

/// How the model is told that a command may not run. A wish to leave the sandbox that cannot be
/// granted is answered in plain words, everything else as a failed start.
fn forbidden(reason: &str) -> String {
    if reason.starts_with("approval policy is") { reason.to_owned() } else { rejected(reason) }
}

/// A question in the making.
struct Asking {
    yes: Yes,
    key: Approved,
    reason: Option<String>,
    amendment: Option<Vec<String>>,
}

async fn ask(context: &CallContext, request: &Request, asking: Asking) -> Ruling {
    let item = request.item(context, CommandStatus::InProgress);
    let started = context.speaker.started(TurnItem::CommandExecution(Box::new(item.clone())));
    let since = started.item.started_at_ms.unwrap_or_default();
    let question = QuestionKind::Command(Box::new(question(request, &item, &asking)));
    let Asking { yes, key, .. } = asking;
    let asked_at = tokio::time::Instant::now();
    let (id, asked) = context.ask_unsettled(question, About::Item(started)).await;
    let waited = asked_at.elapsed();
    let answer = match asked {
        Asked::Answered(answer) => answer,
        Asked::Cancelled(after) => return Ruling::Cancelled(after),
    };
    let run = Ruling::Run { clearance: yes, shown_since: Some(since) };
    match answer {
        AnswerMsg::Decision(CommandDecision::Accept) => settle(context, id, run).await,
        AnswerMsg::Decision(CommandDecision::AcceptForSession) => {
            context.rooms.memory.remember(key);
            settle(context, id, run).await
        }
        AnswerMsg::Decision(CommandDecision::AcceptWithAmendment(words)) => {
            write_rule(context, words).await;
            settle(context, id, run).await
        }
        AnswerMsg::Decision(CommandDecision::Decline) => {
            refuse(context, id, Refused { item, since, why: DECLINED }).await
        }
        AnswerMsg::Decision(CommandDecision::Cancel) => {
            refuse(context, id, Refused { item, since, why: DECLINED }).await;
            context.cancel.cancel();
            Ruling::Cancelled(waited)
        }
        _ => refuse(context, id, Refused { item, since, why: UNUSABLE }).await,
    }
}

/// The question as people get it. A rule is offered only where it would let the command do what
/// it asks for.
fn question(request: &Request, item: &CommandExecution, asking: &Asking) -> CommandQuestion {
    let extra = asking.key.beyond.grant();
    let mut decisions = vec![CommandDecision::Accept];
    if extra.is_empty() {
        decisions.extend(asking.amendment.clone().map(CommandDecision::AcceptWithAmendment));
    }
    decisions.push(CommandDecision::Cancel);
    CommandQuestion {
        command: request.display(),
        actions: item.parsed_cmd.clone(),
        cwd: request.cwd.display().to_string().into(),
        reason: asking.reason.clone(),
        proposed_amendment: asking.amendment.clone(),
        additional_permissions: (!extra.is_empty()).then(|| extra.to_protocol()),
        decisions,
    }
}

async fn settle(context: &CallContext, question: QuestionId, ruling: Ruling) -> Ruling {
    context.speaker.report(ReportMsg::Settled { question, also: Vec::new() }).await;
    ruling
}

/// Writes the rule that a person accepted; it counts from the next command on. If that fails,
/// people are told; the command still runs.
async fn write_rule(context: &CallContext, words: Vec<String>) {
    let file = context.rooms.home.join("rules").join("default.rules");
    let (path, prefix) = (file.clone(), words.clone());
    // Another process may hold the file for a moment.
    let written = tokio::task::spawn_blocking(move || append_prefix_rule(&path, &prefix)).await;
    match written.unwrap_or_else(|error| Err(std::io::Error::other(error))) {
        Ok(_) => context.rooms.memory.rule_saved(words),
        Err(error) => {
            tracing::warn!(%error, "a rule could not be written");
            let text = format!("the rule could not be written to {}: {error}", file.display());
            context.speaker.say(vec![EventMsg::Warning(text.into())]).await;
        }
    }
}

/// Why a command was refused: the state of its item, and the words for the model.
type Why = (CommandStatus, &'static str);
const DECLINED: Why = (CommandStatus::Declined, "rejected by user");
const UNUSABLE: Why = (CommandStatus::Failed, "approval request failed");

struct Refused {
    item: CommandExecution,
    since: i64,
    why: Why,
}

/// Tells that the command will not run: its item ends with the answer.
async fn refuse(context: &CallContext, question: QuestionId, refused: Refused) -> Ruling {
    let Refused { mut item, since, why: (status, text) } = refused;
    item.status = status;
    let item = TurnItem::CommandExecution(Box::new(item));
    if let Err(error) = context.record_completed(&item, since).await {
        tracing::warn!(%error, "a refused command could not be recorded");
    }
    let also = vec![EventMsg::ItemCompleted(context.speaker.completed(item, since))];
    context.speaker.report(ReportMsg::Settled { question, also }).await;
    Ruling::Refused(rejected(text))
}

/// How the model is told that a command was not started.
pub(super) fn rejected(why: &str) -> String {
    format!("exec_command failed: CreateProcess {{ message: {:?} }}", format!("Rejected({why:?})"))
}

#[cfg(test)]
mod tests;

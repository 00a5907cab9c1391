//! May this command run, and how? Rules, then people, then the sandbox (SPEC X2).

use spindle_exec::{Approval, Clearance, Cleared, Command};
use spindle_schema::event::{AnswerMsg, CommandDecision, CommandQuestion, QuestionKind};
use spindle_schema::ids::QuestionId;
use spindle_schema::item::{CommandExecution, CommandStatus, TurnItem};
use spindle_schema::settings::{ApprovalPolicy, SandboxPolicy};
use std::time::Duration;

use super::call::CallContext;
use super::handler::exec::Request;
use crate::approvals::{About, Approved, Asked};
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
}

impl Yes {
    /// Clears the command.
    pub(super) fn clear(self, command: Command) -> Cleared<Command> {
        match self {
            Self::FullAccess => Clearance::full_access(command),
            Self::Approved(approval) => Clearance::approved(command, approval),
            Self::Sandbox => Clearance::sandboxed(command),
        }
    }
}

/// What the policies say before anybody is asked. Pure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Run it without asking.
    Run(Yes),
    /// Ask first; a yes runs it so.
    Ask(Yes),
    /// Refuse, for this reason.
    Refuse(&'static str),
}

/// What [`judge`] looks at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case<'a> {
    /// When a person is asked.
    pub(super) approval: ApprovalPolicy,
    /// What commands may touch.
    pub(super) sandbox: &'a SandboxPolicy,
    /// The model asks to leave the sandbox.
    pub(super) escalated: bool,
    /// The sandbox can be enforced here.
    pub(super) enforceable: bool,
}

/// Judges a command by the policies alone. Never weaker than asked: where no sandbox can be
/// enforced, a person must say yes to each command.
pub(super) fn judge(case: Case<'_>) -> Verdict {
    let approved = Yes::Approved(Approval::Once);
    if case.escalated && case.approval == ApprovalPolicy::Never {
        return Verdict::Refuse(
            "approval policy is Never; reject command — you cannot ask for escalated \
             permissions if the approval policy is Never",
        );
    }
    let free = match case.sandbox {
        SandboxPolicy::DangerFullAccess | SandboxPolicy::ExternalSandbox { .. } => {
            Some(Yes::FullAccess)
        }
        SandboxPolicy::ReadOnly { .. } | SandboxPolicy::WorkspaceWrite { .. } => None,
    };
    match (case.approval, free) {
        (ApprovalPolicy::Untrusted, Some(_)) => Verdict::Ask(approved),
        (_, Some(yes)) => Verdict::Run(yes),
        (ApprovalPolicy::Granular(kinds), None)
            if (case.escalated || !case.enforceable) && !kinds.sandbox_approval =>
        {
            Verdict::Refuse(
                "running outside the sandbox needs an approval, and the approval policy does not \
                 allow to ask for one",
            )
        }
        (_, None) if case.escalated => Verdict::Ask(approved),
        (ApprovalPolicy::Never, None) if !case.enforceable => Verdict::Refuse(
            "no sandbox can be enforced here, so the command needs an approval, and the approval \
             policy is Never",
        ),
        (_, None) if !case.enforceable => Verdict::Ask(approved),
        (ApprovalPolicy::Untrusted, None) => Verdict::Ask(Yes::Sandbox),
        (_, None) => Verdict::Run(Yes::Sandbox),
    }
}

/// Rules on a command, asking people where that is needed.
pub(super) async fn rule(context: &CallContext, request: &Request) -> Ruling {
    let settings = &context.settings;
    let verdict = judge(Case {
        approval: settings.approval_policy,
        sandbox: &settings.sandbox_policy,
        escalated: request.escalated,
        enforceable: context.rooms.processes.sandbox_is_enforceable(),
    });
    let yes = match verdict {
        Verdict::Run(clearance) => return Ruling::Run { clearance, shown_since: None },
        Verdict::Refuse(why) => return Ruling::Refused(why.to_owned()),
        Verdict::Ask(yes) => yes,
    };
    let key = Approved {
        argv: request.argv.clone(),
        cwd: request.cwd.display().to_string(),
        escalated: request.escalated,
    };
    if context.rooms.memory.allows(&key) {
        return Ruling::Run { clearance: yes, shown_since: None };
    }
    ask(context, request, yes, key).await
}

async fn ask(context: &CallContext, request: &Request, yes: Yes, key: Approved) -> Ruling {
    let item = request.item(context, CommandStatus::InProgress);
    let started = context.speaker.started(TurnItem::CommandExecution(Box::new(item.clone())));
    let since = started.item.started_at_ms.unwrap_or_default();
    let question = QuestionKind::Command(Box::new(request.question(context)));
    let (id, asked) = context.ask_unsettled(question, About::Item(started)).await;
    let answer = match asked {
        Asked::Answered(answer) => answer,
        Asked::Cancelled(after) => return Ruling::Cancelled(after),
    };
    let run = Ruling::Run { clearance: yes, shown_since: Some(since) };
    match answer {
        AnswerMsg::Decision(CommandDecision::Accept) => settle(context, id, run).await,
        AnswerMsg::Decision(
            CommandDecision::AcceptForSession | CommandDecision::AcceptWithAmendment(_),
        ) => {
            context.rooms.memory.remember(key);
            settle(context, id, run).await
        }
        AnswerMsg::Decision(CommandDecision::Decline) => {
            let refusal = Refusal { status: CommandStatus::Declined, text: "rejected by user" };
            refuse(context, id, item, since, refusal).await
        }
        AnswerMsg::Decision(CommandDecision::Cancel) => {
            let refusal = Refusal { status: CommandStatus::Declined, text: "rejected by user" };
            let refused = refuse(context, id, item, since, refusal).await;
            context.cancel.cancel();
            refused
        }
        _ => {
            let refusal =
                Refusal { status: CommandStatus::Failed, text: "approval request failed" };
            refuse(context, id, item, since, refusal).await
        }
    }
}

async fn settle(context: &CallContext, question: QuestionId, ruling: Ruling) -> Ruling {
    context.speaker.report(ReportMsg::Settled { question, also: Vec::new() }).await;
    ruling
}

struct Refusal {
    status: CommandStatus,
    text: &'static str,
}

/// Tells that the command will not run: its item ends with the answer.
async fn refuse(
    context: &CallContext,
    question: QuestionId,
    mut item: CommandExecution,
    since: i64,
    refusal: Refusal,
) -> Ruling {
    use spindle_schema::event::EventMsg;
    item.status = refusal.status;
    let item = TurnItem::CommandExecution(Box::new(item));
    if let Err(error) = context.record_completed(&item, since).await {
        tracing::warn!(%error, "a refused command could not be recorded");
    }
    let also = vec![EventMsg::ItemCompleted(context.speaker.completed(item, since))];
    context.speaker.report(ReportMsg::Settled { question, also }).await;
    Ruling::Refused(rejected(refusal.text))
}

/// How the model is told that a command was not started.
pub(super) fn rejected(why: &str) -> String {
    format!("exec_command failed: CreateProcess {{ message: {:?} }}", format!("Rejected({why:?})"))
}

impl Request {
    /// The question to a person.
    fn question(&self, context: &CallContext) -> CommandQuestion {
        let amendment = self.prefix_rule.clone().or_else(|| self.words());
        let mut decisions = vec![CommandDecision::Accept];
        decisions.extend(amendment.clone().map(CommandDecision::AcceptWithAmendment));
        decisions.push(CommandDecision::Cancel);
        let item = self.item(context, CommandStatus::InProgress);
        CommandQuestion {
            command: self.display(),
            actions: item.parsed_cmd,
            cwd: self.cwd.display().to_string().into(),
            reason: self.justification.clone(),
            proposed_amendment: amendment,
            decisions,
        }
    }
}

#[cfg(test)]
mod tests;

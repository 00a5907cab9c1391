//! Says whether a command runs, is asked about, or never runs. Pure.

use spindle_schema::settings::{ApprovalPolicy, Granular};

use super::command::CommandLine;
use super::danger::{Danger, Grade};
use super::findings::{Findings, Restriction, amendment_of, outermost};
use super::rule::{Decision, Fit, Rules};

/// What holds a command once it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confinement {
    /// A sandbox holds it.
    Enforced,
    /// The user wants none.
    Unwanted,
    /// The user wants one, but the system has none to give.
    Unavailable,
}

/// Where the command is to run, by the model's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escalation {
    /// Where all commands run.
    No,
    /// Outside the sandbox.
    Asked,
}

/// The circumstances of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// When a person is asked.
    pub approval: ApprovalPolicy,
    /// What holds the command.
    pub confinement: Confinement,
    /// Whether it asks to leave the sandbox.
    pub escalation: Escalation,
}

/// What becomes of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Allow {
        /// Whether the user's rules let all of it out of the sandbox.
        bypass_sandbox: bool,
    },
    /// A person is asked first.
    Ask {
        /// Why; none when the policy asks about every command.
        reason: Option<String>,
        /// The words of a rule that would allow it from then on; none when a rule is what asks.
        proposed_amendment: Option<Vec<String>>,
    },
    /// It does not run.
    Forbid {
        /// Why, for the model.
        reason: String,
    },
}

/// Judges a command. The strictest finding wins: a forbidding rule, then an asking rule or a
/// danger, then the policy.
pub fn judge(rules: &Rules, command: &CommandLine, context: Context) -> Verdict {
    let findings = Findings::of(rules, command);
    if let Some(restriction) = findings.restriction {
        return restriction.verdict(command, context.approval);
    }
    if let Some((place, danger)) = findings.danger
        && let Some(verdict) = danger_verdict(command, place, danger, context)
    {
        return verdict;
    }
    if findings.allowed {
        return Verdict::Allow { bypass_sandbox: true };
    }
    let amendment = || Some(findings.amendment(command));
    let ask = || Verdict::Ask { reason: None, proposed_amendment: amendment() };
    if context.escalation == Escalation::Asked && context.confinement == Confinement::Enforced {
        if may_leave(context.approval) {
            return ask();
        }
        return Verdict::Forbid { reason: no_escalation(context.approval) };
    }
    match (context.approval, context.confinement) {
        (ApprovalPolicy::Untrusted, _) => ask(),
        (_, Confinement::Enforced | Confinement::Unwanted) => {
            Verdict::Allow { bypass_sandbox: false }
        }
        (_, Confinement::Unavailable) if findings.reads_only => {
            Verdict::Allow { bypass_sandbox: false }
        }
        (policy, Confinement::Unavailable) if may_leave(policy) => {
            Verdict::Ask { reason: Some(NO_SANDBOX.to_owned()), proposed_amendment: amendment() }
        }
        (_, Confinement::Unavailable) => Verdict::Forbid { reason: NO_SANDBOX.to_owned() },
    }
}

const NO_SANDBOX: &str = "the sandbox that is asked for cannot be enforced on this system";

/// Tells whether a person may be asked to let a command out of the sandbox.
fn may_leave(policy: ApprovalPolicy) -> bool {
    match policy {
        ApprovalPolicy::Untrusted | ApprovalPolicy::OnRequest => true,
        ApprovalPolicy::Never => false,
        ApprovalPolicy::Granular(granular) => granular.sandbox_approval,
    }
}

fn no_escalation(policy: ApprovalPolicy) -> String {
    let name = policy_name(policy);
    format!(
        "approval policy is {name}; reject command — you cannot ask for escalated permissions if \
         the approval policy is {name}"
    )
}

/// Returns the policy's name in texts for the model.
pub fn policy_name(policy: ApprovalPolicy) -> String {
    match policy {
        ApprovalPolicy::Untrusted => "UnlessTrusted".to_owned(),
        ApprovalPolicy::OnRequest => "OnRequest".to_owned(),
        ApprovalPolicy::Never => "Never".to_owned(),
        ApprovalPolicy::Granular(granular) => {
            let Granular { sandbox_approval, rules, skill_approval, .. } = granular;
            let Granular { request_permissions, mcp_elicitations, .. } = granular;
            format!(
                "Granular(GranularApprovalConfig {{ sandbox_approval: {sandbox_approval}, rules: \
                 {rules}, skill_approval: {skill_approval}, request_permissions: \
                 {request_permissions}, mcp_elicitations: {mcp_elicitations} }})"
            )
        }
    }
}

/// What a danger comes to; none when it weighs nothing here.
fn danger_verdict(
    command: &CommandLine,
    place: usize,
    danger: Danger,
    context: Context,
) -> Option<Verdict> {
    let held = context.confinement == Confinement::Enforced && context.escalation == Escalation::No;
    let matters = match danger.grade {
        Grade::Destroys | Grade::Risks => true,
        Grade::DestroysMachine | Grade::Reaches => !held,
    };
    if !matters {
        return None;
    }
    let display = command.display();
    if may_leave(context.approval) {
        let outermost = outermost(command, place);
        return Some(Verdict::Ask {
            reason: Some(format!("`{display}` requires approval: {}", danger.reason())),
            proposed_amendment: Some(amendment_of(command, outermost)),
        });
    }
    let refused = matches!(danger.grade, Grade::Destroys | Grade::DestroysMachine);
    refused
        .then(|| Verdict::Forbid { reason: format!("`{display}` rejected: {}", danger.refusal()) })
}

impl Restriction<'_> {
    fn verdict(&self, command: &CommandLine, policy: ApprovalPolicy) -> Verdict {
        let display = command.display();
        if self.decision() == Decision::Forbidden {
            let why = self.rule.and_then(|rule| rule.justification.clone());
            let why = why.unwrap_or_else(|| {
                format!("policy forbids commands starting with `{}`", self.matched)
            });
            return Verdict::Forbid { reason: format!("`{display}` rejected: {why}") };
        }
        let refused = match policy {
            ApprovalPolicy::Never => {
                Some("approval required by policy, but AskForApproval is set to Never")
            }
            ApprovalPolicy::Granular(granular) if !granular.rules => Some(
                "approval required by policy rule, but AskForApproval::Granular.rules is false",
            ),
            _ => None,
        };
        match refused {
            Some(reason) => Verdict::Forbid { reason: reason.to_owned() },
            None => {
                Verdict::Ask { reason: Some(self.question(&display)), proposed_amendment: None }
            }
        }
    }

    fn question(&self, display: &str) -> String {
        match (self.rule, self.fit) {
            (Some(rule), Fit::Yes) => match &rule.justification {
                Some(why) => format!("`{display}` requires approval: {why}"),
                None => format!("`{display}` requires approval by policy"),
            },
            (Some(rule), _) => {
                let does = match rule.decision {
                    Decision::Forbidden => "forbids",
                    _ => "asks about",
                };
                let matched = &self.matched;
                format!(
                    "`{display}` requires approval: it may run `{matched}`, which a rule {does}"
                )
            }
            (None, _) => format!(
                "`{display}` requires approval: a part of it cannot be read, and rules forbid or \
                 ask about some commands"
            ),
        }
    }
}

#[cfg(test)]
mod tests;

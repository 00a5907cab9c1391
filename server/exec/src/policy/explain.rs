//! Shows how a verdict came about, for `spindle execpolicy check`.

use std::fmt;

use serde::Serialize;

use super::command::{CommandLine, join};
use super::danger::{danger_of, danger_of_each};
use super::judge::{Confinement, Context, Escalation, Verdict, judge, policy_name};
use super::rule::{Decision, Fit, PrefixRule, Rules};
use super::safe::is_read_only;
use super::word::Word;

/// A verdict with everything that led to it. Shown, it is a few lines of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The command line.
    pub command: String,
    /// The strictest decision of a rule that fits; none when none does.
    pub decision: Option<Decision>,
    /// Every command that was found, outermost first.
    pub commands: Vec<Part>,
    /// Whether those are exactly what runs.
    pub plain: bool,
    /// Whether something may run that is not among them.
    pub hidden: bool,
    /// What becomes of it: `allow`, `ask` or `forbid`.
    pub verdict: &'static str,
    /// Why.
    pub reason: String,
}

/// One command of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Its words.
    pub command: String,
    /// How many commands are around it.
    pub level: usize,
    /// The rules that fit it.
    pub matched_rules: Vec<RuleMatch>,
    /// Why it is dangerous.
    pub danger: Option<String>,
    /// Whether it is known to read only.
    pub read_only: bool,
}

/// A rule that fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleMatch {
    /// The rule's words; alternatives with bars between.
    pub pattern: String,
    /// What it says.
    pub decision: Decision,
    /// Whether it fits for sure, or only may.
    pub certain: bool,
    /// Where it stands, as `FILE:LINE`.
    pub origin: String,
    /// Why it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub justification: Option<String>,
}

/// Judges a command and tells how.
pub fn explain(rules: &Rules, command: &CommandLine, context: Context) -> Explanation {
    let part = |found: &super::command::Found| {
        let each = || {
            let runner = command.found.get(found.runner?)?;
            danger_of_each(&runner.words, &found.words)
        };
        let words: Vec<&str> = found.words.iter().map(|word| word.text.as_str()).collect();
        Part {
            command: join(&words),
            level: found.level,
            matched_rules: matches(rules, &found.words),
            danger: danger_of(&found.words).or_else(each).map(|danger| danger.reason()),
            read_only: is_read_only(&found.words),
        }
    };
    let commands: Vec<Part> = command.found.iter().map(part).collect();
    let fitting = commands.iter().flat_map(|part| &part.matched_rules);
    let decision = fitting.filter(|rule| rule.certain).map(|rule| rule.decision).max();
    let (verdict, reason) = match judge(rules, command, context) {
        Verdict::Allow { bypass_sandbox: true } => {
            ("allow", "rules allow it without a sandbox".to_owned())
        }
        Verdict::Allow { bypass_sandbox: false } => ("allow", unasked(context).to_owned()),
        Verdict::Ask { reason, .. } => ("ask", reason.unwrap_or_else(|| asked(context))),
        Verdict::Forbid { reason } => ("forbid", reason),
    };
    Explanation {
        command: command.display(),
        decision,
        commands,
        plain: command.plain,
        hidden: command.hidden,
        verdict,
        reason,
    }
}

/// Why a command that no rule speaks of runs without a question.
fn unasked(context: Context) -> &'static str {
    match context.confinement {
        Confinement::Enforced => "the sandbox holds it",
        Confinement::Unwanted => "no sandbox is wanted",
        Confinement::Unavailable => "it only reads",
    }
}

/// Why a person is asked about a command that no rule speaks of.
fn asked(context: Context) -> String {
    match context.escalation {
        Escalation::Asked => "it asks to leave the sandbox".to_owned(),
        Escalation::No => {
            let policy = policy_name(context.approval);
            format!("the approval policy {policy} asks about what no rule allows")
        }
    }
}

fn matches(rules: &Rules, words: &[Word]) -> Vec<RuleMatch> {
    let fitting = rules.prefix.iter().filter_map(|rule| match rules.fit(rule, words) {
        Fit::No => None,
        // That an allowing rule may fit allows nothing.
        Fit::Maybe if rule.decision == Decision::Allow => None,
        fit => Some(rule_match(rule, fit)),
    });
    fitting.collect()
}

fn rule_match(rule: &PrefixRule, fit: Fit) -> RuleMatch {
    let words: Vec<String> = rule.pattern.iter().map(|element| element.join("|")).collect();
    RuleMatch {
        pattern: words.join(" "),
        decision: rule.decision,
        certain: fit == Fit::Yes,
        origin: rule.origin.to_string(),
        justification: rule.justification.clone(),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "command: {}", self.command)?;
        for part in &self.commands {
            writeln!(f, "{}runs: {}", "  ".repeat(part.level + 1), part.command)?;
            let indent = "  ".repeat(part.level + 2);
            for rule in &part.matched_rules {
                let may = if rule.certain { "" } else { ", may fit" };
                let decision = rule.decision.as_str();
                writeln!(f, "{indent}rule {decision} `{}` ({}{may})", rule.pattern, rule.origin)?;
            }
            if let Some(danger) = &part.danger {
                writeln!(f, "{indent}dangerous: {danger}")?;
            }
            if part.read_only {
                writeln!(f, "{indent}only reads")?;
            }
        }
        if self.hidden {
            writeln!(f, "  a part of it cannot be read")?;
        } else if !self.plain {
            writeln!(f, "  more than plain commands: rules cannot lift the sandbox for it")?;
        }
        writeln!(f, "verdict: {}: {}", self.verdict, self.reason)
    }
}

#[cfg(test)]
mod tests;

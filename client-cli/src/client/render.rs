//! Entries of a turn as lines for people.

use std::fmt::Write;

use spindle_schema::v2::{
    CommandExecutionItem, CommandExecutionStatus, FileChangeItem, McpToolCallItem,
    McpToolCallStatus, PatchApplyStatus, PatchChangeKind, ThreadItem, ThreadItemBody, TurnPlanStep,
    TurnPlanStepStatus, UserInput,
};

/// How much of a command's output is shown. Lines, from the end.
const OUTPUT_LINES: usize = 40;

/// An entry as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Whose it is: one word, such as `you`, `agent`, `run`, `edit`.
    pub(crate) who: &'static str,
    /// What it says or does.
    pub(crate) text: String,
    /// What came of it; empty when there is nothing to tell, or not yet.
    pub(crate) result: String,
}

impl Shown {
    fn new(who: &'static str, text: impl Into<String>) -> Self {
        Self { who, text: text.into(), result: String::new() }
    }

    fn with_result(who: &'static str, text: impl Into<String>, result: String) -> Self {
        Self { who, text: text.into(), result }
    }

    /// Both parts, for readers who have not seen the first one.
    pub(crate) fn whole(&self) -> String {
        if self.result.is_empty() {
            self.text.clone()
        } else {
            format!("{}\n{}", self.text, self.result)
        }
    }
}

/// Shows an entry. Nothing for entries that say nothing to a person.
pub(crate) fn render_item(item: &ThreadItem) -> Option<Shown> {
    let shown = match &item.body {
        ThreadItemBody::UserMessage(message) => Shown::new("you", user_text(&message.content)),
        ThreadItemBody::AgentMessage(message) => Shown::new("agent", message.text.trim_end()),
        ThreadItemBody::Plan(plan) => Shown::new("plan", plan.text.trim_end()),
        ThreadItemBody::Reasoning(reasoning) => {
            Shown::new("think", reasoning.summary.join("\n").trim_end())
        }
        ThreadItemBody::CommandExecution(command) => {
            Shown::with_result("run", command.command.as_str(), command_result(command))
        }
        ThreadItemBody::FileChange(change) => {
            Shown::with_result("edit", changed_files(change), change_result(change))
        }
        ThreadItemBody::McpToolCall(call) => {
            let name = format!("{}.{}", call.server, call.tool);
            Shown::with_result("tool", name, tool_result(call))
        }
        ThreadItemBody::DynamicToolCall(call) => Shown::new("tool", call.tool.as_str()),
        ThreadItemBody::WebSearch(search) => Shown::new("search", search.query.as_str()),
        ThreadItemBody::ImageView(view) => Shown::new("look", view.path.0.as_str()),
        ThreadItemBody::CollabAgentToolCall(call) => {
            Shown::new("agents", call.prompt.as_deref().unwrap_or_default())
        }
        ThreadItemBody::EnteredReviewMode(review) => Shown::new("review", review.review.as_str()),
        ThreadItemBody::ExitedReviewMode(review) => Shown::new("review", review.review.as_str()),
        ThreadItemBody::ContextCompaction(_) => Shown::new("note", "the history was summarised"),
        ThreadItemBody::FunctionCallOutput(output) => Shown::new("tool", output.name.as_str()),
        ThreadItemBody::HookPrompt(_)
        | ThreadItemBody::SubAgentActivity(_)
        | ThreadItemBody::Sleep(_)
        | ThreadItemBody::ImageGeneration(_) => return None,
    };
    (!shown.text.is_empty()).then_some(shown)
}

/// The daemon's id of an entry.
pub(crate) fn item_id(item: &ThreadItem) -> &str {
    match &item.body {
        ThreadItemBody::UserMessage(item) => &item.id,
        ThreadItemBody::HookPrompt(item) => &item.id,
        ThreadItemBody::AgentMessage(item) => &item.id,
        ThreadItemBody::FunctionCallOutput(item) => &item.id,
        ThreadItemBody::Plan(item) => &item.id,
        ThreadItemBody::Reasoning(item) => &item.id,
        ThreadItemBody::CommandExecution(item) => &item.id,
        ThreadItemBody::FileChange(item) => &item.id,
        ThreadItemBody::McpToolCall(item) => &item.id,
        ThreadItemBody::DynamicToolCall(item) => &item.id,
        ThreadItemBody::CollabAgentToolCall(item) => &item.id,
        ThreadItemBody::SubAgentActivity(item) => &item.id,
        ThreadItemBody::WebSearch(item) => &item.id,
        ThreadItemBody::ImageView(item) => &item.id,
        ThreadItemBody::Sleep(item) => &item.id,
        ThreadItemBody::ImageGeneration(item) => &item.id,
        ThreadItemBody::EnteredReviewMode(item) => &item.id,
        ThreadItemBody::ExitedReviewMode(item) => &item.id,
        ThreadItemBody::ContextCompaction(item) => &item.id,
    }
}

/// A plan, a line for each step.
pub(crate) fn render_plan(plan: &[TurnPlanStep]) -> String {
    let line = |step: &TurnPlanStep| match step.status {
        TurnPlanStepStatus::Completed => format!("[x] {}", step.step),
        TurnPlanStepStatus::InProgress => format!("[>] {}", step.step),
        TurnPlanStepStatus::Pending => format!("[ ] {}", step.step),
    };
    plan.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The words of an input; pictures and the like as `[image: …]`.
pub(crate) fn user_text(content: &[UserInput]) -> String {
    let parts: Vec<String> = content
        .iter()
        .map(|part| match part {
            UserInput::Text { text, .. } => text.clone(),
            UserInput::Image { .. } => "[image]".to_owned(),
            UserInput::LocalImage { path, .. } => format!("[image: {path}]"),
            UserInput::Audio { .. } => "[audio]".to_owned(),
            UserInput::LocalAudio { path } => format!("[audio: {path}]"),
            UserInput::Skill { name, .. } => format!("[skill: {name}]"),
            UserInput::Mention { name, .. } => format!("[@{name}]"),
        })
        .collect();
    parts.join("\n")
}

fn command_result(command: &CommandExecutionItem) -> String {
    let mut text = match (command.status, command.exit_code) {
        (CommandExecutionStatus::InProgress, _) => return String::new(),
        (CommandExecutionStatus::Declined, _) => "-> declined".to_owned(),
        (CommandExecutionStatus::Completed, None) | (_, Some(0)) => "-> ok".to_owned(),
        (_, Some(code)) => format!("-> exit code {code}"),
        (CommandExecutionStatus::Failed, None) => "-> failed".to_owned(),
    };
    if let Some(duration) = command.duration_ms.filter(|ms| *ms >= 1000) {
        let _ = write!(text, " after {:.1} s", duration as f64 / 1000.0);
    }
    let output = command.aggregated_output.as_deref().unwrap_or_default().trim_end();
    if !output.is_empty() {
        text.push('\n');
        text.push_str(&tail(output));
    }
    text
}

/// The last lines of an output, and how many were left out.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    match lines.len().checked_sub(OUTPUT_LINES) {
        Some(left_out) if left_out > 0 => {
            format!("… {left_out} lines left out\n{}", lines[left_out..].join("\n"))
        }
        _ => output.to_owned(),
    }
}

fn changed_files(change: &FileChangeItem) -> String {
    let files: Vec<String> = change
        .changes
        .iter()
        .map(|file| match &file.kind {
            PatchChangeKind::Add => format!("add {}", file.path),
            PatchChangeKind::Delete => format!("delete {}", file.path),
            PatchChangeKind::Update { move_path: None } => format!("update {}", file.path),
            PatchChangeKind::Update { move_path: Some(to) } => {
                format!("move {} to {to}", file.path)
            }
        })
        .collect();
    files.join("\n")
}

fn change_result(change: &FileChangeItem) -> String {
    match change.status {
        PatchApplyStatus::InProgress => String::new(),
        PatchApplyStatus::Completed => "-> ok".to_owned(),
        PatchApplyStatus::Failed => "-> failed".to_owned(),
        PatchApplyStatus::Declined => "-> declined".to_owned(),
    }
}

fn tool_result(call: &McpToolCallItem) -> String {
    match (call.status, &call.error) {
        (McpToolCallStatus::InProgress, _) => String::new(),
        (McpToolCallStatus::Completed, _) => "-> ok".to_owned(),
        (McpToolCallStatus::Failed, Some(error)) => format!("-> {}", error.message),
        (McpToolCallStatus::Failed, None) => "-> failed".to_owned(),
    }
}

#[cfg(test)]
mod tests;

//! The JSON events of `exec --json`.
//!
//! Shape, one object a line:
//! `{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"…"}}`.
//! Programs that start `exec` rely on names, order and null members as they are here.

use serde::Serialize;
use serde_json::Value;
use spindle_schema::v2::{
    CommandExecutionStatus, FileUpdateChange, McpToolCallStatus, PatchApplyStatus, PatchChangeKind,
    ThreadItem, ThreadItemBody, TokenUsageBreakdown, TurnPlanStep, TurnPlanStepStatus,
};

/// One line on stdout.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type")]
pub(crate) enum Event {
    /// Always the first.
    #[serde(rename = "thread.started")]
    ThreadStarted {
        /// For `exec resume`.
        thread_id: String,
    },
    /// The prompt is on its way.
    #[serde(rename = "turn.started")]
    TurnStarted,
    /// The last one when all went well.
    #[serde(rename = "turn.completed")]
    TurnCompleted {
        /// What the thread has used so far.
        usage: Usage,
    },
    /// The last one otherwise.
    #[serde(rename = "turn.failed")]
    TurnFailed {
        /// Why.
        error: Failure,
    },
    /// An item that takes time has begun.
    #[serde(rename = "item.started")]
    ItemStarted {
        /// The item.
        item: Item,
    },
    /// An item has changed.
    #[serde(rename = "item.updated")]
    ItemUpdated {
        /// The item.
        item: Item,
    },
    /// An item is whole.
    #[serde(rename = "item.completed")]
    ItemCompleted {
        /// The item.
        item: Item,
    },
    /// The turn is in trouble; it may go on.
    #[serde(rename = "error")]
    Error {
        /// For a person.
        message: String,
    },
}

/// Why a turn failed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Failure {
    /// For a person.
    pub(crate) message: String,
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names are the protocol's own")]
pub(crate) struct Usage {
    input_tokens: i64,
    cached_input_tokens: i64,
    cache_write_input_tokens: i64,
    output_tokens: i64,
    reasoning_output_tokens: i64,
}

impl From<&TokenUsageBreakdown> for Usage {
    fn from(usage: &TokenUsageBreakdown) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            cached_input_tokens: usage.cached_input_tokens,
            cache_write_input_tokens: usage.cache_write_input_tokens,
            output_tokens: usage.output_tokens,
            reasoning_output_tokens: usage.reasoning_output_tokens,
        }
    }
}

impl Usage {
    /// Tokens that had to be worked on: input that was not cached, and output.
    pub(crate) fn worked(&self) -> i64 {
        self.input_tokens - self.cached_input_tokens + self.output_tokens
    }
}

/// One entry of the turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Item {
    /// `item_N`, counted over the process.
    pub(crate) id: String,
    /// What it is.
    #[serde(flatten)]
    pub(crate) body: ItemBody,
}

/// What an entry says, by kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ItemBody {
    AgentMessage {
        text: String,
    },
    Reasoning {
        text: String,
    },
    CommandExecution {
        command: String,
        aggregated_output: String,
        exit_code: Option<i32>,
        status: &'static str,
    },
    FileChange {
        changes: Vec<Change>,
        status: &'static str,
    },
    McpToolCall {
        server: String,
        tool: String,
        arguments: Value,
        result: Option<McpResult>,
        error: Option<Failure>,
        status: &'static str,
    },
    WebSearch {
        query: String,
    },
    TodoList {
        items: Vec<Todo>,
    },
    Error {
        message: String,
    },
}

/// One file of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    path: String,
    kind: &'static str,
}

/// What a tool server answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct McpResult {
    content: Vec<Value>,
    structured_content: Option<Value>,
}

/// One step of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Todo {
    text: String,
    completed: bool,
}

/// Whether an entry is worth an `item.started`: only those that take time.
pub(crate) fn has_start(body: &ItemBody) -> bool {
    matches!(
        body,
        ItemBody::CommandExecution { .. }
            | ItemBody::FileChange { .. }
            | ItemBody::McpToolCall { .. }
            | ItemBody::WebSearch { .. }
    )
}

/// The entry as this stream shows it; nothing for entries that it does not know.
pub(crate) fn body_of(item: &ThreadItem) -> Option<ItemBody> {
    Some(match &item.body {
        ThreadItemBody::AgentMessage(message) => {
            ItemBody::AgentMessage { text: message.text.clone() }
        }
        ThreadItemBody::Reasoning(reasoning) => {
            let text = reasoning.summary.join("\n");
            if text.trim().is_empty() {
                return None;
            }
            ItemBody::Reasoning { text }
        }
        ThreadItemBody::CommandExecution(command) => ItemBody::CommandExecution {
            command: command.command.clone(),
            aggregated_output: command.aggregated_output.clone().unwrap_or_default(),
            exit_code: command.exit_code,
            status: command_status(command.status),
        },
        ThreadItemBody::FileChange(change) => ItemBody::FileChange {
            changes: change.changes.iter().map(file).collect(),
            status: patch_status(change.status),
        },
        ThreadItemBody::McpToolCall(call) => ItemBody::McpToolCall {
            server: call.server.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            result: call.result.as_ref().map(|result| McpResult {
                content: result.content.clone(),
                structured_content: result.structured_content.clone(),
            }),
            error: call.error.as_ref().map(|error| Failure { message: error.message.clone() }),
            status: tool_status(call.status),
        },
        ThreadItemBody::WebSearch(search) => ItemBody::WebSearch { query: search.query.clone() },
        _ => return None,
    })
}

/// The list of steps as an entry.
pub(crate) fn todo_list(plan: &[TurnPlanStep]) -> ItemBody {
    let items = plan
        .iter()
        .map(|step| Todo {
            text: step.step.clone(),
            completed: step.status == TurnPlanStepStatus::Completed,
        })
        .collect();
    ItemBody::TodoList { items }
}

fn command_status(status: CommandExecutionStatus) -> &'static str {
    match status {
        CommandExecutionStatus::InProgress => "in_progress",
        CommandExecutionStatus::Completed => "completed",
        CommandExecutionStatus::Failed => "failed",
        CommandExecutionStatus::Declined => "declined",
    }
}

fn patch_status(status: PatchApplyStatus) -> &'static str {
    match status {
        PatchApplyStatus::InProgress => "in_progress",
        PatchApplyStatus::Completed => "completed",
        // Readers know two ends of a change only.
        PatchApplyStatus::Failed | PatchApplyStatus::Declined => "failed",
    }
}

fn tool_status(status: McpToolCallStatus) -> &'static str {
    match status {
        McpToolCallStatus::InProgress => "in_progress",
        McpToolCallStatus::Completed => "completed",
        McpToolCallStatus::Failed => "failed",
    }
}

fn file(change: &FileUpdateChange) -> Change {
    let kind = match change.kind {
        PatchChangeKind::Add => "add",
        PatchChangeKind::Delete => "delete",
        PatchChangeKind::Update { .. } => "update",
    };
    Change { path: change.path.clone(), kind }
}

#[cfg(test)]
mod tests;

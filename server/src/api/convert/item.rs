//! Entries of a turn.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use spindle_schema::event::TimedItem;
use spindle_schema::item::{
    self as core, CommandSource, CommandStatus, DynamicToolStatus, FileUpdate, ParsedCommand,
    TurnItem,
};
use spindle_schema::model::{OutputBody, Phase};
use spindle_schema::v2::{
    AgentMessageItem, CommandAction, CommandExecutionItem, CommandExecutionSource,
    CommandExecutionStatus, ContextCompactionItem, DynamicToolCallItem, DynamicToolCallStatus,
    FileChangeItem, FileUpdateChange, FunctionCallOutputItem, ImageViewItem, MessagePhase,
    PatchApplyStatus, PatchChangeKind, PlanItem, ReasoningItem, ThreadItem, ThreadItemBody,
    UserMessageItem, WebSearchAction, WebSearchItem,
};

use super::{input, path};

/// An entry with its times. `None` for a kind that clients cannot be shown.
pub(in crate::api) fn of(timed: &TimedItem) -> Option<ThreadItem> {
    Some(ThreadItem {
        body: body(&timed.item)?,
        started_at_ms: timed.started_at_ms,
        completed_at_ms: timed.completed_at_ms,
    })
}

fn body(item: &TurnItem) -> Option<ThreadItemBody> {
    Some(match item {
        TurnItem::UserMessage(message) => ThreadItemBody::UserMessage(Box::new(user(message))),
        TurnItem::AgentMessage(message) => ThreadItemBody::AgentMessage(Box::new(agent(message))),
        TurnItem::Reasoning(reasoning) => ThreadItemBody::Reasoning(Box::new(ReasoningItem {
            id: reasoning.id.to_string(),
            content: reasoning.raw_content.clone(),
            summary: reasoning.summary_text.clone(),
        })),
        TurnItem::CommandExecution(command) => {
            ThreadItemBody::CommandExecution(Box::new(command_execution(command)))
        }
        TurnItem::FileChange(change) => ThreadItemBody::FileChange(Box::new(file_change(change))),
        TurnItem::ImageView(image) => ThreadItemBody::ImageView(ImageViewItem {
            id: image.id.to_string(),
            path: path::of_url(&image.path).into(),
        }),
        TurnItem::DynamicToolCall(call) => {
            ThreadItemBody::DynamicToolCall(Box::new(dynamic_tool(call)))
        }
        TurnItem::WebSearch(search) => ThreadItemBody::WebSearch(Box::new(web_search(search))),
        TurnItem::Plan(plan) => {
            ThreadItemBody::Plan(PlanItem { id: plan.id.to_string(), text: plan.text.clone() })
        }
        TurnItem::ContextCompaction(mark) => {
            ThreadItemBody::ContextCompaction(ContextCompactionItem { id: mark.id.to_string() })
        }
        TurnItem::FunctionCallOutput(text) => {
            ThreadItemBody::FunctionCallOutput(Box::new(tool_text(text)?))
        }
        TurnItem::Other(members) => other(members)?,
    })
}

fn user(message: &core::UserMessage) -> UserMessageItem {
    UserMessageItem {
        id: message.id.to_string(),
        client_id: message.client_id.as_deref().map(str::to_owned),
        content: message.content.iter().filter_map(input::to_wire).collect(),
    }
}

fn agent(message: &core::AgentMessage) -> AgentMessageItem {
    AgentMessageItem {
        moderation: None,
        id: message.id.to_string(),
        text: message.text(),
        phase: message.phase.map(|phase| match phase {
            Phase::Commentary => MessagePhase::Commentary,
            Phase::FinalAnswer => MessagePhase::FinalAnswer,
        }),
        memory_citation: None,
        delivery: None,
        questions: None,
    }
}

fn command_execution(command: &core::CommandExecution) -> CommandExecutionItem {
    CommandExecutionItem {
        id: command.id.to_string(),
        plugin_id: None,
        script_path: None,
        command: command_line(&command.command),
        cwd: path::of_url(&command.cwd).into(),
        process_id: command.process_id.as_deref().map(str::to_owned),
        source: source(command.source),
        status: command_status(command.status),
        command_actions: actions(&command.parsed_cmd),
        // An empty output is told as none, as the protocol's other servers do.
        aggregated_output: command.aggregated_output.clone().filter(|output| !output.is_empty()),
        exit_code: command.exit_code,
        duration_ms: command.duration.map(core::WireDuration::as_millis),
    }
}

/// A command as a person would type it.
fn command_line(words: &[String]) -> String {
    let words = words.iter().map(String::as_str);
    shlex::try_join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

fn source(source: CommandSource) -> CommandExecutionSource {
    match source {
        CommandSource::Agent => CommandExecutionSource::Agent,
        CommandSource::UserShell => CommandExecutionSource::UserShell,
        CommandSource::UnifiedExecStartup => CommandExecutionSource::UnifiedExecStartup,
        CommandSource::UnifiedExecInteraction => CommandExecutionSource::UnifiedExecInteraction,
    }
}

fn command_status(status: CommandStatus) -> CommandExecutionStatus {
    match status {
        CommandStatus::InProgress => CommandExecutionStatus::InProgress,
        CommandStatus::Completed => CommandExecutionStatus::Completed,
        CommandStatus::Failed => CommandExecutionStatus::Failed,
        CommandStatus::Declined => CommandExecutionStatus::Declined,
    }
}

/// What the simple commands of a script do.
pub(in crate::api) fn actions(commands: &[ParsedCommand]) -> Vec<CommandAction> {
    let action = |command: &ParsedCommand| match command.clone() {
        ParsedCommand::Read { cmd, name, path } => {
            CommandAction::Read { name, command: cmd, path: path.into() }
        }
        ParsedCommand::ListFiles { cmd, path } => CommandAction::ListFiles { command: cmd, path },
        ParsedCommand::Search { cmd, query, path } => {
            CommandAction::Search { command: cmd, path, query }
        }
        ParsedCommand::Unknown { cmd } => CommandAction::Unknown { command: cmd },
    };
    commands.iter().map(action).collect()
}

fn file_change(change: &core::FileChange) -> FileChangeItem {
    FileChangeItem {
        id: change.id.to_string(),
        changes: change.changes.iter().map(|(path, update)| file_update(path, update)).collect(),
        status: match change.status {
            None | Some(CommandStatus::InProgress) => PatchApplyStatus::InProgress,
            Some(CommandStatus::Completed) => PatchApplyStatus::Completed,
            Some(CommandStatus::Failed) => PatchApplyStatus::Failed,
            Some(CommandStatus::Declined) => PatchApplyStatus::Declined,
        },
    }
}

/// What happens to one file.
pub(in crate::api) fn file_update(path: &str, update: &FileUpdate) -> FileUpdateChange {
    let (diff, kind) = match update.clone() {
        FileUpdate::Add { content } => (content, PatchChangeKind::Add),
        FileUpdate::Delete { content } => (content, PatchChangeKind::Delete),
        FileUpdate::Update { unified_diff, move_path } => {
            (unified_diff, PatchChangeKind::Update { move_path })
        }
    };
    FileUpdateChange { diff, kind, path: path.to_owned() }
}

fn dynamic_tool(call: &core::DynamicToolCall) -> DynamicToolCallItem {
    let items = |items: &Vec<Value>| items.iter().filter_map(|item| read(item.clone())).collect();
    DynamicToolCallItem {
        id: call.id.to_string(),
        arguments: call.arguments.clone(),
        status: match call.status {
            DynamicToolStatus::InProgress => DynamicToolCallStatus::InProgress,
            DynamicToolStatus::Completed => DynamicToolCallStatus::Completed,
            DynamicToolStatus::Failed => DynamicToolCallStatus::Failed,
        },
        tool: call.tool.to_string(),
        content_items: call.content_items.as_ref().map(items),
        duration_ms: call.duration.map(core::WireDuration::as_millis),
        namespace: call.namespace.as_deref().map(str::to_owned),
        success: call.success,
    }
}

fn web_search(search: &core::WebSearch) -> WebSearchItem {
    WebSearchItem {
        id: search.id.to_string(),
        query: search.query.clone(),
        action: Some(search_action(&search.action)),
        results: None,
    }
}

/// The provider's own object, whose kinds are in snake case.
fn search_action(action: &Value) -> WebSearchAction {
    let text = |name: &str| action.get(name).and_then(Value::as_str).map(str::to_owned);
    let queries = action.get("queries").and_then(|queries| read(queries.clone()));
    match action.get("type").and_then(Value::as_str) {
        Some("search") => WebSearchAction::Search { queries, query: text("query") },
        Some("open_page") => WebSearchAction::OpenPage { url: text("url") },
        Some("find_in_page") => {
            WebSearchAction::FindInPage { pattern: text("pattern"), url: text("url") }
        }
        _ => WebSearchAction::Other,
    }
}

fn tool_text(text: &core::ToolText) -> Option<FunctionCallOutputItem> {
    let output = match &text.output {
        OutputBody::Text(text) => Value::String(text.clone()),
        OutputBody::Parts(parts) => serde_json::to_value(parts).ok()?,
    };
    Some(FunctionCallOutputItem {
        id: text.id.to_string(),
        name: text.name.clone(),
        output: read(output)?,
        namespace: text.namespace.clone(),
    })
}

/// A kind that the engine keeps as it came: known to the protocol, or not shown.
///
/// Rollouts write names in snake case and the kind in capitals; the protocol's are camel case.
fn other(members: &Map<String, Value>) -> Option<ThreadItemBody> {
    let mut wire = Map::new();
    for (name, value) in members {
        wire.insert(camel(name), value.clone());
    }
    let kind = members.get("type")?.as_str()?;
    wire.insert("type".to_owned(), Value::String(uncapitalized(kind)));
    read(Value::Object(wire))
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        text + &head.to_ascii_uppercase() + tail
    })
}

fn uncapitalized(name: &str) -> String {
    let mut name = name.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    name
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

//! Questions of the daemon that a person at a terminal can answer.

use std::collections::BTreeMap;

use serde_json::Value;
use spindle_schema::ids::RequestId;
use spindle_schema::methods::ServerRequest;
use spindle_schema::v2::{
    CommandExecutionApprovalDecision as Command, CommandExecutionRequestApprovalResponse,
    FileChangeApprovalDecision as FileChange, FileChangeRequestApprovalResponse,
    GrantedPermissionProfile, PermissionGrantScope, PermissionsRequestApprovalParams,
    PermissionsRequestApprovalResponse, ToolRequestUserInputAnswer, ToolRequestUserInputParams,
    ToolRequestUserInputResponse,
};

/// A question that waits.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// Its id.
    pub(crate) id: RequestId,
    /// What is asked.
    pub(crate) request: ServerRequest,
}

/// What a person says to an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Yes.
    Yes,
    /// No; the turn goes on.
    No,
    /// Yes, and do not ask again in this session.
    Session,
    /// No, and end the turn.
    Cancel,
}

impl Verdict {
    /// Reads `y`, `n`, `s` or `c`, or the whole word.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => Some(Self::Yes),
            "n" | "no" => Some(Self::No),
            "s" | "session" => Some(Self::Session),
            "c" | "cancel" => Some(Self::Cancel),
            _ => None,
        }
    }
}

impl Question {
    /// Whether this client shows it and takes an answer. The others are left to the frontend
    /// whose tools they are about.
    pub(crate) fn is_for_people(&self) -> bool {
        matches!(
            self.request,
            ServerRequest::ItemCommandExecutionRequestApproval(_)
                | ServerRequest::ItemFileChangeRequestApproval(_)
                | ServerRequest::ItemPermissionsRequestApproval(_)
                | ServerRequest::ItemToolRequestUserInput(_)
        )
    }

    /// The question in words, and what may be typed.
    pub(crate) fn text(&self) -> String {
        match &self.request {
            ServerRequest::ItemCommandExecutionRequestApproval(params) => {
                let command = params.command.as_deref().unwrap_or("(no command)");
                let place =
                    params.cwd.as_ref().map(|cwd| format!("\nin {}", cwd.0)).unwrap_or_default();
                with_reason(&format!("run {command}{place}"), params.reason.as_deref())
            }
            ServerRequest::ItemFileChangeRequestApproval(params) => {
                with_reason("change these files", params.reason.as_deref())
            }
            ServerRequest::ItemPermissionsRequestApproval(params) => {
                let wanted = serde_json::to_string(&params.permissions).unwrap_or_default();
                with_reason(&format!("more permissions: {wanted}"), params.reason.as_deref())
            }
            ServerRequest::ItemToolRequestUserInput(params) => input_text(params),
            other => other.method().to_owned(),
        }
    }

    /// The answer that a typed line gives; nothing when the line is none.
    pub(crate) fn answer(&self, line: &str) -> Option<Value> {
        let verdict = Verdict::parse(line);
        let answer = match &self.request {
            ServerRequest::ItemCommandExecutionRequestApproval(_) => {
                let decision = match verdict? {
                    Verdict::Yes => Command::Accept,
                    Verdict::No => Command::Decline,
                    Verdict::Session => Command::AcceptForSession,
                    Verdict::Cancel => Command::Cancel,
                };
                serde_json::to_value(CommandExecutionRequestApprovalResponse { decision })
            }
            ServerRequest::ItemFileChangeRequestApproval(_) => {
                let decision = match verdict? {
                    Verdict::Yes => FileChange::Accept,
                    Verdict::No => FileChange::Decline,
                    Verdict::Session => FileChange::AcceptForSession,
                    Verdict::Cancel => FileChange::Cancel,
                };
                serde_json::to_value(FileChangeRequestApprovalResponse { decision })
            }
            ServerRequest::ItemPermissionsRequestApproval(params) => {
                serde_json::to_value(grant(params, verdict?))
            }
            ServerRequest::ItemToolRequestUserInput(params) => {
                serde_json::to_value(input_answer(params, line)?)
            }
            _ => return None,
        };
        Some(answer.expect("answers are plain structs with string keys"))
    }
}

fn with_reason(text: &str, reason: Option<&str>) -> String {
    let reason = reason.map(|reason| format!("\nbecause {reason}")).unwrap_or_default();
    format!("{text}{reason}\n[y]es, [n]o, yes for this [s]ession, [c]ancel the turn")
}

fn grant(
    params: &PermissionsRequestApprovalParams,
    verdict: Verdict,
) -> PermissionsRequestApprovalResponse {
    let is_granted = matches!(verdict, Verdict::Yes | Verdict::Session);
    let asked = is_granted.then_some(&params.permissions);
    PermissionsRequestApprovalResponse {
        permissions: GrantedPermissionProfile {
            file_system: asked.and_then(|asked| asked.file_system.clone()),
            network: asked.and_then(|asked| asked.network.clone()),
        },
        scope: if verdict == Verdict::Session {
            PermissionGrantScope::Session
        } else {
            PermissionGrantScope::Turn
        },
        strict_auto_review: None,
    }
}

fn input_text(params: &ToolRequestUserInputParams) -> String {
    let mut lines = Vec::new();
    for question in &params.questions {
        lines.push(question.question.clone());
        for (at, option) in question.options.iter().flatten().enumerate() {
            lines.push(format!("  {}. {} ({})", at + 1, option.label, option.description));
        }
    }
    if params.questions.len() > 1 {
        lines.push("answer all on one line, with ; between".to_owned());
    }
    lines.join("\n")
}

/// Reads one answer a question, with `;` between them. A number takes that choice.
fn input_answer(
    params: &ToolRequestUserInputParams,
    line: &str,
) -> Option<ToolRequestUserInputResponse> {
    let parts: Vec<&str> = match params.questions.len() {
        1 => vec![line.trim()],
        _ => line.split(';').map(str::trim).collect(),
    };
    if parts.len() != params.questions.len() || parts.iter().any(|part| part.is_empty()) {
        return None;
    }
    let answers: BTreeMap<_, _> = params
        .questions
        .iter()
        .zip(parts)
        .map(|(question, part)| {
            let chosen = part
                .parse::<usize>()
                .ok()
                .and_then(|number| question.options.as_ref()?.get(number.checked_sub(1)?));
            let answer = chosen.map_or(part, |option| option.label.as_str()).to_owned();
            (question.id.clone(), ToolRequestUserInputAnswer { answers: vec![answer] })
        })
        .collect();
    Some(ToolRequestUserInputResponse { answers })
}

/// A question as it comes over the wire.
#[cfg(test)]
pub(crate) fn asked(id: i64, method: &str, params: &Value) -> Question {
    let raw = serde_json::value::to_raw_value(params).unwrap();
    Question {
        id: RequestId::Integer(id),
        request: ServerRequest::parse(method, Some(&raw)).unwrap(),
    }
}

/// A command's question, for tests of other rooms.
#[cfg(test)]
pub(crate) fn asked_command(id: i64, command: &str) -> Question {
    let params = serde_json::json!({
        "threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1, "command": command,
        "cwd": "/w", "reason": "it writes",
    });
    asked(id, "item/commandExecution/requestApproval", &params)
}

#[cfg(test)]
mod tests;

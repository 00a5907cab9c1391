//! Questions to clients, and their answers.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use spindle_schema::event::{
    AnswerMsg, CommandDecision, CommandQuestion, DynamicToolQuestion, FileChangeQuestion,
    NetworkProtocol, NetworkQuestion, PermissionsQuestion, Question, QuestionKind,
    UserInputQuestion,
};
use spindle_schema::ids::ThreadId;
use spindle_schema::methods::ServerRequest;
use spindle_schema::v2::{
    CommandExecutionApprovalDecision, CommandExecutionApprovalKind,
    CommandExecutionRequestApprovalParams, CommandExecutionRequestApprovalResponse,
    DynamicToolCallParams, FileChangeApprovalDecision, FileChangeRequestApprovalParams,
    FileChangeRequestApprovalResponse, NetworkApprovalContext, NetworkApprovalProtocol,
    NetworkPolicyAmendment, NetworkPolicyRuleAction, PermissionsRequestApprovalParams,
    ToolRequestUserInputParams,
};

use super::item;

/// The only environment there is: this machine.
const LOCAL: &str = "local";

/// A question as a request. `None` when what is asked for has no form in the protocol.
pub(in crate::api) fn of(thread: ThreadId, question: &Question) -> Option<ServerRequest> {
    let about = About { thread, question };
    Some(match &question.kind {
        QuestionKind::Command(command) => {
            ServerRequest::ItemCommandExecutionRequestApproval(Box::new(about.command(command)))
        }
        QuestionKind::FileChange(change) => {
            ServerRequest::ItemFileChangeRequestApproval(Box::new(about.file_change(change)))
        }
        QuestionKind::UserInput(input) => {
            ServerRequest::ItemToolRequestUserInput(Box::new(about.user_input(input)))
        }
        QuestionKind::Permissions(permissions) => {
            let params = about.permissions(permissions)?;
            ServerRequest::ItemPermissionsRequestApproval(Box::new(params))
        }
        QuestionKind::DynamicTool(tool) => {
            ServerRequest::ItemToolCall(Box::new(about.dynamic_tool(tool)))
        }
        QuestionKind::Network(network) => {
            ServerRequest::ItemCommandExecutionRequestApproval(Box::new(about.network(network)))
        }
    })
}

struct About<'a> {
    thread: ThreadId,
    question: &'a Question,
}

impl About<'_> {
    fn thread(&self) -> String {
        self.thread.to_string()
    }

    fn turn(&self) -> String {
        self.question.turn_id.to_string()
    }

    fn item(&self) -> String {
        self.question.item_id.to_string()
    }

    fn command(&self, command: &CommandQuestion) -> CommandExecutionRequestApprovalParams {
        CommandExecutionRequestApprovalParams {
            kind: CommandExecutionApprovalKind::Command,
            thread_id: self.thread(),
            turn_id: self.turn(),
            item_id: self.item(),
            started_at_ms: self.question.started_at_ms,
            environment_id: Some(LOCAL.to_owned()),
            reason: command.reason.clone(),
            command: Some(command.command.clone()),
            cwd: Some((&*command.cwd).into()),
            command_actions: Some(item::actions(&command.actions)),
            proposed_execpolicy_amendment: command.proposed_amendment.clone(),
            available_decisions: Some(command.decisions.iter().map(decision).collect()),
            additional_permissions: None,
            approval_id: None,
            network_approval_context: None,
            proposed_network_policy_amendments: None,
        }
    }

    fn network(&self, network: &NetworkQuestion) -> CommandExecutionRequestApprovalParams {
        let host = network.host.to_string();
        let rule = |action| NetworkPolicyAmendment { action, host: host.clone() };
        let (allow, deny) =
            (rule(NetworkPolicyRuleAction::Allow), rule(NetworkPolicyRuleAction::Deny));
        let protocol = match network.protocol {
            NetworkProtocol::Http => NetworkApprovalProtocol::Http,
            NetworkProtocol::Https => NetworkApprovalProtocol::Https,
            NetworkProtocol::Socks5Tcp => NetworkApprovalProtocol::Socks5Tcp,
        };
        CommandExecutionRequestApprovalParams {
            kind: CommandExecutionApprovalKind::Command,
            thread_id: self.thread(),
            turn_id: self.turn(),
            item_id: self.item(),
            started_at_ms: self.question.started_at_ms,
            environment_id: Some(LOCAL.to_owned()),
            reason: Some(format!("Network access to {host} requires approval")),
            command: None,
            cwd: None,
            command_actions: None,
            proposed_execpolicy_amendment: None,
            available_decisions: Some(vec![
                CommandExecutionApprovalDecision::Accept,
                CommandExecutionApprovalDecision::AcceptForSession,
                CommandExecutionApprovalDecision::ApplyNetworkPolicyAmendment {
                    network_policy_amendment: allow.clone(),
                },
                CommandExecutionApprovalDecision::Cancel,
            ]),
            additional_permissions: None,
            approval_id: None,
            network_approval_context: Some(NetworkApprovalContext { host: host.clone(), protocol }),
            proposed_network_policy_amendments: Some(vec![allow, deny]),
        }
    }

    fn file_change(&self, change: &FileChangeQuestion) -> FileChangeRequestApprovalParams {
        FileChangeRequestApprovalParams {
            thread_id: self.thread(),
            turn_id: self.turn(),
            item_id: self.item(),
            started_at_ms: self.question.started_at_ms,
            grant_root: change.grant_root.as_deref().map(str::to_owned),
            reason: change.reason.clone(),
        }
    }

    fn user_input(&self, input: &UserInputQuestion) -> ToolRequestUserInputParams {
        let questions = Value::Array(input.questions.clone());
        ToolRequestUserInputParams {
            thread_id: self.thread(),
            turn_id: self.turn(),
            item_id: self.item(),
            is_blocking: input.is_blocking,
            questions: serde_json::from_value(questions).unwrap_or_default(),
            auto_resolution_ms: None,
        }
    }

    fn permissions(
        &self,
        permissions: &PermissionsQuestion,
    ) -> Option<PermissionsRequestApprovalParams> {
        Some(PermissionsRequestApprovalParams {
            thread_id: self.thread(),
            turn_id: self.turn(),
            item_id: self.item(),
            cwd: (&*permissions.cwd).into(),
            permissions: serde_json::from_value(permissions.permissions.clone()).ok()?,
            started_at_ms: self.question.started_at_ms,
            environment_id: Some(LOCAL.to_owned()),
            reason: permissions.reason.clone(),
        })
    }

    fn dynamic_tool(&self, tool: &DynamicToolQuestion) -> DynamicToolCallParams {
        DynamicToolCallParams {
            thread_id: self.thread(),
            turn_id: self.turn(),
            call_id: tool.call_id.to_string(),
            arguments: tool.arguments.clone(),
            tool: tool.tool.to_string(),
            namespace: tool.namespace.as_deref().map(str::to_owned),
        }
    }
}

fn decision(decision: &CommandDecision) -> CommandExecutionApprovalDecision {
    match decision {
        CommandDecision::Accept => CommandExecutionApprovalDecision::Accept,
        CommandDecision::AcceptForSession => CommandExecutionApprovalDecision::AcceptForSession,
        CommandDecision::AcceptWithAmendment(words) => {
            CommandExecutionApprovalDecision::AcceptWithExecpolicyAmendment {
                execpolicy_amendment: words.clone(),
            }
        }
        CommandDecision::Decline => CommandExecutionApprovalDecision::Decline,
        CommandDecision::Cancel => CommandExecutionApprovalDecision::Cancel,
    }
}

/// The answer to a question about a command.
pub(in crate::api) fn command_answer(answer: &RawValue) -> AnswerMsg {
    let decision = match read::<CommandExecutionRequestApprovalResponse>(answer) {
        Ok(response) => response.decision,
        Err(unusable) => return unusable,
    };
    AnswerMsg::Decision(match decision {
        CommandExecutionApprovalDecision::Accept => CommandDecision::Accept,
        CommandExecutionApprovalDecision::AcceptForSession => CommandDecision::AcceptForSession,
        CommandExecutionApprovalDecision::AcceptWithExecpolicyAmendment {
            execpolicy_amendment,
        } => CommandDecision::AcceptWithAmendment(execpolicy_amendment),
        CommandExecutionApprovalDecision::ApplyNetworkPolicyAmendment {
            network_policy_amendment: NetworkPolicyAmendment { action, host },
        } => {
            let allow = action == NetworkPolicyRuleAction::Allow;
            return AnswerMsg::HostRule { host, allow };
        }
        CommandExecutionApprovalDecision::Decline => CommandDecision::Decline,
        CommandExecutionApprovalDecision::Cancel => CommandDecision::Cancel,
    })
}

/// The answer to a question about files.
pub(in crate::api) fn file_change_answer(answer: &RawValue) -> AnswerMsg {
    match read::<FileChangeRequestApprovalResponse>(answer) {
        Err(unusable) => unusable,
        Ok(response) => AnswerMsg::Decision(match response.decision {
            FileChangeApprovalDecision::Accept => CommandDecision::Accept,
            FileChangeApprovalDecision::AcceptForSession => CommandDecision::AcceptForSession,
            FileChangeApprovalDecision::Decline => CommandDecision::Decline,
            FileChangeApprovalDecision::Cancel => CommandDecision::Cancel,
        }),
    }
}

/// The answer to the model's questions.
pub(in crate::api) fn user_input_answer(answer: &RawValue) -> AnswerMsg {
    #[derive(Deserialize)]
    struct Answers {
        answers: Map<String, Value>,
    }
    match read::<Answers>(answer) {
        Ok(response) => AnswerMsg::UserInput(response.answers),
        Err(unusable) => unusable,
    }
}

/// The answer to a question about permissions, as it came.
pub(in crate::api) fn permissions_answer(answer: &RawValue) -> AnswerMsg {
    read(answer).map_or_else(|unusable| unusable, AnswerMsg::Permissions)
}

/// What a client's tool gives, as it came.
pub(in crate::api) fn dynamic_tool_answer(answer: &RawValue) -> AnswerMsg {
    read(answer).map_or_else(|unusable| unusable, AnswerMsg::DynamicTool)
}

fn read<'a, T: Deserialize<'a>>(answer: &'a RawValue) -> Result<T, AnswerMsg> {
    serde_json::from_str(answer.get())
        .map_err(|error| AnswerMsg::Unusable(error.to_string().into()))
}

//! The tools of one turn.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use super::call::{CallContext, Payload, ToolCall};
use super::client_tool::ClientTools;
use super::gate::Concurrency;
use super::handler;
use super::output::ToolOutput;
use super::spec;

/// What is offered to the model in a turn, and who handles it. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Registry {
    tools: Arc<[Tool]>,
    clients: Arc<ClientTools>,
    specs: Arc<[Bytes]>,
}

/// What decides which tools there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The configuration offers the list of steps.
    pub(crate) update_plan: bool,
    /// The model knows patches as free text.
    pub(crate) apply_patch: bool,
}

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// `exec_command`.
    Exec,
    /// `write_stdin`.
    WriteStdin,
    /// `request_user_input`.
    AskUser,
    /// `apply_patch`.
    ApplyPatch,
    /// `view_image`.
    ViewImage,
    /// `update_plan`.
    UpdatePlan,
    /// One that a client runs.
    Client,
    /// A name that is not offered.
    Unknown,
}

impl Registry {
    /// The tools for an offer, and after them those of clients.
    pub(crate) fn new(offer: Offer, clients: Arc<ClientTools>) -> Self {
        let mut tools = vec![Tool::Exec, Tool::WriteStdin];
        if offer.update_plan {
            tools.push(Tool::UpdatePlan);
        }
        tools.push(Tool::AskUser);
        if offer.apply_patch {
            tools.push(Tool::ApplyPatch);
        }
        tools.push(Tool::ViewImage);
        let encode = |spec: Value| Bytes::from(spec.to_string());
        let own = tools.iter().filter_map(|tool| tool.spec()).map(encode);
        let specs = own.chain(clients.specs().iter().cloned()).collect();
        Self { tools: tools.into(), clients, specs }
    }

    /// The definitions, encoded, in a fixed order.
    pub(crate) fn specs(&self) -> &[Bytes] {
        &self.specs
    }

    /// Who handles a call.
    pub(crate) fn find(&self, call: &ToolCall) -> Tool {
        let is_custom = matches!(call.payload, Payload::Custom(_));
        if self.clients.has(call) {
            return Tool::Client;
        }
        if call.namespace.is_some() {
            return Tool::Unknown;
        }
        let named = |tool: &&Tool| {
            tool.name() == Some(&call.name) && (**tool == Tool::ApplyPatch) == is_custom
        };
        self.tools.iter().find(named).copied().unwrap_or(Tool::Unknown)
    }
}

/// The names of the built-in tools, offered or not.
pub(crate) const BUILT_IN: [&str; 6] = [
    "exec_command",
    "write_stdin",
    "request_user_input",
    "apply_patch",
    "view_image",
    "update_plan",
];

impl Tool {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Exec => Some("exec_command"),
            Self::WriteStdin => Some("write_stdin"),
            Self::AskUser => Some("request_user_input"),
            Self::ApplyPatch => Some("apply_patch"),
            Self::ViewImage => Some("view_image"),
            Self::UpdatePlan => Some("update_plan"),
            Self::Client | Self::Unknown => None,
        }
    }

    fn spec(self) -> Option<Value> {
        match self {
            Self::Exec => Some(spec::exec_command()),
            Self::WriteStdin => Some(spec::write_stdin()),
            Self::AskUser => Some(spec::request_user_input()),
            Self::ApplyPatch => Some(spec::apply_patch()),
            Self::ViewImage => Some(spec::view_image()),
            Self::UpdatePlan => Some(spec::update_plan()),
            Self::Client | Self::Unknown => None,
        }
    }

    /// Whether calls of it may run beside others.
    pub(crate) fn concurrency(self) -> Concurrency {
        match self {
            Self::Exec | Self::WriteStdin | Self::ViewImage | Self::Unknown => {
                Concurrency::Parallel
            }
            Self::AskUser | Self::ApplyPatch | Self::UpdatePlan | Self::Client => {
                Concurrency::Serial
            }
        }
    }

    /// Handles a call. Gives an output whatever happens.
    pub(crate) async fn run(self, context: CallContext) -> ToolOutput {
        match self {
            Self::Exec => Box::pin(handler::exec::run(context)).await,
            Self::WriteStdin => Box::pin(handler::stdin::run(context)).await,
            Self::AskUser => Box::pin(handler::ask_user::run(context)).await,
            Self::ApplyPatch => Box::pin(handler::patch::run(context)).await,
            Self::ViewImage => handler::image::run(context).await,
            Self::UpdatePlan => handler::plan::run(context).await,
            Self::Client => Box::pin(handler::client_tool::run(context)).await,
            Self::Unknown => unknown(&context.call),
        }
    }
}

fn unknown(call: &ToolCall) -> ToolOutput {
    let kind = match call.payload {
        Payload::Function(_) => "unsupported call",
        Payload::Custom(_) => "unsupported custom tool call",
    };
    let namespace = call.namespace.as_deref().unwrap_or_default();
    ToolOutput::text(format!("{kind}: {namespace}{}", call.name))
}

//! History and settings become a request (SPEC M1, M2, M4, M5).

use bytes::Bytes;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use spindle_model::Request;
use spindle_model::body::{Format, Reasoning, RequestBody, Text};
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::settings::{ApprovalsReviewer, ReasoningSummary, SandboxPolicy};

use super::run::Turn;
use crate::config::Verbosity;
use crate::context::{RequestKind, ResponsesMetadata, Sandboxing, tokens};

impl Turn {
    /// The request for the next sampling, from all that is recorded.
    pub(super) fn request(&self) -> Request {
        let (items, tools) = (self.conversation.history.prompt(), self.tools.specs());
        let parallel = self.model.supports_parallel_tool_calls;
        let schema = self.plan.input.output_schema.as_ref();
        self.build(Asking { items, tools, parallel, schema, kind: RequestKind::Turn })
    }

    /// The request that asks for a summary of these items.
    pub(super) fn summary_request(&self, mut items: Vec<Bytes>, why: Value) -> Request {
        let prompt = ResponseItem::text(Role::User, &*self.rooms.compact_prompt);
        items.push(encoded(&prompt));
        let kind = RequestKind::Compaction(why);
        self.build(Asking { items, tools: &[], parallel: false, schema: None, kind })
    }

    fn build(&self, asking: Asking<'_>) -> Request {
        let settings = &self.plan.settings;
        let effort = settings.effort.as_deref().or(self.model.default_reasoning_level.as_deref());
        let metadata = self.metadata(effort, asking.kind);
        let whole = metadata.whole();
        let client_metadata = to_raw_value(&metadata.client_metadata(&whole)).ok();
        let mut input = vec![self.base_message()];
        input.extend(asking.items);
        let thread_id = self.rooms.thread_id.to_string();
        let tier = self.plan.input.service_tier_for_turn.as_deref();
        let body = RequestBody {
            model: &settings.model,
            input: &input,
            tools: Some(asking.tools),
            parallel_tool_calls: asking.parallel,
            reasoning: self.reasoning(effort),
            store: self.provider.is_azure(),
            include: &["reasoning.encrypted_content"],
            prompt_cache_key: Some(&thread_id),
            text: self.text(asking.schema),
            service_tier: tier.or(settings.service_tier.as_deref()),
            client_metadata: client_metadata.as_deref(),
            previous_response_id: None,
        };
        let mut headers = metadata.headers(&whole);
        headers.push(("originator".into(), self.rooms.originator.name.to_string()));
        headers.push(("user-agent".into(), self.rooms.originator.user_agent.to_string()));
        Request { headers, body: body.join() }
    }

    fn metadata<'a>(&'a self, effort: Option<&'a str>, kind: RequestKind) -> ResponsesMetadata<'a> {
        let settings = &self.plan.settings;
        ResponsesMetadata {
            kind,
            installation_id: &self.rooms.installation_id,
            thread_id: self.rooms.thread_id,
            turn_id: self.id(),
            root_turn_id: &self.plan.root,
            parent_turn_id: self.plan.input.parent_turn_id.as_deref(),
            trigger: self.plan.input.trigger.as_deref(),
            window: (&self.conversation.window_id, self.conversation.window_number),
            sandboxing: match settings.sandbox_policy {
                SandboxPolicy::DangerFullAccess | SandboxPolicy::ExternalSandbox { .. } => {
                    Sandboxing::None
                }
                SandboxPolicy::ReadOnly { .. } | SandboxPolicy::WorkspaceWrite { .. } => {
                    Sandboxing::Kernel
                }
            },
            sandbox_mode: settings.sandbox_policy.mode(),
            auto_review: settings.approvals_reviewer == ApprovalsReviewer::AutoReview,
            started_at_ms: self.plan.started_at_ms,
            model: &settings.model,
            effort,
            extra: &self.plan.input.client_metadata,
        }
    }

    fn base_message(&self) -> Bytes {
        let mut item = ResponseItem::text(Role::Developer, &*self.rooms.base_instructions);
        item.set_id(&self.conversation.base_id);
        encoded(&item)
    }

    /// An estimate of the tokens of the base prompt.
    pub(super) fn base_tokens(&self) -> i64 {
        tokens(self.rooms.base_instructions.len() / 4)
    }

    fn reasoning(&self, effort: Option<&str>) -> Option<Reasoning> {
        let own = self.model.default_reasoning_summary.as_deref();
        let summary = match self.plan.settings.summary {
            Some(ReasoningSummary::None) => None,
            Some(ReasoningSummary::Auto) => Some("auto"),
            Some(ReasoningSummary::Concise) => Some("concise"),
            Some(ReasoningSummary::Detailed) => Some("detailed"),
            None => own.filter(|summary| *summary != "none"),
        };
        let summary = summary.map(Into::into);
        let reasoning = Reasoning { context: None, effort: effort.map(Into::into), summary };
        (reasoning != Reasoning::default()).then_some(reasoning)
    }

    fn text(&self, schema: Option<&Value>) -> Option<Text> {
        let raw = |schema| -> Option<Box<RawValue>> { to_raw_value(schema).ok() };
        let schema = schema.and_then(raw);
        let asked = self.rooms.config.model.verbosity.map(Verbosity::as_str);
        let verbosity = asked.or(self.model.default_verbosity.as_deref());
        let verbosity = verbosity.filter(|_| self.model.support_verbosity).map(Into::into);
        let format = schema.map(|schema| Format::json_schema(schema, true));
        (format.is_some() || verbosity.is_some()).then_some(Text { format, verbosity })
    }
}

/// What differs between requests.
struct Asking<'a> {
    /// The items after the base prompt.
    items: Vec<Bytes>,
    /// What the model may call.
    tools: &'a [Bytes],
    /// Whether it may call several at once.
    parallel: bool,
    /// What the answer must fit.
    schema: Option<&'a Value>,
    /// What the request is for.
    kind: RequestKind,
}

fn encoded(item: &ResponseItem) -> Bytes {
    serde_json::to_vec(item).expect("a message of text is a tree of JSON values").into()
}

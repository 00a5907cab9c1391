use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use spindle_schema::event::{
    ActiveFlags, Answerer, CommandDecision, CommandQuestion, ErrorEvent, ErrorInfo,
    FileChangeQuestion, ItemsView, PlanStep, Question, QuestionKind, TerminalInteraction,
    ThreadSnapshot, ThreadStatus, TimedItem, TurnError, TurnSnapshot, TurnStatus, TurnText,
};
use spindle_schema::ids::{ConnectionId, ItemId, QuestionId, TurnId};
use spindle_schema::item::{
    AgentContent, AgentMessage, CommandExecution, CommandSource, CommandStatus, FileChange,
    FileUpdate, ParsedCommand, ReasoningItem, TurnItem, UserInput, UserMessage, WireDuration,
};
use spindle_schema::note::{ReadState, ThreadNotes, Unread};
use spindle_schema::settings::{
    ApprovalPolicy, ApprovalsReviewer, ModeKind, SandboxPolicy, SessionSource, ThreadSettings,
};

use super::*;

const THREAD: &str = "01990000-0000-7000-8000-000000000001";

/// What clients are told of these, message by message.
fn told(msgs: Vec<EventMsg>) -> Vec<Value> {
    let thread_id = ThreadId::parse(THREAD).expect("a UUID");
    let events: Vec<Event> =
        msgs.into_iter().map(|msg| Event { thread_id, at_ms: 7, msg }).collect();
    let packet = project(&events, Builder::default());
    let messages = packet.iter().flat_map(Packet::messages);
    messages.map(|message| serde_json::from_slice(&message).expect("messages are JSON")).collect()
}

/// The params of the only message, which must be of this method.
fn params(method: &str, msg: EventMsg) -> Value {
    let mut messages = told(vec![msg]);
    assert_eq!(messages.len(), 1, "{messages:?}");
    let mut message = messages.remove(0);
    assert_eq!(message["method"], method);
    assert_eq!(message["emittedAtMs"], 7);
    message["params"].take()
}

fn turn_id() -> TurnId {
    TurnId::new("turn-1")
}

fn completed(item: TurnItem) -> EventMsg {
    let item = TimedItem { item, started_at_ms: Some(1), completed_at_ms: Some(2) };
    EventMsg::ItemCompleted(Arc::new(ItemEvent { turn_id: turn_id(), item }))
}

/// The item of `item/completed`, its times checked and taken off.
fn item(item: TurnItem) -> Value {
    let mut params = params("item/completed", completed(item));
    assert_eq!(params["threadId"], THREAD);
    assert_eq!(params["turnId"], "turn-1");
    assert_eq!((&params["completedAtMs"], &params["contentTokenCount"]), (&json!(2), &Value::Null));
    let item = params["item"].as_object_mut().expect("an item is an object");
    assert_eq!(item.remove("startedAtMs"), Some(json!(1)));
    assert_eq!(item.remove("completedAtMs"), Some(json!(2)));
    params["item"].take()
}

fn snapshot(status: ThreadStatus) -> ThreadSnapshot {
    ThreadSnapshot {
        id: ThreadId::parse(THREAD).expect("a UUID"),
        forked_from: None,
        parent: None,
        preview: String::new(),
        name: None,
        ephemeral: false,
        model_provider: "mock".into(),
        model: Some("gpt-5.5".into()),
        effort: None,
        created_at: 1,
        updated_at: 2,
        recency_at: Some(3),
        status,
        path: Some("/h/sessions/r.jsonl".into()),
        cwd: "/w".into(),
        workspace_roots: vec!["/w".into()],
        cli_version: "0.171.0".into(),
        source: SessionSource::Vscode,
        thread_source: None,
        originator: Some("trace".into()),
        history_mode: "paginated".into(),
        git: None,
        archived: false,
        notes: ThreadNotes::default(),
    }
}

fn turn(status: TurnStatus, items: Vec<TimedItem>, view: ItemsView) -> Arc<TurnSnapshot> {
    Arc::new(TurnSnapshot {
        id: turn_id(),
        root_turn_id: Some("turn-1".into()),
        status,
        error: None,
        started_at: Some(5),
        completed_at: None,
        duration_ms: None,
        items,
        view,
    })
}

#[test]
fn a_loaded_thread_is_told_with_its_environment_and_a_stored_one_without() {
    let expected = json!({
        "agentNickname": null, "agentRole": null, "attachedToThreadId": null,
        "canAcceptDirectInput": true, "cliVersion": "0.171.0", "createdAt": 1, "cwd": "/w",
        "daybreakEnabled": null,
        "environments": [{ "cwd": "/w", "environmentId": "local", "runtimeWorkspaceRoots": ["/w"] }],
        "ephemeral": false, "extra": null, "forkedFromId": null, "gitInfo": null,
        "historyMode": "paginated", "id": THREAD, "model": "gpt-5.5", "modelProvider": "mock",
        "name": null, "originator": "trace", "parentThreadId": null, "path": "/h/sessions/r.jsonl",
        "preview": "", "projectId": null, "reasoningEffort": null, "recencyAt": 3, "section": null,
        "sectionEnteredAt": null, "sessionId": THREAD, "source": "vscode",
        "status": { "type": "idle" }, "threadSource": null, "turns": [], "updatedAt": 2,
    });
    let started = EventMsg::ThreadStarted(Arc::new(snapshot(ThreadStatus::Idle)));
    assert_eq!(params("thread/started", started)["thread"], expected);
    let stored = EventMsg::ThreadStarted(Arc::new(snapshot(ThreadStatus::NotLoaded)));
    let stored = params("thread/started", stored);
    assert_eq!(stored["thread"]["environments"], Value::Null);
    assert_eq!(stored["thread"]["canAcceptDirectInput"], Value::Null);
}

#[test]
fn what_a_turn_waits_for_is_told_with_the_status() {
    let flags = ActiveFlags { waiting_on_approval: true, waiting_on_user_input: true };
    let status =
        params("thread/status/changed", EventMsg::StatusChanged(ThreadStatus::Active(flags)));
    let expected =
        json!({ "type": "active", "activeFlags": ["waitingOnApproval", "waitingOnUserInput"] });
    assert_eq!(status["status"], expected);
    let status =
        params("thread/status/changed", EventMsg::StatusChanged(ThreadStatus::SystemError));
    assert_eq!(status, json!({ "threadId": THREAD, "status": { "type": "systemError" } }));
}

#[test]
fn a_turn_is_told_with_the_items_of_its_view() {
    let started = EventMsg::TurnStarted(turn(TurnStatus::InProgress, vec![], ItemsView::NotLoaded));
    assert_eq!(
        params("turn/started", started),
        json!({
            "threadId": THREAD,
            "turn": {
                "completedAt": null, "durationMs": null, "error": null, "id": "turn-1", "items": [],
                "itemsView": "notLoaded", "rootTurnId": "turn-1", "startedAt": 5,
                "status": "inProgress",
            },
        })
    );
}

#[test]
fn messages_are_told_field_by_field() {
    let text = UserInput::Text { text: "hi".into(), text_elements: vec![] };
    let image = UserInput::Image { detail: Some("high".into()), image_url: "data:x".into() };
    let file = UserInput::LocalImage { detail: None, path: "/a.png".into() };
    let user = UserMessage {
        id: ItemId::new("i"),
        client_id: Some("c".into()),
        content: vec![text, image, file],
    };
    let content = json!([
        { "type": "text", "text": "hi", "text_elements": [] },
        { "type": "image", "detail": "high", "url": "data:x" },
        { "type": "localImage", "detail": null, "path": "/a.png" },
    ]);
    assert_eq!(
        item(TurnItem::UserMessage(user)),
        json!({ "type": "userMessage", "id": "i", "clientId": "c", "content": content })
    );
    let agent = AgentMessage {
        id: ItemId::new("m"),
        content: vec![AgentContent::Text { text: "Hello".into() }],
        phase: None,
    };
    assert_eq!(
        item(TurnItem::AgentMessage(agent)),
        json!({
            "type": "agentMessage", "id": "m", "text": "Hello", "phase": null, "delivery": null,
            "memoryCitation": null, "moderation": null, "questions": null,
        })
    );
    let thought =
        ReasoningItem { id: ItemId::new("r"), summary_text: vec!["a".into()], raw_content: vec![] };
    assert_eq!(
        item(TurnItem::Reasoning(thought)),
        json!({ "type": "reasoning", "id": "r", "summary": ["a"], "content": [] })
    );
}

fn command(aggregated_output: Option<&str>) -> CommandExecution {
    CommandExecution {
        id: ItemId::new("call_1"),
        process_id: Some("7".into()),
        command: vec!["/bin/bash".into(), "-lc".into(), "touch made".into()],
        cwd: "file:///w%20x".into(),
        parsed_cmd: vec![ParsedCommand::Unknown { cmd: "touch made".into() }],
        source: CommandSource::UnifiedExecStartup,
        status: CommandStatus::Completed,
        aggregated_output: aggregated_output.map(Into::into),
        exit_code: Some(0),
        duration: Some(WireDuration { secs: 1, nanos: 5_000_000 }),
    }
}

#[test]
fn a_command_is_told_as_a_person_types_it() {
    assert_eq!(
        item(TurnItem::CommandExecution(Box::new(command(Some("out\n"))))),
        json!({
            "type": "commandExecution", "id": "call_1", "pluginId": null, "scriptPath": null,
            "command": "/bin/bash -lc 'touch made'", "cwd": "/w x", "processId": "7",
            "source": "unifiedExecStartup", "status": "completed",
            "commandActions": [{ "type": "unknown", "command": "touch made" }],
            "aggregatedOutput": "out\n", "exitCode": 0, "durationMs": 1005,
        })
    );
    let silent = item(TurnItem::CommandExecution(Box::new(command(Some("")))));
    assert_eq!(silent["aggregatedOutput"], Value::Null);
}

#[test]
fn a_patch_is_told_file_by_file() {
    let update = FileUpdate::Update { unified_diff: "@@\n".into(), move_path: Some("/w/c".into()) };
    let changes = BTreeMap::from([
        ("/w/a".to_owned(), FileUpdate::Add { content: "new\n".into() }),
        ("/w/b".to_owned(), update),
    ]);
    let change = FileChange {
        id: ItemId::new("call_1"),
        changes,
        status: Some(CommandStatus::Declined),
        stdout: None,
        stderr: None,
    };
    assert_eq!(
        item(TurnItem::FileChange(change)),
        json!({
            "type": "fileChange", "id": "call_1", "status": "declined",
            "changes": [
                { "path": "/w/a", "diff": "new\n", "kind": { "type": "add" } },
                { "path": "/w/b", "diff": "@@\n\n\nMoved to: /w/c", "kind": { "type": "update", "move_path": "/w/c" } },
            ],
        })
    );
}

#[test]
fn a_kind_that_only_rollouts_know_is_told_when_the_protocol_has_it() {
    let other = |value: Value| {
        let Value::Object(members) = value else { unreachable!("the test gives objects") };
        completed(TurnItem::Other(members))
    };
    let sleep = other(json!({ "type": "Sleep", "id": "s", "duration_ms": 5 }));
    assert_eq!(params("item/completed", sleep)["item"]["durationMs"], 5);
    assert!(told(vec![other(json!({ "type": "Nobody", "id": "s" }))]).is_empty());
}

#[test]
fn pieces_of_text_are_one_message_each_and_keep_their_place() {
    let deltas = |kind, pieces: &[&str]| {
        let pieces = pieces.iter().map(|piece| (*piece).into()).collect();
        let item_id = ItemId::new("m");
        EventMsg::Deltas(Box::new(Deltas { turn_id: turn_id(), item_id, kind, pieces }))
    };
    let messages = told(vec![
        deltas(DeltaKind::AgentMessage, &["a\n", "b"]),
        EventMsg::Archived,
        deltas(DeltaKind::SummaryPartAdded(1), &[]),
        deltas(DeltaKind::ReasoningSummary(1), &["s"]),
        deltas(DeltaKind::ReasoningText(2), &["t"]),
        deltas(DeltaKind::CommandOutput, &["o"]),
        deltas(DeltaKind::Plan, &["p"]),
    ]);
    let about = |extra: Value| {
        let mut params = json!({ "threadId": THREAD, "turnId": "turn-1", "itemId": "m" });
        for (key, value) in extra.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        params
    };
    let expected = [
        ("item/agentMessage/delta", about(json!({ "delta": "a\n" }))),
        ("item/agentMessage/delta", about(json!({ "delta": "b" }))),
        ("thread/archived", json!({ "threadId": THREAD })),
        ("item/reasoning/summaryPartAdded", about(json!({ "summaryIndex": 1 }))),
        ("item/reasoning/summaryTextDelta", about(json!({ "summaryIndex": 1, "delta": "s" }))),
        ("item/reasoning/textDelta", about(json!({ "contentIndex": 2, "delta": "t" }))),
        ("item/commandExecution/outputDelta", about(json!({ "delta": "o" }))),
        ("item/plan/delta", about(json!({ "delta": "p" }))),
    ];
    let seen: Vec<(&str, Value)> = messages
        .iter()
        .map(|message| (message["method"].as_str().unwrap_or(""), message["params"].clone()))
        .collect();
    assert_eq!(seen, expected);
}

fn question(kind: QuestionKind) -> Value {
    let question = Question {
        id: QuestionId(3),
        turn_id: turn_id(),
        item_id: ItemId::new("call_1"),
        started_at_ms: 9,
        only: None,
        kind,
    };
    let mut messages = told(vec![EventMsg::Question(Arc::new(question))]);
    assert_eq!(messages.len(), 1);
    messages.remove(0)
}

#[test]
fn a_question_about_a_command_is_a_request_under_its_number() {
    let asked = question(QuestionKind::Command(Box::new(CommandQuestion {
        additional_permissions: None,
        command: "/bin/bash -lc 'touch made'".into(),
        actions: vec![ParsedCommand::Unknown { cmd: "touch made".into() }],
        cwd: "/w".into(),
        reason: Some("Need to write the file?".into()),
        proposed_amendment: Some(vec!["touch".into()]),
        decisions: vec![
            CommandDecision::Accept,
            CommandDecision::AcceptWithAmendment(vec!["touch".into()]),
            CommandDecision::Cancel,
        ],
    })));
    assert_eq!(
        asked,
        json!({
            "id": 3, "method": "item/commandExecution/requestApproval",
            "params": {
                "availableDecisions": [
                    "accept",
                    { "acceptWithExecpolicyAmendment": { "execpolicy_amendment": ["touch"] } },
                    "cancel",
                ],
                "command": "/bin/bash -lc 'touch made'",
                "commandActions": [{ "command": "touch made", "type": "unknown" }],
                "cwd": "/w", "environmentId": "local", "itemId": "call_1", "kind": "command",
                "proposedExecpolicyAmendment": ["touch"], "reason": "Need to write the file?",
                "startedAtMs": 9, "threadId": THREAD, "turnId": "turn-1",
            },
        })
    );
}

#[test]
fn a_question_about_files_is_a_request_and_its_end_is_told() {
    let asked =
        question(QuestionKind::FileChange(FileChangeQuestion { reason: None, grant_root: None }));
    assert_eq!(asked["method"], "item/fileChange/requestApproval");
    assert_eq!(
        asked["params"],
        json!({
            "grantRoot": null, "itemId": "call_1", "reason": null, "startedAtMs": 9,
            "threadId": THREAD, "turnId": "turn-1",
        })
    );
    let resolved =
        params("serverRequest/resolved", EventMsg::QuestionResolved(QuestionId(3), None));
    assert_eq!(resolved, json!({ "threadId": THREAD, "requestId": 3 }));
    let by = Answerer { connection: ConnectionId(8), name: "lab".into() };
    let resolved = EventMsg::QuestionResolved(QuestionId(3), Some(Box::new(by)));
    assert_eq!(
        params("serverRequest/resolved", resolved)["answeredBy"],
        json!({ "id": 8, "name": "lab" })
    );
}

#[test]
fn trouble_is_told_for_people_and_for_programs() {
    let error = TurnError {
        message: "no".into(),
        codex_error_info: Some(ErrorInfo::HttpConnectionFailed { http_status_code: Some(401) }),
        additional_details: None,
    };
    let event = ErrorEvent { turn_id: turn_id(), error, will_retry: true };
    assert_eq!(
        params("error", EventMsg::Error(Box::new(event))),
        json!({
            "threadId": THREAD, "turnId": "turn-1", "willRetry": true,
            "error": {
                "message": "no", "additionalDetails": null, "misalignment": null,
                "codexErrorInfo": { "httpConnectionFailed": { "httpStatusCode": 401 } },
            },
        })
    );
    let warning = params("warning", EventMsg::Warning("careful".into()));
    assert_eq!(warning, json!({ "threadId": THREAD, "message": "careful" }));
}

#[test]
fn usage_and_limits_are_told_with_every_member() {
    let usage = |n: i64| TokenUsage {
        input_tokens: 100 * n,
        cached_input_tokens: 10 * n,
        cache_write_input_tokens: 0,
        output_tokens: 20 * n,
        reasoning_output_tokens: 5 * n,
        total_tokens: 120 * n,
    };
    let breakdown = |n: i64| {
        json!({
            "cacheWriteInputTokens": 0, "cachedInputTokens": 10 * n, "inputTokens": 100 * n,
            "outputTokens": 20 * n, "reasoningOutputTokens": 5 * n, "totalTokens": 120 * n,
        })
    };
    let update = TokenUsageUpdate {
        turn_id: turn_id(),
        total: usage(2),
        last: usage(1),
        model_context_window: Some(258_400),
    };
    assert_eq!(
        params("thread/tokenUsage/updated", EventMsg::TokenUsageUpdated(Box::new(update))),
        json!({
            "threadId": THREAD, "turnId": "turn-1",
            "tokenUsage": {
                "last": breakdown(1), "total": breakdown(2), "modelContextWindow": 258_400,
            },
        })
    );
    let limits = RateLimits { limit_id: Some("codex".into()), ..RateLimits::default() };
    assert_eq!(
        params("account/rateLimits/updated", EventMsg::RateLimitsUpdated(Box::new(limits))),
        json!({ "rateLimits": {
            "credits": null, "individualLimit": null, "limitId": "codex", "limitName": null,
            "normalModelSlug": null, "planType": null, "primary": null,
            "rateLimitReachedType": null, "secondary": null, "spendControlReached": null,
        } })
    );
}

#[test]
fn settings_are_told_whole() {
    let set = ThreadSettings {
        model: "gpt-5.5".into(),
        model_provider: "mock".into(),
        effort: None,
        summary: None,
        service_tier: None,
        personality: None,
        cwd: "/w".into(),
        workspace_roots: vec!["/w".into()],
        approval_policy: ApprovalPolicy::OnRequest,
        approvals_reviewer: ApprovalsReviewer::User,
        sandbox_policy: SandboxPolicy::WorkspaceWrite {
            writable_roots: vec![],
            network_access: false,
            exclude_tmpdir_env_var: true,
            exclude_slash_tmp: true,
        },
        mode: ModeKind::Default,
        mode_instructions: None,
    };
    assert_eq!(
        params("thread/settings/updated", EventMsg::SettingsUpdated(Box::new(set)))["threadSettings"],
        json!({
            "activePermissionProfile": null, "approvalPolicy": "on-request",
            "approvalsReviewer": "user",
            "collaborationMode": { "mode": "default", "settings": {
                "developer_instructions": null, "model": "gpt-5.5", "reasoning_effort": null,
            } },
            "cwd": "/w", "disabledPluginIds": [], "effort": null,
            "environments": [{ "cwd": "/w", "environmentId": "local", "runtimeWorkspaceRoots": ["/w"] }],
            "model": "gpt-5.5", "modelProvider": "mock", "multiAgentMode": "explicitRequestOnly",
            "personality": null,
            "sandboxPolicy": {
                "excludeSlashTmp": true, "excludeTmpdirEnvVar": true, "networkAccess": false,
                "type": "workspaceWrite", "writableRoots": [],
            },
            "serviceTier": null, "summary": null,
        })
    );
}

#[test]
fn the_rest_is_told_as_recorded() {
    let name = EventMsg::NameUpdated(Some("n".into()));
    assert_eq!(
        params("thread/name/updated", name),
        json!({ "threadId": THREAD, "threadName": "n" })
    );
    let unread =
        ReadState { revision: "r".into(), first_unread: Some(Unread::Turn { turn_id: turn_id() }) };
    assert_eq!(
        params("thread/readState/changed", EventMsg::ReadStateChanged(unread))["readState"],
        json!({ "firstUnread": { "type": "turn", "turnId": "turn-1" }, "revision": "r" })
    );
    let keys = TerminalInteraction {
        turn_id: turn_id(),
        item_id: ItemId::new("call_1"),
        process_id: "7".into(),
        stdin: "\u{3}".into(),
    };
    assert_eq!(
        params(
            "item/commandExecution/terminalInteraction",
            EventMsg::TerminalInteraction(Box::new(keys))
        ),
        json!({
            "threadId": THREAD, "turnId": "turn-1", "itemId": "call_1", "processId": "7",
            "stdin": "\u{3}",
        })
    );
    let step = PlanStep { step: "one".into(), status: PlanStatus::InProgress };
    let plan =
        PlanUpdated { turn_id: turn_id(), explanation: Some("why".into()), plan: vec![step] };
    assert_eq!(
        params("turn/plan/updated", EventMsg::PlanUpdated(Box::new(plan)))["plan"],
        json!([{ "status": "inProgress", "step": "one" }])
    );
    let diff = TurnText { turn_id: turn_id(), text: "d".into() };
    assert_eq!(
        params("turn/diff/updated", EventMsg::TurnDiffUpdated(Box::new(diff))),
        json!({ "threadId": THREAD, "turnId": "turn-1", "diff": "d" })
    );
    for (msg, method) in [
        (EventMsg::Unarchived, "thread/unarchived"),
        (EventMsg::Deleted, "thread/deleted"),
        (EventMsg::Closed, "thread/closed"),
    ] {
        assert_eq!(params(method, msg), json!({ "threadId": THREAD }));
    }
}

#[test]
fn the_first_event_of_a_session_is_not_told() {
    let set = ThreadSettings {
        model: "m".into(),
        model_provider: "p".into(),
        effort: None,
        summary: None,
        service_tier: None,
        personality: None,
        cwd: "/w".into(),
        workspace_roots: vec![],
        approval_policy: ApprovalPolicy::Never,
        approvals_reviewer: ApprovalsReviewer::User,
        sandbox_policy: SandboxPolicy::DangerFullAccess,
        mode: ModeKind::Default,
        mode_instructions: None,
    };
    assert!(told(vec![EventMsg::SessionConfigured(Box::new(set))]).is_empty());
}

//! Params that clients fill in only in part.

use spindle_schema::maybe::Maybe;
use spindle_schema::v2::{ThreadResumeParams, TurnStartParams, TurnSteerParams, UserInput};

/// Starts a turn with what the thread is set to.
pub(crate) fn start(thread_id: &str, input: Vec<UserInput>) -> TurnStartParams {
    TurnStartParams {
        thread_id: thread_id.to_owned(),
        input,
        additional_context: None,
        approval_policy: None,
        approvals_reviewer: None,
        client_user_message_id: None,
        collaboration_mode: None,
        cwd: None,
        cyber_access_program: None,
        disabled_plugin_ids: None,
        effort: None,
        environments: None,
        model: None,
        multi_agent_mode: None,
        output_schema: None,
        parent_turn_id: None,
        permissions: None,
        personality: None,
        responsesapi_client_metadata: None,
        responsesapi_client_metadata_patch: None,
        root_turn_id: None,
        runtime_workspace_roots: None,
        sandbox_policy: None,
        service_tier: Maybe::Absent,
        service_tier_for_turn: Maybe::Absent,
        summary: None,
        tool_output: None,
        turn_trigger: None,
    }
}

/// Takes a thread up as it is, without its turns.
pub(crate) fn resume(thread_id: &str) -> ThreadResumeParams {
    ThreadResumeParams {
        thread_id: thread_id.to_owned(),
        approval_policy: None,
        approvals_reviewer: None,
        base_instructions: None,
        config: None,
        cwd: None,
        developer_instructions: None,
        exclude_turns: true,
        history: None,
        initial_turns_page: None,
        last_seq: None,
        model: None,
        model_provider: None,
        path: None,
        permissions: None,
        personality: None,
        runtime_workspace_roots: None,
        sandbox: None,
        service_tier: Maybe::Absent,
    }
}

/// Adds to a running turn.
pub(crate) fn steer(thread_id: &str, turn_id: &str, text: &str) -> TurnSteerParams {
    TurnSteerParams {
        thread_id: thread_id.to_owned(),
        expected_turn_id: turn_id.to_owned(),
        input: vec![words(text)],
        additional_context: None,
        client_user_message_id: None,
        responsesapi_client_metadata: None,
        responsesapi_client_metadata_patch: None,
    }
}

/// Words as an input.
pub(crate) fn words(text: &str) -> UserInput {
    UserInput::Text { text: text.to_owned(), text_elements: Vec::new() }
}

use serde_json::{Map, Value, json};
use spindle_schema::ids::TurnId;
use spindle_schema::settings::{
    ApprovalPolicy, ApprovalsReviewer, ModeKind, SandboxPolicy, ThreadSettings,
};

use super::{Surroundings, World, diff, merge};
use crate::context::{Conversation, Draft, Recorder, Seed};

fn settings() -> ThreadSettings {
    ThreadSettings {
        model: "gpt-5.5".into(),
        model_provider: "p".into(),
        effort: None,
        summary: None,
        service_tier: None,
        personality: None,
        cwd: "/ws".into(),
        workspace_roots: vec!["/ws".into()],
        approval_policy: ApprovalPolicy::Never,
        approvals_reviewer: ApprovalsReviewer::User,
        sandbox_policy: SandboxPolicy::DangerFullAccess,
        mode: ModeKind::Default,
        mode_instructions: None,
    }
}

/// What the model is told, one text per message, and the state that it then knows.
async fn told(before: Option<&World>, settings: &ThreadSettings) -> (Vec<String>, World) {
    let mut draft = Draft::default();
    let now = Surroundings {
        settings,
        shell: "bash",
        developer_instructions: None,
        project_instructions: None,
        saved_rules: &[],
    };
    let turn = TurnId::new("t");
    let world = World::advance(before, &now, &turn, &mut draft);
    let seed = Seed { recorder: Recorder::Nowhere, window_id: "w".into() };
    let mut conversation = Conversation::new(seed);
    conversation.record(draft).await.expect("recorded nowhere");
    let text = |bytes: &bytes::Bytes| {
        let item: Value = serde_json::from_slice(bytes).expect("JSON");
        item["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    (conversation.history.prompt().iter().map(text).collect(), world)
}

/// SPEC H2.
#[tokio::test]
async fn everything_is_told_once_and_nothing_again_while_nothing_changes() {
    let (texts, world) = told(None, &settings()).await;
    assert_eq!(texts.len(), 2);
    assert!(texts[0].starts_with("<permissions instructions>"));
    assert!(texts[1].contains("<cwd>/ws</cwd>"));
    let (texts, again) = told(Some(&world), &settings()).await;
    assert!(texts.is_empty(), "{texts:?}");
    assert_eq!(again, world);
}

/// The behaviour of `settings_change`.
#[tokio::test]
async fn only_what_changed_is_told() {
    let (_, world) = told(None, &settings()).await;
    let moved = ThreadSettings { cwd: "/ws/sub".into(), ..settings() };
    let (texts, world) = told(Some(&world), &moved).await;
    assert_eq!(texts.len(), 1);
    assert!(texts[0].contains("<cwd>/ws/sub</cwd>"));
    let other = ThreadSettings { model: "other".into(), ..moved };
    let (texts, _) = told(Some(&world), &other).await;
    assert_eq!(texts.len(), 1);
    assert!(texts[0].starts_with("<model_switch>"));
}

#[test]
fn what_another_program_told_stays() {
    let state = json!({"host_skills": {"body": "x"}, "model": "a"});
    let Value::Object(state) = state else { panic!() };
    let mut world = World::from_state(state);
    let Value::Object(patch) = json!({"model": "b"}) else { panic!() };
    world.merge(&patch);
    assert_eq!(world.at("/host_skills/body"), Some(&json!("x")));
    assert_eq!(world.at("/model"), Some(&json!("b")));
}

#[test]
fn a_difference_leads_from_one_state_to_the_other() {
    let object = |value: Value| -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    };
    let from = object(json!({"a": {"x": 1, "y": 2}, "b": 1, "c": "gone"}));
    let to = object(json!({"a": {"x": 1, "y": 3}, "b": 1, "d": [1]}));
    let patch = diff(&from, &to).expect("they differ");
    assert_eq!(Value::Object(patch.clone()), json!({"a": {"y": 3}, "d": [1], "c": null}));
    let mut merged = from;
    merge(&mut merged, &patch);
    assert_eq!(merged, to);
    assert!(diff(&merged, &to).is_none());
}

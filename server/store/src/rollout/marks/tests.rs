use super::*;

fn meaning(payload: &str) -> Option<Meaning> {
    let line = format!("{{\"timestamp\":\"\",\"type\":\"event_msg\",\"payload\":{payload}}}");
    Meaning::of(&Envelope::read(line.as_bytes()).unwrap())
}

#[test]
fn the_order_of_members_does_not_matter() {
    let item = |payload| match meaning(payload) {
        Some(Meaning::Item(item)) => item,
        other => panic!("{other:?}"),
    };
    let usual = item(
        r#"{"type":"item_completed","thread_id":"x","turn_id":"t","item":{"type":"AgentMessage","id":"i","content":[]}}"#,
    );
    let other = item(
        r#"{"item":{"content":[],"id":"i","type":"AgentMessage"},"turn_id":"t","type":"item_completed"}"#,
    );
    assert_eq!(usual, other);
    assert_eq!((usual.turn.as_str(), &*usual.id, usual.role), ("t", "i", Role::Agent));
    let escaped = r#"{"type":"item_completed","thread_id":"x","turn_id":"t","item":{"type":"Plan","id":"a\"b"}}"#;
    assert_eq!(&*item(escaped).id, "a\"b");
}

#[test]
fn starts_and_ends_name_their_turn() {
    let turn = || TurnId::new("t");
    assert_eq!(meaning(r#"{"type":"task_started","turn_id":"t"}"#), Some(Meaning::Start(turn())));
    assert_eq!(
        meaning(r#"{"type":"task_complete","turn_id":"t"}"#),
        Some(Meaning::End(Some(turn())))
    );
    assert_eq!(
        meaning(r#"{"type":"turn_aborted","reason":"interrupted"}"#),
        Some(Meaning::End(None))
    );
    assert_eq!(meaning(r#"{"type":"token_count"}"#), None);
    assert_eq!(meaning(r#"{"type":"item_completed"}"#), None);
}

use spindle_schema::model::{ResponseItem, Role, TokenUsage};

use super::super::conversation::{Conversation, Seed};
use super::super::history::Entry;
use super::super::recorder::Recorder;
use super::Limit;

const LIMIT: Option<Limit> = Some(Limit { tokens: 1_000, without_head: false });

fn conversation() -> Conversation {
    let mut conversation =
        Conversation::new(Seed { recorder: Recorder::Nowhere, window_id: "w".into() });
    conversation.history.push(Entry::new(&ResponseItem::text(Role::User, "hi")));
    conversation
}

fn answer(conversation: &mut Conversation, total_tokens: i64) {
    conversation.last_usage = TokenUsage { total_tokens, ..TokenUsage::default() };
    conversation.measure();
}

/// SPEC T1, T9.
#[test]
fn the_figures_of_the_last_response_decide() {
    let mut conversation = conversation();
    answer(&mut conversation, 999);
    assert!(!conversation.needs_room(LIMIT, 0));
    answer(&mut conversation, 1_000);
    assert!(conversation.needs_room(LIMIT, 0));
    assert!(!conversation.needs_room(None, 0), "without a limit there is room");
}

#[test]
fn what_came_since_the_last_response_counts_too() {
    let mut conversation = conversation();
    answer(&mut conversation, 900);
    let output = ResponseItem::text(Role::User, "x".repeat(400));
    conversation.history.push(Entry::new(&output));
    assert!(conversation.needs_room(LIMIT, 0));
}

#[test]
fn where_a_provider_tells_nothing_the_history_is_estimated() {
    let conversation = conversation();
    assert!(!conversation.needs_room(LIMIT, 900));
    assert!(conversation.needs_room(LIMIT, 1_000));
}

#[test]
fn an_empty_history_needs_no_room_however_low_the_limit() {
    let conversation =
        Conversation::new(Seed { recorder: Recorder::Nowhere, window_id: "w".into() });
    assert!(!conversation.needs_room(LIMIT, 5_000));
}

/// A limit that cannot be met must not keep the model from its work.
#[test]
fn a_compaction_that_did_not_help_is_not_done_again_at_once() {
    let mut conversation = conversation();
    conversation.note_compacted(3_000);
    assert!(!conversation.needs_room(LIMIT, 0), "the model has not answered yet");
    answer(&mut conversation, 3_000);
    assert!(!conversation.needs_room(LIMIT, 0));
    answer(&mut conversation, 3_499);
    assert!(!conversation.needs_room(LIMIT, 0));
    answer(&mut conversation, 3_500);
    assert!(conversation.needs_room(LIMIT, 0), "half the limit was used since");
}

#[test]
fn after_a_compaction_that_helped_the_limit_counts_as_before() {
    let mut conversation = conversation();
    conversation.note_compacted(100);
    answer(&mut conversation, 100);
    answer(&mut conversation, 999);
    assert!(!conversation.needs_room(LIMIT, 0));
    answer(&mut conversation, 1_000);
    assert!(conversation.needs_room(LIMIT, 0));
}

/// SPEC T5: a refused request counts as a full window, with a limit or without.
#[test]
fn a_refused_request_makes_room_necessary() {
    let mut conversation = conversation();
    answer(&mut conversation, 10);
    conversation.note_full(Some(5_000));
    assert_eq!(conversation.tokens_in_use(0), 5_000);
    assert!(conversation.needs_room(None, 0));
    conversation.note_compacted(10);
    assert!(!conversation.needs_room(None, 0));
}

#[test]
fn the_head_can_be_left_out_of_the_count() {
    let mut conversation = conversation();
    answer(&mut conversation, 1_500);
    let limit = Some(Limit { tokens: 1_000, without_head: true });
    assert!(!conversation.needs_room(limit, 600));
    assert!(conversation.needs_room(limit, 400));
}

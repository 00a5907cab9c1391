use serde_json::json;
use spindle_schema::ids::RequestId;

use super::{Action, Dialog, Source};
use crate::attach::question::asked_command;

fn running(source: Source) -> Dialog {
    let mut dialog = Dialog::new(source);
    dialog.turn_started("u");
    dialog
}

#[test]
fn words_start_a_turn_or_steer_the_one_that_runs() {
    let mut dialog = Dialog::new(Source::Terminal);
    assert_eq!(dialog.typed(" do it "), Action::Start("do it".into()));
    dialog.turn_started("u");
    assert_eq!(dialog.typed("more"), Action::Steer("u".into(), "more".into()));
    dialog.turn_ended("other");
    assert_eq!(dialog.typed("more"), Action::Steer("u".into(), "more".into()));
    dialog.turn_ended("u");
    assert!(dialog.is_idle());
    assert_eq!(dialog.typed("again"), Action::Start("again".into()));
}

#[test]
fn a_letter_answers_the_oldest_question() {
    let mut dialog = running(Source::Terminal);
    dialog.asked(asked_command(1, "a"));
    dialog.asked(asked_command(2, "b"));
    let accept = json!({"decision": "accept"});
    assert_eq!(dialog.typed("y"), Action::Answer(RequestId::Integer(1), accept));
    let decline = json!({"decision": "decline"});
    assert_eq!(dialog.typed("n"), Action::Answer(RequestId::Integer(2), decline));
    assert_eq!(dialog.typed("y"), Action::Tell("nothing is asked".into()));
}

#[test]
fn words_beside_an_open_question_steer_the_turn() {
    let mut dialog = running(Source::Terminal);
    dialog.asked(asked_command(1, "a"));
    assert_eq!(dialog.typed("use b instead"), Action::Steer("u".into(), "use b instead".into()));
    assert!(dialog.question().is_some());
}

#[test]
fn a_question_that_is_asked_again_waits_once() {
    let mut dialog = running(Source::Terminal);
    dialog.asked(asked_command(1, "a"));
    dialog.asked(asked_command(1, "a"));
    assert!(matches!(dialog.typed("y"), Action::Answer(..)));
    assert!(dialog.question().is_none());
}

#[test]
fn a_question_that_another_client_answered_is_forgotten() {
    let mut dialog = running(Source::Terminal);
    dialog.asked(asked_command(1, "a"));
    assert!(dialog.resolved(&RequestId::Integer(1)));
    assert!(!dialog.resolved(&RequestId::Integer(1)));
    assert!(dialog.question().is_none());
}

#[test]
fn an_answer_from_a_pipe_waits_for_its_question() {
    let mut dialog = running(Source::Pipe);
    assert_eq!(dialog.typed("y"), Action::Hold);
    dialog.asked(asked_command(1, "a"));
    assert!(matches!(dialog.typed("y"), Action::Answer(..)));
    dialog.turn_ended("u");
    assert_eq!(dialog.typed("y"), Action::Tell("nothing is asked".into()));
}

#[test]
fn the_first_interrupt_ends_the_turn_and_the_next_one_leaves() {
    let mut dialog = running(Source::Terminal);
    assert_eq!(dialog.interrupted(), Action::Interrupt("u".into()));
    assert_eq!(dialog.interrupted(), Action::Leave);
    dialog.turn_started("v");
    assert_eq!(dialog.interrupted(), Action::Interrupt("v".into()));
    dialog.turn_ended("v");
    assert_eq!(dialog.interrupted(), Action::Leave);
}

#[test]
fn words_with_a_slash_are_for_this_program() {
    let mut dialog = running(Source::Terminal);
    assert_eq!(dialog.typed("/interrupt"), Action::Interrupt("u".into()));
    assert_eq!(dialog.typed("/quit"), Action::Leave);
    assert!(matches!(dialog.typed("/help"), Action::Tell(_)));
    assert_eq!(dialog.typed("  "), Action::Nothing);
    dialog.turn_ended("u");
    assert_eq!(dialog.typed("/interrupt"), Action::Tell("no turn is running".into()));
}

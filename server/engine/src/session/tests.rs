//! Orders of events into the pure step.

mod harness;
mod orders;

use std::path::Path;
use std::sync::Arc;

use spindle_schema::event::{EventMsg, ThreadStatus, TurnStatus};
use spindle_schema::op::{Interrupt, SettingsUpdate, Steer, TurnInput};
use spindle_schema::settings::ApprovalPolicy;

use self::harness::{Harness, question, text, turn_error};
use super::input::{Input, Submission};
use crate::config::Requirements;
use crate::turn::{Outcome, ReportMsg};
use crate::{Answer, Error};

/// SPEC S5; the order of `plain_message`.
#[test]
fn a_turn_is_answered_before_it_is_told() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    assert_eq!(session.take_log(), ["answer", "status active", "turn started", "run"]);
    session.end(&turn, Outcome::Completed);
    assert_eq!(session.take_log(), ["read state", "status idle", "turn completed"]);
}

/// The order of `error_401`.
#[test]
fn a_failed_turn_tells_the_error_before_its_end() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.take_log();
    session.end(&turn, Outcome::Failed(turn_error("no key")));
    assert_eq!(session.take_log(), ["status failed", "error", "read state", "turn completed"]);
    assert!(matches!(session.state.status(), ThreadStatus::SystemError));
}

/// The order of `interrupt_streaming`: nothing is unread.
#[test]
fn an_interrupt_is_answered_at_once_and_ends_when_the_turn_has() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.take_log();
    session.submit(|answer| Submission::Interrupt(Interrupt { turn: turn.clone() }, answer));
    assert_eq!(session.take_log(), ["answer", "cancel"]);
    session.end(&turn, Outcome::Interrupted);
    assert_eq!(session.take_log(), ["status idle", "turn completed"]);
    assert_eq!(session.completed, [(turn, TurnStatus::Interrupted)]);
}

/// SPEC S5: a wrong turn is refused, and the message names both.
#[test]
fn steering_another_turn_is_refused_with_both_ids() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    let (answer, mut result) = Answer::channel();
    let expected_turn = spindle_schema::ids::TurnId::new("another");
    let steer = Steer { expected_turn, input: text("x"), client_id: None };
    session.feed(Input::Submission(Submission::Steer(steer, answer)));
    let error = result.try_recv().expect("answered").expect_err("refused");
    assert_eq!(error.to_string(), format!("expected active turn id another but found {turn}"));
}

#[test]
fn steering_an_idle_thread_or_with_nothing_is_refused() {
    let mut session = Harness::new();
    let steer = |turn: &str, input| Steer {
        expected_turn: spindle_schema::ids::TurnId::new(turn),
        input,
        client_id: None,
    };
    let error = session.refused(|answer| Submission::Steer(steer("t", text("x")), answer));
    assert_eq!(error.to_string(), "no active turn to steer");
    let turn = session.start("hi");
    let error =
        session.refused(|answer| Submission::Steer(steer(turn.as_str(), Vec::new()), answer));
    assert_eq!(error.to_string(), "input must not be empty");
}

/// The behaviour of `start_while_active`.
#[test]
fn starting_a_turn_while_one_runs_steers_it() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.take_log();
    let answered = session.start("more");
    assert_eq!(answered, turn);
    let mail = session.mailbox().take();
    assert_eq!(mail.len(), 1);
}

/// SPEC T4: accepted input is never lost between two turns.
#[test]
fn input_that_comes_after_the_last_look_becomes_the_next_turn() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    assert!(session.mailbox().close_if_empty());
    session.take_log();
    let (answer, mut result) = Answer::channel();
    session.start_with(text("late"), answer);
    assert!(session.take_log().is_empty(), "the input waits for the end");
    session.end(&turn, Outcome::Completed);
    let next = result.try_recv().expect("answered").expect("started").turn.id.clone();
    assert_ne!(next, turn);
    assert_eq!(session.take_log()[3..], ["answer", "status active", "turn started", "run"]);
}

/// The order of `approval_cmd_accept`.
#[test]
fn a_question_is_told_after_the_status_that_says_so() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.take_log();
    let asked = question(&turn, 0);
    session.report(&turn, ReportMsg::Asked(asked.clone()));
    assert_eq!(session.take_log(), ["status waiting", "question"]);
    let settled = ReportMsg::Settled { question: asked.id, also: Vec::new() };
    session.report(&turn, settled);
    assert_eq!(session.take_log(), ["resolved", "status active"]);
}

/// The order of `approval_interrupt_pending`.
#[test]
fn open_questions_are_taken_back_after_the_end_of_their_turn() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.report(&turn, ReportMsg::Asked(question(&turn, 7)));
    session.take_log();
    session.end(&turn, Outcome::Interrupted);
    assert_eq!(session.take_log(), ["withdraw", "status idle", "turn completed", "resolved"]);
}

#[test]
fn a_question_of_a_turn_that_is_over_is_not_asked() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.end(&turn, Outcome::Completed);
    session.take_log();
    session.report(&turn, ReportMsg::Asked(question(&turn, 0)));
    session.report(&turn, ReportMsg::Ended(Outcome::Completed));
    assert_eq!(session.take_log(), ["withdraw"], "whoever asked need not wait");
}

/// SPEC X1: a command may outlive its turn and still be heard.
#[test]
fn what_a_command_says_after_its_turn_is_passed_on() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.end(&turn, Outcome::Completed);
    session.take_log();
    session.report(&turn, ReportMsg::Say(vec![EventMsg::Warning("late".into())]));
    assert_eq!(session.take_log(), ["warning"]);
}

#[test]
fn settings_that_change_nothing_are_not_told() {
    let mut session = Harness::new();
    let same = SettingsUpdate { model: Some("m".into()), ..SettingsUpdate::default() };
    session.submit(|answer| Submission::UpdateSettings(Box::new(same), answer));
    assert_eq!(session.take_log(), ["answer"]);
    let other = SettingsUpdate { cwd: Some("sub".into()), ..SettingsUpdate::default() };
    session.submit(|answer| Submission::UpdateSettings(Box::new(other), answer));
    assert_eq!(session.take_log(), ["answer", "settings"]);
    assert_eq!(&*session.state.settings.cwd, "/ws/sub");
    assert_eq!(session.state.settings.workspace_roots, ["/ws/sub".into()]);
}

#[test]
fn stopping_interrupts_the_turn_and_then_ends() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.take_log();
    let (answer, mut ended) = Answer::channel();
    session.feed(Input::Stop(answer));
    assert_eq!(session.take_log(), ["cancel"]);
    assert!(ended.try_recv().is_err());
    let refused = session.refused_start();
    assert!(matches!(refused, Error::Draining));
    session.end(&turn, Outcome::Interrupted);
    assert_eq!(session.take_log(), ["status idle", "turn completed", "finish"]);
    assert!(ended.try_recv().is_ok());
}

/// What the owner of the machine forbids is refused by name, and nothing else of the request
/// counts either.
#[test]
fn settings_that_the_owner_forbids_are_refused_whoever_asks() {
    let mut session = Harness::new();
    let demand = "allowed_approval_policies = [\"on-request\", \"never\"]";
    session.state.facts.requirements =
        Arc::new(Requirements::parse(Path::new("/etc/requirements.toml"), demand));
    let before = session.state.settings.clone();
    let update = || SettingsUpdate {
        approval_policy: Some(ApprovalPolicy::Untrusted),
        model: Some("other".into()),
        ..SettingsUpdate::default()
    };
    let error = session
        .refused(|answer: Answer<()>| Submission::UpdateSettings(Box::new(update()), answer));
    assert_eq!(
        error.to_string(),
        "approvalPolicy `untrusted` is not allowed by the owner of this machine; \
         allowed: on-request, never"
    );
    let input = TurnInput { settings: update(), ..TurnInput::default() };
    let id = spindle_schema::ids::TurnId::new("turn-1");
    let start = |answer| Submission::StartTurn { id, input: Box::new(input), answer };
    assert!(matches!(session.refused(start), Error::Forbidden(_)));
    assert_eq!(session.state.settings, before);
    assert!(session.state.active().is_none());
}

/// SPEC S7; the order of `compact_manual`: nothing is unread after it.
#[test]
fn a_compaction_is_a_turn_of_its_own() {
    let mut session = Harness::new();
    let turn = session.compact();
    assert_eq!(session.take_log(), ["answer", "status active", "turn started", "run"]);
    session.end(&turn, Outcome::Completed);
    assert_eq!(session.take_log(), ["status idle", "turn completed"]);
}

/// The order of `compact_fails`.
#[test]
fn a_compaction_that_fails_is_news() {
    let mut session = Harness::new();
    let turn = session.compact();
    session.take_log();
    session.end(&turn, Outcome::Failed(turn_error("no")));
    assert_eq!(session.take_log(), ["status failed", "error", "read state", "turn completed"]);
}

/// SPEC S7; the order of `compact_while_active`.
#[test]
fn a_compaction_takes_the_place_of_the_turn_that_runs() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    let mailbox = session.mailbox();
    session.take_log();
    let compaction = session.compact();
    assert_eq!(session.take_log(), ["answer", "cancel"]);
    assert!(mailbox.is_replaced());
    session.compact();
    assert_eq!(session.take_log(), ["answer"], "one is enough");
    session.end(&turn, Outcome::Interrupted);
    let log = session.take_log();
    assert_eq!(log, ["status idle", "turn completed", "status active", "turn started", "run"]);
    session.compact();
    assert_eq!(session.take_log(), ["answer"], "it runs already");
    session.end(&compaction, Outcome::Completed);
    assert_eq!(session.take_log(), ["status idle", "turn completed"]);
}

/// SPEC S7: only a regular turn can be steered.
#[test]
fn steering_a_compaction_is_refused_by_name() {
    let mut session = Harness::new();
    let turn = session.compact();
    let steer = Steer { expected_turn: turn, input: text("x"), client_id: None };
    let error = session.refused(|answer| Submission::Steer(steer, answer));
    assert_eq!(error.to_string(), "cannot steer a compact turn");
}

/// Nobody who starts a turn needs to know that the history is being compacted.
#[test]
fn a_turn_that_is_started_during_a_compaction_follows_it() {
    let mut session = Harness::new();
    let compaction = session.compact();
    session.take_log();
    let turn = session.start("hi");
    assert_eq!(session.take_log(), ["answer"]);
    session.end(&compaction, Outcome::Completed);
    let log = session.take_log();
    assert_eq!(log[2..], ["status active", "turn started", "run"]);
    assert_eq!(session.state.active().expect("it runs").id, turn);
}

/// SPEC X5; the order of `shell_command_idle`.
#[test]
fn a_persons_command_on_an_idle_thread_is_a_turn() {
    let mut session = Harness::new();
    let turn = session.shell();
    assert_eq!(session.take_log(), ["answer", "status active", "turn started", "run"]);
    assert_eq!(session.start("what now?"), turn, "it can be spoken to");
    session.mailbox().take();
    session.take_log();
    session.end(&turn, Outcome::Completed);
    assert_eq!(session.take_log(), ["status idle", "turn completed"]);
}

/// SPEC X5; the order of `shell_command_active`.
#[test]
fn a_persons_command_on_a_busy_thread_runs_beside_the_turn() {
    let mut session = Harness::new();
    session.start("hi");
    session.take_log();
    session.shell();
    assert_eq!(session.take_log(), ["answer", "command"]);
    assert!(!session.mailbox().close_if_empty(), "the turn waits for it");
    session.commands.clear();
    assert!(session.mailbox().close_if_empty());
}

#[test]
fn a_persons_command_during_a_compaction_follows_it() {
    let mut session = Harness::new();
    let compaction = session.compact();
    let command = session.shell();
    session.take_log();
    session.end(&compaction, Outcome::Completed);
    assert_eq!(session.state.active().expect("it runs").id, command);
}

#[test]
fn stopping_refuses_what_waits_and_loses_no_answer() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.mailbox().close_if_empty();
    let (answer, mut result) = Answer::channel();
    session.start_with(text("late"), answer);
    session.compact();
    session.feed(Input::Stop(Answer::ignored()));
    assert!(matches!(result.try_recv().expect("answered"), Err(Error::Draining)));
    session.end(&turn, Outcome::Interrupted);
    assert!(session.state.active().is_none(), "nothing begins after the end");
}

#[test]
fn a_session_that_nobody_uses_ends_and_one_in_use_goes_on() {
    let mut session = Harness::new();
    let retire = |session: &mut Harness| {
        let (answer, mut ended) = Answer::channel();
        session.feed(Input::Retire(answer));
        ended.try_recv().expect("answered").is_ok()
    };
    let follower = spindle_schema::ids::ConnectionId(1);
    session.state.subscribers.add(follower, 0);
    assert!(!retire(&mut session), "it is followed");
    session.state.subscribers.remove(follower);
    let turn = session.start("hi");
    assert!(!retire(&mut session), "a turn runs");
    session.end(&turn, Outcome::Completed);
    session.take_log();
    assert!(retire(&mut session));
    assert_eq!(session.take_log(), ["finish"]);
    assert!(matches!(session.refused_start(), Error::Draining));
}

#[test]
fn what_is_kept_goes_only_while_no_turn_runs() {
    let mut session = Harness::new();
    let turn = session.start("hi");
    session.take_log();
    session.feed(Input::Forget);
    assert!(session.take_log().is_empty());
    session.end(&turn, Outcome::Completed);
    session.take_log();
    session.feed(Input::Forget);
    assert_eq!(session.take_log(), ["forget"]);
}

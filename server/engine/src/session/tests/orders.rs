//! Random orders of inputs, from a seed that is printed when a promise breaks.

use proptest::prelude::*;
use spindle_schema::ids::TurnId;
use spindle_schema::op::{Interrupt, ShellCommand, Steer};

use super::super::input::{Input, Submission};
use super::harness::{Harness, question, text, turn_error};
use crate::Answer;
use crate::turn::{Outcome, ReportMsg};

#[derive(Debug, Clone)]
enum Act {
    Start,
    Steer,
    Interrupt,
    CloseMail,
    Compact,
    Shell,
    CommandEnds,
    Ask(i64),
    Settle(i64),
    End(u8),
    Stop,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => Just(Act::Start),
        2 => Just(Act::Steer),
        2 => Just(Act::Interrupt),
        2 => Just(Act::CloseMail),
        2 => Just(Act::Compact),
        2 => Just(Act::Shell),
        2 => Just(Act::CommandEnds),
        2 => (0_i64..4).prop_map(Act::Ask),
        2 => (0_i64..4).prop_map(Act::Settle),
        4 => (0_u8..3).prop_map(Act::End),
        1 => Just(Act::Stop),
    ]
}

fn outcome(number: u8) -> Outcome {
    match number {
        0 => Outcome::Completed,
        1 => Outcome::Interrupted,
        _ => Outcome::Failed(turn_error("x")),
    }
}

fn play(session: &mut Harness, act: &Act, turn: &TurnId) {
    match *act {
        Act::Start => session.start_with(text("x"), Answer::ignored()),
        Act::Steer => {
            let steer = Steer { expected_turn: turn.clone(), input: text("x"), client_id: None };
            let submission = Submission::Steer(steer, Answer::ignored());
            session.feed(Input::Submission(submission));
        }
        Act::Interrupt => {
            let interrupt = Interrupt { turn: turn.clone() };
            let submission = Submission::Interrupt(interrupt, Answer::ignored());
            session.feed(Input::Submission(submission));
        }
        Act::CloseMail => {
            if let Some(active) = session.state.active() {
                active.mailbox().map(crate::turn::Mailbox::close_if_empty).ok();
            }
        }
        Act::Compact => {
            let id = session.next_id();
            let submission = Submission::Compact { id, answer: Answer::ignored() };
            session.feed(Input::Submission(submission));
        }
        Act::Shell => {
            let id = session.next_id();
            let command = ShellCommand { command: "true".into(), timeout_ms: None };
            let submission = Submission::Shell { id, command, answer: Answer::ignored() };
            session.feed(Input::Submission(submission));
        }
        Act::CommandEnds => drop(session.commands.pop()),
        Act::Ask(id) => session.report(turn, ReportMsg::Asked(question(turn, id))),
        Act::Settle(id) => {
            let question = spindle_schema::ids::QuestionId(id);
            session.report(turn, ReportMsg::Settled { question, also: Vec::new() });
        }
        Act::End(number) => session.end(turn, outcome(number)),
        Act::Stop => session.feed(Input::Stop(Answer::ignored())),
    }
}

proptest! {
    /// SPEC S9, T10: whatever the order, a turn that started ends once, turns do not overlap,
    /// and nothing starts after the end.
    #[test]
    fn every_turn_ends_once(acts in prop::collection::vec(act(), 0..60)) {
        let mut session = Harness::new();
        let mut finished = false;
        for act in acts {
            let nobody = TurnId::new("nobody");
            let turn = session.state.active().map_or(nobody, |active| active.id.clone());
            play(&mut session, &act, &turn);
            let log = session.take_log();
            prop_assert!(!(finished && log.contains(&"run")), "a turn ran after the end");
            finished |= log.contains(&"finish");
            let open = session.started.len() - session.completed.len();
            prop_assert_eq!(open, usize::from(session.state.active().is_some()));
        }
        if let Some(active) = session.state.active() {
            let id = active.id.clone();
            session.end(&id, Outcome::Completed);
        }
        while let Some(active) = session.state.active() {
            let id = active.id.clone();
            session.end(&id, Outcome::Completed);
        }
        let ended: Vec<_> = session.completed.iter().map(|(id, _)| id.clone()).collect();
        prop_assert_eq!(&session.started, &ended);
    }
}

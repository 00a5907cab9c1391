//! The pure heart of a session: an input and the state give effects.
//!
//! Reads no clock, does no I/O, spawns nothing; the time comes with the input.

mod compact;
mod interrupt;
mod join;
mod report;
mod settings;
mod shell;
mod start;
mod steer;
mod stop;

use super::effect::Effect;
use super::input::{Input, Submission};
use super::state::State;

/// Takes an input. `now_ms` is the moment it was heard, in Unix milliseconds.
pub(crate) fn step(state: &mut State, input: Input, now_ms: i64) -> Vec<Effect> {
    match input {
        Input::Submission(submission) => submit(state, submission, now_ms),
        Input::Report(report) => report::report(state, report, now_ms),
        Input::Stop(answer) => stop::stop(state, answer),
        Input::Retire(answer) => stop::retire(state, answer),
        Input::Forget => stop::forget(state),
    }
}

fn submit(state: &mut State, submission: Submission, now_ms: i64) -> Vec<Effect> {
    match submission {
        Submission::StartTurn { id, input, answer } => {
            start::start(state, id, input, answer, now_ms)
        }
        Submission::Steer(steer, answer) => steer::steer(state, steer, answer),
        Submission::Interrupt(interrupt, answer) => interrupt::interrupt(state, &interrupt, answer),
        Submission::Compact { id, answer } => compact::compact(state, id, answer, now_ms),
        Submission::Shell { id, command, answer } => {
            shell::shell(state, shell::Wanted { id, command, answer }, now_ms)
        }
        Submission::UpdateSettings(update, answer) => settings::update(state, &update, answer),
        Submission::SetName(name) => settings::set_name(state, name),
        Submission::SetNotes(notes, event) => settings::set_notes(state, *notes, event),
        Submission::Announce(answer, started) => join::announce(answer, started),
        Submission::Join(request) => join::join(state, request, now_ms),
        Submission::Look(answer) => join::look(state, answer),
    }
}

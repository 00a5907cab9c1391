//! What a typed line means. Pure.

use std::collections::VecDeque;

use serde_json::Value;
use spindle_schema::ids::RequestId;

use super::question::{Question, Verdict};

/// Where lines come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// A person, who sees what is asked before typing.
    Terminal,
    /// A pipe, whose lines may be there before the question is.
    Pipe,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    /// Begin a turn with these words.
    Start(String),
    /// Add these words to the running turn.
    Steer(String, String),
    /// Answer a question.
    Answer(RequestId, Value),
    /// End the running turn.
    Interrupt(String),
    /// Tell the person something.
    Tell(String),
    /// End the program.
    Leave,
    /// Keep the line until a question is asked or the turn has ended.
    Hold,
    /// Nothing.
    Nothing,
}

/// What a person can type.
const HELP: &str = "type words to start a turn, or to steer the one that runs\n\
    y, n, s, c answer a question: yes, no, yes for this session, cancel the turn\n\
    /interrupt ends the turn, /quit leaves, /help shows this";

/// The state of the conversation between a person and a thread.
#[derive(Debug)]
pub(crate) struct Dialog {
    source: Source,
    /// The turn that runs.
    turn: Option<String>,
    /// Questions that wait, the oldest first.
    questions: VecDeque<Question>,
    /// Whether Ctrl-C was pressed for the turn that runs.
    is_interrupting: bool,
}

impl Dialog {
    /// A conversation that begins.
    pub(crate) fn new(source: Source) -> Self {
        Self { source, turn: None, questions: VecDeque::new(), is_interrupting: false }
    }

    /// A turn runs.
    pub(crate) fn turn_started(&mut self, id: &str) {
        self.turn = Some(id.to_owned());
        self.is_interrupting = false;
    }

    /// A turn has ended.
    pub(crate) fn turn_ended(&mut self, id: &str) {
        if self.turn.as_deref() == Some(id) {
            self.turn = None;
            self.is_interrupting = false;
        }
    }

    /// The daemon asks. Gives what the person is shown.
    pub(crate) fn asked(&mut self, question: Question) -> String {
        let text = question.text();
        // A question is asked again, under its old id, of those who come back.
        self.questions.retain(|known| known.id != question.id);
        self.questions.push_back(question);
        text
    }

    /// A question is settled. Gives whether it waited here.
    pub(crate) fn resolved(&mut self, id: &RequestId) -> bool {
        let before = self.questions.len();
        self.questions.retain(|question| question.id != *id);
        self.questions.len() < before
    }

    /// The question that the next answer is for.
    pub(crate) fn question(&self) -> Option<&Question> {
        self.questions.front()
    }

    /// Whether nothing is going on.
    pub(crate) fn is_idle(&self) -> bool {
        self.turn.is_none()
    }

    /// Whether a line may be taken: a held one waits for a question or for the turn's end.
    pub(crate) fn typed(&mut self, line: &str) -> Action {
        let line = line.trim();
        match line {
            "" => return Action::Nothing,
            "/quit" | "/exit" => return Action::Leave,
            "/help" => return Action::Tell(HELP.to_owned()),
            "/interrupt" => {
                return match &self.turn {
                    Some(turn) => Action::Interrupt(turn.clone()),
                    None => Action::Tell("no turn is running".to_owned()),
                };
            }
            _ => {}
        }
        if let Some(question) = self.questions.front() {
            return self.reply(question.clone(), line);
        }
        if Verdict::parse(line).is_some() {
            return match (self.source, &self.turn) {
                (Source::Pipe, Some(_)) => Action::Hold,
                _ => Action::Tell("nothing is asked".to_owned()),
            };
        }
        match &self.turn {
            Some(turn) => Action::Steer(turn.clone(), line.to_owned()),
            None => Action::Start(line.to_owned()),
        }
    }

    fn reply(&mut self, question: Question, line: &str) -> Action {
        match (question.answer(line), &self.turn) {
            (Some(answer), _) => {
                self.questions.pop_front();
                Action::Answer(question.id, answer)
            }
            // Words beside an open approval are for the agent.
            (None, Some(turn)) => Action::Steer(turn.clone(), line.to_owned()),
            (None, None) => Action::Tell(question.text()),
        }
    }

    /// Ctrl-C: the first ends the turn, the next one leaves.
    pub(crate) fn interrupted(&mut self) -> Action {
        match &self.turn {
            Some(turn) if !self.is_interrupting => {
                self.is_interrupting = true;
                Action::Interrupt(turn.clone())
            }
            _ => Action::Leave,
        }
    }
}

#[cfg(test)]
mod tests;

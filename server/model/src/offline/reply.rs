//! What the stand-in does next. Pure: the same conversation always gives the same reply.
//!
//! Nothing is remembered between requests. The steps since the last answer are played
//! through again: each message adds wishes, each call settles the first of them.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::command::{End, Outcome, command_of};
use super::conversation::{Conversation, Step};
use super::speech;
use super::understand::{Language, Wish, understand};

/// How often a command that runs on is looked at before it is left alone.
const MOST_LOOKS: usize = 12;
const LOOK_MS: u64 = 10_000;

/// The next thing to say or do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// Call a tool.
    Call { tool: &'static str, arguments: Value },
    /// Say this; the turn ends.
    Text(String),
}

/// A wish and the language it was spoken in.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) wish: Wish,
    pub(super) language: Language,
}

/// A wish that is settled.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) task: Task,
    pub(super) result: Settled,
}

/// How a wish was settled.
#[derive(Debug)]
pub(super) enum Settled {
    /// A command was run for it.
    Command(Outcome),
    /// The plan was handed to the program.
    Noted,
    /// It needs words only.
    Said,
    /// There is no tool for it.
    NoTool,
}

/// Says what comes next.
pub(super) fn next(conversation: &Conversation) -> Reply {
    let mut progress = Progress::new(conversation);
    for step in &conversation.steps {
        match step {
            Step::Person(text) => progress.hear(text),
            Step::Call { tool, output } => progress.settle(tool, output.as_deref()),
        }
    }
    progress.say_what_needs_no_tool();
    progress.reply()
}

struct Progress<'a> {
    conversation: &'a Conversation,
    queue: VecDeque<Task>,
    done: Vec<Done>,
    last_file: Option<String>,
    keep_existing: bool,
    /// A call was made: what is heard from then on interrupts the order.
    working: bool,
    /// How often the last command was looked at.
    looks: usize,
}

impl<'a> Progress<'a> {
    fn new(conversation: &'a Conversation) -> Self {
        let mut last_file = None;
        for text in &conversation.before {
            understand(text, &mut last_file);
        }
        Self {
            conversation,
            queue: VecDeque::new(),
            done: Vec::new(),
            last_file,
            keep_existing: false,
            working: false,
            looks: 0,
        }
    }

    /// What is said while work goes on is taken up next, before what was asked earlier.
    fn hear(&mut self, text: &str) {
        let language = Language::of(text);
        let wishes = understand(text, &mut self.last_file);
        let tasks = wishes.into_iter().map(|wish| Task { wish, language });
        if self.working {
            for (place, task) in tasks.enumerate() {
                self.queue.insert(place, task);
            }
        } else {
            self.queue.extend(tasks);
        }
    }

    fn settle(&mut self, tool: &str, output: Option<&str>) {
        self.say_what_needs_no_tool();
        self.working = true;
        if tool == "write_stdin" {
            self.looks += 1;
            if let Some(Done { result: Settled::Command(outcome), .. }) = self.done.last_mut() {
                outcome.follow(Outcome::read(output));
            }
            return;
        }
        self.looks = 0;
        let Some(task) = self.queue.pop_front() else { return };
        let result = match tool {
            "update_plan" => Settled::Noted,
            _ => Settled::Command(Outcome::read(output)),
        };
        self.done.push(Done { task, result });
    }

    fn say_what_needs_no_tool(&mut self) {
        while let Some(task) = self.queue.front() {
            let result = match &task.wish {
                Wish::Plan(_) if self.conversation.offers("update_plan") => return,
                Wish::Plan(_) | Wish::Unclear(_) | Wish::Explain => Settled::Said,
                Wish::KeepExisting => {
                    self.keep_existing = true;
                    Settled::Said
                }
                _ if self.conversation.offers("exec_command") => return,
                _ => Settled::NoTool,
            };
            self.done.extend(self.queue.pop_front().map(|task| Done { task, result }));
        }
    }

    fn reply(&self) -> Reply {
        if let Some(session) = self.running() {
            let arguments = json!({"session_id": session, "chars": "", "yield_time_ms": LOOK_MS});
            return Reply::Call { tool: "write_stdin", arguments };
        }
        let Some(task) = self.queue.front() else {
            return Reply::Text(speech::report(&self.done));
        };
        if let Wish::Plan(steps) = &task.wish {
            return Reply::Call { tool: "update_plan", arguments: plan(steps) };
        }
        let command = command_of(&task.wish, self.keep_existing).unwrap_or_default();
        Reply::Call { tool: "exec_command", arguments: json!({"cmd": command}) }
    }

    /// The number of a command that still runs and is worth another look.
    fn running(&self) -> Option<i64> {
        let Done { result: Settled::Command(Outcome { end: End::Running(session), .. }), .. } =
            self.done.last()?
        else {
            return None;
        };
        let look = self.looks < MOST_LOOKS && self.conversation.offers("write_stdin");
        look.then_some(*session)
    }
}

/// The first step is being done, the others wait.
fn plan(steps: &[String]) -> Value {
    let status = |number| if number == 0 { "in_progress" } else { "pending" };
    let steps: Vec<_> = steps
        .iter()
        .enumerate()
        .map(|(number, step)| json!({"step": step, "status": status(number)}))
        .collect();
    json!({"plan": steps})
}

#[cfg(test)]
mod tests;

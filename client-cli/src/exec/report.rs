//! What `exec` says while the turn runs: JSON events, or text for a person.

use std::collections::HashMap;
use std::io::{self, Write};

use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::{ErrorNotification, ThreadItem, TurnPlanUpdatedNotification};

use super::event::{Event, Failure, Item, ItemBody, Usage, body_of, has_start, todo_list};
use super::outcome::Outcome;
use crate::client::item_id;

/// What both forms of output are told.
pub(crate) trait Report {
    /// The thread is there.
    fn thread(&mut self, about: &ThreadFacts) -> io::Result<()>;
    /// The daemon said something about the thread or about itself.
    fn hear(&mut self, said: &ServerNotification) -> io::Result<()>;
    /// The turn has ended.
    fn end(&mut self, outcome: &Outcome) -> io::Result<()>;
}

/// The thread and the settings it runs with.
#[derive(Debug, Clone, Default)]
pub(crate) struct ThreadFacts {
    /// Its id.
    pub(crate) id: String,
    /// Its folder.
    pub(crate) cwd: String,
    /// Its model.
    pub(crate) model: String,
    /// Its provider.
    pub(crate) provider: String,
    /// When commands are asked about, as the settings name it.
    pub(crate) approval: String,
    /// What commands may touch, as the settings name it.
    pub(crate) sandbox: String,
}

/// One JSON event a line.
pub(crate) struct JsonReport<W> {
    out: W,
    events: EventStream,
}

impl<W: Write> JsonReport<W> {
    /// Writes to `out`, which is flushed after each event.
    pub(crate) fn new(out: W) -> Self {
        Self { out, events: EventStream::default() }
    }

    fn print(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event).map_err(io::Error::other)?;
        line.push(b'\n');
        self.out.write_all(&line)?;
        self.out.flush()
    }
}

impl<W: Write> Report for JsonReport<W> {
    fn thread(&mut self, about: &ThreadFacts) -> io::Result<()> {
        self.print(&Event::ThreadStarted { thread_id: about.id.clone() })
    }

    fn hear(&mut self, said: &ServerNotification) -> io::Result<()> {
        self.events.hear(said).iter().try_for_each(|event| self.print(event))
    }

    fn end(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.events.end(outcome).iter().try_for_each(|event| self.print(event))
    }
}

/// Turns notifications into events. Pure.
#[derive(Debug, Default)]
pub(crate) struct EventStream {
    /// Ids of the daemon's items to numbers of ours.
    ids: HashMap<String, usize>,
    /// The number that comes next.
    next: usize,
    /// The list of steps, once there is one.
    todo: Option<Item>,
    /// What the thread has used.
    usage: Usage,
    /// Whether the start of the turn was told.
    is_started: bool,
}

impl EventStream {
    /// The events that a notification causes.
    ///
    /// A prompt that joins a running turn hears no start of its own, so the first sign of the
    /// turn counts as its start.
    pub(crate) fn hear(&mut self, said: &ServerNotification) -> Vec<Event> {
        let mut events = self.told(said);
        let is_of_turn = match said {
            ServerNotification::TurnStarted(_) => true,
            ServerNotification::Warning(_) | ServerNotification::ConfigWarning(_) => false,
            _ => !events.is_empty(),
        };
        if is_of_turn && !std::mem::replace(&mut self.is_started, true) {
            events.insert(0, Event::TurnStarted);
        }
        events
    }

    fn told(&mut self, said: &ServerNotification) -> Vec<Event> {
        match said {
            ServerNotification::ItemStarted(started) => self.started(&started.item),
            ServerNotification::ItemCompleted(completed) => self.completed(&completed.item),
            ServerNotification::TurnPlanUpdated(plan) => vec![self.plan(plan)],
            ServerNotification::ThreadTokenUsageUpdated(update) => {
                self.usage = Usage::from(&update.token_usage.total);
                Vec::new()
            }
            ServerNotification::Error(error) => {
                vec![Event::Error { message: error_text(error) }]
            }
            ServerNotification::Warning(warning) => vec![self.trouble(warning.message.clone())],
            ServerNotification::ConfigWarning(warning) => {
                let details = warning.details.as_ref();
                let message = details.map_or_else(
                    || warning.summary.clone(),
                    |details| format!("{}\n{details}", warning.summary),
                );
                vec![self.trouble(message)]
            }
            _ => Vec::new(),
        }
    }

    /// The events that end the stream.
    pub(crate) fn end(&mut self, outcome: &Outcome) -> Vec<Event> {
        let mut events = Vec::new();
        if let Some(item) = self.todo.take() {
            events.push(Event::ItemCompleted { item });
        }
        events.push(match outcome {
            Outcome::Completed => Event::TurnCompleted { usage: self.usage },
            Outcome::Failed(message) => {
                Event::TurnFailed { error: Failure { message: message.clone() } }
            }
            Outcome::Interrupted => {
                Event::TurnFailed { error: Failure { message: "interrupted".to_owned() } }
            }
        });
        events
    }

    fn started(&mut self, item: &ThreadItem) -> Vec<Event> {
        match body_of(item).filter(has_start) {
            Some(body) => {
                let id = self.id_of(item_id(item));
                vec![Event::ItemStarted { item: Item { id, body } }]
            }
            None => Vec::new(),
        }
    }

    fn completed(&mut self, item: &ThreadItem) -> Vec<Event> {
        match body_of(item) {
            Some(body) => {
                let id = self.id_of(item_id(item));
                vec![Event::ItemCompleted { item: Item { id, body } }]
            }
            None => Vec::new(),
        }
    }

    /// The list of steps is one item: it starts once, changes, and is whole when the turn ends.
    fn plan(&mut self, update: &TurnPlanUpdatedNotification) -> Event {
        let body = todo_list(&update.plan);
        if let Some(item) = &mut self.todo {
            item.body = body;
            return Event::ItemUpdated { item: item.clone() };
        }
        let item = Item { id: self.new_id(), body };
        self.todo = Some(item.clone());
        Event::ItemStarted { item }
    }

    fn trouble(&mut self, message: String) -> Event {
        Event::ItemCompleted { item: Item { id: self.new_id(), body: ItemBody::Error { message } } }
    }

    fn id_of(&mut self, id: &str) -> String {
        if let Some(number) = self.ids.get(id) {
            return format!("item_{number}");
        }
        self.ids.insert(id.to_owned(), self.next);
        self.new_id()
    }

    fn new_id(&mut self) -> String {
        let id = format!("item_{}", self.next);
        self.next += 1;
        id
    }
}

/// What is wrong, with the details of a failure that is tried again.
fn error_text(error: &ErrorNotification) -> String {
    match (&error.error.additional_details, error.will_retry) {
        (Some(details), true) => format!("{} ({details})", error.error.message),
        _ => error.error.message.clone(),
    }
}

#[cfg(test)]
mod tests;

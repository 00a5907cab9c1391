//! What a line means for the turns of a thread, read with as little parsing as possible.

use std::borrow::Cow;

use serde::Deserialize;
use spindle_schema::ids::TurnId;

use super::envelope::{Envelope, plain_text};

/// What a line means for turns.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A turn begins.
    Start(TurnId),
    /// A turn ends. Old lines do not say which: the one that is open.
    End(Option<TurnId>),
    /// An item is whole.
    Item(ItemMeaning),
}

/// What is known of an item before it is read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ItemMeaning {
    /// Its turn.
    pub(crate) turn: TurnId,
    /// Its id; empty where it has none.
    pub(crate) id: Box<str>,
    /// What a summary needs to know.
    pub(crate) role: Role,
}

/// Who speaks in an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The person.
    User,
    /// The model.
    Agent,
    /// Nobody: a command, a patch, …
    Other,
}

impl Meaning {
    /// Of a line; `None` when it says nothing of turns.
    pub(crate) fn of(line: &Envelope<'_>) -> Option<Self> {
        match &*line.event()? {
            "task_started" | "turn_started" => Some(Self::Start(turn_id(line)?)),
            "task_complete" | "turn_complete" | "turn_aborted" => Some(Self::End(turn_id(line))),
            "item_completed" => item(line).map(Self::Item),
            _ => None,
        }
    }
}

fn turn_id(line: &Envelope<'_>) -> Option<TurnId> {
    #[derive(Deserialize)]
    struct Turn {
        turn_id: TurnId,
    }
    line.payload::<Turn>().map(|turn| turn.turn_id)
}

fn item(line: &Envelope<'_>) -> Option<ItemMeaning> {
    let (turn, kind, id) = fast(line.payload).or_else(|| slow(line))?;
    let role = match &*kind {
        "UserMessage" => Role::User,
        "AgentMessage" => Role::Agent,
        _ => Role::Other,
    };
    Some(ItemMeaning { turn: TurnId::new(&*turn), id: (&*id).into(), role })
}

type Names<'a> = (Cow<'a, str>, Cow<'a, str>, Cow<'a, str>);

/// Turn, kind and id of an item whose members stand in the order that programs write.
fn fast(payload: &[u8]) -> Option<Names<'_>> {
    let rest = payload.strip_prefix(b"{\"type\":\"item_completed\",\"thread_id\":\"")?;
    let (_, rest) = plain_text(rest)?;
    let (turn, rest) = plain_text(rest.strip_prefix(b",\"turn_id\":\"")?)?;
    let (kind, rest) = plain_text(rest.strip_prefix(b",\"item\":{\"type\":\"")?)?;
    let (id, _) = plain_text(rest.strip_prefix(b",\"id\":\"")?)?;
    Some((turn.into(), kind.into(), id.into()))
}

fn slow<'a>(line: &Envelope<'a>) -> Option<Names<'a>> {
    #[derive(Deserialize)]
    struct Item<'a> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'a, str>,
        #[serde(default, borrow)]
        id: Option<Cow<'a, str>>,
    }
    #[derive(Deserialize)]
    struct Completed<'a> {
        #[serde(borrow)]
        turn_id: Cow<'a, str>,
        #[serde(borrow)]
        item: Item<'a>,
    }
    let read: Completed<'a> = line.payload()?;
    Some((read.turn_id, read.item.kind, read.item.id.unwrap_or_default()))
}

#[cfg(test)]
mod tests;

//! What was said in a rollout, as far as it can be searched: the words of people and models, and
//! commands.

use std::borrow::Cow;
use std::fs::File;
use std::io;

use serde::Deserialize;
use spindle_schema::item::TurnItem;
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::rollout::RolloutItem;

use super::envelope::Envelope;
use super::parse;
use super::scan::Forward;

/// What a part of a file says, and where its last whole line ends.
///
/// # Errors
/// Those of reading. A line that cannot be read says nothing.
pub(crate) fn said(file: &File, from: u64, to: u64) -> io::Result<(Vec<String>, u64)> {
    let mut said = Vec::new();
    let mut end = from;
    let mut lines = Forward::new(file, from, to);
    while let Some(line) = lines.next()? {
        if !line.ended {
            break;
        }
        end = line.end();
        let words = match Envelope::read(line.bytes) {
            Some(line) => of_line(&line),
            None => of_bare(line.bytes),
        };
        said.extend(words.filter(|words| !words.trim().is_empty()));
    }
    Ok((said, end))
}

/// What an item says; `None` for kinds that are not searched.
pub(crate) fn of_item(item: &TurnItem) -> Option<String> {
    use spindle_schema::item::UserInput;
    match item {
        TurnItem::UserMessage(message) => {
            let text = message.content.iter().filter_map(|part| match part {
                UserInput::Text { text, .. } => Some(text.as_str()),
                _ => None,
            });
            Some(text.collect())
        }
        TurnItem::AgentMessage(message) => Some(message.text()),
        TurnItem::CommandExecution(command) => Some(command.command.join(" ")),
        _ => None,
    }
}

fn of_line(line: &Envelope<'_>) -> Option<String> {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        message: Cow<'a, str>,
    }
    match &*line.event()? {
        "item_completed" => of_completed(line),
        "user_message" | "agent_message" => {
            line.payload::<Message<'_>>().map(|read| read.message.into_owned())
        }
        _ => None,
    }
}

fn of_completed(line: &Envelope<'_>) -> Option<String> {
    #[derive(Deserialize)]
    struct Part<'a> {
        #[serde(default, borrow)]
        text: Option<Cow<'a, str>>,
    }
    #[derive(Deserialize)]
    #[serde(tag = "type")]
    enum Item<'a> {
        UserMessage {
            #[serde(borrow)]
            content: Vec<Part<'a>>,
        },
        AgentMessage {
            #[serde(borrow)]
            content: Vec<Part<'a>>,
        },
        CommandExecution {
            #[serde(borrow)]
            command: Vec<Cow<'a, str>>,
        },
        #[serde(other)]
        Other,
    }
    #[derive(Deserialize)]
    struct Completed<'a> {
        #[serde(borrow)]
        item: Item<'a>,
    }
    match line.payload::<Completed<'_>>()?.item {
        Item::UserMessage { content } | Item::AgentMessage { content } => {
            Some(content.into_iter().filter_map(|part| part.text).collect())
        }
        Item::CommandExecution { command } => Some(command.join(" ")),
        Item::Other => None,
    }
}

/// The oldest files hold nothing but what the model saw.
fn of_bare(line: &[u8]) -> Option<String> {
    let RolloutItem::Response(item) = parse::line(line).ok()?.item else { return None };
    let ResponseItem::Message(message) = item.item else { return None };
    let words: String = message.content.iter().filter_map(|part| part.text()).collect();
    let is_said = matches!(message.role, Role::User | Role::Assistant);
    // What the program says in the person's name stands in tags.
    (is_said && !words.trim_start().starts_with('<')).then_some(words)
}

#[cfg(test)]
mod tests;

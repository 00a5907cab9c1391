//! What a list shows of a thread, worked out from the lines of its rollout.
//!
//! [`Facts::push`] is the one function behind every row, whether the row grows while a thread is
//! written or is made again from the file. A fact either stands in the first line that tells it
//! or in the last one; so a long file needs only its two ends.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use spindle_schema::event::TurnStatus;
use spindle_schema::ids::ThreadId;
use spindle_schema::item::UserInput;
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::rollout::{GitInfo, RolloutItem};
use spindle_schema::settings::SessionSource;

use crate::rollout::envelope::{Envelope, to_ms};
use crate::rollout::parse;

/// The longest preview, in bytes.
const PREVIEW_BYTES: usize = 2000;
/// Clients that send context with a message put this line before the person's own words.
const OWN_WORDS: &str = "## My request for Codex:";

/// The header's part of a row. It never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) id: ThreadId,
    pub(crate) timestamp: Box<str>,
    #[serde(default)]
    pub(crate) cwd: Box<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<Box<str>>,
    #[serde(default)]
    pub(crate) originator: Box<str>,
    #[serde(default)]
    pub(crate) cli_version: Box<str>,
    #[serde(default)]
    pub(crate) source: SessionSource,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thread_source: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model_provider: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) history_mode: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) forked_from_id: Option<ThreadId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent_thread_id: Option<ThreadId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) git: Option<GitInfo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) history_base: Option<Base>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent_nickname: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent_role: Option<Box<str>>,
}

/// The rollout that another one continues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Base {
    pub(crate) thread_id: ThreadId,
    pub(crate) end_ordinal_exclusive: u64,
}

impl Head {
    /// What can be said of a file without a readable header.
    pub(crate) fn unknown(id: ThreadId, made_ms: i64) -> Self {
        Self {
            id,
            timestamp: stamp(made_ms),
            cwd: Box::default(),
            session_id: None,
            originator: Box::default(),
            cli_version: Box::default(),
            source: SessionSource::Unknown,
            thread_source: None,
            model_provider: None,
            history_mode: None,
            forked_from_id: None,
            parent_thread_id: None,
            git: None,
            history_base: None,
            agent_nickname: None,
            agent_role: None,
        }
    }

    /// When the thread was made, in Unix milliseconds.
    pub(crate) fn created_ms(&self) -> i64 {
        to_ms(&self.timestamp).unwrap_or(0)
    }
}

/// A moment as rollouts hold it.
pub(crate) fn stamp(ms: i64) -> Box<str> {
    let at = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{at:.3}").into()
}

/// What is known so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Facts {
    /// The first header.
    pub(crate) head: Option<Head>,
    /// The first words of the person.
    pub(crate) preview: Option<Box<str>>,
    /// The folder of the first turn, for files whose header tells none.
    pub(crate) first_cwd: Option<Box<str>>,
    /// The last model.
    pub(crate) model: Option<Box<str>>,
    /// How hard it thinks.
    pub(crate) effort: Option<Box<str>>,
    /// How the last turn stands.
    pub(crate) last_turn: Option<TurnStatus>,
    /// The last time anything was said. Unix milliseconds.
    pub(crate) updated_ms: Option<i64>,
    /// The last time a turn was asked for. Unix milliseconds.
    pub(crate) recency_ms: Option<i64>,
}

#[derive(Deserialize)]
struct Settings<'a> {
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow, alias = "reasoning_effort")]
    effort: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct SettingsApplied<'a> {
    #[serde(borrow)]
    thread_settings: Settings<'a>,
}

impl Facts {
    /// Takes in the next line.
    pub(crate) fn push(&mut self, line: &[u8]) {
        let Some(line) = Envelope::read(line) else { return self.push_bare(line) };
        match &*line.kind {
            "session_meta" => self.push_header(&line),
            "turn_context" => {
                if let Some(context) = line.payload() {
                    self.push_settings(context);
                }
            }
            "response_item" => self.touch(&line),
            "event_msg" => self.push_event(&line),
            _ => {}
        }
    }

    /// The oldest files have lines without an outside.
    fn push_bare(&mut self, line: &[u8]) {
        let Ok(line) = parse::line(line) else { return };
        match line.item {
            RolloutItem::SessionMeta(meta) if self.head.is_none() => {
                let made_ms = to_ms(&meta.timestamp).unwrap_or(0);
                self.head = Some(Head { source: meta.source, ..Head::unknown(meta.id, made_ms) });
            }
            RolloutItem::Response(item) if self.preview.is_none() => {
                let ResponseItem::Message(message) = item.item else { return };
                let words: String = message.content.iter().filter_map(|part| part.text()).collect();
                // What the program says in the person's name stands in tags.
                if message.role == Role::User && !words.trim_start().starts_with('<') {
                    self.preview = Some(shorten(&words).into());
                }
            }
            _ => {}
        }
    }

    fn push_header(&mut self, line: &Envelope<'_>) {
        if self.head.is_none() {
            self.head = line.payload::<Head>().map(|mut head| {
                head.git = head.git.filter(|git| {
                    git.commit_hash.is_some()
                        || git.branch.is_some()
                        || git.repository_url.is_some()
                });
                head
            });
        }
    }

    fn push_settings(&mut self, settings: Settings<'_>) {
        if let Some(model) = settings.model {
            self.model = Some(model.into());
            self.effort = settings.effort.map(Into::into);
        }
        if self.first_cwd.is_none() {
            self.first_cwd = settings.cwd.map(Into::into);
        }
    }

    fn push_event(&mut self, line: &Envelope<'_>) {
        let Some(event) = line.event() else { return };
        match &*event {
            "task_started" | "turn_started" => {
                self.last_turn = Some(TurnStatus::InProgress);
                self.touch(line);
                self.recency_ms = line.at_ms().or(self.recency_ms);
            }
            "task_complete" | "turn_complete" => {
                self.last_turn = Some(ended(line));
                self.touch(line);
            }
            "turn_aborted" => {
                self.last_turn = Some(TurnStatus::Interrupted);
                self.touch(line);
            }
            "item_completed" | "user_message" => {
                self.touch(line);
                self.push_message(line);
                if event == "user_message" {
                    self.recency_ms = line.at_ms().or(self.recency_ms);
                }
            }
            "agent_message" => self.touch(line),
            "thread_settings_applied" => {
                if let Some(applied) = line.payload::<SettingsApplied<'_>>() {
                    self.push_settings(applied.thread_settings);
                }
            }
            _ => {}
        }
    }

    fn push_message(&mut self, line: &Envelope<'_>) {
        if self.preview.is_none()
            && let Some(words) = words(line)
        {
            self.preview = Some(words);
        }
    }

    fn touch(&mut self, line: &Envelope<'_>) {
        self.updated_ms = line.at_ms().or(self.updated_ms);
    }

    /// Whether nothing that stands in a first line is missing.
    pub(crate) fn beginning_is_known(&self) -> bool {
        let folder = self.head.as_ref().is_some_and(|head| !head.cwd.is_empty());
        self.preview.is_some() && (folder || self.first_cwd.is_some())
    }
}

/// Which of the facts that stand in a last line a walk from the end has passed.
#[derive(Debug, Default)]
pub(crate) struct EndSeen {
    settings: bool,
    started: bool,
    touched: bool,
}

impl EndSeen {
    /// Takes in a line, the last one first. Tells whether [`Facts::push`] needs it.
    pub(crate) fn look(&mut self, line: &[u8]) -> bool {
        let Some(line) = Envelope::read(line) else { return false };
        match &*line.kind {
            "turn_context" => !std::mem::replace(&mut self.settings, true),
            "response_item" => !std::mem::replace(&mut self.touched, true),
            "event_msg" => self.look_event(&line),
            _ => false,
        }
    }

    fn look_event(&mut self, line: &Envelope<'_>) -> bool {
        match line.event().as_deref() {
            Some("task_started" | "turn_started") => {
                self.touched = true;
                !std::mem::replace(&mut self.started, true)
            }
            Some("task_complete" | "turn_complete" | "turn_aborted") => {
                self.touched = true;
                !self.started
            }
            Some("user_message") => {
                self.touched = true;
                !self.started
            }
            Some("item_completed" | "agent_message") => !std::mem::replace(&mut self.touched, true),
            Some("thread_settings_applied") => !std::mem::replace(&mut self.settings, true),
            _ => false,
        }
    }

    /// Whether nothing further from the end can change a row.
    pub(crate) fn is_complete(&self) -> bool {
        self.settings && self.started && self.touched
    }
}

fn ended(line: &Envelope<'_>) -> TurnStatus {
    #[derive(Deserialize)]
    struct Ended {
        #[serde(default)]
        error: Option<serde::de::IgnoredAny>,
    }
    match line.payload::<Ended>() {
        Some(Ended { error: Some(_) }) => TurnStatus::Failed,
        _ => TurnStatus::Completed,
    }
}

/// What the person said, if the line is a message of theirs.
fn words(line: &Envelope<'_>) -> Option<Box<str>> {
    #[derive(Deserialize)]
    struct Item<'a> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'a, str>,
        #[serde(default)]
        content: Vec<UserInput>,
    }
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        item: Option<Item<'a>>,
        #[serde(borrow, rename = "message")]
        text: Option<Cow<'a, str>>,
        images: Option<Vec<serde::de::IgnoredAny>>,
    }
    // The kind alone says in most lines that it is something else.
    const USER: &[u8] = b"\"UserMessage\"";
    let legacy = line.event()? == "user_message";
    if !legacy && memchr::memmem::find(line.payload, USER).is_none() {
        return None;
    }
    let read: Message<'_> = line.payload()?;
    let text = match (read.item, read.text) {
        (Some(item), _) if item.kind == "UserMessage" => preview(&item.content),
        (None, Some(text)) if !text.trim().is_empty() => text.into_owned(),
        (None, Some(_)) if read.images.is_some_and(|images| !images.is_empty()) => IMAGE.into(),
        _ => return None,
    };
    Some(shorten(own_words(&text)).into())
}

/// Stands for a message that is only a picture.
const IMAGE: &str = "[Image]";

/// The words of a message, or what stands for it when it has none.
fn preview(content: &[UserInput]) -> String {
    let mut text = String::new();
    let mut instead = None;
    for part in content {
        match part {
            UserInput::Text { text: more, .. } => text.push_str(more),
            UserInput::Image { .. } | UserInput::LocalImage { .. } => {
                instead.get_or_insert_with(|| IMAGE.to_owned());
            }
            UserInput::Skill { name, .. } => {
                instead.get_or_insert_with(|| format!("${name}"));
            }
            UserInput::Mention { name, .. } => {
                instead.get_or_insert_with(|| format!("@{name}"));
            }
            UserInput::Other(_) => {
                instead.get_or_insert_with(|| "[Attachment]".to_owned());
            }
        }
    }
    if text.trim().is_empty() { instead.unwrap_or(text) } else { text }
}

fn own_words(text: &str) -> &str {
    text.rfind(OWN_WORDS).map_or(text, |at| text[at + OWN_WORDS.len()..].trim())
}

fn shorten(text: &str) -> &str {
    &text[..text.floor_char_boundary(PREVIEW_BYTES)]
}

#[cfg(test)]
mod tests;

//! What people note about threads: where a thread stands, what it belongs to, how far it is read.
//!
//! None of this is in a rollout. The store keeps it in a file of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{ThreadId, TurnId};
use crate::rollout::GitInfo;

/// What is noted about one thread, as far as lists show it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ThreadNotes {
    /// How far it has been read; `None` before anything was noted.
    pub read_state: Option<ReadState>,
    /// The section it stands in.
    pub placed: Option<Placed>,
    /// The project it belongs to.
    pub project: Option<Box<str>>,
    /// Git facts that replace those of its start. A member that is `None` keeps the old one, an
    /// empty one clears it.
    pub git: Option<GitInfo>,
    /// A switch of clients; nothing here depends on it.
    pub daybreak: Option<bool>,
}

impl ThreadNotes {
    /// The Git facts of a thread, with what was noted over those of its start.
    pub fn git_over(&self, start: Option<GitInfo>) -> Option<GitInfo> {
        let Some(noted) = &self.git else { return start };
        let start =
            start.unwrap_or(GitInfo { commit_hash: None, branch: None, repository_url: None });
        let pick = |noted: &Option<Box<str>>, start: Option<Box<str>>| match noted {
            None => start,
            Some(noted) => Some(noted.clone()).filter(|noted| !noted.is_empty()),
        };
        let git = GitInfo {
            commit_hash: pick(&noted.commit_hash, start.commit_hash),
            branch: pick(&noted.branch, start.branch),
            repository_url: pick(&noted.repository_url, start.repository_url),
        };
        let is_empty =
            git.commit_hash.is_none() && git.branch.is_none() && git.repository_url.is_none();
        (!is_empty).then_some(git)
    }
}

/// How far a thread has been read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadState {
    /// Another one after each change, also after one that leaves the rest as it was.
    pub revision: Box<str>,
    /// From where on it has not been read; `None` when all has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_unread: Option<Unread>,
}

impl ReadState {
    /// Of a thread about which nothing was noted.
    pub fn initial(thread: ThreadId) -> Self {
        Self { revision: format!("initial:{thread}").into(), first_unread: None }
    }
}

/// From where on a thread has not been read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Unread {
    /// From its beginning.
    ThreadStart,
    /// From this turn on.
    Turn {
        /// The turn.
        turn_id: TurnId,
    },
}

/// What a person does to the read state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMark {
    /// All has been read.
    Read,
    /// Nothing has.
    Unread,
}

/// The place of a thread in a section.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The section.
    pub section: Section,
    /// When the thread came into it. Unix milliseconds.
    pub entered_at_ms: i64,
}

/// A section that sorts threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Its id, a UUID.
    #[serde(skip)]
    pub id: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// How it looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<SectionLook>,
}

/// How a section looks. Words of the clients.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SectionLook {
    /// A colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Box<str>>,
    /// A picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<Box<str>>,
}

/// A project that groups threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// Its id, a UUID.
    #[serde(skip)]
    pub id: Box<str>,
    /// The caller's word for the request that made it: the same word makes no second one.
    pub key: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// Its folders. Absolute.
    pub roots: Vec<Box<str>>,
    /// What clients keep with it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Unix milliseconds.
    pub created_at_ms: i64,
    /// Unix milliseconds.
    pub updated_at_ms: i64,
    /// Its place among the others; smaller ones come first.
    pub rank: i64,
}

/// Something that belongs to a thread, such as a pull request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Its id, a UUID.
    #[serde(skip)]
    pub id: Box<str>,
    /// The client's word for its kind.
    pub kind: Box<str>,
    /// What makes it one and the same within its kind.
    pub key: Box<str>,
    /// What the client keeps with it.
    pub payload: Value,
    /// Unix milliseconds.
    pub created_at_ms: i64,
}

/// An attachment came or went.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachmentChange {
    /// Its id.
    pub id: Box<str>,
    /// Its kind.
    pub kind: Box<str>,
    /// Its key.
    pub key: Box<str>,
    /// Whether it came.
    pub is_new: bool,
}

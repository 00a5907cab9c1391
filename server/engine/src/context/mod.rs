//! What the model sees.
//!
//! [`conversation`] holds the history with everything that grows beside it and is the only way
//! to put an item into it: what is in context is on its way to disk first. [`world`] says what
//! the model is told about its surroundings, whole at first and as a difference later (SPEC H2).
//!
//! This room must not know tools, clients or how a turn goes.

mod compaction;
mod conversation;
mod environment;
pub(crate) mod git;
mod history;
mod input;
pub(crate) mod instructions;
mod metadata;
mod permissions;
mod prompt_text;
mod recorder;
mod restore;
mod room;
mod said;
mod world;

pub(crate) use compaction::Summary;
pub(crate) use conversation::{Conversation, Draft, ItemNote, Seed};
pub(crate) use input::{data_url, preview_of, to_content};
pub(crate) use metadata::{RequestKind, ResponsesMetadata, Sandboxing};
pub(crate) use permissions::{PROTECTED, permission_profile};
pub(crate) use prompt_text::{BASE_INSTRUCTIONS, COMPACT, PLAN_MODE, TURN_ABORTED};
pub(crate) use recorder::Recorder;
pub(crate) use restore::restore;
pub(crate) use room::{Limit, tokens};
pub(crate) use world::{Surroundings, World};

//! From the engine's words to the protocol's, and back. All pure.

pub(super) mod command;
pub(super) mod input;
pub(super) mod item;
pub(super) mod path;
pub(super) mod question;
pub(super) mod settings;
pub(super) mod thread;
pub(super) mod turn;

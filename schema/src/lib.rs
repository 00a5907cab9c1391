//! Every type that is on the wire or in a rollout.

pub mod event;
pub mod ids;
pub mod item;
pub mod model;
pub mod op;
pub mod rollout;
pub mod settings;

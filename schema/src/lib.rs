//! Every type that is on the wire or in a rollout.
//!
//! The wire: [`envelope`] is the message, [`methods`] the tables of what can be asked and told,
//! [`v2`] the params and results. Inside: [`op`] is what a session is told, [`event`] what it
//! says, [`model`] what is exchanged with the model, [`rollout`] what is stored, [`note`]
//! what people note about threads.

#[macro_use]
mod macros;

pub mod envelope;
pub mod event;
pub mod experimental;
pub mod export;
pub mod ids;
pub mod item;
pub mod maybe;
pub mod methods;
pub mod model;
pub mod note;
pub mod op;
pub mod rollout;
pub mod settings;
pub mod v2;

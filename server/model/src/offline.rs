//! The stand-in: a provider that needs no key and no network and is no language model.
//!
//! It speaks the Responses API over loopback, so that everything between the engine and a
//! model is used as with a real one. It must not know the engine, and it remembers nothing:
//! a request holds all there is to know.
//!
//! In reading order: `conversation` reads a request, `understand` (over `cursor`) reads
//! a message, `reply` decides, `command` makes shell commands and reads what came back,
//! `speech` finds the words, `server` streams them.

mod command;
mod conversation;
mod cursor;
mod reply;
mod server;
mod speech;
mod understand;

pub use server::{Pace, router, serve};

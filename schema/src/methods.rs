//! The methods of the protocol: what exists, what it takes, what it gives, in what order it runs.
//!
//! Each method is one line of a table: [`client`] holds what clients ask and tell, [`server`]
//! what the server asks and tells. Start reading there; the macros that turn a table into an
//! enum are in `macros.rs`.

pub mod client;
pub mod server;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

pub use client::{ClientNotification, ClientRequest};
pub use server::{ServerNotification, ServerRequest};

/// A request, seen from the side that makes it: params that know their method and its result.
///
/// Implemented by the params type of each method. Methods without params, and those that share
/// a params type with another method, have a type of their own in [`client`].
pub trait Request: Serialize {
    /// The method's name on the wire.
    const METHOD: &'static str;
    /// What a successful answer holds.
    type Result: Serialize + DeserializeOwned;
}

/// Which requests must run in the order in which they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope<'a> {
    /// No order: reads, and methods that stand alone.
    None,
    /// In order with others of the same thread, over all connections.
    Thread(&'a str),
    /// Alone on its connection.
    Connection,
    /// In order with all others of this kind.
    Global,
    /// In order with others of the connection that carry the same handle: a process, a watch,
    /// a search session.
    Handle(&'a str),
}

/// One line of a table, for listings and the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodInfo {
    /// The name on the wire.
    pub name: &'static str,
    /// The name of the params type in Rust, unless the method takes none.
    pub params: Option<&'static str>,
    /// Whether the params may be left out though the method has some.
    pub params_optional: bool,
    /// The name of the result type in Rust; notifications have none.
    pub result: Option<&'static str>,
    /// Whether the method is only for clients that asked for the experimental API.
    pub is_experimental: bool,
}

/// Why a message is no valid request or notification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No method has this name.
    #[error("unknown method `{0}`")]
    UnknownMethod(String),
    /// The params do not fit the method.
    #[error("{detail}")]
    InvalidParams {
        /// The method that was asked for.
        method: &'static str,
        /// What is wrong, as the decoder says it, for example "missing field `threadId`".
        detail: String,
    },
}

/// Reads the params of a method. Missing and null params are the same.
fn read<P: DeserializeOwned>(
    method: &'static str,
    params: Option<&RawValue>,
) -> Result<Box<P>, ParseError> {
    let text = present(params).ok_or_else(|| missing(method))?;
    serde_json::from_str(text).map(Box::new).map_err(|e| invalid(method, text, &e))
}

/// Reads params that may be left out.
fn read_or_default<P: DeserializeOwned + Default>(
    method: &'static str,
    params: Option<&RawValue>,
) -> Result<Box<P>, ParseError> {
    match present(params) {
        Some(_) => read(method, params),
        None => Ok(Box::default()),
    }
}

fn present(params: Option<&RawValue>) -> Option<&str> {
    params.map(RawValue::get).filter(|text| *text != "null")
}

fn missing(method: &'static str) -> ParseError {
    ParseError::InvalidParams { method, detail: "missing field `params`".to_owned() }
}

#[cold]
fn invalid(method: &'static str, text: &str, error: &serde_json::Error) -> ParseError {
    ParseError::InvalidParams { method, detail: detail::of(text, error) }
}

mod detail;

/// A member of params that orders requests.
trait Key {
    fn key(&self) -> Option<&str>;
}

impl Key for String {
    fn key(&self) -> Option<&str> {
        Some(self)
    }
}

impl Key for Option<String> {
    fn key(&self) -> Option<&str> {
        self.as_deref()
    }
}

#[cfg(test)]
mod tests;

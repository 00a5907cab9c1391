//! Writing: each function appends one message to a buffer, without a line break.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Dialect;
use crate::ids::RequestId;
use crate::methods::{ServerNotification, ServerRequest};

/// What an error answer says.
#[derive(Debug, Clone, Copy)]
pub struct ErrorObject<'a> {
    /// A code of JSON-RPC or of the protocol.
    pub code: i64,
    /// One sentence for people.
    pub message: &'a str,
    /// More for programs, where a method defines it.
    pub data: Option<&'a RawValue>,
}

/// Appends a value as JSON text.
pub(crate) fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value)
        .expect("writing to memory does not fail and the protocol's types have text keys");
}

/// Appends `{"id":…,"result":…}`. A result that is JSON text already is a `RawValue`.
pub fn write_result<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    dialect: Dialect,
    id: &RequestId,
    result: &T,
) {
    open(out, dialect);
    out.extend_from_slice(b"\"id\":");
    write_json(out, id);
    out.extend_from_slice(b",\"result\":");
    write_json(out, result);
    out.push(b'}');
}

/// Appends `{"error":{"code":…,"data":…,"message":…},"id":…}`. An unknown id is null.
pub fn write_error(
    out: &mut Vec<u8>,
    dialect: Dialect,
    id: Option<&RequestId>,
    error: ErrorObject<'_>,
) {
    open(out, dialect);
    out.extend_from_slice(b"\"error\":{\"code\":");
    write_json(out, &error.code);
    if let Some(data) = error.data {
        out.extend_from_slice(b",\"data\":");
        out.extend_from_slice(data.get().as_bytes());
    }
    out.extend_from_slice(b",\"message\":");
    write_json(out, error.message);
    out.extend_from_slice(b"},\"id\":");
    write_json(out, &id);
    out.push(b'}');
}

/// Appends `{"method":…,"params":…,"emittedAtMs":…}`.
pub fn write_notification(
    out: &mut Vec<u8>,
    dialect: Dialect,
    notification: &ServerNotification,
    emitted_at_ms: i64,
) {
    open_method(out, dialect, notification.method());
    out.extend_from_slice(b",\"params\":");
    notification.write_params(out);
    close_notification(out, emitted_at_ms);
}

/// Appends `{"method":…,"params":…,"emittedAtMs":…}` with params that are JSON text already.
pub fn write_raw_notification(
    out: &mut Vec<u8>,
    dialect: Dialect,
    method: &str,
    params: &[u8],
    emitted_at_ms: i64,
) {
    open_method(out, dialect, method);
    out.extend_from_slice(b",\"params\":");
    out.extend_from_slice(params);
    close_notification(out, emitted_at_ms);
}

/// Appends `{"method":…,"id":…,"params":…}`.
pub fn write_server_request(
    out: &mut Vec<u8>,
    dialect: Dialect,
    id: &RequestId,
    request: &ServerRequest,
) {
    open_method(out, dialect, request.method());
    out.extend_from_slice(b",\"id\":");
    write_json(out, id);
    out.extend_from_slice(b",\"params\":");
    request.write_params(out);
    out.push(b'}');
}

/// Appends `{"method":…,"id":…,"params":…}` for any method, as a client does.
pub fn write_request<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    dialect: Dialect,
    id: &RequestId,
    method: &str,
    params: &T,
) {
    open_method(out, dialect, method);
    out.extend_from_slice(b",\"id\":");
    write_json(out, id);
    out.extend_from_slice(b",\"params\":");
    write_json(out, params);
    out.push(b'}');
}

fn open(out: &mut Vec<u8>, dialect: Dialect) {
    out.extend_from_slice(match dialect {
        Dialect::Bare => b"{",
        Dialect::Versioned => b"{\"jsonrpc\":\"2.0\",",
    });
}

fn open_method(out: &mut Vec<u8>, dialect: Dialect, method: &str) {
    open(out, dialect);
    out.extend_from_slice(b"\"method\":");
    write_json(out, method);
}

fn close_notification(out: &mut Vec<u8>, emitted_at_ms: i64) {
    out.extend_from_slice(b",\"emittedAtMs\":");
    write_json(out, &emitted_at_ms);
    out.push(b'}');
}

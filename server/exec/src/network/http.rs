//! The head of a request to a proxy: read, judged by its form, and written anew. Pure.
//!
//! What is passed on is written by us from what was understood, so that the other end cannot read
//! it in another way. One connection carries one request: a second one could be for another host.

use std::fmt::Write as _;

use crate::policy::Protocol;

use super::body::{Body, Pieces};
use super::host::Host;
use super::limit::Target;

#[cfg(test)]
mod tests;

/// Bytes that the head of a request may have.
pub(super) const MAX_HEAD: usize = 32 * 1024;
/// Lines that it may have.
const MAX_LINES: usize = 100;

/// A request to a proxy.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Where it is to go.
    pub(super) target: Target,
    /// What is to be done there.
    pub(super) what: What,
    /// Bytes of the head.
    pub(super) length: usize,
}

/// What a request asks of a proxy.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum What {
    /// To connect and pass everything on.
    Tunnel,
    /// To pass one request on.
    Pass {
        /// Its method.
        method: String,
        /// Its head, as it is passed on.
        head: Vec<u8>,
        /// Its body.
        body: Body,
    },
}

/// Why a head is not taken: what the other end is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault(pub(super) &'static str);

/// Headers that are meant for the next hop only, and so not passed on.
const NEXT_HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
    "http2-settings",
];

/// Reads a head from the beginning of `bytes`; `None` while it is not all there.
pub(super) fn read(bytes: &[u8]) -> Result<Option<Request>, Fault> {
    let mut space = [httparse::EMPTY_HEADER; MAX_LINES];
    let mut request = httparse::Request::new(&mut space);
    let length = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) if bytes.len() < MAX_HEAD => return Ok(None),
        Ok(httparse::Status::Partial) => return Err(Fault("the head of the request is too long")),
        Err(_) => return Err(Fault("the request cannot be read")),
    };
    let method = request.method.unwrap_or_default();
    let path = request.path.unwrap_or_default();
    if method == "CONNECT" {
        let target = authority(path, None).ok_or(Fault("CONNECT takes a host and a port"))?;
        let target = Target { protocol: Protocol::Https, ..target };
        return Ok(Some(Request { target, what: What::Tunnel, length }));
    }
    let (target, path) = absolute(path).ok_or(Fault("a proxy takes whole http addresses"))?;
    let body = body(request.headers, request.version)?;
    let head = Head { method, path: &path, target: &target, version: request.version }
        .with(request.headers);
    let what = What::Pass { method: method.to_owned(), head, body };
    Ok(Some(Request { target, what, length }))
}

/// Splits `http://host:port/path?query`; what follows a `#` stays here.
fn absolute(url: &str) -> Option<(Target, String)> {
    let scheme = url.get(..7)?;
    if !scheme.eq_ignore_ascii_case("http://") {
        return None;
    }
    let rest = url[7..].split('#').next()?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (place, path) = rest.split_at(end);
    let target = authority(place, Some(80))?;
    Some((target, if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }))
}

/// Splits a host from a port. Names of users are not taken.
fn authority(text: &str, usual: Option<u16>) -> Option<Target> {
    let (host, port) = match text.rsplit_once(':') {
        // The colon of an address of version 6 is no colon before a port.
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
        _ => (text, usual?),
    };
    if port == 0 || (host.contains(':') && !host.starts_with('[')) {
        return None;
    }
    Some(Target { protocol: Protocol::Http, host: Host::parse(host)?, port })
}

/// Finds out how the body ends. Whatever could be read in two ways is refused.
fn body(headers: &[httparse::Header<'_>], version: Option<u8>) -> Result<Body, Fault> {
    let unclear = Fault("it is not clear where the request ends");
    let all = |name: &'static str| {
        let named = headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value.trim_ascii())
    };
    let mut encodings = all("transfer-encoding");
    let mut lengths = all("content-length");
    match (encodings.next(), lengths.next()) {
        (None, None) => Ok(Body::NONE),
        (Some(encoding), None) => {
            let in_pieces = encoding.eq_ignore_ascii_case(b"chunked");
            let clear = in_pieces && encodings.next().is_none() && version == Some(1);
            if clear { Ok(Body::Pieces(Pieces::default())) } else { Err(unclear) }
        }
        (None, Some(length)) => {
            let digits = !length.is_empty() && length.iter().all(u8::is_ascii_digit);
            let text = std::str::from_utf8(length).ok().filter(|_| digits);
            let number = text.and_then(|text| text.parse().ok()).ok_or(unclear)?;
            if lengths.next().is_none() { Ok(Body::Length(number)) } else { Err(unclear) }
        }
        (Some(_), Some(_)) => Err(unclear),
    }
}

/// The head of a request as it is passed on.
struct Head<'a> {
    method: &'a str,
    path: &'a str,
    target: &'a Target,
    version: Option<u8>,
}

impl Head<'_> {
    fn with(&self, headers: &[httparse::Header<'_>]) -> Vec<u8> {
        let named_by_connection = |name: &str| {
            let connection = headers.iter().filter(|h| h.name.eq_ignore_ascii_case("connection"));
            let text = connection.map(|header| String::from_utf8_lossy(header.value));
            text.into_iter()
                .any(|text| text.split(',').any(|word| word.trim().eq_ignore_ascii_case(name)))
        };
        let mut head = String::new();
        let version = self.version.unwrap_or(1);
        // Writing to a text cannot fail.
        let _ = write!(head, "{} {} HTTP/1.{version}\r\nHost: ", self.method, self.path);
        let place = self.target.to_string();
        let shown = if self.target.port == 80 { place.strip_suffix(":80") } else { None };
        let _ = write!(head, "{}\r\n", shown.unwrap_or(&place));
        let mut head = head.into_bytes();
        for header in headers {
            let name = header.name.to_ascii_lowercase();
            let frames = name == "transfer-encoding" || name == "content-length";
            let stays = name == "host"
                || NEXT_HOP.contains(&&*name)
                || (named_by_connection(&name) && !frames);
            if !stays {
                head.extend_from_slice(header.name.as_bytes());
                head.extend_from_slice(b": ");
                head.extend_from_slice(header.value.trim_ascii());
                head.extend_from_slice(b"\r\n");
            }
        }
        head.extend_from_slice(b"Connection: close\r\n\r\n");
        head
    }
}

/// An answer of the proxy itself, after which the connection is closed.
pub(super) fn answer(status: &str, text: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{text}\n",
        text.len() + 1
    )
}

/// The answer to `CONNECT` that all is passed on from here.
pub(super) const CONNECTED: &str = "HTTP/1.1 200 Connection established\r\n\r\n";

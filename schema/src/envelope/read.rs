//! Reading: one pass over the members, payloads kept as text.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Dialect, Envelope, Incoming, MAX_DEPTH, Reason, Undecodable};
use crate::ids::RequestId;

impl<'a> Envelope<'a> {
    /// Reads one message.
    ///
    /// # Errors
    /// [`Undecodable`] with what is wrong, and the id if it stood before the fault.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Undecodable> {
        let mut members = Members::default();
        let outcome = members.fill(bytes).and_then(|()| members.classify());
        outcome.map_err(|reason| Undecodable { id: members.id.and_then(read_id), reason })
    }
}

/// The members of a message that mean something, as they came.
#[derive(Default)]
struct Members<'a> {
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    trace: Option<&'a RawValue>,
    jsonrpc: Option<&'a RawValue>,
    duplicate: Option<&'static str>,
}

impl<'a> Members<'a> {
    fn fill(&mut self, bytes: &'a [u8]) -> Result<(), Reason> {
        let text = std::str::from_utf8(bytes).map_err(|_| Reason::NotUtf8)?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let outcome = Fill(self).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        match outcome {
            Ok(()) if is_deeper(bytes, MAX_DEPTH - 1) => Err(Reason::TooDeep),
            Ok(()) => Ok(()),
            Err(_) if text.trim_ascii().is_empty() => Err(Reason::Empty),
            Err(error) if error.is_data() => Err(Reason::NotObject),
            Err(error) => Err(Reason::Syntax(error.to_string())),
        }
    }

    fn classify(&mut self) -> Result<Envelope<'a>, Reason> {
        if let Some(name) = self.duplicate {
            if name == "id" {
                self.id = None;
            }
            return Err(Reason::Duplicate(name));
        }
        let id = match self.id {
            Some(raw) => Some(read_id(raw).ok_or(Reason::InvalidId)?),
            None => None,
        };
        let method = match self.method {
            Some(raw) => Some(read_text(raw).ok_or(Reason::InvalidMethod)?),
            None => None,
        };
        let message = match (method, id, self.result, self.error) {
            (Some(method), Some(id), ..) => {
                Incoming::Request { id, method, params: self.params, trace: self.trace }
            }
            (Some(method), None, ..) => Incoming::Notification { method, params: self.params },
            (None, Some(id), Some(result), _) => Incoming::Response { id, result },
            (None, Some(id), None, Some(error)) => Incoming::Error { id, error },
            _ => return Err(Reason::Shapeless),
        };
        let dialect = if self.jsonrpc.is_some() { Dialect::Versioned } else { Dialect::Bare };
        Ok(Envelope { message, dialect })
    }

    fn place(&mut self, member: Member) -> Option<(&mut Option<&'a RawValue>, &'static str)> {
        Some(match member {
            Member::Id => (&mut self.id, "id"),
            Member::Method => (&mut self.method, "method"),
            Member::Params => (&mut self.params, "params"),
            Member::Result => (&mut self.result, "result"),
            Member::Error => (&mut self.error, "error"),
            Member::Trace => (&mut self.trace, "trace"),
            Member::Jsonrpc => (&mut self.jsonrpc, "jsonrpc"),
            Member::Other => return None,
        })
    }
}

fn read_id(raw: &RawValue) -> Option<RequestId> {
    match raw.get().as_bytes().first()? {
        b'"' => serde_json::from_str(raw.get()).ok().map(RequestId::String),
        _ => raw.get().parse().ok().map(RequestId::Integer),
    }
}

fn read_text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    match text.strip_prefix('"')?.strip_suffix('"')? {
        plain if !plain.contains('\\') => Some(Cow::Borrowed(plain)),
        _ => serde_json::from_str(text).ok().map(Cow::Owned),
    }
}

/// Whether arrays and objects stand in one another more than `limit` times below the message.
fn is_deeper(bytes: &[u8], limit: usize) -> bool {
    if bytes.len() < 2 * limit {
        return false;
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'[' | b'{' => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// The name of a member.
#[derive(Clone, Copy)]
enum Member {
    Id,
    Method,
    Params,
    Result,
    Error,
    Trace,
    Jsonrpc,
    Other,
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Member;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a member")
            }

            fn visit_str<E>(self, name: &str) -> Result<Member, E> {
                Ok(match name {
                    "id" => Member::Id,
                    "method" => Member::Method,
                    "params" => Member::Params,
                    "result" => Member::Result,
                    "error" => Member::Error,
                    "trace" => Member::Trace,
                    "jsonrpc" => Member::Jsonrpc,
                    _ => Member::Other,
                })
            }
        }
        deserializer.deserialize_identifier(Name)
    }
}

/// Fills the members, so that those before a fault are known after it.
struct Fill<'m, 'a>(&'m mut Members<'a>);

impl<'a> DeserializeSeed<'a> for Fill<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Fill<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_key()? {
            let Some((place, name)) = self.0.place(member) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let is_repeated = place.replace(map.next_value()?).is_some();
            if is_repeated {
                self.0.duplicate.get_or_insert(name);
            }
        }
        Ok(())
    }
}

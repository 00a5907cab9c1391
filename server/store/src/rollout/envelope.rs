//! The outside of a line: time, number, kind. Read without its payload, because most lines of a
//! long file are only counted or passed over.

use std::borrow::Cow;

use memchr::memchr;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The outside of a line.
#[derive(Debug, PartialEq)]
pub(crate) struct Envelope<'a> {
    /// RFC 3339; empty in the oldest files.
    pub(crate) timestamp: Cow<'a, str>,
    /// The number in the logical history; absent in old files.
    pub(crate) ordinal: Option<u64>,
    /// `session_meta`, `event_msg`, …
    pub(crate) kind: Cow<'a, str>,
    /// Begins with the payload. What comes after it in the line may follow.
    pub(crate) payload: &'a [u8],
}

#[derive(Deserialize)]
struct Slow<'a> {
    #[serde(default, borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(default)]
    ordinal: Option<u64>,
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    payload: &'a RawValue,
}

impl<'a> Envelope<'a> {
    /// Reads the outside of a line; `None` when it is no record.
    ///
    /// The members stand in a fixed order in all files that programs write, so the first
    /// hundred bytes tell. Any other order is read as JSON.
    pub(crate) fn read(line: &'a [u8]) -> Option<Self> {
        Self::fast(line).or_else(|| Self::slow(line))
    }

    fn fast(line: &'a [u8]) -> Option<Self> {
        let (timestamp, rest) = plain_text(line.strip_prefix(b"{\"timestamp\":\"")?)?;
        let (ordinal, rest) = match rest.strip_prefix(b",\"ordinal\":") {
            Some(rest) => number(rest).map(|(number, rest)| (Some(number), rest))?,
            None => (None, rest),
        };
        let (kind, rest) = plain_text(rest.strip_prefix(b",\"type\":\"")?)?;
        let payload = rest.strip_prefix(b",\"payload\":")?;
        Some(Self { timestamp: timestamp.into(), ordinal, kind: kind.into(), payload })
    }

    fn slow(line: &'a [u8]) -> Option<Self> {
        let read: Slow<'a> = serde_json::from_slice(line).ok()?;
        Some(Self {
            timestamp: read.timestamp.unwrap_or_default(),
            ordinal: read.ordinal,
            kind: read.kind,
            payload: read.payload.get().as_bytes(),
        })
    }

    /// The line with another number, or with none, and a line end; `None` when its members do not
    /// stand in the usual order.
    pub(crate) fn renumbered(line: &'a [u8], ordinal: Option<u64>) -> Option<Vec<u8>> {
        let read = Self::fast(line)?;
        let mut text = Vec::with_capacity(line.len() + 32);
        text.extend(b"{\"timestamp\":\"");
        text.extend(read.timestamp.as_bytes());
        text.push(b'"');
        if let Some(ordinal) = ordinal {
            text.extend(format!(",\"ordinal\":{ordinal}").as_bytes());
        }
        text.extend(b",\"type\":\"");
        text.extend(read.kind.as_bytes());
        text.extend(b"\",\"payload\":");
        text.extend(read.payload);
        text.push(b'\n');
        Some(text)
    }

    /// Reads the payload; `None` when it has another form.
    pub(crate) fn payload<T: Deserialize<'a>>(&self) -> Option<T> {
        // A stream reads one value and leaves what follows it in the line.
        serde_json::Deserializer::from_slice(self.payload).into_iter().next()?.ok()
    }

    /// The `type` member of an event's payload.
    pub(crate) fn event(&self) -> Option<Cow<'a, str>> {
        #[derive(Deserialize)]
        struct Kind<'a> {
            #[serde(rename = "type", borrow)]
            kind: Cow<'a, str>,
        }
        if self.kind != "event_msg" {
            return None;
        }
        let fast = self.payload.strip_prefix(b"{\"type\":\"").and_then(plain_text);
        match fast {
            Some((kind, _)) => Some(kind.into()),
            None => self.payload::<Kind<'a>>().map(|read| read.kind),
        }
    }

    /// The time in Unix milliseconds.
    pub(crate) fn at_ms(&self) -> Option<i64> {
        to_ms(&self.timestamp)
    }
}

/// A time stamp in Unix milliseconds.
pub(crate) fn to_ms(timestamp: &str) -> Option<i64> {
    timestamp.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

/// A text without escapes up to its closing quote, and what follows.
pub(crate) fn plain_text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = memchr(b'"', bytes)?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    (!text.contains('\\')).then_some((text, &bytes[end + 1..]))
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = bytes.iter().position(|b| !b.is_ascii_digit())?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?.parse().ok()?, &bytes[end..]))
}

#[cfg(test)]
mod tests;

//! Messages with a header that tells their length, as language servers have them.
//!
//! Shape: `Content-Length: 2\r\n\r\n{}`.

use bytes::{Bytes, BytesMut};

use super::frame::{Fault, Inbound};

/// What a stream of such messages begins with.
const FIRST: &[u8] = b"content-length:";
/// No header is longer.
const MAX_HEADER_BYTES: usize = 8 << 10;

/// What the first bytes of a stream say about its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Too few to tell.
    Unclear,
    /// Lines.
    Lines,
    /// Messages with headers.
    Headed,
}

/// Tells the kind of a stream by its first bytes.
pub(crate) fn kind_of(bytes: &[u8]) -> Kind {
    let bytes = bytes.trim_ascii_start();
    let common = bytes.len().min(FIRST.len());
    match bytes[..common].eq_ignore_ascii_case(&FIRST[..common]) {
        false => Kind::Lines,
        true if common == FIRST.len() => Kind::Headed,
        true => Kind::Unclear,
    }
}

/// Cuts a stream of bytes into messages by their headers.
#[derive(Debug)]
pub(crate) struct Headed {
    limit: usize,
    /// The length of the message whose header was read.
    body: Option<usize>,
    /// How much of a message over the limit is still to be skipped.
    skip: usize,
}

impl Headed {
    /// Takes messages of up to `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, body: None, skip: 0 }
    }

    /// Takes the next whole message out of the buffer.
    ///
    /// # Errors
    /// [`Fault::Protocol`] when a header cannot be read: where the next message begins is not
    /// known then.
    pub(crate) fn next(&mut self, buffer: &mut BytesMut) -> Result<Option<Inbound>, Fault> {
        loop {
            let skipped = self.skip.min(buffer.len());
            drop(buffer.split_to(skipped));
            self.skip -= skipped;
            if self.skip > 0 {
                return Ok(None);
            }
            let Some(len) = self.body else {
                match header(buffer)? {
                    None => return Ok(None),
                    Some(len) if len > self.limit => {
                        self.skip = len;
                        return Ok(Some(Inbound::TooLong(self.limit)));
                    }
                    Some(len) => self.body = Some(len),
                }
                continue;
            };
            if buffer.len() < len {
                return Ok(None);
            }
            self.body = None;
            let message = buffer.split_to(len).freeze();
            if !message.trim_ascii().is_empty() {
                return Ok(Some(Inbound::Message(message)));
            }
        }
    }
}

/// Takes a whole header out of the buffer; gives the length it tells.
fn header(buffer: &mut BytesMut) -> Result<Option<usize>, Fault> {
    let start = buffer.len() - buffer.trim_ascii_start().len();
    drop(buffer.split_to(start));
    let Some(end) = memchr::memmem::find(buffer, b"\r\n\r\n") else {
        if buffer.len() > MAX_HEADER_BYTES {
            return Err(Fault::Protocol("header without end".into()));
        }
        return Ok(None);
    };
    let header = buffer.split_to(end + 4);
    let length = header.as_ref().split(|byte: &u8| *byte == b'\n').find_map(|line| {
        let (name, value) = line.split_at_checked(FIRST.len())?;
        let value = std::str::from_utf8(value).ok()?.trim();
        name.eq_ignore_ascii_case(FIRST).then(|| value.parse().ok())?
    });
    length.map(Some).ok_or_else(|| Fault::Protocol("header without a length".into()))
}

/// Messages with their headers, as one text.
pub(crate) fn with_headers(messages: impl Iterator<Item = Bytes>) -> Bytes {
    let mut text = Vec::new();
    for message in messages {
        text.extend_from_slice(format!("Content-Length: {}\r\n\r\n", message.len()).as_bytes());
        text.extend_from_slice(&message);
    }
    text.into()
}

#[cfg(test)]
mod tests;

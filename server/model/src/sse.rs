//! Bytes to server-sent events. Pure: no socket, no clock.
//!
//! The `data` of an event is all that is handed on; the payloads of every provider carry
//! their own `type`. An event that lies whole in one chunk is lent from that chunk, nothing
//! is copied. What the format does not know (other fields, lines without a colon) is passed
//! over, as the format demands: one odd line of a gateway must not end a turn.

use memchr::memchr2;

/// The most bytes one event may have. A provider that sends more is broken or hostile.
pub const MAX_EVENT_BYTES: usize = 64 << 20;

/// An event grew past [`MAX_EVENT_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is larger than {MAX_EVENT_BYTES} bytes")]
pub struct TooLarge;

/// Splits a body into events, however the network cut it.
#[derive(Debug, Default)]
pub struct Scanner {
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    /// The data lines of an event that a chunk's end cut in two, joined by line feeds.
    data: Vec<u8>,
    /// Whether `data` holds a line, which may be empty.
    has_data: bool,
    /// The last chunk ended with a carriage return: a line feed belongs to it.
    after_return: bool,
    /// The first line was seen: a byte order mark can only stand before it.
    begun: bool,
}

impl Scanner {
    /// Reads a chunk and calls `each` with the data of every event that is whole now.
    ///
    /// Text that is not UTF-8 is repaired with replacement characters. Stops at the first
    /// error of `each`.
    pub fn push<E: From<TooLarge>>(
        &mut self,
        chunk: &[u8],
        mut each: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = chunk;
        if self.after_return && !rest.is_empty() {
            self.after_return = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        let mut lent = Lent(None);
        while let Some(end) = memchr2(b'\n', b'\r', rest) {
            let (head, tail) = rest.split_at(end);
            if self.line.is_empty() {
                self.take_line(head, &mut lent, &mut each)?;
            } else {
                let mut line = std::mem::take(&mut self.line);
                line.extend_from_slice(head);
                self.take_joined_line(&line, &mut lent, &mut each)?;
                line.clear();
                self.line = line;
            }
            rest = self.after_line_end(tail);
        }
        self.line.extend_from_slice(rest);
        self.keep(&mut lent);
        if self.line.len() + self.data.len() > MAX_EVENT_BYTES {
            return Err(TooLarge.into());
        }
        Ok(())
    }

    fn after_line_end<'a>(&mut self, tail: &'a [u8]) -> &'a [u8] {
        match tail {
            [b'\r', b'\n', rest @ ..] => rest,
            [b'\r'] => {
                self.after_return = true;
                &[]
            }
            _ => &tail[1..],
        }
    }

    /// A line that was put together lives shorter than the chunk, so its data is copied.
    fn take_joined_line<E>(
        &mut self,
        line: &[u8],
        lent: &mut Lent<'_>,
        each: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        self.keep(lent);
        let mut short = Lent(None);
        self.take_line(line, &mut short, each)?;
        self.keep(&mut short);
        Ok(())
    }

    fn take_line<'a, E>(
        &mut self,
        line: &'a [u8],
        lent: &mut Lent<'a>,
        each: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let line = self.without_mark(line);
        if line.is_empty() {
            return self.dispatch(lent, each);
        }
        let value = match line.strip_prefix(b"data") {
            Some([b':', b' ', value @ ..] | [b':', value @ ..]) => value,
            Some([]) => &[],
            _ => return Ok(()),
        };
        if lent.0.is_none() && !self.has_data {
            lent.0 = Some(value);
        } else {
            self.keep(lent);
            self.append(value);
        }
        Ok(())
    }

    fn without_mark<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        if self.begun {
            return line;
        }
        self.begun = true;
        line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
    }

    fn dispatch<E>(
        &mut self,
        lent: &mut Lent<'_>,
        each: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(data) = lent.0.take() {
            return each(&String::from_utf8_lossy(data));
        }
        if !self.has_data {
            return Ok(());
        }
        self.has_data = false;
        let result = each(&String::from_utf8_lossy(&self.data));
        self.data.clear();
        result
    }

    fn keep(&mut self, lent: &mut Lent<'_>) {
        if let Some(data) = lent.0.take() {
            self.append(data);
        }
    }

    fn append(&mut self, value: &[u8]) {
        if self.has_data {
            self.data.push(b'\n');
        }
        self.has_data = true;
        self.data.extend_from_slice(value);
    }
}

/// The one data line of the event being read, as long as it lies in the chunk.
struct Lent<'a>(Option<&'a [u8]>);

#[cfg(test)]
mod tests;

//! Encoded messages, shared by all connections that get them.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use spindle_schema::envelope::{Dialect, write_error, write_notification, write_server_request};
use spindle_schema::ids::RequestId;
use spindle_schema::methods::{ServerNotification, ServerRequest};

use super::error::RpcError;

/// What a message of a strict client begins with, in the place of the brace.
const STRICT: &[u8] = b"{\"jsonrpc\":\"2.0\",";
/// The member with which the end of a notification begins. From here on all differs between the
/// ends of two deltas.
const STAMP: &[u8] = b",\"emittedAtMs\":";
/// The member with a notification's number, behind the stamp.
const NUMBER: &[u8] = b",\"seq\":";

/// What a packet costs beside its text.
pub(super) const PACKET_BYTES: usize = 128;

/// One or more whole messages as JSON text, in order, each ended by a line break.
///
/// Cloning shares the text.
#[derive(Debug, Clone)]
pub(crate) struct Packet {
    text: Bytes,
    marks: Marks,
}

/// Where the messages of a packet end, and what they are.
#[derive(Debug, Clone)]
enum Marks {
    One(Kind),
    Many(Arc<[Mark]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    /// Behind the line break.
    end: usize,
    kind: Kind,
}

/// What the outbox may do with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An answer or a request: nothing.
    Due,
    /// A notification: it may be unwanted.
    Told(&'static str),
    /// A notification with a piece of a text: may be unwanted, or joined with its neighbours.
    Piece {
        /// The method.
        method: &'static str,
        /// How many bytes stand before the piece.
        head: usize,
        /// How many bytes stand behind it, the line break included.
        tail: usize,
    },
}

impl Kind {
    fn method(self) -> Option<&'static str> {
        match self {
            Self::Due => None,
            Self::Told(method) | Self::Piece { method, .. } => Some(method),
        }
    }
}

impl Packet {
    /// An answer. The text ends with a line break.
    pub(crate) fn response(text: Vec<u8>) -> Self {
        debug_assert_eq!(text.last(), Some(&b'\n'));
        Self { text: text.into(), marks: Marks::One(Kind::Due) }
    }

    /// The refusal of a request; an unknown id is null.
    pub(crate) fn error(dialect: Dialect, id: Option<&RequestId>, error: &RpcError) -> Self {
        let mut text = Vec::with_capacity(128);
        write_error(&mut text, dialect, id, error.to_object());
        text.push(b'\n');
        Self::response(text)
    }

    /// A single notification.
    pub(crate) fn notification(notification: &ServerNotification, at_ms: i64) -> Self {
        let mut builder = Builder::default();
        builder.notification(notification, at_ms);
        builder.build().expect("one message was added")
    }

    /// All bytes, line breaks included.
    pub(crate) fn text(&self) -> &Bytes {
        &self.text
    }

    /// The messages without their line breaks; they share the packet's memory.
    pub(crate) fn messages(&self) -> impl Iterator<Item = Bytes> {
        let mut start = 0;
        (0..self.count()).map(move |index| {
            let mark = self.mark(index);
            let message = self.text.slice(start..mark.end - 1);
            start = mark.end;
            message
        })
    }

    /// How much memory it holds, about.
    pub(super) fn cost(&self) -> usize {
        PACKET_BYTES + self.text.len() + self.count() * size_of::<Mark>()
    }

    /// How many notifications are in it.
    pub(super) fn notifications(&self) -> usize {
        (0..self.count()).filter(|&index| self.mark(index).kind != Kind::Due).count()
    }

    /// The notifications behind the first `seen` of them, without requests; `None` when that is
    /// nothing. Shares the text when that is all.
    pub(super) fn notifications_after(&self, seen: usize) -> Option<Self> {
        let count = self.notifications();
        if seen == 0 && count == self.count() {
            return Some(self.clone());
        }
        let mut builder = Builder::default();
        let mut passed = 0;
        self.pick(
            |kind| {
                passed += usize::from(kind != Kind::Due);
                kind != Kind::Due && passed > seen
            },
            |message, kind| builder.copy(message, kind),
        );
        builder.build()
    }

    fn count(&self) -> usize {
        match &self.marks {
            Marks::One(_) => 1,
            Marks::Many(marks) => marks.len(),
        }
    }

    fn mark(&self, index: usize) -> Mark {
        match &self.marks {
            Marks::One(kind) => Mark { end: self.text.len(), kind: *kind },
            Marks::Many(marks) => marks[index],
        }
    }

    /// The messages that pass the filter, each with its place in the text.
    fn pick(&self, mut wanted: impl FnMut(Kind) -> bool, mut each: impl FnMut(&[u8], Kind)) {
        let mut start = 0;
        for index in 0..self.count() {
            let mark = self.mark(index);
            if wanted(mark.kind) {
                each(&self.text[start..mark.end], mark.kind);
            }
            start = mark.end;
        }
    }

    /// The same messages with the `jsonrpc` member.
    pub(crate) fn to_strict(&self) -> Self {
        let mut builder = Builder::default();
        builder.text.reserve(self.text.len() + self.count() * STRICT.len());
        self.pick(
            |_| true,
            |message, kind| {
                builder.text.extend_from_slice(STRICT);
                builder.text.extend_from_slice(&message[1..message.len() - 1]);
                builder.end(match kind {
                    Kind::Piece { method, head, tail } => {
                        Kind::Piece { method, head: head + STRICT.len() - 1, tail }
                    }
                    other => other,
                });
            },
        );
        builder.build().expect("a packet holds a message")
    }

    /// Without the notifications of these methods; `None` when nothing is left.
    pub(crate) fn without(self, unwanted: &HashSet<Box<str>>) -> Option<Self> {
        let is_wanted = |kind: Kind| kind.method().is_none_or(|method| !unwanted.contains(method));
        if (0..self.count()).all(|index| is_wanted(self.mark(index).kind)) {
            return Some(self);
        }
        let mut builder = Builder::default();
        self.pick(is_wanted, |message, kind| builder.copy(message, kind));
        builder.build()
    }
}

/// Puts messages together into a packet.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    text: Vec<u8>,
    marks: Vec<Mark>,
    /// The number of the next notification; `None` when they get none.
    next: Option<u64>,
}

impl Builder {
    /// Numbers the notifications, from this number on.
    pub(super) fn numbered(first: u64) -> Self {
        Self { next: Some(first), ..Self::default() }
    }

    /// Adds a notification.
    pub(crate) fn notification(&mut self, notification: &ServerNotification, at_ms: i64) {
        write_notification(&mut self.text, Dialect::Bare, notification, at_ms);
        self.number();
        self.end(Kind::Told(notification.method()));
    }

    /// Adds a request to the clients.
    pub(crate) fn request(&mut self, id: &RequestId, request: &ServerRequest) {
        write_server_request(&mut self.text, Dialect::Bare, id, request);
        self.end(Kind::Due);
    }

    /// Adds one notification for each piece of a text.
    ///
    /// `frame` is the notification with an empty piece, which is the member `delta`.
    pub(crate) fn pieces<S: AsRef<str>>(
        &mut self,
        frame: &ServerNotification,
        pieces: &[S],
        at_ms: i64,
    ) {
        const EMPTY: &[u8] = b"\"delta\":\"\"";
        let mut sample = Vec::with_capacity(256);
        write_notification(&mut sample, Dialect::Bare, frame, at_ms);
        let at = memchr::memmem::find(&sample, EMPTY).expect("the frame has an empty delta");
        // Between the member's two last quotes.
        let (head, tail) = sample.split_at(at + EMPTY.len() - 1);
        let method = frame.method();
        self.marks.reserve(pieces.len());
        for piece in pieces {
            // The head ends with the quote that the text brings along.
            self.text.extend_from_slice(&head[..head.len() - 1]);
            serde_json::to_writer(&mut self.text, piece.as_ref())
                .expect("text is written to memory without failing");
            let quote = self.text.len() - 1;
            self.text.extend_from_slice(&tail[1..]);
            self.number();
            let tail = self.text.len() + 1 - quote;
            self.end(Kind::Piece { method, head: head.len(), tail });
        }
    }

    /// Gives the message that was written last its number, as its last member.
    fn number(&mut self) {
        let Some(next) = &mut self.next else { return };
        self.text.pop();
        self.text.extend_from_slice(NUMBER);
        serde_json::to_writer(&mut self.text, next)
            .expect("a number is written to memory without failing");
        self.text.push(b'}');
        *next += 1;
    }

    /// Adds a message of another packet.
    fn copy(&mut self, message: &[u8], kind: Kind) {
        self.text.extend_from_slice(&message[..message.len() - 1]);
        self.end(kind);
    }

    fn end(&mut self, kind: Kind) {
        self.text.push(b'\n');
        self.marks.push(Mark { end: self.text.len(), kind });
    }

    /// The packet; `None` when nothing was added.
    pub(crate) fn build(self) -> Option<Packet> {
        let marks = match self.marks.as_slice() {
            [] => return None,
            [one] => Marks::One(one.kind),
            many => Marks::Many(many.into()),
        };
        Some(Packet { text: self.text.into(), marks })
    }
}

/// Pieces of one text that are joined into one message as they come.
#[derive(Debug)]
pub(super) struct Joined {
    /// Head and text.
    text: Vec<u8>,
    /// From the last piece, so that the message bears its time and its number.
    tail: Bytes,
    method: &'static str,
    head: usize,
}

impl Joined {
    /// Begins with a packet; `None` when it is not made of pieces of one text.
    pub(super) fn begin(packet: &Packet) -> Option<Self> {
        let Mark { kind: Kind::Piece { method, head, tail }, end } = packet.mark(0) else {
            return None;
        };
        let text = packet.text[..head].to_vec();
        let tail = packet.text.slice(end - tail..end);
        let mut joined = Self { text, tail, method, head };
        joined.add(packet).then_some(joined)
    }

    /// Adds the pieces of a packet; `false`, and nothing added, when they are of another text.
    pub(super) fn add(&mut self, packet: &Packet) -> bool {
        let mut fits = true;
        packet.pick(|_| true, |message, kind| fits &= self.fits(message, kind));
        if !fits {
            return false;
        }
        packet.pick(
            |_| true,
            |message, kind| {
                if let Kind::Piece { head, tail, .. } = kind {
                    self.text.extend_from_slice(&message[head..message.len() - tail]);
                    self.tail = Bytes::copy_from_slice(&message[message.len() - tail..]);
                }
            },
        );
        true
    }

    /// The same item and kind of text have the same head, and the same tail but for the time and
    /// the number.
    fn fits(&self, message: &[u8], kind: Kind) -> bool {
        let Kind::Piece { head, tail, .. } = kind else { return false };
        head == self.head
            && message[..head] == self.text[..head]
            && unstamped(&message[message.len() - tail..]) == unstamped(&self.tail)
    }

    /// How much memory it holds.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.tail.len()
    }

    /// One packet with one message.
    pub(super) fn finish(mut self) -> Packet {
        self.text.extend_from_slice(&self.tail);
        let kind = Kind::Piece { method: self.method, head: self.head, tail: self.tail.len() };
        Packet { text: self.text.into(), marks: Marks::One(kind) }
    }
}

fn unstamped(tail: &[u8]) -> &[u8] {
    memchr::memmem::rfind(tail, STAMP).map_or(tail, |at| &tail[..at])
}

#[cfg(test)]
mod tests;

//! What waits to be written to one connection.
//!
//! Sessions put notifications in and never wait; the connection's own task takes them out.
//! Answers and requests are always kept: a client that asks without reading is not read from.
//! Notifications are what a client cannot control, so there is a limit to them. While many
//! wait, pieces of the same text are joined; when that is not enough the client is warned, and
//! at last cut off.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_schema::envelope::Dialect;
use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::WarningNotification;
use tokio::sync::Notify;

use super::packet::{Joined, PACKET_BYTES, Packet};
use crate::clock;

/// How much is handed to one write.
const WRITE_BYTES: usize = 64 << 10;
/// A joined message is not made longer than this.
const JOINED_BYTES: usize = 256 << 10;
/// A client that leaves more than this unread is not read from.
const FULL_BYTES: usize = 8 << 20;
/// Whoever tells a client no faster than it reads waits while more than this is unread.
const CALM_BYTES: usize = 256 << 10;

/// How many bytes of notifications may wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// From here on pieces of text are joined.
    pub join: usize,
    /// Here the client is warned.
    pub warn: usize,
    /// Here it is cut off, if it takes nothing.
    pub cut_stalled: usize,
    /// Here it is cut off, even if it takes something.
    pub cut: usize,
}

impl Limits {
    /// For one client of many.
    pub(crate) const SHARED: Self =
        Self { join: 1 << 20, warn: 8 << 20, cut_stalled: 16 << 20, cut: 64 << 20 };
    /// For the client whose end is the end of the daemon.
    pub(crate) const SOLE: Self =
        Self { join: 1 << 20, warn: 32 << 20, cut_stalled: 64 << 20, cut: 256 << 20 };
}

/// The queue to one connection.
#[derive(Debug)]
pub(super) struct Outbox {
    state: Mutex<State>,
    limits: Limits,
    /// Something is there to be taken. One waits: the connection's writer.
    news: Notify,
    /// There is room again. One waits: the connection's reader.
    room: Notify,
    /// The client is cut off. One waits: the connection's writer, while it is in a write.
    cut: Notify,
    /// Little is unread. Many wait.
    calm: Notify,
}

#[derive(Debug)]
struct State {
    queue: VecDeque<Entry>,
    /// Cost of all that waits.
    bytes: usize,
    /// Cost of the notifications among it.
    told_bytes: usize,
    phase: Phase,
    /// A write has been waiting for the client for long.
    is_stalled: bool,
    dialect: Dialect,
    /// Notifications the client does not want. Most clients want all.
    unwanted: Option<HashSet<Box<str>>>,
    /// How many answers are being made that what is told now must not overtake.
    holds: usize,
    /// What is told meanwhile.
    held: VecDeque<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    /// Open, and the client was told that it is slow.
    Warned,
    /// Nothing more is put in; what waits is still written.
    Finished,
    /// The client left this much unread.
    Cut(usize),
}

#[derive(Debug)]
enum Entry {
    /// An answer.
    Due(Packet),
    /// Not asked for.
    Told(Packet),
    /// Not asked for, and growing.
    Joined(Joined),
}

impl Entry {
    fn cost(&self) -> usize {
        PACKET_BYTES
            + match self {
                Self::Due(packet) | Self::Told(packet) => packet.text().len(),
                Self::Joined(joined) => joined.len(),
            }
    }

    fn is_told(&self) -> bool {
        !matches!(self, Self::Due(_))
    }

    fn finish(self) -> Packet {
        match self {
            Self::Due(packet) | Self::Told(packet) => packet,
            Self::Joined(joined) => joined.finish(),
        }
    }
}

/// What the writer has to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Write the packets.
    Packets,
    /// End: all is written and nothing more comes.
    Finished,
    /// End: the client left this many bytes unread.
    Cut(usize),
}

impl Outbox {
    /// An empty queue.
    pub(super) fn new(limits: Limits) -> Self {
        let state = State {
            queue: VecDeque::new(),
            bytes: 0,
            told_bytes: 0,
            phase: Phase::Open,
            is_stalled: false,
            dialect: Dialect::Bare,
            unwanted: None,
            holds: 0,
            held: VecDeque::new(),
        };
        let (news, room) = (Notify::new(), Notify::new());
        let (cut, calm) = (Notify::new(), Notify::new());
        Self { state: Mutex::new(state), limits, news, room, cut, calm }
    }

    /// How the client wants its messages.
    pub(super) fn dialect(&self) -> Dialect {
        self.state.lock().dialect
    }

    /// From here on every message carries the `jsonrpc` member.
    pub(super) fn be_strict(&self) {
        self.state.lock().dialect = Dialect::Versioned;
    }

    /// From here on notifications of these methods are left out.
    pub(super) fn leave_out(&self, unwanted: HashSet<Box<str>>) {
        self.state.lock().unwanted = Some(unwanted).filter(|methods| !methods.is_empty());
    }

    /// Puts in an answer, encoded in the client's dialect. Never dropped while the client lives.
    pub(super) fn send(&self, packet: Packet) {
        self.state.lock().push(Entry::Due(packet));
        self.news.notify_one();
    }

    /// Puts in messages that were not asked for. Never waits.
    ///
    /// `packet` is in the client's dialect.
    pub(super) fn tell(&self, packet: Packet) {
        let mut state = self.state.lock();
        state.tell(packet, self.limits);
        self.wake_if_cut(&state);
        drop(state);
        self.news.notify_one();
    }

    /// Puts in a message that has its place among the answers: holds do not concern it.
    ///
    /// `packet` is in the client's dialect.
    pub(super) fn tell_now(&self, packet: Packet) {
        let mut state = self.state.lock();
        state.tell_now(packet, self.limits);
        self.wake_if_cut(&state);
        drop(state);
        self.news.notify_one();
    }

    /// Waits until little of what was told is unread.
    ///
    /// Cancel safety: a dropped wait loses nothing.
    pub(super) async fn is_calm(&self) {
        loop {
            let mut calm = std::pin::pin!(self.calm.notified());
            // From here on no notice is missed.
            calm.as_mut().enable();
            if self.state.lock().told_bytes <= CALM_BYTES {
                return;
            }
            calm.await;
        }
    }

    /// How many bytes wait to be written, with what each packet costs beside its text.
    pub(super) fn unread(&self) -> usize {
        self.state.lock().bytes
    }

    /// Says whether a write has been waiting for the client for long.
    pub(super) fn set_stalled(&self, is_stalled: bool) {
        let mut state = self.state.lock();
        state.is_stalled = is_stalled;
        state.judge(self.limits);
        self.wake_if_cut(&state);
    }

    fn wake_if_cut(&self, state: &State) {
        if matches!(state.phase, Phase::Cut(_)) {
            self.cut.notify_one();
            self.room.notify_one();
        }
    }

    /// Keeps back what is told until the hold is dropped; answers pass.
    pub(crate) fn hold(self: &Arc<Self>) -> Hold {
        self.state.lock().holds += 1;
        Hold(self.clone())
    }

    fn release(&self) {
        self.state.lock().release();
        self.news.notify_one();
    }

    /// Nothing more is put in; the writer ends when all is written.
    pub(super) fn finish(&self) {
        let mut state = self.state.lock();
        if matches!(state.phase, Phase::Open | Phase::Warned) {
            state.phase = Phase::Finished;
        }
        drop(state);
        self.news.notify_one();
    }

    /// Waits for packets and moves some of them into `packets`, about as many as one write is
    /// good for.
    ///
    /// Cancel safety: a dropped wait loses nothing.
    pub(super) async fn take(&self, packets: &mut Vec<Packet>) -> Taken {
        loop {
            if let Some(taken) = self.try_take(packets) {
                return taken;
            }
            self.news.notified().await;
        }
    }

    fn try_take(&self, packets: &mut Vec<Packet>) -> Option<Taken> {
        let mut state = self.state.lock();
        if let Phase::Cut(unread) = state.phase {
            return Some(Taken::Cut(unread));
        }
        let was_full = state.bytes > FULL_BYTES;
        let was_calm = state.told_bytes <= CALM_BYTES;
        let mut taken = 0;
        while taken < WRITE_BYTES {
            let Some(entry) = state.pop() else { break };
            taken += entry.cost();
            packets.push(entry.finish());
        }
        if was_full && state.bytes <= FULL_BYTES {
            self.room.notify_one();
        }
        if !was_calm && state.told_bytes <= CALM_BYTES {
            self.calm.notify_waiters();
        }
        match (taken, state.phase) {
            (0, Phase::Finished) => Some(Taken::Finished),
            (0, _) => None,
            _ => Some(Taken::Packets),
        }
    }

    /// Waits until the client has to be cut off; the writer may be stuck in a write then.
    ///
    /// Cancel safety: a dropped wait loses nothing.
    pub(super) async fn is_cut(&self) -> usize {
        loop {
            if let Phase::Cut(unread) = self.state.lock().phase {
                return unread;
            }
            self.cut.notified().await;
        }
    }

    /// Waits until the client has read enough to be read from.
    ///
    /// Cancel safety: a dropped wait loses nothing.
    pub(super) async fn has_room(&self) {
        while self.state.lock().is_full() {
            self.room.notified().await;
        }
    }
}

/// Keeps back what is told to a client while an answer is made that has to come first.
#[derive(Debug)]
pub(crate) struct Hold(Arc<Outbox>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl State {
    fn is_full(&self) -> bool {
        self.bytes > FULL_BYTES && !matches!(self.phase, Phase::Cut(_))
    }

    fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open | Phase::Warned)
    }

    fn push(&mut self, entry: Entry) {
        if self.is_open() {
            self.count(&entry);
            if entry.is_told() { self.told() } else { &mut self.queue }.push_back(entry);
        }
    }

    fn count(&mut self, entry: &Entry) {
        self.bytes += entry.cost();
        if entry.is_told() {
            self.told_bytes += entry.cost();
        }
    }

    /// The queue for what is told.
    fn told(&mut self) -> &mut VecDeque<Entry> {
        if self.holds > 0 { &mut self.held } else { &mut self.queue }
    }

    fn release(&mut self) {
        self.holds -= 1;
        if self.holds == 0 {
            self.queue.append(&mut self.held);
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        let entry = self.queue.pop_front()?;
        self.bytes -= entry.cost();
        if entry.is_told() {
            self.told_bytes -= entry.cost();
        }
        Some(entry)
    }

    /// What of a packet the client wants.
    fn wanted(&self, packet: Packet) -> Option<Packet> {
        match &self.unwanted {
            Some(unwanted) => packet.without(unwanted),
            None => Some(packet),
        }
    }

    fn tell_now(&mut self, packet: Packet, limits: Limits) {
        let Some(packet) = self.wanted(packet).filter(|_| self.is_open()) else { return };
        let entry = Entry::Told(packet);
        self.count(&entry);
        self.queue.push_back(entry);
        self.judge(limits);
    }

    fn tell(&mut self, packet: Packet, limits: Limits) {
        let Some(packet) = self.wanted(packet) else { return };
        if self.told_bytes < limits.join || !self.join(&packet) {
            self.push(Entry::Told(packet));
        }
        self.judge(limits);
    }

    /// Warns or cuts a client that leaves too much unread.
    fn judge(&mut self, limits: Limits) {
        let limit = if self.is_stalled { limits.cut_stalled } else { limits.cut };
        if self.told_bytes > limit {
            self.cut();
        } else if self.told_bytes > limits.warn && self.phase == Phase::Open {
            self.phase = Phase::Warned;
            self.push(Entry::Told(self.warning(limit)));
        }
    }

    /// Joins pieces of text with those that wait at the end of the queue.
    fn join(&mut self, packet: &Packet) -> bool {
        if !self.is_open() {
            return false;
        }
        let Some(last) = self.told().back_mut() else { return false };
        let before = last.cost();
        if before > JOINED_BYTES {
            return false;
        }
        if let Entry::Told(whole) = last {
            let Some(joined) = Joined::begin(whole) else { return false };
            *last = Entry::Joined(joined);
        }
        let Entry::Joined(joined) = last else { return false };
        let is_joined = joined.add(packet);
        let after = last.cost();
        self.bytes = self.bytes - before + after;
        self.told_bytes = self.told_bytes - before + after;
        is_joined
    }

    fn cut(&mut self) {
        self.phase = Phase::Cut(self.bytes);
        // Gives the memory back at once: the client may hold its socket open for long.
        self.queue = VecDeque::new();
        self.held = VecDeque::new();
        self.bytes = 0;
        self.told_bytes = 0;
    }

    fn warning(&self, limit: usize) -> Packet {
        let message = format!(
            "This client reads too slowly: {} bytes are unread. It is disconnected at {} bytes.",
            self.told_bytes, limit
        );
        let warning = WarningNotification { thread_id: None, message };
        let warning = ServerNotification::Warning(Box::new(warning));
        let packet = Packet::notification(&warning, clock::unix_ms());
        match self.dialect {
            Dialect::Bare => packet,
            Dialect::Versioned => packet.to_strict(),
        }
    }
}

#[cfg(test)]
mod tests;

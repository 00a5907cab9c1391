//! What was told lately, to be told again to whoever lost its connection.

use std::collections::VecDeque;

use super::packet::{Builder, Packet};

/// How much is kept of one source.
const KEPT_BYTES: usize = 1 << 20;
/// How many notifications are kept of one source.
const KEPT_MESSAGES: usize = 8192;

/// Numbers the notifications of one source and keeps the last of them.
///
/// Numbers grow by one. The packets are those that clients get, so that what is kept costs no
/// copy while it is on its way to them.
#[derive(Debug)]
pub(crate) struct Journal {
    /// The number of the next notification.
    next: u64,
    kept: VecDeque<Kept>,
    /// Cost of all that is kept.
    bytes: usize,
    /// The notifications in it.
    messages: usize,
}

#[derive(Debug)]
struct Kept {
    /// The number of its first notification.
    first: u64,
    /// How many notifications it has.
    count: usize,
    packet: Packet,
}

impl Journal {
    /// Begins to count with this number.
    pub(crate) fn new(first: u64) -> Self {
        Self { next: first, kept: VecDeque::new(), bytes: 0, messages: 0 }
    }

    /// Makes the next packet, with the next numbers.
    pub(crate) fn builder(&self) -> Builder {
        Builder::numbered(self.next)
    }

    /// Keeps the packet that was made last, and lets go of what is too old for the limits.
    pub(crate) fn keep(&mut self, packet: &Packet) {
        let count = packet.notifications();
        if count == 0 {
            return;
        }
        let kept = Kept { first: self.next, count, packet: packet.clone() };
        self.next += count as u64;
        self.bytes += packet.cost();
        self.messages += count;
        self.kept.push_back(kept);
        while self.bytes > KEPT_BYTES || self.messages > KEPT_MESSAGES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.packet.cost();
            self.messages -= oldest.count;
        }
    }

    /// The number of the last notification; one less than the first number before there is one.
    pub(crate) fn last(&self) -> u64 {
        self.next - 1
    }

    /// Whether all behind this number is still kept.
    pub(crate) fn reaches(&self, seen: u64) -> bool {
        let oldest = self.kept.front().map_or(self.next, |kept| kept.first);
        seen < self.next && seen + 1 >= oldest
    }

    /// The notifications behind this number, in order, without requests. Only what is kept.
    pub(crate) fn after(&self, seen: u64) -> impl Iterator<Item = Packet> {
        let start = self.kept.partition_point(|kept| kept.first + kept.count as u64 <= seen + 1);
        self.kept.range(start..).filter_map(move |kept| {
            let seen = (seen + 1).saturating_sub(kept.first);
            kept.packet.notifications_after(seen as usize)
        })
    }

    /// Lets go of all that is kept; the numbers go on.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.next);
    }
}

#[cfg(test)]
mod tests;

//! Readers together, writers alone, in the order they came (SPEC C4).

use tokio_util::sync::{CancellationToken, DropGuard};

/// Whether calls of a tool may run beside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Concurrency {
    /// Beside other such calls.
    Parallel,
    /// Alone.
    Serial,
}

/// Orders the calls of one response. A and B parallel, C serial, D parallel:
/// A and B run together, then C alone, then D.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// The end of the last serial call.
    serial: Option<CancellationToken>,
    /// The ends of the parallel calls since then.
    parallel: Vec<CancellationToken>,
}

/// A place in the order. Calls run when those before them, that they must not meet, are done.
#[derive(Debug)]
pub(crate) struct Ticket {
    after: Vec<CancellationToken>,
    done: DropGuard,
}

impl Gate {
    /// Takes the next place.
    pub(crate) fn enter(&mut self, concurrency: Concurrency) -> Ticket {
        let done = CancellationToken::new();
        let mut after: Vec<_> = self.serial.iter().cloned().collect();
        match concurrency {
            Concurrency::Parallel => self.parallel.push(done.clone()),
            Concurrency::Serial => {
                after.append(&mut self.parallel);
                self.serial = Some(done.clone());
            }
        }
        Ticket { after, done: done.drop_guard() }
    }
}

impl Ticket {
    /// Waits until the call may run. It is over when the pass is dropped, by whatever way.
    pub(crate) async fn wait(self) -> DropGuard {
        for earlier in self.after {
            earlier.cancelled().await;
        }
        self.done
    }
}

#[cfg(test)]
mod tests;

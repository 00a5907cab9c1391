//! The phases of the end.
//!
//! A daemon with listeners lets running turns come to their end after a first signal; a second
//! one ends them. Then: no new connections, turns interrupted and written, processes ended,
//! connections closed with a reason.

use std::time::Duration;

use super::build::Daemon;
use super::listen::{Doors, End};
use super::signals::Signals;

/// How long running turns may go on after the first signal.
const DRAINING: Duration = Duration::from_mins(1);
/// How long interrupted turns and processes may take to end.
const GRACE: Duration = Duration::from_millis(1500);

/// Ends the daemon.
pub(super) async fn run(daemon: &Daemon, doors: &Doors, end: End, signals: &mut Signals) {
    tracing::info!(?end, "ending");
    if doors.listeners > 0 && matches!(end, End::Signal(_)) {
        daemon.be_unready();
        tokio::select! {
            () = daemon.engine().quiet() => {}
            name = signals.next() => tracing::info!(name, "ending at once"),
            () = tokio::time::sleep(DRAINING) => tracing::warn!("running turns are interrupted"),
        }
    }
    doors.accepting.cancel();
    daemon.shut_down(GRACE).await;
}

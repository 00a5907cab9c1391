//! Logs, on standard error only: standard output belongs to the protocol.

use std::io;

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Writes logs to standard error. `RUST_LOG` says which: a level, or `target=level` in a list;
/// errors alone when it is not set. Does nothing when logs go somewhere already.
pub(crate) fn install() {
    let wanted = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let filter = wanted.as_deref().map(str::parse::<Targets>);
    let (filter, fault) = match filter {
        Some(Ok(filter)) => (filter, None),
        Some(Err(fault)) => (default(), Some(fault)),
        None => (default(), None),
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
    let installed = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
    if let (Ok(()), Some(fault)) = (installed, fault) {
        tracing::error!(%fault, "RUST_LOG cannot be read; only errors are logged");
    }
}

fn default() -> Targets {
    Targets::new().with_default(LevelFilter::ERROR)
}

//! `spindle offline-model`: the stand-in for a model, as a server of its own.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use spindle_model::offline::{Pace, serve};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::args::Shared;
use crate::out::print;

/// Serve the Responses API by fixed rules, without a key and without a network. It is no
/// language model; it is for trying and testing clients.
#[derive(Debug, Args)]
pub(crate) struct OfflineModelArgs {
    #[command(flatten)]
    shared: Shared,
    /// Where to listen. Port 0 takes a free one.
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The pause between two pieces of text, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pause_ms: u64,
}

/// Serves until Ctrl-C.
pub(crate) async fn run(args: OfflineModelArgs) -> anyhow::Result<ExitCode> {
    let listener = TcpListener::bind(args.listen)
        .await
        .with_context(|| format!("failed to listen at {}", args.listen))?;
    let real = listener.local_addr()?;
    print(&format!("base_url = \"http://{real}/v1\"\n"))?;
    let cancel = CancellationToken::new();
    let pace = Pace { pause: Duration::from_millis(args.pause_ms) };
    let serving = serve(listener, pace, cancel.clone());
    tokio::pin!(serving);
    tokio::select! {
        result = &mut serving => result.context("failed to serve")?,
        signal = tokio::signal::ctrl_c() => {
            signal.context("failed to listen for Ctrl-C")?;
            cancel.cancel();
        }
    }
    Ok(ExitCode::SUCCESS)
}

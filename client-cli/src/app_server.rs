//! `spindle app-server`: the daemon itself, and tools about it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use spindle_schema::export::{self, Flavour};
use spindle_server::{AuthMode, AuthOptions, Listen, ServerOptions};
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;

use crate::args::Shared;
use crate::daemon::{self, DaemonCommand};
use crate::home;

/// Run the daemon.
#[derive(Debug, Args)]
pub(crate) struct AppServerArgs {
    #[command(flatten)]
    shared: Shared,
    /// Where clients come in: stdio:// (also when nothing is said), ws://IP:PORT,
    /// unix://PATH, unix:// or off. Repeatable.
    #[arg(long, value_name = "URL")]
    listen: Vec<Listen>,
    /// The same as `--listen stdio://`; also beside other places.
    #[arg(long)]
    stdio: bool,
    /// End when there was no client and no turn for this long.
    #[arg(long, value_name = "SECONDS")]
    idle_exit: Option<u64>,
    /// Leave the terminal's session, so that closing the terminal does not end the daemon.
    #[arg(long, hide = true)]
    detach: bool,
    #[command(flatten)]
    auth: AuthArgs,
    #[command(subcommand)]
    pub(crate) command: Option<AppServerCommand>,
}

impl AppServerArgs {
    /// All settings of the command line: those before the subcommand's name, then our own.
    pub(crate) fn settings(self, outer: Shared) -> Shared {
        outer.then(self.shared)
    }
}

/// Who may connect over TCP.
#[derive(Debug, Args)]
#[expect(clippy::struct_field_names, reason = "fields are named as their options are")]
struct AuthArgs {
    /// How clients over TCP prove who they are.
    #[arg(long, value_name = "MODE")]
    ws_auth: Option<WsAuth>,
    /// A file that holds the token.
    #[arg(long, value_name = "PATH")]
    ws_token_file: Option<PathBuf>,
    /// The token's SHA-256, in hexadecimal.
    #[arg(long, value_name = "HEX")]
    ws_token_sha256: Option<String>,
    /// A file that holds the secret that tokens are signed with.
    #[arg(long, value_name = "PATH")]
    ws_shared_secret_file: Option<PathBuf>,
    /// Who must have made a signed token.
    #[arg(long, value_name = "ISSUER")]
    ws_issuer: Option<String>,
    /// For whom a signed token must be made.
    #[arg(long, value_name = "AUDIENCE")]
    ws_audience: Option<String>,
    /// How far clocks may differ.
    #[arg(long, value_name = "SECONDS")]
    ws_max_clock_skew_seconds: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WsAuth {
    /// By knowing a token.
    CapabilityToken,
    /// By a token signed with a shared secret (JWT, HS256).
    SignedBearerToken,
}

/// Tools about the daemon.
#[derive(Debug, Subcommand)]
pub(crate) enum AppServerCommand {
    /// Write the protocol as JSON Schema.
    GenerateJsonSchema(GenerateArgs),
    /// Write the protocol as TypeScript.
    GenerateTs(GenerateArgs),
    /// Start, end and look after the daemon of this home in the background.
    #[command(subcommand)]
    Daemon(DaemonCommand),
    /// Copy bytes between standard streams and the socket of a running daemon.
    Proxy {
        #[command(flatten)]
        shared: Shared,
        /// The socket; the home folder's control socket when nothing is said.
        #[arg(long, value_name = "PATH")]
        sock: Option<PathBuf>,
    },
}

/// What is written, and where.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    shared: Shared,
    /// The folder; it is made when it is missing.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// With the experimental methods and members.
    #[arg(long)]
    experimental: bool,
}

impl GenerateArgs {
    fn flavour(&self) -> Flavour {
        if self.experimental { Flavour::Experimental } else { Flavour::Stable }
    }

    fn written(&self, result: std::io::Result<()>) -> anyhow::Result<ExitCode> {
        result.with_context(|| format!("failed to write to {}", self.out.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl From<AuthArgs> for AuthOptions {
    fn from(args: AuthArgs) -> Self {
        Self {
            mode: args.ws_auth.map(|mode| match mode {
                WsAuth::CapabilityToken => AuthMode::CapabilityToken,
                WsAuth::SignedBearerToken => AuthMode::SignedBearerToken,
            }),
            token_file: args.ws_token_file,
            token_sha256: args.ws_token_sha256,
            shared_secret_file: args.ws_shared_secret_file,
            issuer: args.ws_issuer,
            audience: args.ws_audience,
            max_clock_skew: args.ws_max_clock_skew_seconds.map(Duration::from_secs),
        }
    }
}

/// What the daemon is told by the whole command line.
fn options(shared: Shared, args: AppServerArgs) -> ServerOptions {
    let shared = shared.then(args.shared);
    let mut listen = args.listen;
    if args.stdio {
        listen.push(Listen::Stdio);
    }
    ServerOptions {
        listen,
        features: shared.features(),
        config_overrides: shared.config,
        auth: args.auth.into(),
        idle_exit: args.idle_exit.map(Duration::from_secs),
        ..ServerOptions::default()
    }
}

/// Runs the daemon to its end.
pub(crate) fn run(shared: Shared, args: AppServerArgs) -> ExitCode {
    if args.detach {
        // Refused only to who leads a group, and then there is no terminal to leave.
        let _ = rustix::process::setsid();
    }
    spindle_server::run(options(shared, args))
}

/// Runs a tool.
pub(crate) async fn run_tool(
    shared: Shared,
    command: AppServerCommand,
) -> anyhow::Result<ExitCode> {
    match command {
        AppServerCommand::Daemon(command) => daemon::run(shared, command).await,
        AppServerCommand::GenerateJsonSchema(args) => {
            args.written(export::write_json(&args.out, args.flavour()))
        }
        AppServerCommand::GenerateTs(args) => {
            args.written(export::write_ts(&args.out, args.flavour()))
        }
        AppServerCommand::Proxy { sock, .. } => {
            proxy(sock.unwrap_or_else(home::control_socket)).await
        }
    }
}

/// Copies bytes both ways until the daemon, or whoever reads us, is gone.
async fn proxy(path: PathBuf) -> anyhow::Result<ExitCode> {
    let stream = UnixStream::connect(&path)
        .await
        .with_context(|| format!("failed to connect to socket at {}", path.display()))?;
    let (mut from_daemon, mut to_daemon) = stream.into_split();
    let upwards = async move {
        tokio::io::copy(&mut tokio::io::stdin(), &mut to_daemon).await?;
        to_daemon.shutdown().await?;
        // The daemon decides when it has said all.
        std::future::pending::<std::io::Result<()>>().await
    };
    let downwards = async {
        tokio::io::copy(&mut from_daemon, &mut tokio::io::stdout()).await?;
        tokio::io::stdout().flush().await
    };
    tokio::select! {
        result = upwards => result.context("failed to copy to the daemon")?,
        result = downwards => result.context("failed to copy from the daemon")?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests;

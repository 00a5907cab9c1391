//! What the daemon is told at its start, free of any command line library.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What the daemon is told.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// Where clients come in; none means standard input and output.
    pub listen: Vec<Listen>,
    /// The folder of settings and threads, over the one that the environment names.
    pub home: Option<PathBuf>,
    /// `-c key=value`, in the order given: dotted keys, raw values.
    pub config_overrides: Vec<(String, String)>,
    /// `--enable` and `--disable`, in the order given.
    pub features: Vec<(String, bool)>,
    /// Who may connect over TCP.
    pub auth: AuthOptions,
    /// End when there was no client and no turn for this long.
    pub idle_exit: Option<Duration>,
    /// The daemon lives inside a client that asks once; its threads say so.
    pub is_exec: bool,
}

/// A place where clients come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// Standard input and output: `stdio://`.
    Stdio,
    /// A WebSocket: `ws://IP:PORT`. Port 0 takes a free one.
    WebSocket(SocketAddr),
    /// A Unix socket: `unix://PATH`, or `unix://` for the one in the home folder.
    Unix(Option<PathBuf>),
    /// Nowhere: `off`.
    Off,
}

/// A text that names no place to listen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidListen {
    /// A WebSocket without a plain address and port.
    #[error("invalid websocket --listen URL `{0}`; expected `ws://IP:PORT`")]
    WebSocket(String),
    /// Anything else.
    #[error(
        "unsupported --listen URL `{0}`; expected `stdio://`, `unix://`, `unix://PATH`, \
         `ws://IP:PORT`, or `off`"
    )]
    Unsupported(String),
}

impl FromStr for Listen {
    type Err = InvalidListen;

    fn from_str(text: &str) -> Result<Self, InvalidListen> {
        if let Some(address) = text.strip_prefix("ws://") {
            let address = address.strip_suffix('/').unwrap_or(address).parse();
            return address
                .map(Self::WebSocket)
                .map_err(|_| InvalidListen::WebSocket(text.to_owned()));
        }
        if let Some(path) = text.strip_prefix("unix://") {
            return Ok(Self::Unix((!path.is_empty()).then(|| path.into())));
        }
        match text {
            "stdio://" => Ok(Self::Stdio),
            "off" => Ok(Self::Off),
            _ => Err(InvalidListen::Unsupported(text.to_owned())),
        }
    }
}

/// How clients over TCP prove who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// By knowing a token.
    CapabilityToken,
    /// By a token signed with a shared secret (JWT, HS256).
    SignedBearerToken,
}

/// Who may connect over TCP. The names are those of the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthOptions {
    /// `--ws-auth`
    pub mode: Option<AuthMode>,
    /// `--ws-token-file`
    pub token_file: Option<PathBuf>,
    /// `--ws-token-sha256`: hexadecimal.
    pub token_sha256: Option<String>,
    /// `--ws-shared-secret-file`
    pub shared_secret_file: Option<PathBuf>,
    /// `--ws-issuer`
    pub issuer: Option<String>,
    /// `--ws-audience`
    pub audience: Option<String>,
    /// `--ws-max-clock-skew-seconds`
    pub max_clock_skew: Option<Duration>,
}

#[cfg(test)]
mod tests;

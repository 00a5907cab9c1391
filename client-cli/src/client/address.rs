//! Where a daemon is.

use std::fmt;
use std::path::PathBuf;

use super::Error;

/// The place of a running daemon.
///
/// Shape: `ws://127.0.0.1:4500`, `unix:///run/user/1000/spindle.sock`, or `unix://` for the
/// control socket of the home folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A WebSocket over TCP.
    WebSocket {
        /// Host name or address, without brackets.
        host: String,
        /// Port.
        port: u16,
        /// Path and query, beginning with a slash.
        path: String,
    },
    /// A WebSocket over a Unix socket.
    Unix(PathBuf),
    /// The control socket of the home folder.
    ControlSocket,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// [`Error::BadAddress`] when the scheme is neither `ws` nor `unix`, or the port is missing.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let bad = || Error::BadAddress { text: text.to_owned() };
        if let Some(path) = text.strip_prefix("unix://") {
            return Ok(if path.is_empty() {
                Self::ControlSocket
            } else {
                Self::Unix(PathBuf::from(path))
            });
        }
        let rest = text.strip_prefix("ws://").ok_or_else(bad)?;
        let (authority, path) = match rest.find(['/', '?']) {
            Some(at) if rest[at..].starts_with('/') => (&rest[..at], rest[at..].to_owned()),
            Some(at) => (&rest[..at], format!("/{}", &rest[at..])),
            None => (rest, "/".to_owned()),
        };
        let (host, port) = authority.rsplit_once(':').ok_or_else(bad)?;
        let port = port.parse().map_err(|_| bad())?;
        let host = match host.strip_prefix('[') {
            Some(inner) => inner.strip_suffix(']').ok_or_else(bad)?,
            None if host.contains(':') => return Err(bad()),
            None => host,
        };
        if host.is_empty() {
            return Err(bad());
        }
        Ok(Self::WebSocket { host: host.to_owned(), port, path })
    }
}

impl std::str::FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WebSocket { host, port, path } => {
                let path = path.strip_suffix('/').unwrap_or(path);
                if host.contains(':') {
                    write!(f, "ws://[{host}]:{port}{path}")
                } else {
                    write!(f, "ws://{host}:{port}{path}")
                }
            }
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
            Self::ControlSocket => f.write_str("unix://"),
        }
    }
}

#[cfg(test)]
mod tests;

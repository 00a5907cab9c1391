//! Ways to a daemon.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::net::{TcpStream, UnixStream};
use tokio::process::{ChildStderr, Command};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Request, header};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::wire::Stream;
use super::{Address, Error, Wire};
use crate::home;

/// The largest message that a client takes. Far above what a daemon sends, and still an end.
const MAX_MESSAGE_BYTES: usize = 256 << 20;

/// Connects to a running daemon. `token` is sent as the bearer token.
pub(crate) async fn connect(address: &Address, token: Option<&str>) -> Result<Wire, Error> {
    let place = address.to_string();
    let refused = |source| Error::Connect { place: place.clone(), source };
    let (stream, uri): (Box<dyn Stream>, String) = match address {
        Address::WebSocket { host, port, .. } => {
            let tcp = TcpStream::connect((host.as_str(), *port)).await.map_err(refused)?;
            tcp.set_nodelay(true).map_err(refused)?;
            (Box::new(tcp), address.to_string())
        }
        Address::Unix(path) => unix(path).await.map_err(refused)?,
        Address::ControlSocket => unix(&home::control_socket()).await.map_err(refused)?,
    };
    let broken = |source| Error::Upgrade { place: place.clone(), source: Box::new(source) };
    let request = upgrade_request(&uri, token).map_err(broken)?;
    let limits = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES));
    let (socket, _) = tokio_tungstenite::client_async_with_config(request, stream, Some(limits))
        .await
        .map_err(broken)?;
    Ok(Wire::Socket(Box::new(socket)))
}

async fn unix(path: &Path) -> std::io::Result<(Box<dyn Stream>, String)> {
    // Over a Unix socket there is no host to name; daemons expect this one and this path.
    Ok((Box::new(UnixStream::connect(path).await?), "ws://localhost/rpc".to_owned()))
}

fn upgrade_request(
    uri: &str,
    token: Option<&str>,
) -> Result<Request<()>, tokio_tungstenite::tungstenite::Error> {
    let mut request = uri.into_client_request()?;
    if let Some(token) = token {
        let mut value = HeaderValue::try_from(format!("Bearer {token}"))
            .map_err(tokio_tungstenite::tungstenite::http::Error::from)?;
        value.set_sensitive(true);
        request.headers_mut().insert(header::AUTHORIZATION, value);
    }
    Ok(request)
}

/// How to start a daemon of our own.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The program.
    pub(crate) program: PathBuf,
    /// What stands after `app-server`.
    pub(crate) arguments: Vec<String>,
    /// Added to our environment.
    pub(crate) environment: Vec<(String, String)>,
}

impl Launch {
    /// Starts the daemon. It speaks over its standard streams; its log comes back as a pipe.
    #[expect(
        clippy::disallowed_methods,
        reason = "a frontend starts its daemon; spindle-exec is the daemon's own hands"
    )]
    pub(crate) fn start(&self) -> Result<(Wire, ChildStderr), Error> {
        let failed = |source| Error::Spawn { program: self.program.clone(), source };
        let mut child = Command::new(&self.program)
            .arg("app-server")
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let log = child.stderr.take().expect("the daemon was started with a pipe for its log");
        Ok((Wire::of_child(child).map_err(failed)?, log))
    }
}

#[cfg(test)]
mod tests;

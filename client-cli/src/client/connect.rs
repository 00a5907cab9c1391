//! Ways to a daemon.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::net::{TcpStream, UnixStream};
use tokio::process::Command;
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

/// Starts a daemon of our own that speaks over its standard streams.
///
/// `arguments` stand after `app-server`; `environment` is added to ours. The daemon's own log
/// goes where ours goes.
#[expect(
    clippy::disallowed_methods,
    reason = "a frontend starts its daemon; spindle-exec is the daemon's own hands"
)]
pub(crate) fn spawn_daemon(
    program: PathBuf,
    arguments: &[String],
    environment: &[(String, String)],
) -> Result<Wire, Error> {
    let spawned = Command::new(&program)
        .arg("app-server")
        .args(arguments)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    match spawned.and_then(Wire::of_child) {
        Ok(wire) => Ok(wire),
        Err(source) => Err(Error::Spawn { program, source }),
    }
}

#[cfg(test)]
mod tests;

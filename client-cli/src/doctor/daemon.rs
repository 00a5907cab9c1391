//! What a daemon says: its settings, its store, its provider, its socket.

use std::time::Duration;

use serde_json::Value;
use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::{ConfigReadParams, ConfigWarningNotification, ThreadListParams};
use tokio::net::TcpStream;

use super::finding::Finding;
use super::run::CLIENT;
use crate::client::{Address, Error, Heard, Session, connect};
use crate::{find, home};

/// How long a provider may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// More threads are not counted.
const MOST_THREADS: usize = 100_000;

/// What the daemon finds wrong in the settings, one finding each.
pub(super) fn settings(session: &mut Session) -> Vec<Finding> {
    session
        .take_heard()
        .into_iter()
        .filter_map(|heard| match heard {
            Heard::Said(ServerNotification::ConfigWarning(warning)) => Some(warning),
            _ => None,
        })
        .map(|warning| Finding::warn("settings", setting(&warning)))
        .collect()
}

/// A faulty setting with its place.
fn setting(warning: &ConfigWarningNotification) -> String {
    let place = match (&warning.path, &warning.range) {
        (Some(path), Some(range)) => format!("{path}:{}: ", range.start.line),
        (Some(path), None) => format!("{path}: "),
        (None, _) => String::new(),
    };
    let details = warning.details.as_ref().map(|details| format!("\n{details}"));
    format!("{place}{}{}", warning.summary, details.unwrap_or_default())
}

/// Whether threads can be listed, and how many there are.
pub(super) async fn store(session: &mut Session) -> Finding {
    const CHECK: &str = "store";
    let params = ThreadListParams {
        source_kinds: Some(find::ALL_SOURCES.to_vec()),
        ..ThreadListParams::default()
    };
    match find::list(session, params, MOST_THREADS).await {
        Ok(threads) => Finding::ok(CHECK, format!("{} threads", threads.len())),
        Err(error) => Finding::fail(CHECK, format!("threads cannot be listed: {error:#}")),
    }
}

/// The provider that the settings choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Provider {
    id: String,
    model: Option<String>,
    base_url: Option<String>,
    key_variable: Option<String>,
}

impl Provider {
    /// Asks the daemon which one it is.
    pub(super) async fn read(session: &mut Session) -> Result<Self, Error> {
        let read = session.call(&ConfigReadParams::default()).await?;
        let config = read.config;
        let id = config.model_provider.unwrap_or_else(|| "openai".to_owned());
        Ok(Self::of(id, config.model, config.extra.get("model_providers")))
    }

    fn of(id: String, model: Option<String>, providers: Option<&Value>) -> Self {
        let text = |key: &str| Some(providers?.get(&id)?.get(key)?.as_str()?.to_owned());
        let usual = match id.as_str() {
            "openai" => Some("https://api.openai.com/v1"),
            "ollama" => Some("http://localhost:11434/v1"),
            "lmstudio" => Some("http://localhost:1234/v1"),
            _ => None,
        };
        let base_url = text("base_url").or_else(|| usual.map(str::to_owned));
        let key_variable = text("env_key");
        Self { id, model, base_url, key_variable }
    }

    /// Whether it answers, and whether its key is there.
    pub(super) async fn check(&self) -> Finding {
        const CHECK: &str = "provider";
        let model = self.model.as_deref().unwrap_or("its usual model");
        let name = format!("{} with {model}", self.id);
        let Some(url) = &self.base_url else {
            return Finding::ok(CHECK, format!("{name}, which needs no network"));
        };
        if let Some(variable) = &self.key_variable
            && std::env::var_os(variable).is_none_or(|value| value.is_empty())
        {
            return Finding::fail(CHECK, format!("{name}: {variable} is not set"));
        }
        let Some((host, port)) = host_and_port(url) else {
            return Finding::fail(CHECK, format!("{name}: {url} is no http address"));
        };
        match tokio::time::timeout(PATIENCE, TcpStream::connect((host.as_str(), port))).await {
            Ok(Ok(_)) => Finding::ok(CHECK, format!("{name} at {url}")),
            Ok(Err(error)) => {
                Finding::fail(CHECK, format!("{name}: {url} cannot be reached: {error}"))
            }
            Err(_) => Finding::fail(
                CHECK,
                format!("{name}: {url} did not answer within {} s", PATIENCE.as_secs()),
            ),
        }
    }
}

/// The host and port of an http address.
fn host_and_port(url: &str) -> Option<(String, u16)> {
    let (rest, usual) = match url.split_once("://")? {
        ("http", rest) => (rest, 80),
        ("https", rest) => (rest, 443),
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    if let Some(inner) = authority.strip_prefix('[') {
        let (host, after) = inner.split_once(']')?;
        let port = after.strip_prefix(':').map_or(Some(usual), |port| port.parse().ok())?;
        return Some((host.to_owned(), port));
    }
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, port.parse().ok()?),
        None => (authority, usual),
    };
    (!host.is_empty()).then(|| (host.to_owned(), port))
}

/// Whether a daemon listens at the control socket.
pub(super) async fn socket() -> Finding {
    const CHECK: &str = "socket";
    let path = home::control_socket();
    let shown = path.display();
    if !path.exists() {
        return Finding::ok(
            CHECK,
            format!("no daemon listens at {shown}; clients start their own"),
        );
    }
    match greet().await {
        Ok(name) => Finding::ok(CHECK, format!("a daemon listens at {shown}: {name}")),
        Err(error @ Error::Connect { .. }) => {
            let hint = "it is replaced when a daemon starts";
            Finding::warn(CHECK, format!("{shown} is left over ({error}); {hint}"))
        }
        Err(error) => Finding::fail(CHECK, format!("{shown} does not answer as a daemon: {error}")),
    }
}

/// What the daemon at the control socket calls itself.
async fn greet() -> Result<String, Error> {
    let wire = connect(&Address::ControlSocket, None).await?;
    let session = Session::open(wire, CLIENT).await?;
    let name = session.about().user_agent.clone();
    session.close().await;
    Ok(name)
}

#[cfg(test)]
mod tests;

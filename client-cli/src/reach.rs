//! Which daemon a subcommand talks to.

use anyhow::Context;
use clap::Args;

use crate::args::Shared;
use crate::client::{Address, Client, Error, Session, connect};
use crate::host::{self, Host, Purpose};

/// Options that name a daemon that runs already.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Remote {
    /// Use a daemon that runs already: ws://HOST:PORT or unix://PATH.
    #[arg(long, value_name = "ADDR")]
    pub(crate) remote: Option<Address>,
    /// The environment variable that holds the daemon's bearer token.
    #[arg(long, value_name = "NAME", requires = "remote")]
    pub(crate) remote_auth_token_env: Option<String>,
}

impl Remote {
    /// Takes what the other one names, else what this one does.
    pub(crate) fn then(self, later: Self) -> Self {
        Self {
            remote: later.remote.or(self.remote),
            remote_auth_token_env: later.remote_auth_token_env.or(self.remote_auth_token_env),
        }
    }

    async fn open(&self, address: &Address, client: Client) -> anyhow::Result<Session> {
        let token = self
            .remote_auth_token_env
            .as_ref()
            .map(|name| std::env::var(name).with_context(|| format!("failed to read {name}")))
            .transpose()?;
        let wire = connect(address, token.as_deref()).await?;
        Ok(Session::open(wire, client).await?)
    }
}

/// A session, and the daemon if it is one of ours.
pub(crate) struct Reached {
    /// The session.
    pub(crate) session: Session,
    host: Option<Host>,
}

impl Reached {
    /// Ends the session, and the daemon if it is ours.
    pub(crate) async fn leave(self) {
        self.session.close().await;
        if let Some(host) = self.host {
            host.stop().await;
        }
    }
}

/// Talks to the daemon that is named, else to a fresh one in this process.
pub(crate) async fn named_or_own(
    remote: &Remote,
    shared: &Shared,
    client: Client,
) -> anyhow::Result<Reached> {
    match &remote.remote {
        Some(address) => Ok(Reached { session: remote.open(address, client).await?, host: None }),
        None => own(shared, Purpose::Exec, client).await,
    }
}

/// Talks to the daemon that is named, else to the one that listens at the control socket of the
/// home folder, else to a fresh one in this process.
pub(crate) async fn named_or_local(
    remote: &Remote,
    shared: &Shared,
    client: Client,
) -> anyhow::Result<Reached> {
    if let Some(address) = &remote.remote {
        return Ok(Reached { session: remote.open(address, client).await?, host: None });
    }
    match connect(&Address::ControlSocket, None).await {
        Ok(wire) => Ok(Reached { session: Session::open(wire, client).await?, host: None }),
        Err(Error::Connect { .. }) => own(shared, Purpose::Terminal, client).await,
        Err(error) => Err(error.into()),
    }
}

async fn own(shared: &Shared, purpose: Purpose, client: Client) -> anyhow::Result<Reached> {
    let (wire, host) = host::start(shared, purpose).await;
    Ok(Reached { session: Session::open(wire, client).await?, host: Some(host) })
}

//! From a target to a connection, by way of addresses that are judged.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use parking_lot::RwLock;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::host::{Host, is_public};
use super::limit::{Limits, Refusal, Target};
use super::proxy::Soon;

/// How long a name may take to be resolved.
const RESOLVING: Duration = Duration::from_secs(10);
/// How long one address may take to answer.
const CONNECTING: Duration = Duration::from_secs(15);
/// Addresses of one name that are tried.
const MAX_ADDRESSES: usize = 4;

static HIDDEN: RwLock<Vec<SocketAddr>> = RwLock::new(Vec::new());

/// Hides a listener of the server from every command in a network of its own: no setting opens
/// it, since a command that reached it could ask the server for one without a sandbox.
pub fn hide(address: SocketAddr) {
    let mut hidden = HIDDEN.write();
    if !hidden.contains(&address) {
        hidden.push(address);
    }
}

/// Says whether `address` leads to a listener of the server. One that is open to all networks is
/// found under every address that this machine may have.
fn is_hidden(address: SocketAddr) -> bool {
    HIDDEN.read().iter().any(|hidden| {
        hidden.port() == address.port() && (hidden.ip() == address.ip() || !is_public(address.ip()))
    })
}

/// Finds the addresses of a name.
pub trait Resolve: Send + Sync {
    /// Returns the addresses of `name`, in the order in which they are to be tried.
    fn resolve<'a>(&'a self, name: &'a str, port: u16) -> Soon<'a, io::Result<Vec<SocketAddr>>>;
}

/// Asks the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Resolve for System {
    fn resolve<'a>(&'a self, name: &'a str, port: u16) -> Soon<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(lookup_host((name, port)).await?.collect()) })
    }
}

/// Why there is no connection.
#[derive(Debug)]
pub(super) enum Failure {
    /// There may not be one.
    Refused(Refusal),
    /// The host's name leads nowhere.
    Unknown,
    /// None of the host's addresses can be reached; the last error.
    Unreachable(io::Error),
}

/// Connects to `target`, at an address that `limits` allow and at no other.
pub(super) async fn connect(
    target: &Target,
    limits: &Limits,
    resolver: &dyn Resolve,
) -> Result<TcpStream, Failure> {
    let found = match &target.host {
        Host::Address(address) => vec![SocketAddr::new(*address, target.port)],
        Host::Name(name) => {
            let found = timeout(RESOLVING, resolver.resolve(name, target.port)).await;
            found.ok().and_then(Result::ok).unwrap_or_default()
        }
    };
    if found.is_empty() {
        return Err(Failure::Unknown);
    }
    let allowed = |address: &SocketAddr| {
        limits.allows_address(&target.host, *address) && !is_hidden(*address)
    };
    let mut last = Failure::Refused(Refusal::Local);
    for address in found.into_iter().filter(allowed).take(MAX_ADDRESSES) {
        match timeout(CONNECTING, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = Failure::Unreachable(error),
            Err(_) => last = Failure::Unreachable(io::ErrorKind::TimedOut.into()),
        }
    }
    Err(last)
}

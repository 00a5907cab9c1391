//! What the network's settings say about a connection: pure.

use std::fmt;
use std::net::SocketAddr;

use crate::policy::{Decision, Protocol, Rules};

use super::host::{Host, Pattern, is_public};

#[cfg(test)]
mod tests;

/// Where a command wants to connect to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// How.
    pub protocol: Protocol,
    /// The host, as the command named it.
    pub host: Host,
    /// The port.
    pub port: u16,
}

/// How much of HTTP may be spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Everything.
    #[default]
    Full,
    /// Only requests that ask for something (`GET`, `HEAD`, `OPTIONS`), and only where they can
    /// be seen: neither TLS nor SOCKS.
    Limited,
}

/// The hosts that commands may reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// May be reached without a question.
    pub allow: Vec<Pattern>,
    /// May not be reached, whatever else is said.
    pub deny: Vec<Pattern>,
    /// What may be spoken.
    pub reach: Reach,
    /// Whether this machine and its surroundings count as hosts like any others. Without it, only
    /// those of them that `allow` names one by one may be reached.
    pub local: bool,
    /// Whether `allow` is all that may be reached, whatever rules and people say.
    pub closed: bool,
}

/// What is said about a connection before anybody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It may be made.
    Allow,
    /// Nothing is known of the host; a person decides.
    Ask,
    /// It may not be made.
    Refuse(Refusal),
}

/// Why a connection was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Nobody allowed the host, and nobody can be asked.
    NotListed,
    /// A setting or a rule denies the host.
    Denied,
    /// The host is this machine or near it.
    Local,
    /// What is to be spoken may not be.
    Reach,
    /// Nobody allowed the host, and nobody is to be asked.
    Unasked,
    /// A person said no.
    Rejected,
}

impl Limits {
    /// Says whether `target` may be reached, as far as its name tells.
    ///
    /// Denials come first, then what is local, then permissions; a rule that asks for a question
    /// weighs more than one that allows.
    pub fn judge(&self, rules: &Rules, target: &Target) -> Verdict {
        let fits = |patterns: &[Pattern]| patterns.iter().any(|one| one.fits(&target.host));
        let rule = rules.network_rule(&target.host.to_string(), target.protocol);
        let rule = rule.map(|rule| rule.decision);
        if fits(&self.deny) || rule == Some(Decision::Forbidden) {
            return Verdict::Refuse(Refusal::Denied);
        }
        if target.host.is_local() && !self.admits_local(&target.host) {
            return Verdict::Refuse(Refusal::Local);
        }
        if self.reach == Reach::Limited && target.protocol != Protocol::Http {
            return Verdict::Refuse(Refusal::Reach);
        }
        match rule {
            _ if self.closed && !fits(&self.allow) => Verdict::Refuse(Refusal::NotListed),
            Some(Decision::Prompt) => Verdict::Ask,
            Some(Decision::Allow) => Verdict::Allow,
            _ if fits(&self.allow) => Verdict::Allow,
            _ => Verdict::Ask,
        }
    }

    /// Says whether a request with this method may be made.
    pub fn allows_method(&self, method: &str) -> bool {
        self.reach == Reach::Full || matches!(method, "GET" | "HEAD" | "OPTIONS")
    }

    /// Says whether a connection to `host` may go to `address`, which the host's name led to.
    pub fn allows_address(&self, host: &Host, address: SocketAddr) -> bool {
        is_public(address.ip()) || self.admits_local(host)
    }

    /// A pattern with a star, or a name that happens to lead here, was not meant for what is
    /// local; the plain address, or `localhost`, was.
    fn admits_local(&self, host: &Host) -> bool {
        let named = |pattern: &Pattern| matches!(pattern, Pattern::Exact(own) if own == host);
        self.local || (host.is_local() && self.allow.iter().any(named))
    }
}

impl Target {
    /// Returns the target as an address: `https://a.example:443`.
    pub fn url(&self) -> String {
        let scheme = match self.protocol {
            Protocol::Http => "http",
            Protocol::Https => "https",
            Protocol::Socks5Tcp => "socks5-tcp",
            Protocol::Socks5Udp => "socks5-udp",
        };
        format!("{scheme}://{self}")
    }

    /// Returns the sentence by which people and the model learn why it was not reached.
    pub fn refused(&self, refusal: Refusal) -> String {
        let why = match refusal {
            Refusal::Rejected => return "rejected by user".to_owned(),
            Refusal::Unasked => {
                return format!("Network access to \"{}\" was blocked by policy.", self.url());
            }
            Refusal::NotListed => "domain is not on the allowlist for the current sandbox mode",
            Refusal::Denied => {
                "domain is explicitly denied by policy and cannot be approved from this prompt"
            }
            Refusal::Local => "local/private network addresses are blocked by the sandbox policy",
            Refusal::Reach => "request method is blocked by the current network mode",
        };
        format!("Network access to \"{}\" was blocked: {why}.", self.host)
    }
}

/// Host and port, an address of version 6 in brackets.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Address(address) => SocketAddr::new(*address, self.port).fmt(f),
            Host::Name(name) => write!(f, "{name}:{}", self.port),
        }
    }
}

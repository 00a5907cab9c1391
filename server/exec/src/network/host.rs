//! Names and addresses of hosts, and patterns that fit some of them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[cfg(test)]
mod tests;

/// Longest name of a host, in bytes.
const MAX_NAME: usize = 253;
/// Longest part of a name between two dots, in bytes.
const MAX_LABEL: usize = 63;

/// A host as a program names it: by a name in lower case without a dot at its end, or by address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// A name that has to be resolved.
    Name(Box<str>),
    /// An address. One of version 4 inside one of version 6 is the former.
    Address(IpAddr),
}

impl Host {
    /// Reads a host; an address of version 6 may stand in brackets.
    ///
    /// `None` for what is neither: other characters than those of host names, addresses with a
    /// zone, and numbers that resolvers take for addresses in forms of their own (`127.1`,
    /// `0x7f000001`), which people who read a list of hosts do not.
    pub fn parse(text: &str) -> Option<Self> {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(inside) = bare {
            return inside.parse::<Ipv6Addr>().ok().map(|found| Self::address(found.into()));
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Some(Self::address(address));
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        is_name(&name).then(|| Self::Name(name.into()))
    }

    fn address(address: IpAddr) -> Self {
        Self::Address(address.to_canonical())
    }

    /// Says whether the host is this machine or its surroundings by its very name or address.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Name(name) => &**name == "localhost" || name.ends_with(".localhost"),
            Self::Address(address) => !is_public(*address),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(address) => address.fmt(f),
        }
    }
}

fn is_name(name: &str) -> bool {
    let fits = |label: &str| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        !label.is_empty() && label.len() <= MAX_LABEL && label.bytes().all(known)
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
    name.len() <= MAX_NAME && name.split('.').all(fits) && !is_number
}

/// Hosts that a setting speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// This host.
    Exact(Host),
    /// Every name below this one (`*.example.com`).
    Below(Box<str>),
    /// This name and every one below it (`**.example.com`).
    AtAndBelow(Box<str>),
    /// Every host (`*`).
    Any,
}

impl Pattern {
    /// Reads a pattern; `None` when it is none. A star stands for whole parts of a name and only
    /// at its beginning.
    pub fn parse(text: &str) -> Option<Self> {
        let name = |text: &str| match Host::parse(text)? {
            Host::Name(name) => Some(name),
            Host::Address(_) => None,
        };
        match text.trim() {
            "*" => Some(Self::Any),
            text => match (text.strip_prefix("**."), text.strip_prefix("*.")) {
                (Some(rest), _) => name(rest).map(Self::AtAndBelow),
                (_, Some(rest)) => name(rest).map(Self::Below),
                _ => Host::parse(text).map(Self::Exact),
            },
        }
    }

    /// Says whether the pattern speaks of `host`.
    pub fn fits(&self, host: &Host) -> bool {
        let below = |base: &str, name: &str| {
            name.strip_suffix(base).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
        };
        match (self, host) {
            (Self::Any, _) => true,
            (Self::Exact(own), host) => own == host,
            (Self::Below(base), Host::Name(name)) => below(base, name),
            (Self::AtAndBelow(base), Host::Name(name)) => name == base || below(base, name),
            (Self::Below(_) | Self::AtAndBelow(_), Host::Address(_)) => false,
        }
    }
}

/// Says whether an address belongs to some one host anywhere in the world: none of this machine,
/// of its networks, of their infrastructure, or of ranges set apart for documents and tests.
///
/// Of version 6 only what is given out to networks (`2000::/3`) counts; an address of version 4
/// inside one of version 6 counts as what it leads to.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_4(address),
        IpAddr::V6(address) => is_public_6(address),
    }
}

fn is_public_4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        // Carrier networks and protocol assignments.
        (100, 64..=127, _) | (192, 0, 0) => true,
        // The old relay of version 6, benchmarks, and what was never given out.
        (192, 88, 99) | (198, 18..=19, _) | (240.., _, _) => true,
        (0, _, _) => true,
        _ => false,
    };
    !(special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation())
}

fn is_public_6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let inner = |high: u16, low: u16| {
        let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
        is_public_4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // Translated to version 4 on the way.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        // Tunnels to an address of version 4.
        [0x2002, high, low, ..] => inner(high, low),
        // Protocol assignments (Teredo among them), and documents.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

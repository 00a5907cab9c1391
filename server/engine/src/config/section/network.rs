//! The managed network: which hosts commands may reach, by the user's profile and by what the
//! owner of the machine demands.

use std::collections::BTreeMap;

use serde::Deserialize;
use spindle_exec::network::{Limits, Pattern, Reach};

use crate::config::reader::Reader;

/// The managed network as it is in force for a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct ManagedNetwork {
    /// The hosts.
    pub limits: Limits,
    /// The permission profile that it comes from.
    pub profile: Option<Box<str>>,
}

/// `[permissions.NAME.network]`. What is not said is as in the profile that this one extends.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetworkProfile {
    /// Whether there is a network at all.
    pub enabled: Option<bool>,
    /// What may be spoken.
    pub mode: Option<Reach>,
    /// Whether this machine and its surroundings are hosts like any others.
    pub allow_local: Option<bool>,
    /// Hosts, in the order in which they stand, and whether each may be reached.
    pub domains: Vec<(Pattern, bool)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Full,
    Limited,
}

/// What is done about a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Permission {
    Allow,
    Deny,
}

impl NetworkProfile {
    pub(crate) fn read(table: &Reader<'_>) -> Self {
        let domains = table.table("domains");
        let domain = |key: &str| {
            let permission = domains.get::<Permission>(key)?;
            let Some(pattern) = Pattern::parse(key) else {
                domains.fault(key, "this is neither a host nor a pattern of hosts".to_owned());
                return None;
            };
            Some((pattern, permission == Permission::Allow))
        };
        Self {
            enabled: table.get("enabled"),
            mode: table.get("mode").map(|mode| match mode {
                Mode::Full => Reach::Full,
                Mode::Limited => Reach::Limited,
            }),
            allow_local: table.get("allow_local_binding"),
            domains: domains.keys().filter_map(domain).collect(),
        }
    }

    /// Lays this profile over the one that it extends.
    pub(crate) fn over(self, base: Self) -> Self {
        let own = |pattern: &Pattern| self.domains.iter().any(|(named, _)| named == pattern);
        let inherited = base.domains.into_iter().filter(|(pattern, _)| !own(pattern)).collect();
        Self {
            enabled: self.enabled.or(base.enabled),
            mode: self.mode.or(base.mode),
            allow_local: self.allow_local.or(base.allow_local),
            domains: [inherited, self.domains].concat(),
        }
    }

    /// The hosts of this profile.
    pub(crate) fn limits(self) -> Limits {
        let (allow, deny) = self.domains.into_iter().partition::<Vec<_>, _>(|(_, allow)| *allow);
        let patterns = |pairs: Vec<(Pattern, bool)>| pairs.into_iter().map(|pair| pair.0).collect();
        Limits {
            allow: patterns(allow),
            deny: patterns(deny),
            reach: self.mode.unwrap_or_default(),
            local: self.allow_local.unwrap_or_default(),
            closed: false,
        }
    }
}

/// `[experimental_network]` of the machine's demands.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct NetworkDemand {
    /// Whether commands with a network have the managed one, or none.
    pub(crate) enabled: Option<bool>,
    #[serde(default)]
    domains: BTreeMap<String, Permission>,
    #[serde(default)]
    allowed_domains: Vec<String>,
    #[serde(default)]
    denied_domains: Vec<String>,
    #[serde(default)]
    managed_allowed_domains_only: bool,
    allow_local_binding: Option<bool>,
}

impl NetworkDemand {
    /// What of it is no host, if anything is.
    pub(crate) fn fault(&self) -> Option<String> {
        let named = self.domains.keys().chain(&self.allowed_domains).chain(&self.denied_domains);
        let wrong = named.into_iter().find(|name| Pattern::parse(name).is_none())?;
        Some(format!("`{wrong}` is neither a host nor a pattern of hosts"))
    }

    /// Brings limits within the demands. What is demanded can only be made stricter by the user,
    /// but for hosts that the owner allows.
    pub(crate) fn constrain(&self, limits: &mut Limits) {
        let told = |permission| {
            let told = self.domains.iter().filter(move |(_, own)| **own == permission);
            told.map(|(name, _)| name)
        };
        let patterns = |names: &mut dyn Iterator<Item = &String>| {
            names.filter_map(|name| Pattern::parse(name)).collect::<Vec<_>>()
        };
        if self.managed_allowed_domains_only {
            limits.closed = true;
            limits.allow.clear();
        }
        limits.allow.extend(patterns(&mut told(Permission::Allow).chain(&self.allowed_domains)));
        limits.deny.extend(patterns(&mut told(Permission::Deny).chain(&self.denied_domains)));
        if let Some(local) = self.allow_local_binding {
            limits.local = local;
        }
    }
}

//! Rules about commands and hosts, and which of them fit.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::word::{Known, Word};

/// What a rule says. Stricter decisions are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Run it, without a sandbox and without asking.
    Allow,
    /// Ask first.
    Prompt,
    /// Never run it.
    Forbidden,
}

impl Decision {
    /// Returns the word that rule files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Decision::Allow => "allow",
            Decision::Prompt => "prompt",
            Decision::Forbidden => "forbidden",
        }
    }

    /// Reads the word that rule files use.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [Decision::Allow, Decision::Prompt, Decision::Forbidden];
        all.into_iter().find(|decision| decision.as_str() == word)
    }
}

/// Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: Arc<Path>,
    /// The line of the call, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// A rule about commands that start with given words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefixRule {
    /// For each word, what it may be. Never empty, and no element is.
    pub pattern: Vec<Vec<String>>,
    /// What is done.
    pub decision: Decision,
    /// Why, for whoever is asked or refused.
    pub justification: Option<String>,
    /// Where the rule stands.
    pub origin: Origin,
}

/// How a connection is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// HTTP through the proxy.
    Http,
    /// HTTPS through the proxy.
    Https,
    /// TCP through SOCKS.
    Socks5Tcp,
    /// UDP through SOCKS.
    Socks5Udp,
}

impl Protocol {
    /// Returns the word that rule files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Protocol::Http => "http",
            Protocol::Https => "https",
            Protocol::Socks5Tcp => "socks5_tcp",
            Protocol::Socks5Udp => "socks5_udp",
        }
    }

    /// Reads the word that rule files use.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [Protocol::Http, Protocol::Https, Protocol::Socks5Tcp, Protocol::Socks5Udp];
        all.into_iter().find(|protocol| protocol.as_str() == word)
    }
}

/// A rule about one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkRule {
    /// The host, in lower case.
    pub host: String,
    /// How it is reached.
    pub protocol: Protocol,
    /// What is done; `deny` in a file is `Forbidden` here.
    pub decision: Decision,
    /// Why.
    pub justification: Option<String>,
    /// Where the rule stands.
    pub origin: Origin,
}

/// All rules that count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Rules about commands.
    pub prefix: Vec<PrefixRule>,
    /// Rules about hosts.
    pub network: Vec<NetworkRule>,
    /// The paths under which a program's bare name may stand in a rule, by that name.
    pub hosts: BTreeMap<String, Vec<String>>,
}

/// Whether a rule fits a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It does not.
    No,
    /// It may: the command has words that only the shell knows.
    Maybe,
    /// It does.
    Yes,
}

/// Folders in which a bare name in an `allow` rule also stands for the whole path. A program of
/// the same name elsewhere, in the workspace say, is another program.
const SYSTEM_FOLDERS: &[&str] = &[
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/run/current-system/sw/bin",
];

impl Rules {
    /// Adds all rules of `other`.
    pub fn extend(&mut self, other: Rules) {
        self.prefix.extend(other.prefix);
        self.network.extend(other.network);
        for (name, paths) in other.hosts {
            self.hosts.entry(name).or_default().extend(paths);
        }
    }

    /// Tells whether `rule` fits a command.
    pub fn fit(&self, rule: &PrefixRule, words: &[Word]) -> Fit {
        let (Some((first, pattern)), Some((program, rest))) =
            (rule.pattern.split_first(), words.split_first())
        else {
            return Fit::No;
        };
        let mut fit = self.program_fit(rule.decision, first, program);
        let mut rest = rest.iter();
        if program.known == Known::AnyWords && fit != Fit::No {
            return Fit::Maybe;
        }
        for wanted in pattern {
            let Some(word) = rest.next() else { return Fit::No };
            fit = fit.min(match word.known {
                Known::Exact if wanted.contains(&word.text) => Fit::Yes,
                Known::Exact => Fit::No,
                Known::OneWord => Fit::Maybe,
                Known::AnyWords => return fit.min(Fit::Maybe),
            });
        }
        fit
    }

    fn program_fit(&self, decision: Decision, wanted: &[String], program: &Word) -> Fit {
        let Some(text) = program.as_exact() else {
            // Of `"$X"/bin/rm` the name is known, of `$X` nothing is.
            let fits = program.base_name().is_none_or(|name| wanted.iter().any(|w| w == name));
            return if fits { Fit::Maybe } else { Fit::No };
        };
        let by_path = |wanted: &String| self.stands_for(decision, wanted, text);
        let fits = wanted.iter().any(|w| w == text || by_path(w));
        if fits { Fit::Yes } else { Fit::No }
    }

    /// Tells whether the bare `name` of a rule stands for the program at `path`.
    fn stands_for(&self, decision: Decision, name: &str, path: &str) -> bool {
        let Some((folder, base)) = path.rsplit_once('/') else { return false };
        if base != name {
            return false;
        }
        match self.hosts.get(name) {
            Some(paths) if path.starts_with('/') => paths.iter().any(|known| known == path),
            _ if decision == Decision::Allow => SYSTEM_FOLDERS.contains(&folder),
            _ => true,
        }
    }

    /// Returns the strictest rule about a host, which may be in any case and end with a dot.
    pub fn network_rule(&self, host: &str, protocol: Protocol) -> Option<&NetworkRule> {
        let host = normal_host(host);
        let fits = |rule: &&NetworkRule| rule.host == host && rule.protocol == protocol;
        self.network.iter().filter(fits).max_by_key(|rule| rule.decision)
    }
}

/// Returns a host name in the form in which rules keep it.
pub(super) fn normal_host(host: &str) -> String {
    host.trim().trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests;

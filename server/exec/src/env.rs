//! The environment that a command gets: a policy over what the server has, and what the server
//! adds of its own.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};

#[cfg(test)]
mod tests;

/// A whole environment: names and values, names once.
pub type Environment = Vec<(OsString, OsString)>;

/// How much of the server's environment a command starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inherit {
    /// All of it.
    #[default]
    All,
    /// What programs cannot do without: home, path, user, shell, folder for temporary files.
    Core,
    /// Nothing.
    None,
}

/// The names that [`Inherit::Core`] keeps.
const CORE: [&str; 9] =
    ["HOME", "LOGNAME", "PATH", "SHELL", "USER", "USERNAME", "TMPDIR", "TEMP", "TMP"];

/// Patterns of names that look like secrets.
const SECRETS: [&str; 3] = ["*KEY*", "*SECRET*", "*TOKEN*"];

/// What of the server's environment a command may see, and what is set for it. Steps are taken in
/// the order of the fields.
///
/// Patterns match whole names; `*` stands for any text, `?` for one character, and case does not
/// count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvPolicy {
    /// Where to start from.
    pub inherit: Inherit,
    /// Keeps names that look like secrets (`*KEY*`, `*SECRET*`, `*TOKEN*`).
    pub ignore_default_excludes: bool,
    /// Patterns of names to take out.
    pub exclude: Vec<String>,
    /// Variables to set, whatever was there.
    pub set: BTreeMap<String, String>,
    /// When not empty, patterns of the only names to keep, set ones included.
    pub include_only: Vec<String>,
}

impl Default for EnvPolicy {
    /// Everything is inherited, as the peer's users are used to.
    fn default() -> Self {
        Self {
            inherit: Inherit::All,
            ignore_default_excludes: true,
            exclude: Vec::new(),
            set: BTreeMap::new(),
            include_only: Vec::new(),
        }
    }
}

impl EnvPolicy {
    /// Returns what a command sees of `base`, sorted by name.
    pub fn apply(&self, base: impl IntoIterator<Item = (OsString, OsString)>) -> Environment {
        let mut kept: BTreeMap<OsString, OsString> = base
            .into_iter()
            .filter(|(name, _)| self.inherits(name) && !self.excludes(name))
            .collect();
        kept.extend(self.set.iter().map(|(name, value)| (name.into(), value.into())));
        if !self.include_only.is_empty() {
            kept.retain(|name, _| any_matches(&self.include_only, name));
        }
        kept.into_iter().collect()
    }

    fn inherits(&self, name: &OsStr) -> bool {
        match self.inherit {
            Inherit::All => true,
            Inherit::Core => CORE.iter().any(|core| name.eq_ignore_ascii_case(core)),
            Inherit::None => false,
        }
    }

    fn excludes(&self, name: &OsStr) -> bool {
        (!self.ignore_default_excludes && any_matches(&SECRETS, name))
            || any_matches(&self.exclude, name)
    }
}

/// What the server tells a command about where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The thread.
    pub thread: &'a str,
    /// The session: the thread that the thread's tree began with.
    pub session: &'a str,
    /// The tool call, when there is one.
    pub call: Option<&'a str>,
    /// The server's version.
    pub version: &'a str,
}

impl Origin<'_> {
    /// Returns the server's own variables: no colours, no pagers, plain text in UTF-8, and ids.
    pub fn variables(&self) -> Environment {
        let fixed = [
            ("NO_COLOR", "1"),
            ("TERM", "dumb"),
            ("LANG", "C.UTF-8"),
            ("LC_CTYPE", "C.UTF-8"),
            ("LC_ALL", "C.UTF-8"),
            ("COLORTERM", ""),
            ("PAGER", "cat"),
            ("GIT_PAGER", "cat"),
            ("GH_PAGER", "cat"),
            ("CODEX_CI", "1"),
            ("CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS", "1"),
        ];
        let named = [
            ("CODEX_THREAD_ID", Some(self.thread)),
            ("CODEX_SESSION_ID", Some(self.session)),
            ("CODEX_TOOL_CALL_ID", self.call),
            ("CODEX_VERSION", Some(self.version)),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some((name, value?)));
        fixed.into_iter().chain(named).map(|(name, value)| (name.into(), value.into())).collect()
    }
}

/// The variable that tells a command in the sandbox that it has no network.
pub const NO_NETWORK: (&str, &str) = ("CODEX_SANDBOX_NETWORK_DISABLED", "1");

/// Sets `variables` in `env`, over those of the same name.
pub fn overlay(
    env: &mut Environment,
    variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>,
) {
    let mut places: HashMap<OsString, usize> =
        env.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)).collect();
    for (name, value) in variables {
        let (name, value) = (name.into(), value.into());
        match places.get(&name) {
            Some(place) => env[*place].1 = value,
            None => {
                places.insert(name.clone(), env.len());
                env.push((name, value));
            }
        }
    }
}

fn any_matches(patterns: &[impl AsRef<str>], name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    patterns.iter().any(|pattern| matches(pattern.as_ref().as_bytes(), name))
}

/// Matches a whole name. A failed try after a `*` goes on one byte further, and only the last
/// `*` ever needs another try, so that no pattern is slow.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut retry = None;
    while place < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                retry = Some((at + 1, place + 1));
                at += 1;
            }
            Some(b'?') => (at, place) = (at + 1, place + 1),
            Some(byte) if byte.eq_ignore_ascii_case(&name[place]) => {
                (at, place) = (at + 1, place + 1);
            }
            _ => match retry {
                Some((after, next)) => {
                    (at, place) = (after, next);
                    retry = Some((after, next + 1));
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

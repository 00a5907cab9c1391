//! The machine, as clients are told of it. Looked at when first asked for.

use std::fs;
use std::sync::OnceLock;

/// Facts about the machine that do not change while the daemon runs.
#[derive(Debug, Default)]
pub(super) struct Platform {
    system: OnceLock<String>,
    terminal: OnceLock<String>,
}

impl Platform {
    /// Name and version of the operating system: `Debian 12.0.0`.
    pub(super) fn system(&self) -> &str {
        self.system.get_or_init(|| {
            let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
            distribution(&release).unwrap_or_else(kernel)
        })
    }

    /// The terminal that the daemon was started in.
    pub(super) fn terminal(&self) -> &str {
        self.terminal.get_or_init(|| {
            let variable = |name| std::env::var(name).ok();
            terminal(variable("TERM_PROGRAM"), variable("TERM_PROGRAM_VERSION"), variable("TERM"))
        })
    }

    /// The machine's name.
    #[expect(clippy::unused_self, reason = "a fact about the machine like the others")]
    pub(super) fn host_name(&self) -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }
}

/// Name and version of a distribution; versions have three parts.
fn distribution(release: &str) -> Option<String> {
    let field = |name: &str| {
        let line = release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        Some(line.trim_matches('"')).filter(|value| !value.is_empty())
    };
    let name = field("NAME")?.split_whitespace().next()?;
    let mut parts = field("VERSION_ID").unwrap_or("0").split('.');
    let mut part = || parts.next().unwrap_or("0");
    Some(format!("{name} {}.{}.{}", part(), part(), part()))
}

fn kernel() -> String {
    let uname = rustix::system::uname();
    format!("{} {}", uname.sysname().to_string_lossy(), uname.release().to_string_lossy())
}

/// One word: what stands in a user agent must not hold blanks or brackets.
fn terminal(program: Option<String>, version: Option<String>, term: Option<String>) -> String {
    let named = match (program, version) {
        (Some(program), Some(version)) => format!("{program}/{version}"),
        (Some(program), None) => program,
        (None, _) => term.unwrap_or_default(),
    };
    let word: String =
        named.chars().filter(|c| c.is_ascii_graphic() && !"();".contains(*c)).collect();
    if word.is_empty() { "unknown".to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_has_a_name_and_three_numbers() {
        let debian =
            "PRETTY_NAME=\"Debian GNU/Linux 12\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n";
        assert_eq!(distribution(debian).as_deref(), Some("Debian 12.0.0"));
        assert_eq!(
            distribution("NAME=Ubuntu\nVERSION_ID=\"24.04\"").as_deref(),
            Some("Ubuntu 24.04.0")
        );
        assert_eq!(distribution("NAME=\"Arch Linux\"").as_deref(), Some("Arch 0.0.0"));
        assert_eq!(distribution(""), None);
    }

    #[test]
    fn a_terminal_is_one_word() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(terminal(some("i Term(x)"), some("3"), some("xterm")), "iTermx/3");
        assert_eq!(terminal(None, None, some("xterm-256color")), "xterm-256color");
        assert_eq!(terminal(None, None, None), "unknown");
    }
}

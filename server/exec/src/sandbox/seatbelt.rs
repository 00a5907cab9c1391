//! The sandbox of macOS: a plan as a profile for `sandbox-exec`. Pure.
//!
//! Everything that is not allowed is refused; of two rules that fit, the later one counts. Paths
//! are parameters, so that nothing in their names can be taken for a rule.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::plan::{Access, Bind, Cover, Plan};

#[cfg(test)]
mod tests;

/// Not looked for on `PATH`, which may hold folders that others can write.
const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// What every command may do: look at everything, run programs, talk to what it started itself,
/// and use the services without which the system's libraries do not start. Nothing here opens
/// documents, starts programs outside or asks other programs to do something.
const BASE: &str = "\
(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow file-read*)
(allow sysctl-read)
(allow ipc-posix-sem)
(allow pseudo-tty)
(allow file-ioctl file-write-data (literal \"/dev/null\") (literal \"/dev/zero\")
  (literal \"/dev/tty\") (literal \"/dev/ptmx\") (regex #\"^/dev/ttys[0-9]+$\"))
(allow mach-lookup
  (global-name \"com.apple.system.opendirectoryd.libinfo\")
  (global-name \"com.apple.system.opendirectoryd.membership\")
  (global-name \"com.apple.system.notification_center\"))
";

/// What using the network takes on top: names and certificates are services too.
const NETWORK: &str = "\
(allow network* system-socket)
(allow mach-lookup
  (global-name \"com.apple.SystemConfiguration.configd\")
  (global-name \"com.apple.dnssd.service\")
  (global-name \"com.apple.SecurityServer\")
  (global-name \"com.apple.trustd.agent\"))
";

/// A profile with the values of its parameters.
#[derive(Debug, Default)]
struct Profile {
    text: String,
    values: Vec<PathBuf>,
}

impl Profile {
    fn of(plan: &Plan) -> Self {
        let mut profile = Self { text: BASE.to_owned(), values: Vec::new() };
        if plan.network {
            profile.text.push_str(NETWORK);
        }
        for root in &plan.roots {
            profile.rule("allow file-write*", "subpath", root);
        }
        // Outer ones come first in a plan, so that inner ones count.
        for Bind { path, access } in &plan.binds {
            match access {
                Access::Read => profile.rule("deny file-write*", "subpath", path),
                Access::Write if plan.roots.contains(path) => {
                    profile.rule("allow file-write*", "subpath", path);
                }
                Access::Write => {}
            }
            // Neither it nor a folder above it can be moved away.
            profile.rule("deny file-write-unlink", "literal", path);
        }
        for cover in &plan.covers {
            let (kind, path) = match cover {
                Cover::Folder(path) => ("subpath", path),
                Cover::File(path) => ("literal", path),
            };
            profile.rule("deny file-read* file-write* network-outbound", kind, path);
        }
        profile
    }

    fn rule(&mut self, what: &str, kind: &str, path: &Path) {
        let number = self.values.len();
        let _ = writeln!(self.text, "({what} ({kind} (param \"P{number}\")))"); // Text takes all.
        self.values.push(path.to_owned());
    }
}

/// Returns what goes before a command's own program and arguments.
pub(crate) fn arguments(plan: &Plan) -> Vec<OsString> {
    let Profile { text, values } = Profile::of(plan);
    let mut line: Vec<OsString> = vec![PROGRAM.into(), "-p".into(), text.into()];
    for (number, path) in values.into_iter().enumerate() {
        let mut value = OsString::from(format!("P{number}="));
        value.push(path);
        line.extend(["-D".into(), value]);
    }
    line.push("--".into());
    line
}

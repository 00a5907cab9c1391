//! What holds commands here, and what the rules about them are.

use std::fmt::Write;
use std::path::Path;

use spindle_exec::policy::RuleBook;
use spindle_exec::sandbox::{Gap, Mode, Strategy, Support};
use spindle_schema::settings::ApprovalPolicy;

use super::finding::Finding;
use crate::bench::{Terms, Wanted, Workbench};

#[cfg(test)]
mod tests;

const CHECK: &str = "sandbox";

/// What holds commands of a thread in the current folder.
pub(super) async fn sandbox(workbench: &Workbench) -> Finding {
    match workbench.terms(&Wanted::default()) {
        Ok(terms) => held(Support::detect().await, &terms, Switches::read().hint()),
        Err(error) => Finding::fail(CHECK, error.to_string()),
    }
}

/// What holds commands under these terms; the hint is for systems that could do more.
fn held(support: &Support, terms: &Terms, hint: Option<&str>) -> Finding {
    let mode = mode_name(&terms.mode);
    if !terms.mode.is_sandboxed() {
        return Finding::warn(CHECK, format!("commands run without one: the mode is {mode}"));
    }
    let mut text = match support.strategy() {
        Strategy::None => {
            format!("nothing on this system can enforce {mode}; {}", without(terms.approval))
        }
        strategy => format!("{mode}, held by {}", means(strategy, support.landlock_version())),
    };
    for gap in support.gaps().into_iter().filter(|gap| *gap != Gap::Everything) {
        let _ = write!(text, "\ndoes not protect {}", gap.describe());
    }
    for (strategy, why) in support.refused() {
        let _ = write!(text, "\n{strategy} cannot be used: {why}");
    }
    match support.strategy() {
        Strategy::Namespaces { processes: true } => return Finding::ok(CHECK, text),
        _ => hint.into_iter().for_each(|hint| _ = write!(text, "\n{hint}")),
    }
    match support.strategy() {
        Strategy::None => Finding::fail(CHECK, text),
        _ => Finding::warn(CHECK, text),
    }
}

/// The walls of a strategy, by name.
fn means(strategy: &Strategy, landlock: i32) -> String {
    let rules = match landlock {
        0 => "no file rules (this kernel has no Landlock)".to_owned(),
        version => format!("file rules (Landlock {version})"),
    };
    let filter = "a filter of system calls";
    match strategy {
        Strategy::Rules => format!("{rules}, {filter}, no mounts"),
        Strategy::Namespaces { .. } => format!("{strategy}, {rules}, {filter}"),
        Strategy::Bubblewrap { .. } | Strategy::None => format!("{strategy}, {filter}"),
    }
}

/// What becomes of commands that nothing can hold.
fn without(approval: ApprovalPolicy) -> &'static str {
    match approval {
        ApprovalPolicy::Never => {
            "as nobody is asked (approval policy never), only commands run that are known to read"
        }
        _ => "each command needs an approval unless it is known to read only",
    }
}

fn mode_name(mode: &Mode) -> &'static str {
    match mode {
        Mode::FullAccess => "danger-full-access",
        Mode::External => "external",
        Mode::ReadOnly { .. } => "read-only",
        Mode::WorkspaceWrite { .. } => "workspace-write",
        Mode::Widened { base, .. } => mode_name(base),
    }
}

/// The switches by which distributions keep namespaces from plain users.
#[derive(Debug, Clone, Copy, Default)]
struct Switches {
    /// `user.max_user_namespaces`.
    most: Option<u64>,
    /// `kernel.unprivileged_userns_clone`.
    clone: Option<u64>,
    /// `kernel.apparmor_restrict_unprivileged_userns`.
    apparmor: Option<u64>,
}

impl Switches {
    fn read() -> Self {
        let number = |name: &str| {
            let text = std::fs::read_to_string(Path::new("/proc/sys").join(name)).ok()?;
            text.trim().parse().ok()
        };
        Self {
            most: number("user/max_user_namespaces"),
            clone: number("kernel/unprivileged_userns_clone"),
            apparmor: number("kernel/apparmor_restrict_unprivileged_userns"),
        }
    }

    /// What to change so that the strongest means work.
    fn hint(self) -> Option<&'static str> {
        if self.most == Some(0) {
            Some("remedy: sysctl user.max_user_namespaces=10000")
        } else if self.clone == Some(0) {
            Some("remedy: sysctl kernel.unprivileged_userns_clone=1, or install bubblewrap")
        } else if self.apparmor == Some(1) {
            Some(
                "remedy: sysctl kernel.apparmor_restrict_unprivileged_userns=0, a profile for \
                 this program, or bubblewrap",
            )
        } else {
            None
        }
    }
}

/// What the rule files say; a faulty one disables only itself.
pub(super) fn rules(workbench: &Workbench) -> Vec<Finding> {
    let mut book = workbench.rules();
    told(&mut book, &workbench.home().join("rules"))
}

fn told(book: &mut RuleBook, folder: &Path) -> Vec<Finding> {
    const CHECK: &str = "rules";
    let rules = book.current();
    let faults = book.errors().map(|fault| {
        Finding::warn(CHECK, format!("{}\nno rule of this file counts", fault.brief()))
    });
    let mut findings: Vec<Finding> = faults.collect();
    let folder = folder.display();
    let text = match book.files() - findings.len() {
        0 => format!("none in {folder}"),
        files => {
            let (commands, hosts) = (rules.prefix.len(), rules.network.len());
            format!("{commands} about commands, {hosts} about hosts, {files} files in {folder}")
        }
    };
    findings.push(Finding::ok(CHECK, text));
    findings
}

//! The sandbox by way of another program, bubblewrap: for systems that let it make namespaces and
//! not us.
//!
//! It costs three more milliseconds a command, and has no file rules.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{MemfdFlags, memfd_create};
use seccompiler::sock_filter;

use super::confine::hold_placeholders;
use super::error::SandboxError;
use super::files::Files;
use super::placeholder::Placeholder;
use super::plan::{Access, Bind, Cover, Kind, Look, Plan};
use super::seccomp;

#[cfg(test)]
mod tests;

/// Where the program is looked for. Not on `PATH`, which may hold folders that others can write.
const PLACES: [&str; 4] =
    ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/wrappers/bin/bwrap"];

/// The descriptor under which bubblewrap finds the filter of system calls.
pub(crate) const FILTER: i32 = 3;

/// Returns the program, when it is installed.
pub(crate) fn find() -> Option<PathBuf> {
    PLACES.iter().map(PathBuf::from).find(|place| place.is_file())
}

/// A command line that goes before the command's own.
#[derive(Debug)]
pub(crate) struct Wrapper {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// The filter of system calls, as a file to read.
    pub(crate) filter: OwnedFd,
    pub(crate) placeholders: Vec<Placeholder>,
}

impl Wrapper {
    /// Lays out what `plan` needs for a command that starts in `cwd`.
    pub(crate) fn new(program: &Path, mut plan: Plan, cwd: &Path) -> Result<Self, SandboxError> {
        let placeholders = hold_placeholders(&mut plan)?;
        if let Some(link) = plan.binds.iter().find(|bind| Files.kind(&bind.path) == Kind::Link) {
            return Err(SandboxError::ProtectedLink(link.path.clone()));
        }
        let filter = filter_file(seccomp::filter(seccomp::Network::shared(plan.network))?)
            .map_err(SandboxError::prepare("a filter file"))?;
        Ok(Self {
            program: program.to_path_buf(),
            arguments: arguments(&plan, program, cwd),
            filter,
            placeholders,
        })
    }
}

/// Returns the arguments, up to the command's own: pure.
fn arguments(plan: &Plan, program: &Path, cwd: &Path) -> Vec<OsString> {
    let mut line = Line(vec![program.into()]);
    // As root, too, a user namespace: without it, dropped rights or not, mounts can be undone.
    line.add(&["--unshare-user", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"]);
    line.add(&["--die-with-parent"]);
    let everything = plan.roots.iter().any(|root| root == Path::new("/"));
    line.add(&[if everything { "--bind" } else { "--ro-bind" }, "/", "/"]);
    line.add(&["--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc"]);
    for Bind { path, access } in plan.binds.iter().filter(|bind| bind.path != Path::new("/")) {
        let option = if *access == Access::Write { "--bind" } else { "--ro-bind" };
        line.add(&[OsStr::new(option), path.as_os_str(), path.as_os_str()]);
    }
    for cover in &plan.covers {
        match cover {
            Cover::Folder(path) => {
                line.add(&[OsStr::new("--tmpfs"), path.as_os_str()]);
                line.add(&[OsStr::new("--remount-ro"), path.as_os_str()]);
            }
            Cover::File(path) => {
                line.add(&[OsStr::new("--ro-bind"), OsStr::new("/dev/null"), path.as_os_str()]);
            }
        }
    }
    line.add(&["--seccomp", &FILTER.to_string()]);
    line.add(&[OsStr::new("--chdir"), cwd.as_os_str(), OsStr::new("--")]);
    line.0
}

struct Line(Vec<OsString>);

impl Line {
    fn add(&mut self, words: &[impl AsRef<OsStr>]) {
        self.0.extend(words.iter().map(|word| word.as_ref().to_owned()));
    }
}

/// Writes a filter in the kernel's form to a file that is read from its beginning.
fn filter_file(filter: &[sock_filter]) -> io::Result<OwnedFd> {
    let mut bytes = Vec::with_capacity(size_of_val(filter));
    for step in filter {
        bytes.extend_from_slice(&step.code.to_ne_bytes());
        bytes.extend_from_slice(&[step.jt, step.jf]);
        bytes.extend_from_slice(&step.k.to_ne_bytes());
    }
    let mut file = std::fs::File::from(memfd_create("filter", MemfdFlags::CLOEXEC)?);
    file.write_all(&bytes)?;
    rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(0))?;
    Ok(file.into())
}

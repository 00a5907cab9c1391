//! The walls around one command: made ready before the clone, put up in the child.
#![expect(unsafe_code, reason = "the child may only make raw system calls")]

use std::ffi::{CStr, CString, c_int};
use std::io;
use std::os::fd::AsFd;

use seccompiler::sock_filter;

use super::bwrap::Wrapper;
use super::error::SandboxError;
use super::landlock::{self, Rules};
use super::link::Link;
use super::mounts::{Failed, Mounts};
use super::placeholder::Placeholder;
use super::plan::{Access, Plan};
use super::seccomp::{self, Network};

/// What the system allows to be put up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Mounts and rules and filter. With `processes`, the command sees only its own.
    Namespaces { processes: bool },
    /// Rules and filter.
    Rules,
}

/// How one command is held.
#[derive(Debug)]
pub(crate) enum Walls {
    /// By what its process does to itself.
    Own(Confinement),
    /// By a program that it is started through.
    Wrapper(Wrapper),
}

/// Everything that the child needs to put up its walls.
#[derive(Debug)]
pub(crate) struct Confinement {
    namespaces: Option<Namespaces>,
    rules: Option<Rules>,
    filter: &'static [sock_filter],
    /// Given over to whoever waits for the command's end.
    pub(crate) placeholders: Vec<Placeholder>,
}

#[derive(Debug)]
struct Namespaces {
    users: CString,
    groups: CString,
    mounts: Mounts,
    /// The way out of a network of the command's own, when it has one.
    link: Option<Link>,
}

/// The step of putting up walls that failed.
pub(super) type Blocked = &'static str;

impl Confinement {
    /// Opens and lays out what `plan` needs. With `link`, the command gets a network of its own.
    pub(crate) fn prepare(
        mut plan: Plan,
        strength: Strength,
        link: Option<Link>,
    ) -> Result<Self, SandboxError> {
        let (mut placeholders, mut namespaces) = (Vec::new(), None);
        let network = if link.is_some() { Network::Own } else { Network::shared(plan.network) };
        if let Strength::Namespaces { processes } = strength {
            placeholders = hold_placeholders(&mut plan)?;
            namespaces = Some(Namespaces { link, ..Namespaces::new(&plan, processes)? });
        } else if link.is_some() {
            return Err(SandboxError::NoOwnNetwork);
        }
        let rules = match (landlock::version(), strength) {
            (0, Strength::Rules) => return Err(SandboxError::Unavailable),
            (0, _) => None,
            _ => Some(Rules::new(&plan.roots, strength == Strength::Rules)?),
        };
        let filter = seccomp::filter(network)?;
        Ok(Self { namespaces, rules, filter, placeholders })
    }

    /// Allows writing to the terminal that the command is connected to.
    pub(crate) fn allow_terminal(&self, terminal: impl AsFd) -> Result<(), SandboxError> {
        self.rules.as_ref().map_or(Ok(()), |rules| rules.allow_terminal(terminal))
    }

    /// Returns the namespaces that the child is cloned into.
    pub(crate) fn clone_flags(&self) -> c_int {
        match &self.namespaces {
            None => 0,
            Some(namespaces) => {
                let base = libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWIPC;
                let when = |wanted, flag| if wanted { flag } else { 0 };
                base | when(namespaces.mounts.own_processes, libc::CLONE_NEWPID)
                    | when(namespaces.link.is_some(), libc::CLONE_NEWNET)
            }
        }
    }

    /// Says whether the command needs a process 1 above it.
    pub(crate) fn has_own_processes(&self) -> bool {
        self.namespaces.as_ref().is_some_and(|namespaces| namespaces.mounts.own_processes)
    }

    /// Becomes somebody in the new namespaces and makes the mounts. Runs in the child.
    pub(super) fn enter(&mut self) -> Result<(), Blocked> {
        let Some(namespaces) = &mut self.namespaces else { return Ok(()) };
        let said = |path, text: &CStr| write_file(path, text.to_bytes());
        said(c"/proc/self/setgroups", c"deny").map_err(|Failed| "groups")?;
        said(c"/proc/self/uid_map", &namespaces.users).map_err(|Failed| "user")?;
        said(c"/proc/self/gid_map", &namespaces.groups).map_err(|Failed| "group")?;
        if let Some(link) = &namespaces.link {
            link.open().map_err(|Failed| "network")?;
        }
        namespaces.mounts.make().map_err(|Failed| "mounts")?;
        if let Some(rules) = &self.rules {
            // These were mounted just now; not every system has them.
            let _ = rules.allow_folder(c"/dev/shm");
            let _ = rules.allow_folder(c"/dev/pts");
            let _ = rules.allow_device(c"/dev/ptmx");
        }
        Ok(())
    }

    /// Gives up every right that could take the walls down. Runs in the child, after `enter`.
    pub(super) fn restrict(&self) -> Result<(), Blocked> {
        // SAFETY: changes only the child, for good.
        if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
            return Err("privileges");
        }
        drop_capabilities()?;
        match &self.rules {
            Some(rules) => rules.enforce().map_err(|Failed| "rules for files"),
            None => Ok(()),
        }
    }

    /// Installs the filter of system calls. Runs in the child, last.
    pub(super) fn install_filter(&self) -> Result<(), Blocked> {
        let program = libc::sock_fprog {
            len: self.filter.len() as u16,
            filter: self.filter.as_ptr().cast::<libc::sock_filter>().cast_mut(),
        };
        // SAFETY: both kinds of `sock_filter` have the kernel's layout, the kernel only reads, and
        // the program lives as long as the server.
        let installed = unsafe {
            let mode = libc::SECCOMP_SET_MODE_FILTER;
            libc::syscall(libc::SYS_seccomp, mode, 0_u32, &raw const program)
        };
        if installed == 0 { Ok(()) } else { Err("filter of system calls") }
    }
}

impl Namespaces {
    fn new(plan: &Plan, processes: bool) -> Result<Self, SandboxError> {
        let same = |id: u32| CString::new(format!("{id} {id} 1")).unwrap_or_default();
        let mounts = Mounts::new(plan, processes).map_err(SandboxError::prepare("mounts"))?;
        Ok(Self {
            users: same(rustix::process::geteuid().as_raw()),
            groups: same(rustix::process::getegid().as_raw()),
            mounts,
            link: None,
        })
    }
}

/// Makes the placeholders of a plan. What we cannot make, a command cannot make either, so that
/// it needs no protection.
pub(super) fn hold_placeholders(plan: &mut Plan) -> Result<Vec<Placeholder>, SandboxError> {
    let mut held = Vec::new();
    for path in std::mem::take(&mut plan.placeholders) {
        match Placeholder::hold(&path) {
            Ok(placeholder) => held.extend(placeholder),
            Err(error) if is_refusal(&error) => {
                plan.binds.retain(|bind| bind.path != path || bind.access != Access::Read);
            }
            Err(source) => {
                return Err(SandboxError::Prepare { what: "a protected folder", source });
            }
        }
    }
    Ok(held)
}

fn is_refusal(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | NotFound | NotADirectory)
}

fn write_file(path: &CStr, text: &[u8]) -> Result<(), Failed> {
    // SAFETY: the path and the text live through the calls, and the text is as long as said.
    unsafe {
        let file = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if file < 0 {
            return Err(Failed);
        }
        if libc::write(file, text.as_ptr().cast(), text.len()) != text.len().cast_signed() {
            return Err(Failed);
        }
        libc::close(file);
    }
    Ok(())
}

/// Drops every capability, and what would give a program of root's some again.
fn drop_capabilities() -> Result<(), Blocked> {
    const VERSION: u32 = 0x2008_0522;
    // `SECBIT_NOROOT` and `SECBIT_NOROOT_LOCKED`. One call does what otherwise takes one for each
    // capability in the bounding set.
    const ROOT_IS_NOBODY: c_int = 0b11;
    // Refused to users who have nothing to drop.
    // SAFETY: takes a number and changes only the child.
    unsafe { libc::prctl(libc::PR_SET_SECUREBITS, ROOT_IS_NOBODY, 0, 0, 0) };
    let header = [VERSION, 0];
    let none = [0_u32; 6];
    // SAFETY: the kernel reads a header of two numbers and two sets of three.
    let dropped = unsafe { libc::syscall(libc::SYS_capset, &raw const header, &raw const none) };
    if dropped == 0 { Ok(()) } else { Err("capabilities") }
}

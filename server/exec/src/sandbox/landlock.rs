//! Rules for files, signals and abstract sockets, kept by the Landlock part of the kernel.
//!
//! Rights only add up there: what may be written can be listed, what lies below cannot be taken
//! out again. That takes mounts; these rules are the second wall.
#![expect(unsafe_code, reason = "the child may only make raw system calls")]

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope,
};

use super::error::SandboxError;
use super::mounts::Failed;

/// Devices that ordinary programs write to.
const DEVICES: [&str; 6] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];
/// Terminals and shared memory: with mounts the command has its own at these places, without, it
/// shares those of the user.
const SHARED: [&str; 3] = ["/dev/ptmx", "/dev/pts", "/dev/shm"];

/// Returns the version of Landlock that the kernel has; 0 when it has none.
pub(crate) fn version() -> i32 {
    const ASK_VERSION: u32 = 1;
    // SAFETY: with this flag the call takes nothing and returns a number.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<()>(),
            0_usize,
            ASK_VERSION,
        )
    };
    i32::try_from(version).unwrap_or(0).max(0)
}

/// A set of rules, and what the child adds to it.
#[derive(Debug)]
pub(crate) struct Rules {
    set: OwnedFd,
    /// The rights on a folder that the command may write in.
    folder: u64,
    /// The rights on a file or device that it may write to.
    file: u64,
}

impl Rules {
    /// Makes rules that allow writing below `roots` and to harmless devices; with `shared`, to
    /// the terminals and the memory that are the user's too.
    pub(crate) fn new(roots: &[PathBuf], shared: bool) -> Result<Self, SandboxError> {
        let abi = ABI::from(version());
        let all = AccessFs::from_write(abi);
        // Nobody makes devices, not even in a folder of their own.
        let folder = all & !(AccessFs::MakeChar | AccessFs::MakeBlock);
        let file = all & AccessFs::from_file(abi);
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .scope(Scope::from_all(abi))?
            .create()?;
        let shared = SHARED.iter().filter(|_| shared);
        let devices = DEVICES.iter().chain(shared).map(Path::new);
        for path in roots.iter().map(PathBuf::as_path).chain(devices) {
            // What is not there cannot be written to.
            let Ok(place) = PathFd::new(path) else { continue };
            let rights: BitFlags<AccessFs> = if path.is_dir() { folder } else { file };
            rules = rules.add_rule(PathBeneath::new(place, rights))?;
        }
        let set: Option<OwnedFd> = rules.into();
        let set = set.ok_or(SandboxError::Unavailable)?;
        Ok(Self { set, folder: folder.bits(), file: file.bits() })
    }

    /// Allows writing to the terminal that the command is connected to.
    pub(crate) fn allow_terminal(&self, terminal: impl AsFd) -> Result<(), SandboxError> {
        self.add(self.file, terminal.as_fd().as_raw_fd()).map_err(|Failed| {
            SandboxError::prepare("a rule for the terminal")(std::io::Error::last_os_error())
        })
    }

    /// Allows writing below a folder that came into being in the child. Runs there.
    pub(super) fn allow_folder(&self, folder: &CStr) -> Result<(), Failed> {
        self.add(self.folder, open_place(folder)?)
    }

    /// Allows writing to a device that came into being in the child. Runs there.
    pub(super) fn allow_device(&self, device: &CStr) -> Result<(), Failed> {
        self.add(self.file, open_place(device)?)
    }

    /// Adds one rule, with raw calls only.
    fn add(&self, rights: u64, place: RawFd) -> Result<(), Failed> {
        const PATH_BENEATH: u32 = 1;
        /// The kernel's form of one rule, without padding.
        #[repr(C, packed)]
        struct Rule {
            rights: u64,
            place: RawFd,
        }
        let rule = Rule { rights, place };
        // SAFETY: the rule lives through the call and has the kernel's form.
        let added = unsafe {
            let set = self.set.as_raw_fd();
            libc::syscall(libc::SYS_landlock_add_rule, set, PATH_BENEATH, &raw const rule, 0)
        };
        if added == 0 { Ok(()) } else { Err(Failed) }
    }

    /// Puts the calling process under the rules. Runs in the child.
    pub(super) fn enforce(&self) -> Result<(), Failed> {
        // SAFETY: takes two numbers.
        let done =
            unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.set.as_raw_fd(), 0_u32) };
        if done == 0 { Ok(()) } else { Err(Failed) }
    }
}

fn open_place(path: &CStr) -> Result<RawFd, Failed> {
    // SAFETY: the string lives through the call.
    let place = unsafe { libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC) };
    if place < 0 { Err(Failed) } else { Ok(place) }
}

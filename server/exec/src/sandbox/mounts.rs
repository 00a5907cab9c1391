//! The mounts of a sandbox: laid out before the clone, made in the child with raw calls.
#![expect(unsafe_code, reason = "the child may only make raw system calls")]

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::ptr;

use super::clone::errno;
use super::plan::{Access, Cover, Plan};

/// Everything that is mounted for one command, in strings that the kernel takes.
#[derive(Debug)]
pub(crate) struct Mounts {
    /// Whether the root of all is one of the writable folders.
    everything_writable: bool,
    binds: Vec<Tree>,
    /// The devices that can be used. No other device can, wherever it is.
    devices: Vec<Tree>,
    /// Whether the device that makes terminals is a place of its own and no link.
    has_terminal_maker: bool,
    covers: Vec<(CString, Shape)>,
    /// Whether processes are to be seen as they are inside.
    pub(crate) own_processes: bool,
}

/// A piece of the file system that gets a mount of its own.
#[derive(Debug)]
struct Tree {
    path: CString,
    access: Access,
    /// The copy, in the child only.
    copy: RawFd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Folder,
    File,
}

/// What failed, with the system's error number left where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failed;

type Done = Result<(), Failed>;

/// The devices that ordinary programs use.
const DEVICES: [&str; 6] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

impl Mounts {
    /// Lays out what `plan` needs.
    pub(crate) fn new(plan: &Plan, own_processes: bool) -> io::Result<Self> {
        let tree = |at: &Path, access| Ok(Tree { path: path(at)?, access, copy: -1 });
        let binds = plan.binds.iter().filter(|bind| bind.path != Path::new("/"));
        let is_device = |path: &&Path| {
            let found = path.symlink_metadata().map(|found| found.file_type());
            found.is_ok_and(|kind| kind.is_char_device())
        };
        let devices = DEVICES.iter().map(Path::new).filter(is_device);
        let cover = |cover: &Cover| {
            Ok(match cover {
                Cover::Folder(folder) => (path(folder)?, Shape::Folder),
                Cover::File(file) => (path(file)?, Shape::File),
            })
        };
        Ok(Self {
            everything_writable: plan.roots.iter().any(|root| root == Path::new("/")),
            binds: binds.map(|bind| tree(&bind.path, bind.access)).collect::<io::Result<_>>()?,
            devices: devices.map(|at| tree(at, Access::Write)).collect::<io::Result<_>>()?,
            has_terminal_maker: is_device(&Path::new("/dev/ptmx")),
            covers: plan.covers.iter().map(cover).collect::<io::Result<_>>()?,
            own_processes,
        })
    }

    /// Makes the mounts. Runs in the child, in a mount namespace of its own.
    pub(super) fn make(&mut self) -> Done {
        // Nothing that is mounted outside later may appear here: it would be writable.
        mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
        for tree in self.binds.iter_mut().chain(&mut self.devices) {
            // Copied while everything is as it was, so that writable copies stay writable.
            tree.copy = copy_of(at(&tree.path)?)?;
        }
        let whole = if self.everything_writable { Access::Write } else { Access::Read };
        limit(libc::AT_FDCWD, c"/", whole)?;
        for tree in &self.binds {
            limit(tree.copy, c"", tree.access)?;
            attach(tree.copy, at(&tree.path)?)?;
        }
        for device in &self.devices {
            attach(device.copy, at(&device.path)?)?;
        }
        self.make_own()?;
        self.cover()
    }

    /// Mounts what is the command's alone.
    fn make_own(&self) -> Done {
        let harmless = libc::MS_NOSUID | libc::MS_NOEXEC;
        if self.own_processes {
            let flags = harmless | libc::MS_NODEV | libc::MS_RDONLY;
            mount(Some(c"proc"), c"/proc", Some(c"proc"), flags, None)?;
        }
        // Neither is there in every container.
        if at(c"/dev/shm").is_ok() {
            let flags = libc::MS_NOSUID | libc::MS_NODEV;
            mount(Some(c"tmpfs"), c"/dev/shm", Some(c"tmpfs"), flags, Some(c"mode=1777"))?;
        }
        if at(c"/dev/pts").is_ok() {
            // The user's other terminals could be written to, and what is typed there read.
            let options = c"newinstance,ptmxmode=0666,mode=0620";
            mount(Some(c"devpts"), c"/dev/pts", Some(c"devpts"), harmless, Some(options))?;
            if self.has_terminal_maker {
                attach(copy_of(at(c"/dev/pts/ptmx")?)?, at(c"/dev/ptmx")?)?;
            }
        }
        Ok(())
    }

    /// Covers what the command may not see.
    fn cover(&self) -> Done {
        let empty = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_RDONLY;
        for (path, shape) in &self.covers {
            let covered = match shape {
                Shape::Folder => {
                    let options = Some(c"size=4k,mode=555");
                    mount(Some(c"tmpfs"), path, Some(c"tmpfs"), empty, options)
                }
                Shape::File => {
                    at(path).and_then(|place| attach(copy_of(at(c"/dev/null")?)?, place))
                }
            };
            // What has gone in the meantime needs no cover.
            if covered.is_err() && errno() != libc::ENOENT {
                return covered;
            }
        }
        Ok(())
    }
}

fn path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Opens a place without following any link: what was a folder when it was planned and has
/// become a link since is not what was meant.
fn at(path: &CStr) -> Result<RawFd, Failed> {
    // SAFETY: every pattern of bits is a valid `open_how`.
    let mut how = unsafe { std::mem::zeroed::<libc::open_how>() };
    how.flags = (libc::O_PATH | libc::O_NOFOLLOW | libc::O_CLOEXEC) as u64;
    how.resolve = libc::RESOLVE_NO_SYMLINKS;
    // SAFETY: the string and the structure live through the call.
    checked(unsafe {
        libc::syscall(
            libc::SYS_openat2,
            libc::AT_FDCWD,
            path.as_ptr(),
            &raw const how,
            size_of::<libc::open_how>(),
        )
    })
}

/// Copies the mounts at and below a place.
fn copy_of(place: RawFd) -> Result<RawFd, Failed> {
    const OPEN_TREE_CLONE: c_int = 1;
    let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC | libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    // SAFETY: takes numbers and an empty string.
    checked(unsafe { libc::syscall(libc::SYS_open_tree, place, c"".as_ptr(), flags) })
}

/// Puts a copy over a place.
fn attach(copy: RawFd, place: RawFd) -> Done {
    const FROM_EMPTY_PATH: c_uint = 0x04;
    const TO_EMPTY_PATH: c_uint = 0x40;
    let (empty, flags) = (c"".as_ptr(), FROM_EMPTY_PATH | TO_EMPTY_PATH);
    // SAFETY: takes numbers and empty strings.
    checked(unsafe { libc::syscall(libc::SYS_move_mount, copy, empty, place, empty, flags) })
        .map(|_| ())
}

/// Takes devices, and with [`Access::Read`] all writing, from everything at and below a place.
fn limit(place: RawFd, path: &CStr, access: Access) -> Done {
    // SAFETY: every pattern of bits is a valid `mount_attr`.
    let mut change = unsafe { std::mem::zeroed::<libc::mount_attr>() };
    change.attr_set = match access {
        Access::Write => libc::MOUNT_ATTR_NODEV,
        Access::Read => libc::MOUNT_ATTR_NODEV | libc::MOUNT_ATTR_RDONLY,
    };
    // SAFETY: the string and the structure live through the call.
    checked(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            place,
            path.as_ptr(),
            libc::AT_RECURSIVE | libc::AT_EMPTY_PATH,
            &raw const change,
            size_of::<libc::mount_attr>(),
        )
    })
    .map(|_| ())
}

fn mount(
    source: Option<&CStr>,
    target: &CStr,
    kind: Option<&CStr>,
    flags: libc::c_ulong,
    options: Option<&CStr>,
) -> Done {
    let text = |text: Option<&CStr>| text.map_or(ptr::null(), CStr::as_ptr);
    let options: *const c_char = text(options);
    // SAFETY: the strings live through the call.
    let result =
        unsafe { libc::mount(text(source), target.as_ptr(), text(kind), flags, options.cast()) };
    if result == 0 { Ok(()) } else { Err(Failed) }
}

fn checked(result: c_long) -> Result<RawFd, Failed> {
    if result < 0 { Err(Failed) } else { Ok(result as RawFd) }
}

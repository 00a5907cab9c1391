//! The few lines that run in a child between its birth and its program.
//!
//! The child shares our memory and one of our threads is held until it execs, so it makes system
//! calls and nothing else: no allocation, no lock, no panic. Everything it needs was made before,
//! and what went wrong is left in `Outcome`.
#![expect(unsafe_code, reason = "raw system calls are what this file is for")]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::ptr;

use super::confine::Confinement;

/// The steps of a child, for the error message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing failed.
    None,
    /// A wall of its sandbox.
    Sandbox(&'static str),
    /// Its own session and process group.
    Session,
    /// The tie to the life of its parent.
    Parent,
    /// Standard input, output and error.
    Stdio,
    /// The controlling terminal.
    Terminal,
    /// Closing what it inherited.
    Descriptors,
    /// The folder it starts in.
    Cwd,
    /// The program.
    Exec,
}

/// Where a child writes why it gave up.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) step: Step,
    pub(crate) errno: c_int,
}

/// What a child does, as plain numbers and pointers.
pub(crate) struct Task {
    /// Descriptors that become 0, 1 and 2. Each is 3 or above.
    pub(crate) stdio: [RawFd; 3],
    /// A descriptor above 3 that becomes 3; -1 for none.
    pub(crate) extra: RawFd,
    /// Whether it ends with the thread that made it.
    pub(crate) tied: bool,
    /// Whether standard input becomes the controlling terminal.
    pub(crate) terminal: bool,
    /// The parent's process id.
    pub(crate) parent: libc::pid_t,
    /// The walls to put up, or null.
    pub(crate) confinement: *mut Confinement,
    pub(crate) cwd: *const c_char,
    pub(crate) program: Program,
    pub(crate) argv: *const *const c_char,
    pub(crate) envp: *const *const c_char,
    pub(crate) outcome: Outcome,
}

/// What a child becomes.
#[derive(Clone, Copy)]
pub(crate) enum Program {
    /// A program on disk.
    Path(*const c_char),
    /// The guard, which takes the path as its first argument and runs it.
    Guard {
        /// The open guard.
        guard: RawFd,
        /// The program that the guard is to run; null when there is none.
        path: *const c_char,
    },
}

/// A stack for children. They run one at a time, because their parent thread waits for each.
pub(crate) struct Stack {
    base: *mut c_void,
}

// SAFETY: the mapping belongs to the value alone, whichever thread holds it.
unsafe impl Send for Stack {}

const STACK_BYTES: usize = 64 * 1024;
const GUARD_BYTES: usize = 16 * 1024;

impl Stack {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: an anonymous mapping at an address the kernel picks touches no memory of ours.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                STACK_BYTES + GUARD_BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let stack = Self { base };
        // SAFETY: the range is the beginning of the mapping made above, which nobody uses yet.
        if unsafe { libc::mprotect(base, GUARD_BYTES, libc::PROT_NONE) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(stack)
    }

    fn top(&self) -> *mut c_void {
        self.base.wrapping_byte_add(STACK_BYTES + GUARD_BYTES)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this length, and no child runs on it any
        // more, because `start` returns only when its child has left our memory.
        unsafe { libc::munmap(self.base, STACK_BYTES + GUARD_BYTES) };
    }
}

/// Starts a child for `task` and waits until it runs its program or has given up.
///
/// Returns its process id and a descriptor for it. When `task.outcome` names a step, the child
/// gave up and is a zombie.
///
/// Order: the calling thread has all signals blocked and lives as long as the child should.
pub(crate) fn start(stack: &Stack, task: &mut Task) -> io::Result<(libc::pid_t, OwnedFd)> {
    let mut pidfd: c_int = -1;
    // SAFETY: the pointer is null or good for the life of the task, and no child runs yet.
    let namespaces = unsafe { task.confinement.as_ref() }.map_or(0, Confinement::clone_flags);
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD | namespaces;
    // SAFETY: `stack` is mapped and used by nobody else while we wait; `task` outlives the call
    // and, because of CLONE_VFORK, this thread does not touch it until the child is done with it;
    // `run` never returns into Rust code of the parent.
    let pid = unsafe {
        libc::clone(
            run,
            stack.top(),
            flags,
            ptr::from_mut(task).cast::<c_void>(),
            ptr::from_mut(&mut pidfd),
        )
    };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel stored a fresh descriptor that nobody else knows of.
    Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// Blocks every signal for the calling thread and for children made by it.
pub(crate) fn block_signals() {
    // SAFETY: the set is filled by the C library before it is read.
    unsafe {
        let mut all = std::mem::zeroed::<libc::sigset_t>();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, ptr::null_mut());
    }
}

extern "C" fn run(task: *mut c_void) -> c_int {
    // SAFETY: `start` passes a pointer to a `Task` that stays valid and untouched until we exec
    // or exit.
    let task = unsafe { &mut *task.cast::<Task>() };
    let step = match prepare(task) {
        Ok(()) => execute(task),
        Err(step) => step,
    };
    task.outcome = Outcome { step, errno: errno() };
    // SAFETY: ends the child without running anything of ours.
    unsafe { libc::_exit(127) }
}

/// Does everything before the program. The order matters: namespaces while there are rights,
/// the folder once the mounts are there, the filter when no other call is left to make.
fn prepare(task: &mut Task) -> Result<(), Step> {
    // SAFETY: the pointer is null or good for our life, and the parent waits.
    let mut confinement = unsafe { task.confinement.as_mut() };
    own_session()?;
    if task.tied {
        tie_to_parent(task.parent)?;
    }
    connect(task)?;
    if let Some(confinement) = &mut confinement {
        confinement.enter().map_err(Step::Sandbox)?;
    }
    // SAFETY: `cwd` is a string of the parent's, valid for our life.
    done(unsafe { libc::chdir(task.cwd) }, Step::Cwd)?;
    if let Some(confinement) = &confinement {
        confinement.restrict().map_err(Step::Sandbox)?;
    }
    if let Program::Guard { path, .. } = task.program {
        check_runnable(path)?;
    }
    leave_inherited(task.extra)?;
    match confinement {
        Some(confinement) => confinement.install_filter().map_err(Step::Sandbox),
        None => Ok(()),
    }
}

/// Becomes the program; returns only when that fails.
fn execute(task: &Task) -> Step {
    // SAFETY: the strings and arrays were made by the parent, end with a null and stay valid.
    unsafe {
        match task.program {
            Program::Path(path) => _ = libc::execve(path, task.argv, task.envp),
            Program::Guard { guard, .. } => {
                let (itself, flags) = (c"".as_ptr(), libc::AT_EMPTY_PATH);
                libc::syscall(libc::SYS_execveat, guard, itself, task.argv, task.envp, flags);
            }
        }
    }
    Step::Exec
}

/// Finds out now what the guard could only say on standard error.
fn check_runnable(path: *const c_char) -> Result<(), Step> {
    if path.is_null() {
        return Ok(());
    }
    // SAFETY: the path is a string of the parent's.
    done(unsafe { libc::access(path, libc::X_OK) }, Step::Exec)
}

fn done(result: c_int, step: Step) -> Result<(), Step> {
    if result == 0 { Ok(()) } else { Err(step) }
}

fn own_session() -> Result<(), Step> {
    // SAFETY: changes only the child.
    if unsafe { libc::setsid() } < 0 { Err(Step::Session) } else { Ok(()) }
}

/// Makes the kernel kill the child when the thread that made it ends, however it ends.
fn tie_to_parent(parent: libc::pid_t) -> Result<(), Step> {
    // SAFETY: changes only the child.
    done(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) }, Step::Parent)?;
    // A parent that died before the call above is not noticed by the kernel. In a namespace of
    // processes of its own the child cannot see its parent, and is told zero.
    // SAFETY: reads a number.
    let seen = unsafe { libc::getppid() };
    if seen == parent || seen == 0 { Ok(()) } else { Err(Step::Parent) }
}

fn connect(task: &Task) -> Result<(), Step> {
    for (target, source) in (0..).zip(task.stdio) {
        // SAFETY: changes only the child's descriptors.
        if unsafe { libc::dup2(source, target) } < 0 {
            return Err(Step::Stdio);
        }
    }
    // SAFETY: descriptor 0 is a terminal of our own that is nobody's controlling terminal.
    if task.terminal && unsafe { libc::ioctl(0, libc::TIOCSCTTY, 0) } != 0 {
        return Err(Step::Terminal);
    }
    Ok(())
}

/// Gives the program nothing of ours: no descriptor above 2 but `extra`, no signal handler, no
/// blocked signal.
fn leave_inherited(extra: RawFd) -> Result<(), Step> {
    // SAFETY: marks descriptors of the child only.
    let closed =
        unsafe { libc::syscall(libc::SYS_close_range, 3, c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    // Kernels before 5.11 refuse; there the close-on-exec flag that we set everywhere must do.
    if closed != 0 && !matches!(errno(), libc::ENOSYS | libc::EINVAL) {
        return Err(Step::Descriptors);
    }
    // The copy is not marked.
    // SAFETY: changes only the child's descriptors.
    if extra >= 0 && unsafe { libc::dup2(extra, 3) } < 0 {
        return Err(Step::Descriptors);
    }
    // Kernel form of `sigaction` with the default handler and of an empty signal set. Handlers go
    // first: one that ran here would run on the parent's memory.
    let default = [0_u64; 4];
    let empty = 0_u64;
    for signal in 1..=64 {
        // SAFETY: both structures are larger than or as large as the kernel reads. KILL and STOP
        // are refused, which is fine.
        unsafe {
            libc::syscall(libc::SYS_rt_sigaction, signal, &raw const default, 0_usize, 8_usize);
        }
    }
    // SAFETY: the set is eight bytes, as said.
    unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_SETMASK,
            &raw const empty,
            0_usize,
            8_usize,
        );
    }
    Ok(())
}

/// Returns the error number of the last call that failed.
pub(super) fn errno() -> c_int {
    // SAFETY: the location belongs to the thread whose place the child has taken.
    unsafe { *libc::__errno_location() }
}

//! The only place that starts a process.
//!
//! One thread does it, for the whole life of the server: the kernel ties a child's life to the
//! thread that made it, and a start holds that thread for a third of a millisecond, which no
//! worker should pay.

use std::ffi::{CString, OsStr, OsString, c_char};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use crate::error::SpawnError;
use crate::group::Group;
use crate::sandbox::clone::{self, Outcome, Stack, Step, Task};

#[cfg(test)]
mod tests;

/// Starts that may wait for the thread before callers have to.
const WAITING_STARTS: usize = 64;

/// A command with everything made that its process needs.
#[derive(Debug)]
pub(crate) struct Image {
    program: PathBuf,
    argv: Vec<CString>,
    env: Vec<CString>,
    cwd: PathBuf,
    /// Become descriptors 0, 1 and 2.
    stdio: [OwnedFd; 3],
    terminal: bool,
}

impl Image {
    /// Finds the program and lays out what the child needs.
    pub(crate) fn new(
        argv: &[OsString],
        cwd: PathBuf,
        env: &[(OsString, OsString)],
        stdio: [OwnedFd; 3],
        terminal: bool,
    ) -> Result<Self, SpawnError> {
        let program = find_program(argv.first().ok_or(SpawnError::Empty)?, &cwd, env)?;
        Ok(Self {
            program,
            argv: argv.iter().map(|arg| c_string(arg, "an argument")).collect::<Result<_, _>>()?,
            env: env.iter().map(|(name, value)| variable(name, value)).collect::<Result<_, _>>()?,
            cwd,
            stdio: above_standard(stdio)?,
            terminal,
        })
    }

    fn start(&self, stack: &Stack) -> Result<Group, SpawnError> {
        let program = c_string(self.program.as_os_str(), "the program's path")?;
        let cwd = c_string(self.cwd.as_os_str(), "the folder's path")?;
        let argv = pointers(&self.argv);
        let env = pointers(&self.env);
        let mut task = Task {
            stdio: self.stdio.each_ref().map(AsRawFd::as_raw_fd),
            terminal: self.terminal,
            parent: rustix::process::getpid().as_raw_pid(),
            cwd: cwd.as_ptr(),
            program: program.as_ptr(),
            argv: argv.as_ptr(),
            envp: env.as_ptr(),
            outcome: Outcome { step: Step::None, errno: 0 },
        };
        let (pid, pidfd) = clone::start(stack, &mut task)
            .map_err(|source| SpawnError::Resource { what: "a process", source })?;
        let group = Group::new(pid, pidfd);
        match self.failure(&task.outcome) {
            None => Ok(group),
            Some(error) => Err(error), // Dropping the group reaps the child.
        }
    }

    fn failure(&self, outcome: &Outcome) -> Option<SpawnError> {
        let source = io::Error::from_raw_os_error(outcome.errno);
        let step = match outcome.step {
            Step::None => return None,
            Step::Cwd => return Some(SpawnError::Cwd { path: self.cwd.clone(), source }),
            Step::Exec => return Some(SpawnError::Exec { program: self.program.clone(), source }),
            Step::Session => "session",
            Step::Parent => "tie to the parent",
            Step::Stdio => "standard streams",
            Step::Terminal => "terminal",
            Step::Descriptors => "descriptors",
        };
        Some(SpawnError::Setup { step, source })
    }
}

/// Starts `image` from the spawning thread.
///
/// Cancel safe: a process whose caller went away is killed and reaped.
pub(crate) async fn start(image: Image) -> Result<Arc<Group>, SpawnError> {
    let (reply, answer) = oneshot::channel();
    let gone = || SpawnError::Resource {
        what: "the spawning thread",
        source: io::Error::from(io::ErrorKind::BrokenPipe),
    };
    spawner()?.send(Request { image, reply }).await.map_err(|_| gone())?;
    answer.await.map_err(|_| gone())?.map(Arc::new)
}

struct Request {
    image: Image,
    reply: oneshot::Sender<Result<Group, SpawnError>>,
}

/// Returns the way to the spawning thread, which the first caller starts.
fn spawner() -> Result<mpsc::Sender<Request>, SpawnError> {
    static SPAWNER: Mutex<Option<mpsc::Sender<Request>>> = Mutex::new(None);
    let mut spawner = SPAWNER.lock();
    if let Some(sender) = &*spawner {
        return Ok(sender.clone());
    }
    let resource = |what| move |source| SpawnError::Resource { what, source };
    let stack = Stack::new().map_err(resource("a stack"))?;
    let (sender, requests) = mpsc::channel(WAITING_STARTS);
    std::thread::Builder::new()
        .name("spawn".into())
        .stack_size(128 * 1024)
        .spawn(move || serve(&stack, requests))
        .map_err(resource("the spawning thread"))?;
    Ok(spawner.insert(sender).clone())
}

fn serve(stack: &Stack, mut requests: mpsc::Receiver<Request>) {
    clone::block_signals();
    while let Some(Request { image, reply }) = requests.blocking_recv() {
        if !reply.is_closed() {
            // A caller that went away drops the group, which ends the process.
            drop(reply.send(image.start(stack)));
        }
    }
}

/// Finds `program` as a shell would: as it is when it has a slash, else in the folders of `PATH`.
fn find_program(
    program: &OsStr,
    cwd: &Path,
    env: &[(OsString, OsString)],
) -> Result<PathBuf, SpawnError> {
    if program.is_empty() {
        return Err(SpawnError::Empty);
    }
    if program.as_bytes().contains(&b'/') {
        return Ok(PathBuf::from(program));
    }
    let path = env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
    std::env::split_paths(path.unwrap_or(OsStr::new("/usr/bin:/bin")))
        .map(|folder| cwd.join(folder).join(program))
        .find(|candidate| is_runnable(candidate))
        .ok_or_else(|| SpawnError::NotFound(program.to_owned()))
}

fn is_runnable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Moves descriptors out of the way of 0, 1 and 2, which the child overwrites one by one.
fn above_standard(stdio: [OwnedFd; 3]) -> Result<[OwnedFd; 3], SpawnError> {
    let [input, output, error] = stdio.map(|fd| {
        if fd.as_raw_fd() > 2 {
            return Ok(fd);
        }
        rustix::io::fcntl_dupfd_cloexec(&fd, 3)
            .map_err(|errno| SpawnError::Resource { what: "a descriptor", source: errno.into() })
    });
    Ok([input?, output?, error?])
}

fn variable(name: &OsStr, value: &OsStr) -> Result<CString, SpawnError> {
    c_string(&[name, OsStr::new("="), value].into_iter().collect::<OsString>(), "the environment")
}

fn c_string(text: &OsStr, what: &'static str) -> Result<CString, SpawnError> {
    CString::new(text.as_bytes()).map_err(|_| SpawnError::ZeroByte(what))
}

/// Returns the array that the kernel wants: a pointer a string, and a null.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
}

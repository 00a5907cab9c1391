//! The only place that starts a process.
//!
//! One thread does it, for the whole life of the server: the kernel ties a child's life to the
//! thread that made it, and a start holds that thread for a third of a millisecond, which no
//! worker should pay.

use std::ffi::{CStr, CString, OsStr, OsString, c_char};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use crate::command::{Command, Stdio};
use crate::error::SpawnError;
use crate::group::Group;
use crate::guard;
use crate::pipe::{Pipe, empty_input};
use crate::sandbox::clone::{self, Outcome, Stack, Step, Task};
use crate::sandbox::{Confinement, Placeholder, SandboxError, Walls, bwrap};
use crate::warden;

#[cfg(test)]
mod tests;

/// Starts that may wait for the thread before callers have to.
const WAITING_STARTS: usize = 64;

/// A process with everything made that it needs.
#[derive(Debug)]
pub(crate) struct Image {
    program: Program,
    argv: Vec<CString>,
    env: Vec<CString>,
    cwd: PathBuf,
    /// Become descriptors 0, 1 and 2.
    stdio: [OwnedFd; 3],
    terminal: bool,
    confinement: Option<Confinement>,
    /// Becomes descriptor 3.
    extra: Option<OwnedFd>,
    placeholders: Vec<Placeholder>,
    /// Whether it ends with the server.
    tied: bool,
}

/// What is run.
#[derive(Debug)]
enum Program {
    /// A program on disk.
    Path(PathBuf),
    /// The guard itself.
    Guard,
}

impl Image {
    /// Finds the program of a command and lays out what its process needs.
    pub(crate) fn new(
        command: &Command,
        stdio: [OwnedFd; 3],
        walls: Option<Walls>,
    ) -> Result<Self, SpawnError> {
        let Command { argv, env, cwd, .. } = command;
        let program = find_program(argv.first().ok_or(SpawnError::Empty)?, cwd, env)?;
        let mut image = Self {
            program: Program::Path(program),
            argv: argv.iter().map(|arg| c_string(arg, "an argument")).collect::<Result<_, _>>()?,
            env: env.iter().map(|(name, value)| variable(name, value)).collect::<Result<_, _>>()?,
            cwd: cwd.clone(),
            stdio: above_standard(stdio)?,
            terminal: matches!(command.stdio, Stdio::Pty { .. }),
            confinement: None,
            extra: None,
            placeholders: Vec::new(),
            tied: true,
        };
        image.hold(walls)?;
        Ok(image)
    }

    /// Lays out a process of the guard, which ends at once when its input is empty.
    fn guard(input: OwnedFd, name: &CStr) -> Result<Self, SpawnError> {
        let nowhere = || File::options().write(true).open("/dev/null").map(OwnedFd::from);
        let nowhere = || nowhere().map_err(resource("a descriptor"));
        Ok(Self {
            program: Program::Guard,
            argv: vec![name.to_owned()],
            env: Vec::new(),
            cwd: PathBuf::from("/"),
            stdio: above_standard([input, nowhere()?, nowhere()?])?,
            terminal: false,
            confinement: None,
            extra: None,
            placeholders: Vec::new(),
            tied: true,
        })
    }

    /// Lays out a process that does nothing behind `walls`.
    pub(crate) fn probe(walls: Walls) -> Result<Self, SpawnError> {
        let input = empty_input().map_err(resource("a descriptor"))?;
        let mut image = Self::guard(input, guard::WARDEN)?;
        if let Walls::Wrapper(_) = walls {
            image.program = Program::Path(find_program(OsStr::new("true"), Path::new("/"), &[])?);
        }
        image.hold(Some(walls))?;
        Ok(image)
    }

    /// Puts the process behind walls.
    fn hold(&mut self, walls: Option<Walls>) -> Result<(), SpawnError> {
        match walls {
            None => {}
            Some(Walls::Own(mut confinement)) => {
                self.placeholders = std::mem::take(&mut confinement.placeholders);
                // What is open may be written to anyhow; programs open it again by name.
                for terminal in self.stdio.iter().filter(|fd| rustix::termios::isatty(fd)) {
                    confinement.allow_terminal(terminal)?;
                }
                self.confinement = Some(confinement);
            }
            Some(Walls::Wrapper(wrapper)) => {
                let wrapped = std::mem::replace(&mut self.program, Program::Path(wrapper.program));
                let mut words = wrapper.arguments;
                if let Program::Path(path) = wrapped {
                    // Found out now: inside, the wrapper could only say it on standard error.
                    rustix::fs::access(self.cwd.join(&path), rustix::fs::Access::EXEC_OK).map_err(
                        |errno| SpawnError::Exec { program: path.clone(), source: errno.into() },
                    )?;
                    words.push(path.into());
                }
                let words = words.iter().map(|word| c_string(word, "an argument"));
                self.argv.splice(..1, words.collect::<Result<Vec<_>, _>>()?);
                self.extra = Some(above(wrapper.filter, bwrap::FILTER)?);
                self.placeholders = wrapper.placeholders;
            }
        }
        Ok(())
    }

    fn start(mut self, stack: &Stack) -> Result<Group, SpawnError> {
        let cwd = c_string(self.cwd.as_os_str(), "the folder's path")?;
        let path = match &self.program {
            Program::Path(path) => Some(c_string(path.as_os_str(), "the program's path")?),
            Program::Guard => None,
        };
        let below_guard = self.confinement.as_ref().is_some_and(Confinement::has_own_processes);
        let mut argv = pointers(&self.argv);
        if let Some(path) = path.as_ref().filter(|_| below_guard) {
            argv.splice(0..0, [guard::INIT.as_ptr(), path.as_ptr()]);
        }
        let env = pointers(&self.env);
        let program = match &path {
            Some(path) if !below_guard => clone::Program::Path(path.as_ptr()),
            path => {
                let guard = guard::program().map_err(resource("the guard"))?.as_raw_fd();
                let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
                clone::Program::Guard { guard, path }
            }
        };
        let mut task = Task {
            stdio: self.stdio.each_ref().map(AsRawFd::as_raw_fd),
            extra: self.extra.as_ref().map_or(-1, AsRawFd::as_raw_fd),
            tied: self.tied,
            terminal: self.terminal,
            parent: rustix::process::getpid().as_raw_pid(),
            confinement: self.confinement.as_mut().map_or(ptr::null_mut(), ptr::from_mut),
            cwd: cwd.as_ptr(),
            program,
            argv: argv.as_ptr(),
            envp: env.as_ptr(),
            outcome: Outcome { step: Step::None, errno: 0 },
        };
        let (pid, pidfd) = clone::start(stack, &mut task).map_err(resource("a process"))?;
        let error = self.failure(&task.outcome);
        let group = Group::new(pid, pidfd, self.tied && !below_guard, self.placeholders);
        match error {
            None => Ok(group),
            Some(error) => Err(error), // Dropping the group reaps the child.
        }
    }

    fn failure(&self, outcome: &Outcome) -> Option<SpawnError> {
        let source = io::Error::from_raw_os_error(outcome.errno);
        let step = match outcome.step {
            Step::None => return None,
            Step::Cwd => return Some(SpawnError::Cwd { path: self.cwd.clone(), source }),
            Step::Exec => {
                let program = match &self.program {
                    Program::Path(path) => path.clone(),
                    Program::Guard => PathBuf::from("guard"),
                };
                return Some(SpawnError::Exec { program, source });
            }
            Step::Sandbox(step) => return Some(SandboxError::Enter { step, source }.into()),
            Step::Session => "session",
            Step::Parent => "tie to the parent",
            Step::Stdio => "standard streams",
            Step::Terminal => "terminal",
            Step::Descriptors => "descriptors",
        };
        Some(SpawnError::Setup { step, source })
    }
}

fn resource(what: &'static str) -> impl Fn(io::Error) -> SpawnError {
    move |source| SpawnError::Resource { what, source }
}

/// Starts `image` from the spawning thread.
///
/// Cancel safe: a process whose caller went away is killed and reaped.
pub(crate) async fn start(image: Image) -> Result<Arc<Group>, SpawnError> {
    let (reply, answer) = oneshot::channel();
    let gone = || resource("the spawning thread")(io::ErrorKind::BrokenPipe.into());
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
    if let Err(error) = start_warden(stack) {
        tracing::warn!(%error, "commands may outlive the server if it is killed");
    }
    while let Some(Request { image, reply }) = requests.blocking_recv() {
        if !reply.is_closed() {
            // A caller that went away drops the group, which ends the process.
            drop(reply.send(image.start(stack)));
        }
    }
}

/// Starts the process that cleans up if this one is killed.
fn start_warden(stack: &Stack) -> Result<(), SpawnError> {
    let Pipe { ours, childs } = Pipe::to_warden().map_err(resource("a pipe"))?;
    let image = Image { tied: false, ..Image::guard(childs, guard::WARDEN)? };
    // It ends when the pipe does, which is when this process ends.
    image.start(stack)?.release();
    warden::begin(ours);
    Ok(())
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
    let [input, output, errors] = stdio.map(|fd| above(fd, 2));
    Ok([input?, output?, errors?])
}

/// Moves a descriptor above `last`.
fn above(fd: OwnedFd, last: RawFd) -> Result<OwnedFd, SpawnError> {
    if fd.as_raw_fd() > last {
        return Ok(fd);
    }
    rustix::io::fcntl_dupfd_cloexec(&fd, last + 1)
        .map_err(|errno| resource("a descriptor")(errno.into()))
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

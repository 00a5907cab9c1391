//! Which commands of clients run.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use spindle_exec::Process;
use spindle_schema::ids::ConnectionId;
use std::path::PathBuf;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::error::CommandError;
use super::event::Finished;
use super::request::{CommandKey, CommandName, CommandRequest, Input, TerminalSize};
use super::run::{Caller, Run};
use crate::rooms::Rooms;
use crate::{Answer, Error};

/// Commands that one connection may have at once. More are refused as overload.
const MAX_COMMANDS: usize = 64;
/// Writes that may wait for one command to take its input. More are refused as overload.
const MAX_WRITES: usize = 64;

/// The door to the commands that clients run. Cheap to clone.
#[derive(Clone)]
pub struct Commands {
    pub(super) rooms: Arc<Rooms>,
    /// The server's own folder.
    pub(super) cwd: Arc<PathBuf>,
    table: Arc<Mutex<Table>>,
    tasks: TaskTracker,
}

/// The lock is held for a look or a change only.
#[derive(Default)]
struct Table {
    running: HashMap<CommandKey, Arc<Running>>,
    is_closed: bool,
    nameless: u64,
}

/// A command that is about to run or runs.
pub(super) struct Running {
    /// The process, once there is one.
    pub(super) process: OnceLock<Process>,
    /// Pulled to have it killed; its end is told.
    pub(super) kill: CancellationToken,
    /// Pulled when nobody is left who could be told anything; pulls `kill` too.
    pub(super) abandoned: CancellationToken,
    /// Where its input goes, if it has one.
    writes: Option<mpsc::Sender<Write>>,
}

/// Bytes for a command's input.
#[derive(Debug)]
pub(super) struct Write {
    pub(super) bytes: Vec<u8>,
    /// Whether the input ends with them.
    pub(super) closes: bool,
    /// Answered when the command's input has taken them.
    pub(super) answer: Answer<()>,
}

impl Commands {
    /// No commands. `cwd` is the server's own folder.
    pub(crate) fn new(rooms: Arc<Rooms>, cwd: PathBuf) -> Self {
        let (table, tasks) = (Arc::default(), TaskTracker::new());
        Self { rooms, cwd: Arc::new(cwd), table, tasks }
    }

    /// A key for a command that its client gives no name.
    pub fn nameless(&self) -> CommandName {
        let mut table = self.table.lock();
        table.nameless += 1;
        CommandName::Nameless(table.nameless)
    }

    /// Runs a command; the answer is its end, after all that is told of its output.
    ///
    /// `until_running` is dropped when the command runs or will not: requests about it may come
    /// from then on.
    pub fn exec(
        &self,
        key: CommandKey,
        request: CommandRequest,
        until_running: impl Send + 'static,
        answer: Answer<Finished>,
    ) {
        self.begin(key, request, Caller::AtEnd { answer, until_running: Box::new(until_running) });
    }

    /// Runs a command; the answer comes when it runs, before all that is told of it. Its end is an
    /// event.
    pub fn spawn(&self, key: CommandKey, request: CommandRequest, answer: Answer<()>) {
        self.begin(key, request, Caller::AtStart(answer));
    }

    fn begin(&self, key: CommandKey, request: CommandRequest, caller: Caller) {
        let (writes, waiting) = mpsc::channel(MAX_WRITES);
        let has_input = request.input != Input::Empty;
        let running = Arc::new(Running::new(has_input.then_some(writes)));
        if let Err(error) = self.enter(&key, &request, &running) {
            return caller.refuse(error);
        }
        // Asked for only now: a connection that ends from here on finds its command in the table,
        // and one that has ended has nobody who listens.
        let Some(listener) = self.rooms.audience.listener(key.connection) else {
            self.remove(&key);
            return caller.refuse(Error::Dropped);
        };
        let run = Run { commands: self.clone(), key, running, listener, request };
        self.tasks.spawn(run.run(waiting, caller));
    }

    fn enter(
        &self,
        key: &CommandKey,
        request: &CommandRequest,
        running: &Arc<Running>,
    ) -> Result<(), Error> {
        if request.argv.is_empty() {
            return Err(CommandError::Empty.into());
        }
        let mut table = self.table.lock();
        if table.is_closed {
            return Err(Error::Draining);
        }
        if table.running.contains_key(key) {
            return Err(CommandError::InUse(key.clone()).into());
        }
        let of_connection = |other: &&CommandKey| other.connection == key.connection;
        if table.running.keys().filter(of_connection).count() >= MAX_COMMANDS {
            return Err(Error::Overloaded);
        }
        table.running.insert(key.clone(), running.clone());
        Ok(())
    }

    /// Writes to a command's input, after what was written before; closes it then if `closes`. The
    /// answer comes when the command's input has taken all of it.
    pub fn write(&self, key: &CommandKey, bytes: Vec<u8>, closes: bool, answer: Answer<()>) {
        let writes = match self.find(key) {
            Ok(running) => running.writes.clone(),
            Err(error) => return answer.err(error),
        };
        let Some(writes) = writes else {
            return answer.err(CommandError::NoStdin(key.kind).into());
        };
        match writes.try_send(Write { bytes, closes, answer }) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(write)) => write.answer.err(Error::Overloaded),
            Err(mpsc::error::TrySendError::Closed(write)) => {
                write.answer.err(CommandError::StdinClosed.into());
            }
        }
    }

    /// Kills a command and all that it started. Its end is told like any other.
    ///
    /// # Errors
    /// [`CommandError::NotActive`].
    pub fn kill(&self, key: &CommandKey) -> Result<(), Error> {
        self.find(key).map(|running| running.kill.cancel())
    }

    /// Changes the size of a command's terminal.
    ///
    /// # Errors
    /// [`CommandError::NotActive`], [`CommandError::NoTerminal`], [`CommandError::Resize`].
    pub fn resize(&self, key: &CommandKey, size: TerminalSize) -> Result<(), Error> {
        let running = self.find(key)?;
        let Some(process) = running.process.get() else {
            return Err(CommandError::NotActive(key.clone()).into());
        };
        process.resize(size.rows, size.cols).map_err(|error| {
            match error.kind() {
                std::io::ErrorKind::Unsupported => CommandError::NoTerminal,
                _ => CommandError::Resize(error),
            }
            .into()
        })
    }

    /// A connection is gone: its commands are killed.
    pub(crate) fn connection_closed(&self, connection: ConnectionId) {
        let table = self.table.lock();
        let its = table.running.iter().filter(|(key, _)| key.connection == connection);
        its.for_each(|(_, running)| running.abandoned.cancel());
    }

    /// Runs nothing more, kills all commands and waits until they have ended.
    pub(crate) async fn shutdown(&self) {
        {
            let mut table = self.table.lock();
            table.is_closed = true;
            table.running.values().for_each(|running| running.abandoned.cancel());
        }
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Forgets a command that has ended; its name is free again.
    pub(super) fn remove(&self, key: &CommandKey) {
        self.table.lock().running.remove(key);
    }

    fn find(&self, key: &CommandKey) -> Result<Arc<Running>, Error> {
        let found = self.table.lock().running.get(key).cloned();
        found.ok_or_else(|| CommandError::NotActive(key.clone()).into())
    }
}

impl Running {
    fn new(writes: Option<mpsc::Sender<Write>>) -> Self {
        let abandoned = CancellationToken::new();
        Self { process: OnceLock::new(), kill: abandoned.child_token(), abandoned, writes }
    }
}

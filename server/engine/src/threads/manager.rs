//! The table of loaded threads.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use parking_lot::Mutex;
use spindle_schema::event::{AnswerMsg, Event, EventMsg, ThreadSnapshot};
use spindle_schema::ids::{ConnectionId, QuestionId, ThreadId, TurnId};
use spindle_schema::item::UserInput;
use spindle_schema::op::{Interrupt, SettingsUpdate, ShellCommand, Steer, TurnInput};

use super::audience::{Audience, Recipients};
use super::idle::Idle;
use super::request::{Answering, Following, NotYours, StartedTurn, Unsubscribed};
use crate::approvals::{Broker, QuestionTag};
use crate::commands::Commands;
use crate::config::Loader;
use crate::rooms::Rooms;
use crate::session::{Handle, Look, Submission};
use crate::tools::BackgroundCommand;
use crate::undo::Keeper;
use crate::{Answer, Error, Invalid, clock};

/// What an engine is made with.
#[derive(Debug)]
pub struct EngineOptions {
    /// The home folder. Absolute.
    pub home: PathBuf,
    /// The daemon's own folder, which relative paths of clients start from. Absolute.
    pub cwd: PathBuf,
    /// Settings of the command line: dotted name and raw value.
    pub config_overrides: Vec<(String, String)>,
    /// Features switched by the command line.
    pub features: Vec<(String, bool)>,
    /// The version that clients gate on.
    pub version: &'static str,
    /// The daemon's environment, read once by it.
    pub env: HashMap<String, String>,
}

/// Which threads exist, and the way to each. Cheap to clone.
///
/// Everything that may take time answers through an [`Answer`], before the events it causes.
#[derive(Clone)]
pub struct ThreadManager {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) rooms: Arc<Rooms>,
    /// The commands that clients run for themselves.
    commands: Commands,
    /// The daemon's own folder.
    pub(super) cwd: PathBuf,
    /// The loaded threads. The lock is held for a look or a change only.
    pub(super) threads: Mutex<HashMap<ThreadId, Handle>>,
    /// Threads that are being loaded, archived or removed: one such thing at a time for each.
    pub(super) busy: Mutex<HashMap<ThreadId, Arc<tokio::sync::Mutex<()>>>>,
    /// Searches that go on, by who asked and the word for it; set to give one up.
    pub(super) searches: Mutex<super::search::Searches>,
    /// Ends once; then nothing is loaded any more.
    pub(super) draining: AtomicBool,
    /// Which threads rest.
    pub(super) idle: Arc<Idle>,
    /// Does what is due about them; begins with the first thread.
    pub(super) keeper: std::sync::OnceLock<tokio_util::task::AbortOnDropHandle<()>>,
}

impl ThreadManager {
    /// Makes an engine. Touches no file.
    pub fn new(options: EngineOptions, audience: Arc<dyn Audience>) -> Self {
        let env = Arc::new(options.env);
        let rooms = Arc::new(Rooms {
            config: Loader::new(
                options.home.clone(),
                options.config_overrides,
                options.features,
                env.clone(),
            ),
            store: spindle_store::Store::new(&options.home),
            catalog: spindle_model::catalog::Catalog::built_in(),
            model: spindle_model::Client::new(),
            broker: Arc::new(Broker::default()),
            audience,
            undo: Arc::new(Keeper::new(&options.home)),
            env,
            version: options.version,
            home: options.home,
        });
        let inner = Inner {
            commands: Commands::new(rooms.clone(), options.cwd.clone()),
            rooms,
            cwd: options.cwd,
            threads: Mutex::default(),
            busy: Mutex::default(),
            searches: Mutex::default(),
            draining: AtomicBool::new(false),
            idle: Arc::default(),
            keeper: std::sync::OnceLock::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The home folder.
    pub fn home(&self) -> &Path {
        &self.inner.rooms.home
    }

    /// Reads settings.
    pub fn config(&self) -> &Loader {
        &self.inner.rooms.config
    }

    /// The commands that clients run for themselves.
    pub fn commands(&self) -> &Commands {
        &self.inner.commands
    }

    /// The store, for reads that concern no loaded thread.
    pub fn store(&self) -> &spindle_store::Store {
        &self.inner.rooms.store
    }

    /// This installation's id, made on first use.
    pub fn installation_id(&self) -> String {
        crate::config::installation_id(&self.inner.rooms.home)
    }

    /// What models there are.
    pub fn catalog(&self) -> &spindle_model::catalog::Catalog {
        &self.inner.rooms.catalog
    }

    /// The loaded threads, sorted.
    pub fn loaded(&self) -> Vec<ThreadId> {
        let mut ids: Vec<_> = self.inner.threads.lock().keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// Starts a turn, or steers the one that runs.
    pub fn start_turn(&self, thread: ThreadId, input: TurnInput, answer: Answer<StartedTurn>) {
        if let Err(error) = check_input(&input.input) {
            return answer.err(error);
        }
        let id = TurnId::unique();
        let input = Box::new(input);
        self.submit(thread, answer, |answer| Submission::StartTurn { id, input, answer });
    }

    /// Gives input to the turn that runs.
    pub fn steer(&self, thread: ThreadId, steer: Steer, answer: Answer<TurnId>) {
        if let Err(error) = check_input(&steer.input) {
            return answer.err(error);
        }
        self.submit(thread, answer, |answer| Submission::Steer(steer, answer));
    }

    /// Ends the turn that runs. The answer comes at once, the end is an event.
    pub fn interrupt(&self, thread: ThreadId, interrupt: Interrupt, answer: Answer<()>) {
        self.submit(thread, answer, |answer| Submission::Interrupt(interrupt, answer));
    }

    /// Puts a summary in the place of a thread's history, in a turn of its own. A turn that runs
    /// is ended for it. The answer comes when it is sure to begin.
    pub fn compact(&self, thread: ThreadId, answer: Answer<()>) {
        let id = TurnId::unique();
        self.submit(thread, answer, |answer| Submission::Compact { id, answer });
    }

    /// Runs a person's command: in the turn that runs, else in a turn of its own. Nobody is asked
    /// and no sandbox holds it. The answer does not wait for its end.
    pub fn run_shell(&self, thread: ThreadId, command: ShellCommand, answer: Answer<()>) {
        if command.command.trim().is_empty() {
            return answer.err(Invalid::EmptyCommand.into());
        }
        let id = TurnId::unique();
        self.submit(thread, answer, |answer| Submission::Shell { id, command, answer });
    }

    /// Changes the settings of later turns.
    pub fn update_settings(&self, thread: ThreadId, update: SettingsUpdate, answer: Answer<()>) {
        let update = Box::new(update);
        self.submit(thread, answer, |answer| Submission::UpdateSettings(update, answer));
    }

    /// The commands of a thread that go on beyond their call, in the order of their ids.
    ///
    /// # Errors
    /// [`Error::ThreadNotFound`] when the thread is not loaded.
    pub fn background_commands(&self, thread: ThreadId) -> Result<Vec<BackgroundCommand>, Error> {
        let handle = self.handle(thread).ok_or(Error::ThreadNotFound(thread))?;
        Ok(handle.processes.in_background())
    }

    /// Ends a running command of a thread with all that it started; the answer comes when it is
    /// gone, and says whether there was one.
    pub fn end_command(&self, thread: ThreadId, id: u32, answer: Answer<bool>) {
        let Some(handle) = self.handle(thread) else {
            return answer.err(Error::ThreadNotFound(thread));
        };
        tokio::spawn(async move { answer.ok(handle.processes.end_one(id).await) });
    }

    /// Ends the commands of a thread that go on beyond their call; the answer comes when they are
    /// gone.
    pub fn end_background_commands(&self, thread: ThreadId, answer: Answer<()>) {
        let Some(handle) = self.handle(thread) else {
            return answer.err(Error::ThreadNotFound(thread));
        };
        tokio::spawn(async move {
            handle.processes.end_background().await;
            answer.ok(());
        });
    }

    /// Stops following a thread.
    pub fn unsubscribe(&self, thread: ThreadId, connection: ConnectionId) -> Unsubscribed {
        match self.handle(thread) {
            None => Unsubscribed::NotLoaded,
            Some(handle) if handle.leave(connection) => Unsubscribed::Done,
            Some(_) => Unsubscribed::NotSubscribed,
        }
    }

    /// A connection is gone: it follows nothing any more, and its commands are killed. Questions
    /// stay open, but for those that only it was asked: they count as answered badly.
    pub fn connection_closed(&self, connection: ConnectionId) {
        self.inner.rooms.broker.gone(connection);
        self.inner.commands.connection_closed(connection);
        let handles: Vec<_> = self.inner.threads.lock().values().cloned().collect();
        for handle in handles {
            handle.leave(connection);
        }
        self.cancel_searches_of(connection);
    }

    /// The loaded threads that somebody follows, in no order.
    pub fn following(&self) -> Vec<Following> {
        let threads = self.inner.threads.lock();
        let following = threads.iter().map(|(&thread, handle)| {
            let followers = handle.subscribers.followers();
            Following { thread, followers }
        });
        following.filter(|following| !following.followers.is_empty()).collect()
    }

    /// What kind of answer an open question takes.
    pub fn question_kind(&self, id: QuestionId) -> Option<QuestionTag> {
        self.inner.rooms.broker.about(id).map(|(_, tag)| tag)
    }

    /// Whether a question was asked and needs no answer any more.
    pub fn is_settled(&self, id: QuestionId) -> bool {
        self.inner.rooms.broker.knows(id) && self.question_kind(id).is_none()
    }

    /// Answers a question, and tells whether it was open. A late answer, or one to nothing,
    /// changes nothing.
    ///
    /// # Errors
    /// [`NotYours`] when the thread's setting takes no answer from this client; the question stays
    /// open then.
    pub fn answer(
        &self,
        from: Answering,
        id: QuestionId,
        msg: AnswerMsg,
    ) -> Result<bool, NotYours> {
        let Some((thread, tag)) = self.inner.rooms.broker.about(id) else { return Ok(false) };
        // A client's own tool is nobody else's to run.
        if tag != QuestionTag::DynamicTool
            && let Some(handle) = self.handle(thread)
            && !handle.takes_answer_of(&from)
        {
            return Err(NotYours { thread, answers: handle.answers });
        }
        let Answering { answerer, .. } = from;
        let was_open = self.inner.rooms.broker.answer(id, answerer, msg);
        if !was_open {
            tracing::debug!(?id, "an answer came too late");
        }
        Ok(was_open)
    }

    /// Ends all sessions: running turns are interrupted and written, commands ended, files flushed.
    /// What takes longer than `grace` is left behind and named in the log.
    pub async fn shutdown(&self, grace: Duration) {
        self.inner.draining.store(true, std::sync::atomic::Ordering::Release);
        let commands = tokio::time::timeout(grace, self.inner.commands.shutdown());
        let handles: Vec<_> = self.inner.threads.lock().drain().collect();
        let ends = handles.iter().map(|(id, handle)| async move {
            if tokio::time::timeout(grace, handle.stop()).await.is_err() {
                tracing::error!(thread = %id, "a session did not end in time");
            }
        });
        let ends = futures_util::future::join_all(ends);
        if let (Err(_), _) = tokio::join!(commands, ends) {
            tracing::error!("a client's command did not end in time");
        }
        if tokio::time::timeout(grace, self.inner.rooms.store.close()).await.is_err() {
            tracing::error!("the store did not close in time");
        }
    }

    /// The way to a loaded thread. A session that is gone is forgotten.
    pub(super) fn handle(&self, thread: ThreadId) -> Option<Handle> {
        let mut threads = self.inner.threads.lock();
        let handle = threads.get(&thread)?.clone();
        if handle.is_gone() {
            threads.remove(&thread);
            return None;
        }
        Some(handle)
    }

    /// How a loaded thread stands.
    pub(super) async fn look(&self, thread: ThreadId) -> Result<Look, Error> {
        let handle = self.handle(thread).ok_or(Error::ThreadNotFound(thread))?;
        let (answer, look) = Answer::channel();
        handle.submit(Submission::Look(answer));
        look.await.unwrap_or(Err(Error::Dropped))
    }

    /// Hands a submission to a loaded thread.
    fn submit<T>(
        &self,
        thread: ThreadId,
        answer: Answer<T>,
        submission: impl FnOnce(Answer<T>) -> Submission,
    ) {
        match self.handle(thread) {
            Some(handle) => handle.submit(submission(answer)),
            None => answer.err(Error::ThreadNotFound(thread)),
        }
    }

    /// Says something about a thread that has no session to say it.
    pub(super) fn announce(&self, thread_id: ThreadId, msg: EventMsg, to: Recipients<'_>) {
        let event = Event { thread_id, at_ms: clock::now_ms(), msg };
        self.inner.rooms.audience.deliver(&[event], to);
    }

    /// The lock under which a thread is loaded, moved or removed.
    pub(super) fn busy(&self, thread: ThreadId) -> Arc<tokio::sync::Mutex<()>> {
        let mut busy = self.inner.busy.lock();
        busy.retain(|_, lock| Arc::strong_count(lock) > 1);
        busy.entry(thread).or_default().clone()
    }

    /// A loaded thread as clients see it, or a stored one.
    ///
    /// # Errors
    /// [`Error::NotLoaded`] when it is neither.
    pub async fn snapshot(&self, thread: ThreadId) -> Result<Arc<ThreadSnapshot>, Error> {
        if let Ok(look) = self.look(thread).await {
            if look.thread.ephemeral {
                return Ok(look.thread);
            }
            // What other processes noted, its session has not heard.
            let notes = self.inner.rooms.store.notes(thread).await?;
            return Ok(Arc::new(ThreadSnapshot { notes, ..(*look.thread).clone() }));
        }
        let row = self.inner.rooms.store.row(thread).await?;
        row.map(|row| Arc::new(super::catalog::snapshot_of(row))).ok_or(Error::NotLoaded(thread))
    }
}

/// Characters that one input may have.
const MAX_INPUT_CHARS: usize = 1 << 20;

/// Refuses input that no turn can take, before anything is started or steered (SPEC S5).
fn check_input(input: &[UserInput]) -> Result<(), Error> {
    let mut actual_chars = 0;
    for part in input {
        match part {
            UserInput::Text { text, .. } => actual_chars += text.chars().count(),
            UserInput::Image { image_url, .. } if !image_url.starts_with("data:") => {
                return Err(Invalid::RemoteImage.into());
            }
            _ => {}
        }
    }
    if actual_chars > MAX_INPUT_CHARS {
        return Err(Error::InputTooLarge { max_chars: MAX_INPUT_CHARS, actual_chars });
    }
    Ok(())
}

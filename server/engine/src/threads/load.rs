//! Threads come to life: new, resumed or copied (SPEC S1, S2).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value};
use spindle_exec::policy::RuleBook;
use spindle_exec::shell::Shell;
use spindle_schema::event::{ThreadSnapshot, ThreadStatus, TokenUsageUpdate};
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::note::ThreadNotes;
use spindle_schema::rollout::{BaseInstructions, SessionMeta};
use spindle_schema::settings::ThreadSettings;
use spindle_store::{History, Loaded, ThreadUpdate};

use super::manager::ThreadManager;
use super::notice::{Newcomer, is_sandboxed, project_rules};
use super::request::{
    ForkPoint, ForkThread, Originator, ResumeThread, Resumed, StartThread, Started, ThreadSource,
};
use super::settled::{Settled, asked, go_on};
use super::subscribers::Subscribers;
use crate::approvals::{Grants, Memory};
use crate::config::{self, Config, Forbidden};
use crate::context::{
    BASE_INSTRUCTIONS, COMPACT, Conversation, Recorder, Seed, git, instructions, restore,
};
use crate::rooms::SessionRooms;
use crate::session::{Handle, Join, Phase, Session, State, Submission, ThreadFacts};
use crate::tools::{BUILT_IN, ClientTools, Network, Processes};
use crate::undo::ThreadUndo;
use crate::{Answer, Error, Invalid, clock};

/// The member of a rollout's header that holds the tools of clients.
const CLIENT_TOOLS: &str = "dynamic_tools";

impl ThreadManager {
    /// Makes a thread. It can be followed and resumed from then on, and stands in lists once
    /// something was said in it.
    pub fn start(&self, request: StartThread, answer: Answer<Started>) {
        let manager = self.clone();
        tokio::spawn(async move {
            match Box::pin(manager.make(request)).await {
                Ok(born) => born.announce(answer),
                Err(error) => answer.err(error),
            }
        });
    }

    /// Loads a stored thread, or follows a loaded one.
    pub fn resume(&self, request: ResumeThread, answer: Answer<Resumed>) {
        let manager = self.clone();
        tokio::spawn(async move {
            if let Err((answer, error)) = Box::pin(manager.load_or_join(request, answer)).await {
                answer.err(error);
            }
        });
    }

    /// Copies a thread. The copy is a file of its own and needs its source no more.
    pub fn fork(&self, request: ForkThread, answer: Answer<Started>) {
        let manager = self.clone();
        tokio::spawn(async move {
            match Box::pin(manager.copy(request)).await {
                Ok(born) => born.announce(answer),
                Err(error) => answer.err(error),
            }
        });
    }

    async fn make(&self, request: StartThread) -> Result<Born, Error> {
        let StartThread { source, ephemeral, thread_source, client_tools, id, project } = request;
        let tools = client_tools_of(client_tools.as_ref()).map_err(Invalid::ClientTool)?;
        let id = id.unwrap_or_default();
        let lock = self.busy(id);
        let _busy = lock.lock().await;
        if self.handle(id).is_some() {
            return Err(Error::Invalid(Invalid::IdInUse(id)));
        }
        if let Some(project) = &project {
            self.inner.rooms.store.project(project.clone()).await?;
        }
        let Settled { config, settings, forbidden } = self.settle(&source, None)?;
        let prompt = base_instructions(&source, &config)?;
        let window_id = new_window();
        let mut meta = self.meta(Header {
            id,
            source: &source,
            settings: &settings,
            prompt: &prompt,
            window_id: &window_id,
            thread_source,
        });
        if let Some(list) = client_tools {
            meta.extra.insert(CLIENT_TOOLS.into(), list);
        }
        let recorder = if ephemeral {
            Recorder::Nowhere
        } else {
            Recorder::Log(Arc::new(self.inner.rooms.store.create(meta.clone())))
        };
        recorder.establish().await?;
        let notes = match project {
            Some(project) if !ephemeral => {
                let update = ThreadUpdate { project: Some(Some(project)), ..Default::default() };
                self.inner.rooms.store.update_thread(id, update).await?
            }
            _ => ThreadNotes::default(),
        };
        let conversation = Conversation::new(Seed { recorder, window_id });
        let birth = Birth {
            meta,
            config,
            settings,
            prompt,
            conversation,
            client_tools: tools.owned_by(source.connection),
            source,
            ephemeral,
            usage: None,
            stored: None,
            forbidden,
            notes,
        };
        self.bear(birth).await
    }

    async fn load_or_join(
        &self,
        request: ResumeThread,
        answer: Answer<Resumed>,
    ) -> Result<(), (Answer<Resumed>, Error)> {
        let id = match self.wanted(request.id, request.path.as_deref()) {
            Ok(id) => id,
            Err(error) => return Err((answer, error)),
        };
        let lock = self.busy(id);
        let _busy = lock.lock().await;
        let (connection, seen) = (request.source.connection, request.seen);
        let loaded = self.handle(id);
        let was_loaded = loaded.is_some();
        let handle = match loaded {
            Some(handle) => self.same_path(id, request.path.as_deref()).await.map(|()| handle),
            None => Box::pin(self.load(id, request)).await.map(|born| born.handle),
        };
        match handle {
            Ok(handle) => {
                let join = Join { connection, answer, seen, was_loaded };
                handle.submit(Submission::Join(join));
                Ok(())
            }
            Err(error) => Err((answer, error)),
        }
    }

    /// The thread a request means: by id, or by the header of a rollout.
    fn wanted(&self, id: Option<ThreadId>, path: Option<&Path>) -> Result<ThreadId, Error> {
        match (id, path) {
            (_, Some(path)) if id.is_none_or(|id| self.handle(id).is_none()) => {
                id_of(path).ok_or_else(|| Invalid::Path(path.display().to_string()).into())
            }
            (Some(id), _) => Ok(id),
            (None, _) => Err(Invalid::Path(String::new()).into()),
        }
    }

    async fn same_path(&self, id: ThreadId, path: Option<&Path>) -> Result<(), Error> {
        let Some(requested) = path else { return Ok(()) };
        let active = self.look(id).await?.thread.path.clone().unwrap_or_default();
        if Path::new(&*active) == requested {
            return Ok(());
        }
        Err(Error::StalePath {
            thread: id,
            requested: requested.display().to_string(),
            active: active.into(),
        })
    }

    async fn load(&self, id: ThreadId, request: ResumeThread) -> Result<Born, Error> {
        let ResumeThread { source, path, .. } = request;
        let store = &self.inner.rooms.store;
        let Loaded { log, history } = match &path {
            Some(path) => store.open_path(path).await?,
            None => store.open(id).await.map_err(|error| error_of(error, id))?,
        };
        let recorder = Recorder::Log(Arc::new(log));
        let stored = store.row(id).await?.map(super::catalog::snapshot_of);
        let (mut birth, last_turn) = self.revive(source, recorder, history)?;
        birth.notes = stored.as_ref().map(|stored| stored.notes.clone()).unwrap_or_default();
        birth.stored = stored;
        let model = self.inner.rooms.catalog.resolve(&birth.settings.model).info;
        let window = birth.config.sized(model).effective_context_window();
        birth.usage = last_turn.map(|turn_id| TokenUsageUpdate {
            turn_id,
            total: birth.conversation.total_usage,
            last: birth.conversation.last_usage,
            model_context_window: window,
        });
        self.bear(birth).await
    }

    async fn copy(&self, request: ForkThread) -> Result<Born, Error> {
        let ForkThread { mut source, id, path, until, ephemeral, thread_source } = request;
        let from = self.wanted(id, path.as_deref())?;
        let store = &self.inner.rooms.store;
        let original = store.read(from).await.map_err(|error| error_of(error, from))?;
        if source.settings.cwd.is_none() {
            source.settings.cwd = Some(original.meta.cwd.clone());
        }
        let Settled { settings, .. } = self.settle(&source, Some(&original))?;
        let stored = original.meta.base_instructions.as_ref();
        let prompt = stored.map_or(BASE_INSTRUCTIONS, |base| &base.text).to_owned();
        let new_id = ThreadId::new();
        let window_id = new_window();
        let mut meta = self.meta(Header {
            id: new_id,
            source: &source,
            settings: &settings,
            prompt: &prompt,
            window_id: &window_id,
            thread_source,
        });
        meta.forked_from_id = Some(from);
        if let Some(list) = original.meta.extra.get(CLIENT_TOOLS) {
            meta.extra.insert(CLIENT_TOOLS.into(), list.clone());
        }
        let copied = match &path {
            Some(path) => store.fork_path(path, point(until), meta.clone()).await,
            None => store.fork(from, point(until), meta.clone()).await,
        };
        let Loaded { log, history } = copied.map_err(|error| error_of(error, from))?;
        let recorder = if ephemeral {
            // The copy was a file only to be read.
            drop(log);
            store.delete(new_id).await?;
            Recorder::Nowhere
        } else {
            Recorder::Log(Arc::new(log))
        };
        let shown = store.row(from).await?.map(super::catalog::snapshot_of);
        let (mut birth, _) = self.revive(source, recorder, history)?;
        birth.stored = shown.map(|shown| ThreadSnapshot {
            created_at: clock::now_ms() / 1000,
            name: None,
            ..shown
        });
        birth.meta = meta;
        birth.ephemeral = ephemeral;
        self.bear(birth).await
    }

    /// A thread from what its rollout says.
    fn revive(
        &self,
        source: ThreadSource,
        recorder: Recorder,
        history: History,
    ) -> Result<(Birth, Option<TurnId>), Error> {
        let Settled { config, mut settings, mut forbidden } =
            self.settle(&source, Some(&history))?;
        let mut history = history;
        let meta = history.meta.clone();
        let window = meta.extra.get("context_window").and_then(|window| window.get("window_id"));
        let window_id = window.and_then(Value::as_str).map_or_else(new_window, Into::into);
        let conversation = restore(Seed { recorder, window_id }, &mut history);
        go_on(&mut settings, &source.settings, &history);
        // What the thread was set to before may have been forbidden since.
        forbidden.extend(config.requirements().constrain(&mut settings));
        let last_turn = history.last_turn.and_then(|turn| turn.id);
        let prompt = match (&source.base_instructions, &meta.base_instructions) {
            (Some(own), _) => own.clone(),
            (None, Some(stored)) => stored.text.clone(),
            (None, None) => BASE_INSTRUCTIONS.to_owned(),
        };
        // What another program wrote may hold more than is known here: the thread goes on without.
        let client_tools = client_tools_of(meta.extra.get(CLIENT_TOOLS)).unwrap_or_else(|fault| {
            tracing::warn!(thread = %meta.id, fault, "its dynamic tools are left out");
            ClientTools::default()
        });
        let birth = Birth {
            meta: (*meta).clone(),
            config,
            settings,
            prompt,
            conversation,
            client_tools,
            source,
            ephemeral: false,
            usage: None,
            stored: None,
            forbidden,
            notes: ThreadNotes::default(),
        };
        Ok((birth, last_turn))
    }

    /// The configuration and the settings that a request gives.
    fn settle(&self, source: &ThreadSource, history: Option<&History>) -> Result<Settled, Error> {
        let mut update = source.settings.clone();
        if let (None, Some(history)) = (&update.cwd, history) {
            update.cwd = Some(history.meta.cwd.clone());
        }
        let cwd = Path::new(&self.inner.cwd).join(update.cwd.as_deref().unwrap_or_default());
        let config = self.inner.rooms.config.load(Some(&cwd), source.config.as_ref())?;
        let mut settings = config.settings(&self.inner.cwd, &update);
        let stored = history.and_then(|history| history.meta.model_provider.clone());
        if let Some(provider) = source.model_provider.clone().or(stored) {
            settings.model_provider = provider;
        }
        let forbidden = config.requirements().forbidden(&asked(&settings, &update));
        match config.provider(&settings.model_provider) {
            Ok(_) => Ok(Settled { config, settings, forbidden }),
            Err(config::Error::ProviderNotFound(id)) => {
                Err(Error::ProviderNotConfigured(id.into()))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn meta(&self, header: Header<'_>) -> SessionMeta {
        let Header { id, source, settings, prompt, window_id, thread_source } = header;
        let mut extra = Map::new();
        extra.insert("account_scoped".into(), true.into());
        extra.insert("context_window".into(), serde_json::json!({ "window_id": window_id }));
        let roots = serde_json::json!(settings.workspace_roots);
        extra.insert("runtime_workspace_roots".into(), roots);
        SessionMeta {
            session_id: Some(id.to_string().into()),
            id,
            timestamp: format!("{:.3}", clock::now()).into(),
            cwd: settings.cwd.clone(),
            originator: source.originator.name.clone(),
            cli_version: self.inner.rooms.version.into(),
            source: source.originator.source.clone(),
            thread_source,
            model_provider: Some(settings.model_provider.clone()),
            base_instructions: Some(BaseInstructions { text: prompt.to_owned() }),
            history_mode: Some("paginated".into()),
            forked_from_id: None,
            history_base: None,
            parent_thread_id: None,
            git: git::facts_of(Path::new(&*settings.cwd)),
            extra,
        }
    }

    /// Brings a session to life and puts it into the table.
    async fn bear(&self, birth: Birth) -> Result<Born, Error> {
        if self.inner.draining.load(Ordering::Acquire) {
            return Err(Error::Draining);
        }
        let id = birth.meta.id;
        let connection = birth.source.connection;
        let project = instructions::collect(&birth.config, Path::new(&*birth.settings.cwd));
        let sources = project.sources();
        let own = birth.config.compact_prompt()?;
        let compact_prompt = own.unwrap_or_else(|| COMPACT.to_owned());
        let rooms = self.session_rooms(&birth, project.render(), compact_prompt);
        let base = snapshot_of(&birth);
        let subscribers = Arc::new(Subscribers::default());
        subscribers.add(connection, clock::now_ms());
        let state = State {
            facts: ThreadFacts {
                base,
                instruction_sources: sources.clone(),
                requirements: rooms.config.requirements().clone(),
            },
            settings: birth.settings,
            settings_unrecorded: false,
            phase: Phase::Idle { failed: false },
            queue: std::collections::VecDeque::new(),
            subscribers,
            usage: birth.usage,
        };
        let thread = state.snapshot();
        let sandboxed = is_sandboxed(&state.settings);
        let rest = self.rest_of(id, rooms.config.frontend.unload_after);
        let rooms = Arc::new(rooms);
        let session = Session {
            thread_id: id,
            state,
            conversation: birth.conversation,
            rooms: rooms.clone(),
            audience: self.inner.rooms.audience.clone(),
            rest,
        };
        let (handle, settings) = session.start().await?;
        self.inner.threads.lock().insert(id, handle.clone());
        // Whoever left meanwhile was not there to be taken off.
        if !self.inner.rooms.audience.is_there(connection) {
            handle.leave(connection);
        }
        let newcomer = Newcomer { thread: id, connection, sandboxed, forbidden: birth.forbidden };
        self.tell_notices(newcomer, &rooms);
        Ok(Born { handle, started: Started { thread, settings, instruction_sources: sources } })
    }

    fn session_rooms(
        &self,
        birth: &Birth,
        project_instructions: Option<String>,
        compact_prompt: String,
    ) -> SessionRooms {
        let rooms = &self.inner.rooms;
        let shell = rooms.env.get("SHELL").map(std::ffi::OsStr::new);
        let rule_folders = project_rules(&birth.config, Path::new(&*birth.settings.cwd));
        let rules = [rooms.home.join("rules")].into_iter().chain(rule_folders.iter().cloned());
        let rules = RuleBook::new(rules.collect());
        let undo = ThreadUndo::new(rooms.undo.clone(), birth.meta.id, birth.config.undo);
        let undo = if birth.ephemeral { undo.off() } else { undo };
        undo.tidy();
        SessionRooms {
            thread_id: birth.meta.id,
            config: birth.config.clone(),
            catalog: rooms.catalog.clone(),
            model: rooms.model.clone(),
            broker: rooms.broker.clone(),
            processes: Arc::new(Processes::default()),
            client_tools: Arc::new(birth.client_tools.clone()),
            network: Network::new(birth.config.managed_network()),
            undo,
            memory: Memory::default(),
            grants: Grants::default(),
            rules: parking_lot::Mutex::new(rules),
            rule_folders,
            home: rooms.home.clone(),
            shell: Shell::detect(shell),
            env: rooms.env.clone(),
            originator: birth.source.originator.clone(),
            installation_id: config::installation_id(&rooms.home).into(),
            version: rooms.version,
            base_instructions: birth.prompt.as_str().into(),
            compact_prompt: compact_prompt.into(),
            developer_instructions: birth
                .source
                .developer_instructions
                .clone()
                .or_else(|| birth.config.prompt.developer_instructions.clone()),
            project_instructions,
        }
    }
}

/// A session that has just come to life.
struct Born {
    handle: Handle,
    started: Started,
}

impl Born {
    /// Has the session answer whoever made the thread, and tell that it exists.
    fn announce(self, answer: Answer<Started>) {
        self.handle.submit(Submission::Announce(answer, Box::new(self.started)));
    }
}

/// What the first line of a rollout says.
struct Header<'a> {
    id: ThreadId,
    source: &'a ThreadSource,
    settings: &'a ThreadSettings,
    prompt: &'a str,
    window_id: &'a str,
    thread_source: Option<Box<str>>,
}

/// All that a session is born with.
struct Birth {
    meta: SessionMeta,
    config: Arc<Config>,
    settings: ThreadSettings,
    prompt: String,
    conversation: Conversation,
    client_tools: ClientTools,
    source: ThreadSource,
    ephemeral: bool,
    /// What its responses took, when it was stored before.
    usage: Option<TokenUsageUpdate>,
    /// The thread as lists show it, when it was stored before.
    stored: Option<ThreadSnapshot>,
    /// What was asked for, or was set before, and is not allowed.
    forbidden: Vec<Forbidden>,
    /// What people noted about it.
    notes: ThreadNotes,
}

/// The tools of clients that a request or a rollout names.
fn client_tools_of(list: Option<&Value>) -> Result<ClientTools, String> {
    list.map_or_else(|| Ok(ClientTools::default()), |list| ClientTools::read(list, &BUILT_IN))
}

fn base_instructions(source: &ThreadSource, config: &Config) -> Result<String, Error> {
    Ok(match &source.base_instructions {
        Some(own) => own.clone(),
        None => config.base_instructions()?.unwrap_or_else(|| BASE_INSTRUCTIONS.to_owned()),
    })
}

fn point(until: ForkPoint) -> spindle_store::ForkPoint {
    match until {
        ForkPoint::End => spindle_store::ForkPoint::End,
        ForkPoint::After(turn) => spindle_store::ForkPoint::AfterTurn(turn),
        ForkPoint::Before(turn) => spindle_store::ForkPoint::BeforeTurn(turn),
    }
}

/// The thread whose rollout a file is, by the file's name.
fn id_of(path: &Path) -> Option<ThreadId> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    let id = stem.len().checked_sub(36).and_then(|start| stem.get(start..))?;
    ThreadId::parse(id).ok()
}

fn new_window() -> Box<str> {
    uuid::Uuid::now_v7().to_string().into()
}

fn error_of(error: spindle_store::Error, id: ThreadId) -> Error {
    match error {
        spindle_store::Error::NoThread(_) => Error::NoRollout(id),
        spindle_store::Error::Archived(_) => Error::ArchivedThread(id),
        spindle_store::Error::NoTurn(turn) => Error::TurnNotFound(turn),
        other => Error::Store(other),
    }
}

fn snapshot_of(birth: &Birth) -> ThreadSnapshot {
    let meta = &birth.meta;
    let created = meta.timestamp.parse::<jiff::Timestamp>().unwrap_or_else(|_| clock::now());
    let path = match &birth.conversation.recorder {
        Recorder::Log(log) if !birth.ephemeral => Some(log.path().display().to_string().into()),
        Recorder::Log(_) | Recorder::Nowhere => None,
    };
    let Originator { name, .. } = &birth.source.originator;
    let originator = if meta.originator.is_empty() { name } else { &meta.originator };
    let created_at = created.as_second();
    let stored = birth.stored.as_ref();
    ThreadSnapshot {
        id: meta.id,
        forked_from: meta.forked_from_id,
        parent: meta.parent_thread_id,
        preview: stored.map(|row| row.preview.clone()).unwrap_or_default(),
        name: stored.and_then(|row| row.name.clone()),
        ephemeral: birth.ephemeral,
        model_provider: birth.settings.model_provider.clone(),
        model: Some(birth.settings.model.clone()),
        effort: birth.settings.effort.clone(),
        created_at: stored.map_or(created_at, |row| row.created_at),
        updated_at: stored.map_or(created_at, |row| row.updated_at),
        recency_at: stored.map_or(Some(created_at), |row| row.recency_at),
        status: ThreadStatus::Idle,
        path,
        cwd: birth.settings.cwd.clone(),
        workspace_roots: birth.settings.workspace_roots.clone(),
        cli_version: meta.cli_version.clone(),
        source: meta.source.clone(),
        thread_source: meta.thread_source.clone(),
        originator: Some(originator.clone()),
        history_mode: meta.history_mode.clone().unwrap_or_else(|| "legacy".into()),
        git: birth.notes.git_over(meta.git.clone()),
        archived: false,
        notes: birth.notes.clone(),
    }
}

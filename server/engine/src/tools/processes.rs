//! Commands that run, also beyond the call and the turn that started them (SPEC X1).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use spindle_exec::shell::display;
use spindle_exec::{Collected, ExitStatus, OutputReader, Process};
use spindle_schema::event::{DeltaKind, Deltas, EventMsg};
use spindle_schema::ids::{ItemId, TurnId};
use spindle_schema::item::{CommandExecution, CommandStatus, TurnItem};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::call::CallContext;
use super::network::Outlet;
use super::truncate::middle_out;

/// Sessions a thread may have at once; one more ends the oldest.
const MAX_SESSIONS: usize = 64;
/// Bytes of a command's output in its item, at most: one message must not grow beyond reason.
pub(super) const MAX_ITEM_OUTPUT: usize = 64 * 1024;
/// Bytes of a command's output that are streamed, at most. The end of more stands in the item.
pub(super) const MAX_STREAMED: u64 = 1024 * 1024;
/// How long a command may take to end by itself when it is told to.
pub(super) const GRACE: Duration = Duration::from_secs(1);
/// How long a command may go on after it was refused a connection.
const LAST_WORDS: Duration = Duration::from_millis(250);
/// The first session's number.
const FIRST_ID: u32 = 1001;

/// The running commands of a thread. All of them end with it.
#[derive(Debug)]
pub(crate) struct Processes {
    table: Mutex<BTreeMap<u32, Arc<Running>>>,
    next: AtomicU32,
}

/// A command that runs, or has ended without the model having looked.
#[derive(Debug)]
pub(super) struct Running {
    /// The session's number.
    pub(super) id: u32,
    /// The process.
    pub(super) process: Process,
    /// What the model has not seen of the output.
    pub(super) unseen: tokio::sync::Mutex<OutputReader>,
    /// When it began.
    pub(super) since: Instant,
    /// The turn it was started in.
    turn_id: TurnId,
    /// The item as it began.
    item: CommandExecution,
    /// Unix milliseconds.
    started_at_ms: i64,
    /// Whether its call was answered while it ran.
    is_in_background: AtomicBool,
    /// Pulled when the command is over and its item was recorded and told.
    ended: CancellationToken,
    /// The way out of the managed network, when the command is in it.
    outlet: Option<Outlet>,
}

/// A command that goes on beyond its call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundCommand {
    /// Its number in its thread; later commands have higher ones.
    pub id: u32,
    /// Its item.
    pub item_id: ItemId,
    /// What it runs, as the model wrote it.
    pub command: String,
    /// Its folder, as a `file://` address.
    pub cwd: String,
}

/// What a command is entered with.
pub(super) struct Entry {
    /// The process.
    pub(super) process: Process,
    /// The way out of the managed network, when it is in it.
    pub(super) outlet: Option<Outlet>,
    /// Its item.
    pub(super) item: CommandExecution,
    /// When clients saw the item begin, if they have seen it.
    pub(super) shown_since: Option<i64>,
}

impl Default for Processes {
    fn default() -> Self {
        Self { table: Mutex::default(), next: AtomicU32::new(FIRST_ID) }
    }
}

impl Processes {
    /// Enters a command, tells that it runs, and watches it to its end.
    pub(super) async fn enter(&self, context: &CallContext, entry: Entry) -> Arc<Running> {
        let Entry { process, outlet, mut item, shown_since } = entry;
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        // The first reader sees the first byte, and so does its copy.
        let unseen = process.output();
        let output = unseen.clone();
        item.process_id = Some(id.to_string().into());
        item.source = spindle_schema::item::CommandSource::UnifiedExecStartup;
        let started_at_ms = match shown_since {
            Some(since) => since,
            None => {
                let started =
                    context.speaker.started(TurnItem::CommandExecution(Box::new(item.clone())));
                let at = started.item.started_at_ms.unwrap_or_default();
                context.speaker.say(vec![EventMsg::ItemStarted(started)]).await;
                at
            }
        };
        let running = Arc::new(Running {
            id,
            process,
            unseen: tokio::sync::Mutex::new(unseen),
            since: Instant::now(),
            turn_id: context.turn_id().clone(),
            item,
            started_at_ms,
            is_in_background: AtomicBool::new(false),
            ended: CancellationToken::new(),
            outlet,
        });
        self.make_room().await;
        self.table.lock().insert(id, running.clone());
        tokio::spawn(watch(running.clone(), context.clone(), output));
        if running.outlet.is_some() {
            tokio::spawn(end_when_refused(running.clone()));
        }
        running
    }

    /// A session by its number.
    pub(super) fn find(&self, id: u32) -> Option<Arc<Running>> {
        self.table.lock().get(&id).cloned()
    }

    /// Forgets a session whose end the model has seen.
    pub(super) fn forget(&self, id: u32) {
        self.table.lock().remove(&id);
    }

    /// Whether a command runs.
    pub(crate) fn any_running(&self) -> bool {
        self.table.lock().values().any(|running| !running.ended.is_cancelled())
    }

    /// Ends the commands that were started in a turn.
    pub(crate) async fn end_those_of(&self, turn_id: &TurnId) {
        self.end(|running| running.turn_id == *turn_id).await;
    }

    /// Ends all commands.
    pub(crate) async fn end_all(&self) {
        self.end(|_| true).await;
    }

    /// The commands that go on beyond their call, in the order of their numbers.
    pub(crate) fn in_background(&self) -> Vec<BackgroundCommand> {
        let table = self.table.lock();
        table
            .values()
            .filter(|running| running.is_in_background())
            .map(|r| r.background())
            .collect()
    }

    /// Ends the commands that go on beyond their call.
    pub(crate) async fn end_background(&self) {
        self.end(Running::is_in_background).await;
    }

    /// Ends one command; says whether it ran.
    pub(crate) async fn end_one(&self, id: u32) -> bool {
        let did_run = self.find(id).is_some_and(|running| running.status().is_none());
        self.end(|running| running.id == id && did_run).await;
        did_run
    }

    async fn end(&self, which: impl Fn(&Running) -> bool) {
        let chosen: Vec<_> = {
            let mut table = self.table.lock();
            let chosen: Vec<_> = table.values().filter(|r| which(r)).cloned().collect();
            chosen.iter().for_each(|running| drop(table.remove(&running.id)));
            chosen
        };
        // All are told at once; then each is waited for.
        let ends = chosen.iter().map(|running| running.end());
        futures_util::future::join_all(ends).await;
    }

    /// Makes room for one more: those that have ended go first, then the oldest.
    async fn make_room(&self) {
        let oldest = {
            let mut table = self.table.lock();
            if table.len() < MAX_SESSIONS {
                return;
            }
            let over = table.values().find(|r| r.ended.is_cancelled()).map(|r| r.id);
            let oldest = over.or_else(|| table.keys().next().copied());
            oldest.and_then(|id| table.remove(&id))
        };
        if let Some(oldest) = oldest {
            oldest.end().await;
        }
    }
}

impl Running {
    /// Ends the command and its whole group, and waits until its item is whole.
    pub(super) async fn end(&self) {
        if !self.ended.is_cancelled() {
            self.process.terminate(GRACE).await;
        }
        self.ended.cancelled().await;
    }

    /// Waits until the command is over and its item was told.
    pub(super) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    /// The end, once [`ended`](Self::ended) is.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.ended.is_cancelled().then(|| self.process.try_status()).flatten()
    }

    /// Why the command was ended, if it was because of a connection that it may not make.
    pub(super) fn refusal(&self) -> Option<&str> {
        self.outlet.as_ref()?.refusal()
    }

    /// The client's id of its item.
    pub(super) fn item_id(&self) -> &spindle_schema::ids::ItemId {
        &self.item.id
    }

    /// Notes that its call is answered while it runs.
    pub(super) fn goes_on(&self) {
        self.is_in_background.store(true, Ordering::Relaxed);
    }

    fn is_in_background(&self) -> bool {
        self.is_in_background.load(Ordering::Relaxed) && !self.ended.is_cancelled()
    }

    fn background(&self) -> BackgroundCommand {
        let command = match self.item.command.as_slice() {
            [_shell, flag, script] if flag == "-c" || flag == "-lc" => script.clone(),
            other => display(other),
        };
        let (item_id, cwd) = (self.item.id.clone(), self.item.cwd.clone());
        BackgroundCommand { id: self.id, item_id, command, cwd }
    }

    fn whole(&self, status: ExitStatus) -> CommandExecution {
        let mut item = self.item.clone();
        let text = text_of(self.process.collected());
        item.aggregated_output = Some(middle_out(&text, MAX_ITEM_OUTPUT));
        item.exit_code = Some(status.code);
        item.duration = Some(self.since.elapsed().into());
        item.status =
            if status.code == 0 { CommandStatus::Completed } else { CommandStatus::Failed };
        if let Some(why) = self.refusal() {
            let text = text.trim_end_matches('\n');
            let text = if text.is_empty() { why.to_owned() } else { format!("{text}\n{why}") };
            item.aggregated_output = Some(middle_out(&text, MAX_ITEM_OUTPUT));
            item.exit_code = Some(-1);
            item.status = CommandStatus::Failed;
        }
        item
    }
}

fn text_of(collected: Collected) -> String {
    String::from_utf8_lossy(&collected.into_bytes()).into_owned()
}

/// Ends a command that wanted to connect where it may not, once it had time to say so itself.
async fn end_when_refused(running: Arc<Running>) {
    let Some(outlet) = &running.outlet else { return };
    tokio::select! {
        () = outlet.refused() => {
            running.process.wait_until(Instant::now() + LAST_WORDS).await;
            running.process.terminate(GRACE).await;
        }
        _ = running.process.wait() => {}
    }
}

/// Streams a command's output and tells its end.
async fn watch(running: Arc<Running>, context: CallContext, mut output: OutputReader) {
    let mut streamed = 0;
    let status = loop {
        tokio::select! {
            biased;
            chunk = output.next() => match chunk {
                Some(chunk) => stream(&running, &context, &chunk, &mut streamed).await,
                None => break running.process.wait().await,
            },
            status = running.process.wait() => {
                while let Some(chunk) = output.try_next() {
                    stream(&running, &context, &chunk, &mut streamed).await;
                }
                break status;
            }
        }
    };
    if let Some(outlet) = &running.outlet {
        outlet.close();
    }
    let item = TurnItem::CommandExecution(Box::new(running.whole(status)));
    if let Err(error) = context.record_completed(&item, running.started_at_ms).await {
        tracing::error!(%error, "the end of a command could not be recorded");
    }
    let completed = context.speaker.completed(item, running.started_at_ms);
    context.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
    running.ended.cancel();
}

async fn stream(running: &Running, context: &CallContext, chunk: &[u8], streamed: &mut u64) {
    if *streamed >= MAX_STREAMED {
        return;
    }
    *streamed += chunk.len() as u64;
    let deltas = Deltas {
        turn_id: running.turn_id.clone(),
        item_id: running.item.id.clone(),
        kind: DeltaKind::CommandOutput,
        pieces: vec![String::from_utf8_lossy(chunk).into()],
    };
    context.speaker.say(vec![EventMsg::Deltas(Box::new(deltas))]).await;
}

//! The story: one daemon, two frontends, one thread, and a crash in the middle.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use spindle_schema::v2::{
    AskForApproval, CommandExecutionApprovalDecision, CommandExecutionRequestApprovalResponse,
    SandboxMode, SortDirection, Thread, ThreadItem, ThreadStartParams, ThreadStatus,
    ThreadTurnsListParams, Turn, TurnItemsView, TurnStatus,
};

use super::board::{Board, Side};
use super::daemon::{self, LogTail, Started};
use super::frontend::{BEGUN, Frontend, status};
use super::verdict::{Check, comes_before, difference, items_of, summary};
use crate::args::Shared;
use crate::client::connect;
use crate::columns::fit;
use crate::out::print;
use crate::{threads, turn};

/// What README.md must hold in the end.
const README: &str = "# Codex Demo\n\n这是一个使用 Rust 编写的 Agent 项目。\n";
/// A file of somebody else, which must stay as it is.
const OTHER_FILE: &str = "someone else's notes\n";
/// The first request: look, create, read back.
const REQUEST: &str = "请先运行 `test -e README.md && echo README exists || echo README absent`，\
    然后创建 README.md，内容如下：\n```\n# Codex Demo\n\n这是一个使用 Rust 编写的 Agent 项目。\n```\n\
    最后读回 README.md。";
/// What is said while the first command waits.
const STEER: &str = "补充限制：README 必须保留上面的标题和中文说明，不要覆盖其他文件。";
/// What is asked after the crash.
const AGAIN: &str = "显示 README.md";
/// How long a step of the story may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Show what the daemon does: no key, no network, a few seconds.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    shared: Shared,
    /// Keep the folder that the demo worked in.
    #[arg(long)]
    keep: bool,
}

/// Tells the story; exit code 1 when it did not go as it should.
pub(crate) async fn run(args: DemoArgs) -> anyhow::Result<ExitCode> {
    let folder = tempfile::Builder::new().prefix("spindle-demo").tempdir()?;
    let mut story = Story::begin(folder.path()).await?;
    let result = story.tell(folder.path()).await;
    let log = story.log.lock().join("\n");
    drop(story);
    let holds = match result {
        Ok(checks) => {
            let (text, holds) = summary(&checks);
            print(&text)?;
            holds
        }
        Err(error) => {
            print(&format!("\nThe story broke off: {error:#}\n\nThe daemon's log:\n{log}\n"))?;
            false
        }
    };
    if args.keep || !holds {
        print(&format!("Everything is kept in {}\n", folder.keep().display()))?;
    }
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Both frontends on one daemon.
struct Story {
    editor: Frontend,
    terminal: Frontend,
    daemon: rustix::process::Pid,
    log: LogTail,
    board: Board,
    columns: usize,
    /// Whether the terminal says yes to every question as it comes.
    says_yes: bool,
}

impl Story {
    async fn begin(folder: &Path) -> anyhow::Result<Self> {
        for name in ["home", "user", "work"] {
            std::fs::create_dir(folder.join(name))?;
        }
        std::fs::write(folder.join("work/NOTES.txt"), OTHER_FILE)?;
        let columns = threads::terminal_columns();
        Self::on(daemon::start(folder).await?, columns).await
    }

    /// Connects both frontends to a daemon.
    async fn on(started: Started, columns: usize) -> anyhow::Result<Self> {
        let wire = connect(&started.address, None).await?;
        Ok(Self {
            editor: Frontend::open(Side::Left, started.wire).await?,
            terminal: Frontend::open(Side::Right, wire).await?,
            daemon: started.pid,
            log: started.log,
            board: Board::default(),
            columns,
            says_yes: false,
        })
    }

    async fn tell(&mut self, folder: &Path) -> anyhow::Result<Vec<Check>> {
        self.title("Two frontends on one thread", "The daemon serves both; no key, no network.")?;
        let thread = self.open_thread(&folder.join("work")).await?;
        let first = self.first_turn(&thread).await?;
        let mut checks = self.check_first(&folder.join("work"), &first);
        let seen = self.editor.items.clone();
        self.title("A crash", "While a command runs, the daemon is killed with SIGKILL.")?;
        let cut = self.crash(&thread).await?;
        self.title("The next morning", "The daemon is started again; both come back.")?;
        let started = daemon::start(folder).await?;
        *self = Self::on(started, self.columns).await?;
        checks.push(Check::that(
            "the command that ran has ended with the daemon",
            cut.is_command_gone,
            || "it runs on".to_owned(),
        ));
        checks.extend(self.check_return(&thread, &seen, &first, &cut.turn).await?);
        checks.push(self.ask_again(&thread).await?);
        self.title("What was checked", "")?;
        Ok(checks)
    }

    /// The editor starts a thread, the terminal joins it.
    async fn open_thread(&mut self, work: &Path) -> anyhow::Result<String> {
        let params = ThreadStartParams {
            cwd: Some(work.display().to_string()),
            approval_policy: Some(AskForApproval::Untrusted),
            sandbox: Some(SandboxMode::WorkspaceWrite),
            ..ThreadStartParams::default()
        };
        let thread = self.editor.session.call(&params).await?.thread.id;
        self.board.did(Side::Left, "starts a thread");
        self.terminal.session.call(&turn::resume(&thread)).await?;
        self.board.did(Side::Right, "joins the thread");
        Ok(thread)
    }

    /// A turn with real commands: steered by one frontend, allowed by the other.
    async fn first_turn(&mut self, thread: &str) -> anyhow::Result<String> {
        let params = turn::start(thread, vec![turn::words(REQUEST)]);
        let id = self.editor.session.call(&params).await?.turn.id;
        self.board.did(Side::Left, "starts a turn");
        self.until("a question at both frontends", |story| {
            !story.editor.questions.is_empty() && !story.terminal.questions.is_empty()
        })
        .await?;
        self.editor.session.call(&turn::steer(thread, &id, STEER)).await?;
        self.board.did(Side::Left, "steers the turn");
        self.answer().await?;
        self.says_yes = true;
        self.until("the end of the turn", |story| story.both_ended(1)).await?;
        self.show()?;
        Ok(id)
    }

    /// A turn that is cut off by the end of the daemon.
    async fn crash(&mut self, thread: &str) -> anyhow::Result<Cut> {
        // A number that no other process on this machine waits for.
        let command = format!("sleep 30.{:07}", std::process::id());
        let words = format!("运行 `echo {BEGUN}; {command}`");
        let params = turn::start(thread, vec![turn::words(&words)]);
        let turn = self.terminal.session.call(&params).await?.turn.id;
        self.board.did(Side::Right, "starts a turn");
        self.until("the output of a command that runs", |story| {
            story.editor.has_begun && story.terminal.has_begun
        })
        .await?;
        wait_for(|| daemon::runs(&command)).await.context("the command does not run")?;
        daemon::kill(self.daemon)?;
        self.until_gone().await?;
        let is_command_gone = wait_for(|| !daemon::runs(&command)).await.is_ok();
        self.board.did(Side::Left, "the daemon is gone");
        self.board.did(Side::Right, "the daemon is gone");
        self.show()?;
        Ok(Cut { turn, is_command_gone })
    }

    /// One more turn on the thread that came back.
    async fn ask_again(&mut self, thread: &str) -> anyhow::Result<Check> {
        let params = turn::start(thread, vec![turn::words(AGAIN)]);
        self.terminal.session.call(&params).await?;
        self.board.did(Side::Right, "starts a turn");
        self.says_yes = true;
        self.until("the end of the turn", |story| story.both_ended(1)).await?;
        self.show()?;
        let items = &self.editor.items;
        let shown = comes_before(items, AGAIN, README.trim_end());
        Ok(Check::that("the thread works on and reads README.md back", shown, || {
            format!("{} items, none with the content", items.len())
        }))
    }

    fn both_ended(&self, turns: usize) -> bool {
        self.editor.ended.len() >= turns && self.terminal.ended.len() >= turns
    }

    /// Listens at both frontends until something is so.
    async fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) -> anyhow::Result<()> {
        let listen = async {
            while !done(self) {
                tokio::select! {
                    heard = self.editor.session.next() => match heard? {
                        Some(heard) => self.editor.note(heard, &mut self.board),
                        None => bail!("the daemon closed the editor's connection"),
                    },
                    heard = self.terminal.session.next() => match heard? {
                        Some(heard) => self.terminal.note(heard, &mut self.board),
                        None => bail!("the daemon closed the terminal's connection"),
                    },
                }
                if self.says_yes && !self.terminal.questions.is_empty() {
                    self.answer().await?;
                }
            }
            Ok(())
        };
        let result = tokio::time::timeout(PATIENCE, listen).await;
        if !matches!(result, Ok(Ok(()))) {
            self.show()?;
        }
        result.with_context(|| format!("waited in vain for {what}"))?
    }

    /// Listens until both connections have ended.
    async fn until_gone(&mut self) -> anyhow::Result<()> {
        let listen = async {
            while matches!(self.editor.session.next().await, Ok(Some(_))) {}
            while matches!(self.terminal.session.next().await, Ok(Some(_))) {}
        };
        tokio::time::timeout(PATIENCE, listen).await.context("the daemon lives on after SIGKILL")
    }

    /// The terminal says yes to what is asked.
    async fn answer(&mut self) -> anyhow::Result<()> {
        for id in std::mem::take(&mut self.terminal.questions) {
            let decision = CommandExecutionApprovalDecision::Accept;
            let answer = CommandExecutionRequestApprovalResponse { decision };
            self.terminal.session.answer(id, &answer).await?;
            self.board.did(Side::Right, "yes");
        }
        Ok(())
    }

    /// What the first turn must have done.
    fn check_first(&self, work: &Path, first: &str) -> Vec<Check> {
        let (editor, terminal) = (&self.editor, &self.terminal);
        let readme = std::fs::read_to_string(work.join("README.md")).unwrap_or_default();
        let other = std::fs::read_to_string(work.join("NOTES.txt")).unwrap_or_default();
        let end = editor.ended.iter().find(|turn| turn.id == first).map(|turn| turn.status);
        let difference = difference(&editor.items, &terminal.items);
        vec![
            Check::that("the turn completed", end == Some(TurnStatus::Completed), || {
                format!("it is {}", end.map_or("not over", status))
            }),
            Check::that("README.md holds what was asked for", readme == README, || readme.clone()),
            Check::that("the other file is untouched", other == OTHER_FILE, || other.clone()),
            Check::that("both frontends saw the same items", difference.is_none(), || {
                difference.clone().unwrap_or_default()
            }),
            Check::that(
                "the words of the steer were heard before README.md was written",
                comes_before(&editor.items, STEER, "> 'README.md'"),
                || "they came later, or not at all".to_owned(),
            ),
            Check::that(
                "what the terminal allowed, the editor saw settled",
                editor.settled > 0 && editor.settled == terminal.settled,
                || format!("{} against {}", editor.settled, terminal.settled),
            ),
        ]
    }

    /// What must be there after the crash.
    async fn check_return(
        &mut self,
        thread: &str,
        seen: &[ThreadItem],
        first: &str,
        cut: &str,
    ) -> anyhow::Result<Vec<Check>> {
        let resumed = self.editor.session.call(&turn::resume(thread)).await?.thread;
        self.terminal.session.call(&turn::resume(thread)).await?;
        self.board.did(Side::Left, "resumes the thread");
        self.board.did(Side::Right, "resumes the thread");
        let turns = self.turns(thread).await?;
        let stored: Vec<_> = items_of(&turns, first).to_vec();
        let of_first: Vec<_> = seen.iter().take(stored.len().max(seen.len())).cloned().collect();
        let difference = difference(&of_first, &stored);
        let end = turns.iter().find(|turn| turn.id == cut).map(|turn| turn.status);
        Ok(vec![
            Check::that("every item that was seen is there again", difference.is_none(), || {
                difference.clone().unwrap_or_default()
            }),
            Check::that(
                "the turn that was cut off reads interrupted",
                end == Some(TurnStatus::Interrupted),
                || format!("it is {}", end.map_or("not there", status)),
            ),
            Check::that("the thread is idle", is_idle(&resumed), || {
                format!("it is {:?}", resumed.status)
            }),
        ])
    }

    /// All turns with all their items, as the daemon has them.
    async fn turns(&mut self, thread: &str) -> anyhow::Result<Vec<Turn>> {
        let params = ThreadTurnsListParams {
            thread_id: thread.to_owned(),
            cursor: None,
            items_view: Some(TurnItemsView::Full),
            limit: None,
            sort_direction: Some(SortDirection::Asc),
        };
        Ok(self.editor.session.call(&params).await?.data)
    }

    fn title(&mut self, title: &str, text: &str) -> anyhow::Result<()> {
        let width = self.columns.saturating_sub(3) / 2;
        let mut head = format!("\n== {title}\n");
        if !text.is_empty() {
            let left = fit("EDITOR (stdio)", width);
            head = format!("{head}{text}\n\n{left} │ TERMINAL (websocket)\n");
        }
        print(&head)
    }

    fn show(&mut self) -> anyhow::Result<()> {
        let text = self.board.take(self.columns);
        print(&text)
    }
}

/// What the crash cut off.
struct Cut {
    /// The turn.
    turn: String,
    /// Whether the turn's command ended too.
    is_command_gone: bool,
}

/// Waits until something outside this process is so.
async fn wait_for(is_so: impl Fn() -> bool) -> Result<(), tokio::time::error::Elapsed> {
    const PAUSE: Duration = Duration::from_millis(10);
    tokio::time::timeout(PATIENCE, async {
        while !is_so() {
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await
}

fn is_idle(thread: &Thread) -> bool {
    matches!(thread.status, ThreadStatus::Idle)
}

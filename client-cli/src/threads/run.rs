//! The course of `threads`: reach a daemon, ask, print.

use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use spindle_schema::v2::{
    SortDirection, Thread, ThreadArchiveParams, ThreadListCwdFilter, ThreadListParams,
    ThreadReadParams, ThreadSetNameParams, ThreadSortKey, ThreadTurnsListParams,
    ThreadUnarchiveParams, Turn, TurnItemsView,
};

use super::args::{Common, Filter, ThreadsArgs, ThreadsCommand};
use super::table;
use crate::client::{Client, Session};
use crate::find;
use crate::out::print;
use crate::reach::{self, Reached};

const CLIENT: Client = Client { name: "spindle_threads", title: "Spindle threads" };

/// How many turns a page holds.
const PAGE: u32 = 50;

/// Runs `threads`.
pub(crate) async fn run(
    shared: crate::args::Shared,
    args: ThreadsArgs,
) -> anyhow::Result<ExitCode> {
    let first = Common { shared, ..Common::default() }.then(args.common);
    let (common, work) = Work::of(args.command);
    let common = first.then(common);
    let mut reached = reach::named_or_local(&common.remote, &common.shared, CLIENT).await?;
    let result = work.run(&mut reached, common.json).await;
    reached.leave().await;
    result.map(|()| ExitCode::SUCCESS)
}

/// What is to be done.
enum Work {
    List(Filter, Option<String>),
    Show(String),
    Archive(String),
    Unarchive(String),
    Name(String, String),
}

impl Work {
    fn of(command: ThreadsCommand) -> (Common, Self) {
        match command {
            ThreadsCommand::List { common, filter } => (common, Self::List(filter, None)),
            ThreadsCommand::Search { common, text, filter } => {
                (common, Self::List(filter, Some(text)))
            }
            ThreadsCommand::Show { common, thread } => (common, Self::Show(thread)),
            ThreadsCommand::Archive { common, thread } => (common, Self::Archive(thread)),
            ThreadsCommand::Unarchive { common, thread } => (common, Self::Unarchive(thread)),
            ThreadsCommand::Name { common, thread, name } => (common, Self::Name(thread, name)),
        }
    }

    async fn run(self, reached: &mut Reached, json: bool) -> anyhow::Result<()> {
        let session = &mut reached.session;
        match self {
            Self::List(filter, text) => list(session, filter, text, json).await,
            Self::Show(thread) => show(session, &thread, json).await,
            Self::Archive(thread) => {
                let thread_id = find::thread(session, &thread).await?;
                session.call(&ThreadArchiveParams { thread_id: thread_id.clone() }).await?;
                done(&format!("archived {thread_id}"), json)
            }
            Self::Unarchive(thread) => {
                let thread_id = find::archived_thread(session, &thread).await?;
                session.call(&ThreadUnarchiveParams { thread_id: thread_id.clone() }).await?;
                done(&format!("unarchived {thread_id}"), json)
            }
            Self::Name(thread, name) => {
                let thread_id = find::thread(session, &thread).await?;
                let said = format!("{thread_id} is called {name}");
                session.call(&ThreadSetNameParams { thread_id, name }).await?;
                done(&said, json)
            }
        }
    }
}

async fn list(
    session: &mut Session,
    filter: Filter,
    text: Option<String>,
    json: bool,
) -> anyhow::Result<()> {
    let folder = filter
        .cd
        .map(|dir| {
            std::path::absolute(&dir).with_context(|| format!("bad folder {}", dir.display()))
        })
        .transpose()?;
    let params = ThreadListParams {
        archived: filter.archived.then_some(true),
        cwd: folder.map(|dir| ThreadListCwdFilter::One(dir.to_string_lossy().into_owned())),
        search_term: text,
        sort_key: Some(ThreadSortKey::UpdatedAt),
        source_kinds: Some(find::ALL_SOURCES.to_vec()),
        ..ThreadListParams::default()
    };
    let threads = find::list(session, params, filter.limit).await?;
    if json {
        return print_json(&threads);
    }
    print(&table::threads(&threads, table::terminal_columns()))
}

/// A thread with its turns, for programs.
#[derive(Serialize)]
struct Whole<'a> {
    thread: &'a Thread,
    turns: &'a [Turn],
}

async fn show(session: &mut Session, thread: &str, json: bool) -> anyhow::Result<()> {
    let thread_id = find::thread(session, thread).await?;
    let read = ThreadReadParams { thread_id: thread_id.clone(), include_turns: false };
    let thread = session.call(&read).await?.thread;
    let turns = all_turns(session, thread_id).await?;
    if json {
        return print_json(&Whole { thread: &thread, turns: &turns });
    }
    print(&table::thread(&thread, &turns))
}

/// All turns with all their items, the oldest first.
async fn all_turns(session: &mut Session, thread_id: String) -> anyhow::Result<Vec<Turn>> {
    let mut turns = Vec::new();
    let mut params = ThreadTurnsListParams {
        thread_id,
        cursor: None,
        items_view: Some(TurnItemsView::Full),
        limit: Some(PAGE),
        sort_direction: Some(SortDirection::Asc),
    };
    loop {
        let page = session.call(&params).await?;
        turns.extend(page.data);
        match page.next_cursor {
            Some(cursor) => params.cursor = Some(cursor),
            None => return Ok(turns),
        }
    }
}

/// Programs read the exit code; people like a word.
fn done(text: &str, json: bool) -> anyhow::Result<()> {
    if json { Ok(()) } else { print(&format!("{text}\n")) }
}

fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    print(&format!("{text}\n"))
}

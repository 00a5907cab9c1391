//! `thread/resume`.

use std::sync::Arc;

use spindle_engine::store::{Direction, ItemsQuery, TurnsQuery};
use spindle_engine::threads::{ResumeThread, Resumed, ThreadManager};
use spindle_engine::{Answer, Error};
use spindle_schema::event::{ItemsView, TurnSnapshot};
use spindle_schema::ids::ThreadId;
use spindle_schema::v2::{
    ThreadResumeInitialTurnsPageParams, ThreadResumeParams, ThreadResumeResponse, Turn, TurnStatus,
    TurnsPage,
};

use super::super::context::Context;
use super::super::convert::{settings, thread, turn};
use super::super::errors::{Refusal, of_engine};
use super::list::direction;
use super::origin::{SandboxBy, named, opened, origin};
use super::read::{all_turns, deprecated, items_page, turns_page, view};
use crate::rpc::{Reply, RpcError};

/// How many turns the page that comes along holds when the client does not say.
const PAGE: u32 = 25;

/// Loads a stored thread, or follows a loaded one.
pub(in crate::api) fn resume(
    context: &Context,
    mut params: ThreadResumeParams,
    reply: Reply<ThreadResumeParams>,
) {
    let wanted =
        Wanted { page: params.initial_turns_page.take(), has_turns: !params.exclude_turns };
    let request = match request(context, params) {
        Ok(request) => request,
        Err(error) => return reply.err(&error),
    };
    let answerer = context.clone();
    let answer = Answer::new(move |resumed: Result<Resumed, Error>| match resumed {
        Ok(resumed) => answer_resumed(&answerer, resumed, wanted, reply),
        Err(error) => reply.err(&of_engine(&error)),
    });
    context.engine.resume(request, answer);
}

/// What the answer is to hold beside the thread.
struct Wanted {
    page: Option<ThreadResumeInitialTurnsPageParams>,
    has_turns: bool,
}

fn request(context: &Context, params: ThreadResumeParams) -> Result<ResumeThread, RpcError> {
    match params.history.as_deref() {
        None => {}
        Some([]) => return Err(Refusal::EmptyHistory.into()),
        Some(_) => {
            let (method, field) = ("thread/resume", "history");
            return Err(Refusal::AbsentParam { method, field }.into());
        }
    }
    let id = named(&params.thread_id, params.path.as_ref())?;
    let seen = params.last_seq;
    let origin = origin!(params, personality: params.personality);
    let source = origin.into_source(context, SandboxBy::Policy)?;
    Ok(ResumeThread { source, id, path: params.path.map(Into::into), seen })
}

/// The thread is followed from this moment on. Its turns are read apart from the session, and
/// what is said meanwhile waits for the answer: so the client misses nothing and hears nothing
/// twice.
fn answer_resumed(
    context: &Context,
    resumed: Resumed,
    mut wanted: Wanted,
    reply: Reply<ThreadResumeParams>,
) {
    // What is said again brings the turns along.
    wanted.has_turns &= resumed.is_replayed != Some(true);
    if wanted.has_turns {
        deprecated(&context.client, "use `excludeTurns: true`, then");
    }
    let hold = context.client.hold();
    let engine = context.engine.clone();
    context.tasks.spawn(async move {
        let response = response(&engine, &resumed, wanted).await;
        reply.settle(response);
        drop(hold);
    });
}

async fn response(
    engine: &ThreadManager,
    resumed: &Resumed,
    wanted: Wanted,
) -> Result<ThreadResumeResponse, RpcError> {
    let started = &resumed.started;
    let id = started.thread.id;
    let mut thread = thread::of(&started.thread);
    let is_kept = !started.thread.ephemeral;
    if wanted.has_turns {
        let stored = if is_kept { all_turns(engine, id).await? } else { Vec::new() };
        thread.turns = as_of_joining(stored, resumed.active_turn.as_ref());
    }
    let page = match wanted.page {
        Some(page) if is_kept => Some(first_page(engine, id, page).await?),
        _ => None,
    };
    let (turns_backwards_cursor, items_backwards_cursor) =
        if is_kept { ends(engine, id).await? } else { (None, None) };
    let set = settings::of(&started.settings);
    Ok(opened!(ThreadResumeResponse {
        thread,
        started,
        set,
        collaboration_mode: Some(set.collaboration_mode),
        initial_turns_page: page,
        turns_backwards_cursor: turns_backwards_cursor,
        items_backwards_cursor: items_backwards_cursor,
        seq: Some(resumed.position),
        replayed: resumed.is_replayed,
    }))
}

/// The turns as they stood when the client joined: what came later is told later.
fn as_of_joining(stored: Vec<Turn>, active: Option<&Arc<TurnSnapshot>>) -> Vec<Turn> {
    let active = active.map(|active| turn::of(active));
    let is_active = |turn: &Turn| active.as_ref().is_some_and(|active| active.id == turn.id);
    let mut turns: Vec<Turn> = stored
        .into_iter()
        .filter(|turn| turn.status != TurnStatus::InProgress && !is_active(turn))
        .collect();
    turns.extend(active);
    turns
}

async fn first_page(
    engine: &ThreadManager,
    id: ThreadId,
    asked: ThreadResumeInitialTurnsPageParams,
) -> Result<TurnsPage, RpcError> {
    let query = TurnsQuery {
        cursor: None,
        limit: asked.limit.unwrap_or(PAGE) as usize,
        direction: direction(asked.sort_direction, Direction::Descending),
        view: view(asked.items_view, ItemsView::Summary),
    };
    let page = turns_page(engine, id, query).await?;
    Ok(TurnsPage {
        data: page.data.iter().map(turn::of).collect(),
        next_cursor: page.next_cursor.map(Into::into),
        backwards_cursor: page.backwards_cursor.map(Into::into),
    })
}

/// Where turns and items end, to read backwards from.
async fn ends(
    engine: &ThreadManager,
    id: ThreadId,
) -> Result<(Option<String>, Option<String>), RpcError> {
    let direction = Direction::Descending;
    let turns = TurnsQuery { cursor: None, limit: 1, direction, view: ItemsView::NotLoaded };
    let items = ItemsQuery { turn: None, cursor: None, limit: 1, direction };
    let turns = turns_page(engine, id, turns).await?.backwards_cursor;
    let items = items_page(engine, id, items).await?.backwards_cursor;
    Ok((turns.map(Into::into), items.map(Into::into)))
}

#[cfg(test)]
mod tests;

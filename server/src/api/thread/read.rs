//! `thread/read`, `thread/turns/list` and `thread/items/list`.

use spindle_engine::Error;
use spindle_engine::store::{Direction, ItemsQuery, TurnsQuery};
use spindle_engine::threads::{ItemsPage, ThreadManager, TurnsPage};
use spindle_schema::event::{ItemsView, TimedItem};
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::{
    DeprecationNoticeNotification, ThreadItemEntry, ThreadItemsListCursor, ThreadItemsListParams,
    ThreadItemsListResponse, ThreadReadParams, ThreadReadResponse, ThreadTurnsListParams,
    ThreadTurnsListResponse, Turn, TurnItemsView,
};

use super::super::context::{Context, thread_id};
use super::super::convert::{item, thread, turn};
use super::super::errors::{Refusal, of_engine};
use super::list::direction;
use crate::rpc::{Client, Reply, RpcError};

/// How many turns or items a page holds when the client does not say.
const PAGE: u32 = 25;

/// A thread, with all its turns if asked for.
pub(in crate::api) fn read(
    context: &Context,
    params: ThreadReadParams,
    reply: Reply<ThreadReadParams>,
) {
    let (engine, client) = (context.engine.clone(), context.client.clone());
    context.spawn(reply, async move {
        let id = thread_id(&params.thread_id)?;
        let snapshot = engine.snapshot(id).await.map_err(|error| of_engine(&error))?;
        let mut thread = thread::of(&snapshot);
        if params.include_turns {
            if snapshot.ephemeral {
                return Err(Refusal::Ephemeral("includeTurns").into());
            }
            thread.turns = all_turns(&engine, id).await?;
            deprecated(&client, "omit `includeTurns` or set it to `false`, then");
        }
        Ok(ThreadReadResponse { thread, read_state: thread::read_state_of(&snapshot) })
    });
}

/// Tells a client that reading everything at once is on its way out.
pub(super) fn deprecated(client: &Client, instead: &str) {
    let notice = DeprecationNoticeNotification {
        summary: format!(
            "Full-history hydration is deprecated for paginated threads; {instead} page with \
             `thread/turns/list` and `thread/items/list`."
        ),
        details: None,
    };
    client.tell(&ServerNotification::DeprecationNotice(Box::new(notice)));
}

/// All turns with all items, the first one first.
pub(super) async fn all_turns(engine: &ThreadManager, id: ThreadId) -> Result<Vec<Turn>, RpcError> {
    let page = turns_page(engine, id, TurnsQuery::default()).await?;
    Ok(page.data.iter().map(turn::of).collect())
}

/// A page of turns; empty for a loaded thread of which nothing is stored yet.
pub(super) async fn turns_page(
    engine: &ThreadManager,
    id: ThreadId,
    query: TurnsQuery,
) -> Result<TurnsPage, RpcError> {
    match engine.turns(id, query).await {
        Ok(page) => Ok(page),
        Err(Error::NotLoaded(_)) if engine.snapshot(id).await.is_ok() => {
            Ok(TurnsPage { data: Vec::new(), next_cursor: None, backwards_cursor: None })
        }
        Err(error) => Err(of_engine(&error)),
    }
}

/// A page of items; empty for a loaded thread of which nothing is stored yet.
pub(super) async fn items_page(
    engine: &ThreadManager,
    id: ThreadId,
    query: ItemsQuery,
) -> Result<ItemsPage, RpcError> {
    match engine.items(id, query).await {
        Ok(page) => Ok(page),
        Err(Error::NotLoaded(_)) if engine.snapshot(id).await.is_ok() => {
            Ok(ItemsPage { data: Vec::new(), next_cursor: None, backwards_cursor: None })
        }
        Err(error) => Err(of_engine(&error)),
    }
}

/// A page of a thread's turns.
pub(in crate::api) fn turns(
    context: &Context,
    params: ThreadTurnsListParams,
    reply: Reply<ThreadTurnsListParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let id = thread_id(&params.thread_id)?;
        let query = TurnsQuery {
            cursor: params.cursor.map(Into::into),
            limit: params.limit.unwrap_or(PAGE) as usize,
            direction: direction(params.sort_direction, Direction::Descending),
            view: view(params.items_view, ItemsView::Summary),
        };
        let page = turns_page(&engine, id, query).await?;
        Ok(ThreadTurnsListResponse {
            data: page.data.iter().map(turn::of).collect(),
            next_cursor: page.next_cursor.map(Into::into),
            backwards_cursor: page.backwards_cursor.map(Into::into),
        })
    });
}

/// How many items a client wants of each turn.
pub(super) fn view(asked: Option<TurnItemsView>, usual: ItemsView) -> ItemsView {
    match asked {
        None => usual,
        Some(TurnItemsView::NotLoaded) => ItemsView::NotLoaded,
        Some(TurnItemsView::Summary) => ItemsView::Summary,
        Some(TurnItemsView::Full) => ItemsView::Full,
    }
}

/// A page of a thread's items.
pub(in crate::api) fn items(
    context: &Context,
    params: ThreadItemsListParams,
    reply: Reply<ThreadItemsListParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let id = thread_id(&params.thread_id)?;
        let cursor = match params.cursor {
            None => None,
            Some(ThreadItemsListCursor::Text(text)) => Some(text.into()),
            Some(ThreadItemsListCursor::Anchor(_)) => {
                let (method, field) = ("thread/items/list", "cursor.itemId");
                return Err(Refusal::AbsentParam { method, field }.into());
            }
        };
        let query = ItemsQuery {
            turn: params.turn_id.map(TurnId::new),
            cursor,
            limit: params.limit.unwrap_or(PAGE) as usize,
            direction: direction(params.sort_direction, Direction::Ascending),
        };
        let page = items_page(&engine, id, query).await?;
        Ok(ThreadItemsListResponse {
            data: page.data.iter().filter_map(|(turn, item)| entry(turn, item)).collect(),
            next_cursor: page.next_cursor.map(Into::into),
            backwards_cursor: page.backwards_cursor.map(Into::into),
        })
    });
}

pub(super) fn entry(turn: &TurnId, timed: &TimedItem) -> Option<ThreadItemEntry> {
    Some(ThreadItemEntry {
        turn_id: turn.to_string(),
        item: item::of(timed)?,
        started_at_ms: timed.started_at_ms,
        completed_at_ms: timed.completed_at_ms,
        output_deferred: false,
    })
}

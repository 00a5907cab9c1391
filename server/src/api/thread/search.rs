//! `thread/search` in its forms, and `thread/searchOccurrences`.

use spindle_engine::store::{Direction, ListQuery, Occurrence, SortKey};
use spindle_engine::threads::FoundThread;
use spindle_schema::ids::RequestId;
use spindle_schema::methods::{Request, ServerNotification};
use spindle_schema::v2::{
    ThreadSearchCancelParams, ThreadSearchCancelResponse, ThreadSearchOccurrence,
    ThreadSearchOccurrencesParams, ThreadSearchOccurrencesResponse, ThreadSearchParams,
    ThreadSearchPartialNotification, ThreadSearchResponse, ThreadSearchResult, ThreadSearchSortKey,
    ThreadSearchTextRange,
};

use super::super::context::{Context, thread_id};
use super::super::convert::thread;
use super::super::errors::{Refusal, of_engine};
use super::list::{direction, listed, source};
use crate::rpc::{Reply, RpcError};

/// How many threads or places a page holds when the client does not say.
const PAGE: u32 = 25;

/// Whether a client hears what is found while a search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::api) enum Told {
    /// All at once, with the answer.
    AtOnce,
    /// As it is found, and all again with the answer.
    ByAndBy,
}

/// Searches what was said in threads.
pub(in crate::api) fn search<R>(
    context: &Context,
    params: ThreadSearchParams,
    told: Told,
    reply: Reply<R>,
) where
    R: Request<Result = ThreadSearchResponse> + 'static,
{
    let (engine, client) = (context.engine.clone(), context.client.clone());
    let request_id = reply.id().cloned().unwrap_or(RequestId::Integer(0));
    context.spawn(reply, async move {
        if params.search_term.is_empty() {
            return Err(Refusal::NoSearchTerm(R::METHOD).into());
        }
        let by = (client.id, word(&request_id));
        let tell = |found: Vec<FoundThread>| {
            let data = found.iter().map(result).collect();
            let request_id = request_id.clone();
            let params = ThreadSearchPartialNotification { data, request_id };
            client.tell(&ServerNotification::ThreadSearchPartial(Box::new(params)));
        };
        let partial: Option<&(dyn Fn(_) + Send + Sync)> = match told {
            Told::AtOnce => None,
            Told::ByAndBy => Some(&tell),
        };
        let term = params.search_term.as_str().into();
        let page = engine.search(by, term, query(params), partial).await;
        let page = page.map_err(|error| of_engine(&error))?;
        Ok(ThreadSearchResponse {
            data: page.data.iter().map(result).collect(),
            next_cursor: page.next_cursor.map(Into::into),
            backwards_cursor: page.backwards_cursor.map(Into::into),
        })
    });
}

fn query(params: ThreadSearchParams) -> ListQuery {
    ListQuery {
        sort: match params.sort_key {
            None | Some(ThreadSearchSortKey::CreatedAt) => SortKey::CreatedAt,
            Some(ThreadSearchSortKey::UpdatedAt) => SortKey::UpdatedAt,
            Some(ThreadSearchSortKey::RecencyAt) => SortKey::RecencyAt,
        },
        direction: direction(params.sort_direction, Direction::Descending),
        cursor: params.cursor.map(Into::into),
        limit: params.limit.unwrap_or(PAGE) as usize,
        archived: params.archived.unwrap_or_default(),
        sources: params.source_kinds.unwrap_or_default().into_iter().map(source).collect(),
        ..ListQuery::default()
    }
}

fn result(found: &FoundThread) -> ThreadSearchResult {
    let thread = listed(thread::of(&found.thread));
    ThreadSearchResult { thread, snippet: found.snippet.text.to_string() }
}

/// Gives a search of this client up.
pub(in crate::api) fn cancel(
    context: &Context,
    params: &ThreadSearchCancelParams,
) -> ThreadSearchCancelResponse {
    context.engine.cancel_search(context.client.id, &word(&params.request_id));
    ThreadSearchCancelResponse {}
}

/// Numbers and texts are different ids.
fn word(id: &RequestId) -> Box<str> {
    format!("{id:?}").into()
}

/// The places in a thread at which a text was said.
pub(in crate::api) fn occurrences(
    context: &Context,
    params: ThreadSearchOccurrencesParams,
    reply: Reply<ThreadSearchOccurrencesParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        if params.search_term.is_empty() {
            return Err(Refusal::NoSearchTerm(ThreadSearchOccurrencesParams::METHOD).into());
        }
        let id = thread_id(&params.thread_id)?;
        let limit = params.limit.unwrap_or(PAGE) as usize;
        let cursor = params.cursor.map(Into::into);
        let page = engine.occurrences(id, params.search_term.into(), cursor, limit).await;
        let page = page.map_err(|error| of_engine(&error))?;
        Ok::<_, RpcError>(ThreadSearchOccurrencesResponse {
            data: page.items.into_iter().map(occurrence).collect(),
            next_cursor: page.next.map(Into::into),
        })
    });
}

fn occurrence(found: Occurrence) -> ThreadSearchOccurrence {
    let range = found.snippet.range;
    ThreadSearchOccurrence {
        turn_id: found.turn_id.to_string(),
        item_id: found.item_id.into(),
        snippet: found.snippet.text.into(),
        snippet_match_range: ThreadSearchTextRange { start: range.start, end: range.end },
        turn_cursor: found.turn_cursor.into(),
    }
}

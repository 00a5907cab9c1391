//! `thread/list` and `thread/loaded/list`.

use std::collections::BTreeMap;

use spindle_engine::store::{Direction, ListQuery, SortKey, SourceKind};
use spindle_schema::event::ThreadSnapshot;
use spindle_schema::ids::ThreadId;
use spindle_schema::v2::{
    SortDirection, Thread, ThreadListCwdFilter, ThreadListParams, ThreadListResponse,
    ThreadLoadedListParams, ThreadLoadedListResponse, ThreadReadState, ThreadSortKey,
    ThreadSourceKind,
};

use super::super::context::{Context, thread_id};
use super::super::convert::thread;
use super::super::errors::{Refusal, of_engine};
use crate::rpc::{Reply, RpcError};

/// How many threads a page holds when the client does not say.
const PAGE: u32 = 25;

/// A page of stored threads.
pub(in crate::api) fn list(
    context: &Context,
    params: ThreadListParams,
    reply: Reply<ThreadListParams>,
) {
    let query = match query(params) {
        Ok(query) => query,
        Err(error) => return reply.err(&error),
    };
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let page = engine.list(query).await.map_err(|error| of_engine(&error))?;
        Ok(ThreadListResponse {
            data: page.data.iter().map(|snapshot| listed(thread::of(snapshot))).collect(),
            read_states: Some(read_states(&page.data)),
            next_cursor: page.next_cursor.map(Into::into),
            backwards_cursor: page.backwards_cursor.map(Into::into),
        })
    });
}

fn read_states(threads: &[ThreadSnapshot]) -> BTreeMap<String, ThreadReadState> {
    let of =
        |thread: &ThreadSnapshot| Some((thread.id.to_string(), thread::read_state_of(thread)?));
    threads.iter().filter_map(of).collect()
}

/// Lists do not say whether a thread takes input.
pub(super) fn listed(thread: Thread) -> Thread {
    Thread { can_accept_direct_input: None, ..thread }
}

fn query(params: ThreadListParams) -> Result<ListQuery, RpcError> {
    let one = |id: Option<String>| id.as_deref().map(thread_id).transpose();
    let many = |ids: Vec<String>, what| {
        let read = |id: &String| {
            ThreadId::parse(id).map_err(|invalid| Refusal::ListedThreadId(what, &invalid).into())
        };
        ids.iter().map(read).collect::<Result<Vec<_>, RpcError>>()
    };
    if params.originators.is_some() {
        return Err(Refusal::Originators.into());
    }
    if params.attached_to_thread_id.is_some() {
        let (method, field) = ("thread/list", "attachedToThreadId");
        return Err(Refusal::AbsentParam { method, field }.into());
    }
    let usual = match params.sort_key {
        Some(ThreadSortKey::SectionPosition) => Direction::Ascending,
        _ => Direction::Descending,
    };
    Ok(ListQuery {
        sort: match params.sort_key {
            None | Some(ThreadSortKey::CreatedAt) => SortKey::CreatedAt,
            Some(ThreadSortKey::SectionPosition) => SortKey::SectionPosition,
            Some(ThreadSortKey::UpdatedAt) => SortKey::UpdatedAt,
            Some(ThreadSortKey::RecencyAt) => SortKey::RecencyAt,
        },
        direction: direction(params.sort_direction, usual),
        cursor: params.cursor.map(Into::into),
        limit: params.limit.unwrap_or(PAGE) as usize,
        archived: params.archived.unwrap_or_default(),
        cwds: params.cwd.map(folders),
        model_providers: texts(params.model_providers.unwrap_or_default()),
        sources: params.source_kinds.unwrap_or_default().into_iter().map(source).collect(),
        search: params.search_term.map(Into::into),
        parent: one(params.parent_thread_id)?,
        ancestor: one(params.ancestor_thread_id)?,
        included: params.included_thread_ids.map(|ids| many(ids, "included")).transpose()?,
        excluded: many(params.excluded_thread_ids.unwrap_or_default(), "excluded")?,
        section: params.section_id.map(Into::into),
        project: params.project_id.map(Into::into),
        index_only: params.use_state_db_only,
    })
}

/// The order a client asks for.
pub(super) fn direction(asked: Option<SortDirection>, usual: Direction) -> Direction {
    match asked {
        None => usual,
        Some(SortDirection::Asc) => Direction::Ascending,
        Some(SortDirection::Desc) => Direction::Descending,
    }
}

fn folders(filter: ThreadListCwdFilter) -> Vec<Box<str>> {
    match filter {
        ThreadListCwdFilter::One(folder) => vec![folder.into()],
        ThreadListCwdFilter::Many(folders) => texts(folders),
    }
}

fn texts(texts: Vec<String>) -> Vec<Box<str>> {
    texts.into_iter().map(Into::into).collect()
}

pub(super) fn source(kind: ThreadSourceKind) -> SourceKind {
    match kind {
        ThreadSourceKind::Cli => SourceKind::Cli,
        ThreadSourceKind::Vscode => SourceKind::Vscode,
        ThreadSourceKind::Exec => SourceKind::Exec,
        ThreadSourceKind::AppServer => SourceKind::AppServer,
        ThreadSourceKind::SubAgent => SourceKind::SubAgent,
        ThreadSourceKind::SubAgentReview => SourceKind::SubAgentReview,
        ThreadSourceKind::SubAgentCompact => SourceKind::SubAgentCompact,
        ThreadSourceKind::SubAgentThreadSpawn => SourceKind::SubAgentThreadSpawn,
        ThreadSourceKind::SubAgentOther => SourceKind::SubAgentOther,
        ThreadSourceKind::Unknown => SourceKind::Unknown,
    }
}

/// The ids of the loaded threads. The cursor is the last one of the page before.
pub(in crate::api) fn loaded(
    context: &Context,
    params: &ThreadLoadedListParams,
) -> Result<ThreadLoadedListResponse, RpcError> {
    page_of_ids(&context.engine.loaded(), params)
}

fn page_of_ids(
    ids: &[ThreadId],
    params: &ThreadLoadedListParams,
) -> Result<ThreadLoadedListResponse, RpcError> {
    let start = match params.cursor.as_deref() {
        None => 0,
        Some(cursor) => {
            let last = ThreadId::parse(cursor).map_err(|_| Refusal::Cursor(cursor))?;
            ids.partition_point(|id| *id <= last)
        }
    };
    let rest = &ids[start..];
    let limit = params.limit.map_or(rest.len(), |limit| limit.max(1) as usize);
    let page = &rest[..limit.min(rest.len())];
    let next = page.last().filter(|_| page.len() < rest.len());
    Ok(ThreadLoadedListResponse {
        data: page.iter().map(ThreadId::to_string).collect(),
        next_cursor: next.map(ThreadId::to_string),
    })
}

#[cfg(test)]
mod tests;

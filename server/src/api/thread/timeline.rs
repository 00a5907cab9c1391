//! `thread/timeline/list`, `thread/items/read` and `getConversationSummary`.

use std::path::Path;

use spindle_engine::store::{TimelineEntry, TimelineEvent};
use spindle_schema::ids::TurnId;
use spindle_schema::v2::{
    ConversationGitInfo, ConversationSummary, GetConversationSummaryParams,
    GetConversationSummaryResponse, ThreadItemsReadParams, ThreadItemsReadResponse,
    ThreadTimelineEntry, ThreadTimelineEntryItem, ThreadTimelineEntryTurnCompleted,
    ThreadTimelineListParams, ThreadTimelineListResponse,
};

use super::super::context::{Context, thread_id};
use super::super::convert::{item, thread, turn};
use super::super::errors::{Refusal, of_engine};
use super::read::entry;
use crate::rpc::{Reply, RpcError};

/// How many entries a page holds when the client does not say.
const PAGE: u32 = 100;
/// How many items can be read at once.
const MOST_ITEMS: usize = 100;

/// A page of what happened in a thread.
pub(in crate::api) fn list(
    context: &Context,
    params: ThreadTimelineListParams,
    reply: Reply<ThreadTimelineListParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let id = thread_id(&params.thread_id)?;
        let limit = params.limit.unwrap_or(PAGE) as usize;
        let page = engine.timeline(id, params.cursor.map(Into::into), limit).await;
        let page = page.map_err(|error| of_engine(&error))?;
        Ok(ThreadTimelineListResponse {
            data: page.items.iter().filter_map(timeline_entry).collect(),
            next_cursor: page.next.map(Into::into),
            active_realtime_session_at_page_start: None,
        })
    });
}

fn timeline_entry(entry: &TimelineEntry) -> Option<ThreadTimelineEntry> {
    let position = entry.position;
    Some(match &entry.event {
        TimelineEvent::TurnStarted(started) => ThreadTimelineEntry::TurnStarted {
            position,
            turn_id: started.id.to_string(),
            started_at: started.started_at,
        },
        TimelineEvent::Item(turn, timed) => {
            let item = item::of(timed)?;
            let turn_id = turn.to_string();
            ThreadTimelineEntry::Item(Box::new(ThreadTimelineEntryItem { position, turn_id, item }))
        }
        TimelineEvent::TurnCompleted(completed) => {
            let told = turn::of(completed);
            ThreadTimelineEntry::TurnCompleted(Box::new(ThreadTimelineEntryTurnCompleted {
                position,
                turn_id: told.id,
                status: told.status,
                error: told.error,
                started_at: told.started_at,
                completed_at: told.completed_at,
                duration_ms: told.duration_ms,
            }))
        }
    })
}

/// Some items of a turn, whole.
pub(in crate::api) fn read_items(
    context: &Context,
    params: ThreadItemsReadParams,
    reply: Reply<ThreadItemsReadParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        if params.item_ids.is_empty() || params.item_ids.len() > MOST_ITEMS {
            return Err(Refusal::ItemCount(MOST_ITEMS).into());
        }
        let id = thread_id(&params.thread_id)?;
        let turn = TurnId::new(params.turn_id);
        let items = engine.items_of(id, turn, &params.item_ids).await;
        let items = items.map_err(|error| of_engine(&error))?;
        let data = items.iter().filter_map(|(turn, item)| entry(turn, item)).collect();
        Ok(ThreadItemsReadResponse { data })
    });
}

/// A stored thread as the older API shows it.
pub(in crate::api) fn summary(
    context: &Context,
    params: GetConversationSummaryParams,
    reply: Reply<GetConversationSummaryParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let store = engine.store();
        let failed = |error: spindle_engine::store::Error| of_engine(&error.into());
        let row = match (params.conversation_id, params.rollout_path) {
            (Some(id), _) => {
                let id = thread_id(&id)?;
                let row = store.row(id).await.map_err(failed)?;
                row.ok_or_else(|| of_engine(&spindle_engine::Error::NoRollout(id)))?
            }
            (None, Some(path)) => {
                let path = engine.home().join(path);
                let row = store.row_of_path(&path).await.map_err(failed)?;
                row.ok_or_else(|| no_rollout(&path))?
            }
            (None, None) => return Err(Refusal::NoConversation.into()),
        };
        let git_info = row.git.as_ref().map(|git| ConversationGitInfo {
            sha: git.commit_hash.as_deref().map(Into::into),
            branch: git.branch.as_deref().map(Into::into),
            origin_url: git.repository_url.as_deref().map(Into::into),
        });
        let summary = ConversationSummary {
            conversation_id: row.id.to_string(),
            path: row.path.display().to_string(),
            preview: row.preview.as_deref().unwrap_or_default().into(),
            timestamp: Some(row.created().into()),
            updated_at: Some(row.updated().into()),
            model_provider: row.model_provider.map(Into::into).unwrap_or_default(),
            cwd: row.cwd.into(),
            cli_version: row.cli_version.into(),
            source: thread::source(&row.source),
            git_info,
        };
        Ok(GetConversationSummaryResponse { summary })
    });
}

fn no_rollout(path: &Path) -> RpcError {
    of_engine(&spindle_engine::Invalid::Path(path.display().to_string()).into())
}

//! `thread/readState/update`, `thread/metadata/update` and `thread/memoryMode/set`.

use spindle_engine::store::ThreadUpdate;
use spindle_schema::ids::ThreadId;
use spindle_schema::maybe::Maybe;
use spindle_schema::note::ReadMark;
use spindle_schema::rollout::GitInfo;
use spindle_schema::v2::{
    ThreadMemoryMode, ThreadMemoryModeSetParams, ThreadMemoryModeSetResponse,
    ThreadMetadataGitInfoUpdateParams, ThreadMetadataUpdateParams, ThreadMetadataUpdateResponse,
    ThreadReadStateOperation, ThreadReadStateUpdateParams, ThreadReadStateUpdateResponse,
};

use super::super::context::{Context, thread_id};
use super::super::convert::thread;
use super::super::errors::{Refusal, of_engine, without_project};
use super::list::listed;
use crate::rpc::{Reply, RpcError};

/// Marks a thread read or unread.
pub(in crate::api) fn update_read_state(
    context: &Context,
    params: ThreadReadStateUpdateParams,
    reply: Reply<ThreadReadStateUpdateParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let id = thread_id(&params.thread_id)?;
        let mark = match params.operation {
            ThreadReadStateOperation::Read => ReadMark::Read,
            ThreadReadStateOperation::Unread => ReadMark::Unread,
        };
        let marked = engine.mark(id, params.expected_revision.into(), mark).await;
        let read_state = thread::read_state(&marked.map_err(|error| of_engine(&error))?);
        Ok(ThreadReadStateUpdateResponse { read_state })
    });
}

/// Changes what is noted about a thread.
pub(in crate::api) fn update_metadata(
    context: &Context,
    params: ThreadMetadataUpdateParams,
    reply: Reply<ThreadMetadataUpdateParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let (id, update) = parse(params)?;
        let updated = engine.update_thread(id, update).await;
        let snapshot = updated.map_err(|error| without_project(&error))?;
        Ok(ThreadMetadataUpdateResponse { thread: listed(thread::of(&snapshot)) })
    });
}

fn parse(params: ThreadMetadataUpdateParams) -> Result<(ThreadId, ThreadUpdate), RpcError> {
    let id = thread_id(&params.thread_id)?;
    let update = ThreadUpdate {
        project: params.project_id.into_update().map(|project| project.map(Into::into)),
        git: params.git_info.map(git).transpose()?,
        daybreak: params.daybreak_enabled,
    };
    if update.project.is_none() && update.git.is_none() && update.daybreak.is_none() {
        return Err(Refusal::NothingToUpdate("thread metadata update").into());
    }
    Ok((id, update))
}

/// Git facts as they are noted: an empty text clears.
fn git(update: ThreadMetadataGitInfoUpdateParams) -> Result<GitInfo, RpcError> {
    let word = |value: Maybe<String>, name: &'static str| match value {
        Maybe::Absent => Ok(None),
        Maybe::Null => Ok(Some(Box::default())),
        Maybe::Value(text) => match text.trim() {
            "" => Err(RpcError::from(Refusal::EmptyMember(name))),
            text => Ok(Some(text.into())),
        },
    };
    let git = GitInfo {
        commit_hash: word(update.sha, "gitInfo.sha")?,
        branch: word(update.branch, "gitInfo.branch")?,
        repository_url: word(update.origin_url, "gitInfo.originUrl")?,
    };
    if git.commit_hash.is_none() && git.branch.is_none() && git.repository_url.is_none() {
        return Err(Refusal::NothingToUpdate("gitInfo").into());
    }
    Ok(git)
}

/// Says whether a thread may be remembered and may use what is remembered.
pub(in crate::api) fn set_memory_mode(
    context: &Context,
    params: ThreadMemoryModeSetParams,
    reply: Reply<ThreadMemoryModeSetParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let id = thread_id(&params.thread_id)?;
        let enabled = params.mode == ThreadMemoryMode::Enabled;
        engine.set_memory(id, enabled).await.map_err(|error| of_engine(&error))?;
        Ok(ThreadMemoryModeSetResponse {})
    });
}

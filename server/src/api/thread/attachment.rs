//! What is attached to threads: `thread/attachment/…` and `thread/attachmentOwner/list`.

use spindle_engine::store::NewAttachment;
use spindle_engine::{Answer, Error};
use spindle_schema::ids::ThreadId;
use spindle_schema::note::Attachment;
use spindle_schema::v2::{
    ThreadAttachment, ThreadAttachmentAddOutcome, ThreadAttachmentAddParams,
    ThreadAttachmentAddResponse, ThreadAttachmentListParams, ThreadAttachmentListResponse,
    ThreadAttachmentOwner, ThreadAttachmentOwnerListParams, ThreadAttachmentOwnerListResponse,
    ThreadAttachmentRemoveParams, ThreadAttachmentRemoveResponse,
};

use super::super::context::{Context, answering, thread_id};
use super::super::errors::{Refusal, of_engine};
use super::super::page::page_after;
use crate::rpc::{Reply, RpcError};

/// How many entries a page holds when the client does not say.
const PAGE: u32 = 100;

/// Attaches something to a thread.
pub(in crate::api) fn add(
    context: &Context,
    params: ThreadAttachmentAddParams,
    reply: Reply<ThreadAttachmentAddParams>,
) {
    let id = match named(&params.thread_id, &params.attachment_type, &params.identity_key) {
        Ok(id) => id,
        Err(error) => return reply.err(&error),
    };
    let answer = Answer::new(move |added: Result<(Attachment, bool), Error>| match added {
        Ok((attachment, is_new)) => reply.ok(&ThreadAttachmentAddResponse {
            outcome: if is_new {
                ThreadAttachmentAddOutcome::Created
            } else {
                ThreadAttachmentAddOutcome::Existing
            },
            attachment: attachment_of(attachment),
        }),
        Err(Error::ThreadNotFound(id)) => reply.err(&Refusal::NoThread(id).into()),
        Err(error) => reply.err(&of_engine(&error)),
    });
    let new = NewAttachment {
        kind: params.attachment_type.into(),
        key: params.identity_key.into(),
        payload: params.payload,
    };
    context.engine.attach(id, new, answer);
}

/// Takes something off a thread.
pub(in crate::api) fn remove(
    context: &Context,
    params: ThreadAttachmentRemoveParams,
    reply: Reply<ThreadAttachmentRemoveParams>,
) {
    match named(&params.thread_id, &params.attachment_type, &params.identity_key) {
        Ok(id) => {
            let answer = answering(reply, |()| ThreadAttachmentRemoveResponse {});
            let (kind, key) = (params.attachment_type.into(), params.identity_key.into());
            context.engine.detach(id, kind, key, answer);
        }
        Err(error) => reply.err(&error),
    }
}

fn named(thread: &str, kind: &str, key: &str) -> Result<ThreadId, RpcError> {
    for (word, name) in [(kind, "attachmentType"), (key, "identityKey")] {
        if word.trim().is_empty() {
            return Err(Refusal::Empty(name).into());
        }
    }
    thread_id(thread)
}

/// What is attached to a thread. Cursors have the shape `<thread>|<Unix milliseconds>|<id>`.
pub(in crate::api) fn list(
    context: &Context,
    params: ThreadAttachmentListParams,
    reply: Reply<ThreadAttachmentListParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let id = thread_id(&params.thread_id)?;
        let from = match params.cursor.as_deref() {
            None => None,
            Some(cursor) => Some(parse(cursor, id).ok_or(Refusal::NotesCursor(cursor))?),
        };
        let all = engine.store().attachments(id).await;
        let all = all.map_err(|error| of_engine(&error.into()))?;
        let place = |it: &Attachment| (it.created_at_ms, it.id.to_string());
        let (page, next_cursor) = page_after(
            all,
            |it| from.as_ref().is_none_or(|from| place(it) > *from),
            Some(params.limit.unwrap_or(PAGE)),
            |it| format!("{id}|{}|{}", it.created_at_ms, it.id),
        );
        let data = page.into_iter().map(attachment_of).collect();
        Ok(ThreadAttachmentListResponse { data, next_cursor })
    });
}

fn parse(cursor: &str, of: ThreadId) -> Option<(i64, String)> {
    let (thread, place) = cursor.split_once('|')?;
    let (at, id) = place.split_once('|')?;
    (thread == of.to_string()).then_some(())?;
    Some((at.parse().ok()?, id.to_owned()))
}

/// The threads to which something is attached. The cursor is the last one of the page before.
pub(in crate::api) fn owners(
    context: &Context,
    params: ThreadAttachmentOwnerListParams,
    reply: Reply<ThreadAttachmentOwnerListParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let from = match params.cursor.as_deref() {
            None => None,
            Some(cursor) => {
                let last = ThreadId::parse(cursor).map_err(|_| Refusal::NotesCursor(cursor))?;
                Some(last)
            }
        };
        let (kind, key) = (params.attachment_type.into(), params.identity_key.into());
        let owners = engine.store().attached_to(kind, key).await;
        let owners = owners.map_err(|error| of_engine(&error.into()))?;
        let (page, next_cursor) = page_after(
            owners,
            |(id, archived)| {
                from.is_none_or(|from| *id > from)
                    && params.archived.is_none_or(|wanted| *archived == wanted)
            },
            Some(params.limit.unwrap_or(PAGE)),
            |(id, _)| id.to_string(),
        );
        let owner = |(id, archived): (ThreadId, bool)| ThreadAttachmentOwner {
            thread_id: id.to_string(),
            archived,
        };
        let data = page.into_iter().map(owner).collect();
        Ok(ThreadAttachmentOwnerListResponse { data, next_cursor })
    });
}

fn attachment_of(attachment: Attachment) -> ThreadAttachment {
    ThreadAttachment {
        id: attachment.id.into(),
        attachment_type: attachment.kind.into(),
        identity_key: attachment.key.into(),
        payload: attachment.payload,
        created_at: attachment.created_at_ms / 1000,
    }
}

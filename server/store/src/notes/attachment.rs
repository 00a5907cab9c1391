//! What is attached to threads.

use serde_json::Value;
use spindle_schema::ids::ThreadId;
use spindle_schema::note::Attachment;
use uuid::Uuid;

use super::book::{Thread, thread_key};
use crate::error::Error;
use crate::store::Store;

/// Something to be attached to a thread.
#[derive(Debug, Clone)]
pub struct NewAttachment {
    /// The client's word for its kind.
    pub kind: Box<str>,
    /// What makes it one and the same within its kind.
    pub key: Box<str>,
    /// What the client keeps with it.
    pub payload: Value,
}

impl Store {
    /// Attaches something to a thread; tells whether it is new. What is attached already stays as
    /// it is.
    ///
    /// # Errors
    /// [`Error::NoThread`], and those of writing.
    pub async fn attach(
        &self,
        thread: ThreadId,
        new: NewAttachment,
    ) -> Result<(Attachment, bool), Error> {
        let NewAttachment { kind, key, payload } = new;
        self.blocking(move |shared| shared.locate(thread)).await?;
        self.note(move |book, lines| {
            let known = book.thread(thread).and_then(|noted| find(noted, &kind, &key));
            if let Some(known) = known {
                return Ok((known.clone(), false));
            }
            let id = Uuid::now_v7().to_string().into();
            let attachment = Attachment { id, kind, key, payload, created_at_ms: lines.now_ms() };
            let of = thread_key(thread, &format!("attachment/{}", attachment.id));
            lines.put(&of, Some(&attachment))?;
            Ok((attachment, true))
        })
        .await
    }

    /// Takes something off a thread; gives it if it was there.
    ///
    /// # Errors
    /// Those of writing.
    pub async fn detach(
        &self,
        thread: ThreadId,
        kind: Box<str>,
        key: Box<str>,
    ) -> Result<Option<Attachment>, Error> {
        self.note(move |book, lines| {
            let known = book.thread(thread).and_then(|noted| find(noted, &kind, &key)).cloned();
            if let Some(known) = &known {
                let of = thread_key(thread, &format!("attachment/{}", known.id));
                lines.put(&of, None::<&Attachment>)?;
            }
            Ok(known)
        })
        .await
    }

    /// What is attached to a thread, in the order in which it came.
    pub async fn attachments(&self, thread: ThreadId) -> Result<Vec<Attachment>, Error> {
        self.noted(move |book| {
            let noted = book.thread(thread);
            noted.map(|noted| noted.attachments.values().cloned().collect()).unwrap_or_default()
        })
        .await
    }

    /// The threads to which something is attached, and whether each is archived; sorted.
    pub async fn attached_to(
        &self,
        kind: Box<str>,
        key: Box<str>,
    ) -> Result<Vec<(ThreadId, bool)>, Error> {
        let owners = self.noted(move |book| {
            let has = |noted: &Thread| find(noted, &kind, &key).is_some();
            let mut owners: Vec<_> =
                book.threads().filter(|(_, noted)| has(noted)).map(|(id, _)| id).collect();
            owners.sort_unstable();
            owners
        });
        let owners = owners.await?;
        self.blocking(move |shared| {
            let there = |id: ThreadId| {
                let path = shared.locate(id).ok()?;
                Some((id, crate::index::row::is_archived(&path)))
            };
            Ok(owners.into_iter().filter_map(there).collect())
        })
        .await
    }
}

fn find<'a>(noted: &'a Thread, kind: &str, key: &str) -> Option<&'a Attachment> {
    noted.attachments.values().find(|known| &*known.kind == kind && &*known.key == key)
}

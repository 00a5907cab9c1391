//! What people note about threads: asks the store, and tells everybody.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, ThreadSnapshot};
use spindle_schema::ids::ThreadId;
use spindle_schema::note::{Attachment, AttachmentChange, ReadMark, ReadState, ThreadNotes};
use spindle_store::{NewAttachment, ThreadUpdate};

use super::catalog::missing;
use super::manager::ThreadManager;
use crate::session::Submission;
use crate::{Answer, Error, Invalid};

impl ThreadManager {
    /// Marks a thread read or unread. Everybody is told before the answer.
    pub async fn mark(
        &self,
        thread: ThreadId,
        expected: Box<str>,
        mark: ReadMark,
    ) -> Result<ReadState, Error> {
        let marked = self.store().mark(thread, expected, mark).await;
        let state = marked.map_err(|error| missing(error, thread))?;
        self.say(thread, EventMsg::ReadStateChanged(state.clone()));
        Ok(state)
    }

    /// Changes what is noted about a thread. Where it belongs to another project then, everybody
    /// is told before the answer.
    pub async fn update_thread(
        &self,
        thread: ThreadId,
        update: ThreadUpdate,
    ) -> Result<Arc<ThreadSnapshot>, Error> {
        if let Ok(look) = self.look(thread).await
            && look.thread.ephemeral
        {
            return Err(Invalid::EphemeralMetadata(thread).into());
        }
        let project = update.project.clone();
        let before = self.store().notes(thread).await?.project;
        let updated = self.store().update_thread(thread, update).await;
        let notes = updated.map_err(|error| missing(error, thread))?;
        self.tell_session(thread, notes, None);
        if let Some(project) = project.filter(|project| *project != before) {
            self.say(thread, EventMsg::ProjectChanged(project));
        }
        self.snapshot(thread).await
    }

    /// Says whether a thread may be remembered and may use what is remembered.
    pub async fn set_memory(&self, thread: ThreadId, enabled: bool) -> Result<(), Error> {
        let set = self.store().set_memory(thread, enabled).await;
        set.map_err(|error| missing(error, thread))
    }

    /// Puts a thread into a section, before another one or at the end; or out of any.
    pub fn place(
        &self,
        thread: ThreadId,
        section: Option<Box<str>>,
        before: Option<ThreadId>,
        answer: Answer<()>,
    ) {
        self.manage(thread, answer, move |manager| async move {
            let placed = manager.store().place(thread, section.clone(), before).await;
            let notes = placed.map_err(|error| unknown(error, thread))?;
            let event = EventMsg::SectionChanged(section);
            Ok(((), move |manager: Self| manager.tell_session(thread, notes, Some(event))))
        });
    }

    /// Attaches something to a thread; tells whether it is new.
    pub fn attach(&self, thread: ThreadId, new: NewAttachment, answer: Answer<(Attachment, bool)>) {
        self.manage(thread, answer, move |manager| async move {
            let attached = manager.store().attach(thread, new).await;
            let (attachment, is_new) = attached.map_err(|error| unknown(error, thread))?;
            let change = change_of(&attachment, true);
            let after = move |manager: Self| {
                if is_new {
                    manager.say(thread, change);
                }
            };
            Ok(((attachment, is_new), after))
        });
    }

    /// Takes something off a thread. What is not there is no error.
    pub fn detach(&self, thread: ThreadId, kind: Box<str>, key: Box<str>, answer: Answer<()>) {
        self.manage(thread, answer, move |manager| async move {
            let gone = manager.store().detach(thread, kind, key).await?;
            let after = move |manager: Self| {
                if let Some(gone) = gone {
                    manager.say(thread, change_of(&gone, false));
                }
            };
            Ok(((), after))
        });
    }

    /// Tells everybody that threads belong to another project, or to none.
    pub async fn tell_of_project(
        &self,
        threads: &[ThreadId],
        project: Option<&str>,
    ) -> Result<(), Error> {
        for thread in threads {
            let notes = self.store().notes(*thread).await?;
            self.tell_session(*thread, notes, None);
            self.say(*thread, EventMsg::ProjectChanged(project.map(Into::into)));
        }
        Ok(())
    }

    /// Removes a section; its threads stand in none then.
    pub async fn delete_section(&self, id: Box<str>) -> Result<(), Error> {
        for thread in self.store().delete_section(id).await? {
            let notes = self.store().notes(thread).await?;
            self.tell_session(thread, notes, None);
        }
        Ok(())
    }

    /// Hands a session the notes about its thread, and an event to say; says the event itself for
    /// a thread without a session.
    fn tell_session(&self, thread: ThreadId, notes: ThreadNotes, event: Option<EventMsg>) {
        match (self.handle(thread), event) {
            (Some(handle), event) => {
                handle.submit(Submission::SetNotes(Box::new(notes), event));
            }
            (None, Some(event)) => self.say(thread, event),
            (None, None) => {}
        }
    }
}

fn change_of(attachment: &Attachment, is_new: bool) -> EventMsg {
    let Attachment { id, kind, key, .. } = attachment.clone();
    EventMsg::AttachmentChanged(Box::new(AttachmentChange { id, kind, key, is_new }))
}

/// What clients are told when they note something about a thread that is not there.
fn unknown(error: spindle_store::Error, thread: ThreadId) -> Error {
    match error {
        spindle_store::Error::NoThread(_) => Error::ThreadNotFound(thread),
        other => Error::Store(other),
    }
}

//! How far threads have been read.

use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::note::{ReadMark, ReadState, Unread};
use uuid::Uuid;

use super::book::thread_key;
use super::{Book, NoteError};
use crate::error::Error;
use crate::log::Log;
use crate::store::Store;

impl Log {
    /// A turn has ended that nobody has read yet.
    ///
    /// Order: returns when the note would survive the end of this process.
    ///
    /// # Errors
    /// Those of writing.
    pub async fn note_unread(&self, turn: TurnId) -> Result<ReadState, Error> {
        let thread = self.id();
        let store = Store { shared: std::sync::Arc::clone(self.shared()) };
        store
            .note(move |book, lines| {
                let known = known(book, thread);
                let first_unread = known.first_unread.or(Some(Unread::Turn { turn_id: turn }));
                let state = ReadState { revision: revision(), first_unread };
                lines.put(&thread_key(thread, "readState"), Some(&state))?;
                Ok(state)
            })
            .await
    }
}

impl Store {
    /// Marks a thread read or unread.
    ///
    /// # Errors
    /// [`NoteError::ReadStateChanged`] when the read state is not the one that the caller knows:
    /// nobody marks as read what they have not seen. [`Error::NoThread`], and those of writing.
    pub async fn mark(
        &self,
        thread: ThreadId,
        expected: Box<str>,
        mark: ReadMark,
    ) -> Result<ReadState, Error> {
        self.blocking(move |shared| shared.locate(thread)).await?;
        self.note(move |book, lines| {
            let known = known(book, thread);
            if known.revision != expected {
                return Err(NoteError::ReadStateChanged(known).into());
            }
            let first_unread = match mark {
                ReadMark::Read => None,
                ReadMark::Unread => Some(Unread::ThreadStart),
            };
            let state = ReadState { revision: revision(), first_unread };
            lines.put(&thread_key(thread, "readState"), Some(&state))?;
            Ok(state)
        })
        .await
    }
}

fn known(book: &Book, thread: ThreadId) -> ReadState {
    let noted = book.thread(thread).and_then(|noted| noted.read_state.clone());
    noted.unwrap_or_else(|| ReadState::initial(thread))
}

fn revision() -> Box<str> {
    Uuid::now_v7().to_string().into()
}

//! Sections, and which threads stand in them.

use spindle_schema::ids::ThreadId;
use spindle_schema::note::{Section, SectionLook, ThreadNotes};
use uuid::Uuid;

use super::book::{Place, between, fresh_ranks, thread_key};
use super::{Book, Lines, NoteError};
use crate::error::Error;
use crate::store::Store;

/// A change of a section.
#[derive(Debug, Clone)]
pub struct SectionUpdate {
    /// The section.
    pub id: Box<str>,
    /// Its new name.
    pub name: Box<str>,
    /// Its new look; `None` leaves it, `Some(None)` clears it.
    pub look: Option<Option<SectionLook>>,
}

impl Store {
    /// All sections: the one that is there from the start, then in the order in which they were
    /// made.
    pub async fn sections(&self) -> Result<Vec<Section>, Error> {
        self.noted(|book| book.sections.values().cloned().collect()).await
    }

    /// Makes a section. Two may have the same name.
    ///
    /// # Errors
    /// Those of writing.
    pub async fn create_section(
        &self,
        name: Box<str>,
        look: Option<SectionLook>,
    ) -> Result<Section, Error> {
        self.note(move |_, lines| {
            let id = Uuid::now_v7().to_string();
            let section = Section { id: id.as_str().into(), name, look };
            lines.put(&format!("section/{id}"), Some(&section))?;
            Ok(section)
        })
        .await
    }

    /// Gives a section another name or look.
    ///
    /// # Errors
    /// [`NoteError::NoSection`], and those of writing.
    pub async fn update_section(&self, update: SectionUpdate) -> Result<Section, Error> {
        self.note(move |book, lines| {
            let SectionUpdate { id, name, look } = update;
            let old = book.sections.get(&id).ok_or_else(|| NoteError::NoSection(id.clone()))?;
            let look = look.unwrap_or_else(|| old.look.clone());
            let section = Section { id, name, look };
            lines.put(&format!("section/{}", section.id), Some(&section))?;
            Ok(section)
        })
        .await
    }

    /// Removes a section; its threads stand in none then. Gives them.
    ///
    /// # Errors
    /// [`NoteError::NoSection`], and those of writing.
    pub async fn delete_section(&self, id: Box<str>) -> Result<Vec<ThreadId>, Error> {
        self.note(move |book, lines| {
            if !book.sections.contains_key(&id) {
                return Err(NoteError::NoSection(id).into());
            }
            let members: Vec<_> = book.members(&id).into_iter().map(|(_, thread)| thread).collect();
            for thread in &members {
                lines.put(&thread_key(*thread, "place"), None::<&Place>)?;
            }
            lines.put(&format!("section/{id}"), None::<&Section>)?;
            Ok(members)
        })
        .await
    }

    /// Puts a thread into a section, before another one or at the end; or out of any.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`NoteError::NoSection`], [`NoteError::NotInSection`], and those of
    /// writing.
    pub async fn place(
        &self,
        thread: ThreadId,
        section: Option<Box<str>>,
        before: Option<ThreadId>,
    ) -> Result<ThreadNotes, Error> {
        self.note_about(thread, move |book, lines| match section {
            None => lines.put(&thread_key(thread, "place"), None::<&Place>),
            Some(section) => put_into(book, lines, thread, section, before),
        })
        .await
    }
}

fn put_into(
    book: &Book,
    lines: &mut Lines,
    thread: ThreadId,
    section: Box<str>,
    before: Option<ThreadId>,
) -> Result<(), Error> {
    if !book.sections.contains_key(&section) {
        return Err(NoteError::NoSection(section).into());
    }
    let mut others = book.members(&section);
    others.retain(|(_, other)| *other != thread);
    let at = match before {
        None => others.len(),
        Some(before) => match others.iter().position(|(_, other)| *other == before) {
            Some(at) => at,
            None => return Err(NoteError::NotInSection { before, section }.into()),
        },
    };
    let known = book.thread(thread).and_then(|thread| thread.place.as_ref());
    let entered_at_ms = match known {
        Some(place) if place.section == section => place.entered_at_ms,
        _ => lines.now_ms(),
    };
    let earlier = at.checked_sub(1).map(|at| others[at].0);
    let later = others.get(at).map(|(rank, _)| *rank);
    if let Some(rank) = between(earlier, later) {
        let place = Place { section, entered_at_ms, rank };
        return lines.put(&thread_key(thread, "place"), Some(&place));
    }
    // No room between two neighbours: all get new ranks.
    let mut order: Vec<_> = others.into_iter().map(|(_, other)| other).collect();
    order.insert(at, thread);
    for (member, rank) in order.iter().zip(fresh_ranks(order.len())) {
        let known = book.thread(*member).and_then(|thread| thread.place.as_ref());
        let entered_at_ms = match known {
            Some(place) if *member != thread => place.entered_at_ms,
            _ => entered_at_ms,
        };
        let place = Place { section: section.clone(), entered_at_ms, rank };
        lines.put(&thread_key(*member, "place"), Some(&place))?;
    }
    Ok(())
}

//! Sections: `threadSection/…` and `thread/section/move`.

use spindle_engine::store::SectionUpdate;
use spindle_schema::note::SectionLook;
use spindle_schema::v2::{
    ThreadSectionAppearance, ThreadSectionCreateParams, ThreadSectionCreateResponse,
    ThreadSectionDeleteParams, ThreadSectionDeleteResponse, ThreadSectionListParams,
    ThreadSectionListResponse, ThreadSectionMoveParams, ThreadSectionMoveResponse,
    ThreadSectionUpdateParams, ThreadSectionUpdateResponse,
};

use super::super::context::{Context, answering, thread_id};
use super::super::convert::thread::section;
use super::super::errors::{Refusal, of_section};
use super::super::page::page_after;
use crate::rpc::{Reply, RpcError};

/// All sections, page by page. The cursor is the last one of the page before.
pub(in crate::api) fn list(
    context: &Context,
    params: ThreadSectionListParams,
    reply: Reply<ThreadSectionListParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let sections = engine.store().sections().await;
        let sections = sections.map_err(|error| of_section(&error.into()))?;
        let cursor = params.cursor.as_deref();
        let is_behind = |section: &_| is_behind(section, cursor);
        let (page, next_cursor) =
            page_after(sections, is_behind, params.limit, |section| section.id.to_string());
        Ok(ThreadSectionListResponse { data: page.iter().map(section).collect(), next_cursor })
    });
}

/// Sections stand in the order of their ids.
fn is_behind(section: &spindle_schema::note::Section, cursor: Option<&str>) -> bool {
    cursor.is_none_or(|cursor| &*section.id > cursor)
}

/// Makes a section.
pub(in crate::api) fn create(
    context: &Context,
    params: ThreadSectionCreateParams,
    reply: Reply<ThreadSectionCreateParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let name = name(&params.name)?;
        let created = engine.store().create_section(name, params.appearance.map(look)).await;
        let created = created.map_err(|error| of_section(&error.into()))?;
        Ok(ThreadSectionCreateResponse { section: section(&created) })
    });
}

/// Gives a section another name or look.
pub(in crate::api) fn update(
    context: &Context,
    params: ThreadSectionUpdateParams,
    reply: Reply<ThreadSectionUpdateParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let update = SectionUpdate {
            id: params.section_id.into(),
            name: name(&params.name)?,
            look: params.appearance.into_update().map(|appearance| appearance.map(look)),
        };
        let updated = engine.store().update_section(update).await;
        let updated = updated.map_err(|error| of_section(&error.into()))?;
        Ok(ThreadSectionUpdateResponse { section: section(&updated) })
    });
}

/// Removes a section.
pub(in crate::api) fn delete(
    context: &Context,
    params: ThreadSectionDeleteParams,
    reply: Reply<ThreadSectionDeleteParams>,
) {
    let engine = context.engine.clone();
    context.spawn(reply, async move {
        let deleted = engine.delete_section(params.section_id.into()).await;
        deleted.map_err(|error| of_section(&error))?;
        Ok(ThreadSectionDeleteResponse {})
    });
}

/// Puts a thread into a section, or out of any.
pub(in crate::api) fn place(
    context: &Context,
    params: ThreadSectionMoveParams,
    reply: Reply<ThreadSectionMoveParams>,
) {
    let before = params.before_thread_id.as_deref().map(thread_id).transpose();
    match (thread_id(&params.thread_id), before) {
        (Ok(id), Ok(before)) => {
            let answer = answering(reply, |()| ThreadSectionMoveResponse {});
            context.engine.place(id, params.section_id.map(Into::into), before, answer);
        }
        (Err(error), _) | (_, Err(error)) => reply.err(&error),
    }
}

fn name(text: &str) -> Result<Box<str>, RpcError> {
    match text.trim() {
        "" => Err(Refusal::Empty("section name").into()),
        name => Ok(name.into()),
    }
}

fn look(appearance: ThreadSectionAppearance) -> SectionLook {
    SectionLook { color: appearance.color.map(Into::into), icon: appearance.icon.map(Into::into) }
}

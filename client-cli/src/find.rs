//! Finding a thread by what a person calls it.

use std::path::Path;

use anyhow::{Context, bail};
use spindle_schema::v2::{
    Thread, ThreadListCwdFilter, ThreadListParams, ThreadSortKey, ThreadSourceKind,
};
use uuid::Uuid;

use crate::client::Session;

/// How many threads a page holds.
const PAGE: u32 = 100;
/// How many threads are looked at before a name counts as unknown.
const MAX_THREADS: usize = 10_000;

/// Every kind of thread that a person may have made. Sub-agents are parts of other threads.
pub(crate) const ALL_SOURCES: [ThreadSourceKind; 5] = [
    ThreadSourceKind::Cli,
    ThreadSourceKind::Vscode,
    ThreadSourceKind::Exec,
    ThreadSourceKind::AppServer,
    ThreadSourceKind::Unknown,
];

/// The id of a thread that is given by its id, by the beginning or end of it, or by its name.
pub(crate) async fn thread(session: &mut Session, text: &str) -> anyhow::Result<String> {
    among(session, text, None).await
}

/// The same for a thread that was put away.
pub(crate) async fn archived_thread(session: &mut Session, text: &str) -> anyhow::Result<String> {
    among(session, text, Some(true)).await
}

async fn among(
    session: &mut Session,
    text: &str,
    archived: Option<bool>,
) -> anyhow::Result<String> {
    if Uuid::try_parse(text).is_ok() {
        return Ok(text.to_owned());
    }
    let params = ThreadListParams {
        archived,
        source_kinds: Some(ALL_SOURCES.to_vec()),
        ..Default::default()
    };
    let threads = list(session, params, MAX_THREADS).await?;
    Ok(matching(&threads, text)?.id.clone())
}

/// The one thread that the text means: a name counts before a piece of an id.
pub(crate) fn matching<'a>(threads: &'a [Thread], text: &str) -> anyhow::Result<&'a Thread> {
    let named = threads.iter().filter(|thread| thread.name.as_deref() == Some(text));
    let found: Vec<&Thread> = match named.collect::<Vec<_>>() {
        named if !named.is_empty() => named,
        _ => threads
            .iter()
            .filter(|thread| is_piece(text) && is_at_an_end(&thread.id, text))
            .collect(),
    };
    match found[..] {
        [thread] => Ok(thread),
        [] => bail!("no thread is called `{text}`"),
        _ => bail!("{} threads are called `{text}`; use the id", found.len()),
    }
}

fn is_piece(text: &str) -> bool {
    text.len() >= 4 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

fn is_at_an_end(id: &str, piece: &str) -> bool {
    id.starts_with(piece) || id.ends_with(piece)
}

/// The id of the thread that was used last, in that folder or anywhere.
pub(crate) async fn last_thread(
    session: &mut Session,
    folder: Option<&Path>,
) -> anyhow::Result<String> {
    let params = ThreadListParams {
        cwd: folder.map(|folder| ThreadListCwdFilter::One(folder.to_string_lossy().into_owned())),
        sort_key: Some(ThreadSortKey::UpdatedAt),
        source_kinds: Some(ALL_SOURCES.to_vec()),
        ..ThreadListParams::default()
    };
    let last = list(session, params, 1).await?.into_iter().next();
    let thread = match folder {
        Some(folder) => last.with_context(|| format!("no thread in {} yet", folder.display())),
        None => last.context("no thread yet"),
    };
    Ok(thread?.id)
}

/// Up to `limit` threads, as many pages as it takes.
pub(crate) async fn list(
    session: &mut Session,
    mut params: ThreadListParams,
    limit: usize,
) -> anyhow::Result<Vec<Thread>> {
    let mut threads = Vec::new();
    while threads.len() < limit {
        let missing = u32::try_from(limit - threads.len()).unwrap_or(PAGE);
        params.limit = Some(missing.min(PAGE));
        let page = session.call(&params).await?;
        threads.extend(page.data);
        match page.next_cursor {
            Some(cursor) => params.cursor = Some(cursor),
            None => break,
        }
    }
    threads.truncate(limit);
    Ok(threads)
}

#[cfg(test)]
mod tests;

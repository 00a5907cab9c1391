//! The database file: opening, and rows in and out.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::Type;
use rusqlite::{Connection, OpenFlags, Row, Transaction, named_params};
use rusqlite_migration::{M, Migrations};
use serde::{Deserialize, Serialize};
use spindle_schema::event::TurnStatus;
use spindle_schema::ids::ThreadId;
use spindle_schema::note::ThreadNotes;
use spindle_schema::rollout::GitInfo;
use spindle_schema::settings::SessionSource;

use super::row::{Stamp, ThreadRow};
use super::source::SourceKind;
use crate::error::{Context as _, Error};

/// All migrations, oldest first. They are never edited after they land.
fn migrations() -> Migrations<'static> {
    Migrations::new(vec![
        M::up(include_str!("../../../../migrations/0001_threads.sql")),
        M::up(include_str!("../../../../migrations/0002_search.sql")),
    ])
}

/// How long a query waits for another process before it gives up.
const PATIENCE: Duration = Duration::from_millis(250);

/// Opens the connection that writes, and brings the tables up to date.
pub(crate) fn open_file(path: &Path) -> Result<Connection, Error> {
    // SQLite would make the file readable for others; its side files copy this one's mode.
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).context("open", path)?;
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    // The page size counts only before the first table; small pages keep a turn's writes small.
    connection.execute_batch(
        "PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
         PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 1048576;",
    )?;
    migrations().to_latest(&mut connection)?;
    Ok(connection)
}

/// Opens an index that lives as long as the process, for homes whose file cannot be used.
pub(crate) fn open_memory() -> Result<Connection, Error> {
    let mut connection = Connection::open_in_memory()?;
    migrations().to_latest(&mut connection)?;
    Ok(connection)
}

/// Opens a second connection, for queries.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// The part of a header that no query asks for.
#[derive(Serialize, Deserialize)]
struct Head {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<Box<str>>,
    source: SessionSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_source: Option<Box<str>>,
    originator: Box<str>,
    cli_version: Box<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    git: Option<GitInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forked_from: Option<ThreadId>,
    history_mode: Box<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_nickname: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_role: Option<Box<str>>,
}

const UPSERT: &str = "
    INSERT INTO thread (path, id, created_at, updated_at, recency_at, cwd, provider, source, parent,
        base, preview, name, model, effort, last_turn, archived, head, size, changed)
    VALUES (:path, :id, :created, :updated, :recency, :cwd, :provider, :source, :parent,
        :base, :preview, :name, :model, :effort, :last_turn, :archived, :head, :size, :changed)
    ON CONFLICT (path) DO UPDATE SET id = :id, created_at = :created, updated_at = :updated,
        recency_at = :recency, cwd = :cwd, provider = :provider, source = :source, parent = :parent,
        base = :base, preview = :preview, name = :name, model = :model, effort = :effort,
        last_turn = :last_turn, archived = :archived, head = :head, size = :size, changed = :changed";

/// Puts a row in, in place of an older one of the same file.
pub(crate) fn upsert(
    transaction: &Transaction<'_>,
    home: &Path,
    row: &ThreadRow,
    stamp: Stamp,
) -> Result<(), Error> {
    let head = Head {
        session_id: row.session_id.clone(),
        source: row.source.clone(),
        thread_source: row.thread_source.clone(),
        originator: row.originator.clone(),
        cli_version: row.cli_version.clone(),
        git: row.git.clone(),
        forked_from: row.forked_from,
        history_mode: row.history_mode.clone(),
        agent_nickname: row.agent_nickname.clone(),
        agent_role: row.agent_role.clone(),
    };
    transaction.prepare_cached(UPSERT)?.execute(named_params! {
        ":path": below(home, &row.path),
        ":id": key(row.id),
        ":created": row.created_ms,
        ":updated": row.updated_ms,
        ":recency": row.recency_ms,
        ":cwd": row.cwd,
        ":provider": row.model_provider,
        ":source": SourceKind::of(&row.source).as_str(),
        ":parent": row.parent.map(key),
        ":base": row.base.map(key),
        ":preview": row.preview,
        ":name": row.name,
        ":model": row.model,
        ":effort": row.effort,
        ":last_turn": row.last_turn.map(status_name),
        ":archived": row.archived,
        ":head": serde_json::to_string(&head).map_err(Error::Encode)?,
        ":size": i64::try_from(stamp.size).unwrap_or(i64::MAX),
        ":changed": stamp.changed_ns,
    })?;
    Ok(())
}

/// The columns that [`read`] needs, in its order.
pub(crate) const COLUMNS: &str = "path, id, created_at, updated_at, recency_at, cwd, provider,
    parent, base, preview, name, model, effort, last_turn, archived, head, size";

/// Makes a row of the columns.
pub(crate) fn read(home: &Path, row: &Row<'_>) -> rusqlite::Result<ThreadRow> {
    let head: Head = serde_json::from_str(row.get_ref(15)?.as_str()?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(15, Type::Text, error.into()))?;
    Ok(ThreadRow {
        path: home.join(row.get_ref(0)?.as_str()?),
        id: thread(row.get(1)?),
        created_ms: row.get(2)?,
        updated_ms: row.get(3)?,
        recency_ms: row.get(4)?,
        cwd: row.get(5)?,
        model_provider: row.get(6)?,
        parent: row.get::<_, Option<_>>(7)?.map(thread),
        base: row.get::<_, Option<_>>(8)?.map(thread),
        preview: row.get(9)?,
        name: row.get(10)?,
        model: row.get(11)?,
        effort: row.get(12)?,
        last_turn: row.get::<_, Option<Box<str>>>(13)?.as_deref().and_then(status),
        archived: row.get(14)?,
        size_bytes: u64::try_from(row.get::<_, i64>(16)?).unwrap_or(0),
        session_id: head.session_id,
        source: head.source,
        thread_source: head.thread_source,
        originator: head.originator,
        cli_version: head.cli_version,
        git: head.git,
        forked_from: head.forked_from,
        history_mode: head.history_mode,
        agent_nickname: head.agent_nickname,
        agent_role: head.agent_role,
        notes: ThreadNotes::default(),
    })
}

/// A path as rows hold it. A home folder can be moved as a whole.
pub(crate) fn below(home: &Path, path: &Path) -> Box<str> {
    path.strip_prefix(home).unwrap_or(path).to_string_lossy().into()
}

/// A thread id as rows hold it.
pub(crate) fn key(id: ThreadId) -> [u8; 16] {
    id.as_uuid().into_bytes()
}

fn thread(key: [u8; 16]) -> ThreadId {
    let text = uuid::Uuid::from_bytes(key).hyphenated().to_string();
    ThreadId::parse(&text).expect("the text of a UUID is a UUID")
}

fn status_name(status: TurnStatus) -> &'static str {
    match status {
        TurnStatus::InProgress => "inProgress",
        TurnStatus::Completed => "completed",
        TurnStatus::Interrupted => "interrupted",
        TurnStatus::Failed => "failed",
    }
}

fn status(name: &str) -> Option<TurnStatus> {
    [TurnStatus::InProgress, TurnStatus::Completed, TurnStatus::Interrupted, TurnStatus::Failed]
        .into_iter()
        .find(|status| status_name(*status) == name)
}

/// Whether the file is no database, or not one that this program can use.
pub(crate) fn is_ruined(error: &Error) -> bool {
    use rusqlite::ErrorCode as Code;
    match error {
        Error::Index(error) => match error.sqlite_error_code() {
            Some(Code::NotADatabase | Code::DatabaseCorrupt | Code::TypeMismatch) => true,
            // A table or column that is not there: somebody else's database.
            Some(Code::Unknown) => true,
            Some(_) => false,
            None => !matches!(error, rusqlite::Error::QueryReturnedNoRows),
        },
        Error::Migration(rusqlite_migration::Error::RusqliteError { err, .. }) => !matches!(
            err.sqlite_error_code(),
            Some(
                Code::DatabaseBusy
                    | Code::DatabaseLocked
                    | Code::DiskFull
                    | Code::ReadOnly
                    | Code::CannotOpen
                    | Code::SystemIoFailure
            )
        ),
        // The database of a newer program is left alone; this one does with an index in memory.
        Error::Migration(rusqlite_migration::Error::MigrationDefinition(
            rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead,
        )) => false,
        Error::Migration(_) => true,
        _ => false,
    }
}

/// The file itself and the ones beside it.
pub(crate) fn files(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        name.into()
    })
}

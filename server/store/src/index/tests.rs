use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};
use spindle_schema::ids::TurnId;
use spindle_schema::rollout::SessionMeta;
use spindle_schema::settings::SessionSource;

use super::*;
use crate::store::Store;
use crate::testing::{begin, end, event, item, meta, place, text, turn, user};
use crate::{ForkPoint, Log, Watch};

fn all() -> ListQuery {
    ListQuery { limit: 100_000, ..ListQuery::default() }
}

async fn ids(store: &Store, query: ListQuery) -> Vec<ThreadId> {
    store.list(query).await.unwrap().items.iter().map(|row| row.id).collect()
}

async fn thread(store: &Store, meta: SessionMeta, words: &str) -> Log {
    let log = store.create(meta);
    log.append(turn("t1", words, "yes")).await.unwrap();
    log
}

/// Threads made at different times, the latest first.
async fn threads(store: &Store, count: usize) -> Vec<ThreadId> {
    let mut made = Vec::new();
    for at in 0..count {
        let mut meta = meta(ThreadId::new());
        // Pairs share a moment, so that the id decides between them.
        meta.timestamp = format!("2026-11-30T13:{:02}:00.000Z", at / 2).into();
        let id = meta.id;
        made.push((at / 2, id, thread(store, meta, &format!("question {at}")).await));
    }
    made.sort_by_key(|(at, id, _)| std::cmp::Reverse((*at, *id)));
    made.into_iter().map(|(_, id, _)| id).collect()
}

/// The rows of a database, without what a rebuild may number anew.
fn dump(home: &Path) -> Vec<Vec<rusqlite::types::Value>> {
    let connection = Connection::open(home.join("spindle.sqlite")).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT path, id, created_at, updated_at, recency_at, cwd, provider, source, parent, base,
                preview, name, model, effort, last_turn, archived, shadowed, head, size, changed
             FROM thread ORDER BY path",
        )
        .unwrap();
    let row = |row: &rusqlite::Row<'_>| (0..20).map(|at| row.get(at)).collect();
    statement.query_map([], row).unwrap().map(Result::unwrap).collect()
}

/// What was said, file by file.
fn dump_words(home: &Path) -> Vec<(String, String)> {
    let connection = Connection::open(home.join("spindle.sqlite")).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT path, words FROM passage JOIN searched ON searched.key = passage.file
             ORDER BY path, passage.key",
        )
        .unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    statement.query_map([], row).unwrap().map(Result::unwrap).collect()
}

fn without_database(home: &Path) {
    for file in db::files(&home.join("spindle.sqlite")) {
        drop(fs::remove_file(file));
    }
}

/// A thread whose only message is a picture.
async fn say_with_a_picture(store: &Store) {
    let image = json!([{"type": "image", "image_url": "data:image/png;base64,AA"}]);
    let picture = store.create(meta(ThreadId::new()));
    let seen = json!({"type": "item_completed", "thread_id": picture.id(), "turn_id": "p",
        "item": {"type": "UserMessage", "id": "i", "content": image}});
    picture.append([begin("p"), vec![event(&seen)], end("p", "")].concat()).await.unwrap();
}

async fn find_and_list(store: &Store) -> Vec<ThreadRow> {
    let page = store.search("forked".into(), all(), Watch::default()).await.unwrap();
    assert_eq!(page.items.len(), 1);
    store.list(all()).await.unwrap().items
}

#[tokio::test]
async fn a_rebuilt_index_equals_the_grown_one_row_by_row() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let plain = thread(&store, meta(ThreadId::new()), "plain").await;
    store.set_name(plain.id(), "named").await.unwrap();
    let mut child = meta(ThreadId::new());
    child.parent_thread_id = Some(plain.id());
    child.source = SessionSource::Other(
        json!({"subagent": {"thread_spawn": {"parent_thread_id": plain.id()}}}),
    );
    child.extra.insert("agent_nickname".into(), "Ada".into());
    thread(&store, child, "child").await;
    let mut old = meta(ThreadId::new());
    old.history_mode = None;
    thread(&store, old, "old").await;
    store.create(meta(ThreadId::new())).append(Vec::new()).await.unwrap();
    let open = store.create(meta(ThreadId::new()));
    open.append([begin("t1"), user("t1", "open")].concat()).await.unwrap();
    let fork = store.fork(plain.id(), ForkPoint::End, meta(ThreadId::new())).await.unwrap().log;
    fork.append(turn("f", "forked", "yes")).await.unwrap();
    // What is said later, taken back or moved is in step however early somebody searched.
    store.search("x".into(), all(), Watch::default()).await.unwrap();
    let long = store.create(meta(ThreadId::new()));
    for at in 0..30 {
        long.append(turn(&format!("t{at}"), &"long ".repeat(2000), "yes")).await.unwrap();
    }
    long.append(begin("last")).await.unwrap();
    long.revert(TurnId::new("t20")).await.unwrap();
    let away = thread(&store, meta(ThreadId::new()), "archived").await;
    let id = away.id();
    drop(away);
    store.archive(id).await.unwrap();
    let id = plain.id();
    say_with_a_picture(&store).await;
    drop(plain);
    let resumed = store.open(id).await.unwrap().log;
    resumed
        .append(vec![item(
            "event_msg",
            &json!({"type": "thread_settings_applied", "thread_id": id,
        "thread_settings": {"model": "other", "reasoning_effort": "high"}}),
        )])
        .await
        .unwrap();
    let section = store.create_section("Work".into(), None).await.unwrap().id;
    store.place(id, Some(section), None).await.unwrap();
    let read_state = resumed.note_unread(TurnId::new("t1")).await.unwrap();
    let listed = find_and_list(&store).await;
    store.close().await;
    let (grown, words) = (dump(home.path()), dump_words(home.path()));
    assert_eq!((grown.len(), words.len()), (9, 53));
    without_database(home.path());
    let store = Store::new(home.path());
    assert_eq!(find_and_list(&store).await, listed);
    let notes = store.row(id).await.unwrap().unwrap().notes;
    assert_eq!(notes.read_state, Some(read_state));
    assert_eq!(notes.placed.unwrap().section.name.as_ref(), "Work");
    store.close().await;
    assert_eq!((dump(home.path()), dump_words(home.path())), (grown, words));
}

#[tokio::test]
async fn pages_walk_through_threads_of_the_same_moment_without_loss() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let mut wanted = threads(&store, 9).await;
    for direction in [Direction::Descending, Direction::Ascending] {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let query = ListQuery { limit: 2, direction, cursor, ..ListQuery::default() };
            let page = store.list(query).await.unwrap();
            seen.extend(page.items.iter().map(|row| row.id));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, wanted);
        wanted.reverse();
    }
}

#[tokio::test]
async fn cursors_have_the_recorded_shape() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let ids_made = threads(&store, 4).await;
    let page = store.list(ListQuery { limit: 2, ..ListQuery::default() }).await.unwrap();
    assert_eq!(page.next.as_deref(), Some(&*format!("2026-11-30T13:01:00.000Z|{}", ids_made[1])));
    assert_eq!(page.back.as_deref(), Some("2026-11-30T13:01:00.000Z"));
    let newer = ListQuery { cursor: page.back, direction: Direction::Ascending, ..all() };
    assert_eq!(ids(&store, newer).await, []);
    for bad in ["junk", "", "2026-11-30T13:01:00.000Z|junk"] {
        let error = store.list(ListQuery { cursor: Some(bad.into()), ..all() }).await.unwrap_err();
        assert_eq!(error.to_string(), format!("invalid cursor: {bad}"));
    }
    assert_eq!(ids(&store, ListQuery { limit: 0, ..ListQuery::default() }).await.len(), 1);
}

#[tokio::test]
async fn filters_narrow_a_list() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let a = thread(&store, meta(ThreadId::new()), "alpha apples 100%").await.id();
    let mut meta_b = meta(ThreadId::new());
    meta_b.cwd = "/work/sub".into();
    meta_b.model_provider = Some("other".into());
    meta_b.source = SessionSource::Exec;
    meta_b.parent_thread_id = Some(a);
    let b = thread(&store, meta_b, "beta bananas").await.id();
    let mut meta_c = meta(ThreadId::new());
    meta_c.parent_thread_id = Some(b);
    meta_c.source = SessionSource::Other(json!({"subagent": "review"}));
    let c = thread(&store, meta_c, "gamma").await.id();
    store.set_name(b, "zebra").await.unwrap();
    let search = |text: &str| ListQuery { search: Some(text.into()), ..all() };
    let cwds = |cwds: &[&str]| ListQuery {
        cwds: Some(cwds.iter().map(|cwd| (*cwd).into()).collect()),
        ..all()
    };
    let sources = |sources: &[SourceKind]| ListQuery { sources: sources.to_vec(), ..all() };
    let cases = [
        (search("alpha"), vec![a]),
        (search("ALPHA"), vec![]),
        (search("zebra"), vec![b]),
        (search("%"), vec![a]),
        (search(""), vec![a, b, c]),
        (cwds(&["/work"]), vec![a, c]),
        (cwds(&["/work/"]), vec![a, c]),
        (cwds(&["/work", "/work/sub"]), vec![a, b, c]),
        (cwds(&[]), vec![]),
        (ListQuery { model_providers: vec!["other".into()], ..all() }, vec![b]),
        (sources(&[SourceKind::Vscode, SourceKind::Exec]), vec![a, b]),
        (sources(&[SourceKind::SubAgent]), vec![c]),
        (sources(&[SourceKind::SubAgentOther]), vec![]),
        (ListQuery { parent: Some(a), ..all() }, vec![b]),
        (ListQuery { ancestor: Some(a), ..all() }, vec![b, c]),
        (ListQuery { included: Some(vec![b, ThreadId::new()]), ..all() }, vec![b]),
        (ListQuery { included: Some(vec![]), ..all() }, vec![]),
        (ListQuery { excluded: vec![b], ..all() }, vec![a, c]),
        (ListQuery { archived: true, ..all() }, vec![]),
        (ListQuery { index_only: true, ..all() }, vec![a, b, c]),
    ];
    for (query, mut wanted) in cases {
        let mut found = ids(&store, query.clone()).await;
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{query:?}");
    }
}

#[tokio::test]
async fn a_turn_moves_a_thread_up_where_lists_go_by_use() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let first = thread(&store, meta(ThreadId::new()), "first").await;
    let mut later = meta(ThreadId::new());
    later.timestamp = "2026-12-01T00:00:00.000Z".into();
    let second = thread(&store, later, "second").await;
    let id = first.id();
    drop(first);
    let by = |sort| ListQuery { sort, ..all() };
    let resumed = store.open(id).await.unwrap().log;
    for sort in [SortKey::UpdatedAt, SortKey::RecencyAt, SortKey::CreatedAt] {
        assert_eq!(ids(&store, by(sort)).await, [second.id(), id], "{sort:?}");
    }
    // The clock of these rows has milliseconds.
    while jiff::Timestamp::now().as_millisecond()
        <= store.row(second.id()).await.unwrap().unwrap().updated_ms
    {
        std::thread::yield_now();
    }
    resumed.append(turn("t2", "again", "yes")).await.unwrap();
    for sort in [SortKey::UpdatedAt, SortKey::RecencyAt] {
        assert_eq!(ids(&store, by(sort)).await, [id, second.id()], "{sort:?}");
    }
    assert_eq!(ids(&store, by(SortKey::CreatedAt)).await, [second.id(), id]);
}

async fn usable(home: &Path, count: usize, what: &str) {
    let store = Store::new(home);
    assert_eq!(ids(&store, all()).await.len(), count, "{what}");
    let log = thread(&store, meta(ThreadId::new()), "more").await;
    assert_eq!(ids(&store, all()).await.len(), count + 1, "{what}");
    drop(log);
    store.close().await;
}

#[tokio::test]
async fn a_damaged_database_is_set_aside_and_made_again() {
    let garbage: Vec<u8> =
        (0..65536u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for what in ["garbage", "cut", "not a database", "empty", "another one"] {
        let home = tempfile::tempdir().unwrap();
        let store = Store::new(home.path());
        threads(&store, 5).await;
        ids(&store, all()).await;
        store.close().await;
        let path = home.path().join("spindle.sqlite");
        let bytes = fs::read(&path).unwrap();
        match what {
            "garbage" => fs::write(&path, &garbage).unwrap(),
            "cut" => fs::write(&path, &bytes[..bytes.len() / 2]).unwrap(),
            "not a database" => fs::write(&path, b"not a database at all").unwrap(),
            "empty" => fs::write(&path, b"").unwrap(),
            _ => {
                fs::remove_file(&path).unwrap();
                let other = Connection::open(&path).unwrap();
                other.execute_batch("CREATE TABLE thread (x); PRAGMA user_version = 1").unwrap();
            }
        }
        usable(home.path(), 5, what).await;
        usable(home.path(), 6, what).await;
        assert!(!dump(home.path()).is_empty(), "{what}");
    }
}

#[tokio::test]
async fn a_database_that_breaks_while_in_use_stops_nothing() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    threads(&store, 5).await;
    assert_eq!(ids(&store, all()).await.len(), 5);
    for file in db::files(&home.path().join("spindle.sqlite")) {
        if let Ok(file) = fs::File::options().write(true).open(file) {
            let len = file.metadata().unwrap().len();
            std::os::unix::fs::FileExt::write_all_at(&file, &vec![0x5a; len as usize], 0).unwrap();
        }
    }
    let log = thread(&store, meta(ThreadId::new()), "more").await;
    assert_eq!(ids(&store, all()).await.len(), 6);
    log.append(turn("t2", "and more", "yes")).await.unwrap();
    assert_eq!(ids(&store, all()).await.len(), 6);
}

#[tokio::test]
async fn a_locked_database_stops_neither_turns_nor_lists() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let made = threads(&store, 3).await;
    ids(&store, all()).await;
    store.close().await;
    let holder = Connection::open(home.path().join("spindle.sqlite")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let store = Store::new(home.path());
    let log = store.open(made[0]).await.unwrap().log;
    log.append(turn("t2", "while locked", "yes")).await.unwrap();
    assert_eq!(ids(&store, all()).await.len(), 3);
    thread(&store, meta(ThreadId::new()), "new").await;
    assert_eq!(ids(&store, all()).await.len(), 4);
    holder.execute_batch("ROLLBACK").unwrap();
    drop(log);
    store.close().await;
    usable(home.path(), 4, "after the lock").await;
}

#[tokio::test]
async fn the_database_of_a_newer_program_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    threads(&store, 2).await;
    ids(&store, all()).await;
    store.close().await;
    let path = home.path().join("spindle.sqlite");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(connection);
    let before = fs::read(&path).unwrap();
    usable(home.path(), 2, "newer").await;
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_home_that_cannot_be_written_is_listed_and_read() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let made = threads(&store, 3).await;
    store.close().await;
    without_database(home.path());
    // A folder in the place of the file stands for every reason why it cannot be made: file
    // modes mean nothing to root.
    fs::create_dir(home.path().join("spindle.sqlite")).unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o500)).unwrap();
    let store = Store::new(home.path());
    assert_eq!(ids(&store, all()).await, made);
    assert_eq!(store.read(made[0]).await.unwrap().lines.len(), 2);
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
}

#[tokio::test]
async fn removed_shortened_and_moved_files_are_noticed() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let made = threads(&store, 4).await;
    assert_eq!(ids(&store, all()).await, made);
    store.close().await;
    let store = Store::new(home.path());
    let path = |id| {
        let store = store.clone();
        async move { store.row(id).await.unwrap().unwrap().path }
    };
    fs::remove_file(path(made[0]).await).unwrap();
    let moved = path(made[1]).await;
    let away = home.path().join("archived_sessions").join(moved.file_name().unwrap());
    fs::create_dir(away.parent().unwrap()).unwrap();
    fs::rename(moved, away).unwrap();
    let short = path(made[2]).await;
    let header = fs::read_to_string(&short).unwrap().lines().next().unwrap().to_owned() + "\n";
    fs::write(&short, header).unwrap();
    assert_eq!(ids(&store, all()).await, [made[3]]);
    assert_eq!(ids(&store, ListQuery { archived: true, ..all() }).await, [made[1]]);
    fs::remove_dir_all(home.path().join("sessions")).unwrap();
    assert_eq!(ids(&store, all()).await, []);
}

#[tokio::test]
async fn a_second_list_reads_no_file_again() {
    let home = tempfile::tempdir().unwrap();
    let header = |id: ThreadId| {
        let record = |ordinal: u64, kind: &str, payload: Value| json!({"timestamp": "2026-11-30T13:45:18.123Z", "ordinal": ordinal, "type": kind, "payload": payload});
        text(&[
            record(0, "session_meta", serde_json::to_value(meta(id)).unwrap()),
            record(1, "event_msg", json!({"type": "task_started", "turn_id": "t"})),
            record(
                2,
                "event_msg",
                json!({"type": "item_completed", "turn_id": "t", "item": {
                "type": "UserMessage", "id": "i", "content": [{"type": "text", "text": "words"}]}}),
            ),
        ])
    };
    for _ in 0..3000 {
        let id = ThreadId::new();
        place(home.path(), id, &header(id));
    }
    place(home.path(), ThreadId::new(), "");
    let store = Store::new(home.path());
    assert_eq!(ids(&store, all()).await.len(), 3000);
    let read = |store: &Store| store.shared.index.files_read();
    assert_eq!(read(&store), 3001);
    assert_eq!(ids(&store, all()).await.len(), 3000);
    store.flush().await;
    assert_eq!(read(&store), 3001);
    store.close().await;
    let store = Store::new(home.path());
    assert_eq!(ids(&store, all()).await.len(), 3000);
    assert_eq!(read(&store), 0);
    let id = ThreadId::new();
    place(home.path(), id, &header(id));
    assert_eq!(ids(&store, all()).await.len(), 3001);
    assert_eq!(read(&store), 1);
}

#[tokio::test]
async fn a_long_file_costs_its_two_ends() {
    use std::os::unix::fs::FileExt as _;
    let home = tempfile::tempdir().unwrap();
    let id = ThreadId::new();
    let store = Store::new(home.path());
    let log = thread(&store, meta(ThreadId::new()), "words").await;
    let written = fs::read_to_string(log.path()).unwrap();
    let written = written.replace(&log.id().to_string(), &id.to_string());
    let path = place(home.path(), id, &written);
    let file = fs::File::options().write(true).open(path).unwrap();
    // A hole of a terabyte: whoever reads it never comes back.
    file.write_all_at(format!("\n{}", written.replace("model-t1", "model-t2")).as_bytes(), 1 << 40)
        .unwrap();
    let row = store.row(id).await.unwrap().unwrap();
    assert_eq!((row.preview.as_deref(), row.model.as_deref()), (Some("words"), Some("model-t2")));
    assert_eq!(ids(&store, all()).await.len(), 2);
}

#[test]
fn a_database_of_every_earlier_version_is_brought_up_to_date() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("spindle.sqlite");
    drop(db::open_file(&path).unwrap());
    let connection = db::open_file(&path).unwrap();
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 2);
    let pages: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0)).unwrap();
    assert_eq!(pages, 1024);
}

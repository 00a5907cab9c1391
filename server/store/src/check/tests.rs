use super::*;
use crate::index::ListQuery;
use crate::testing::{meta, place, turn};

#[tokio::test]
async fn a_check_names_what_is_damaged_and_where() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let sound = ThreadId::new();
    let log = store.create(meta(sound));
    log.append(turn("t1", "hello", "yes")).await.unwrap();
    let lines: Vec<String> =
        std::fs::read_to_string(log.path()).unwrap().lines().map(str::to_owned).collect();
    let (header, one) = (&lines[0], &lines[1]);
    let damaged = ThreadId::new();
    place(home.path(), damaged, &format!("{header}\n\n{one}\n{one}\nbad\n{}", &one[..20]));
    let empty = ThreadId::new();
    place(home.path(), empty, "");
    let headless = ThreadId::new();
    place(home.path(), headless, &format!("{one}\n"));
    let reports = store.check().await.unwrap();
    let kinds = |end: &str| {
        let of = |report: &&Report| report.path.to_str().unwrap().contains(end);
        let report = reports.iter().find(of).unwrap();
        report.damage.iter().map(|damage| damage.kind.clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&sound.to_string()), []);
    assert_eq!(kinds(&empty.to_string()), [DamageKind::Empty]);
    assert_eq!(kinds(&headless.to_string()), [DamageKind::NoHeader]);
    let found = kinds(&damaged.to_string());
    assert!(matches!(
        found[..],
        [DamageKind::Duplicate { ordinal: 1 }, DamageKind::Unreadable { .. }, DamageKind::Torn]
    ));
}

#[tokio::test]
async fn an_index_made_again_shows_the_same_list() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    for at in 0..5 {
        let log = store.create(meta(ThreadId::new()));
        log.append(turn("t1", &format!("hello {at}"), "yes")).await.unwrap();
    }
    let list =
        || async { store.list(ListQuery { limit: 9, ..ListQuery::default() }).await.unwrap() };
    let grown = list().await;
    store.reindex().await.unwrap();
    assert_eq!(list().await, grown);
    assert_eq!(grown.items.len(), 5);
}

#[tokio::test]
async fn a_repaired_file_is_sound_and_keeps_every_record_that_can_be_read() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    let log = store.create(meta(id));
    log.append(turn("t1", "hello", "yes")).await.unwrap();
    let path = log.path().to_owned();
    drop(log);
    let text = std::fs::read_to_string(&path).unwrap();
    let hurt =
        text.replacen("{\"timestamp\"", "broken", 1) + "bad\n" + text.lines().last().unwrap();
    std::fs::write(&path, &hurt).unwrap();
    let held = store.open(id).await.unwrap();
    assert!(matches!(store.repair(&path).await, Err(Error::Busy { .. })));
    drop(held);
    let told = store.repair(&path).await.unwrap();
    assert_eq!((told.damage.len(), told.records), (4, 7));
    assert_eq!(std::fs::read_to_string(aside(&path)).unwrap(), hurt);
    let reports = store.check().await.unwrap();
    assert_eq!((reports.len(), &*reports[0].damage, reports[0].records), (1, &[][..], 8));
    let loaded = store.open(id).await.unwrap();
    assert_eq!((loaded.history.lines.len(), loaded.history.warnings), (2, vec![]));
    assert_eq!(store.list(ListQuery::default()).await.unwrap().items[0].id, id);
    drop(loaded.log);
    assert!(store.repair(&path).await.unwrap().damage.is_empty());
    store.delete(id).await.unwrap();
    assert!(!aside(&path).exists());
}

#[tokio::test]
async fn a_file_that_holds_nothing_goes_aside() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let path = place(home.path(), ThreadId::new(), "\0\0\0");
    assert_eq!(store.repair(&path).await.unwrap().damage.len(), 2);
    assert!(!path.exists() && aside(&path).exists());
}

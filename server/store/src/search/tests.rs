use spindle_schema::ids::TurnId;

use super::*;
use crate::log::Log;
use crate::testing::{agent, begin, meta, turn, user};
use crate::{ForkPoint, TurnsQuery};

async fn thread(store: &Store, question: &str, answer: &str) -> Log {
    let log = store.create(meta(ThreadId::new()));
    log.append(turn("t1", question, answer)).await.unwrap();
    log
}

async fn found(store: &Store, term: &str) -> Vec<(ThreadId, Box<str>)> {
    let list = ListQuery { limit: 100, ..ListQuery::default() };
    let page = store.search(term.into(), list, Watch::default()).await.unwrap();
    page.items.into_iter().map(|found| (found.row.id, found.snippet.text)).collect()
}

#[tokio::test]
async fn words_are_found_in_every_language_and_case_and_anywhere_in_a_word() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let a = thread(&store, "Where is the Apfelbaum?", "Über dem Fluss, 100% sure_ly").await.id();
    let b = thread(&store, "请检查网络代理设置", "\"quoted\" OR near* {x}").await.id();
    let cases = [
        ("apfel", vec![a]),
        ("FELBA", vec![a]),
        ("über dem", vec![a]),
        ("网络代理", vec![b]),
        ("网络", vec![b]),
        ("0%", vec![a]),
        ("e_l", vec![a]),
        ("_", vec![a]),
        ("\"quoted\" OR", vec![b]),
        ("near*", vec![b]),
        ("nowhere", vec![]),
        ("xy", vec![]),
    ];
    for (term, wanted) in cases {
        let threads: Vec<_> = found(&store, term).await.into_iter().map(|(id, _)| id).collect();
        assert_eq!(threads, wanted, "{term}");
    }
    store.set_name(b, "Proxy talk").await.unwrap();
    assert_eq!(found(&store, "proxy").await, [(b, "Proxy talk".into())]);
}

#[tokio::test]
async fn what_is_said_later_is_found_and_only_that_is_read() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = thread(&store, "alpha", "yes").await;
    assert_eq!(found(&store, "gamma").await, []);
    log.append(turn("t2", "gamma rays", "no")).await.unwrap();
    assert_eq!(found(&store, "gamma").await, [(log.id(), "gamma rays".into())]);
    log.revert(TurnId::new("t2")).await.unwrap();
    assert_eq!(found(&store, "gamma").await, []);
    assert_eq!(found(&store, "alpha").await.len(), 1);
    let fork = store.fork(log.id(), ForkPoint::End, meta(ThreadId::new())).await.unwrap().log;
    assert_eq!(found(&store, "alpha").await.len(), 2);
    let id = fork.id();
    drop(fork);
    store.archive(id).await.unwrap();
    assert_eq!(found(&store, "alpha").await.len(), 1);
    let archived = ListQuery { archived: true, limit: 5, ..ListQuery::default() };
    let page = store.search("alpha".into(), archived, Watch::default()).await.unwrap();
    assert_eq!(page.items[0].row.id, id);
}

#[tokio::test]
async fn a_thread_that_goes_takes_its_words_out_of_the_database() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = thread(&store, "the SECRETWORD of it", "yes").await.id();
    thread(&store, "another one", "yes").await;
    assert_eq!(found(&store, "secretword").await.len(), 1);
    store.delete(id).await.unwrap();
    store.close().await;
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap().to_ascii_lowercase();
            for piece in ["secretword", "secr", "cretw"] {
                let at = memchr::memmem::find(&bytes, piece.as_bytes());
                assert_eq!(at, None, "{piece} in {}", path.display());
            }
        }
    }
}

#[tokio::test]
async fn pages_of_a_search_join_to_the_whole() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    for at in 0..7 {
        thread(&store, &format!("apple {at}"), "yes").await;
    }
    let all = found(&store, "apple").await;
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let list = ListQuery { limit: 3, cursor, ..ListQuery::default() };
        let page = store.search("apple".into(), list, Watch::default()).await.unwrap();
        seen.extend(page.items.into_iter().map(|found| (found.row.id, found.snippet.text)));
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((seen.len(), seen), (7, all));
    let bad = ListQuery { cursor: Some("junk".into()), limit: 1, ..ListQuery::default() };
    let error = store.search("apple".into(), bad, Watch::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "invalid cursor: junk");
}

#[tokio::test]
async fn a_search_that_is_given_up_says_so() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    thread(&store, "apple", "yes").await;
    let watch = Watch { stop: Arc::new(AtomicBool::new(true)), partial: None };
    let list = ListQuery { limit: 1, ..ListQuery::default() };
    let error = store.search("apple".into(), list, watch).await.unwrap_err();
    assert!(matches!(error, Error::Stopped));
    assert_eq!(found(&store, "apple").await.len(), 1);
}

#[tokio::test]
async fn each_place_in_a_thread_is_found_with_the_way_to_its_turn() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = thread(&store, "apple and Apple", "no").await;
    log.append([begin("t2"), user("t2", "𝄞 an apple"), agent("t2", "pear")].concat())
        .await
        .unwrap();
    let page = |cursor, limit| store.occurrences(log.id(), "apple".into(), cursor, limit);
    let all = page(None, 10).await.unwrap().items;
    let places: Vec<_> = all
        .iter()
        .map(|it| (it.turn_id.as_str(), &*it.item_id, it.snippet.range.clone()))
        .collect();
    assert_eq!(places, [("t1", "t1-u", 0..5), ("t1", "t1-u", 10..15), ("t2", "t2-u", 6..11)]);
    let first = page(None, 1).await.unwrap();
    assert_eq!(first.items, all[..1]);
    let rest = page(first.next, 10).await.unwrap();
    assert_eq!((rest.items.as_slice(), rest.next), (&all[1..], None));
    let query = TurnsQuery { cursor: Some(all[2].turn_cursor.clone()), ..TurnsQuery::default() };
    let turns = store.turns_page(log.id(), query).await.unwrap().items;
    assert_eq!(turns[0].id.as_str(), "t2");
    let error = page(Some("junk".into()), 1).await.unwrap_err();
    assert_eq!(error.to_string(), "invalid cursor: junk");
}

#[test]
fn a_snippet_is_cut_between_characters() {
    let text = format!("{}needle{}", "ü".repeat(200), "𝄞".repeat(200));
    let cut = snippet(&text, find_folded(&text, "NEEDLE", 0).unwrap());
    assert_eq!(cut.text.chars().count(), 80 + 6 + 80);
    assert_eq!(cut.range, 80..86);
}

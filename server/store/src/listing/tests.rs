use spindle_schema::ids::ThreadId;

use crate::index::{Direction, ListQuery, SortKey};
use crate::notes::{NewProject, ThreadUpdate};
use crate::store::Store;
use crate::testing::{meta, turn};

async fn thread(store: &Store) -> ThreadId {
    let log = store.create(meta(ThreadId::new()));
    log.append(turn("t1", "question", "answer")).await.unwrap();
    log.id()
}

async fn ids(store: &Store, query: ListQuery) -> Vec<ThreadId> {
    store.list(query).await.unwrap().items.iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn a_section_is_listed_in_its_own_order_page_by_page() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let section = store.create_section("Work".into(), None).await.unwrap().id;
    let mut order = Vec::new();
    for _ in 0..5 {
        let id = thread(&store).await;
        let first = order.first().copied();
        store.place(id, Some(section.clone()), first).await.unwrap();
        order.insert(0, id);
    }
    thread(&store).await;
    for direction in [Direction::Ascending, Direction::Descending] {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let section = Some(section.clone());
            let sort = SortKey::SectionPosition;
            let query =
                ListQuery { section, sort, direction, cursor, limit: 2, ..ListQuery::default() };
            let page = store.list(query).await.unwrap();
            seen.extend(page.items.iter().map(|row| row.id));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, order);
        order.reverse();
    }
}

#[tokio::test]
async fn a_project_is_listed_and_an_unknown_one_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (a, b) = (thread(&store).await, thread(&store).await);
    let new = NewProject {
        key: "k".into(),
        name: "P".into(),
        roots: vec!["/work".into()],
        metadata: std::collections::BTreeMap::default(),
        threads: vec![a, ThreadId::new()],
    };
    let (project, is_new, threads) = store.create_project(new.clone()).await.unwrap();
    assert_eq!((is_new, threads), (true, vec![a]));
    assert!(!store.create_project(new).await.unwrap().1);
    let of = |project: &str| ListQuery {
        project: Some(project.into()),
        limit: 9,
        ..ListQuery::default()
    };
    assert_eq!(ids(&store, of(&project.id)).await, [a]);
    let update =
        ThreadUpdate { project: Some(Some(project.id.clone())), ..ThreadUpdate::default() };
    store.update_thread(b, update).await.unwrap();
    assert_eq!(ids(&store, of(&project.id)).await.len(), 2);
    let only = ListQuery { included: Some(vec![b]), ..of(&project.id) };
    assert_eq!(ids(&store, only).await, [b]);
    assert!(store.project_recency().await.unwrap().contains_key(&project.id));
    let error = store.list(of("none")).await.unwrap_err();
    assert_eq!(error.to_string(), "project not found: none");
}

use super::*;

fn ids(count: u8) -> Vec<ThreadId> {
    (1..=count)
        .map(|n| {
            ThreadId::parse(&format!("01990000-0000-7000-8000-0000000000{n:02}")).expect("a UUID")
        })
        .collect()
}

fn page(
    ids: &[ThreadId],
    limit: Option<u32>,
    cursor: Option<&ThreadId>,
) -> ThreadLoadedListResponse {
    let cursor = cursor.map(ThreadId::to_string);
    page_of_ids(ids, &ThreadLoadedListParams { cursor, limit }).expect("a cursor of ours")
}

#[test]
fn pages_of_loaded_threads_join_to_the_whole() {
    let ids = ids(5);
    let whole: Vec<String> = ids.iter().map(ThreadId::to_string).collect();
    assert_eq!(page(&ids, None, None).data, whole);
    let first = page(&ids, Some(2), None);
    assert_eq!(first.next_cursor.as_deref(), Some(&*whole[1]));
    let second = page(&ids, Some(2), Some(&ids[1]));
    let third = page(&ids, Some(2), Some(&ids[3]));
    assert_eq!([first.data, second.data, third.data].concat(), whole);
    assert_eq!(third.next_cursor, None);
}

#[test]
fn a_limit_of_nothing_counts_as_one() {
    assert_eq!(page(&ids(3), Some(0), None).data.len(), 1);
}

#[test]
fn a_cursor_outlives_its_thread() {
    let mut ids = ids(3);
    let gone = ids.remove(1);
    assert_eq!(page(&ids, None, Some(&gone)).data, [ids[1].to_string()]);
}

#[test]
fn a_cursor_that_is_none_is_refused() {
    let params = ThreadLoadedListParams { cursor: Some("junk".into()), limit: None };
    let error = page_of_ids(&[], &params).expect_err("junk is no id");
    assert_eq!((error.code(), error.message()), (-32600, "invalid cursor: junk"));
}

#[test]
fn what_a_list_cannot_filter_by_is_refused_and_not_ignored() {
    let attached = Some("00000000-0000-7000-8000-000000000001".into());
    let params = ThreadListParams { attached_to_thread_id: attached, ..Default::default() };
    let error = query(params).expect_err("nothing is attached to threads yet");
    assert_eq!(error.message(), "thread/list.attachedToThreadId is not supported yet");
}

#[test]
fn a_list_is_newest_first_unless_the_client_says_otherwise() {
    let usual = query(ThreadListParams::default()).expect("fine");
    assert_eq!(
        (usual.sort, usual.direction, usual.limit),
        (SortKey::CreatedAt, Direction::Descending, 25)
    );
    let asked = ThreadListParams {
        sort_key: Some(ThreadSortKey::UpdatedAt),
        sort_direction: Some(SortDirection::Asc),
        cwd: Some(ThreadListCwdFilter::One("/w".into())),
        ..ThreadListParams::default()
    };
    let asked = query(asked).expect("fine");
    assert_eq!((asked.sort, asked.direction), (SortKey::UpdatedAt, Direction::Ascending));
    assert_eq!(asked.cwds, Some(vec!["/w".into()]));
}

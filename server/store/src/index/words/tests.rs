use super::*;

#[test]
fn what_is_special_in_a_pattern_stands_for_itself() {
    assert_eq!(like("a"), "%a%");
    assert_eq!(like("100%_\\"), "%100\\%\\_\\\\%");
}

#[test]
fn the_built_in_database_can_search_words() {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch("CREATE VIRTUAL TABLE t USING fts5 (w, tokenize = 'trigram')")
        .unwrap();
}

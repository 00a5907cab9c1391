use super::*;

#[test]
fn the_same_line_counts_once_and_another_with_its_number_counts_too() {
    let mut once = Once::default();
    assert!(once.is_new(1, b"{\"a\":1}"));
    assert!(!once.is_new(1, b"{\"a\":1}"));
    assert!(once.is_new(1, b"{\"a\":2}"));
    assert!(once.is_new(2, b"{\"a\":1}"));
}

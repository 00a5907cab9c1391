use super::*;

fn at(file: &str, wanted: &[&str], from: usize, place: Place) -> Option<usize> {
    let lines: Vec<&[u8]> = file.split('|').map(str::as_bytes).collect();
    find(&lines, wanted, from, place)
}

#[test]
fn the_first_match_at_or_below_the_start_is_taken() {
    assert_eq!(at("a|b|a|b", &["a", "b"], 0, Place::After), Some(0));
    assert_eq!(at("a|b|a|b", &["a", "b"], 1, Place::After), Some(2));
    assert_eq!(at("a|b|a|b", &["a", "b"], 3, Place::After), None);
    assert_eq!(at("a", &["a", "b"], 0, Place::After), None);
}

#[test]
fn a_strict_match_below_wins_over_a_forgiving_one_above() {
    assert_eq!(at("  a|a ", &["a"], 0, Place::After), Some(1));
    assert_eq!(at("  a|a |a", &["a"], 0, Place::After), Some(2));
}

#[test]
fn white_space_is_forgiven_at_the_ends_only() {
    assert_eq!(at("x|a  ", &["a"], 0, Place::After), Some(1));
    assert_eq!(at("x|\ta", &["a"], 0, Place::After), Some(1));
    assert_eq!(at("x|a b", &["a  b"], 0, Place::After), None);
}

#[test]
fn typographic_signs_count_as_plain_ones() {
    assert_eq!(at("“a” – b’s\u{a0}c", &["\"a\" - b's c"], 0, Place::After), Some(0));
    assert_eq!(at("\"a\" - b's c", &["“a” – b’s\u{a0}c"], 0, Place::After), Some(0));
    assert_eq!(at("ä", &["a"], 0, Place::After), None);
}

#[test]
fn the_end_is_preferred_when_it_is_asked_for() {
    assert_eq!(at("a|b|a", &["a"], 0, Place::End), Some(2));
    assert_eq!(at("a|b|c", &["a"], 0, Place::End), Some(0));
    assert_eq!(at("a|b", &["a", "b"], 1, Place::End), None);
}

#[test]
fn bytes_that_are_no_text_match_only_as_they_are() {
    let file: [&[u8]; 2] = [b"\xff\xfe", b"a "];
    assert_eq!(find(&file, &["a"], 0, Place::After), Some(1));
    assert_eq!(find(&file, &["\u{fffd}"], 0, Place::After), None);
}

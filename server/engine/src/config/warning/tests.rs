use std::path::Path;

use super::{ConfigWarning, TextPosition, TextRange};

fn position(line: usize, column: usize) -> TextPosition {
    TextPosition { line, column }
}

#[test]
fn a_place_counts_lines_and_characters_from_one_and_includes_its_end() {
    let text = "é = 1\nmode = \"né\"\n";
    let start = text.find("\"né\"").unwrap();
    let warning = ConfigWarning::at(Path::new("/h/c.toml"), text, Some(start..start + 5), "bad");
    assert_eq!(warning.details.as_deref(), Some("/h/c.toml:2:8: bad"));
    assert_eq!(warning.range, Some(TextRange { start: position(2, 8), end: position(2, 11) }));
    assert_eq!(warning.summary, "Invalid configuration; using defaults.");
}

#[test]
fn an_empty_place_starts_and_ends_at_the_same_character() {
    let warning = ConfigWarning::at(Path::new("/c"), "ab\n", Some(2..2), "open");
    assert_eq!(warning.range, Some(TextRange { start: position(1, 3), end: position(1, 3) }));
}

#[test]
fn a_fault_without_a_place_names_the_file_alone() {
    let warning = ConfigWarning::at(Path::new("/c"), "", None, "not readable");
    assert_eq!((warning.reason(), warning.range), ("/c: not readable", None));
}

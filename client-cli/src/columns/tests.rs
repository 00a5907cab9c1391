use super::{fit, width, wrap};

/// Texts of several scripts.
fn texts() -> [&'static str; 5] {
    ["", "plain words", "请创建 README.md，内容如下", "e\u{301}te\u{301}", "🦀 crab"]
}

#[test]
fn wide_characters_take_two_columns_and_marks_none() {
    assert_eq!(width("abc"), 3);
    assert_eq!(width("请创建"), 6);
    assert_eq!(width("，"), 2);
    assert_eq!(width("e\u{301}"), 1);
    assert_eq!(width("🦀"), 2);
}

#[test]
fn a_cell_has_exactly_its_columns() {
    for text in texts() {
        for columns in 1..20 {
            assert_eq!(width(&fit(text, columns)), columns, "{text:?} in {columns}");
        }
    }
    assert_eq!(fit("abcdef", 4), "abc…");
    assert_eq!(fit("请创建", 4), "请… ");
    assert_eq!(fit("ab", 4), "ab  ");
}

#[test]
fn no_line_is_wider_than_asked_and_no_word_is_lost() {
    for text in texts() {
        for columns in 2..20 {
            let lines = wrap(text, columns);
            assert!(lines.iter().all(|line| width(line) <= columns), "{lines:?}");
            let bare = |text: &str| text.replace([' ', '\n'], "");
            assert_eq!(bare(&lines.concat()), bare(text));
        }
    }
}

#[test]
fn lines_break_after_a_blank_where_there_is_one() {
    assert_eq!(wrap("one two three", 8), ["one two", "three"]);
    assert_eq!(wrap("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
}

use super::{Board, Seen, Side};

fn seen(text: &str) -> Seen {
    Seen { who: "you", text: text.to_owned() }
}

#[test]
fn the_same_thing_stands_in_one_row_however_late_the_other_side_saw_it() {
    let mut board = Board::default();
    board.saw(Side::Left, "a", seen("1st"));
    board.saw(Side::Left, "b", seen("2nd"));
    board.saw(Side::Right, "a", seen("1st"));
    board.saw(Side::Right, "b", seen("2nd"));
    let expected = "you    1st │ you    1st\nyou    2nd │ you    2nd\n";
    assert_eq!(board.take(23), expected);
}

#[test]
fn what_only_one_side_did_leaves_the_other_cell_empty() {
    let mut board = Board::default();
    board.did(Side::Right, "yes");
    board.did(Side::Left, "more");
    assert_eq!(board.take(25), "            │ >      yes\n>      more │\n");
}

#[test]
fn the_same_key_twice_makes_two_rows() {
    let mut board = Board::default();
    board.saw(Side::Left, "a", seen("1"));
    board.saw(Side::Left, "a", seen("2"));
    assert_eq!(board.take(23), "you    1   │\nyou    2   │\n");
}

#[test]
fn long_and_wide_texts_stay_in_their_columns_under_their_word() {
    let mut board = Board::default();
    board.saw(Side::Left, "a", seen("已创建 README.md（62 字节）。"));
    board.saw(Side::Right, "a", seen("x"));
    let expected = "you    已创建          │ you    x\n\
                    \u{20}      README.md（62   │\n\
                    \u{20}      字节）。        │\n";
    assert_eq!(board.take(47), expected);
}

#[test]
fn what_was_taken_is_forgotten() {
    let mut board = Board::default();
    board.did(Side::Left, "x");
    board.take(20);
    assert_eq!(board.take(20), "");
}

use super::{Board, Side};

#[test]
fn the_same_thing_stands_in_one_row_however_late_the_other_side_saw_it() {
    let mut board = Board::default();
    board.saw(Side::Left, "a", "first");
    board.saw(Side::Left, "b", "second");
    board.saw(Side::Right, "a", "first");
    board.saw(Side::Right, "b", "second");
    assert_eq!(board.take(23), "first      │ first\nsecond     │ second\n");
}

#[test]
fn what_only_one_side_did_leaves_the_other_cell_empty() {
    let mut board = Board::default();
    board.did(Side::Right, "yes");
    board.did(Side::Left, "more");
    assert_eq!(board.take(23), "           │ > yes\n> more     │\n");
}

#[test]
fn the_same_key_twice_makes_two_rows() {
    let mut board = Board::default();
    board.saw(Side::Left, "a", "1");
    board.saw(Side::Left, "a", "2");
    assert_eq!(board.take(23), "1          │\n2          │\n");
}

#[test]
fn long_and_wide_texts_stay_in_their_columns() {
    let mut board = Board::default();
    board.saw(Side::Left, "a", "已创建 README.md（62 字节）。");
    board.saw(Side::Right, "a", "x");
    let text = board.take(33);
    assert_eq!(text, "已创建          │ x\nREADME.md（62   │\n字节）。        │\n");
}

#[test]
fn what_was_taken_is_forgotten() {
    let mut board = Board::default();
    board.did(Side::Left, "x");
    board.take(20);
    assert_eq!(board.take(20), "");
}

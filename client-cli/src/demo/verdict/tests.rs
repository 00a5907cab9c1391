use serde_json::json;
use spindle_schema::v2::{ThreadItem, Turn};

use super::{Check, comes_before, difference, items_of, summary};

fn message(id: &str, text: &str) -> ThreadItem {
    serde_json::from_value(json!({"type": "agentMessage", "id": id, "text": text})).unwrap()
}

#[test]
fn the_summary_is_good_only_when_every_check_holds() {
    let good = Check::that("water is wet", true, || unreachable!("it holds"));
    let bad = Check::that("one is two", false, || "one\nis one".to_owned());
    assert_eq!(
        summary(std::slice::from_ref(&good)),
        ("ok    water is wet\n\nAll 1 checks hold.\n".to_owned(), true)
    );
    let (text, holds) = summary(&[good, bad]);
    assert!(!holds);
    assert_eq!(
        text,
        "ok    water is wet\nFAIL  one is two\n      one\n      is one\n\n\
         1 of 2 checks do not hold.\n"
    );
}

#[test]
fn items_differ_by_id_by_text_and_by_number() {
    let one = [message("a", "x"), message("b", "y")];
    assert_eq!(difference(&one, &one), None);
    assert!(difference(&one, &[message("a", "x"), message("c", "y")]).is_some());
    assert!(difference(&one, &[message("a", "x"), message("b", "z")]).is_some());
    let missing = difference(&one, &one[..1]).unwrap();
    assert_eq!(missing, r#"item 1: "b y" against "nothing""#);
}

#[test]
fn the_order_of_words_is_found() {
    let items = [message("a", "be careful"), message("b", "done")];
    assert!(comes_before(&items, "careful", "done"));
    assert!(!comes_before(&items, "done", "careful"));
    assert!(!comes_before(&items, "careful", "missing"));
}

#[test]
fn a_turn_is_found_by_its_id() {
    let turn: Turn = serde_json::from_value(
        json!({"id": "u", "status": "completed", "items": [message("a", "x")]}),
    )
    .unwrap();
    assert_eq!(items_of(std::slice::from_ref(&turn), "u").len(), 1);
    assert!(items_of(&[turn], "v").is_empty());
}

use super::{Kept, fit, middle_out, tokens_of};
use proptest::prelude::*;

fn whole(text: &str) -> Kept<'_> {
    Kept { text, total_bytes: text.len() as u64, omitted_bytes: 0 }
}

fn numbers(up_to: u32) -> String {
    let lines: Vec<String> = (1..=up_to).map(|n| n.to_string()).collect();
    lines.join("\n") + "\n"
}

#[test]
fn output_that_fits_is_given_as_it_is() {
    assert_eq!(fit(&whole("a\nb\n"), 10_000), "a\nb\n");
}

/// The figures of a recorded command: 20,000 lines against a budget of 10,000 tokens.
#[test]
fn output_that_does_not_fit_keeps_its_ends_and_says_what_is_missing() {
    let text = numbers(20_000);
    let cut = fit(&whole(&text), 10_000);
    assert!(cut.starts_with(
        "Warning: truncated output (original token count: 27224)\nTotal output lines: 20000\n\n1\n2\n"
    ));
    assert!(cut.contains("…17224 tokens truncated…"));
    assert!(cut.ends_with("19999\n20000\n"));
}

#[test]
fn output_of_which_the_middle_was_not_kept_says_how_much() {
    let text = numbers(100);
    let kept = Kept { text: &text, total_bytes: 1_988_895, omitted_bytes: 940_319 };
    let cut = fit(&kept, 10);
    assert!(cut.contains("original token count: 497224"), "{cut}");
    assert!(cut.contains("... 940319 bytes omitted ..."), "{cut}");
}

#[test]
fn a_budget_of_nothing_leaves_only_the_mark() {
    let cut = fit(&whole("hello"), 0);
    assert!(cut.ends_with("\n\n…2 tokens truncated…"), "{cut}");
}

#[test]
fn estimates_round_up() {
    assert_eq!([0, 1, 4, 5, 56].map(tokens_of), [0, 1, 1, 2, 14]);
}

proptest! {
    #[test]
    fn cutting_never_splits_a_character_nor_exceeds_the_limit(text in "\\PC{0,400}", max in 64_usize..300) {
        let cut = middle_out(&text, max);
        prop_assert!(cut.len() <= max || cut == text);
        prop_assert_eq!(cut == text, text.len() <= max);
        let _ = fit(&whole(&text), (max / 8) as u64);
    }
}

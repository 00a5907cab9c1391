use proptest::prelude::*;

use super::*;

proptest! {
    /// Pages of any size, from either end, give every entry once and in order.
    #[test]
    fn pages_give_every_entry_once(count in 0u64..40, limit in 1usize..9, ascending: bool) {
        let entries: Vec<u64> = (0..count).map(|at| at * 3 + 1).collect();
        let direction = if ascending { Direction::Ascending } else { Direction::Descending };
        let mut anchor = None;
        let mut seen = Vec::new();
        loop {
            let window = Window { anchor, direction, limit };
            let (chosen, more) = window.choose(entries.iter(), |entry| *entry);
            prop_assert!(chosen.len() <= limit);
            seen.extend(chosen.iter().map(|entry| **entry));
            let Some(last) = chosen.last().filter(|_| more) else { break };
            anchor = Some(Anchor { ordinal: **last, included: false });
        }
        if !ascending {
            seen.reverse();
        }
        prop_assert_eq!(seen, entries);
    }
}

#[test]
fn a_walk_from_the_end_goes_one_entry_further_than_the_page() {
    let window = Window { anchor: None, direction: Direction::Descending, limit: 2 };
    assert!(!window.is_full(2, [8, 9].into_iter()));
    assert!(window.is_full(3, [7, 8, 9].into_iter()));
    let anchor = Some(Anchor { ordinal: 8, included: false });
    let window = Window { anchor, direction: Direction::Descending, limit: 2 };
    assert!(!window.is_full(3, [7, 8, 9].into_iter()));
    let window = Window { anchor, direction: Direction::Ascending, limit: 2 };
    assert!(!window.is_full(1, [9].into_iter()));
    assert!(window.is_full(2, [8, 9].into_iter()));
}

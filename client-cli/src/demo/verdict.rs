//! Whether the story went as it should. Pure.

use spindle_schema::v2::{ThreadItem, Turn};

use crate::client::{item_id, render_item};

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Check {
    /// What should be so.
    pub(super) claim: &'static str,
    /// Nothing when it is so; else what was seen instead.
    pub(super) fault: Option<String>,
}

impl Check {
    /// Checks that something is so; `seen` is what is told otherwise.
    pub(super) fn that(claim: &'static str, holds: bool, seen: impl FnOnce() -> String) -> Self {
        Self { claim, fault: (!holds).then(seen) }
    }

    fn line(&self) -> String {
        match &self.fault {
            None => format!("ok    {}", self.claim),
            Some(fault) => {
                format!("FAIL  {}\n      {}", self.claim, fault.replace('\n', "\n      "))
            }
        }
    }
}

/// The summary, and whether all is well.
pub(super) fn summary(checks: &[Check]) -> (String, bool) {
    let mut lines: Vec<String> = checks.iter().map(Check::line).collect();
    let failed = checks.iter().filter(|check| check.fault.is_some()).count();
    lines.push(match failed {
        0 => format!("\nAll {} checks hold.\n", checks.len()),
        _ => format!("\n{failed} of {} checks do not hold.\n", checks.len()),
    });
    (lines.join("\n"), failed == 0)
}

/// What a person can tell two items apart by.
fn traits(item: &ThreadItem) -> String {
    let text = render_item(item).map(|shown| shown.whole()).unwrap_or_default();
    format!("{} {text}", item_id(item))
}

/// The first place where two lists of items differ.
pub(super) fn difference(left: &[ThreadItem], right: &[ThreadItem]) -> Option<String> {
    let (left, right): (Vec<_>, Vec<_>) =
        (left.iter().map(traits).collect(), right.iter().map(traits).collect());
    let at = (0..left.len().max(right.len())).find(|at| left.get(*at) != right.get(*at))?;
    let side = |items: &[String]| items.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
    Some(format!("item {at}: {:?} against {:?}", side(&left), side(&right)))
}

/// The items of one turn, out of a list of turns.
pub(super) fn items_of<'a>(turns: &'a [Turn], id: &str) -> &'a [ThreadItem] {
    turns.iter().find(|turn| turn.id == id).map_or(&[], |turn| &turn.items)
}

/// Whether the words came before the first item that holds the other words.
pub(super) fn comes_before(items: &[ThreadItem], words: &str, others: &str) -> bool {
    let place = |words: &str| {
        items
            .iter()
            .position(|item| render_item(item).is_some_and(|shown| shown.whole().contains(words)))
    };
    matches!((place(words), place(others)), (Some(first), Some(second)) if first < second)
}

#[cfg(test)]
mod tests;

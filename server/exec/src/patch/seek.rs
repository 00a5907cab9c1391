//! Finds the lines of a patch in a file, with growing forgiveness.

use std::borrow::Cow;

/// How lines are compared, from strict to forgiving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Exact,
    TrailingSpace,
    Trimmed,
    /// Trimmed, and typographic signs count as their plain form.
    Folded,
}

const LIKENESSES: [Likeness; 4] =
    [Likeness::Exact, Likeness::TrailingSpace, Likeness::Trimmed, Likeness::Folded];

/// Where the lines should stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Anywhere from the given line on.
    After,
    /// At the file's end; if they are not there, anywhere from the given line on.
    End,
}

/// Returns the first line of `file` at which `wanted` stands, at `from` or below.
///
/// A stricter match below wins over a more forgiving one above.
pub(super) fn find(file: &[&[u8]], wanted: &[&str], from: usize, place: Place) -> Option<usize> {
    let last = file.len().checked_sub(wanted.len())?;
    let folded: Vec<String> = wanted.iter().map(|line| fold(line.trim()).into_owned()).collect();
    for likeness in LIKENESSES {
        let fits = |start: &usize| {
            let lines = file.get(*start..).unwrap_or_default();
            let pairs = wanted.iter().zip(&folded).zip(lines);
            pairs.into_iter().all(|((line, folded), have)| alike(likeness, have, line, folded))
        };
        let at_end = (place == Place::End && last >= from).then_some(last).filter(fits);
        let found = at_end.or_else(|| (from..=last).find(fits));
        if found.is_some() {
            return found;
        }
    }
    None
}

fn alike(likeness: Likeness, have: &[u8], wanted: &str, folded: &str) -> bool {
    let bytes = wanted.as_bytes();
    match likeness {
        Likeness::Exact => have == bytes,
        Likeness::TrailingSpace => have.trim_ascii_end() == bytes.trim_ascii_end(),
        Likeness::Trimmed => have.trim_ascii() == bytes.trim_ascii(),
        Likeness::Folded => std::str::from_utf8(have).is_ok_and(|have| fold(have.trim()) == folded),
    }
}

/// Replaces dashes, quotes and spaces of typesetting by those of the keyboard.
fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |c: char| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}'..='\u{201b}' | '\u{2032}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' => '"',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        _ => c,
    };
    Cow::Owned(text.chars().map(plain).collect())
}

#[cfg(test)]
mod tests;

//! What the shell reads otherwise than the parser does. Pure.
//!
//! Rules rest on seeing what a shell would run, so each known difference is made up for here: where
//! the two differ, what stands in either reading is found.

use tree_sitter::{Node, Tree};

use super::word::slice;

/// Returns the text as the shell reads it where the parser is known to read it otherwise; what
/// stands in either of them is found.
///
/// The parser takes a backslash at a line's end for a space, where the shell joins two lines; and
/// it takes a line that starts with a backslash for a part of the line above.
pub(super) fn other_reading(text: &str, tree: &Tree) -> Option<String> {
    let joined = splits_a_word(text).then(|| text.replace("\\\n", ""));
    let continues = swallows_a_line(tree, text);
    let parted = |text: &str| text.replace("\n\\", "\n \\");
    match (joined, continues) {
        (None, false) => None,
        (None, true) => Some(parted(text)),
        (Some(joined), _) => Some(parted(&joined)),
    }
}

/// Tells whether a line continuation stands inside a word.
fn splits_a_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(2).enumerate().any(|(at, pair)| {
        let before = at.checked_sub(1).and_then(|i| bytes.get(i));
        let after = bytes.get(at + 2);
        let is_word = |b: Option<&u8>| b.is_some_and(|b| !b.is_ascii_whitespace());
        pair == b"\\\n" && is_word(before) && is_word(after)
    })
}

/// Tells whether the parser read a word that starts with a line end.
fn swallows_a_line(tree: &Tree, text: &str) -> bool {
    if !text.contains("\n\\") {
        return false;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if slice(text, node.start_byte(), node.end_byte()).starts_with("\n\\") {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// A here-document as the shell takes it.
pub(super) struct Document<'a> {
    /// Its text.
    pub(super) body: &'a str,
    /// Whether its text is taken as it is, without substitutions.
    pub(super) quoted: bool,
    /// Whether the parser takes commands behind it for a part of it.
    pub(super) swallows: bool,
}

/// Finds the here-document of a redirection: from the line below its mark to its closing word, or
/// to the end of the script.
///
/// Not the parser's own body: that loses a first line which starts with a backslash, and may end
/// elsewhere.
pub(super) fn here_document<'a>(redirect: Node<'_>, text: &'a str) -> Option<Document<'a>> {
    let mut cursor = redirect.walk();
    let mut parts = redirect.named_children(&mut cursor);
    let mark = parts.find(|part| part.kind() == "heredoc_start")?;
    let spelled = slice(text, mark.start_byte(), mark.end_byte());
    let word: String = spelled.chars().filter(|c| !"'\"\\".contains(*c)).collect();
    let quoted = word.len() < spelled.len();
    let below = slice(text, mark.end_byte(), text.len()).split_once('\n')?.1;
    let start = text.len() - below.len();
    let indented = slice(text, redirect.start_byte(), mark.start_byte()).contains("<<-");
    let mut end = start;
    for line in below.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let bare = if indented { bare.trim_start_matches('\t') } else { bare };
        if bare == word {
            let behind = slice(text, end + line.len(), redirect.end_byte());
            let swallows = !behind.trim().is_empty();
            return Some(Document { body: slice(text, start, end), quoted, swallows });
        }
        end += line.len();
    }
    Some(Document { body: below, quoted, swallows: false })
}

/// Returns the scripts in `$(…)` and in backticks.
pub(super) fn substitutions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '`', '$']) {
        let tail = rest.get(at + 1..).unwrap_or_default();
        match rest.as_bytes().get(at) {
            Some(b'`') => match unescaped_backtick(tail) {
                Some(end) => {
                    found.push(unescape(tail.get(..end).unwrap_or_default()));
                    rest = tail.get(end + 1..).unwrap_or_default();
                }
                None => rest = tail,
            },
            Some(b'$') => {
                if let Some(inner) = tail.strip_prefix('(') {
                    found.push(inner.get(..closing(inner)).unwrap_or_default().to_owned());
                }
                rest = tail;
            }
            // A backslash takes the meaning of what follows, which may be any character.
            _ => {
                rest =
                    tail.get(tail.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
            }
        }
    }
    found
}

fn unescaped_backtick(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let found = byte == b'`' && !escaped;
        escaped = byte == b'\\' && !escaped;
        found
    })
}

/// Takes off one level of backslashes, as backticks do.
fn unescape(text: &str) -> String {
    text.replace("\\\\", "\\").replace("\\`", "`").replace("\\$", "$")
}

/// Returns the place of the bracket that closes, or the end of the text.
fn closing(text: &str) -> usize {
    let mut open = 1;
    let end = text.bytes().position(|byte| {
        open += i32::from(byte == b'(') - i32::from(byte == b')');
        open == 0
    });
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests;

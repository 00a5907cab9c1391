//! One word of a command, as far as its text can be told without running a shell.

use tree_sitter::Node;

/// How much is known about what a word becomes when the shell runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// The text is exactly what the program gets.
    Exact,
    /// It becomes one word of unknown text, such as `"$HOME/x"`.
    OneWord,
    /// It becomes any number of words of unknown text, such as `$X`, `*.rs` or `{a,b}`.
    AnyWords,
}

/// One word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word without its quotes. Where it is not exact, expansions stand as they are written.
    pub text: String,
    /// Whether `text` is what the program gets.
    pub known: Known,
}

impl Word {
    /// Makes a word whose text is known.
    pub fn exact(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: Known::Exact }
    }

    /// Makes a word that stands for anything, any number of times.
    pub fn anything() -> Self {
        Self { text: String::new(), known: Known::AnyWords }
    }

    /// Returns the text when it is exact.
    pub fn as_exact(&self) -> Option<&str> {
        (self.known == Known::Exact).then_some(self.text.as_str())
    }

    /// Returns the part after the last slash when that part is known: `"$X"/bin/rm` gives `rm`.
    pub fn base_name(&self) -> Option<&str> {
        let (folder, name) = match self.text.rsplit_once('/') {
            Some((folder, name)) => (Some(folder), name),
            None => (None, self.text.as_str()),
        };
        let known = self.known == Known::Exact || (folder.is_some() && !has_expansion(name));
        (known && !name.is_empty()).then_some(name)
    }
}

fn has_expansion(text: &str) -> bool {
    text.contains(['$', '`', '*', '?', '[', ']', '{', '}', ')', '('])
}

/// Text under construction together with what is known of it.
struct Draft<'a> {
    source: &'a str,
    text: String,
    known: Known,
    /// Whether a brace stands outside quotes: `{a,b}` becomes two words.
    brace: bool,
}

/// Reads the word that `node` spells in `source`.
pub(super) fn decode(node: Node<'_>, source: &str) -> Word {
    let mut draft = Draft { source, text: String::new(), known: Known::Exact, brace: false };
    draft.push(node);
    let spelled = slice(source, node.start_byte(), node.end_byte());
    if draft.brace && (spelled.contains(',') || spelled.contains("..")) {
        draft.known = Known::AnyWords;
    }
    Word { text: draft.text, known: draft.known }
}

impl Draft<'_> {
    fn push(&mut self, node: Node<'_>) {
        let spelled = slice(self.source, node.start_byte(), node.end_byte());
        match node.kind() {
            "word" | "command_name" | "number" | "variable_name" | "special_variable_name"
                if node.named_child_count() == 0 =>
            {
                self.push_bare(spelled);
            }
            "command_name" | "translated_string" | "concatenation" => self.push_parts(node),
            "raw_string" => self.text.push_str(strip(spelled, "'")),
            "string" => self.push_quoted(node, spelled),
            "ansi_c_string" => self.push_ansi(spelled),
            _ if !node.is_named() => self.push_bare(spelled),
            _ => self.push_unknown(spelled, Known::AnyWords),
        }
    }

    /// Pushes the children of `node`, and the text between them as bare text.
    fn push_parts(&mut self, node: Node<'_>) {
        let end = node.end_byte();
        let mut at = node.start_byte();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            self.push_bare(slice(self.source, at, child.start_byte()));
            if !is_translation(child) {
                self.push(child);
            }
            at = child.end_byte();
        }
        self.push_bare(slice(self.source, at, end));
    }

    /// Text outside quotes: a backslash takes the next character as it is, globs are unknown.
    fn push_bare(&mut self, spelled: &str) {
        let mut chars = spelled.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('\n') | None => {}
                    Some(next) => self.text.push(next),
                },
                '*' | '?' | '[' => self.push_unknown(c.encode_utf8(&mut [0; 4]), Known::AnyWords),
                '{' | '}' => {
                    self.brace = true;
                    self.text.push(c);
                }
                '$' | '`' => self.push_unknown(c.encode_utf8(&mut [0; 4]), Known::AnyWords),
                _ => self.text.push(c),
            }
        }
    }

    /// A text in double quotes: its expansions give one word, save for the lists.
    fn push_quoted(&mut self, node: Node<'_>, spelled: &str) {
        let open = if spelled.starts_with('$') { 2 } else { 1 };
        let end = node.end_byte() - usize::from(spelled.len() > open && spelled.ends_with('"'));
        let mut at = (node.start_byte() + open).min(end);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind() == "string_content" || child.start_byte() < at {
                continue;
            }
            self.push_double(slice(self.source, at, child.start_byte()));
            let expansion = slice(self.source, child.start_byte(), child.end_byte());
            let list = expansion.contains('@') && child.kind() != "command_substitution";
            self.push_unknown(expansion, if list { Known::AnyWords } else { Known::OneWord });
            at = child.end_byte();
        }
        self.push_double(slice(self.source, at, end));
    }

    fn push_double(&mut self, spelled: &str) {
        let mut chars = spelled.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some(next @ ('$' | '`' | '"' | '\\')) => self.text.push(next),
                    Some('\n') => {}
                    Some(next) => self.text.extend(['\\', next]),
                    None => self.text.push('\\'),
                },
                // The parser leaves a lone dollar in the text; what follows may still expand.
                '`' => self.push_unknown("`", Known::OneWord),
                _ => self.text.push(c),
            }
        }
    }

    /// `$'…'` with the escapes that matter for hiding a name; any other makes it unknown.
    fn push_ansi(&mut self, spelled: &str) {
        let inner = spelled.strip_prefix("$'").unwrap_or(spelled);
        let mut chars = inner.strip_suffix('\'').unwrap_or(inner).chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                self.text.push(c);
                continue;
            }
            let escaped = match chars.next() {
                Some('n') => Some('\n'),
                Some('t') => Some('\t'),
                Some('r') => Some('\r'),
                Some('e' | 'E') => Some('\u{1b}'),
                Some('x') => digits(&mut chars, 16, 2, 0),
                Some('u') => digits(&mut chars, 16, 4, 0),
                Some('U') => digits(&mut chars, 16, 8, 0),
                Some(d @ '0'..='7') => digits(&mut chars, 8, 2, d.to_digit(8).unwrap_or(0)),
                Some(same @ ('\\' | '\'' | '"' | '?')) => Some(same),
                _ => None,
            };
            match escaped {
                Some(escaped) => self.text.push(escaped),
                None => self.known = self.known.max(Known::OneWord),
            }
        }
    }

    fn push_unknown(&mut self, spelled: &str, known: Known) {
        self.text.push_str(spelled);
        self.known = self.known.max(known);
    }
}

/// Tells whether `node` is the dollar of `$"…"`, which says only that the text is translated.
pub(super) fn is_translation(node: Node<'_>) -> bool {
    // Looking for a neighbour starts at the tree's root, so only for a dollar.
    let is_quoted = |n: Node<'_>| n.kind() == "string" && n.start_byte() == node.end_byte();
    node.kind() == "$" && node.next_sibling().is_some_and(is_quoted)
}

fn digits(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    radix: u32,
    most: usize,
    start: u32,
) -> Option<char> {
    let mut value = start;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        value = value.checked_mul(radix)?.checked_add(digit)?;
        chars.next();
    }
    char::from_u32(value)
}

fn strip<'a>(text: &'a str, quote: &str) -> &'a str {
    let text = text.strip_prefix(quote).unwrap_or(text);
    text.strip_suffix(quote).unwrap_or(text)
}

/// Cuts `source[from..to]`; empty where the range is no text.
pub(super) fn slice(source: &str, from: usize, to: usize) -> &str {
    source.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests;

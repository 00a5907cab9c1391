//! A position in a person's text, for rules that look at what comes next.

/// Characters that end a clause of their own.
const CLAUSE_ENDS: [char; 9] = ['\n', ';', '。', '；', '，', ',', '！', '？', '!'];
/// Words that begin the next request.
const LINKS: [&str; 8] =
    ["and then ", "then ", "after that ", "然后", "接着", "随后", "之后再", "最后"];
/// Quotation marks, opening and closing.
const QUOTES: [(char, char); 8] = [
    ('`', '`'),
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('‘', '’'),
    ('「', '」'),
    ('『', '』'),
    ('《', '》'),
];
const FENCE: &str = "```";

/// A position in a text. Words are compared without regard to case.
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// The same text in small letters: only ASCII is changed, so that positions agree.
    lower: String,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, lower: text.to_ascii_lowercase(), at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Runs a rule; a rule that does not fit leaves the position as it was.
    pub(super) fn attempt<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let result = rule(self);
        if result.is_none() {
            self.at = before;
        }
        result
    }

    /// Passes over blanks, not over line ends.
    pub(super) fn skip_blanks(&mut self) {
        self.skip_while(|c| c == ' ' || c == '\t');
    }

    pub(super) fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(wanted).len();
    }

    /// Passes over one of the phrases, the first that fits, and blanks around it. A phrase of
    /// letters must not be the beginning of a longer word.
    pub(super) fn eat(&mut self, phrases: &[&str]) -> bool {
        let before = self.at;
        self.skip_blanks();
        let rest = &self.lower[self.at..];
        let fits = |phrase: &&&str| {
            rest.strip_prefix(**phrase).is_some_and(|after| {
                !phrase.ends_with(|c: char| c.is_ascii_alphanumeric()) || !goes_on(after)
            })
        };
        let Some(phrase) = phrases.iter().find(fits) else {
            self.at = before;
            return false;
        };
        self.at += phrase.len();
        self.skip_blanks();
        true
    }

    /// Passes over any number of the phrases.
    pub(super) fn eat_all(&mut self, phrases: &[&str]) {
        while self.eat(phrases) {}
    }

    /// Takes a text in quotation marks. A closing mark stands before no letter, so that an
    /// apostrophe does not end the text.
    pub(super) fn quoted(&mut self) -> Option<&'a str> {
        self.attempt(|cursor| {
            cursor.skip_blanks();
            let rest = cursor.rest();
            let first = rest.chars().next()?;
            let (open, close) = QUOTES.into_iter().find(|(open, _)| *open == first)?;
            if rest.starts_with(FENCE) {
                return None;
            }
            let inner = &rest[open.len_utf8()..];
            let closes = |at: &usize| {
                let after = &inner[at + close.len_utf8()..];
                !close.is_ascii() || !after.starts_with(|c: char| c.is_ascii_alphanumeric())
            };
            let end = inner.match_indices(close).map(|(at, _)| at).find(closes)?;
            cursor.at += open.len_utf8() + end + close.len_utf8();
            Some(&inner[..end])
        })
    }

    /// Takes a fenced block, without its fences and the word after the first.
    pub(super) fn fenced(&mut self) -> Option<&'a str> {
        self.attempt(|cursor| {
            cursor.skip_while(char::is_whitespace);
            let inner = cursor.rest().strip_prefix(FENCE)?;
            let (_, block) = inner.split_once('\n')?;
            let end = block.find(FENCE)?;
            cursor.at = cursor.text.len() - block.len() + end + FENCE.len();
            Some(&block[..end])
        })
    }

    /// Takes what remains of the line up to a word that begins the next request.
    pub(super) fn until_link(&mut self) -> &'a str {
        self.until(|lower, at, c| c == '\n' || starts_link(lower, at)).trim_end_matches(
            |c: char| c.is_whitespace() || matches!(c, ',' | '，' | '；' | '。' | ';'),
        )
    }

    /// Takes a clause; at least one character, so that reading goes on.
    pub(super) fn clause(&mut self) -> &'a str {
        let clause = self.until(|lower, at, c| {
            CLAUSE_ENDS.contains(&c) || ends_sentence(lower, at, c) || starts_link(lower, at)
        });
        if clause.is_empty() {
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
        clause.trim()
    }

    /// Takes this many bytes.
    pub(super) fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.rest()[..bytes];
        self.at += bytes;
        taken
    }

    /// Takes everything.
    pub(super) fn everything(&mut self) -> &'a str {
        let rest = self.rest();
        self.at = self.text.len();
        rest
    }

    fn until(&mut self, ends: impl Fn(&str, usize, char) -> bool) -> &'a str {
        let rest = self.rest();
        let lower = &self.lower[self.at..];
        let end = rest.char_indices().find(|(at, c)| ends(lower, *at, *c));
        let end = end.map_or(rest.len(), |(at, _)| at);
        self.at += end;
        &rest[..end]
    }
}

/// Whether a word goes on here; `plan.md` is one word.
fn goes_on(after: &str) -> bool {
    let after = after.strip_prefix(['.', '/', '-']).unwrap_or(after);
    after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

fn ends_sentence(lower: &str, at: usize, c: char) -> bool {
    matches!(c, '.' | '?') && lower[at + 1..].chars().next().is_none_or(char::is_whitespace)
}

/// Whether a word that begins the next request stands here, as a word of its own.
fn starts_link(lower: &str, at: usize) -> bool {
    let after_letter = lower[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    LINKS.iter().any(|link| {
        lower[at..].starts_with(link) && !(after_letter && link.starts_with(|c: char| c.is_ascii()))
    })
}

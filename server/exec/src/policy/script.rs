//! Splits a shell script into its simple commands, by a whitelist of syntax.
//!
//! Every command that stands anywhere in the text is found: in lists, blocks, functions and
//! substitutions. Whether the script is nothing but plain commands is said apart.

use std::collections::HashMap;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::misread::{here_document, other_reading, substitutions};
use super::word::{Word, decode, is_translation, slice};

/// What a shell script consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// Every simple command of the text, in the order in which they are written.
    pub commands: Vec<Vec<Word>>,
    /// Whether the script is only plain commands joined by `&&`, `||`, `;`, `|` or new lines,
    /// so that `commands` is all that it does.
    pub plain: bool,
    /// Like `plain`, but with redirections that write no file: to `/dev/null` or to each other.
    pub tidy: bool,
    /// Whether a part could not be read, so that it may run more than `commands` says.
    pub hidden: bool,
    /// Texts that are fed to a command's standard input: here-documents and here-strings.
    pub inputs: Vec<String>,
    /// Scripts in substitutions which the parser does not look into.
    pub nested: Vec<String>,
}

/// Longest script that is read, in bytes.
const MAX_TEXT: usize = 256 * 1024;
/// The parser needs quadratic time and memory for long runs of these; no real script has them.
const MAX_PIPES: usize = 1000;
const MAX_PARENS: usize = 4000;
/// Most bytes that the parser may look at. It looks at some again and again: where text is no
/// script, its scanner runs to the end for every sign.
const MAX_LOOKED_AT: usize = 8 * 1024 * 1024;
/// Bytes that the parser is given at a time.
const PIECE: usize = 256;
/// Progress calls of the parser before it is stopped; about 100 bytes of script each.
const MAX_STEPS: u32 = 3000;
/// Most commands that are kept of one script.
const MAX_COMMANDS: usize = 2000;
/// Most bytes of words that are copied out of one script: nested commands overlap.
const MAX_WORD_BYTES: usize = 4 * 1024 * 1024;

/// Syntax that only joins or spells plain commands.
const PLAIN: &[&str] = &[
    "program",
    "list",
    "pipeline",
    "command",
    "command_name",
    "word",
    "string",
    "string_content",
    "raw_string",
    "concatenation",
    "number",
    "comment",
    "&&",
    "||",
    "|",
    ";",
    "\n",
    "\"",
    "",
];

/// Syntax of redirections, beside `PLAIN`; whether one is harmless depends on its target.
const REDIRECTION: &[&str] =
    &["redirected_statement", "file_redirect", "file_descriptor", ">", ">>", "<", "&>", ">&", "<&"];

/// Words that begin a block. Where the parser takes one for a program, as in `! {`, it has not seen
/// where the block ends, and may have misread what is in it.
const BLOCKS: &[&str] = &["{", "if", "while", "until", "case", "for", "select", "function"];

impl Script {
    /// Reads `text`. Never fails: what is not understood is marked as hidden.
    pub fn parse(text: &str) -> Self {
        let mut script = Self::default();
        let Some(tree) = read_tree(text) else {
            script.hidden = true;
            return script;
        };
        script.plain = true;
        script.tidy = true;
        script.hidden = tree.root_node().has_error();
        script.collect(&tree, text);
        if let Some(other) = other_reading(text, &tree) {
            script.plain = false;
            script.tidy = false;
            match read_tree(&other) {
                Some(tree) => script.collect(&tree, &other),
                None => script.hidden = true,
            }
        }
        script.plain &= !script.hidden;
        script.tidy &= !script.hidden;
        script
    }

    fn collect(&mut self, tree: &Tree, text: &str) {
        let mut budget = MAX_WORD_BYTES;
        let mut strays = Strays::new();
        let mut cursor = tree.walk();
        loop {
            let spent = self.visit(cursor.node(), text, &mut strays);
            budget = budget.saturating_sub(spent);
            if budget == 0 || self.commands.len() >= MAX_COMMANDS {
                self.hidden = true;
                return;
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// Finds what the parser leaves as text: backticks in expansions and in backticks.
    fn look_for_substitutions(&mut self, node: Node<'_>, text: &str) {
        let spelled = || slice(text, node.start_byte(), node.end_byte());
        match node.kind() {
            "raw_string" | "ansi_c_string" | "comment" | "heredoc_body" | "heredoc_content" => {}
            "command_substitution" if spelled().starts_with('`') && spelled().contains("\\`") => {
                self.nested.extend(substitutions(spelled()));
            }
            _ if node.child_count() == 0 && spelled().len() > 1 => {
                self.nested.extend(substitutions(spelled()));
            }
            _ => {}
        }
    }

    /// Takes one node in; returns how many bytes of the text were copied.
    fn visit(&mut self, node: Node<'_>, text: &str, strays: &mut Strays) -> usize {
        let kind = node.kind();
        let plain = PLAIN.contains(&kind);
        self.plain &= plain;
        self.tidy &= plain || REDIRECTION.contains(&kind);
        self.look_for_substitutions(node, text);
        match kind {
            "file_redirect" => {
                self.tidy &= is_harmless(node, text);
                return 0;
            }
            "redirected_statement" => {
                self.hidden |= !find_strays(node, text, strays);
                return 0;
            }
            "command" => {
                let (mut words, joined) = words_of(node, text);
                words.extend(strays.remove(&node.id()).unwrap_or_default());
                // The parser joins the signs of two blocks to one word, `{ {`.
                let first = words.first().and_then(|word| word.text.split_whitespace().next());
                self.hidden |= first.is_some_and(|word| BLOCKS.contains(&word));
                self.plain &= !joined;
                self.tidy &= !joined;
                self.commands.push(words);
            }
            "declaration_command" | "unset_command" | "test_command" => {
                self.commands.push(keyword_words(node, text));
            }
            "heredoc_redirect" => {
                if let Some(document) = here_document(node, text) {
                    self.hidden |= document.swallows;
                    if !document.quoted {
                        self.nested.extend(substitutions(document.body));
                    }
                    self.inputs.push(document.body.to_owned());
                }
            }
            "herestring_redirect" => {
                if let Some(given) = node.named_child(0) {
                    self.inputs.push(decode(given, text).text);
                }
            }
            _ => return 0,
        }
        node.end_byte() - node.start_byte()
    }
}

/// Words that stand behind a redirection, by the id of the command's node that they belong to.
type Strays = HashMap<usize, Vec<Word>>;

/// Finds the words behind the redirections of a statement, which the parser takes for further
/// targets: to the shell `push` in `git > log push` is an argument of `git`. Returns whether there
/// are none or it is known whose they are.
fn find_strays(statement: Node<'_>, text: &str, strays: &mut Strays) -> bool {
    let mut found = Vec::new();
    let mut cursor = statement.walk();
    for redirect in statement.children_by_field_name("redirect", &mut cursor) {
        let (field, targets) = match redirect.kind() {
            "file_redirect" => ("destination", 1),
            _ => ("argument", 0),
        };
        let mut cursor = redirect.walk();
        let behind = redirect.children_by_field_name(field, &mut cursor).skip(targets);
        found.extend(behind.map(|word| decode(word, text)));
    }
    if found.is_empty() {
        return true;
    }
    let Some(command) = last_command(statement) else { return false };
    let of_command = strays.entry(command.id()).or_default();
    // What was found further out stands further right.
    of_command.splice(..0, found);
    true
}

/// Returns the command that the redirections of a statement belong to.
fn last_command(statement: Node<'_>) -> Option<Node<'_>> {
    let mut at = statement;
    while at.kind() != "command" {
        at = match at.kind() {
            "redirected_statement" => at.child_by_field_name("body")?,
            "pipeline" | "list" | "negated_command" => {
                at.named_child(at.named_child_count().checked_sub(1)? as u32)?
            }
            _ => return None,
        };
    }
    Some(at)
}

/// Tells whether a redirection touches no file but `/dev/null`.
fn is_harmless(redirect: Node<'_>, text: &str) -> bool {
    let target = redirect.child_by_field_name("destination");
    let target = target.map_or("", |node| slice(text, node.start_byte(), node.end_byte()));
    target == "/dev/null" || target.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the words of a `command` node, and whether two of them stood without a space between.
fn words_of(node: Node<'_>, text: &str) -> (Vec<Word>, bool) {
    let mut words: Vec<Word> = Vec::new();
    let mut end = None;
    let mut joined = false;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        let kind = child.kind();
        if matches!(kind, "variable_assignment" | "file_redirect" | "herestring_redirect") {
            continue;
        }
        if is_translation(child) {
            joined = true;
            continue;
        }
        let word = decode(child, text);
        match words.last_mut() {
            Some(last) if end == Some(child.start_byte()) => {
                joined = true;
                last.text.push_str(&word.text);
                last.known = last.known.max(word.known);
            }
            _ => words.push(word),
        }
        end = Some(child.end_byte());
    }
    (words, joined)
}

/// Returns the words of a command that is a keyword of the grammar, such as `export A=1`.
fn keyword_words(node: Node<'_>, text: &str) -> Vec<Word> {
    let mut cursor = node.walk();
    node.children(&mut cursor).map(|child| decode(child, text)).collect()
}

/// Parses `text`; none when it is too much, or nothing that a shell could be given.
fn read_tree(text: &str) -> Option<Tree> {
    // To the shell every character but blanks and signs is part of a word, control characters and
    // all beyond ASCII too. The parser's scanner takes some for spaces, and looks others up outside
    // of its table, which may end the process.
    let in_word = |byte: u8| byte > 127 || (byte.is_ascii_control() && !b"\0\t\n".contains(&byte));
    let bytes: Vec<u8> = text.bytes().map(|byte| if in_word(byte) { b'X' } else { byte }).collect();
    if bytes.contains(&0) {
        return None;
    }
    let count = |wanted: u8| memchr::memchr_iter(wanted, &bytes).count();
    if bytes.len() > MAX_TEXT || count(b'|') > MAX_PIPES || count(b'(') > MAX_PARENS {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let mut steps = 0;
    let mut stop = |_: &ParseState| {
        steps += 1;
        if steps > MAX_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut stop);
    let mut looked_at = 0;
    let mut piece = |at: usize, _| {
        looked_at += PIECE;
        let end = if looked_at > MAX_LOOKED_AT { at } else { bytes.len().min(at + PIECE) };
        bytes.get(at..end).unwrap_or_default()
    };
    let tree = parser.parse_with_options(&mut piece, None, Some(options));
    tree.filter(|_| looked_at <= MAX_LOOKED_AT)
}

#[cfg(test)]
mod tests;

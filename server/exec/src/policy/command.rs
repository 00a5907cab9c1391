//! A command line taken apart: what is run, and everything that it runs in turn.

use super::safe::is_read_only;
use super::script::Script;
use super::word::Word;
use super::wrap::{self, Inside};

/// A command with all commands that were found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// Program and arguments, as they are started.
    pub argv: Vec<String>,
    /// Whether `found` is exactly what runs: no redirection, expansion, block or background job.
    pub plain: bool,
    /// Whether something may run that `found` does not show.
    pub hidden: bool,
    /// Every simple command, outermost first.
    pub found: Vec<Found>,
}

/// A simple command somewhere in a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Program and arguments.
    pub words: Vec<Word>,
    /// Place in `CommandLine::found` of the command that runs this one, as `env` does.
    pub runner: Option<usize>,
    /// How many commands are around it.
    pub level: usize,
    /// Whether the scripts that it runs are plain, so that all they do is in the list too.
    pub plain_inside: bool,
}

/// Commands inside commands are followed this deep; what is deeper counts as hidden.
const MAX_LEVEL: usize = 10;
/// Most commands that are kept.
const MAX_FOUND: usize = 4000;
/// Most words in all of them: each command holds those of the ones that it runs.
const MAX_WORDS: usize = 50_000;
/// Most bytes of nested scripts that are read.
const MAX_NESTED_BYTES: usize = 1024 * 1024;

impl CommandLine {
    /// Takes `argv` apart. A shell with `-c` is looked through: its script is the command.
    pub fn new(argv: &[String]) -> Self {
        let words: Vec<Word> = argv.iter().map(Word::exact).collect();
        let mut search = Search::default();
        let plain = match shell_script(argv) {
            Some(text) => search.read(text, None, 0),
            None => {
                search.push(words, None, 0);
                true
            }
        };
        search.follow();
        let plain = plain && !search.found.is_empty();
        Self { argv: argv.to_vec(), plain, hidden: search.hidden, found: search.found }
    }

    /// Takes a script apart that the user's shell runs, as `[shell, "-lc", text]`.
    pub fn of_script(shell: &str, text: &str) -> Self {
        Self::new(&[shell.to_owned(), "-lc".to_owned(), text.to_owned()])
    }

    /// Returns the command line as one text that a shell would take.
    pub fn display(&self) -> String {
        join(&self.argv)
    }

    /// Tells whether all of it is known to read only, whatever rules say.
    pub fn reads_only(&self) -> bool {
        let mut outermost = self.outermost();
        self.plain && !self.hidden && outermost.all(|(_, found)| is_read_only(&found.words))
    }

    /// Returns the commands that are not run by another command of the list.
    pub fn outermost(&self) -> impl Iterator<Item = (usize, &Found)> {
        self.found.iter().enumerate().filter(|(_, found)| found.runner.is_none())
    }

    /// Returns the commands that the one at `place` runs.
    pub fn run_by(&self, place: usize) -> impl Iterator<Item = (usize, &Found)> {
        self.found.iter().enumerate().filter(move |(_, found)| found.runner == Some(place))
    }
}

/// Returns the script when `argv` is a shell with `-c`: `["/bin/bash", "-lc", "ls"]` gives `ls`.
pub fn shell_script(argv: &[String]) -> Option<&str> {
    let [shell, flags, text] = argv else { return None };
    let name = shell.rsplit('/').next().unwrap_or(shell);
    let runs_text = matches!(flags.as_str(), "-c" | "-lc" | "-cl" | "-ic" | "-lic");
    (wrap::is_shell(name) && runs_text).then_some(text.as_str())
}

/// Joins words to one line, with quotes where a shell needs them.
pub fn join<S: AsRef<str>>(words: &[S]) -> String {
    let quoter = shlex::Quoter::new().allow_nul(true);
    let words = words.iter().map(AsRef::as_ref);
    quoter.join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

#[derive(Default)]
struct Search {
    found: Vec<Found>,
    hidden: bool,
    /// Texts that a shell without a script may read from its standard input.
    inputs: Vec<String>,
    /// Runners that read a script from their standard input.
    readers: Vec<usize>,
    nested_bytes: usize,
    words: usize,
}

impl Search {
    fn push(&mut self, words: Vec<Word>, runner: Option<usize>, level: usize) {
        if words.is_empty() {
            return;
        }
        self.words += words.len();
        if level > MAX_LEVEL || self.found.len() >= MAX_FOUND || self.words > MAX_WORDS {
            self.hidden = true;
            return;
        }
        self.inputs.extend(printed(&words));
        self.found.push(Found { words, runner, level, plain_inside: true });
    }

    /// Adds the commands of a script; returns whether it is plain.
    fn read(&mut self, text: &str, runner: Option<usize>, level: usize) -> bool {
        self.nested_bytes += text.len();
        if level > MAX_LEVEL || (level > 0 && self.nested_bytes > MAX_NESTED_BYTES) {
            self.hidden = true;
            return false;
        }
        let script = Script::parse(text);
        self.hidden |= script.hidden;
        self.inputs.extend(script.inputs);
        for words in script.commands {
            self.push(words, runner, level);
        }
        for nested in script.nested {
            self.read(&nested, runner, level + 1);
        }
        script.plain
    }

    /// Looks into every command that was found, and into what that finds.
    fn follow(&mut self) {
        let mut at = 0;
        loop {
            while at < self.found.len() {
                self.look_into(at);
                at += 1;
            }
            let Some(reader) = self.readers.pop() else { return };
            self.readers.clear();
            let inputs = std::mem::take(&mut self.inputs);
            self.hidden |= inputs.is_empty();
            for input in inputs {
                let level = self.found.get(reader).map_or(1, |found| found.level + 1);
                self.read(&input, Some(reader), level);
            }
        }
    }

    fn look_into(&mut self, at: usize) {
        let Some(found) = self.found.get(at) else { return };
        let level = found.level + 1;
        let mut plain = true;
        for inside in wrap::inside(&found.words) {
            match inside {
                Inside::Words(words) => self.push(words, Some(at), level),
                Inside::File(words) => {
                    self.push(words, Some(at), level);
                    plain = false;
                }
                Inside::Script(text) => plain &= self.read(&text, Some(at), level),
                Inside::Stdin => {
                    self.readers.push(at);
                    plain = false;
                }
                Inside::Unseen => {
                    self.hidden = true;
                    plain = false;
                }
            }
        }
        if let Some(found) = self.found.get_mut(at) {
            found.plain_inside = plain;
        }
    }
}

/// Returns what `echo` or `printf` would print: in a pipe to a shell it is a script.
fn printed(words: &[Word]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    if !matches!(first.base_name()?, "echo" | "printf") {
        return None;
    }
    let texts = rest.iter().map(|word| word.text.as_str()).skip_while(|text| text.starts_with('-'));
    Some(texts.collect::<Vec<_>>().join(" ").replace("\\n", "\n"))
}

#[cfg(test)]
mod tests;

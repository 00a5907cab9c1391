//! Wishes to shell commands, and what came of a command.

use super::understand::Wish;

/// What a wish needs to be run, or nothing for a wish that needs no command.
pub(super) fn command_of(wish: &Wish, keep_existing: bool) -> Option<String> {
    match wish {
        Wish::Create { file, content } => Some(create(file, content, keep_existing)),
        Wish::Run(command) => Some(command.clone()),
        Wish::Show(file) => Some(format!("cat {}", quoted_path(file))),
        Wish::List(None) => Some("ls -1Ap".into()),
        Wish::List(Some(folder)) => Some(format!("ls -1Ap {}", quoted_path(folder))),
        Wish::Plan(_) | Wish::KeepExisting | Wish::Unclear(_) | Wish::Explain => None,
    }
}

/// Ends with the size of the file, so that the answer can tell it.
fn create(file: &str, content: &str, keep_existing: bool) -> String {
    let path = quoted_path(file);
    let guard = if keep_existing { "set -C; " } else { "" };
    let folder = match file.rsplit_once('/') {
        Some((folder, _)) if !folder.is_empty() => {
            format!("mkdir -p {} && ", quoted_path(folder))
        }
        _ => String::new(),
    };
    let write = if content.is_empty() {
        format!(": > {path}")
    } else {
        let ending = if content.ends_with('\n') { "" } else { "\\n" };
        format!("printf '%s{ending}' {} > {path}", quoted(content))
    };
    format!("{guard}{folder}{write} && wc -c < {path}")
}

/// A path that no tool takes for an option.
fn quoted_path(path: &str) -> String {
    if path.starts_with('-') { quoted(&format!("./{path}")) } else { quoted(path) }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Outcome {
    pub(super) end: End,
    /// What it printed, without the line end at its end.
    pub(super) printed: String,
}

/// How a command stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum End {
    /// It ended with this code.
    Exit(i64),
    /// It runs on under this number.
    Running(i64),
    /// It was not run: the reason is what was printed.
    #[default]
    NotRun,
}

impl Outcome {
    pub(super) fn is_success(&self) -> bool {
        self.end == End::Exit(0)
    }

    /// Reads the text of a command tool: a head of lines with facts, then `Output:`.
    pub(super) fn read(text: Option<&str>) -> Self {
        let text = text.unwrap_or("no output came back");
        let (head, printed) = match text.split_once("Output:\n") {
            Some((head, printed)) => (head, printed),
            None => (text, ""),
        };
        let number = |phrase: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(phrase))?;
            line.trim().parse::<i64>().ok()
        };
        let end = number("Process exited with code")
            .map(End::Exit)
            .or_else(|| number("Process running with session ID").map(End::Running));
        match end {
            Some(end) => Self { end, printed: printed.trim_end_matches('\n').to_owned() },
            None => Self { end: End::NotRun, printed: text.trim().to_owned() },
        }
    }

    /// Adds what a later look at a running command brought.
    pub(super) fn follow(&mut self, later: Self) {
        self.end = later.end;
        if !self.printed.is_empty() && !later.printed.is_empty() {
            self.printed.push('\n');
        }
        self.printed.push_str(&later.printed);
    }
}

#[cfg(test)]
mod tests;

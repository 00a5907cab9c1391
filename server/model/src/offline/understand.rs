//! What a person asks for, by fixed rules in English and Chinese.

use super::cursor::Cursor;

mod file;
mod words;

/// One thing a person asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// Make a file.
    Create {
        /// Its path.
        file: String,
        /// What stands in it.
        content: String,
    },
    /// Run a command.
    Run(String),
    /// Show a file.
    Show(String),
    /// List the files of a folder; the working folder when none is named.
    List(Option<String>),
    /// Note the steps of a plan.
    Plan(Vec<String>),
    /// Leave files that exist as they are.
    KeepExisting,
    /// Words that no rule fits, beside some that one does.
    Unclear(String),
    /// Nothing fits: say what fits.
    Explain,
}

/// The language of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Chinese,
}

impl Language {
    pub(super) fn of(text: &str) -> Self {
        if text.chars().any(is_ideograph) { Self::Chinese } else { Self::English }
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Reads a message. `last_file` is what "it" means: the file named last, also in an earlier
/// message.
pub(super) fn understand(text: &str, last_file: &mut Option<String>) -> Vec<Wish> {
    let mut cursor = Cursor::new(text.trim());
    let mut wishes = Vec::new();
    loop {
        skip_fillers(&mut cursor);
        if cursor.is_at_end() {
            break;
        }
        if let Some(wish) = one(&mut cursor, last_file) {
            wishes.push(wish);
            continue;
        }
        let clause = cursor.clause();
        if !clause.is_empty() {
            wishes.push(Wish::Unclear(clause.to_owned()));
        }
    }
    if wishes.iter().all(|wish| matches!(wish, Wish::Unclear(_))) {
        return vec![Wish::Explain];
    }
    wishes
}

/// Politeness, order words, numbering and marks between requests.
fn skip_fillers(cursor: &mut Cursor<'_>) {
    loop {
        let before = cursor.rest().len();
        cursor.skip_while(|c| c.is_whitespace() || ",.;:!?-*，。；：！？、)）".contains(c));
        cursor.attempt(|cursor| {
            cursor.skip_while(|c| c.is_ascii_digit());
            cursor.rest().starts_with(['.', ')', '、']).then_some(())
        });
        cursor.eat(&words::FILLERS);
        if cursor.rest().len() == before {
            return;
        }
    }
}

fn one(cursor: &mut Cursor<'_>, last_file: &mut Option<String>) -> Option<Wish> {
    let wish = cursor
        .attempt(keep_existing)
        .or_else(|| cursor.attempt(plan))
        .or_else(|| cursor.attempt(file::list))
        .or_else(|| cursor.attempt(|cursor| file::show(cursor, last_file.as_deref())))
        .or_else(|| cursor.attempt(run))
        .or_else(|| cursor.attempt(file::put))
        .or_else(|| cursor.attempt(file::create))?;
    if let Wish::Create { file, .. } | Wish::Show(file) = &wish {
        *last_file = Some(file.clone());
    }
    Some(wish)
}

fn keep_existing(cursor: &mut Cursor<'_>) -> Option<Wish> {
    cursor.eat(&words::KEEP).then(|| {
        cursor.clause();
        Wish::KeepExisting
    })
}

fn plan(cursor: &mut Cursor<'_>) -> Option<Wish> {
    cursor.eat(&words::BEFORE_PLAN);
    if !cursor.eat(&["plan", "计划", "规划"]) {
        return None;
    }
    cursor.eat_all(&words::AFTER_PLAN);
    let steps = if cursor.rest().starts_with('\n') {
        cursor.everything()
    } else {
        let line = cursor.rest().split('\n').next().unwrap_or_default();
        let line = line.split_inclusive('。').next().unwrap_or_default();
        cursor.take(line.len())
    };
    let steps = steps_of(steps);
    (!steps.is_empty()).then_some(Wish::Plan(steps))
}

fn steps_of(text: &str) -> Vec<String> {
    let text = text.replace(" then ", "\n").replace("然后", "\n");
    let marks = |c: char| matches!(c, '\n' | ',' | ';' | '，' | '；' | '、' | '。');
    let step = |step: &str| {
        let step = step.trim().trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, '-' | '*' | '.' | ')' | ' ' | '（' | '）')
        });
        let step = step.strip_prefix("and ").or(step.strip_prefix("then ")).unwrap_or(step);
        step.trim_end_matches(['.', ' ']).to_owned()
    };
    text.split(marks).map(step).filter(|step| !step.is_empty()).collect()
}

fn run(cursor: &mut Cursor<'_>) -> Option<Wish> {
    if !cursor.eat(&["run", "execute", "运行", "执行", "$"]) {
        return None;
    }
    cursor.eat_all(&["the command", "the shell command", "command", "一下", "命令", ":", "："]);
    let command = match cursor.fenced().or_else(|| cursor.quoted()) {
        Some(command) => command,
        None => cursor.until_link(),
    };
    let command = command.trim();
    let lower = format!("{} ", command.to_ascii_lowercase());
    let is_command = !command.is_empty()
        && !command.starts_with(is_ideograph)
        && !words::NO_COMMAND.iter().any(|word| lower.starts_with(word));
    is_command.then(|| Wish::Run(command.to_owned()))
}

#[cfg(test)]
mod tests;

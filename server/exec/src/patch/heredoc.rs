//! Finds a patch in a command: `apply_patch <<'EOF' … EOF`, with `cd DIR &&` before it or not.
//!
//! A hand-written reader: the form is fixed, and a patch may be long and full of anything.

/// A patch that a command would apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellPatch {
    /// The folder that the command goes to first, as it is written.
    pub folder: Option<String>,
    /// The text of the patch.
    pub text: String,
}

const NAMES: [&str; 2] = ["apply_patch", "applypatch"];

/// Returns the patch when `argv` does nothing but apply one: the program itself with the patch
/// as its argument, or a shell whose script is a here-document for it.
pub fn patch_in_argv(argv: &[String]) -> Option<ShellPatch> {
    match argv {
        [program, text] if NAMES.contains(&base_name(program)) => {
            Some(ShellPatch { folder: None, text: text.clone() })
        }
        [shell, flags, script] if is_shell(shell) && matches!(flags.as_str(), "-c" | "-lc") => {
            patch_in_script(script)
        }
        _ => None,
    }
}

fn is_shell(program: &str) -> bool {
    matches!(base_name(program), "bash" | "sh" | "zsh" | "dash" | "ksh")
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Returns the patch when `script` does nothing but apply one.
pub(super) fn patch_in_script(script: &str) -> Option<ShellPatch> {
    let script = script.trim_start();
    let (folder, rest) = match word_after(script, "cd") {
        Some((folder, rest)) => (Some(folder), rest.trim_start().strip_prefix("&&")?.trim_start()),
        None => (None, script),
    };
    let rest = NAMES.iter().find_map(|name| rest.strip_prefix(name))?;
    let rest = rest.trim_start_matches([' ', '\t']);
    let text = match rest.strip_prefix("<<") {
        Some(heredoc) => here_document(heredoc)?,
        None => quoted_argument(rest)?,
    };
    Some(ShellPatch { folder, text })
}

/// Reads `NAME WORD`: returns the word without quotes, and what follows.
fn word_after<'a>(text: &'a str, name: &str) -> Option<(String, &'a str)> {
    let rest = text.strip_prefix(name)?;
    let word = rest.trim_start_matches([' ', '\t']);
    if word.len() == rest.len() {
        return None;
    }
    let quote = word.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let (folder, rest) = match quote {
        Some(quote) => word.get(1..)?.split_once(quote)?,
        None => word.split_at(word.find(|c: char| c.is_whitespace() || c == '&')?),
    };
    // A folder that the shell would work out is not for us to guess.
    let plain =
        !folder.is_empty() && !folder.contains(['$', '`', '\\', ';', '|', '<', '>', '(', '*']);
    plain.then(|| (folder.to_owned(), rest))
}

/// Reads what follows `<<`: the closing word, the text, the closing word alone at the end.
fn here_document(text: &str) -> Option<String> {
    let (indented, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (word, body) = text.split_once('\n')?;
    let word = word.trim();
    let word = ['\'', '"']
        .iter()
        .find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(word);
    if word.is_empty() || !word.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let mut patch = String::with_capacity(body.len());
    let mut lines = body.split_inclusive('\n');
    for line in lines.by_ref() {
        let line = if indented { line.trim_start_matches('\t') } else { line };
        if line.trim_end_matches(['\n', '\r']) == word {
            // A second command after the patch would not be run.
            return lines.all(|rest| rest.trim().is_empty()).then_some(patch);
        }
        patch.push_str(line);
    }
    None
}

/// Reads one argument in single quotes, or in double quotes without anything to expand.
fn quoted_argument(text: &str) -> Option<String> {
    let text = text.trim();
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let special: &[char] = if quote == '"' { &['"', '$', '`', '\\'] } else { &['\''] };
    (!inner.contains(special)).then(|| inner.to_owned())
}

#[cfg(test)]
mod tests;

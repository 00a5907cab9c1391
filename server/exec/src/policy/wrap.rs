//! Commands that run other commands: `env`, `sudo`, `xargs`, `bash -c` and their kind.

use super::word::{Known, Word};

/// What a command runs besides itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Inside {
    /// Another command.
    Words(Vec<Word>),
    /// A shell script.
    Script(String),
    /// A script in a file: the file's name and its arguments.
    File(Vec<Word>),
    /// A script from its standard input.
    Stdin,
    /// Something that cannot be seen.
    Unseen,
}

/// How a command takes the command that it runs.
struct Wrapper {
    name: &'static str,
    /// Short options that take a value, by letter.
    short: &'static str,
    /// Long options that take a value, without the dashes.
    long: &'static [&'static str],
    /// Options without a value. Any other option may take the next word as its value, so the
    /// command is looked for in both places.
    flags: &'static str,
    /// Words between the options and the command, such as the time of `timeout`.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    short: &'static str,
    long: &'static [&'static str],
    flags: &'static str,
    operands: usize,
) -> Wrapper {
    Wrapper { name, short, long, flags, operands }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper("env", "uCa", &["unset", "chdir", "argv0"], "i0v", 0),
    wrapper("command", "", &[], "p", 0),
    wrapper("builtin", "", &[], "", 0),
    wrapper("exec", "a", &[], "cl", 0),
    wrapper("nohup", "", &[], "", 0),
    wrapper("setsid", "", &[], "cfw", 0),
    wrapper("time", "fo", &["format", "output"], "pavq", 0),
    wrapper("nice", "n", &["adjustment"], "0123456789", 0),
    wrapper("ionice", "cn", &["class", "classdata"], "t", 0),
    wrapper("timeout", "ks", &["kill-after", "signal"], "v", 1),
    wrapper("stdbuf", "ioe", &["input", "output", "error"], "", 0),
    wrapper("chrt", "TPD", &["sched-runtime"], "bfiRorav", 1),
    wrapper("taskset", "", &[], "ac", 1),
    wrapper(
        "sudo",
        "ugpCDhRrTtU",
        &["user", "group", "prompt", "chdir", "host", "chroot", "role", "type", "other-user"],
        "AbEHeiKklNnPSsVv",
        0,
    ),
    wrapper("doas", "uC", &[], "Lns", 0),
    wrapper("run0", "uDg", &["user", "group", "chdir", "unit", "property"], "", 0),
    wrapper("pkexec", "", &["user"], "", 0),
    wrapper("chroot", "", &["userspec", "groups"], "", 1),
    wrapper("unshare", "SGRw", &["root", "wd", "setuid", "setgid"], "mnuipUCTfrc", 0),
    wrapper("nsenter", "tSGrw", &["target"], "amnuipUCTFZ", 0),
    wrapper("strace", "eoOpPsSuXaIb", &[], "cCdDfFhiqrtTvVwxyz", 0),
    wrapper("ltrace", "eoplsnuaADFx", &[], "CcfhiLrStTV", 0),
    wrapper("caffeinate", "tw", &[], "disum", 0),
    wrapper("busybox", "", &[], "", 0),
    wrapper("toybox", "", &[], "", 0),
    wrapper("systemd-run", "upEMHt", &["unit", "property", "uid", "gid", "slice"], "Gdqr", 0),
    wrapper("xvfb-run", "efnpsw", &["server-args", "server-num"], "al", 0),
    wrapper(
        "xargs",
        "IiLlnPsEeda",
        &["replace", "max-lines", "max-args", "max-procs", "max-chars", "delimiter", "arg-file"],
        "0rtxpo",
        0,
    ),
    wrapper("parallel", "jnNILa", &["jobs", "colsep", "arg-file"], "0kmqX", 0),
    wrapper("watch", "nq", &["interval"], "bcdegptwx", 0),
    wrapper("flock", "wEc", &["timeout", "conflict-exit-code"], "eunosxF", 1),
];

const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish"];

/// Tells whether `name` is a shell that takes a script with `-c`.
pub(super) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// Returns what the command runs besides itself; empty for an ordinary command.
pub(super) fn inside(words: &[Word]) -> Vec<Inside> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    if is_assignment(&first.text) {
        return vec![Inside::Words(rest.to_vec())];
    }
    let Some(name) = first.base_name() else { return Vec::new() };
    match name {
        _ if is_shell(name) => shell(rest),
        "su" | "script" | "runuser" => value_of(rest, 'c', "command"),
        "eval" => vec![Inside::Script(join(rest))],
        "source" | "." => script_file(rest),
        // Words of the grammar that the parser takes for a program in unusual places.
        "{" | "!" | "(" | "then" | "do" | "else" | "elif" | "if" | "while" | "until" => {
            vec![Inside::Words(rest.to_vec())]
        }
        "function" => {
            let body =
                rest.iter().position(|word| word.text == "{").map_or(rest.len(), |at| at + 1);
            vec![Inside::Words(rest.get(body..).unwrap_or_default().to_vec())]
        }
        "coproc" => vec![
            Inside::Words(rest.to_vec()),
            Inside::Words(rest.get(1..).unwrap_or_default().to_vec()),
        ],
        "trap" | "alias" => named_scripts(name, rest),
        "find" | "fd" | "fdfind" => exec_parts(name, rest),
        "command" if has_flag(rest, &["-v", "-V"]) => Vec::new(),
        _ => WRAPPERS
            .iter()
            .find(|wrapper| wrapper.name == name)
            .map(|wrapper| wrapped(wrapper, rest))
            .unwrap_or_default(),
    }
}

/// Finds what a shell is told to run: the word after `-c`, or its standard input.
fn shell(words: &[Word]) -> Vec<Inside> {
    let mut at = 0;
    let mut script_next = false;
    while let Some(word) = words.get(at) {
        let Some(text) = word.as_exact() else {
            let file = words.get(at..).unwrap_or_default();
            return if script_next { vec![script_or_unseen(word)] } else { script_file(file) };
        };
        let is_option = text.len() > 1 && text.starts_with(['-', '+']);
        match text {
            "-" | "--" | "+" => {}
            _ if !is_option && script_next => return vec![Inside::Script(text.to_owned())],
            "--rcfile" | "--init-file" => at += 1,
            _ if !is_option => return script_file(words.get(at..).unwrap_or_default()),
            _ if text.starts_with("--") => {}
            _ => {
                script_next |= text.starts_with('-') && text.contains('c');
                if !script_next && text.contains('s') {
                    return vec![Inside::Stdin];
                }
                at += usize::from(text.ends_with(['o', 'O']));
            }
        }
        at += 1;
    }
    vec![if script_next { Inside::Unseen } else { Inside::Stdin }]
}

/// A script by its path. What comes through a pipe was written by another part of the command
/// line.
fn script_file(words: &[Word]) -> Vec<Inside> {
    match words.first().map(Word::as_exact) {
        None => Vec::new(),
        Some(None) => vec![Inside::Stdin, Inside::Unseen],
        Some(Some(path)) if path.starts_with("/dev/") || path.starts_with("/proc/") => {
            vec![Inside::Stdin]
        }
        Some(Some(_)) => vec![Inside::File(words.to_vec())],
    }
}

fn script_or_unseen(word: &Word) -> Inside {
    if word.text.is_empty() { Inside::Unseen } else { Inside::Script(word.text.clone()) }
}

/// Finds the command behind the options, assignments and operands of a wrapper.
fn wrapped(wrapper: &Wrapper, words: &[Word]) -> Vec<Inside> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let Some(text) = word.as_exact() else { break };
        match option(wrapper, text) {
            Opt::End => {
                at += 1;
                break;
            }
            Opt::None => break,
            Opt::Flag => at += 1,
            Opt::Value => {
                if wrapper.name == "flock" && matches!(text, "-c" | "--command") {
                    found.extend(words.get(at + 1).map(script_or_unseen));
                }
                at += 2;
            }
            Opt::Unsure => {
                at += 1;
                found.extend(command_at(wrapper, words, at + 1));
            }
        }
    }
    found.extend(command_at(wrapper, words, at));
    found
}

enum Opt {
    None,
    Flag,
    Value,
    Unsure,
    End,
}

fn option(wrapper: &Wrapper, text: &str) -> Opt {
    if text == "--" {
        return Opt::End;
    }
    if let Some(long) = text.strip_prefix("--") {
        return match long.split_once('=') {
            Some(_) => Opt::Flag,
            None if wrapper.long.contains(&long) => Opt::Value,
            None if long == "split-string" => Opt::Value,
            None => Opt::Unsure,
        };
    }
    let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
        return Opt::None;
    };
    match letters.char_indices().find(|(_, c)| !wrapper.flags.contains(*c)) {
        None => Opt::Flag,
        Some((_, c)) if !wrapper.short.contains(c) => Opt::Unsure,
        // GNU xargs takes these three only with their value attached.
        Some((_, 'i' | 'l' | 'e')) if wrapper.name == "xargs" => Opt::Flag,
        Some((at, c)) if at + c.len_utf8() == letters.len() => Opt::Value,
        Some(_) => Opt::Flag,
    }
}

/// Returns the command that starts at `at`, after the wrapper's operands.
fn command_at(wrapper: &Wrapper, words: &[Word], at: usize) -> Vec<Inside> {
    let rest = words.get(at + wrapper.operands..).unwrap_or_default();
    // Only some take assignments; for the others they are no command either.
    let mut rest: Vec<Word> = rest.iter().skip_while(|w| is_assignment(&w.text)).cloned().collect();
    let mut found = split_string(wrapper, words);
    match wrapper.name {
        "watch" | "parallel" => {
            let end = rest.iter().position(|word| word.text == ":::").unwrap_or(rest.len());
            found.push(Inside::Script(join(rest.get(..end).unwrap_or_default())));
        }
        // What comes in is appended, whatever it is.
        "xargs" if !rest.is_empty() => rest.push(Word::anything()),
        "flock" if rest.first().and_then(Word::as_exact) == Some("-c") => {
            found.extend(rest.get(1).map(script_or_unseen));
            return found;
        }
        _ => {}
    }
    if !rest.is_empty() {
        found.push(Inside::Words(rest));
    }
    found
}

/// `env -S 'cmd args'` hides a command line in one word.
fn split_string(wrapper: &Wrapper, words: &[Word]) -> Vec<Inside> {
    if wrapper.name != "env" {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        if let Some(value) = text.strip_prefix("--split-string=") {
            found.push(Inside::Script(value.to_owned()));
        } else if text == "-S" || text == "--split-string" {
            found.extend(words.get(at + 1).map(script_or_unseen));
        } else if let Some((flags, value)) = text.split_once('S')
            && flags.strip_prefix('-').is_some_and(|f| f.chars().all(|c| "iv0".contains(c)))
        {
            found.push(Inside::Script(value.to_owned()));
        }
    }
    found
}

/// Tells whether a word sets a variable for the command behind it; `env` takes any name.
fn is_assignment(text: &str) -> bool {
    text.contains('=') && !text.starts_with('-')
}

/// Finds the script given with an option, as in `su -c CMD`.
fn value_of(words: &[Word], short: char, long: &str) -> Vec<Inside> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        let attached = text.strip_prefix("--").and_then(|t| t.strip_prefix(long));
        let cluster = text.starts_with('-') && !text.starts_with("--") && text.ends_with(short);
        if let Some(value) = attached.and_then(|value| value.strip_prefix('=')) {
            found.push(Inside::Script(value.to_owned()));
        } else if cluster || attached == Some("") {
            found.extend(words.get(at + 1).map(script_or_unseen));
        }
    }
    found
}

/// `trap CMD SIGNAL` and `alias NAME=CMD` keep a script for later.
fn named_scripts(name: &str, words: &[Word]) -> Vec<Inside> {
    if name == "trap" {
        return words.first().map(script_or_unseen).into_iter().collect();
    }
    let value = |word: &Word| Some(Inside::Script(word.text.split_once('=')?.1.to_owned()));
    words.iter().filter_map(value).collect()
}

/// `find … -exec CMD… ;` runs a command for each file.
fn exec_parts(name: &str, words: &[Word]) -> Vec<Inside> {
    let starts: &[&str] = match name {
        "find" => &["-exec", "-execdir", "-ok", "-okdir"],
        _ => &["-x", "--exec", "-X", "--exec-batch"],
    };
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !word.as_exact().is_some_and(|text| starts.contains(&text)) {
            continue;
        }
        let rest = words.get(at + 1..).unwrap_or_default();
        let end = rest.iter().position(|w| w.text == ";" || w.text == "+").unwrap_or(rest.len());
        let fill = |word: &Word| {
            let known = if word.text.contains("{}") { Known::OneWord } else { word.known };
            Word { text: word.text.clone(), known }
        };
        let command: Vec<Word> = rest.iter().take(end).map(fill).collect();
        if !command.is_empty() {
            found.push(Inside::Words(command));
        }
    }
    found
}

fn has_flag(words: &[Word], flags: &[&str]) -> bool {
    words
        .iter()
        .map_while(|word| word.as_exact().filter(|text| text.starts_with('-')))
        .any(|text| flags.contains(&text))
}

fn join(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;

//! Says in a few words what a command does, for clients: it reads, lists, searches, or else.

use std::path::Path;

use spindle_schema::item::ParsedCommand;

use super::command::{join, shell_script};
use super::script::Script;
use super::word::Word;

/// Says what `argv` does. Gives one entry per part, or a single unknown one for the whole.
///
/// Paths of read files are relative to the command's folder, as it names them. Folders that are
/// listed or searched stand with their own name only; none is the command's folder.
pub fn classify(argv: &[String]) -> Vec<ParsedCommand> {
    let Some(text) = shell_script(argv) else {
        let whole = join(argv);
        return actions(std::slice::from_ref(&argv.to_vec()), &whole);
    };
    let script = Script::parse(text);
    if !script.tidy {
        return vec![ParsedCommand::Unknown { cmd: text.to_owned() }];
    }
    let texts = |words: &Vec<Word>| words.iter().map(|word| word.text.clone()).collect();
    let commands: Vec<Vec<String>> = script.commands.iter().map(texts).collect();
    actions(&commands, text)
}

fn actions(commands: &[Vec<String>], whole: &str) -> Vec<ParsedCommand> {
    let unknown = || vec![ParsedCommand::Unknown { cmd: whole.to_owned() }];
    let mut folder = String::new();
    let mut list = Vec::new();
    for command in commands {
        let Some((program, args)) = command.split_first() else { continue };
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let name = program.rsplit('/').next().unwrap_or(program);
        if let ("cd", [target]) = (name, args.as_slice()) {
            folder = under(&folder, target);
            continue;
        }
        if commands.len() > 1 && is_side_part(name, &args) {
            continue;
        }
        match one(name, &args, &join(command), &folder) {
            Some(found) => list.extend(found),
            None => return unknown(),
        }
    }
    if list.is_empty() { unknown() } else { list }
}

/// Tells whether a command only shapes or separates the output of others.
fn is_side_part(name: &str, args: &[&str]) -> bool {
    let files = || operands(args, "nc").len();
    match name {
        "echo" | "true" | ":" => true,
        "cat" | "nl" | "wc" | "sort" | "uniq" | "column" | "head" | "tail" | "less" | "more" => {
            files() == 0
        }
        "tr" | "cut" | "rev" | "fold" => true,
        "sed" => !args.contains(&"-i") && operands(args, "e").len() <= 1,
        "awk" => operands(args, "F").len() <= 1 && !args.iter().any(|a| a.contains("system(")),
        _ => false,
    }
}

/// Says what one command does; none when that is unknown.
fn one(name: &str, args: &[&str], cmd: &str, folder: &str) -> Option<Vec<ParsedCommand>> {
    let list = |path: Option<&str>| {
        vec![ParsedCommand::ListFiles { cmd: cmd.to_owned(), path: path.map(short) }]
    };
    let search = |query: Option<&str>, path: Option<&str>| {
        vec![ParsedCommand::Search {
            cmd: cmd.to_owned(),
            query: query.map(str::to_owned),
            path: path.map(short),
        }]
    };
    let found = match name {
        "cat" | "bat" | "batcat" | "less" | "more" => read(&operands(args, ""), cmd, folder)?,
        "nl" => read(&operands(args, "bdfhilnsvw"), cmd, folder)?,
        "head" | "tail" => read(&operands(args, "nc"), cmd, folder)?,
        "sed" => read(sed_files(args)?, cmd, folder)?,
        "ls" | "eza" | "exa" => list(operands(args, "IwTL").first().copied()),
        "tree" => list(operands(args, "LIPo").first().copied()),
        "rg" | "ag" | "ack" if args.contains(&"--files") => {
            list(operands(args, "gtTm").first().copied())
        }
        "rg" | "grep" | "egrep" | "fgrep" | "ag" | "ack" => {
            let (query, path) = grep(args)?;
            search(Some(query), path)
        }
        "find" => find(args, list, search)?,
        "fd" | "fdfind" => match operands(args, "edtxXEj").as_slice() {
            _ if args.iter().any(|a| matches!(*a, "-x" | "-X" | "--exec" | "--exec-batch")) => {
                return None;
            }
            [] => list(None),
            [query, rest @ ..] => search(Some(query), rest.first().copied()),
        },
        "git" => match args {
            ["ls-files", rest @ ..] => list(operands(rest, "xX").first().copied()),
            ["grep", rest @ ..] => {
                let (query, path) = grep(rest)?;
                search(Some(query), path)
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(found)
}

fn read(files: &[&str], cmd: &str, folder: &str) -> Option<Vec<ParsedCommand>> {
    let entry = |file: &&str| {
        let name = Path::new(file).file_name().map_or(*file, |n| n.to_str().unwrap_or(file));
        ParsedCommand::Read {
            cmd: cmd.to_owned(),
            name: name.to_owned(),
            path: under(folder, file),
        }
    };
    (!files.is_empty()).then(|| files.iter().map(entry).collect())
}

/// Files of `sed -n 'RANGEp' FILE…`; any other use of sed is not a plain read.
fn sed_files<'a>(args: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let ["-n", range, files @ ..] = args else { return None };
    let is_range = range.strip_suffix('p')?.chars().all(|c| c.is_ascii_digit() || ",$".contains(c));
    (is_range && files.iter().all(|file| !file.starts_with('-'))).then_some(files)
}

/// Pattern and first place of a grep-like command.
fn grep<'a>(args: &[&'a str]) -> Option<(&'a str, Option<&'a str>)> {
    let places = operands(args, "ABCmefgtTjMEdD");
    let given = args.iter().position(|arg| matches!(*arg, "-e" | "--regexp"));
    match given.and_then(|at| args.get(at + 1)) {
        Some(query) => Some((query, places.first().copied())),
        None => Some((places.first()?, places.get(1).copied())),
    }
}

fn find(
    args: &[&str],
    list: impl Fn(Option<&str>) -> Vec<ParsedCommand>,
    search: impl Fn(Option<&str>, Option<&str>) -> Vec<ParsedCommand>,
) -> Option<Vec<ParsedCommand>> {
    let acts =
        |arg: &&str| arg.starts_with("-exec") || arg.starts_with("-ok") || **arg == *"-delete";
    if args.iter().any(acts) {
        return None;
    }
    let place = args.first().copied().filter(|arg| !arg.starts_with(['-', '(', '!']));
    let names = ["-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-wholename"];
    let query = args.iter().position(|arg| names.contains(arg)).and_then(|at| args.get(at + 1));
    Some(match query {
        Some(query) => search(Some(query), place),
        None => list(place),
    })
}

/// Arguments that are no options; `valued` are the short options that take the next argument.
fn operands<'a>(args: &[&'a str], valued: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if *arg == "--" {
            found.extend(args.by_ref());
        } else if arg.starts_with('-') && arg.len() > 1 {
            let letter = arg.strip_prefix('-').filter(|rest| rest.len() == 1);
            if letter.is_some_and(|letter| valued.contains(letter)) {
                args.next();
            }
        } else {
            found.push(*arg);
        }
    }
    found
}

fn under(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with('/') {
        return path.to_owned();
    }
    format!("{}/{path}", folder.trim_end_matches('/'))
}

/// The last telling part of a path: `../outside` gives `outside`, `web/dist` gives `web`.
fn short(path: &str) -> String {
    let generic = ["build", "dist", "node_modules", "src", "", "."];
    let mut parts = path.rsplit('/');
    let last = parts.find(|part| !generic.contains(part));
    let own = || path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    last.filter(|part| *part != "..").unwrap_or_else(own).to_owned()
}

#[cfg(test)]
mod tests;

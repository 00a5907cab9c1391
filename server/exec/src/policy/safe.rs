//! Commands that are known to read only, whatever they are given.

use super::danger::after_git_options;
use super::word::Word;

/// Programs that print and nothing else.
const PRINTERS: &[&str] = &[
    "[",
    "arch",
    "b2sum",
    "base32",
    "basename",
    "cat",
    "cd",
    "cksum",
    "cmp",
    "comm",
    "cut",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "expand",
    "expr",
    "false",
    "fgrep",
    "fold",
    "grep",
    "groups",
    "head",
    "hexdump",
    "id",
    "join",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "nproc",
    "numfmt",
    "od",
    "paste",
    "pr",
    "printenv",
    "printf",
    "ps",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "seq",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "stat",
    "strings",
    "sum",
    "tac",
    "tail",
    "test",
    "tr",
    "true",
    "tty",
    "type",
    "uname",
    "unexpand",
    "uptime",
    "wc",
    "which",
    "who",
    "whoami",
];

/// Tells whether the command only reads, judged by its words alone.
pub(super) fn is_read_only(words: &[Word]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let Some(name) = program.as_exact() else { return false };
    let Some(name) = system_name(name) else { return false };
    if PRINTERS.contains(&name) {
        return true;
    }
    let exact: Option<Vec<&str>> = rest.iter().map(Word::as_exact).collect();
    let Some(args) = exact else { return false };
    let without = |unsafe_options: &[&str]| {
        let is_one = |arg: &&str| unsafe_options.iter().any(|option| is_option(arg, option));
        !args.iter().any(is_one)
    };
    match name {
        "sort" => without(&["-o", "--output", "--compress-program", "-T", "--temporary-directory"]),
        "uniq" => args.iter().filter(|arg| !arg.starts_with('-')).count() <= 1,
        "base64" => without(&["-o", "--output"]),
        "file" => without(&["-C", "--compile"]),
        "date" => without(&["-s", "--set"]) && args.iter().all(|a| a.starts_with(['-', '+'])),
        "hostname" => args.iter().all(|arg| arg.starts_with('-')) && without(&["-F", "--file"]),
        "tree" => without(&["-o", "--output"]),
        "rg" => without(&["--pre", "--hostname-bin", "--search-zip", "-z"]),
        "find" => without(&[
            "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0",
            "-fprintf",
        ]),
        "fd" | "fdfind" => without(&["-x", "--exec", "-X", "--exec-batch"]),
        "sed" => prints_lines(&args),
        "git" => git_reads(rest),
        _ => false,
    }
}

/// Returns the bare name of a program of the system; others of that name may do anything.
fn system_name(program: &str) -> Option<&str> {
    match program.rsplit_once('/') {
        None => Some(program),
        Some(("/bin" | "/usr/bin" | "/usr/local/bin" | "/opt/homebrew/bin", name)) => Some(name),
        Some(_) => None,
    }
}

/// Tells whether `arg` is the option, alone or with its value attached.
fn is_option(arg: &str, option: &str) -> bool {
    match arg.strip_prefix(option) {
        Some("") => true,
        Some(rest) if option.starts_with("--") => rest.starts_with('='),
        // `-ofile` and `-rofile`: a short option may hide behind others.
        Some(_) => option.len() == 2,
        None => {
            let letters = arg.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
            matches!((letters, letter), (Some(letters), Some(letter)) if letters.contains(letter))
        }
    }
}

/// `sed -n 1,200p FILE…`
fn prints_lines(args: &[&str]) -> bool {
    let ["-n", range, files @ ..] = args else { return false };
    let range = range.strip_suffix('p');
    let is_range =
        |r: &str| !r.is_empty() && r.chars().all(|c| c.is_ascii_digit() || ",$".contains(c));
    range.is_some_and(is_range) && files.iter().all(|file| !file.starts_with('-'))
}

fn git_reads(words: &[Word]) -> bool {
    let rest = after_git_options(words);
    let skipped = words.len() - rest.len();
    // `-c` and its kind can name programs to run; only a change of folder is let through.
    let global: Vec<&str> = words.iter().take(skipped).map(|word| word.text.as_str()).collect();
    let harmless = matches!(
        global.as_slice(),
        [] | ["--no-pager"] | ["-C", _] | ["--no-pager", "-C", _] | ["-C", _, "--no-pager"]
    );
    let args: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let Some((verb, args)) = args.split_first() else { return false };
    let writes = args.iter().any(|arg| {
        ["--output", "--ext-diff", "--textconv", "--open-files-in-pager", "--exec", "-O"]
            .iter()
            .any(|option| is_option(arg, option))
    });
    let reads = match *verb {
        "status" | "log" | "diff" | "show" | "rev-parse" | "ls-files" | "ls-tree" | "blame"
        | "describe" | "shortlog" | "grep" | "cat-file" | "merge-base" | "rev-list" => true,
        "branch" | "tag" => args.iter().all(|arg| {
            matches!(
                *arg,
                "-a" | "-r" | "-v" | "-vv" | "-l" | "--list" | "--all" | "--show-current"
            )
        }),
        "remote" => matches!(args, [] | ["-v"] | ["show" | "get-url", _]),
        "stash" => matches!(args, ["list"] | ["show", ..]),
        "config" => matches!(args, ["--get", _] | ["--list" | "-l"]),
        _ => false,
    };
    harmless && reads && !writes
}

#[cfg(test)]
mod tests;

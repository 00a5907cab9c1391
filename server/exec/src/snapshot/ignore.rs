//! What is left out of a snapshot: folders that tools fill, and what `.gitignore` names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders that hold what can be made again, or what no undo may touch.
const LEFT_OUT: [&[u8]; 15] = [
    b".git",
    b".hg",
    b".svn",
    b".jj",
    b"node_modules",
    b"target",
    b"__pycache__",
    b".venv",
    b".tox",
    b".nox",
    b".mypy_cache",
    b".pytest_cache",
    b".ruff_cache",
    b".gradle",
    b".direnv",
];

/// Whether a folder of this name is left out wherever it is.
pub(super) fn is_left_out(name: &[u8]) -> bool {
    LEFT_OUT.contains(&name)
}

/// The texts of ignore files, by the folder each rules: relative to the root, `""` for the root.
///
/// The texts are what a manifest keeps, so that the same rules hold for the next look.
pub(super) type Texts = BTreeMap<PathBuf, Vec<u8>>;

/// The rules in force in a folder: its own and those of the folders around it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Outer folders first. Each with its number of path components below the root, or a path
    /// that stands before those of the root, for files outside it.
    levels: Vec<Level>,
}

#[derive(Debug)]
struct Level {
    depth: usize,
    /// Names between the folder of the ignore file and the root, when it lies outside.
    outside: Vec<Vec<u8>>,
    patterns: Vec<Pattern>,
}

impl Rules {
    /// Takes up a file of the root's own surroundings: `outside` are the names that lead from
    /// its folder to the root.
    pub(super) fn push_outside(&mut self, outside: Vec<Vec<u8>>, text: &[u8]) {
        self.levels.push(Level { depth: 0, outside, patterns: patterns(text) });
    }

    /// Enters a folder with an ignore file. `depth` is its number of components below the root.
    pub(super) fn push(&mut self, depth: usize, text: &[u8]) {
        self.levels.push(Level { depth, outside: Vec::new(), patterns: patterns(text) });
    }

    /// Leaves the folder that was entered last.
    pub(super) fn pop(&mut self) {
        self.levels.pop();
    }

    /// Whether a path is ignored: its names below the root, the last one its own. The folders
    /// around it are taken not to be.
    pub(super) fn ignores(&self, names: &[Vec<u8>], is_folder: bool) -> bool {
        for level in self.levels.iter().rev() {
            let own = names.get(level.depth..).unwrap_or_default();
            for pattern in level.patterns.iter().rev() {
                if pattern.fits(&level.outside, own, is_folder) {
                    return !pattern.negated;
                }
            }
        }
        false
    }
}

#[derive(Debug)]
struct Pattern {
    negated: bool,
    only_folders: bool,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// A name, in any folder.
    Name(Vec<u8>),
    /// `*` and what a name ends in, in any folder.
    Ending(Vec<u8>),
    /// A name with wildcards, in any folder.
    Wild(Vec<u8>),
    /// A path from the folder of the ignore file on.
    Path(Vec<Vec<u8>>),
}

fn patterns(text: &[u8]) -> Vec<Pattern> {
    text.split(|byte| *byte == b'\n').filter_map(pattern).collect()
}

fn pattern(line: &[u8]) -> Option<Pattern> {
    let mut line = line.strip_suffix(b"\r").unwrap_or(line);
    while let Some(shorter) = line.strip_suffix(b" ").filter(|rest| !rest.ends_with(b"\\")) {
        line = shorter;
    }
    if line.is_empty() || line.starts_with(b"#") {
        return None;
    }
    let (negated, line) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
    let (only_folders, line) = line.strip_suffix(b"/").map_or((false, line), |rest| (true, rest));
    let rooted = line.contains(&b'/');
    let line = line.strip_prefix(b"/").unwrap_or(line);
    if line.is_empty() {
        return None;
    }
    let is_wild = |name: &[u8]| name.iter().any(|byte| b"*?[\\".contains(byte));
    let form = match line.strip_prefix(b"*") {
        _ if rooted => Form::Path(line.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect()),
        _ if !is_wild(line) => Form::Name(line.to_vec()),
        Some(ending) if !is_wild(ending) => Form::Ending(ending.to_vec()),
        _ => Form::Wild(line.to_vec()),
    };
    Some(Pattern { negated, only_folders, form })
}

impl Pattern {
    fn fits(&self, outside: &[Vec<u8>], names: &[Vec<u8>], is_folder: bool) -> bool {
        let Some(name) = names.last() else { return false };
        if self.only_folders && !is_folder {
            return false;
        }
        match &self.form {
            Form::Name(own) => own == name,
            Form::Ending(ending) => name.ends_with(ending),
            Form::Wild(glob) => glob_fits(glob, name),
            Form::Path(globs) if outside.is_empty() => path_fits(globs, names),
            Form::Path(globs) => path_fits(globs, &[outside, names].concat()),
        }
    }
}

fn path_fits(globs: &[Vec<u8>], names: &[Vec<u8>]) -> bool {
    match globs.split_first() {
        None => names.is_empty(),
        Some((glob, rest)) if glob == b"**" => {
            if rest.is_empty() {
                return !names.is_empty();
            }
            (0..=names.len()).any(|skip| path_fits(rest, &names[skip..]))
        }
        Some((glob, rest)) => match names.split_first() {
            Some((name, others)) => glob_fits(glob, name) && path_fits(rest, others),
            None => false,
        },
    }
}

/// Whether a name fits a pattern with `*`, `?`, `[…]` and `\`. Takes at most as many steps as
/// the product of both lengths.
fn glob_fits(glob: &[u8], name: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // Where the last star stood, and how much of the name it has taken.
    let mut star: Option<(usize, usize)> = None;
    while place < name.len() {
        if glob.get(at) == Some(&b'*') {
            star = Some((at, place));
            at += 1;
            continue;
        }
        if let Some(next) = one(&glob[at..], name[place]) {
            at += next;
            place += 1;
            continue;
        }
        let Some((stood, taken)) = star else { return false };
        star = Some((stood, taken + 1));
        at = stood + 1;
        place = taken + 1;
    }
    glob[at..].iter().all(|byte| *byte == b'*')
}

/// Fits one byte; gives how much of the pattern that took.
fn one(glob: &[u8], byte: u8) -> Option<usize> {
    match glob {
        [b'?', ..] => Some(1),
        [b'\\', literal, ..] => (*literal == byte).then_some(2),
        [b'[', rest @ ..] => class(rest, byte),
        [literal, ..] => (*literal == byte).then_some(1),
        [] => None,
    }
}

/// `[a-z]`, `[!x]`; without an end the bracket is a byte like any other.
fn class(rest: &[u8], byte: u8) -> Option<usize> {
    let negated = matches!(rest.first(), Some(b'!' | b'^'));
    let start = usize::from(negated);
    let end = rest.iter().skip(start + 1).position(|byte| *byte == b']');
    let Some(end) = end.map(|end| end + start + 1) else {
        return (byte == b'[').then_some(1);
    };
    let inside = &rest[start..end];
    let mut fits = false;
    let mut at = 0;
    while let Some(low) = inside.get(at) {
        match inside.get(at + 1..at + 3) {
            Some([b'-', high]) => {
                fits |= (*low..=*high).contains(&byte);
                at += 3;
            }
            _ => {
                fits |= *low == byte;
                at += 1;
            }
        }
    }
    (fits != negated).then_some(end + 2)
}

/// Reads what rules a root from outside: the ignore files of the folders around it, up to the
/// one that holds `.git`, and that repository's own list.
pub(super) fn surroundings(root: &Path) -> Vec<(Vec<Vec<u8>>, Vec<u8>)> {
    use std::os::unix::ffi::OsStrExt;
    let Some(top) = root.ancestors().find(|folder| folder.join(".git").exists()) else {
        return Vec::new();
    };
    let names = |folder: &Path| -> Vec<Vec<u8>> {
        let below = root.strip_prefix(folder).unwrap_or(Path::new(""));
        below.components().map(|part| part.as_os_str().as_bytes().to_vec()).collect()
    };
    let mut found = Vec::new();
    if let Ok(text) = std::fs::read(top.join(".git/info/exclude")) {
        found.push((names(top), text));
    }
    let around = root.ancestors().skip(1).take_while(|folder| folder.starts_with(top));
    let around: Vec<&Path> = around.collect();
    for folder in around.into_iter().rev() {
        if let Ok(text) = std::fs::read(folder.join(".gitignore")) {
            found.push((names(folder), text));
        }
    }
    found
}

#[cfg(test)]
mod tests;

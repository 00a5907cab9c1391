//! Facts of a git repository, read from its files. No program is started: one that hangs, or
//! runs what a repository tells it to, must not hold up or endanger the start of a thread.

use std::fs;
use std::path::{Path, PathBuf};

use spindle_schema::rollout::GitInfo;

/// The prefix of a branch's full name.
const BRANCHES: &str = "refs/heads/";

/// How often a name may stand for another name.
const MOST_LINKS: usize = 5;

/// A repository's folders: of this working tree, and of all its working trees together.
struct Repository {
    own: PathBuf,
    common: PathBuf,
}

/// What the folder's repository is at: commit, branch, where `origin` is; `None` outside a
/// repository.
pub(crate) fn facts_of(folder: &Path) -> Option<GitInfo> {
    let repository =
        folder.ancestors().find_map(|folder| Repository::open(&folder.join(".git")))?;
    let head = read_line(&repository.own.join("HEAD"))?;
    let target = head.strip_prefix("ref:").map(str::trim);
    let commit = match target {
        Some(name) => repository.resolve(name),
        None => Some(head.clone()).filter(|hash| is_hash(hash)),
    };
    Some(GitInfo {
        commit_hash: commit.map(Into::into),
        branch: target.and_then(|name| name.strip_prefix(BRANCHES)).map(Into::into),
        repository_url: repository.origin().map(Into::into),
    })
}

impl Repository {
    /// Opens what `.git` is: a folder, or a file that says where the folder is.
    fn open(git: &Path) -> Option<Self> {
        let own = if git.is_dir() {
            git.to_owned()
        } else {
            let line = read_line(git)?;
            git.parent()?.join(line.strip_prefix("gitdir:")?.trim())
        };
        if !own.join("HEAD").is_file() {
            return None;
        }
        let common = match read_line(&own.join("commondir")) {
            Some(path) => own.join(path),
            None => own.clone(),
        };
        Some(Self { own, common })
    }

    /// Finds the commit that a name stands for.
    fn resolve(&self, name: &str) -> Option<String> {
        let mut name = name.to_owned();
        for _ in 0..MOST_LINKS {
            // A name is a path below the folder and nowhere else.
            if name.starts_with('/') || name.split('/').any(|part| part == "..") {
                return None;
            }
            let loose =
                read_line(&self.own.join(&name)).or_else(|| read_line(&self.common.join(&name)));
            let Some(line) = loose else { return self.packed(&name) };
            match line.strip_prefix("ref:") {
                Some(next) => next.trim().clone_into(&mut name),
                None => return Some(line).filter(|hash| is_hash(hash)),
            }
        }
        None
    }

    /// Finds a name among those that share one file.
    fn packed(&self, name: &str) -> Option<String> {
        let names = fs::read_to_string(self.common.join("packed-refs")).ok()?;
        names.lines().find_map(|line| {
            let (hash, packed) = line.split_once(' ')?;
            (packed == name && is_hash(hash)).then(|| hash.to_owned())
        })
    }

    /// Where `origin` is, without a password.
    fn origin(&self) -> Option<String> {
        let config = fs::read_to_string(self.common.join("config")).ok()?;
        let mut is_origin = false;
        let mut url = None;
        for line in config.lines().map(str::trim) {
            if let Some(section) = line.strip_prefix('[') {
                is_origin = is_origin_section(section);
            } else if is_origin
                && let Some((key, value)) = line.split_once('=')
                && key.trim().eq_ignore_ascii_case("url")
            {
                url.get_or_insert_with(|| plain_value(value));
            }
        }
        url.filter(|url| !url.is_empty()).map(|url| without_password(&url))
    }
}

/// Whether a section's head, without its first bracket, is `remote "origin"`.
fn is_origin_section(head: &str) -> bool {
    let head = head.split(']').next().unwrap_or_default();
    head.split_once(char::is_whitespace).is_some_and(|(kind, name)| {
        kind.eq_ignore_ascii_case("remote") && name.trim() == "\"origin\""
    })
}

/// A value without its quotes, or without the comment behind it.
fn plain_value(value: &str) -> String {
    let value = value.trim();
    match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
        None => value.split([';', '#']).next().unwrap_or_default().trim().to_owned(),
    }
}

/// Takes name and password out of a web address: the facts are stored and shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://").filter(|(s, _)| s.starts_with("http")) else {
        return url.to_owned();
    };
    let host_end = rest.find('/').unwrap_or(rest.len());
    match rest[..host_end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

fn read_line(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.lines().next()?.trim().to_owned()).filter(|line| !line.is_empty())
}

/// Whether a text names a commit: 40 or 64 hexadecimal digits.
fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{GitInfo, facts_of, without_password};

const ONE: &str = "1a3a20998999cb5af7c2176d8e53ce39f343e7f1";
const TWO: &str = "71e8605a34c6c3dcb870a2e8e88bf5e85443c3aa";

/// A folder with files in it.
struct Place(TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = place.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn facts(&self, folder: &str) -> Option<GitInfo> {
        fs::create_dir_all(self.path(folder)).unwrap();
        facts_of(&self.path(folder))
    }
}

fn info(commit: Option<&str>, branch: Option<&str>, url: Option<&str>) -> GitInfo {
    GitInfo {
        commit_hash: commit.map(Into::into),
        branch: branch.map(Into::into),
        repository_url: url.map(Into::into),
    }
}

#[test]
fn a_repository_is_known_in_every_folder_of_it() {
    let place = Place::new(&[
        (".git/HEAD", "ref: refs/heads/feature/x\n"),
        (".git/refs/heads/feature/x", &format!("{ONE}\n")),
        (
            ".git/config",
            "[core]\n\turl = no\n[remote \"origin\"]\n\turl = https://example.com/r.git\n\
                         \tfetch = x\n[remote \"other\"]\n\turl = https://example.com/o.git\n",
        ),
    ]);
    let expected = Some(info(Some(ONE), Some("feature/x"), Some("https://example.com/r.git")));
    assert_eq!(place.facts(""), expected);
    assert_eq!(place.facts("a/b"), expected);
}

#[test]
fn outside_a_repository_there_are_no_facts() {
    assert_eq!(facts_of(Path::new("/no/such/folder")), None);
    assert_eq!(Place::new(&[(".git/junk", "")]).facts(""), None, "an empty .git is no repository");
    assert_eq!(Place::new(&[(".git", "junk")]).facts(""), None);
    assert_eq!(Place::new(&[(".git", "gitdir: gone\n")]).facts(""), None);
}

#[test]
fn a_commit_is_found_among_packed_names_unless_a_file_has_a_later_one() {
    let packed = format!("# pack-refs with: peeled\n{TWO} refs/heads/main\n^{ONE}\n");
    let place =
        Place::new(&[(".git/HEAD", "ref: refs/heads/main\n"), (".git/packed-refs", &packed)]);
    assert_eq!(place.facts(""), Some(info(Some(TWO), Some("main"), None)));
    fs::create_dir_all(place.path(".git/refs/heads")).unwrap();
    fs::write(place.path(".git/refs/heads/main"), ONE).unwrap();
    assert_eq!(place.facts(""), Some(info(Some(ONE), Some("main"), None)));
}

#[test]
fn a_detached_head_has_no_branch_and_a_first_branch_no_commit() {
    assert_eq!(Place::new(&[(".git/HEAD", ONE)]).facts(""), Some(info(Some(ONE), None, None)));
    let fresh = Place::new(&[(".git/HEAD", "ref: refs/heads/trunk\n")]);
    assert_eq!(fresh.facts(""), Some(info(None, Some("trunk"), None)));
}

#[test]
fn a_second_working_tree_has_its_own_head_and_the_common_rest() {
    let place = Place::new(&[
        ("main/.git/HEAD", "ref: refs/heads/main\n"),
        ("main/.git/refs/heads/topic", TWO),
        ("main/.git/config", "[remote \"origin\"]\nurl = ssh://git@host/r.git\n"),
        ("main/.git/worktrees/w/HEAD", "ref: refs/heads/topic\n"),
        ("main/.git/worktrees/w/commondir", "../..\n"),
        ("tree/.git", "gitdir: ../main/.git/worktrees/w\n"),
    ]);
    assert_eq!(
        place.facts("tree"),
        Some(info(Some(TWO), Some("topic"), Some("ssh://git@host/r.git")))
    );
}

#[test]
fn names_that_lead_in_a_circle_or_out_of_the_folder_have_no_commit() {
    let circle = Place::new(&[
        (".git/HEAD", "ref: refs/heads/a\n"),
        (".git/refs/heads/a", "ref: refs/heads/b\n"),
        (".git/refs/heads/b", "ref: refs/heads/a\n"),
    ]);
    assert_eq!(circle.facts(""), Some(info(None, Some("a"), None)));
    let out = Place::new(&[(".git/HEAD", "ref: ../secret\n"), ("secret", ONE)]);
    assert_eq!(out.facts(""), Some(info(None, None, None)));
}

#[test]
fn an_address_is_told_without_name_and_password() {
    let cases = [
        ("https://me:token@example.com/r.git", "https://example.com/r.git"),
        ("https://example.com/a@b.git", "https://example.com/a@b.git"),
        ("git@example.com:r.git", "git@example.com:r.git"),
        ("/srv/r.git", "/srv/r.git"),
    ];
    for (url, expected) in cases {
        assert_eq!(without_password(url), expected);
    }
}

#[test]
fn values_lose_their_quotes_and_comments() {
    for url in ["\"https://e.com/r#1.git\" ; mine", "https://e.com/r.git # mine"] {
        let config = format!("[remote \"origin\"]\nURL={url}\nurl = second\n");
        let place = Place::new(&[(".git/HEAD", ONE), (".git/config", &config)]);
        let found = place.facts("").unwrap().repository_url.unwrap();
        assert!(found.starts_with("https://e.com/r") && found.ends_with(".git"), "{found}");
    }
}

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;

use super::{Instructions, collect};
use crate::config::Loader;

/// A home and a repository with a folder in it.
struct Place(TempDir);

impl Place {
    fn new(config: &str, files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for folder in ["home", "repo/.git", "repo/a/pkg"] {
            fs::create_dir_all(place.path(folder)).unwrap();
        }
        fs::write(place.path("home/config.toml"), config).unwrap();
        for (name, text) in files {
            fs::write(place.path(name), text).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn collect(&self, cwd: &str) -> Instructions {
        let env = Arc::new(HashMap::new());
        let loader = Loader::new(self.path("home"), Vec::new(), Vec::new(), env)
            .with_machine_folder(self.path("machine"));
        collect(&loader.load(None, None).unwrap(), &self.path(cwd))
    }

    fn texts(&self, cwd: &str) -> Vec<String> {
        self.collect(cwd).documents().map(|document| document.text.clone()).collect()
    }
}

#[test]
fn the_persons_text_stands_before_those_of_the_project_from_its_root_down() {
    let place = Place::new(
        "",
        &[
            ("home/AGENTS.md", "Home rule.\n"),
            ("repo/AGENTS.md", "Root rule.\n"),
            ("repo/a/pkg/AGENTS.md", "Package rule.\n"),
        ],
    );
    let found = place.collect("repo/a/pkg");
    let expected = ["home/AGENTS.md", "repo/AGENTS.md", "repo/a/pkg/AGENTS.md"];
    assert_eq!(found.sources(), expected.map(|name| place.path(name).display().to_string()));
    assert_eq!(
        found.render().unwrap(),
        format!(
            "# AGENTS.md instructions for {}\n\n<INSTRUCTIONS>\nHome rule.\n\n--- project-doc \
             ---\n\nRoot rule.\n\n\nPackage rule.\n\n</INSTRUCTIONS>",
            place.path("repo/a/pkg").display()
        )
    );
}

#[test]
fn without_files_there_is_no_message() {
    let found = Place::new("", &[("repo/AGENTS.md", " \n")]).collect("repo");
    assert_eq!((found.render(), found.sources()), (None, Vec::new()));
}

#[test]
fn one_side_alone_has_no_mark() {
    let render = |file| Place::new("", &[(file, "Rule.\n")]).collect("repo").render().unwrap();
    assert!(render("home/AGENTS.md").ends_with("<INSTRUCTIONS>\nRule.\n</INSTRUCTIONS>"));
    assert!(render("repo/AGENTS.md").ends_with("<INSTRUCTIONS>\nRule.\n\n</INSTRUCTIONS>"));
}

#[test]
fn each_folder_has_one_file_by_the_order_of_names() {
    let place = Place::new(
        "project_doc_fallback_filenames = [\"GUIDE.md\"]\n",
        &[
            ("home/AGENTS.override.md", "override"),
            ("home/AGENTS.md", "hidden"),
            ("repo/AGENTS.override.md", "\n"),
            ("repo/AGENTS.md", "root"),
            ("repo/GUIDE.md", "hidden"),
            ("repo/a/GUIDE.md", "guide"),
        ],
    );
    assert_eq!(place.texts("repo/a"), ["override", "root", "guide"]);
}

#[test]
fn outside_a_project_only_the_folder_itself_counts() {
    let place = Place::new(
        "project_root_markers = [\"no-such\"]\n",
        &[("repo/AGENTS.md", "root"), ("repo/a/AGENTS.md", "folder")],
    );
    assert_eq!(place.texts("repo/a"), ["folder"]);
    assert_eq!(place.texts("repo/a/pkg"), Vec::<String>::new());
}

#[test]
fn the_projects_texts_share_the_room_and_end_at_a_character() {
    let place = Place::new(
        "project_doc_max_bytes = 8\n",
        &[
            ("home/AGENTS.md", "as long as you like"),
            ("repo/AGENTS.md", "12345"),
            ("repo/a/AGENTS.md", "6é€ rest"),
            ("repo/a/pkg/AGENTS.md", "no room"),
        ],
    );
    assert_eq!(place.texts("repo/a/pkg"), ["as long as you like", "12345", "6é"]);
    let none = Place::new("project_doc_max_bytes = 0\n", &[("repo/AGENTS.md", "x")]);
    assert_eq!(none.texts("repo"), Vec::<String>::new());
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_folders_passed_over() {
    let place = Place::new("", &[]);
    fs::create_dir(place.path("repo/AGENTS.override.md")).unwrap();
    fs::write(place.path("repo/AGENTS.md"), b"a\xffb").unwrap();
    assert_eq!(place.texts("repo"), ["a\u{fffd}b"]);
}

#[test]
fn a_file_is_not_told_twice_when_the_home_is_the_working_folder() {
    let place = Place::new("", &[("home/AGENTS.md", "once")]);
    assert_eq!(place.texts("home"), ["once"]);
}

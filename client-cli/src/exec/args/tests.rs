use std::path::PathBuf;

use clap::Parser;

use super::{AccessProgram, ExecArgs, ExecCommand, ExecOptions, Sandbox};
use crate::args::{Cli, Command};

fn exec(words: &[&str]) -> ExecArgs {
    let words = ["spindle", "exec"].iter().chain(words);
    match Cli::try_parse_from(words).unwrap().command {
        Command::Exec(args) => *args,
        other => panic!("{other:?}"),
    }
}

/// All options, those after `resume` included, and the words after it.
fn resumed(words: &[&str]) -> (ExecOptions, Option<String>, Option<String>, bool) {
    let args = exec(words);
    match args.command {
        Some(ExecCommand::Resume(resume)) => {
            (args.options.then(resume.options), resume.thread, resume.prompt, resume.last)
        }
        None => panic!("no resume"),
    }
}

#[test]
fn the_command_line_of_the_typescript_sdk_is_understood() {
    let (options, thread, prompt, _) = resumed(&[
        "--experimental-json",
        "--config",
        "a=1",
        "--model",
        "m",
        "--thread-source",
        "sdk",
        "--sandbox",
        "workspace-write",
        "--cd",
        "/w",
        "--add-dir",
        "/x",
        "--add-dir",
        "/y",
        "--skip-git-repo-check",
        "--output-schema",
        "/s.json",
        "--cyber-access-program",
        "daybreak_blue",
        "--config",
        "approval_policy=\"never\"",
        "resume",
        "ID",
        "--image",
        "/1.png",
        "--image",
        "/2.png",
    ]);
    assert!(options.json && options.skip_git_repo_check);
    assert_eq!(options.model.as_deref(), Some("m"));
    assert_eq!(options.thread_source.as_deref(), Some("sdk"));
    assert_eq!(options.sandbox, Some(Sandbox::WorkspaceWrite));
    assert_eq!(options.cyber_access_program, Some(AccessProgram::DaybreakBlue));
    assert_eq!(options.add_dir, [PathBuf::from("/x"), PathBuf::from("/y")]);
    assert_eq!(options.image, [PathBuf::from("/1.png"), PathBuf::from("/2.png")]);
    assert_eq!(options.shared.config.len(), 2);
    assert_eq!((thread.as_deref(), prompt), (Some("ID"), None));
}

#[test]
fn a_lone_dash_is_the_prompt() {
    let args = exec(&["-c", "approval_policy=never", "-m", "m", "--output-last-message", "f", "-"]);
    assert_eq!(args.prompt.as_deref(), Some("-"));
    assert_eq!(args.options.output_last_message, Some(PathBuf::from("f")));
}

#[test]
fn the_prompt_may_be_any_words() {
    assert_eq!(exec(&["resumes nothing"]).prompt.as_deref(), Some("resumes nothing"));
    assert_eq!(exec(&["--image", "a.png", "look"]).prompt.as_deref(), Some("look"));
    assert_eq!(exec(&["--", "--odd"]).prompt.as_deref(), Some("--odd"));
}

#[test]
fn an_option_after_resume_wins_over_the_same_one_before() {
    let (options, ..) = resumed(&["-m", "a", "resume", "ID", "-m", "b"]);
    assert_eq!(options.model.as_deref(), Some("b"));
    let (options, thread, _, last) = resumed(&["-m", "a", "resume", "--last", "go on"]);
    assert_eq!(options.model.as_deref(), Some("a"));
    assert!(last);
    assert_eq!(thread.as_deref(), Some("go on"));
}

#[test]
fn skipping_all_protection_and_asking_for_some_contradict_each_other() {
    let words =
        ["spindle", "exec", "--dangerously-bypass-approvals-and-sandbox", "-s", "read-only"];
    assert!(Cli::try_parse_from(words).is_err());
}

use std::io;

use clap::Parser;

use super::*;
use crate::args::{Cli, Command as Subcommand};

fn parsed(words: &[&str]) -> SandboxArgs {
    let words = ["spindle", "sandbox"].iter().chain(words);
    match Cli::try_parse_from(words).expect("the words can be parsed").command {
        Subcommand::Sandbox(args) => *args,
        other => panic!("the sandbox, not {other:?}"),
    }
}

#[test]
fn what_follows_the_options_is_the_commands_own() {
    let args = parsed(&["-m", "workspace-write", "-w", "/a", "--", "ls", "--network", "-c"]);
    assert_eq!(args.command, ["ls", "--network", "-c"]);
    assert!(!args.network && args.shared.config.is_empty());
    let args = parsed(&["--mode", "danger-full-access", "sh", "-c", "true"]);
    assert_eq!(args.command, ["sh", "-c", "true"]);
    assert_eq!(args.mode, Some(Mode::FullAccess));
    assert!(Cli::try_parse_from(["spindle", "sandbox"]).is_err(), "a command is needed");
}

#[test]
fn each_way_not_to_start_has_the_code_that_shells_have() {
    let exec = |kind: io::ErrorKind| SpawnError::Exec { program: "p".into(), source: kind.into() };
    assert_eq!(code_of(&SpawnError::NotFound("p".into()).into()), 127);
    assert_eq!(code_of(&exec(io::ErrorKind::NotFound).into()), 127);
    assert_eq!(code_of(&exec(io::ErrorKind::PermissionDenied).into()), 126);
    assert_eq!(code_of(&anyhow::anyhow!("no settings")), 125);
}

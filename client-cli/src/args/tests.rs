use clap::{CommandFactory, Parser};

use super::{Cli, Command, Shared};

fn parse(words: &[&str]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(std::iter::once("spindle").chain(words.iter().copied()))
}

/// What the command line sets, whichever side of the subcommand it stands on.
fn shared(words: &[&str]) -> Shared {
    let cli = parse(words).unwrap();
    match cli.command {
        Command::Exec(exec) => cli.shared.then(exec.options.shared),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn settings_stand_on_either_side_of_the_subcommand_and_the_right_one_wins() {
    let shared = shared(&["-c", "a=1", "--enable", "x", "exec", "--config", "a=2", "--enable=y"]);
    assert_eq!(shared.config, [("a".into(), "1".into()), ("a".into(), "2".into())]);
    assert_eq!(shared.features(), [("x".into(), true), ("y".into(), true)]);
}

#[test]
fn a_value_is_kept_raw_and_split_at_the_first_equals_sign() {
    let config = shared(&["exec", "-c", "p.base_url=\"http://h/?a=b\""]).config;
    assert_eq!(config, [("p.base_url".into(), "\"http://h/?a=b\"".into())]);
}

#[test]
fn the_flag_of_editors_is_accepted_anywhere() {
    assert!(shared(&["--analytics-default-enabled", "exec"]).analytics_default_enabled);
    assert!(shared(&["exec", "--analytics-default-enabled"]).analytics_default_enabled);
}

#[test]
fn mistakes_end_with_exit_code_two() {
    for words in [
        &["exec", "--bogus"][..],
        &["bogus"],
        &["exec", "-c", "novalue"],
        &["exec", "-c", "=1"],
        &["exec", "--sandbox", "nope"],
        &["exec", "--remote", "http://x"],
        &[],
    ] {
        assert_eq!(parse(words).unwrap_err().exit_code(), 2, "{words:?}");
    }
}

use clap::Parser;
use spindle_exec::policy::Rules;

use super::*;
use crate::args::{Cli, Command};

fn parsed(words: &[&str]) -> CheckArgs {
    let words = ["spindle", "execpolicy", "check"].iter().chain(words);
    match Cli::try_parse_from(words).expect("the words can be parsed").command {
        Command::Execpolicy(ExecpolicyArgs { command: ExecpolicyCommand::Check(args) }) => args,
        other => panic!("a check, not {other:?}"),
    }
}

fn explained(words: &[&str]) -> Explanation {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let context = Context {
        approval: spindle_schema::settings::ApprovalPolicy::OnRequest,
        confinement: Confinement::Unwanted,
        escalation: Escalation::No,
    };
    explain(&Rules::default(), &command_line(&words), context)
}

#[test]
fn rules_may_be_named_before_the_command() {
    let args = parsed(&["--rules", "a", "-r", "b", "--", "git", "--pretty", "push"]);
    assert_eq!(args.rules, ["a", "b"].map(PathBuf::from));
    assert_eq!(args.command, ["git", "--pretty", "push"]);
    assert!(!args.pretty);
}

#[test]
fn one_word_with_blanks_is_a_script_and_more_words_are_a_command() {
    let script = explained(&["ls && rm -rf x"]);
    let commands: Vec<&str> = script.commands.iter().map(|part| part.command.as_str()).collect();
    assert_eq!(commands, ["ls", "rm -rf x"]);
    assert_eq!(explained(&["echo", "a && b"]).commands.len(), 1);
}

#[test]
fn the_exit_code_tells_the_verdict() {
    assert_eq!(code_of(&explained(&["ls"])), 0);
    assert_eq!(code_of(&explained(&["rm", "-rf", "x"])), ASK);
    let forbidden = Explanation { verdict: "forbid", ..explained(&["ls"]) };
    assert_eq!(code_of(&forbidden), FORBID);
}

#[test]
fn programs_get_one_line_or_many() {
    let explanation = explained(&["ls"]);
    let line = shown(&explanation, &parsed(&["--json", "ls"])).expect("plain data");
    assert_eq!(line.lines().count(), 1);
    let lines = shown(&explanation, &parsed(&["--pretty", "ls"])).expect("plain data");
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert!(lines.lines().count() > 5 && value(&line) == value(&lines));
}

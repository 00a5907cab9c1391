//! `spindle execpolicy`: what the rules say about a command, and why.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use spindle_exec::policy::{
    CommandLine, Confinement, Context, Escalation, Explanation, RuleBook, explain,
};
use spindle_exec::sandbox::Support;

use crate::args::Shared;
use crate::bench::{self, Terms, Wanted};
use crate::out::print;

#[cfg(test)]
mod tests;

/// The exit code when a person would be asked.
const ASK: u8 = 3;
/// The exit code when the command would not run.
const FORBID: u8 = 4;

/// Tell what the rules say about a command.
#[derive(Debug, Args)]
pub(crate) struct ExecpolicyArgs {
    #[command(subcommand)]
    command: ExecpolicyCommand,
}

#[derive(Debug, Subcommand)]
enum ExecpolicyCommand {
    /// Explain what would become of a command: what it runs, the rule or the reason that decides.
    ///
    /// The exit code is 0 when it would run, 3 when a person would be asked, 4 when it would be
    /// refused, and 1 when a rule file is faulty, whose rules then do not count.
    Check(CheckArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    #[command(flatten)]
    shared: Shared,
    /// A file with rules, in place of those of the home folder. Repeatable.
    #[arg(short, long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    /// Print JSON, on one line.
    #[arg(long)]
    json: bool,
    /// Print JSON, on many lines.
    #[arg(long)]
    pretty: bool,
    /// The folder whose settings count.
    #[arg(short = 'C', long, visible_alias = "cd", value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The command asks to leave the sandbox.
    #[arg(long)]
    escalated: bool,
    /// The command and its arguments. A single word with blanks is read as a script.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs `execpolicy`.
pub(crate) async fn run(shared: Shared, args: ExecpolicyArgs) -> anyhow::Result<ExitCode> {
    let ExecpolicyCommand::Check(args) = args.command;
    let shared = shared.then(args.shared.clone());
    let workbench = bench::make(&shared);
    let cwd = args.cwd.as_deref().map(bench::folder).transpose()?;
    let terms = workbench.terms(&Wanted { cwd, ..Wanted::default() })?;
    let mut book = match args.rules.as_slice() {
        [] => workbench.rules(),
        files => RuleBook::of_files(files.to_vec()),
    };
    let rules = book.current();
    let context = Context {
        approval: terms.approval,
        confinement: confinement(&terms).await,
        escalation: if args.escalated { Escalation::Asked } else { Escalation::No },
    };
    let explanation = explain(&rules, &command_line(&args.command), context);
    print(&shown(&explanation, &args)?)?;
    Ok(ExitCode::from(if tell_faults(&book) { 1 } else { code_of(&explanation) }))
}

/// What would hold the command here.
async fn confinement(terms: &Terms) -> Confinement {
    if !terms.mode.is_sandboxed() {
        Confinement::Unwanted
    } else if Support::detect().await.can_enforce(&terms.mode) {
        Confinement::Enforced
    } else {
        Confinement::Unavailable
    }
}

/// The command as a thread would get it.
fn command_line(words: &[String]) -> CommandLine {
    match words {
        [script] if script.contains(char::is_whitespace) => CommandLine::of_script("bash", script),
        words => CommandLine::new(words),
    }
}

fn shown(explanation: &Explanation, args: &CheckArgs) -> anyhow::Result<String> {
    Ok(if args.pretty {
        format!("{}\n", serde_json::to_string_pretty(explanation)?)
    } else if args.json {
        format!("{}\n", serde_json::to_string(explanation)?)
    } else {
        explanation.to_string()
    })
}

fn code_of(explanation: &Explanation) -> u8 {
    match explanation.verdict {
        "allow" => 0,
        "ask" => ASK,
        _ => FORBID,
    }
}

/// Tells of files whose rules do not count. Says whether there are any.
fn tell_faults(book: &RuleBook) -> bool {
    let mut any = false;
    for fault in book.errors() {
        any = true;
        // The exit code says it as well.
        let _ = writeln!(std::io::stderr(), "Error: {}", fault.brief());
    }
    any
}

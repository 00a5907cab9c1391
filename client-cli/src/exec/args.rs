//! The options of `exec`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use spindle_schema::v2::{CyberAccessProgram, SandboxMode};

use crate::args::Shared;
use crate::reach::Remote;

/// Ask once: progress on stderr, the answer on stdout.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = false)]
pub(crate) struct ExecArgs {
    /// What to ask; `-` or nothing reads it from stdin.
    pub(crate) prompt: Option<String>,
    #[command(flatten)]
    pub(crate) options: ExecOptions,
    #[command(subcommand)]
    pub(crate) command: Option<ExecCommand>,
}

/// What `exec` can do besides starting a thread.
#[derive(Debug, Subcommand)]
pub(crate) enum ExecCommand {
    /// Go on with a thread.
    Resume(Box<ResumeArgs>),
}

/// The options of `exec resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The thread's id or name. With `--last`, the prompt.
    pub(crate) thread: Option<String>,
    /// What to ask; `-` or nothing reads it from stdin.
    pub(crate) prompt: Option<String>,
    /// Take the thread that was used last in this folder.
    #[arg(long)]
    pub(crate) last: bool,
    /// With `--last`: in any folder.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) options: ExecOptions,
}

/// Options that may stand before and after `resume`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ExecOptions {
    #[command(flatten)]
    pub(crate) shared: Shared,
    /// Print one JSON event a line on stdout instead of text.
    #[arg(long, alias = "experimental-json")]
    pub(crate) json: bool,
    /// The model.
    #[arg(short, long)]
    pub(crate) model: Option<String>,
    /// What commands may touch.
    #[arg(short, long, value_name = "MODE")]
    pub(crate) sandbox: Option<Sandbox>,
    /// Run everything, without asking and without a sandbox. Only where something else
    /// protects the machine.
    #[arg(
        long = "dangerously-bypass-approvals-and-sandbox",
        alias = "yolo",
        conflicts_with = "sandbox"
    )]
    pub(crate) bypass: bool,
    /// The folder to work in.
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(crate) cd: Option<PathBuf>,
    /// A further folder that may be written to. Repeatable.
    #[arg(long, value_name = "DIR")]
    pub(crate) add_dir: Vec<PathBuf>,
    /// Work outside a git repository too.
    #[arg(long)]
    pub(crate) skip_git_repo_check: bool,
    /// Keep nothing of the thread.
    #[arg(long)]
    pub(crate) ephemeral: bool,
    /// A JSON Schema that the answer must fit.
    #[arg(long, value_name = "FILE")]
    pub(crate) output_schema: Option<PathBuf>,
    /// A file that the answer is written to as well.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output_last_message: Option<PathBuf>,
    /// A picture that goes with the prompt. Repeatable.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) image: Vec<PathBuf>,
    /// What the thread is for, in a word.
    #[arg(long, value_name = "SOURCE")]
    pub(crate) thread_source: Option<String>,
    /// The provider's access program for this turn.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) cyber_access_program: Option<AccessProgram>,
    #[command(flatten)]
    pub(crate) remote: Remote,
    /// When to use colours.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// What commands may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sandbox {
    /// Read files, change nothing.
    ReadOnly,
    /// Change files in the workspace.
    WorkspaceWrite,
    /// Everything.
    DangerFullAccess,
}

impl From<Sandbox> for SandboxMode {
    fn from(sandbox: Sandbox) -> Self {
        match sandbox {
            Sandbox::ReadOnly => Self::ReadOnly,
            Sandbox::WorkspaceWrite => Self::WorkspaceWrite,
            Sandbox::DangerFullAccess => Self::DangerFullAccess,
        }
    }
}

/// An access program of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum AccessProgram {
    /// The usual one.
    Standard,
    /// For those who defend.
    DaybreakBlue,
    /// For those who test defences.
    DaybreakRed,
}

impl From<AccessProgram> for CyberAccessProgram {
    fn from(program: AccessProgram) -> Self {
        match program {
            AccessProgram::Standard => Self::Standard,
            AccessProgram::DaybreakBlue => Self::DaybreakBlue,
            AccessProgram::DaybreakRed => Self::DaybreakRed,
        }
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ExecOptions {
    /// Adds the options that stood after `resume`: single ones win, lists grow.
    pub(crate) fn then(self, later: Self) -> Self {
        Self {
            shared: self.shared.then(later.shared),
            json: self.json || later.json,
            model: later.model.or(self.model),
            sandbox: later.sandbox.or(self.sandbox),
            bypass: self.bypass || later.bypass,
            cd: later.cd.or(self.cd),
            add_dir: [self.add_dir, later.add_dir].concat(),
            skip_git_repo_check: self.skip_git_repo_check || later.skip_git_repo_check,
            ephemeral: self.ephemeral || later.ephemeral,
            output_schema: later.output_schema.or(self.output_schema),
            output_last_message: later.output_last_message.or(self.output_last_message),
            image: [self.image, later.image].concat(),
            thread_source: later.thread_source.or(self.thread_source),
            cyber_access_program: later.cyber_access_program.or(self.cyber_access_program),
            remote: self.remote.then(later.remote),
            color: if later.color == Color::Auto { self.color } else { later.color },
        }
    }
}

#[cfg(test)]
mod tests;

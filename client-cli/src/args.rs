//! The command line.

use clap::{Args, Parser, Subcommand};

use crate::app_server::AppServerArgs;
use crate::attach::AttachArgs;
use crate::demo::DemoArgs;
use crate::doctor::DoctorArgs;
use crate::exec::ExecArgs;
use crate::execpolicy::ExecpolicyArgs;
use crate::offline_model::OfflineModelArgs;
use crate::sandbox::SandboxArgs;
use crate::threads::ThreadsArgs;
use crate::undo::UndoArgs;

/// A daemon that hosts coding-agent conversations, and its command line client.
#[derive(Debug, Parser)]
#[command(name = "spindle", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What stands before the subcommand.
    #[command(flatten)]
    pub(crate) shared: Shared,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the daemon: over standard streams, a WebSocket or a Unix socket.
    AppServer(Box<AppServerArgs>),
    /// Ask once, without a conversation on the screen.
    Exec(Box<ExecArgs>),
    /// List, show, find and tidy threads.
    Threads(Box<ThreadsArgs>),
    /// Put files back as they were before a turn changed them.
    Undo(Box<UndoArgs>),
    /// Follow a thread live and talk in it.
    Attach(Box<AttachArgs>),
    /// Run a command in the sandbox that commands of a thread run in.
    Sandbox(Box<SandboxArgs>),
    /// Tell what the rules say about a command.
    Execpolicy(ExecpolicyArgs),
    /// Check home, settings, store, provider, sandbox and sockets.
    Doctor(Box<DoctorArgs>),
    /// Show what the daemon does, with two frontends and a crash: no key, no network.
    Demo(DemoArgs),
    /// Serve a stand-in for a model: no key, no network.
    OfflineModel(OfflineModelArgs),
    /// Print a script that completes command lines in a shell.
    Completion {
        #[command(flatten)]
        shared: Shared,
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Settings that every subcommand takes, on either side of its name.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Shared {
    /// Override a setting of config.toml. The key may be dotted; the value is read as TOML,
    /// and taken literally when it is none.
    #[arg(short = 'c', long = "config", value_name = "KEY=VALUE", value_parser = parse_override)]
    pub(crate) config: Vec<(String, String)>,
    /// Switch a feature on; the same as `-c features.NAME=true`.
    #[arg(long, value_name = "FEATURE")]
    pub(crate) enable: Vec<String>,
    /// Switch a feature off; the same as `-c features.NAME=false`.
    #[arg(long, value_name = "FEATURE")]
    pub(crate) disable: Vec<String>,
    /// Accepted for programs that pass it; nothing is collected.
    #[arg(long, hide = true)]
    pub(crate) analytics_default_enabled: bool,
}

impl Shared {
    /// Adds what stood further right: it is applied later, so it wins.
    pub(crate) fn then(mut self, later: Self) -> Self {
        self.config.extend(later.config);
        self.enable.extend(later.enable);
        self.disable.extend(later.disable);
        self.analytics_default_enabled |= later.analytics_default_enabled;
        self
    }

    /// The features that are switched, in the order in which they count.
    pub(crate) fn features(&self) -> Vec<(String, bool)> {
        let on = self.enable.iter().map(|name| (name.clone(), true));
        on.chain(self.disable.iter().map(|name| (name.clone(), false))).collect()
    }

    /// Whether a setting is overridden.
    pub(crate) fn overrides(&self, key: &str) -> bool {
        self.config.iter().any(|(name, _)| name == key)
    }
}

/// Splits `KEY=VALUE` at the first equals sign. The value stays raw.
fn parse_override(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    let key = key.trim();
    if key.is_empty() {
        return Err("the key is empty".to_owned());
    }
    Ok((key.to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests;

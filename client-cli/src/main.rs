//! `spindle`: the daemon and its command line client, in one program.
//!
//! Reading order: [`args`] (what can be asked for), [`client`] (how a daemon is talked to),
//! then one module for each subcommand. Only [`app_server`], [`host`] and [`mod@bench`] know the
//! server, and only [`offline_model`] the stand-in for a model. What concerns this very machine,
//! [`sandbox`], [`execpolicy`] and `doctor/sandbox`, is asked of the hands themselves.

mod app_server;
mod args;
mod attach;
mod bench;
mod client;
mod columns;
mod daemon;
mod demo;
mod doctor;
mod exec;
mod execpolicy;
mod find;
mod home;
mod host;
mod offline_model;
mod out;
mod overrides;
mod paint;
mod reach;
mod sandbox;
mod thread_of;
mod threads;
mod turn;
mod undo;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};

/// What shells show of a program that ended because nobody read what it wrote.
const UNREAD: u8 = 141;

fn main() -> ExitCode {
    rustls::crypto::ring::default_provider()
        .install_default()
        .expect("no other TLS provider is installed before the program has begun");
    let cli = Cli::parse();
    let result = match cli.command {
        Command::AppServer(mut args) => match args.command.take() {
            Some(tool) => on_runtime(app_server::run_tool(args.settings(cli.shared), tool)),
            None => Ok(app_server::run(cli.shared, *args)),
        },
        Command::Exec(args) => on_runtime(exec::run(cli.shared, *args)),
        Command::Threads(args) => on_runtime(threads::run(cli.shared, *args)),
        Command::Undo(args) => on_runtime(undo::run(cli.shared, *args)),
        Command::Attach(args) => on_runtime(attach::run(cli.shared, *args)),
        Command::Sandbox(args) => on_runtime(sandbox::run(cli.shared, *args)),
        Command::Execpolicy(args) => on_runtime(execpolicy::run(cli.shared, args)),
        Command::Doctor(args) => on_runtime(doctor::run(cli.shared, *args)),
        Command::Demo(args) => on_runtime(demo::run(args)),
        Command::OfflineModel(args) => on_runtime(offline_model::run(args)),
        Command::Completion { shell, .. } => completion(shell),
    };
    result.unwrap_or_else(|error| {
        if out::is_unread(&error) {
            return ExitCode::from(UNREAD);
        }
        // Nothing is left to do about a stderr that is gone.
        let _ = writeln!(std::io::stderr(), "Error: {error:#}");
        ExitCode::FAILURE
    })
}

/// Prints the script that completes command lines.
fn completion(shell: clap_complete::Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "spindle", &mut script);
    out::print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a client, and the daemon that it may host, to the end.
fn on_runtime(work: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let result = runtime.block_on(work);
    // A blocked read of the terminal must not keep the program.
    runtime.shutdown_background();
    result
}

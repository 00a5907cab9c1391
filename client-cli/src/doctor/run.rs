//! The course of `doctor`.

use std::io;
use std::process::ExitCode;

use clap::Args;

use super::finding::{Finding, Status, table, worst};
use super::{daemon, machine, sandbox};
use crate::args::Shared;
use crate::bench;
use crate::client::{Client, Session};
use crate::home;
use crate::host::{self, Purpose};
use crate::out::print;
use crate::paint::Paint;

/// How `doctor` introduces itself.
pub(super) const CLIENT: Client = Client { name: "spindle_doctor", title: "Spindle doctor" };

/// Check home, settings, store, provider, sandbox and sockets. Changes nothing.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    shared: Shared,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `doctor`; exit code 1 when something does not work.
pub(crate) async fn run(shared: Shared, args: DoctorArgs) -> anyhow::Result<ExitCode> {
    let shared = shared.then(args.shared);
    let folder = home::folder();
    let version = env!("CARGO_PKG_VERSION");
    let mut findings = vec![Finding::ok("version", format!("spindle {version}"))];
    findings.push(machine::home(&folder));
    findings.push(machine::settings_file(&folder));
    findings.extend(ask_daemon(&shared).await);
    let workbench = bench::make(&shared);
    findings.push(sandbox::sandbox(&workbench).await);
    findings.extend(sandbox::rules(&workbench));
    findings.push(machine::programs());
    findings.push(daemon::socket().await);
    let text = if args.json {
        format!("{}\n", serde_json::to_string_pretty(&findings)?)
    } else {
        table(&findings, Paint::for_stream(&io::stdout()))
    };
    print(&text)?;
    let failed = worst(&findings) == Status::Fail;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What a fresh daemon in this process finds.
async fn ask_daemon(shared: &Shared) -> Vec<Finding> {
    let (wire, host) = host::start(shared, Purpose::Terminal).await;
    let findings = match Session::open(wire, CLIENT).await {
        Ok(mut session) => {
            let store = daemon::store(&mut session).await;
            let provider = match daemon::Provider::read(&mut session).await {
                Ok(provider) => provider.check().await,
                Err(error) => Finding::fail("provider", error.to_string()),
            };
            let mut findings = daemon::settings(&mut session);
            findings.extend([store, provider]);
            session.close().await;
            findings
        }
        Err(error) => vec![Finding::fail("daemon", format!("it does not start: {error}"))],
    };
    host.stop().await;
    findings
}

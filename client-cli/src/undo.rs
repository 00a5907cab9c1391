//! `spindle undo`: puts files back as they were before a turn changed them.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde_json::Value;
use spindle_schema::v2::{
    SpindleUndoAction, SpindleUndoApplyParams, SpindleUndoFile, SpindleUndoPreviewParams,
    SpindleUndoResponse, SpindleUndoTurn,
};

use crate::args::Shared;
use crate::client::{CallError, Client, Error, Session};
use crate::find;
use crate::out::print;
use crate::reach::{self, Remote};

const CLIENT: Client = Client { name: "spindle_undo", title: "Spindle undo" };

/// Put files back as they were before a turn changed them.
///
/// Undoes the last turn that changed files, by patches or by commands; undoing again goes one
/// turn further back. When a file changed since, nothing is undone and the file is named. What
/// .gitignore names is not kept, except where a patch changed it; nor is .git itself.
#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    remote: Remote,
    /// The thread's id, the beginning or end of it, or its name.
    thread: String,
    /// Undo this turn and all later ones: files become what they were before it began.
    #[arg(long, value_name = "TURN", conflicts_with = "redo")]
    to: Option<String>,
    /// Make again what was undone last.
    #[arg(long)]
    redo: bool,
    /// Show what would be done, with diffs, and do nothing.
    #[arg(long, visible_alias = "dry-run")]
    preview: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `undo`.
pub(crate) async fn run(shared: Shared, args: UndoArgs) -> anyhow::Result<ExitCode> {
    let shared = shared.then(args.shared.clone());
    let mut reached = reach::named_or_local(&args.remote, &shared, CLIENT).await?;
    let result = work(&mut reached.session, &args).await;
    reached.leave().await;
    result.map(|()| ExitCode::SUCCESS)
}

async fn work(session: &mut Session, args: &UndoArgs) -> anyhow::Result<()> {
    let thread_id = find::thread(session, &args.thread).await?;
    let (to_turn_id, redo) = (args.to.clone(), args.redo);
    let answer = if args.preview {
        session.call(&SpindleUndoPreviewParams { thread_id, to_turn_id, redo }).await
    } else {
        session.call(&SpindleUndoApplyParams { thread_id, to_turn_id, redo }).await
    };
    let done = match answer {
        Ok(done) => done,
        Err(Error::Call(refused)) => bail!(refusal(&refused)),
        Err(error) => return Err(error.into()),
    };
    if args.json {
        return print(&format!("{}\n", serde_json::to_string_pretty(&done)?));
    }
    print(&told(&done, args))
}

/// Why nothing was done, with a line for each file that stands in the way.
fn refusal(refused: &CallError) -> String {
    let files = refused.data.as_ref().and_then(|data| data["files"].as_array());
    let Some(files) = files else { return refused.message.clone() };
    let mut text = "nothing was changed, because files are not as the turn left them:".to_owned();
    for file in files {
        let member = |name: &str| file.get(name).and_then(Value::as_str).unwrap_or_default();
        // Writing to a text cannot fail.
        let _ = write!(text, "\n  {}: {}", member("path"), member("reason"));
    }
    text
}

fn told(done: &SpindleUndoResponse, args: &UndoArgs) -> String {
    let mut text = String::new();
    let verb = match (args.preview, args.redo) {
        (true, false) => "would undo",
        (true, true) => "would redo",
        (false, false) => "undone",
        (false, true) => "redone",
    };
    for turn in &done.turns {
        text.push_str(&line(verb, turn));
    }
    for file in &done.files {
        text.push_str(&file_line(file));
    }
    if done.omitted_files > 0 {
        let _ = writeln!(text, "  and {} more files", done.omitted_files);
    }
    for note in &done.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if args.preview {
        for diff in done.files.iter().filter_map(|file| file.diff.as_ref()) {
            let _ = write!(text, "\n{diff}");
        }
        if !done.earlier_turns.is_empty() {
            text.push_str("\nTo go further back, undo again or name a turn with --to:\n");
            for turn in &done.earlier_turns {
                text.push_str(&line(" ", turn));
            }
        }
    }
    text
}

fn line(verb: &str, turn: &SpindleUndoTurn) -> String {
    let files = if turn.changed_files == 1 { "file" } else { "files" };
    format!("{verb} {} ({} {files})\n", turn.turn_id, turn.changed_files)
}

fn file_line(file: &SpindleUndoFile) -> String {
    let action = match file.action {
        SpindleUndoAction::Create => "create",
        SpindleUndoAction::Update => "update",
        SpindleUndoAction::Delete => "delete",
        SpindleUndoAction::None => "as it was",
    };
    match &file.conflict {
        Some(why) => format!("  conflict   {}: {why}\n", file.path),
        None => format!("  {action:<9}  {}\n", file.path),
    }
}

#[cfg(test)]
mod tests;

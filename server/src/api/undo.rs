//! `spindle/undo/preview` and `spindle/undo/apply`.

use spindle_engine::undo::{Action, Report, ReportTurn, Wanted};
use spindle_schema::ids::TurnId;
use spindle_schema::v2::{
    SpindleUndoAction, SpindleUndoApplyParams, SpindleUndoFile, SpindleUndoPreviewParams,
    SpindleUndoResponse, SpindleUndoTurn,
};

use super::context::{Context, answering, thread_id};
use super::errors::Refusal;
use crate::rpc::{Reply, RpcError};

/// Says what an undo would do.
pub(super) fn preview(
    context: &Context,
    params: SpindleUndoPreviewParams,
    reply: Reply<SpindleUndoPreviewParams>,
) {
    let wanted = wanted(params.to_turn_id, params.redo);
    match thread_id(&params.thread_id).and_then(|id| Ok((id, wanted?))) {
        Ok((id, wanted)) => context.engine.preview_undo(id, wanted, answering(reply, response)),
        Err(error) => reply.err(&error),
    }
}

/// Takes back what turns did to files.
pub(super) fn apply(
    context: &Context,
    params: SpindleUndoApplyParams,
    reply: Reply<SpindleUndoApplyParams>,
) {
    let wanted = wanted(params.to_turn_id, params.redo);
    match thread_id(&params.thread_id).and_then(|id| Ok((id, wanted?))) {
        Ok((id, wanted)) => context.engine.undo(id, wanted, answering(reply, response)),
        Err(error) => reply.err(&error),
    }
}

fn wanted(to: Option<String>, redo: bool) -> Result<Wanted, RpcError> {
    match (to, redo) {
        (None, false) => Ok(Wanted::Last),
        (Some(turn), false) => Ok(Wanted::Back(TurnId::new(turn))),
        (None, true) => Ok(Wanted::Again),
        (Some(_), true) => Err(Refusal::RedoToTurn.into()),
    }
}

fn response(report: Report) -> SpindleUndoResponse {
    let turns = |turns: Vec<ReportTurn>| turns.iter().map(of_turn).collect();
    let files = report.files.into_iter().map(|file| SpindleUndoFile {
        path: file.path.display().to_string(),
        action: match file.action {
            Action::Create => SpindleUndoAction::Create,
            Action::Update => SpindleUndoAction::Update,
            Action::Delete => SpindleUndoAction::Delete,
            Action::Nothing => SpindleUndoAction::None,
        },
        conflict: file.conflict,
        diff: file.diff,
    });
    SpindleUndoResponse {
        turns: turns(report.turns),
        earlier_turns: turns(report.earlier),
        files: files.collect(),
        omitted_files: report.omitted as u64,
        notes: report.notes,
    }
}

fn of_turn(turn: &ReportTurn) -> SpindleUndoTurn {
    SpindleUndoTurn {
        turn_id: turn.id.to_string(),
        ended_at_ms: turn.at_ms,
        changed_files: turn.files as u64,
    }
}

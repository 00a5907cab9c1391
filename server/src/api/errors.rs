//! Every refusal of the handlers, and what of it the client may see.
//!
//! `error.data` is an object with a `type`; the set of types is closed and described in
//! `docs/extensions.md`. The matches are exhaustive: a new kind of error does not compile until
//! its code and its data are chosen.

mod command;
mod data;
mod refusal;

use spindle_engine::{ActiveTurnAction, Error, Invalid, config, store, undo};

pub(super) use self::command::CommandRefusal;
use self::data::{Data, NotSteerable, UndoConflict};
pub(super) use self::refusal::Refusal;
use super::convert::thread;
use crate::rpc::RpcError;

fn no_provider(id: &str) -> RpcError {
    RpcError::invalid_request(
        format!("failed to load configuration: Model provider `{id}` not found"),
        &Data::ModelProviderNotConfigured { model_provider: id },
    )
}

/// What a client is told of an error of the engine.
pub(super) fn of_engine(error: &Error) -> RpcError {
    let text = error.to_string();
    match error {
        Error::ThreadNotFound(id) | Error::NoRollout(id) | Error::NotLoaded(id) => {
            RpcError::invalid_request(text, &Data::ThreadNotFound { thread_id: *id })
        }
        Error::ArchivedThread(id) => {
            RpcError::invalid_request(text, &Data::ThreadArchived { thread_id: *id })
        }
        Error::StalePath { thread, active, .. } => RpcError::invalid_request(
            text,
            &Data::StalePath { thread_id: *thread, active_path: active },
        ),
        Error::NoActiveTurn(_) => RpcError::invalid_request(text, &Data::NoActiveTurn),
        Error::TurnMismatch { action, expected, actual } => {
            let text = match action {
                ActiveTurnAction::Steer => {
                    format!("expected active turn id `{expected}` but found `{actual}`")
                }
                ActiveTurnAction::Interrupt => text,
            };
            let data = Data::TurnMismatch { expected_turn_id: expected, active_turn_id: actual };
            RpcError::invalid_request(text, &data)
        }
        Error::NotSteerable(kind) => {
            let data = Data::TurnNotSteerable(NotSteerable::new(kind, &text));
            RpcError::invalid_request(text, &data)
        }
        Error::EmptyInput => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: "input" })
        }
        &Error::InputTooLarge { max_chars, actual_chars } => {
            RpcError::invalid_params(text, &Data::input_too_large(max_chars, actual_chars))
        }
        Error::TurnNotFound(id) => {
            RpcError::invalid_request(text, &Data::TurnNotFound { turn_id: id })
        }
        Error::ProviderNotConfigured(id) => no_provider(id),
        Error::Invalid(invalid) => of_invalid(invalid),
        Error::Forbidden(config::Forbidden { field, allowed, .. }) => {
            RpcError::invalid_request(text, &Data::NotAllowed { field, allowed })
        }
        Error::Config(error) => of_config(error),
        Error::Command(error) => command::of_command(error),
        Error::Store(error) => of_store(error),
        Error::Undo(error) => of_undo(error),
        Error::Overloaded => RpcError::overloaded(),
        Error::Draining => RpcError::internal(text, &Data::ShuttingDown),
        Error::Dropped => RpcError::dropped(),
    }
}

fn of_invalid(invalid: &Invalid) -> RpcError {
    let text = invalid.to_string();
    match invalid {
        Invalid::RemoteImage => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: "input" })
        }
        Invalid::IdInUse(id) => {
            RpcError::invalid_request(text, &Data::ThreadExists { thread_id: *id })
        }
        Invalid::ClientTool(_) => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: "dynamicTools" })
        }
        Invalid::EmptyName => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: "name" })
        }
        Invalid::EphemeralMetadata(_) => RpcError::invalid_request(text, &Data::EphemeralThread),
        Invalid::EmptyCommand => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: "command" })
        }
        Invalid::Path(_) => RpcError::invalid_request(text, &Data::InvalidValue { field: "path" }),
        Invalid::Unknown { what, .. } => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: what })
        }
    }
}

/// What a client is told of a fault in the configuration that keeps a thread from starting.
pub(super) fn of_config(error: &config::Error) -> RpcError {
    if let config::Error::ProviderNotFound(id) = error {
        return no_provider(id);
    }
    let message = format!("failed to load configuration: {error}");
    match error.write_code() {
        Some(code) => RpcError::invalid_request(
            error.to_string(),
            &Data::ConfigWriteRefused { config_write_error_code: code },
        ),
        None => RpcError::invalid_request(message, &Data::InvalidConfig),
    }
}

fn of_undo(error: &undo::Error) -> RpcError {
    let text = error.to_string();
    match error {
        undo::Error::TurnRuns(id) => {
            RpcError::invalid_request(text, &Data::TurnRunning { turn_id: id })
        }
        undo::Error::Nothing | undo::Error::NothingTaken => {
            RpcError::invalid_request(text, &Data::NothingToUndo)
        }
        undo::Error::NoSuchTurn(id) => {
            RpcError::invalid_request(text, &Data::TurnNotFound { turn_id: id })
        }
        undo::Error::Conflicts(conflicts) => {
            let files = conflicts.iter().map(|conflict| UndoConflict {
                path: conflict.path.display().to_string(),
                reason: conflict.why.to_string(),
            });
            let files = files.collect();
            RpcError::invalid_request(text, &Data::UndoConflicts { files })
        }
        undo::Error::Restore(_) | undo::Error::Io(_) => RpcError::internal(text, &Data::UndoFailed),
    }
}

fn of_store(error: &store::Error) -> RpcError {
    let text = error.to_string();
    match error {
        store::Error::NoThread(id) => {
            RpcError::invalid_request(text, &Data::ThreadNotFound { thread_id: *id })
        }
        store::Error::Busy { id, pid } => {
            RpcError::invalid_request(text, &Data::ThreadBusy { thread_id: *id, pid: *pid })
        }
        store::Error::Archived(id) => of_engine(&Error::ArchivedThread(*id)),
        store::Error::Referenced { id, by } => RpcError::invalid_request(
            text,
            &Data::ThreadReferenced { thread_id: *id, referenced_by: *by },
        ),
        store::Error::NoTurn(id) => {
            RpcError::invalid_request(text, &Data::TurnNotFound { turn_id: id })
        }
        store::Error::BadCursor(cursor) => {
            RpcError::invalid_request(text, &Data::InvalidCursor { cursor })
        }
        store::Error::Note(error) => of_note(error),
        store::Error::Stopped => RpcError::invalid_request(text, &Data::SearchCancelled),
        store::Error::Empty { .. } => RpcError::invalid_request(text, &Data::UnreadableRollout),
        store::Error::Overloaded => RpcError::overloaded(),
        store::Error::Closed => RpcError::internal(text, &Data::ShuttingDown),
        store::Error::Exists { .. }
        | store::Error::Io { .. }
        | store::Error::Index(_)
        | store::Error::Migration(_)
        | store::Error::Encode(_)
        | store::Error::Unwritten { .. } => {
            // The chain tells what the system said; paths are the client's own.
            let chain = chain(error);
            RpcError::internal(chain, &Data::StoreFailed { is_retryable: error.is_retryable() })
        }
    }
}

fn of_note(error: &store::NoteError) -> RpcError {
    let text = error.to_string();
    match error {
        store::NoteError::NoSection(section_id) => {
            RpcError::invalid_request(text, &Data::SectionNotFound { section_id })
        }
        store::NoteError::NotInSection { before, section } => RpcError::invalid_request(
            text,
            &Data::NotInSection { thread_id: *before, section_id: section },
        ),
        store::NoteError::NoProject(project_id) => {
            RpcError::invalid_params(text, &Data::ProjectNotFound { project_id })
        }
        store::NoteError::ReadStateChanged(state) => RpcError::invalid_request(
            text,
            &Data::ReadStateConflict {
                reason: "readStateConflict",
                read_state: thread::read_state(state),
            },
        ),
    }
}

/// The same for what is said of a thread: there a project that is not there is a bad request.
pub(super) fn without_project(error: &Error) -> RpcError {
    match error {
        Error::Store(store::Error::Note(store::NoteError::NoProject(project_id))) => {
            RpcError::invalid_request(error.to_string(), &Data::ProjectNotFound { project_id })
        }
        other => of_engine(other),
    }
}

/// The same for a change of sections: there a section that is not there is a bad value.
pub(super) fn of_section(error: &Error) -> RpcError {
    match error {
        Error::Store(store::Error::Note(store::NoteError::NoSection(section_id))) => {
            let text = format!("thread section not found: {section_id}");
            RpcError::invalid_params(text, &Data::SectionNotFound { section_id })
        }
        other => of_engine(other),
    }
}

/// An error and what caused it, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests;

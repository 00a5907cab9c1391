//! Every refusal of the handlers, and what of it the client may see.
//!
//! `error.data` is an object with a `type`; the set of types is closed and described in
//! `docs/extensions.md`. The matches are exhaustive: a new kind of error does not compile until
//! its code and its data are chosen.

mod data;

use spindle_engine::{ActiveTurnAction, Error, Invalid, config, store};
use spindle_schema::experimental::Requirement;
use spindle_schema::ids::{InvalidId, ThreadId};

use self::data::{Data, NotSteerable};
use crate::rpc::RpcError;

/// Why the door refuses a request without asking the engine.
#[derive(Debug)]
pub(super) enum Refusal<'a> {
    /// The client's name is no legal HTTP header value.
    InvalidClientName(&'a str),
    /// The method is known and does nothing yet.
    Absent(&'a str),
    /// The client did not ask for what is experimental.
    Experimental(Requirement),
    /// A text that is no thread id.
    InvalidThreadId(&'a InvalidId),
    /// A text that is no thread id, in the words of methods that wake a thread.
    InvalidSessionId(&'a InvalidId),
    /// A text that is no cursor of the list.
    InvalidCursor(&'a str),
    /// Steering names no turn.
    EmptyExpectedTurn,
    /// Two ends of a copy.
    TwoForkPoints,
    /// History that a client brings along is none.
    EmptyHistory,
    /// A part of the params does nothing yet.
    AbsentParam {
        /// The method.
        method: &'a str,
        /// The member.
        field: &'static str,
    },
    /// A permission profile that does not exist.
    UnknownProfile(&'a str),
    /// An environment that does not exist.
    UnknownEnvironment(&'a str),
    /// A turn without any environment.
    NoEnvironment,
    /// No archived thread has this id.
    NotArchived(ThreadId),
    /// Nothing of the thread is kept, so that there is nothing to read.
    Ephemeral(&'a str),
    /// The provider is not in the configuration.
    UnknownProvider(&'a str),
    /// The account is none that has this.
    NoAccount(&'a str),
}

impl From<Refusal<'_>> for RpcError {
    fn from(refusal: Refusal<'_>) -> Self {
        let invalid =
            |message: String, field| Self::invalid_request(message, &Data::InvalidValue { field });
        match refusal {
            Refusal::InvalidClientName(name) => invalid(
                format!("Invalid clientInfo.name: '{name}'. Must be a valid HTTP header value."),
                "clientInfo.name",
            ),
            Refusal::Absent(method) => Self::unsupported(
                format!("{method} is not supported yet"),
                &Data::UnsupportedMethod { method },
            ),
            Refusal::Experimental(requirement) => Self::invalid_request(
                requirement.to_string(),
                &Data::ExperimentalApiRequired {
                    what: requirement.to_string().split(' ').next().unwrap_or_default(),
                },
            ),
            Refusal::InvalidThreadId(id) => invalid(format!("invalid thread id: {id}"), "threadId"),
            Refusal::InvalidSessionId(id) => {
                invalid(format!("invalid session id: {id}"), "threadId")
            }
            Refusal::InvalidCursor(cursor) => Self::invalid_request(
                format!("invalid cursor: {cursor}"),
                &Data::InvalidCursor { cursor },
            ),
            Refusal::EmptyExpectedTurn => {
                invalid("expectedTurnId must not be empty".into(), "expectedTurnId")
            }
            Refusal::TwoForkPoints => invalid(
                "`beforeTurnId` cannot be combined with `lastTurnId`".into(),
                "beforeTurnId",
            ),
            Refusal::EmptyHistory => invalid("history must not be empty".into(), "history"),
            Refusal::AbsentParam { method, field } => Self::unsupported(
                format!("{method}.{field} is not supported yet"),
                &Data::UnsupportedParam { method, field },
            ),
            Refusal::UnknownProfile(id) => invalid(
                format!("failed to load configuration: unknown permission profile `{id}`"),
                "permissions",
            ),
            Refusal::UnknownEnvironment(id) => {
                invalid(format!("unknown turn environment id `{id}`"), "environments")
            }
            Refusal::NoEnvironment => Self::unsupported(
                "a turn without an environment is not supported yet",
                &Data::InvalidValue { field: "environments" },
            ),
            Refusal::NotArchived(id) => Self::invalid_request(
                format!("no archived rollout found for thread id {id}"),
                &Data::ThreadNotFound { thread_id: id },
            ),
            Refusal::Ephemeral(method) => Self::invalid_request(
                format!("ephemeral threads do not support {method}"),
                &Data::EphemeralThread,
            ),
            Refusal::UnknownProvider(id) => no_provider(id),
            Refusal::NoAccount(purpose) => Self::invalid_request(
                format!("codex account authentication required to {purpose}"),
                &Data::AuthenticationRequired,
            ),
        }
    }
}

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
            RpcError::invalid_request(text.clone(), &data)
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
        Error::Config(error) => of_config(error),
        Error::Store(error) => of_store(error),
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
        Invalid::EmptyName => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: "name" })
        }
        Invalid::Path(_) => RpcError::invalid_request(text, &Data::InvalidValue { field: "path" }),
        Invalid::Unknown { what, .. } => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: what })
        }
    }
}

/// What a client is told of a fault in the configuration that keeps a thread from starting.
fn of_config(error: &config::Error) -> RpcError {
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

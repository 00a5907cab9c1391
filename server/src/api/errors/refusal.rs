//! What the door refuses without asking the engine.

use spindle_schema::experimental::Requirement;
use spindle_schema::ids::{InvalidId, ThreadId};

use super::data::Data;
use crate::rpc::RpcError;

/// Why the door refuses a request without asking the engine. The text is the client's.
#[derive(Debug, thiserror::Error)]
pub(in crate::api) enum Refusal<'a> {
    /// The client's name is no legal HTTP header value.
    #[error("Invalid clientInfo.name: '{0}'. Must be a valid HTTP header value.")]
    ClientName(&'a str),
    /// A text that is no thread id.
    #[error("invalid thread id: {0}")]
    ThreadId(&'a InvalidId),
    /// A text that is no thread id, in the words of methods that wake a thread.
    #[error("invalid session id: {0}")]
    SessionId(&'a InvalidId),
    /// Steering names no turn.
    #[error("expectedTurnId must not be empty")]
    EmptyExpectedTurn,
    /// Two ends of a copy.
    #[error("`beforeTurnId` cannot be combined with `lastTurnId`")]
    TwoForkPoints,
    /// What was undone last is known; no turn is to be named.
    #[error("`redo` cannot be combined with `toTurnId`")]
    RedoToTurn,
    /// History that a client brings along is none.
    #[error("history must not be empty")]
    EmptyHistory,
    /// A permission profile that does not exist.
    #[error("failed to load configuration: unknown permission profile `{0}`")]
    UnknownProfile(&'a str),
    /// An environment that does not exist.
    #[error("unknown turn environment id `{0}`")]
    UnknownEnvironment(&'a str),
    /// A text that is no cursor of the list.
    #[error("invalid cursor: {0}")]
    Cursor(&'a str),
    /// The same, in the words of lists of notes.
    #[error("invalid pagination cursor")]
    NotesCursor(&'a str),
    /// A text among the threads that a list is about is no thread id.
    #[error("invalid {0} thread id: {1}")]
    ListedThreadId(&'a str, &'a InvalidId),
    /// Lists do not ask who made a thread.
    #[error("originator filtering is not supported by the local app-server")]
    Originators,
    /// A name or another word that must say something is empty.
    #[error("{0} must not be empty")]
    Empty(&'a str),
    /// Something that is noted about a thread that is not there.
    #[error("thread not found: {0}")]
    NoThread(ThreadId),
    /// An update that changes nothing.
    #[error("{0} must include at least one field")]
    NothingToUpdate(&'a str),
    /// A search for nothing.
    #[error("{0} requires a non-empty searchTerm")]
    NoSearchTerm(&'static str),
    /// No items are asked for, or too many.
    #[error("itemIds must contain 1 to {0} IDs")]
    ItemCount(usize),
    /// Neither an id nor a path.
    #[error("conversationId or rolloutPath must be given")]
    NoConversation,
    /// A word of an update is empty.
    #[error("{0} must not be empty")]
    EmptyMember(&'a str),
    /// The client did not ask for what is experimental.
    #[error("{0}")]
    Experimental(Requirement),
    /// The method is known and does nothing yet.
    #[error("{0} is not supported yet")]
    Absent(&'a str),
    /// A part of the params does nothing yet.
    #[error("{method}.{field} is not supported yet")]
    AbsentParam {
        /// The method.
        method: &'static str,
        /// The member.
        field: &'static str,
    },
    /// A turn without any environment.
    #[error("a turn without an environment is not supported yet")]
    NoEnvironment,
    /// No archived thread has this id.
    #[error("no archived rollout found for thread id {0}")]
    NotArchived(ThreadId),
    /// Nothing of the thread is kept, so that there is nothing to read.
    #[error("ephemeral threads do not support {0}")]
    Ephemeral(&'a str),
    /// The provider is not in the configuration.
    #[error(
        "This chat uses model provider “{0}”, which is no longer configured. Restore this \
         provider’s configuration to continue."
    )]
    UnknownProvider(&'a str),
    /// The account is none that has this.
    #[error("{kind} authentication required to {purpose}")]
    NoAccount {
        /// What kind of account.
        kind: &'a str,
        /// What for.
        purpose: &'a str,
    },
}

impl From<Refusal<'_>> for RpcError {
    fn from(refusal: Refusal<'_>) -> Self {
        let text = refusal.to_string();
        let invalid = |field| Self::invalid_request(text.as_str(), &Data::InvalidValue { field });
        match refusal {
            Refusal::ClientName(_) => invalid("clientInfo.name"),
            Refusal::ThreadId(_) | Refusal::SessionId(_) => invalid("threadId"),
            Refusal::EmptyExpectedTurn => invalid("expectedTurnId"),
            Refusal::TwoForkPoints => invalid("beforeTurnId"),
            Refusal::RedoToTurn => invalid("redo"),
            Refusal::EmptyHistory => invalid("history"),
            Refusal::UnknownProfile(_) => invalid("permissions"),
            Refusal::UnknownEnvironment(_) => invalid("environments"),
            Refusal::NotesCursor(cursor) => {
                Self::invalid_params(text, &Data::InvalidCursor { cursor })
            }
            Refusal::ListedThreadId(..) => {
                Self::invalid_params(text, &Data::InvalidValue { field: "includedThreadIds" })
            }
            Refusal::Originators => {
                Self::invalid_params(text, &Data::InvalidValue { field: "originators" })
            }
            Refusal::Empty(field) => Self::invalid_params(text, &Data::InvalidValue { field }),
            Refusal::NoThread(thread_id) => {
                Self::invalid_params(text, &Data::ThreadNotFound { thread_id })
            }
            Refusal::NoSearchTerm(_) => invalid("searchTerm"),
            Refusal::ItemCount(_) => invalid("itemIds"),
            Refusal::NoConversation => invalid("conversationId"),
            Refusal::NothingToUpdate(field) | Refusal::EmptyMember(field) => invalid(field),
            Refusal::Cursor(cursor) => Self::invalid_request(text, &Data::InvalidCursor { cursor }),
            Refusal::Experimental(_) => {
                let what = text.split(' ').next().unwrap_or_default();
                Self::invalid_request(text.as_str(), &Data::ExperimentalApiRequired { what })
            }
            Refusal::Absent(method) => Self::unsupported(text, &Data::UnsupportedMethod { method }),
            Refusal::AbsentParam { method, field } => {
                Self::unsupported(text, &Data::UnsupportedParam { method, field })
            }
            Refusal::NoEnvironment => {
                let (method, field) = ("turn/start", "environments");
                Self::unsupported(text, &Data::UnsupportedParam { method, field })
            }
            Refusal::NotArchived(thread_id) => {
                Self::invalid_request(text, &Data::ThreadNotFound { thread_id })
            }
            Refusal::Ephemeral(_) => Self::invalid_request(text, &Data::EphemeralThread),
            Refusal::UnknownProvider(model_provider) => {
                Self::invalid_request(text, &Data::ModelProviderNotConfigured { model_provider })
            }
            Refusal::NoAccount { .. } => Self::invalid_request(text, &Data::AuthenticationRequired),
        }
    }
}

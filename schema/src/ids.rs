//! Ids. A newtype each, so that they are never mixed up.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// The id of a stored conversation. Shape: a UUID; new ones are version 7, so they sort by time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadId(Uuid);

impl ThreadId {
    /// Makes an id for a thread that starts at this moment.
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }

    /// Reads an id from its text form.
    ///
    /// # Errors
    /// The reason in words when the text is no UUID.
    pub fn parse(text: &str) -> Result<Self, InvalidId> {
        Uuid::parse_str(text)
            .map(Self)
            .map_err(|e| InvalidId { text: text.into(), reason: e.to_string() })
    }

    /// The bare UUID.
    pub fn as_uuid(self) -> Uuid {
        self.0
    }
}

impl Default for ThreadId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no id.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}")]
pub struct InvalidId {
    /// The text as it was given.
    pub text: Box<str>,
    /// What is wrong with it.
    pub reason: String,
}

/// Declares an id that is a shared text.
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Takes the text as the id.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// Makes an id that sorts after all ids made before it.
            pub fn unique() -> Self {
                let mut buffer = Uuid::encode_buffer();
                Self(Arc::from(&*Uuid::now_v7().hyphenated().encode_lower(&mut buffer)))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Ok(Self(Arc::from(String::deserialize(deserializer)?)))
            }
        }
    };
}

text_id! {
    /// The id of one exchange of a thread. Shape: any text; ours are UUIDs of version 7.
    TurnId
}
text_id! {
    /// The id of one entry of a turn as clients see it. Shape: the model's id, a call id or a UUID.
    ItemId
}
text_id! {
    /// The id that ties a tool call of the model to its output.
    CallId
}

/// The id of a JSON-RPC request, echoed with its JSON type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RequestId {
    /// A signed 64-bit integer.
    Integer(i64),
    /// Any text, the empty one included.
    String(String),
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::String(text) => text.fmt(f),
        }
    }
}

/// One connected client, as the engine knows it: a number that is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u64);

/// The number of a request to clients. Counted from 0 over the whole process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct QuestionId(pub i64);

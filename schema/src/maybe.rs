//! A member that can be absent, null, or there.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A member of an update, where absent means "leave as it is" and null means "clear".
///
/// A field of this type carries `#[serde(default, skip_serializing_if = "Maybe::is_absent")]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Maybe<T> {
    /// The member is not there.
    #[default]
    Absent,
    /// The member is null.
    Null,
    /// The member has a value.
    Value(T),
}

impl<T> Maybe<T> {
    /// Whether the member is not there, and so is not written.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, if there is one.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Nothing when absent, else the value to store: `Some(None)` clears.
    pub fn into_update(self) -> Option<Option<T>> {
        match self {
            Self::Absent => None,
            Self::Null => Some(None),
            Self::Value(value) => Some(Some(value)),
        }
    }

    /// Borrows the value.
    pub fn as_ref(&self) -> Maybe<&T> {
        match self {
            Self::Absent => Maybe::Absent,
            Self::Null => Maybe::Null,
            Self::Value(value) => Maybe::Value(value),
        }
    }
}

impl<T> From<Option<Option<T>>> for Maybe<T> {
    fn from(update: Option<Option<T>>) -> Self {
        match update {
            None => Self::Absent,
            Some(None) => Self::Null,
            Some(Some(value)) => Self::Value(value),
        }
    }
}

impl<T: Serialize> Serialize for Maybe<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent | Self::Null => serializer.serialize_none(),
            Self::Value(value) => serializer.serialize_some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Maybe<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            None => Self::Null,
            Some(value) => Self::Value(value),
        })
    }
}

#[cfg(test)]
mod tests;

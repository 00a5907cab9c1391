//! Dotted names of settings: `sandbox_workspace_write.network_access`.

/// Why a dotted name cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is no name at all.
    #[error("keyPath must not be empty")]
    Empty,
    /// A part between two dots is missing.
    #[error("keyPath segments must not be empty")]
    EmptySegment,
    /// A quote was opened and never closed.
    #[error("keyPath has a quote that is not closed")]
    OpenQuote,
}

/// Splits a dotted name into its parts.
///
/// A part that holds dots itself is written in double quotes: `projects."/a.b".trust_level`;
/// within quotes a backslash takes the next character as it is.
pub(crate) fn split(name: &str) -> Result<Vec<String>, KeyError> {
    if name.trim().is_empty() {
        return Err(KeyError::Empty);
    }
    let mut parts = Vec::new();
    let mut rest = name;
    loop {
        let (part, after) = first(rest)?;
        parts.push(part);
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(parts),
            None => return Err(KeyError::EmptySegment),
        }
    }
}

/// Takes the first part of a name; what is left starts with a dot or is empty.
fn first(text: &str) -> Result<(String, &str), KeyError> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find('.').unwrap_or(text.len());
        let part = text[..end].trim();
        if part.is_empty() {
            return Err(KeyError::EmptySegment);
        }
        return Ok((part.to_owned(), &text[end..]));
    };
    let mut part = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok((part, &quoted[at + 1..])),
            '\\' => part.extend(letters.next().map(|(_, escaped)| escaped)),
            _ => part.push(letter),
        }
    }
    Err(KeyError::OpenQuote)
}

/// Joins parts with dots, without quotes: the form in which origins are told.
pub(crate) fn join(parts: &[String]) -> String {
    parts.join(".")
}

#[cfg(test)]
mod tests;

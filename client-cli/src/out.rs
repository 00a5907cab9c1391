//! What goes to stdout.

use std::io::{self, Write};

/// Writes to stdout, at once.
///
/// # Errors
/// The bare [`io::Error`], by which `main` knows that whoever read us has gone.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Whether the program ends because nobody reads what it writes: a pipe into `head`, say.
pub(crate) fn is_unread(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::is_unread;
    use crate::client;

    fn broken() -> std::io::Error {
        std::io::ErrorKind::BrokenPipe.into()
    }

    #[test]
    fn a_reader_that_is_gone_is_told_from_a_daemon_that_is() {
        assert!(is_unread(&broken().into()));
        let wrapped: anyhow::Result<()> = Err(broken()).context("failed to write");
        assert!(is_unread(&wrapped.unwrap_err()));
        assert!(!is_unread(&client::Error::Broken(broken()).into()));
        assert!(!is_unread(&std::io::Error::other("disk").into()));
    }
}

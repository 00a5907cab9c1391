//! What is asked: from the command line, from stdin, or from both.

use std::io::{self, IsTerminal, Read};

use anyhow::{Context, bail};

/// The words of the prompt.
///
/// `-` and nothing read stdin. With words and with something piped in, the two are joined:
/// the piped text follows in a `<stdin>` block.
pub(crate) fn read(words: Option<&str>) -> anyhow::Result<String> {
    let stdin = io::stdin();
    match words {
        None | Some("-") if stdin.is_terminal() => bail!("no prompt: give one, or pipe it in"),
        None | Some("-") => whole(read_text(stdin)?),
        Some(words) if is_piped() => Ok(joined(words, &read_text(stdin)?)),
        Some(words) => Ok(words.to_owned()),
    }
}

/// Whether stdin is a file, a pipe or a socket. A terminal or `/dev/null` is never read beside
/// words on the command line.
fn is_piped() -> bool {
    use rustix::fs::FileType;
    rustix::fs::fstat(io::stdin()).is_ok_and(|stat| {
        matches!(
            FileType::from_raw_mode(stat.st_mode),
            FileType::RegularFile | FileType::Fifo | FileType::Socket
        )
    })
}

fn read_text(mut input: impl Read) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).context("failed to read stdin")?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// The text on stdin as the whole prompt.
fn whole(text: String) -> anyhow::Result<String> {
    if text.trim().is_empty() {
        bail!("no prompt: stdin is empty");
    }
    Ok(text)
}

/// Words of the command line and the text on stdin as one prompt.
fn joined(words: &str, piped: &str) -> String {
    if piped.trim().is_empty() {
        return words.to_owned();
    }
    let end = if piped.ends_with('\n') { "" } else { "\n" };
    format!("{words}\n\n<stdin>\n{piped}{end}</stdin>")
}

#[cfg(test)]
mod tests;

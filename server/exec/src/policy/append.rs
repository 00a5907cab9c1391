//! Adds rules to a file: what a person said yes or no to for good.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rustix::fs::FlockOperation;

use super::rule::{Decision, Protocol, normal_host};

/// Whether the file was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// The rule was written.
    Added,
    /// The same line was there.
    Present,
}

/// Adds a rule that allows commands which start with `prefix`.
///
/// Writes one line, `prefix_rule(pattern=["touch"], decision="allow")`. The file and its folder
/// are made when they are missing. Blocks while another process adds a rule.
pub fn append_prefix_rule(file: &Path, prefix: &[String]) -> io::Result<Appended> {
    if prefix.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a rule needs at least one word"));
    }
    let words: Vec<String> = prefix.iter().map(|word| quoted(word)).collect();
    append(file, &format!("prefix_rule(pattern=[{}], decision=\"allow\")", words.join(", ")))
}

/// Adds a rule that allows or denies a host.
///
/// Writes one line, `network_rule(host="a.example", protocol="http", decision="allow",
/// justification="Allow http access to a.example")`. Blocks as the above does.
pub fn append_network_rule(
    file: &Path,
    host: &str,
    protocol: Protocol,
    decision: Decision,
) -> io::Result<Appended> {
    let host = normal_host(host);
    let (word, verb) = match decision {
        Decision::Allow => ("allow", "Allow"),
        Decision::Prompt => ("prompt", "Ask for"),
        Decision::Forbidden => ("deny", "Deny"),
    };
    let protocol = protocol.as_str();
    let justification = quoted(&format!("{verb} {protocol} access to {host}"));
    let host = quoted(&host);
    append(
        file,
        &format!(
            "network_rule(host={host}, protocol=\"{protocol}\", decision=\"{word}\", \
             justification={justification})"
        ),
    )
}

/// Writes `text` as a string of the rule language.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Adds a line unless it is there, with one write under a lock.
fn append(path: &Path, line: &str) -> io::Result<Appended> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    // The lock goes with the file's last descriptor, so with this function.
    rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
    let text = read_all(&mut file)?;
    if text.lines().any(|known| known.trim() == line) {
        return Ok(Appended::Present);
    }
    let break_line = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    file.write_all(format!("{break_line}{line}\n").as_bytes())?;
    file.sync_data()?;
    Ok(Appended::Added)
}

fn read_all(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;

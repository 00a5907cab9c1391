//! Instruction files: `AGENTS.md` of the person and of the project.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::config::{Config, project_folders};

/// The names that a folder's file may have, the one that counts first.
const NAMES: [&str; 2] = ["AGENTS.override.md", "AGENTS.md"];

/// What stands between the person's text and the project's.
const PROJECT_MARK: &str = "\n\n--- project-doc ---\n\n";

/// One file of instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// The file. Absolute.
    pub(crate) path: PathBuf,
    /// Its text, as far as there was room.
    pub(crate) text: String,
}

/// The instructions for a working folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Instructions {
    cwd: PathBuf,
    home: Option<Document>,
    project: Vec<Document>,
}

/// Reads the person's file in our home and one file for each folder from the project's root
/// down to `cwd`. All texts of the project together stay below the configured size.
pub(crate) fn collect(config: &Config, cwd: &Path) -> Instructions {
    let home = find(config.home(), NAMES.into_iter(), u64::MAX).map(|mut document| {
        document.text = document.text.trim().to_owned();
        document
    });
    let prompt = &config.prompt;
    let mut room = prompt.project_doc_max_bytes;
    let mut project = Vec::new();
    for folder in project_folders(cwd, &prompt.project_root_markers) {
        if room == 0 {
            break;
        }
        let names =
            NAMES.into_iter().chain(prompt.project_doc_fallback_names.iter().map(String::as_str));
        let found = find(folder, names, room as u64)
            .filter(|found| home.as_ref().is_none_or(|home| home.path != found.path));
        if let Some(document) = found {
            room = room.saturating_sub(document.text.len());
            project.push(document);
        }
    }
    Instructions { cwd: cwd.to_owned(), home, project }
}

impl Instructions {
    /// The files, in the order of their texts. Absolute paths.
    pub(crate) fn sources(&self) -> Vec<String> {
        self.documents().map(|document| document.path.display().to_string()).collect()
    }

    /// The files with their texts, in order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &Document> {
        self.home.iter().chain(&self.project)
    }

    /// The message that the model gets; `None` when there are no instructions.
    pub(crate) fn render(&self) -> Option<String> {
        let project: Vec<_> = self.project.iter().map(|document| &*document.text).collect();
        let project = project.join("\n\n");
        let text = match (&self.home, project.is_empty()) {
            (None, true) => return None,
            (None, false) => project,
            (Some(home), true) => home.text.clone(),
            (Some(home), false) => [&home.text, PROJECT_MARK, &project].concat(),
        };
        let cwd = self.cwd.display();
        Some(format!(
            "# AGENTS.md instructions for {cwd}\n\n<INSTRUCTIONS>\n{text}\n</INSTRUCTIONS>"
        ))
    }
}

/// Reads the first file of a folder that says something.
fn find<'a>(
    folder: &Path,
    names: impl Iterator<Item = &'a str>,
    max_bytes: u64,
) -> Option<Document> {
    names.map(|name| folder.join(name)).find_map(|path| {
        let text = read(&path, max_bytes)?;
        (!text.trim().is_empty()).then_some(Document { path, text })
    })
}

/// Reads the beginning of a file. Whatever is no file, a pipe say, is not opened.
fn read(path: &Path, max_bytes: u64) -> Option<String> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(max_bytes).read_to_end(&mut bytes));
    if let Err(error) = read {
        tracing::warn!(path = %path.display(), %error, "cannot read instructions");
        return None;
    }
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        // The limit fell into a character.
        bytes.truncate(error.valid_up_to());
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;

//! The file system as a plan sees it.

use std::path::{Path, PathBuf};

use super::placeholder::is_placeholder;
use super::plan::{Kind, Look};

/// The real file system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Files;

impl Look for Files {
    fn kind(&self, path: &Path) -> Kind {
        // A placeholder of another command counts as missing, so that it is held for this one.
        if is_placeholder(path) {
            return Kind::Missing;
        }
        match std::fs::symlink_metadata(path).map(|found| found.file_type()) {
            Err(_) => Kind::Missing,
            Ok(kind) if kind.is_dir() => Kind::Folder,
            Ok(kind) if kind.is_symlink() => Kind::Link,
            Ok(_) => Kind::Other,
        }
    }

    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn git_folder(&self, file: &Path) -> Option<PathBuf> {
        let text = std::fs::read_to_string(file).ok()?;
        let folder = text.strip_prefix("gitdir:")?.trim();
        Some(file.parent()?.join(folder))
    }
}

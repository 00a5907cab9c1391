//! Files that nobody but their owner reads.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// Writes a file with mode 0600, all of it or nothing.
///
/// The content goes into a file beside it, to the disk, and then takes its name, so that a
/// reader, or a crash, sees the old file or the new one. A symbolic link stays one: the file
/// it leads to is replaced. A folder that is missing is made, with mode 0700.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("/"));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let draft = draft_of(&target);
    let written = write_new(&draft, content).and_then(|()| fs::rename(&draft, &target));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(&draft);
        return written;
    }
    File::open(folder)?.sync_all()
}

/// A name beside the file that nobody else uses.
fn draft_of(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}", Uuid::new_v4().simple()))
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

#[cfg(test)]
mod tests;

//! The calls that change files, in one place, so that tests can make each of them fail.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Changes files. The default bodies are the real thing.
pub(crate) trait Disk: Send + Sync {
    /// Opens an existing file to append to it and to read it.
    fn open_append(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).append(true).open(path)
    }

    /// Makes a file that must not exist, for appending and reading. Mode 0600.
    fn create_append(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).append(true).create_new(true).mode(0o600).open(path)
    }

    /// Writes as much of the bytes as goes in one call; gives how many went.
    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Cuts a file.
    fn truncate(&self, file: &File, len: u64) -> io::Result<()> {
        file.set_len(len)
    }

    /// Waits until the disk has the file's bytes.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    /// Moves a file over another one, or to a free name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Gives a file a second name.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    /// Makes a folder and those above it. Mode 0700.
    fn create_folders(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }
}

/// The real file system.
#[derive(Debug)]
pub(crate) struct RealDisk;

impl Disk for RealDisk {}

/// Writes all bytes, in as few calls as the kernel allows.
pub(crate) fn write_all(disk: &dyn Disk, file: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match disk.write(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Replaces a small file as a whole: a reader sees the old one or the new one.
pub(crate) fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("tmp");
    match disk.remove(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = disk.create_append(&beside)?;
    let written = write_all(disk, &file, bytes)
        .and_then(|()| disk.sync(&file))
        .and_then(|()| disk.rename(&beside, path));
    if written.is_err() {
        // The half-made copy holds nothing that the old file lacks.
        drop(disk.remove(&beside));
    }
    written
}

//! A folder held open, so that nobody can put a link in its place between check and write.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// An open folder. All names are names in it.
#[derive(Debug)]
pub(crate) struct Folder {
    fd: OwnedFd,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// Returns a name for a file that is only there while a patch is written.
fn temporary_name() -> OsString {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!(".spindle-{}-{number}.tmp", std::process::id()).into()
}

impl Folder {
    /// Opens `path`, which must hold no symbolic link.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { fd: open_without_links(fs::CWD, path)? })
    }

    /// Opens `path` and makes what is missing of it; returns the folders that were made,
    /// outermost first.
    pub(crate) fn create(path: &Path) -> io::Result<(Self, Vec<PathBuf>)> {
        let mut there = path;
        let mut missing = Vec::new();
        let mut folder = loop {
            match Self::open(there) {
                Ok(folder) => break folder,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let (Some(name), Some(parent)) = (there.file_name(), there.parent()) else {
                        return Err(error);
                    };
                    missing.push(name);
                    there = parent;
                }
                Err(error) => return Err(error),
            }
        };
        let mut at = there.to_path_buf();
        let mut made = Vec::new();
        for name in missing.into_iter().rev() {
            at.push(name);
            match fs::mkdirat(&folder.fd, name, Mode::from_raw_mode(0o777)) {
                Ok(()) => made.push(at.clone()),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            folder = Self { fd: open_without_links(&folder.fd, Path::new(name))? };
        }
        Ok((folder, made))
    }

    /// Returns what stands under `name`, links not followed; none when nothing does.
    pub(crate) fn stat(&self, name: &OsStr) -> io::Result<Option<Stat>> {
        match fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a temporary file and returns its name. `mode` are its permission bits, or those
    /// of any new file. It belongs to whom `name` belongs, where that may be set.
    pub(crate) fn stage(
        &self,
        bytes: &[u8],
        mode: Option<u32>,
        name: &OsStr,
    ) -> io::Result<OsString> {
        let temporary = temporary_name();
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let start = if mode.is_some() { 0o600 } else { 0o666 };
        let fd = fs::openat(&self.fd, &temporary, flags, Mode::from_raw_mode(start as _))?;
        let written = self.fill(fd, bytes, mode, name);
        if let Err(error) = written {
            self.remove(&temporary).ok();
            return Err(error);
        }
        Ok(temporary)
    }

    fn fill(&self, fd: OwnedFd, bytes: &[u8], mode: Option<u32>, name: &OsStr) -> io::Result<()> {
        let mut file = File::from(fd);
        file.write_all(bytes)?;
        let mine = fs::fstat(&file)?;
        let old = self.stat(name)?.filter(|old| FileType::from_raw_mode(old.st_mode).is_file());
        if let Some(old) = old.filter(|old| (old.st_uid, old.st_gid) != (mine.st_uid, mine.st_gid))
        {
            // Only root may give files away; for all others the file becomes their own, as it
            // does with any editor that replaces files.
            let owner = fs::Uid::from_raw(old.st_uid);
            let group = fs::Gid::from_raw(old.st_gid);
            fs::fchown(&file, Some(owner), Some(group)).ok();
        }
        if let Some(mode) = mode {
            fs::fchmod(&file, Mode::from_raw_mode(mode as _))?;
        }
        Ok(())
    }

    /// Makes a symbolic link under a temporary name and returns that name.
    pub(crate) fn stage_link(&self, target: &Path) -> io::Result<OsString> {
        let temporary = temporary_name();
        fs::symlinkat(target, &self.fd, &temporary)?;
        Ok(temporary)
    }

    /// Gives `name` a second, temporary name, and returns that.
    pub(crate) fn keep(&self, name: &OsStr) -> io::Result<OsString> {
        let temporary = temporary_name();
        fs::linkat(&self.fd, name, &self.fd, &temporary, AtFlags::empty())?;
        Ok(temporary)
    }

    /// Renames within the folder; replaces what stands under `to`.
    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(fs::renameat(&self.fd, from, &self.fd, to)?)
    }

    /// Makes a folder that only its owner may use.
    pub(crate) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::mkdirat(&self.fd, name, Mode::from_raw_mode(0o700))?)
    }

    /// Sets the permission bits of a folder.
    pub(crate) fn set_folder_mode(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = fs::openat(&self.fd, name, flags, Mode::empty())?;
        Ok(fs::fchmod(&folder, Mode::from_raw_mode(mode as _))?)
    }

    /// Removes an empty folder.
    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR)?)
    }

    /// Removes a file or a link.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::unlinkat(&self.fd, name, AtFlags::empty())?)
    }
}

#[cfg(target_os = "linux")]
fn open_without_links(at: impl std::os::fd::AsFd, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = fs::openat2(&at, path, flags, Mode::empty(), fs::ResolveFlags::NO_SYMLINKS);
    match opened {
        // Kernels before 5.6, and filters that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => {
            Ok(fs::openat(&at, path, flags | OFlags::NOFOLLOW, Mode::empty())?)
        }
        opened => Ok(opened?),
    }
}

#[cfg(not(target_os = "linux"))]
fn open_without_links(at: impl std::os::fd::AsFd, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    Ok(fs::openat(&at, path, flags, Mode::empty())?)
}

#[cfg(test)]
mod tests;

//! Contents, each under the name of what it is.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, utimensat};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The name of a content: its SHA-256, in text 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The name of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The bare bytes.
    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Takes bare bytes.
    pub(super) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("no SHA-256 in hexadecimal digits"))
    }
}

/// Files from here on are cloned where the file system can do that: a clone takes no room.
const CLONED_FROM: usize = 128 * 1024;

/// A folder of contents. Files are 0600, folders 0700. Safe to share, also between processes.
#[derive(Debug)]
pub struct Blobs {
    folder: PathBuf,
    /// Whether the file system was found to clone nothing.
    no_clones: AtomicBool,
    added: AtomicU64,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl Blobs {
    /// Contents in a folder, which need not exist yet.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, no_clones: AtomicBool::new(false), added: AtomicU64::new(0) }
    }

    /// Bytes that were added since this was made.
    pub fn added(&self) -> u64 {
        self.added.load(Ordering::Relaxed)
    }

    /// Keeps bytes; what is kept already costs no write.
    pub fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        self.keep_from(bytes, None)
    }

    /// The same for what was read from a file: where it can be cloned, nothing is written.
    pub(super) fn keep_file(&self, bytes: &[u8], file: &File) -> io::Result<Digest> {
        let clones = bytes.len() >= CLONED_FROM && !self.no_clones.load(Ordering::Relaxed);
        self.keep_from(bytes, Some(file).filter(|_| clones))
    }

    fn keep_from(&self, bytes: &[u8], file: Option<&File>) -> io::Result<Digest> {
        let digest = Digest::of(bytes);
        let path = self.path(digest);
        // What is in use again is young again, so that no sweep takes it away meanwhile.
        let now = Timestamps {
            last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
            last_modification: Timespec { tv_sec: 0, tv_nsec: UTIME_NOW },
        };
        if utimensat(CWD, &path, &now, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Ok(digest);
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_file_name(format!("new-{}-{number}", std::process::id()));
        let written = self.write(&beside, bytes, file).and_then(|()| fs::rename(&beside, &path));
        if written.is_err() {
            fs::remove_file(&beside).ok();
        }
        written?;
        self.added.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(digest)
    }

    fn write(&self, path: &Path, bytes: &[u8], source: Option<&File>) -> io::Result<()> {
        let create =
            || OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path);
        let mut file = match create() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().unwrap_or(&self.folder);
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
                create()?
            }
            other => other?,
        };
        if let Some(source) = source
            && self.cloned(&file, source, bytes)?
        {
            return Ok(());
        }
        file.write_all(bytes)
    }

    /// Clones a file, if it still holds these bytes.
    #[cfg(target_os = "linux")]
    fn cloned(&self, to: &File, from: &File, bytes: &[u8]) -> io::Result<bool> {
        if rustix::fs::ioctl_ficlone(to, from).is_err() {
            self.no_clones.store(true, Ordering::Relaxed);
            return Ok(false);
        }
        let mut found = Vec::with_capacity(bytes.len());
        let mut reader = to;
        reader.read_to_end(&mut found)?;
        if found == bytes {
            return Ok(true);
        }
        to.set_len(0)?;
        io::Seek::rewind(&mut reader)?;
        Ok(false)
    }

    #[cfg(not(target_os = "linux"))]
    fn cloned(&self, _to: &File, _from: &File, _bytes: &[u8]) -> io::Result<bool> {
        self.no_clones.store(true, Ordering::Relaxed);
        Ok(false)
    }

    /// Reads a content. One that is not what its name says is an error, like one that is gone.
    pub fn read(&self, digest: Digest) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.path(digest))?.read_to_end(&mut bytes)?;
        if Digest::of(&bytes) != digest {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the kept content is damaged"));
        }
        Ok(bytes)
    }

    /// The length of a content in bytes, if it is kept.
    pub fn len(&self, digest: Digest) -> Option<u64> {
        fs::metadata(self.path(digest)).ok().map(|meta| meta.len())
    }

    /// All contents with their lengths.
    pub fn all(&self) -> HashMap<Digest, u64> {
        let mut found = HashMap::new();
        self.each(|digest, path| {
            if let (Some(digest), Ok(meta)) = (digest, fs::metadata(path)) {
                found.insert(digest, meta.len());
            }
        });
        found
    }

    /// Removes the contents that `wanted` does not want. Those touched since `since`, and what is
    /// half written since then, stay: somebody may be about to name them.
    pub fn sweep(&self, since: SystemTime, wanted: impl Fn(Digest) -> bool) {
        self.each(|digest, path| {
            let unwanted = !digest.is_some_and(&wanted);
            let touched = fs::symlink_metadata(path).and_then(|meta| meta.modified());
            if unwanted && touched.is_ok_and(|touched| touched + Duration::from_millis(1) < since) {
                fs::remove_file(path).ok();
            }
        });
    }

    /// Removes one content.
    pub fn remove(&self, digest: Digest) {
        fs::remove_file(self.path(digest)).ok();
    }

    fn each(&self, mut visit: impl FnMut(Option<Digest>, &Path)) {
        let Ok(folders) = fs::read_dir(&self.folder) else { return };
        for folder in folders.flatten() {
            let Ok(files) = fs::read_dir(folder.path()) else { continue };
            let first = folder.file_name();
            for file in files.flatten() {
                let name = file.file_name();
                let text = format!("{}{}", first.to_string_lossy(), name.to_string_lossy());
                visit(Digest::parse(&text), &file.path());
            }
        }
    }

    fn path(&self, digest: Digest) -> PathBuf {
        let name = digest.to_string();
        let (folder, rest) = name.split_at(2);
        self.folder.join(folder).join(rest)
    }
}

#[cfg(test)]
mod tests;

//! A Unix socket that speaks WebSocket.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use axum::serve::Listener;
use rustix::fs::FlockOperation;
use tokio::net::{UnixListener, UnixStream};

use super::linger::Lingering;

/// Why a socket cannot be listened on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another daemon has it.
    #[error("app-server control socket is already in use at {}", .0.display())]
    InUse(PathBuf),
    /// There is something else at the path.
    #[error("{} exists and is no socket", .0.display())]
    NotASocket(PathBuf),
    /// The system refuses.
    #[error("failed to listen on {}", path.display())]
    System {
        /// The socket, its folder or its lock.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Accepts connections on a socket file that only its owner can open.
///
/// Dropping it removes the file, unless it is somebody else's.
#[derive(Debug)]
pub(crate) struct UnixDoor {
    listener: UnixListener,
    path: PathBuf,
    /// Somebody else listens on it for us, and goes on when we end.
    is_handed: bool,
    /// Held for as long as the socket is ours. The lock file stays: removing it would let two
    /// daemons hold locks on two files of one name.
    _lock: File,
}

impl UnixDoor {
    /// Listens on a path, and replaces a socket that a killed daemon left there.
    ///
    /// # Errors
    /// [`Error::InUse`] when a daemon answers there.
    pub(crate) fn bind(path: &Path) -> Result<Self, Error> {
        let system = |at: &Path| {
            let path = at.to_path_buf();
            move |source: io::Error| Error::System { path, source }
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let mut builder = DirBuilder::new();
            builder.recursive(true).mode(0o700).create(folder).map_err(system(folder))?;
        }
        let lock = lock(path)?;
        remove_stale(path)?;
        let listener = UnixListener::bind(path).map_err(system(path))?;
        fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(system(path))?;
        Ok(Self { listener, path: path.to_path_buf(), is_handed: false, _lock: lock })
    }

    /// Takes over a socket that listens already; gives its path, too.
    ///
    /// # Errors
    /// [`Error::InUse`] when another daemon has it.
    pub(crate) fn of(socket: OwnedFd) -> Result<(Self, PathBuf), Error> {
        let listener = std::os::unix::net::UnixListener::from(socket);
        let address = listener.local_addr();
        let path = address.as_ref().ok().and_then(|address| address.as_pathname());
        let path = path.map(Path::to_path_buf).unwrap_or_default();
        let system = |source| Error::System { path: path.clone(), source };
        if path.as_os_str().is_empty() {
            return Err(system(io::ErrorKind::AddrNotAvailable.into()));
        }
        let lock = lock(&path)?;
        listener.set_nonblocking(true).map_err(system)?;
        let listener = UnixListener::from_std(listener).map_err(system)?;
        Ok((Self { listener, path: path.clone(), is_handed: true, _lock: lock }, path))
    }
}

/// Takes the lock of a socket. Its file says which process has it.
fn lock(socket: &Path) -> Result<File, Error> {
    let mut path = socket.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let file = file.map_err(|source| Error::System { path: path.clone(), source })?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {
            let written = file.set_len(0);
            written
                .and_then(|()| writeln!(&file, "{}", std::process::id()))
                .map_err(|source| Error::System { path, source })?;
            Ok(file)
        }
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Error::InUse(socket.to_path_buf())),
        Err(error) => Err(Error::System { path, source: error.into() }),
    }
}

/// Removes a socket that nobody answers. A program that does not know the lock may own it, so
/// it is tried first.
fn remove_stale(path: &Path) -> Result<(), Error> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    let kind = rustix::fs::FileType::from_raw_mode(metadata.permissions().mode());
    if !matches!(kind, rustix::fs::FileType::Socket | rustix::fs::FileType::Symlink) {
        return Err(Error::NotASocket(path.to_path_buf()));
    }
    if std::os::unix::net::UnixStream::connect(path).is_ok() {
        return Err(Error::InUse(path.to_path_buf()));
    }
    fs::remove_file(path).map_err(|source| Error::System { path: path.to_path_buf(), source })
}

impl Drop for UnixDoor {
    fn drop(&mut self) {
        if self.is_handed {
            return;
        }
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(%error, "socket {} is left behind", self.path.display());
        }
    }
}

impl Listener for UnixDoor {
    type Io = Lingering<UnixStream>;
    type Addr = PathBuf;

    async fn accept(&mut self) -> (Self::Io, PathBuf) {
        let (socket, _) = Listener::accept(&mut self.listener).await;
        (Lingering::new(socket), self.path.clone())
    }

    fn local_addr(&self) -> io::Result<PathBuf> {
        Ok(self.path.clone())
    }
}

#[cfg(test)]
mod tests;

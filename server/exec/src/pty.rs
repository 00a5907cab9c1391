//! Connection by a pseudo terminal.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// The two ends of a terminal: ours does not block, the child's does.
pub(crate) struct Pty {
    pub(crate) ours: OwnedFd,
    pub(crate) childs: OwnedFd,
}

impl Pty {
    /// Makes a terminal of the given size.
    pub(crate) fn open(rows: u16, cols: u16) -> io::Result<Self> {
        // Not `posix_openpt`: that cannot set the close-on-exec flag.
        let ours = rustix::fs::open(
            "/dev/ptmx",
            OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC | OFlags::NONBLOCK,
            Mode::empty(),
        )?;
        unlockpt(&ours)?;
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let childs = ioctl_tiocgptpeer(&ours, flags)?;
        resize(&ours, rows, cols)?;
        Ok(Self { ours, childs })
    }
}

/// Changes the size of a terminal; the processes in it are told by the kernel.
pub(crate) fn resize(terminal: impl AsFd, rows: u16, cols: u16) -> io::Result<()> {
    let size = Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 };
    Ok(tcsetwinsize(terminal, size)?)
}

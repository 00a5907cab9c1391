//! Connection by pipes.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};

/// The two ends of one pipe: ours does not block, the child's does.
pub(crate) struct Pipe {
    pub(crate) ours: OwnedFd,
    pub(crate) childs: OwnedFd,
}

impl Pipe {
    /// Makes a pipe that the child writes to.
    pub(crate) fn from_child() -> io::Result<Self> {
        let (ours, childs) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        Ok(Self { ours, childs })
    }

    /// Makes a pipe that the child reads from.
    pub(crate) fn to_child() -> io::Result<Self> {
        let (childs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        Ok(Self { ours, childs })
    }

    /// Makes a pipe that the child reads from and that we wait for.
    pub(crate) fn to_warden() -> io::Result<Self> {
        let (childs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
        Ok(Self { ours, childs })
    }
}

/// Opens the empty input.
pub(crate) fn empty_input() -> io::Result<OwnedFd> {
    Ok(rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

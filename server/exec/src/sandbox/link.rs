//! A network of a command's own, with one way out of it.
//!
//! The child is born into an empty network. Before it gives up its rights it switches the loopback
//! device on, opens a listener there, and sends that to the server. A socket stays in the network
//! in which it was made, so the server takes connections of the command there, and the command
//! reaches nothing else: no process stands between, and nothing has to be let through.
#![expect(unsafe_code, reason = "the child may only make raw system calls")]

use std::ffi::{c_int, c_void};
use std::io::{self, IoSliceMut};
use std::mem::{MaybeUninit, size_of, zeroed};
use std::net::TcpListener;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SocketFlags, SocketType,
    recvmsg, socketpair,
};

use super::mounts::Failed;

/// The port of the way out, on the loopback address of the command's network. Nothing else is
/// there before the command, so that it is always free.
pub(crate) const PORT: u16 = 3128;

/// How many connections of a command may wait until they are taken.
const BACKLOG: c_int = 128;

/// The child's end of the way on which it sends its listener.
#[derive(Debug)]
pub(crate) struct Link(OwnedFd);

/// The server's end.
#[derive(Debug)]
pub(crate) struct Awaited(OwnedFd);

/// Makes both ends.
pub(crate) fn pair() -> io::Result<(Awaited, Link)> {
    let (ours, childs) =
        socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    // The child overwrites the lowest descriptors before it comes to this one.
    let childs = rustix::io::fcntl_dupfd_cloexec(&childs, 4)?;
    Ok((Awaited(ours), Link(childs)))
}

impl Awaited {
    /// Takes the listener that a child has sent. The child runs its program by then, so that
    /// nothing is waited for.
    pub(crate) fn take(self) -> io::Result<TcpListener> {
        let mut byte = [0];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut buffer = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
        recvmsg(&self.0, &mut [IoSliceMut::new(&mut byte)], &mut buffer, flags)?;
        let sent = buffer.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut sent) => sent.next(),
            _ => None,
        });
        sent.map(TcpListener::from).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl Link {
    /// Switches the network on and sends its listener. Runs in the child, in a network that
    /// belongs to it.
    pub(super) fn open(&self) -> Result<(), Failed> {
        switch_loopback_on()?;
        self.send(listen()?)
    }

    fn send(&self, listener: RawFd) -> Result<(), Failed> {
        const SPACE: usize = 64;
        #[repr(align(8))]
        struct Control([u8; SPACE]);
        let mut control = Control([0; SPACE]);
        let mut piece = libc::iovec { iov_base: ptr::from_ref(&0_u8) as *mut c_void, iov_len: 1 };
        // SAFETY: the message and all that it points to live through the call, and the space is
        // larger than what one descriptor takes.
        unsafe {
            let mut message = zeroed::<libc::msghdr>();
            message.msg_iov = &raw mut piece;
            message.msg_iovlen = 1;
            message.msg_control = control.0.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(size_of::<c_int>() as u32) as _;
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size_of::<c_int>() as u32) as _;
            libc::CMSG_DATA(header).cast::<c_int>().write_unaligned(listener);
            let sent = libc::sendmsg(self.0.as_raw_fd(), &raw const message, libc::MSG_NOSIGNAL);
            if sent == 1 { Ok(()) } else { Err(Failed) }
        }
    }
}

fn switch_loopback_on() -> Result<(), Failed> {
    let socket = socket(libc::SOCK_DGRAM)?;
    // SAFETY: the request names a device in a string that ends with a zero byte, and lives through
    // the call.
    unsafe {
        let mut request = zeroed::<libc::ifreq>();
        request.ifr_name[0] = b'l' as _;
        request.ifr_name[1] = b'o' as _;
        request.ifr_ifru.ifru_flags = libc::IFF_UP as _;
        done(libc::ioctl(socket, libc::SIOCSIFFLAGS, &raw const request))?;
        libc::close(socket);
    }
    Ok(())
}

/// Opens the listener that is sent away; ours closes when the program runs.
fn listen() -> Result<RawFd, Failed> {
    let listener = socket(libc::SOCK_STREAM | libc::SOCK_NONBLOCK)?;
    // SAFETY: the address lives through the calls and is as long as said.
    unsafe {
        let mut address = zeroed::<libc::sockaddr_in>();
        address.sin_family = libc::AF_INET as _;
        address.sin_port = PORT.to_be();
        address.sin_addr.s_addr = libc::INADDR_LOOPBACK.to_be();
        let length = size_of::<libc::sockaddr_in>() as libc::socklen_t;
        done(libc::bind(listener, (&raw const address).cast(), length))?;
        done(libc::listen(listener, BACKLOG))?;
    }
    Ok(listener)
}

fn socket(kind: c_int) -> Result<RawFd, Failed> {
    // SAFETY: takes numbers.
    let socket = unsafe { libc::socket(libc::AF_INET, kind | libc::SOCK_CLOEXEC, 0) };
    if socket < 0 { Err(Failed) } else { Ok(socket) }
}

fn done(result: c_int) -> Result<(), Failed> {
    if result == 0 { Ok(()) } else { Err(Failed) }
}

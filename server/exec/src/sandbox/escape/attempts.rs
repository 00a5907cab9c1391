//! Attempts that a shell cannot make.
#![expect(unsafe_code, reason = "attempts are made with raw system calls")]

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};

/// Names the attempt, its words one a line.
pub(super) const VARIABLE: &str = "SPINDLE_ATTEMPT";
/// Stands before and after what came of it.
pub(super) const MARK: &str = "@@@";

#[test]
#[ignore = "is run by the other tests, inside the sandbox"]
fn attempt_from_inside() {
    let words = std::env::var(VARIABLE).expect("an attempt");
    let words: Vec<&str> = words.split('\n').collect();
    let result = match make(&words) {
        Ok(()) if words[0] == "tunnel" => return,
        Ok(()) => "ok".to_owned(),
        Err(error) => name(&error),
    };
    println!("{MARK}{result}{MARK}");
}

fn name(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EPERM) => "EPERM".into(),
        Some(libc::EACCES) => "EACCES".into(),
        Some(libc::EROFS) => "EROFS".into(),
        Some(libc::ENOENT) => "ENOENT".into(),
        Some(libc::ENOSYS) => "ENOSYS".into(),
        Some(libc::ESRCH) => "ESRCH".into(),
        Some(libc::EXDEV) => "EXDEV".into(),
        Some(libc::EBUSY) => "EBUSY".into(),
        Some(libc::EINVAL) => "EINVAL".into(),
        Some(libc::ECONNREFUSED) => "ECONNREFUSED".into(),
        Some(libc::ENETUNREACH) => "ENETUNREACH".into(),
        Some(libc::EADDRINUSE) => "EADDRINUSE".into(),
        _ => error.to_string(),
    }
}

fn make(words: &[&str]) -> io::Result<()> {
    match words {
        ["write", path] => OpenOptions::new().write(true).open(path)?.write_all(b"x"),
        ["create", path] => File::create(path).map(drop),
        ["link", from, to] => std::fs::hard_link(from, to),
        ["rename", from, to] => std::fs::rename(from, to),
        ["read", path] => std::fs::read(path).map(drop),
        ["terminal-pair"] => OpenOptions::new().read(true).write(true).open("/dev/ptmx").map(drop),
        ["tcp", address] => TcpStream::connect(*address).map(drop),
        ["tunnel", address] => tunnel(address),
        ["listen-at", address] => TcpListener::bind(*address).map(drop),
        ["listen"] => TcpListener::bind("127.0.0.1:0").map(drop),
        ["udp", address] => UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", *address).map(drop),
        ["unix", path] => UnixStream::connect(path).map(drop),
        ["unix-listen", path] => UnixListener::bind(path).map(drop),
        ["unix-datagram", path] => UnixDatagram::unbound()?.send_to(b"x", path).map(drop),
        ["unix-pair-datagram", path] => UnixDatagram::pair()?.0.send_to(b"x", path).map(drop),
        ["unix-pair"] => UnixStream::pair()?.0.write_all(b"x"),
        ["abstract", name] => {
            UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?).map(drop)
        }
        ["type"] => call(libc::SYS_ioctl, [0, libc::TIOCSTI as usize, c"x".as_ptr() as usize, 0]),
        ["own-child-ptrace"] => trace_own_child(),
        ["second-set"] => raw("second-set", ""),
        [kind, argument] => raw(kind, argument),
        ["socket", family, kind] => call(libc::SYS_socket, [number(family), number(kind), 0, 0]),
        _ => Err(io::Error::other(format!("unknown attempt {words:?}"))),
    }
}

/// Asks the proxy that every command of a network of its own has for a way to `address`, and
/// prints how that was answered.
fn tunnel(address: &str) -> io::Result<()> {
    let mut proxy = TcpStream::connect(("127.0.0.1", super::super::link::PORT))?;
    write!(proxy, "CONNECT {address} HTTP/1.1\r\n\r\n")?;
    let mut answer = [0; 12];
    proxy.read_exact(&mut answer)?;
    println!("{MARK}{}{MARK}", String::from_utf8_lossy(&answer[9..]));
    Ok(())
}

/// Attempts that are one call with a path or a number.
fn raw(kind: &str, argument: &str) -> io::Result<()> {
    let text = CString::new(argument)?;
    let path = text.as_ptr() as usize;
    let here = libc::AT_FDCWD as usize;
    let tmpfs = c"tmpfs".as_ptr() as usize;
    match kind {
        "truncate" => call(libc::SYS_truncate, [path, 0, 0, 0]),
        "times" => call(libc::SYS_utimensat, [here, path, 0, 0]),
        "chmod" => call(libc::SYS_fchmodat, [here, path, 0o600, 0]),
        "attribute" => {
            let (name, value) = (c"user.x".as_ptr() as usize, b"y".as_ptr() as usize);
            call(libc::SYS_setxattr, [path, name, value, 1])
        }
        "device" => {
            let kind = (libc::S_IFBLK | 0o600) as usize;
            call(libc::SYS_mknodat, [here, path, kind, libc::makedev(254, 0) as usize])
        }
        "mount" => call(libc::SYS_mount, [tmpfs, path, tmpfs, 0]),
        "remount" => {
            call(libc::SYS_mount, [0, path, 0, (libc::MS_REMOUNT | libc::MS_BIND) as usize])
        }
        "chroot" => call(libc::SYS_chroot, [path, 0, 0, 0]),
        "umount" => call(libc::SYS_umount2, [path, libc::MNT_DETACH as usize, 0, 0]),
        "unshare" => call(libc::SYS_unshare, [number(argument), 0, 0, 0]),
        "signal" => call(libc::SYS_kill, [number(argument), 0, 0, 0]),
        "ptrace" => call(libc::SYS_ptrace, [libc::PTRACE_SEIZE as usize, number(argument), 0, 0]),
        "memory" => {
            let mut byte = [0_u8];
            let pieces = [
                libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 },
                libc::iovec { iov_base: std::ptr::without_provenance_mut(0x1000), iov_len: 1 },
            ];
            let [here, there] = pieces.each_ref().map(|piece| &raw const *piece as usize);
            // The fifth argument is one piece, as the third.
            call5(libc::SYS_process_vm_readv, [number(argument), here, 1, there, 1])
        }
        "call" => call(argument.parse().expect("a number"), [0; 4]),
        "second-set" => call(0x4000_0000 + libc::SYS_getpid, [0; 4]),
        _ => Err(io::Error::other(format!("unknown attempt {kind}"))),
    }
}

fn number(word: &str) -> usize {
    word.parse().expect("a number")
}

fn call(number: libc::c_long, [first, second, third, fourth]: [usize; 4]) -> io::Result<()> {
    call5(number, [first, second, third, fourth, 0])
}

fn call5(number: libc::c_long, words: [usize; 5]) -> io::Result<()> {
    // SAFETY: pointers among the words lead to values that live through the call, and each call
    // writes at most where its attempt says.
    done(unsafe {
        libc::syscall(number, words[0], words[1], words[2], words[3], words[4], 0_usize)
    })
}

fn done(result: i64) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Debuggers must work on what they start themselves.
fn trace_own_child() -> io::Result<()> {
    // SAFETY: the child makes two calls and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: as above.
        unsafe {
            let traced = libc::ptrace(libc::PTRACE_TRACEME, 0, 0_usize, 0_usize);
            libc::_exit(i32::from(traced != 0));
        }
    }
    let mut status = 0;
    // SAFETY: waits for the child made above.
    done(unsafe { libc::waitpid(child, &raw mut status, 0) }.into())?;
    if status == 0 { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

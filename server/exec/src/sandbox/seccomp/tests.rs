use super::*;

/// Runs a filter on one call as the kernel does; returns its verdict.
fn verdict(filter: &[sock_filter], number: i64, arguments: [u64; 6]) -> u32 {
    const LOAD: u16 = 0x20;
    const ARCH: u32 = if cfg!(target_arch = "x86_64") { 0xc000_003e } else { 0xc000_00b7 };
    let word = |offset: u32| match offset {
        0 => number as u32,
        4 => ARCH,
        offset => {
            let argument = arguments[(offset as usize - 16) / 8];
            if (offset - 16) % 8 == 0 { argument as u32 } else { (argument >> 32) as u32 }
        }
    };
    let (mut at, mut value) = (0, 0_u32);
    loop {
        let step = &filter[at];
        let jump = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
        at += 1 + match step.code {
            LOAD => {
                value = word(step.k);
                0
            }
            0x06 => return step.k,
            0x05 => step.k as usize,
            0x15 => jump(value == step.k),
            0x25 => jump(value > step.k),
            0x35 => jump(value >= step.k),
            0x54 => {
                value &= step.k;
                0
            }
            code => panic!("a step that filters are not made of: {code:#x}"),
        };
    }
}

const ALLOW: u32 = 0x7fff_0000;
const EPERM: u32 = 0x0005_0001;
const ENOSYS: u32 = 0x0005_0026;

fn asked(is_open: bool, number: i64, first: i32, second: i32) -> u32 {
    let filter = filter(Network::shared(is_open)).expect("a filter");
    verdict(filter, number, [first as u64, second as u64, 0, 0, 0, 0])
}

#[test]
fn in_a_network_of_its_own_only_tcp_udp_and_local_pairs_are_left() {
    let filter = filter(Network::Own).expect("a filter");
    let made = |number, family: i32, kind: i32, protocol: i32| {
        verdict(filter, number, [family as u64, kind as u64, protocol as u64, 0, 0, 0])
    };
    let socket = |family, kind, protocol| made(libc::SYS_socket, family, kind, protocol);
    let (stream, datagram) = (libc::SOCK_STREAM, libc::SOCK_DGRAM);
    for family in [libc::AF_INET, libc::AF_INET6] {
        assert_eq!(socket(family, stream | libc::SOCK_CLOEXEC, 0), ALLOW);
        assert_eq!(socket(family, stream, libc::IPPROTO_TCP), ALLOW);
        assert_eq!(socket(family, datagram | libc::SOCK_NONBLOCK, libc::IPPROTO_UDP), ALLOW);
        for kind in [libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET] {
            assert_eq!(socket(family, kind, 0), EPERM, "{kind}");
        }
        for protocol in [libc::IPPROTO_ICMP, libc::IPPROTO_SCTP, 262] {
            assert_eq!(socket(family, stream, protocol), EPERM, "{protocol}");
        }
    }
    for family in [libc::AF_UNIX, libc::AF_NETLINK, libc::AF_VSOCK, libc::AF_ALG, libc::AF_PACKET] {
        assert_eq!(socket(family, stream, 0), EPERM, "{family}");
    }
    let pair = |family, kind| made(libc::SYS_socketpair, family, kind, 0);
    assert_eq!((pair(libc::AF_UNIX, stream), pair(libc::AF_UNIX, datagram)), (ALLOW, EPERM));
    assert_eq!(pair(libc::AF_INET, stream), EPERM);
    for number in [libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept4] {
        assert_eq!(made(number, 0, 0, 0), ALLOW);
    }
    for number in ALWAYS {
        assert_eq!(made(number, 0, 0, 0), EPERM, "{number}");
    }
}

#[test]
fn ordinary_calls_pass() {
    for number in [libc::SYS_openat, libc::SYS_execve, libc::SYS_ptrace, libc::SYS_kill] {
        assert_eq!(asked(false, number, 0, 0), ALLOW);
        assert_eq!(asked(true, number, 0, 0), ALLOW);
    }
}

#[test]
fn calls_that_could_take_the_walls_down_are_refused_with_and_without_the_network() {
    for number in ALWAYS {
        assert_eq!(asked(false, number, 0, 0), EPERM, "{number}");
        assert_eq!(asked(true, number, 0, 0), EPERM, "{number}");
    }
}

#[test]
fn new_processes_are_allowed_and_new_namespaces_are_not() {
    let thread = libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND;
    assert_eq!(asked(false, libc::SYS_clone, thread, 0), ALLOW);
    for flag in NEW_NAMESPACE {
        assert_eq!(asked(false, libc::SYS_clone, flag | libc::SIGCHLD, 0), EPERM);
        assert_eq!(asked(true, libc::SYS_unshare, flag, 0), EPERM);
    }
    // The low byte of the flags of `clone` is a signal, not a namespace of clocks.
    assert_eq!(asked(false, libc::SYS_clone, libc::SIGCHLD, 0), ALLOW);
    assert_eq!(asked(false, libc::SYS_unshare, CLONE_NEWTIME, 0), EPERM);
    assert_eq!(asked(false, libc::SYS_clone3, 0, 0), ENOSYS);
}

#[test]
fn without_the_network_only_local_streams_are_left() {
    let socket = |family, kind| asked(false, libc::SYS_socket, family, kind);
    assert_eq!(socket(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC), ALLOW);
    assert_eq!(socket(libc::AF_UNIX, libc::SOCK_SEQPACKET), ALLOW);
    assert_eq!(socket(libc::AF_UNIX, libc::SOCK_DGRAM | libc::SOCK_NONBLOCK), EPERM);
    for family in [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK, libc::AF_VSOCK, libc::AF_ALG] {
        assert_eq!(socket(family, libc::SOCK_STREAM), EPERM, "{family}");
    }
    assert_eq!(asked(false, libc::SYS_socketpair, libc::AF_UNIX, libc::SOCK_STREAM), ALLOW);
    assert_eq!(asked(false, libc::SYS_socketpair, libc::AF_UNIX, libc::SOCK_DGRAM), EPERM);
    for number in [libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept4] {
        assert_eq!(asked(false, number, 0, 0), EPERM);
        assert_eq!(asked(true, number, 0, 0), ALLOW);
    }
}

#[test]
fn with_the_network_all_but_the_host_of_a_virtual_machine_is_left() {
    let socket = |family| asked(true, libc::SYS_socket, family, libc::SOCK_STREAM);
    assert_eq!((socket(libc::AF_INET), socket(libc::AF_UNIX)), (ALLOW, ALLOW));
    assert_eq!(socket(libc::AF_VSOCK), EPERM);
}

#[test]
fn nobody_types_into_a_terminal_in_the_persons_place() {
    for request in [libc::TIOCSTI, libc::TIOCLINUX] {
        assert_eq!(asked(true, libc::SYS_ioctl, 0, request as i32), EPERM);
    }
    assert_eq!(asked(false, libc::SYS_ioctl, 0, libc::TIOCGWINSZ as i32), ALLOW);
    let filter = filter(Network::Open).expect("a filter");
    let sneaky = 1 << 40 | libc::TIOCSTI;
    assert_eq!(verdict(filter, libc::SYS_ioctl, [0, sneaky, 0, 0, 0, 0]), EPERM);
}

#[test]
fn high_bits_of_an_argument_do_not_hide_the_low_ones() {
    let filter = filter(Network::Off).expect("a filter");
    let sneaky = 1 << 40 | libc::AF_INET as u64;
    assert_eq!(verdict(filter, libc::SYS_socket, [sneaky, 1, 0, 0, 0, 0]), EPERM);
    let user = 1 << 40 | libc::CLONE_NEWUSER as u64;
    assert_eq!(verdict(filter, libc::SYS_unshare, [user, 0, 0, 0, 0, 0]), EPERM);
}

//! The system calls that a sandboxed command may not make.
//!
//! A list of what is refused, not of what is allowed: programs are many, and files are guarded by
//! other means. Refusals look as they would to any user without rights (`EPERM`).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, sock_filter,
};

use super::error::SandboxError;

#[cfg(test)]
mod tests;

/// Refused whatever the arguments: each of these could undo the sandbox, goes round the filter,
/// or reaches what belongs to the whole machine or session.
const ALWAYS: [i64; 24] = [
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_setns,
    // Does file and network work on behalf of the process, unseen by a filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Opens files by number instead of by path.
    libc::SYS_open_by_handle_at,
    // The keys of the user's session.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Parts of the kernel that commands have no business with and that were often broken.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_quotactl,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
];

const NEW_NAMESPACE: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];
const CLONE_NEWTIME: i32 = 0x80;
const SOCK_DCCP: i32 = 6;
const SOCK_PACKET: i32 = 10;

/// The network that a command sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Network {
    /// None: it can make no socket that leads anywhere.
    Off,
    /// One of its own, in which there is nothing but it and the way out.
    Own,
    /// The machine's.
    Open,
}

impl Network {
    /// What is seen where no network of a command's own is made.
    pub(crate) fn shared(is_open: bool) -> Self {
        if is_open { Self::Open } else { Self::Off }
    }
}

/// Returns the filter for commands that see such a network. It is made once.
pub(crate) fn filter(network: Network) -> Result<&'static [sock_filter], SandboxError> {
    static FILTERS: [OnceLock<BpfProgram>; 3] = [const { OnceLock::new() }; 3];
    let place = &FILTERS[network as usize];
    if let Some(filter) = place.get() {
        return Ok(filter);
    }
    let filter = make(network)?;
    Ok(place.get_or_init(|| filter))
}

fn make(network: Network) -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALWAYS.iter().map(|number| (*number, Vec::new())).collect();
    let flags = |flags: &[i32]| -> Result<Vec<_>, _> {
        flags.iter().map(|flag| rule(has(0, *flag))).collect()
    };
    rules.insert(libc::SYS_clone, flags(&NEW_NAMESPACE)?);
    rules.insert(libc::SYS_unshare, flags(&[&NEW_NAMESPACE[..], &[CLONE_NEWTIME]].concat())?);
    // Would type into a terminal as if the person did.
    let typing = [libc::TIOCSTI as i32, libc::TIOCLINUX as i32];
    let typing = typing.into_iter().map(|request| rule(is(1, request)));
    rules.insert(libc::SYS_ioctl, typing.collect::<Result<_, _>>()?);
    match network {
        Network::Off => refuse_network(&mut rules)?,
        Network::Own => refuse_foreign(&mut rules)?,
        // Reaches the host of a virtual machine, which no list of addresses knows.
        Network::Open => {
            rules.insert(libc::SYS_socket, vec![rule(is(0, libc::AF_VSOCK))?]);
        }
    }
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?;
    Ok(unknown_calls().into_iter().chain(BpfProgram::try_from(filter)?).collect())
}

/// Refuses every socket but pairs and unconnected streams of the local kind, which stay inside.
/// A local datagram socket is refused too: it can send to any path without being connected.
fn refuse_network(rules: &mut BTreeMap<i64, Vec<SeccompRule>>) -> Result<(), BackendError> {
    const KIND: u64 = 0xf;
    for number in [libc::SYS_socket, libc::SYS_socketpair] {
        let datagram = condition(1, SeccompCmpOp::MaskedEq(KIND), libc::SOCK_DGRAM);
        let foreign = condition(0, SeccompCmpOp::Ne, libc::AF_UNIX);
        rules.insert(number, vec![rule(foreign)?, rule(datagram)?]);
    }
    for number in
        [libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4]
    {
        rules.insert(number, Vec::new());
    }
    Ok(())
}

/// Refuses every socket but those of TCP and UDP, which stay in the command's own network, and
/// local pairs of streams, which stay inside. Any other local socket could be connected to a path
/// of the machine's, and a filter does not see where a connection goes.
fn refuse_foreign(rules: &mut BTreeMap<i64, Vec<SeccompRule>>) -> Result<(), BackendError> {
    const KIND: u64 = 0xf;
    let all = SeccompRule::new;
    let isnt = |argument, value| condition(argument, SeccompCmpOp::Ne, value);
    let kind = |value| condition(1, SeccompCmpOp::MaskedEq(KIND), value);
    let mut refused = vec![
        all(vec![isnt(0, libc::AF_INET)?, isnt(0, libc::AF_INET6)?])?,
        all(vec![isnt(2, 0)?, isnt(2, libc::IPPROTO_TCP)?, isnt(2, libc::IPPROTO_UDP)?])?,
    ];
    for other in [libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET] {
        refused.push(rule(kind(other))?);
    }
    rules.insert(libc::SYS_socket, refused);
    let pairs = vec![rule(isnt(0, libc::AF_UNIX))?, rule(kind(libc::SOCK_DGRAM))?];
    rules.insert(libc::SYS_socketpair, pairs);
    Ok(())
}

/// Says "no such call" to calls whose arguments a filter cannot see, so that programs fall back
/// to older ones: `clone3`, and the whole second set of call numbers that x86-64 kernels may have.
fn unknown_calls() -> Vec<sock_filter> {
    const LOAD: u16 = 0x20;
    const JUMP_EQUAL: u16 = 0x15;
    const JUMP_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const ERRNO: u32 = 0x0005_0000;
    const SECOND_SET: u32 = 0x4000_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        step(LOAD, 0, 0, 0),
        step(JUMP_EQUAL, 1, 0, libc::SYS_clone3 as u32),
        step(JUMP_AT_LEAST, 0, 1, SECOND_SET),
        step(RETURN, 0, 0, ERRNO | libc::ENOSYS as u32),
    ]
}

type Condition = Result<SeccompCondition, BackendError>;

fn condition(argument: u8, operation: SeccompCmpOp, value: i32) -> Condition {
    let value = u64::from(value.cast_unsigned());
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operation, value)
}

fn is(argument: u8, value: i32) -> Condition {
    condition(argument, SeccompCmpOp::Eq, value)
}

fn has(argument: u8, flag: i32) -> Condition {
    condition(argument, SeccompCmpOp::MaskedEq(u64::from(flag.cast_unsigned())), flag)
}

fn rule(condition: Condition) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![condition?])
}

//! System calls, for each kind of processor.

use core::arch::{asm, global_asm};
use core::ffi::c_char;
use core::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
global_asm!(
    ".globl _start",
    "_start:",
    "xor ebp, ebp",
    "mov rdi, rsp",
    "and rsp, -16",
    "call {start}",
    "ud2",
    start = sym crate::start,
);

#[cfg(target_arch = "aarch64")]
global_asm!(
    ".globl _start",
    "_start:",
    "mov x29, xzr",
    "mov x30, xzr",
    "mov x0, sp",
    "bl {start}",
    "brk #1",
    start = sym crate::start,
);

#[cfg(target_arch = "x86_64")]
mod number {
    pub(super) const READ: usize = 0;
    pub(super) const WRITE: usize = 1;
    pub(super) const CLOSE: usize = 3;
    pub(super) const CLONE: usize = 56;
    pub(super) const EXECVE: usize = 59;
    pub(super) const WAIT4: usize = 61;
    pub(super) const KILL: usize = 62;
    pub(super) const PRCTL: usize = 157;
    pub(super) const EXIT_GROUP: usize = 231;
    pub(super) const UNLINKAT: usize = 263;
}

#[cfg(target_arch = "aarch64")]
mod number {
    pub(super) const UNLINKAT: usize = 35;
    pub(super) const CLOSE: usize = 57;
    pub(super) const READ: usize = 63;
    pub(super) const WRITE: usize = 64;
    pub(super) const EXIT_GROUP: usize = 94;
    pub(super) const KILL: usize = 129;
    pub(super) const PRCTL: usize = 167;
    pub(super) const CLONE: usize = 220;
    pub(super) const EXECVE: usize = 221;
    pub(super) const WAIT4: usize = 260;
}

/// Makes a system call.
///
/// # Safety
///
/// The arguments are what the kernel expects of that call.
#[cfg(target_arch = "x86_64")]
unsafe fn call(number: usize, arguments: [usize; 5]) -> isize {
    let [a, b, c, d, e] = arguments;
    let result;
    // SAFETY: the registers are those of the system call convention, which changes no others.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// Makes a system call.
///
/// # Safety
///
/// The arguments are what the kernel expects of that call.
#[cfg(target_arch = "aarch64")]
unsafe fn call(number: usize, arguments: [usize; 5]) -> isize {
    let [a, b, c, d, e] = arguments;
    let result;
    // SAFETY: the registers are those of the system call convention, which changes no others.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a => result,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e,
            options(nostack),
        );
    }
    result
}

/// Ends the program.
pub(crate) fn exit(code: i32) -> ! {
    loop {
        // SAFETY: takes a number and does not come back.
        unsafe { call(number::EXIT_GROUP, [code as usize, 0, 0, 0, 0]) };
    }
}

/// Reads into `buffer`; the count is negative on failure.
pub(crate) fn read(descriptor: i32, buffer: &mut [u8]) -> isize {
    let buffer = (buffer.as_mut_ptr() as usize, buffer.len());
    // SAFETY: the buffer is ours and as long as said.
    unsafe { call(number::READ, [descriptor as usize, buffer.0, buffer.1, 0, 0]) }
}

/// Writes what can be written of `text`.
pub(crate) fn write(descriptor: i32, text: &[u8]) {
    // SAFETY: the text is as long as said.
    unsafe {
        call(number::WRITE, [descriptor as usize, text.as_ptr() as usize, text.len(), 0, 0]);
    }
}

/// Closes a descriptor.
pub(crate) fn close(descriptor: i32) {
    // SAFETY: takes a number; nothing here relies on the descriptor afterwards.
    unsafe { call(number::CLOSE, [descriptor as usize, 0, 0, 0, 0]) };
}

/// Sends a signal; a negative `process` means a group. Zero on success.
pub(crate) fn kill(process: i32, signal: i32) -> isize {
    // SAFETY: takes two numbers.
    unsafe { call(number::KILL, [process as usize, signal as usize, 0, 0, 0]) }
}

/// Removes an empty folder.
pub(crate) fn remove_folder(path: *const c_char) {
    const AT_FDCWD: isize = -100;
    const AT_REMOVEDIR: usize = 0x200;
    // SAFETY: the callers give a string that ends with a zero byte.
    unsafe { call(number::UNLINKAT, [AT_FDCWD as usize, path as usize, AT_REMOVEDIR, 0, 0]) };
}

/// Names this process in lists of processes.
pub(crate) fn set_name(name: &core::ffi::CStr) {
    const PR_SET_NAME: usize = 15;
    // SAFETY: takes a string that ends with a zero byte.
    unsafe { call(number::PRCTL, [PR_SET_NAME, name.as_ptr() as usize, 0, 0, 0]) };
}

/// Waits for any child; returns its id and how it ended.
pub(crate) fn wait() -> (isize, i32) {
    const ANY: isize = -1;
    let mut status = 0_i32;
    // SAFETY: the kernel stores a number where we say.
    let id = unsafe { call(number::WAIT4, [ANY as usize, &raw mut status as usize, 0, 0, 0]) };
    (id, status)
}

/// Replaces this program; returns only on failure, with a negative error number.
pub(crate) fn execute(
    program: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> isize {
    let words = [program as usize, arguments as usize, environment as usize, 0, 0];
    // SAFETY: all three came from the kernel, which put zero bytes and nulls at their ends.
    unsafe { call(number::EXECVE, words) }
}

/// Leaves the process that started this one: goes on in a copy whose parent is nobody's. Goes on
/// as it is when there can be no copy.
pub(crate) fn detach() {
    const SIGCHLD: usize = 17;
    // SAFETY: without further flags the copy has memory of its own and goes on from here.
    if unsafe { call(number::CLONE, [SIGCHLD, 0, 0, 0, 0]) } > 0 {
        exit(0);
    }
}

/// Starts a copy of this process that shares its memory and runs `child` on `stack`, and waits
/// until it executes a program or ends. Returns its id.
pub(crate) fn spawn<T>(
    stack: &mut [MaybeUninit<u8>],
    child: extern "C" fn(&T) -> !,
    with: &T,
) -> isize {
    const CLONE_VM: usize = 0x100;
    const CLONE_VFORK: usize = 0x4000;
    const SIGCHLD: usize = 17;
    let flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
    let top = (stack.as_mut_ptr() as usize + stack.len()) & !15;
    let result: isize;
    // SAFETY: the child leaves this block only into `child`, on its own stack, while we wait, and
    // `child` never returns. The other registers are those of the system call convention.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") number::CLONE => result,
            in("rdi") flags, in("rsi") top, in("rdx") 0, in("r10") 0, in("r8") 0,
            in("r12") core::ptr::from_ref(with), in("r13") child,
            lateout("rcx") _, lateout("r11") _,
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x20",
            "blr x21",
            "brk #1",
            "2:",
            in("x8") number::CLONE,
            inlateout("x0") flags => result,
            in("x1") top, in("x2") 0, in("x3") 0, in("x4") 0,
            in("x20") core::ptr::from_ref(with), in("x21") child,
        );
    }
    result
}

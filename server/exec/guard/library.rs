//! What compiled code expects to find in a C library.
//!
//! Written byte by byte and volatile, so that the compiler does not turn the loops into calls of
//! these very functions.

use core::ffi::c_int;

/// Fills memory.
///
/// # Safety
///
/// `count` bytes at `to` are ours to write.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: c_int, count: usize) -> *mut u8 {
    for place in 0..count {
        // SAFETY: within what the caller vouches for.
        unsafe { to.add(place).write_volatile(byte as u8) };
    }
    to
}

/// Copies memory.
///
/// # Safety
///
/// `count` bytes at `from` may be read and as many at `to` written, and they do not overlap.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    for place in 0..count {
        // SAFETY: within what the caller vouches for.
        unsafe { to.add(place).write_volatile(from.add(place).read()) };
    }
    to
}

/// Is named by the core library's tables and never called: a panic ends the program.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

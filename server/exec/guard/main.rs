//! The program that stands between the server and what its commands leave behind.
//!
//! It has two lives, told apart by its name (`argv[0]`), both as small as a process can be:
//!
//! - `spindle-init PROGRAM ARGV...` is process 1 of a sandbox. It starts the command, collects
//!   whoever ends, and ends with the command's exit code, whereupon the kernel ends the rest.
//!   A command that were process 1 itself would be deaf to polite signals.
//! - `spindle-warden` outlives the server. It reads what would have to be cleaned up from its
//!   standard input, and does it when that ends, which it does however the server ends.
//!
//! No standard library and no C library: it starts in a tenth of a millisecond.

#![no_std]
#![no_main]

mod init;
mod library;
mod system;
mod warden;

use core::ffi::c_char;

/// What the kernel leaves on the stack of a new program.
#[derive(Clone, Copy)]
pub struct Arguments {
    words: *const usize,
}

impl Arguments {
    /// Returns the list of argument strings from number `from` on; it ends with a null.
    fn from(self, from: usize) -> *const *const c_char {
        // SAFETY: the count comes first, then that many pointers and a null.
        unsafe { self.words.add(1 + from.min(self.count())).cast() }
    }

    fn count(self) -> usize {
        // SAFETY: the kernel puts the count there.
        unsafe { *self.words }
    }

    /// Returns the environment; it ends with a null.
    fn environment(self) -> *const *const c_char {
        // SAFETY: the environment follows the null that ends the arguments.
        unsafe { self.words.add(2 + self.count()).cast() }
    }
}

/// Where the program begins, with the kernel's stack.
extern "C" fn start(words: *const usize) -> ! {
    let arguments = Arguments { words };
    match arguments.count() {
        0 | 1 => warden::watch(),
        _ => init::run(arguments),
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    system::exit(125)
}

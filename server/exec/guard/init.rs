//! Process 1 of a sandbox.

use core::ffi::c_char;
use core::mem::MaybeUninit;

use crate::Arguments;
use crate::system;

/// What the command needs to start.
struct Command {
    program: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
}

/// Runs the command and ends as it ends.
///
/// No signal needs to be held off: the kernel gives process 1 none that it did not ask for.
pub(crate) fn run(arguments: Arguments) -> ! {
    system::set_name(c"spindle-init");
    // SAFETY: there are at least two arguments, or this life would not have been chosen.
    let program = unsafe { *arguments.from(1) };
    let command =
        Command { program, arguments: arguments.from(2), environment: arguments.environment() };
    let mut stack = [MaybeUninit::uninit(); 8 * 1024];
    let child = system::spawn(&mut stack, become_command, &command);
    if child < 0 {
        system::write(2, b"cannot make a process for the command\n");
        system::exit(126);
    }
    // The command's streams are its own: whoever reads them must see them end when it closes them.
    (0..3).for_each(system::close);
    loop {
        let (ended, status) = system::wait();
        if ended == child || ended < 0 {
            system::exit(code(status));
        }
    }
}

extern "C" fn become_command(command: &Command) -> ! {
    system::execute(command.program, command.arguments, command.environment);
    system::write(2, b"cannot run the program\n");
    system::exit(126)
}

/// Returns the exit code that stands for a status: 128 and the signal's number after a signal.
fn code(status: i32) -> i32 {
    match status & 0x7f {
        0 => (status >> 8) & 0xff,
        signal => 128 + signal,
    }
}

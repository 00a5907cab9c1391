//! A process with all that it started: signalling, killing, reaping.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use parking_lot::Mutex;
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, test_kill_process,
    test_kill_process_group, waitid,
};

use crate::sandbox::Placeholder;
use crate::warden::{Entry, Task};

#[cfg(test)]
mod tests;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitStatus {
    /// The exit code; 128 and the signal's number when a signal ended it.
    pub code: i32,
    /// The signal that ended it. Inside a sandbox the code alone tells.
    pub signal: Option<i32>,
}

impl ExitStatus {
    /// Says whether the command ended with code 0.
    pub fn is_success(self) -> bool {
        self.code == 0
    }
}

/// A process that leads its own session and process group. Dropping it kills and reaps.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Pid,
    pidfd: OwnedFd,
    /// The end of the leader, once it was collected. While this is `None` its number cannot
    /// belong to anybody else, so signals are sent with this lock held.
    status: Mutex<Option<ExitStatus>>,
    /// What has to end with the leader.
    placeholders: Mutex<Vec<Placeholder>>,
    /// Has the group killed if the server is.
    warden: Mutex<Option<Entry>>,
    /// Whether it goes on without us.
    released: bool,
}

impl Group {
    /// Takes charge of a fresh child. With `watched`, the warden takes charge too.
    pub(crate) fn new(
        pid: libc::pid_t,
        pidfd: OwnedFd,
        watched: bool,
        placeholders: Vec<Placeholder>,
    ) -> Self {
        let leader = Pid::from_raw(pid).expect("a child's process id is above zero");
        let entry = if watched { Entry::new(Task::KillGroup(pid)) } else { None };
        Self {
            leader,
            pidfd,
            status: Mutex::new(None),
            placeholders: Mutex::new(placeholders),
            warden: Mutex::new(entry),
            released: false,
        }
    }

    /// Lets go of a process that leaves a copy of itself behind and ends at once: the copy goes
    /// on without us, and nobody waits for it.
    pub(crate) fn release(mut self) {
        self.released = true;
        let _ = self.wait(WaitIdOptions::EXITED);
    }

    pub(crate) fn pid(&self) -> u32 {
        self.leader.as_raw_pid().unsigned_abs()
    }

    /// Says whether the leader has ended and was collected.
    pub(crate) fn has_ended(&self) -> bool {
        self.status.lock().is_some()
    }

    /// Collects the leader if it has ended.
    pub(crate) fn try_reap(&self) -> Option<ExitStatus> {
        let mut status = self.status.lock();
        if status.is_none() {
            *status = self.wait(WaitIdOptions::EXITED | WaitIdOptions::NOHANG).unwrap_or(None);
            if status.is_some() {
                self.leader_is_gone();
            }
        }
        *status
    }

    fn leader_is_gone(&self) {
        self.placeholders.lock().clear();
        let mut warden = self.warden.lock();
        if test_kill_process_group(self.leader) == Err(Errno::SRCH) {
            *warden = None;
        } else if let Some(entry) = &*warden {
            entry.change(Task::KillRest(self.leader.as_raw_pid()));
        }
    }

    fn wait(&self, options: WaitIdOptions) -> io::Result<Option<ExitStatus>> {
        let ended = loop {
            match waitid(WaitId::PidFd(self.pidfd.as_fd()), options) {
                Err(Errno::INTR) => {}
                // Somebody else collected it, which only a bug in this process can do.
                Err(Errno::CHILD) => {
                    return Ok(Some(ExitStatus { code: -1, signal: None }));
                }
                other => break other?,
            }
        };
        Ok(ended.map(|ended| match (ended.exit_status(), ended.terminating_signal()) {
            (Some(code), _) => ExitStatus { code, signal: None },
            (None, Some(signal)) => ExitStatus { code: 128 + signal, signal: Some(signal) },
            (None, None) => ExitStatus { code: -1, signal: None },
        }))
    }

    /// Asks every process of the group to end, stopped ones too.
    pub(crate) fn ask_to_end(&self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    /// Sends `signal` to every process of the group.
    pub(crate) fn signal(&self, signal: Signal) {
        let status = self.status.lock();
        // Once the leader is collected its number lives on only as the group's. If there is a
        // process of that number again, the group is gone and the number is somebody else's.
        if status.is_none() || test_kill_process(self.leader) == Err(Errno::SRCH) {
            // Fails when nobody is left, which is what we want.
            let _ = kill_process_group(self.leader, signal);
        }
    }

    /// Kills the group, and what the leader started outside of it as far as it can be found.
    pub(crate) fn kill(&self) {
        let strays = if self.status.lock().is_none() { descendants(self.leader) } else { vec![] };
        self.signal(Signal::KILL);
        for stray in strays {
            let _ = kill_process(stray, Signal::KILL);
        }
    }
}

impl AsFd for Group {
    /// Returns a descriptor that becomes readable when the leader has ended.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.released {
            return;
        }
        self.kill();
        if self.try_reap().is_some() {
            return;
        }
        // A killed process may still take a moment to end. Nobody waits for it here.
        let Ok(pidfd) = self.pidfd.try_clone() else { return };
        let rest = std::thread::Builder::new().name("reap".into()).stack_size(64 * 1024);
        let _ = rest.spawn(move || {
            let _ = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED);
        });
    }
}

/// Returns the living processes below `pid`, parents before children.
///
/// Those whose parents ended before are not found; the system gave them to another process.
fn descendants(pid: Pid) -> Vec<Pid> {
    let mut found = children(pid);
    let mut next = 0;
    while next < found.len() {
        let below = children(found[next]);
        found.extend(below);
        next += 1;
    }
    found
}

fn children(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())) else {
        return vec![];
    };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| {
            list.split_ascii_whitespace()
                .filter_map(|number| Pid::from_raw(number.parse().ok()?))
                .collect::<Vec<_>>()
        })
        .collect()
}

//! Processes of the machine.

use std::path::Path;

use crate::model::PATIENCE;

/// Whether a process runs: it is there and is not only waiting to be collected.
pub fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start().chars().next();
    !matches!(state, None | Some('Z' | 'X'))
}

/// Waits until something holds.
///
/// # Panics
/// When it takes too long.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let wait = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, wait).await.is_ok(), "waited for {what}");
}

/// Waits until a file has a whole line, and gives it.
pub async fn line_of(file: &Path) -> String {
    let read = || std::fs::read_to_string(file).unwrap_or_default();
    until("a line", || read().ends_with('\n')).await;
    read().trim().to_owned()
}

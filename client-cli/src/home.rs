//! The home folder, as far as a client needs it: to find the daemon's control socket.

use std::path::PathBuf;

/// The folder that holds settings, threads and the control socket: `SPINDLE_HOME`, else
/// `CODEX_HOME`, else `.spindle` in the user's home.
pub(crate) fn folder() -> PathBuf {
    ["SPINDLE_HOME", "CODEX_HOME"]
        .iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty())
        .map_or_else(
            || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".spindle"),
            PathBuf::from,
        )
}

/// Where a daemon of this home listens when it was told `--listen unix://`.
pub(crate) fn control_socket() -> PathBuf {
    folder().join("app-server-control").join("app-server-control.sock")
}

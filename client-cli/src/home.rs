//! The home folder, as far as a client needs it: to find the daemon's control socket.

use std::ffi::OsString;
use std::path::PathBuf;

/// The environment's names for the folder; the first that is set counts.
const NAMES: [&str; 2] = ["SPINDLE_HOME", "CODEX_HOME"];

/// The folder that holds settings, threads and the control socket: what the environment names,
/// else `.spindle` in the person's own folder.
pub(crate) fn folder() -> PathBuf {
    folder_by(|name| std::env::var_os(name))
}

fn folder_by(variable: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    let named = NAMES.iter().filter_map(|name| variable(name)).find(|value| !value.is_empty());
    named.map_or_else(
        || PathBuf::from(variable("HOME").unwrap_or_else(|| "/".into())).join(".spindle"),
        PathBuf::from,
    )
}

/// Where a daemon of this home listens when it was told `--listen unix://`.
pub(crate) fn control_socket() -> PathBuf {
    folder().join("app-server-control").join("app-server-control.sock")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn home(variables: &[(&str, &str)]) -> PathBuf {
        folder_by(|name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn a_client_looks_where_the_daemon_does() {
        let all = [("SPINDLE_HOME", "/s"), ("CODEX_HOME", "/c"), ("HOME", "/h")];
        assert_eq!(home(&all), Path::new("/s"));
        assert_eq!(home(&all[1..]), Path::new("/c"));
        assert_eq!(home(&all[2..]), Path::new("/h/.spindle"));
        assert_eq!(home(&[("SPINDLE_HOME", ""), ("CODEX_HOME", "/c")]), Path::new("/c"));
    }
}

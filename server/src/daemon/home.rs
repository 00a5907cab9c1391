//! The folder of settings and threads.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The environment's names for the folder, the first that is set counts.
const NAMES: [&str; 2] = ["SPINDLE_HOME", "CODEX_HOME"];

/// Where the control socket is, below the home folder.
const CONTROL_SOCKET: &str = "app-server-control/app-server-control.sock";

/// The home folder: what the environment names, else `.spindle` in the person's own folder.
/// Always absolute.
pub(super) fn folder(variable: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    let named = NAMES.iter().filter_map(|name| variable(name)).find(|value| !value.is_empty());
    let folder = named.map_or_else(
        || PathBuf::from(variable("HOME").unwrap_or_else(|| "/".into())).join(".spindle"),
        PathBuf::from,
    );
    std::path::absolute(&folder).unwrap_or(folder)
}

/// The socket of `--listen unix://`.
pub(super) fn control_socket(home: &Path) -> PathBuf {
    home.join(CONTROL_SOCKET)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(variables: &[(&str, &str)]) -> PathBuf {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name);
        folder(|name| find(name).map(|(_, value)| OsString::from(value)))
    }

    #[test]
    fn our_own_variable_counts_first_and_an_empty_one_not_at_all() {
        let all = [("SPINDLE_HOME", "/s"), ("CODEX_HOME", "/c"), ("HOME", "/h")];
        assert_eq!(home(&all), Path::new("/s"));
        assert_eq!(home(&all[1..]), Path::new("/c"));
        assert_eq!(home(&all[2..]), Path::new("/h/.spindle"));
        assert_eq!(home(&[("SPINDLE_HOME", ""), ("CODEX_HOME", "/c")]), Path::new("/c"));
    }

    #[test]
    fn a_relative_home_becomes_absolute() {
        assert!(home(&[("CODEX_HOME", "relative")]).is_absolute());
    }
}

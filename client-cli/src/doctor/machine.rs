//! What files and programs say.

use std::ffi::OsStr;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::finding::Finding;

/// Bits of a mode that let others in.
const OTHERS: u32 = 0o077;

/// Whether the home folder can be used.
pub(super) fn home(folder: &Path) -> Finding {
    const CHECK: &str = "home";
    let shown = folder.display();
    let Ok(about) = std::fs::metadata(folder) else {
        return Finding::ok(CHECK, format!("{shown} is made with the first thread"));
    };
    if !about.is_dir() {
        return Finding::fail(CHECK, format!("{shown} is no folder"));
    }
    if let Err(error) = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK) {
        return Finding::fail(CHECK, format!("{shown} cannot be written to: {error}"));
    }
    if about.permissions().mode() & OTHERS & 0o007 != 0 && is_ours(about.uid()) {
        let hint = format!("{shown} is open to other users: chmod 700 {shown}");
        return Finding::warn(CHECK, hint);
    }
    Finding::ok(CHECK, shown.to_string())
}

fn is_ours(uid: u32) -> bool {
    rustix::process::getuid().as_raw() == uid
}

/// Whether the settings file is TOML at all. What its keys mean is for the daemon to say.
pub(super) fn settings_file(folder: &Path) -> Finding {
    const CHECK: &str = "settings";
    let file = folder.join("config.toml");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Finding::ok(CHECK, format!("no {}; the usual settings hold", file.display()));
        }
        Err(error) => return Finding::fail(CHECK, format!("{}: {error}", file.display())),
    };
    match text.parse::<toml_edit::DocumentMut>() {
        Ok(_) => Finding::ok(CHECK, file.display().to_string()),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
            let message = error.message().trim_end();
            Finding::fail(CHECK, format!("{}:{line}: {message}", file.display()))
        }
    }
}

/// Whether the programs are there that threads make use of.
pub(super) fn programs() -> Finding {
    const CHECK: &str = "programs";
    let shell = std::env::var_os("SHELL").filter(|shell| Path::new(shell).exists());
    let shell = shell.map_or_else(
        || "no SHELL, /bin/sh is used".to_owned(),
        |shell| format!("shell {}", shell.to_string_lossy()),
    );
    match find_program("git") {
        Some(git) => Finding::ok(CHECK, format!("{shell}, git {}", git.display())),
        None => Finding::warn(CHECK, format!("{shell}; no git: threads lack its facts")),
    }
}

/// The first program of that name on the search path.
fn find_program(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    program_in(&paths, name)
}

fn program_in(paths: &OsStr, name: &str) -> Option<PathBuf> {
    std::env::split_paths(paths).map(|folder| folder.join(name)).find(|file| {
        file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
    })
}

#[cfg(test)]
mod tests;

//! The user's shell.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::policy;

#[cfg(test)]
mod tests;

/// The shells that scripts are given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellKind {
    /// GNU Bash.
    Bash,
    /// Z shell.
    Zsh,
    /// Whatever the system has as `sh`.
    Sh,
}

impl ShellKind {
    fn of(program: &Path) -> Option<Self> {
        match program.file_name()?.to_str()? {
            "bash" => Some(Self::Bash),
            "zsh" => Some(Self::Zsh),
            "sh" => Some(Self::Sh),
            _ => None,
        }
    }

    /// Returns the shell's name, as in the environment section of a prompt.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Sh => "sh",
        }
    }
}

/// A shell that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    kind: ShellKind,
    path: PathBuf,
}

impl Shell {
    /// Finds the user's shell: the one in `shell` (the variable `SHELL`), the one of the user's
    /// account, or the first of bash, zsh and sh in the usual folders.
    pub fn detect(shell: Option<&OsStr>) -> Self {
        shell
            .and_then(|path| Self::at(Path::new(path)))
            .or_else(|| Self::at(&account_shell("/etc/passwd".as_ref())?))
            .unwrap_or_else(|| {
                let mut usual = ["/bin/bash", "/bin/zsh", "/bin/sh"].iter().map(Path::new);
                usual.find_map(Self::at).unwrap_or_else(Self::fallback)
            })
    }

    /// Finds the shell that `asked` names, by its name in the folders of `path` (the variable
    /// `PATH`); `/bin/sh` when it is unknown or not there.
    pub fn named(asked: &str, path: &OsStr) -> Self {
        let Some(kind) = ShellKind::of(Path::new(asked)) else { return Self::fallback() };
        std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(kind.name()))
            .find_map(|candidate| Self::at(&candidate))
            .unwrap_or_else(Self::fallback)
    }

    /// Returns the shell at `path` when it is one we know and can be run.
    fn at(path: &Path) -> Option<Self> {
        let kind = ShellKind::of(path)?;
        let runnable = path.is_absolute()
            && path.is_file()
            && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
        runnable.then(|| Self { kind, path: path.to_path_buf() })
    }

    fn fallback() -> Self {
        Self { kind: ShellKind::Sh, path: PathBuf::from("/bin/sh") }
    }

    /// Returns which shell it is.
    pub fn kind(&self) -> ShellKind {
        self.kind
    }

    /// Returns its program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the command that runs `script`, as in `["/bin/bash", "-lc", script]`.
    pub fn argv(&self, script: &str, login: bool) -> Vec<String> {
        let flag = if login { "-lc" } else { "-c" };
        vec![self.path.to_string_lossy().into_owned(), flag.into(), script.into()]
    }
}

/// Returns the command as users see it, as in `/bin/bash -lc 'touch made'`.
pub fn display(argv: &[String]) -> String {
    policy::join(argv)
}

/// Returns the shell of our account in a file of the form of `/etc/passwd`.
///
/// Read here and not with the C library, whose look-up loads other libraries at run time.
fn account_shell(accounts: &Path) -> Option<PathBuf> {
    let ours = rustix::process::getuid().as_raw().to_string();
    let text = std::fs::read(accounts).ok()?;
    text.split(|byte| *byte == b'\n').find_map(|line| {
        let mut fields = line.split(|byte| *byte == b':').skip(2);
        (fields.next()? == ours.as_bytes()).then_some(())?;
        let shell = fields.nth(3)?;
        (!shell.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(shell)))
    })
}

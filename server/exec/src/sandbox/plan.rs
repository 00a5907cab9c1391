//! From a mode to what has to be done: pure, all that is asked of the file system goes through
//! [`Look`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::mode::Mode;

#[cfg(test)]
mod tests;

/// What is at a path, not following a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Missing,
    Folder,
    Link,
    /// A file, a socket, a device.
    Other,
}

/// The questions that a plan asks of the file system.
pub(crate) trait Look {
    /// Returns what is at `path`.
    fn kind(&self, path: &Path) -> Kind;
    /// Returns `path` without links, when it exists.
    fn canonical(&self, path: &Path) -> Option<PathBuf>;
    /// Returns the folder that a `.git` file names.
    fn git_folder(&self, file: &Path) -> Option<PathBuf>;
}

/// Where the command runs, as far as the plan depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings<'a> {
    /// The value of `TMPDIR`.
    pub(crate) tmpdir: Option<&'a Path>,
    /// The value of `HOME`.
    pub(crate) home: Option<&'a Path>,
    /// The folder of the user's sockets (`XDG_RUNTIME_DIR`).
    pub(crate) runtime: Option<&'a Path>,
    /// The user's id.
    pub(crate) user: u32,
    /// Folders and sockets of the server that no command may see.
    pub(crate) hidden: &'a [PathBuf],
}

/// What may be done below a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    Write,
    Read,
}

/// A path that gets a mount of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bind {
    pub(crate) path: PathBuf,
    pub(crate) access: Access,
}

/// Something that is covered up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cover {
    /// By an empty folder.
    Folder(PathBuf),
    /// By an empty device.
    File(PathBuf),
}

/// What holds a command to its mode.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Plan {
    /// The folders that may be written in; everything else is read-only.
    pub(crate) roots: Vec<PathBuf>,
    /// The mounts, in the order in which they are made: outer ones first.
    pub(crate) binds: Vec<Bind>,
    /// Protected folders that do not exist and are made for the command's lifetime, because only
    /// what exists can be protected.
    pub(crate) placeholders: Vec<PathBuf>,
    pub(crate) covers: Vec<Cover>,
    pub(crate) network: bool,
}

/// What is protected below every root: what git, we and our like run programs from.
const PROTECTED_NAMES: [&str; 3] = [".git", ".agents", ".codex"];

/// What is protected below the user's home when that may be written in: what the next shell, ssh
/// or git runs.
const PROTECTED_AT_HOME: [&str; 14] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".config/fish",
    ".config/git",
    ".config/autostart",
    ".gitconfig",
    ".ssh",
];

/// Sockets of programs that run commands for whoever asks. With the network on they could be
/// reached; with it off no socket can be connected to.
const HELPFUL_SOCKETS: [&str; 9] = [
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
    "/run/crio/crio.sock",
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
    "/run/snapd.socket",
    "/run/libvirt/libvirt-sock",
    "/var/snap/lxd/common/lxd/unix.socket",
];

impl Plan {
    /// Returns what `mode` takes; `None` when it takes nothing.
    pub(crate) fn new(mode: &Mode, around: &Surroundings<'_>, look: &dyn Look) -> Option<Self> {
        if !mode.is_sandboxed() {
            return None;
        }
        let mut plan = Draft { plan: Self::default(), binds: BTreeMap::new(), look };
        plan.lay_out(mode, around);
        plan.hide(around);
        Some(plan.finish())
    }

    /// Says whether a path may be written: what the nearest mount at or above it allows.
    pub(crate) fn may_write(&self, path: &Path) -> bool {
        let is_covered = self.covers.iter().any(|cover| {
            let (Cover::Folder(place) | Cover::File(place)) = cover;
            path.starts_with(place)
        });
        let bind = |above: &Path| self.binds.iter().find(|bind| bind.path == above);
        let nearest = path.ancestors().find_map(bind);
        !is_covered && nearest.is_some_and(|bind| bind.access == Access::Write)
    }
}

/// A plan in the making.
struct Draft<'a> {
    plan: Plan,
    binds: BTreeMap<PathBuf, Access>,
    look: &'a dyn Look,
}

impl Draft<'_> {
    fn lay_out(&mut self, mode: &Mode, around: &Surroundings<'_>) {
        match mode {
            Mode::FullAccess | Mode::External => {}
            Mode::ReadOnly { network } => self.plan.network = *network,
            Mode::WorkspaceWrite { roots, exclude_tmp, exclude_slash_tmp, network, protected } => {
                self.plan.network = *network;
                self.add_roots(roots);
                let own = self.plan.roots.clone();
                let slash_tmp = (!exclude_slash_tmp).then_some(Path::new("/tmp"));
                let tmpdir = around.tmpdir.filter(|_| !exclude_tmp);
                self.add_roots(slash_tmp.iter().chain(&tmpdir));
                self.protect_below(&own, protected);
                self.protect_home(around.home);
            }
            Mode::Widened { base, writable, protected } => {
                self.lay_out(base, around);
                self.widen(writable, protected);
                self.protect_home(around.home);
                self.open(writable);
            }
        }
    }

    /// Adds what somebody allowed by name, with what stays protected below it.
    fn widen(&mut self, writable: &[PathBuf], protected: &[PathBuf]) {
        let exact = writable.iter().filter(|path| {
            let mut closed = protected.iter().filter(|closed| closed.is_absolute());
            let is_closed = closed.any(|closed| {
                let real = self.look.canonical(closed);
                path.starts_with(closed) || real.is_some_and(|real| path.starts_with(real))
            });
            !is_closed && self.look.canonical(path).as_deref() == Some(path.as_path())
        });
        self.add_roots(exact.collect::<Vec<_>>());
        self.protect_below(&[], protected);
    }

    /// Opens what was allowed by its very name, though it has a name that is protected.
    fn open(&mut self, writable: &[PathBuf]) {
        for path in writable.iter().filter(|path| self.plan.roots.contains(path)) {
            self.binds.insert(path.clone(), Access::Write);
        }
    }

    fn add_roots(&mut self, roots: impl IntoIterator<Item = impl AsRef<Path>>) {
        for root in roots {
            let root = self.look.canonical(root.as_ref());
            let Some(root) = root.filter(|root| !self.plan.roots.contains(root)) else { continue };
            self.binds.insert(root.clone(), Access::Write);
            self.plan.roots.push(root);
        }
    }

    /// Protects the usual names and those of `protected`: below each of `own`, where they are
    /// missing too, and below other roots (folders for temporary files) where they are there.
    fn protect_below(&mut self, own: &[PathBuf], protected: &[PathBuf]) {
        let (absolute, relative): (Vec<&Path>, Vec<&Path>) =
            protected.iter().map(PathBuf::as_path).partition(|path| path.is_absolute());
        let names = PROTECTED_NAMES.iter().map(Path::new).chain(relative);
        for name in names {
            for root in self.plan.roots.clone() {
                let path = root.join(name);
                if self.look.kind(&path) != Kind::Missing {
                    self.protect(&path);
                } else if own.contains(&root) && path.parent() == Some(&root) {
                    self.binds.insert(path.clone(), Access::Read);
                    self.plan.placeholders.push(path);
                }
            }
        }
        for path in absolute {
            self.protect(path);
        }
    }

    fn protect_home(&mut self, home: Option<&Path>) {
        let Some(home) = home.and_then(|home| self.look.canonical(home)) else { return };
        for name in PROTECTED_AT_HOME {
            self.protect(&home.join(name));
        }
    }

    /// Makes what is at `path` read-only when it is below a root; a link with what it names.
    fn protect(&mut self, path: &Path) {
        let Some(target) = self.look.canonical(path) else { return };
        if self.look.kind(path) == Kind::Link {
            // The link gets a mount of its own, which keeps it from being replaced.
            let folder = path.parent().and_then(|folder| self.look.canonical(folder));
            if let Some(link) = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name))
            {
                self.make_read_only(link);
            }
        }
        if path.ends_with(".git") && self.look.kind(&target) == Kind::Other {
            self.protect_git_folder(&target);
        }
        self.make_read_only(target);
    }

    /// Protects the repository that the `.git` file of a worktree or a submodule names.
    fn protect_git_folder(&mut self, file: &Path) {
        let folder = self.look.git_folder(file).and_then(|folder| self.look.canonical(&folder));
        let Some(folder) = folder else { return };
        let repository = folder.ancestors().find(|folder| folder.ends_with(".git"));
        self.make_read_only(repository.unwrap_or(&folder).to_path_buf());
    }

    fn make_read_only(&mut self, path: PathBuf) {
        if self.plan.roots.iter().any(|root| path.starts_with(root)) {
            self.binds.insert(path, Access::Read);
        }
    }

    fn hide(&mut self, around: &Surroundings<'_>) {
        let tmux = PathBuf::from(format!("/tmp/tmux-{}", around.user));
        let open: Vec<&Path> = if self.plan.network {
            let sockets = HELPFUL_SOCKETS.iter().map(Path::new);
            sockets.chain(around.runtime).chain([tmux.as_path()]).collect()
        } else {
            Vec::new()
        };
        for path in around.hidden.iter().map(PathBuf::as_path).chain(open) {
            let Some(path) = self.look.canonical(path) else { continue };
            let cover = match self.look.kind(&path) {
                Kind::Folder => Cover::Folder(path),
                Kind::Other => Cover::File(path),
                Kind::Missing | Kind::Link => continue,
            };
            if !self.plan.covers.contains(&cover) {
                self.plan.covers.push(cover);
            }
        }
    }

    /// Binds the folders between an outermost root and each mount below it onto themselves. A
    /// mount point cannot be renamed, so nobody can move a protected path away by its parents.
    fn finish(mut self) -> Plan {
        let roots = &self.plan.roots;
        let outermost: Vec<&PathBuf> = roots
            .iter()
            .filter(|root| !roots.iter().any(|other| root.starts_with(other) && *root != other))
            .collect();
        let mut between = Vec::new();
        for path in self.binds.keys() {
            let Some(root) = outermost.iter().find(|root| path.starts_with(root)) else { continue };
            let above = path.ancestors().skip(1).take_while(|above| above != root);
            between.extend(above.map(Path::to_path_buf));
        }
        for folder in between {
            if self.access(&folder) == Some(Access::Write) {
                self.binds.entry(folder).or_insert(Access::Write);
            }
        }
        let mut binds: Vec<Bind> =
            self.binds.into_iter().map(|(path, access)| Bind { path, access }).collect();
        binds.sort_by_cached_key(|bind| bind.path.components().count());
        self.plan.binds = binds;
        self.plan
    }

    /// Returns what the nearest mount at or above `path` allows.
    fn access(&self, path: &Path) -> Option<Access> {
        path.ancestors().find_map(|above| self.binds.get(above).copied())
    }
}

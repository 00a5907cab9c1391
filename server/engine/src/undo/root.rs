//! Looks at the folders that a turn's commands may write in. Blocks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use spindle_exec::snapshot::{Digest, Limits, Manifest, Scan, ScanError};
use spindle_schema::ids::TurnId;
use spindle_schema::settings::{SandboxPolicy, ThreadSettings};

use super::journal::Look;
use super::keeper::Keeper;
use crate::clock;

/// Paths of one folder. More are not looked at.
const MAX_PATHS: usize = 100_000;
/// Bytes of one file.
const MAX_FILE: u64 = 8 * 1024 * 1024;
/// How much of all that may be kept one folder may take.
const SHARE_OF_ROOT: u64 = 4;
/// How long a command waits at most for contents to be kept. What is left is kept next time.
const BEFORE: Duration = Duration::from_secs(3);
/// How long the end of a turn waits for the same.
const AFTER: Duration = Duration::from_secs(1);

/// Where looks are kept, and with what.
#[derive(Debug)]
pub(super) struct Place {
    /// The folder of looks.
    pub(super) folder: PathBuf,
    pub(super) keeper: Arc<Keeper>,
    /// The most that is kept of all folders together. Bytes.
    pub(super) max_bytes: u64,
}

/// A folder as it was before a turn's first command.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) manifest: Manifest,
    pub(super) look: Look,
}

/// The folders that commands of a turn may write in, as far as they are looked at: absolute,
/// without links, none inside another. Folders for temporary files are not.
pub(super) fn roots(settings: &ThreadSettings) -> Vec<PathBuf> {
    let more: &[_] = match &settings.sandbox_policy {
        SandboxPolicy::WorkspaceWrite { writable_roots, .. } => writable_roots,
        _ => &[],
    };
    let own = settings.workspace_roots.iter().map(|root| PathBuf::from(&**root));
    let all = own.chain(more.iter().map(PathBuf::from));
    let mut roots: Vec<PathBuf> = all.filter_map(|root| root.canonicalize().ok()).collect();
    roots.sort();
    let mut outermost: Vec<PathBuf> = Vec::new();
    for root in roots {
        if !outermost.iter().any(|outer| root.starts_with(outer)) {
            outermost.push(root);
        }
    }
    outermost
}

impl Place {
    /// Looks at a folder before a turn's first command, and leaves a copy of the look that
    /// survives the program.
    pub(super) fn before(&self, root: &Path, turn: &TurnId) -> Result<Before, ScanError> {
        let index = self.index(root);
        let base = Manifest::load(&index).filter(|base| base.root() == root);
        let manifest = self.scan(root, base.as_ref(), Side::Before)?;
        if base.as_ref() != Some(&manifest) {
            self.save(&manifest, &index);
        }
        let file = format!("{}.{turn}.before", name(root));
        let copy = self.folder.join(&file);
        // A look is never changed in place, so that a second name keeps it.
        if let Err(error) = fs::hard_link(&index, &copy)
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            self.save(&manifest, &copy);
        }
        Ok(Before { manifest, look: Look { root: root.to_owned(), file } })
    }

    /// Looks again, by the rules of the first look.
    pub(super) fn after(&self, before: &Manifest) -> Result<Manifest, ScanError> {
        let manifest = self.scan(before.root(), Some(before), Side::After)?;
        if manifest != *before {
            self.save(&manifest, &self.index(before.root()));
        }
        Ok(manifest)
    }

    /// Reads the copy of a look.
    pub(super) fn load(&self, look: &Look) -> Option<Manifest> {
        Manifest::load(&self.folder.join(&look.file)).filter(|found| found.root() == look.root)
    }

    /// Forgets the copy of a look.
    pub(super) fn forget(&self, look: &Look) {
        fs::remove_file(self.folder.join(&look.file)).ok();
    }

    fn scan(
        &self,
        root: &Path,
        base: Option<&Manifest>,
        side: Side,
    ) -> Result<Manifest, ScanError> {
        let limits = Limits {
            paths: MAX_PATHS,
            file_bytes: MAX_FILE,
            bytes: self.max_bytes / SHARE_OF_ROOT,
            time: if side == Side::Before { BEFORE } else { AFTER },
        };
        let scan = Scan {
            root,
            base,
            same_rules: side == Side::After,
            blobs: &self.keeper.blobs,
            limits,
            leave_out: &[self.keeper.home.clone()],
            now: i64::try_from(clock::now().as_nanosecond()).unwrap_or(i64::MAX),
        };
        scan.run()
    }

    /// Without the file the next look reads everything again; nothing else is lost.
    fn save(&self, manifest: &Manifest, path: &Path) {
        if let Err(error) = manifest.save(path) {
            tracing::warn!(%error, "a look at a folder could not be kept for undo");
        }
    }

    fn index(&self, root: &Path) -> PathBuf {
        self.folder.join(format!("{}.look", name(root)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// The name under which looks at a folder are kept.
fn name(root: &Path) -> String {
    let digest = Digest::of(root.as_os_str().as_encoded_bytes()).to_string();
    digest.chars().take(32).collect()
}

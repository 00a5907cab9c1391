//! Turns that work in the same folder at the same time: nobody can tell who changed what.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// The folders in which turns run commands at the moment.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    present: Mutex<Vec<Present>>,
}

#[derive(Debug)]
struct Present {
    root: PathBuf,
    met: Arc<AtomicBool>,
}

/// A turn's presence in folders; it leaves them when this is dropped.
#[derive(Debug)]
pub(super) struct Presence {
    overlaps: Arc<Overlaps>,
    met: Arc<AtomicBool>,
}

impl Overlaps {
    /// Enters folders.
    pub(super) fn enter(self: &Arc<Self>, roots: &[PathBuf]) -> Presence {
        let met = Arc::new(AtomicBool::new(false));
        let mut present = self.present.lock();
        for other in present.iter() {
            if roots.iter().any(|root| share(root, &other.root)) {
                other.met.store(true, Ordering::Relaxed);
                met.store(true, Ordering::Relaxed);
            }
        }
        present.extend(roots.iter().map(|root| Present { root: root.clone(), met: met.clone() }));
        Presence { overlaps: self.clone(), met }
    }
}

fn share(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

impl Presence {
    /// Whether another turn was there too.
    pub(super) fn met_another(&self) -> bool {
        self.met.load(Ordering::Relaxed)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.overlaps.present.lock().retain(|present| !Arc::ptr_eq(&present.met, &self.met));
    }
}

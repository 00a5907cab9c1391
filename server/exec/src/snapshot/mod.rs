//! What a folder holds at a moment, what changed since, and how to put it back.
//!
//! [`Scan`] walks a folder and gives a [`Manifest`]; contents go to [`Blobs`], under the name of
//! what they are. Two manifests of a folder give [`Change`]s, and [`restore`] takes changes back,
//! all or none, unless somebody has changed a file since. An unchanged file costs one look at its
//! times, whatever its size: only what a look cannot vouch for is read.
//!
//! This room knows folders only: no threads, no turns, no commands. Start reading at `state.rs`.

mod blob;
mod ignore;
mod manifest;
pub mod restore;
mod scan;
mod state;

pub use blob::{Blobs, Digest};
pub use manifest::Manifest;
pub use scan::{Limits, Scan, ScanError};
pub use state::{Change, State, Unkept, path_text};

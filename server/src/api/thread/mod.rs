//! Methods of threads, one file for each thing one can do with them.

pub(super) mod attachment;
pub(super) mod background;
pub(super) mod fork;
pub(super) mod life;
pub(super) mod list;
pub(super) mod notes;
pub(super) mod origin;
pub(super) mod read;
pub(super) mod resume;
pub(super) mod search;
pub(super) mod section;
pub(super) mod settings;
pub(super) mod start;
pub(super) mod task;
pub(super) mod timeline;

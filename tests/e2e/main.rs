//! The end-to-end suite.

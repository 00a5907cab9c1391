//! The test harness and the end-to-end suite.

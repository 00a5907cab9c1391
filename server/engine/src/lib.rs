//! Threads, sessions, turns, tools, approvals and configuration.

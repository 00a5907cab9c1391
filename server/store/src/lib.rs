//! Keeps rollouts in JSONL files and an index of them in SQLite.

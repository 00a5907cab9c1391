//! Rules of the house that the compiler does not know.

use std::path::{Path, PathBuf};

/// Lines that a file may have, tests not counted, without saying why.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("sources are text");
            found.push((path, text));
        }
    }
}

const ALL: [&str; 9] = [
    "schema/src",
    "server/src",
    "server/engine/src",
    "server/model/src",
    "server/exec/src",
    "server/store/src",
    "client-cli/src",
    "tests",
    "fuzz/fuzz_targets",
];

#[test]
fn no_file_is_longer_than_one_can_read() {
    for folder in ALL {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            let is_test = path.to_string_lossy().contains("tests");
            assert!(is_test || lines <= MAX_LINES, "{} has {lines} lines", path.display());
        }
    }
}

/// R-E1: the engine does not know JSON-RPC.
#[test]
fn the_engine_uses_no_word_of_the_door() {
    for (path, text) in sources("server/engine/src") {
        for word in ["spindle_schema::v2", "spindle_schema::envelope", "spindle_schema::methods"] {
            assert!(!text.contains(word), "{} knows {word}", path.display());
        }
    }
}

/// R-E2: a step does no I/O, reads no clock and spawns nothing.
#[test]
fn a_session_step_is_pure() {
    for (path, text) in sources("server/engine/src/session/step") {
        for word in ["tokio::spawn", "std::fs", "std::env", "clock::", ".await", "Instant::now"] {
            assert!(!text.contains(word), "{} uses {word}", path.display());
        }
    }
}

/// R-H1: only the hands start processes.
#[test]
fn only_the_hands_start_processes() {
    let folders = [
        "server/src",
        "server/engine/src",
        "server/model/src",
        "server/store/src",
        "client-cli/src",
    ];
    for folder in folders {
        for (path, text) in sources(folder) {
            let starts = text.contains("process::Command") || text.contains("Command::new(\"");
            assert!(!starts, "{} starts a process", path.display());
        }
    }
}

/// Of the client, few files know what stands behind the protocol.
#[test]
fn the_client_speaks_the_protocol_and_little_else() {
    let known_by: [(&str, &[&str]); 3] = [
        ("spindle_server::", &["app_server.rs", "host.rs", "bench.rs"]),
        ("spindle_model::", &["offline_model.rs", "demo/daemon.rs"]),
        ("spindle_exec::", &["sandbox.rs", "execpolicy.rs", "execpolicy/tests.rs"]),
    ];
    for (path, text) in sources("client-cli/src") {
        for (word, files) in known_by {
            let may = files.iter().any(|file| path.ends_with(file));
            assert!(may || !text.contains(word), "{} knows {word}", path.display());
        }
    }
}

/// One arrow only inside the engine: rooms on the right know nothing of those on their left.
#[test]
fn arrows_inside_the_engine_point_one_way() {
    let forbidden: [(&str, &[&str]); 7] = [
        ("config", &["crate::threads", "crate::session", "crate::turn", "crate::tools"]),
        ("commands", &["crate::session", "crate::turn", "crate::tools", "crate::context"]),
        ("auth", &["crate::threads", "crate::session", "crate::turn", "crate::tools"]),
        ("context", &["crate::session", "crate::turn", "crate::tools", "crate::threads"]),
        ("turn", &["crate::session", "crate::threads"]),
        ("tools", &["crate::session", "crate::threads"]),
        ("approvals", &["crate::session", "crate::threads"]),
    ];
    for (room, words) in forbidden {
        for (path, text) in sources(&format!("server/engine/src/{room}")) {
            for word in words {
                assert!(!text.contains(word), "{} knows {word}", path.display());
            }
        }
    }
}

/// A file that no `mod` line names is never compiled.
#[test]
fn no_file_of_the_suite_is_forgotten() {
    let main = std::fs::read_to_string(root().join("tests/e2e/main.rs")).expect("readable");
    for entry in std::fs::read_dir(root().join("tests/e2e")).expect("readable").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") else {
            continue;
        };
        assert!(main.contains(&format!("mod {module};")), "{name} is not listed in main.rs");
    }
}

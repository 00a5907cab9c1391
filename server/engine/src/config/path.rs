//! Settings that are paths: made absolute where they are read.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::tree::Tree;

/// The settings at the top that hold one path.
const PATHS: [&str; 5] = [
    "model_catalog_json",
    "model_instructions_file",
    "experimental_compact_prompt_file",
    "log_dir",
    "sqlite_home",
];

/// Makes the paths in settings absolute: `~` is the person's home, others start at `base`.
pub(crate) fn resolve_paths(tree: &mut Tree, base: &Path, user_home: Option<&Path>) {
    let resolve = |value: &mut Value| {
        if let Value::String(text) = value {
            *text = absolute(base, text, user_home).display().to_string();
        }
    };
    for key in PATHS {
        tree.get_mut(key).into_iter().for_each(resolve);
    }
    let roots = tree
        .get_mut("sandbox_workspace_write")
        .and_then(|write| write.get_mut("writable_roots"))
        .and_then(Value::as_array_mut);
    roots.into_iter().flatten().for_each(resolve);
}

/// Joins a path to a folder and takes `.` and `..` out of it by their names alone.
///
/// The file system is not asked: the path need not exist.
pub(crate) fn absolute(base: &Path, path: &str, user_home: Option<&Path>) -> PathBuf {
    let from_home = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let joined = match (from_home, user_home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
        _ => base.join(path),
    };
    let mut clean = PathBuf::new();
    for component in joined.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests;

//! JSON Schema and TypeScript for those who write clients.
//!
//! The definitions are a file of this package, `json/protocol.json`, made from the Rust types
//! under feature `export` and checked by a test; the program itself carries only the file.
//! Files come as text with a relative path. [`write_json`] and [`write_ts`] put them on disk.

#[cfg(feature = "export")]
pub mod generate;
mod json;
#[cfg(feature = "export")]
mod marks;
mod select;
mod typescript;

use std::path::Path;
use std::{fs, io};

use serde_json::{Map, Value};

/// The definitions, one a line.
const BUNDLE: &str = include_str!("../json/protocol.json");

/// The member that marks what is experimental.
const EXPERIMENTAL: &str = "x-experimental";

/// How much of the protocol is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// What every client may use.
    Stable,
    /// All of it.
    Experimental,
}

/// One file of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it belongs below the folder, with forward slashes, for example `v2/Thread.ts`.
    pub path: String,
    /// What it holds, with a line break at the end.
    pub text: String,
}

/// Makes the JSON Schema files: one for each kind of message and for each params and result
/// type, complete in itself, and two bundles of all definitions.
pub fn json_files(flavour: Flavour) -> Vec<File> {
    json::files(&select::definitions(bundle(), flavour), flavour)
}

/// Makes the TypeScript files: one for each type, and an index.
pub fn ts_files(flavour: Flavour) -> Vec<File> {
    typescript::files(&select::definitions(bundle(), flavour), flavour)
}

/// Writes [`json_files`] below a folder, which is made when it is missing.
pub fn write_json(folder: &Path, flavour: Flavour) -> io::Result<()> {
    write(folder, &json_files(flavour))
}

/// Writes [`ts_files`] below a folder, which is made when it is missing.
pub fn write_ts(folder: &Path, flavour: Flavour) -> io::Result<()> {
    write(folder, &ts_files(flavour))
}

fn write(folder: &Path, files: &[File]) -> io::Result<()> {
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &file.text)?;
    }
    Ok(())
}

/// Reads the embedded definitions.
fn bundle() -> Map<String, Value> {
    let mut bundle: Map<String, Value> =
        serde_json::from_str(BUNDLE).expect("the committed bundle is JSON, as its test checks");
    match bundle.remove("definitions") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests;

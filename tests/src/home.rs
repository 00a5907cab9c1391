//! A home and a workspace that nobody else uses.

use std::path::{Path, PathBuf};

/// A temporary folder with a home and a workspace in it; gone when dropped.
#[derive(Debug)]
pub struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// Makes the folders and a configuration that asks the model at `base_url`. Nobody is asked
    /// for approval and nothing is sandboxed, unless `config` says so.
    pub fn new(base_url: &str, config: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let home = Self { folder };
        std::fs::create_dir_all(home.path()).expect("the home can be made");
        std::fs::create_dir_all(home.workspace()).expect("the workspace can be made");
        let mut defaults = String::new();
        for line in ["approval_policy = \"never\"", "sandbox_mode = \"danger-full-access\""] {
            let key = line.split(' ').next().unwrap_or_default();
            if !config.contains(key) {
                defaults.push_str(line);
                defaults.push('\n');
            }
        }
        let text = format!(
            "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\n{defaults}{config}\n\
             [model_providers.mock]\nname = \"mock\"\nbase_url = \"{base_url}\"\n\
             wire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n"
        );
        let text = if config.contains("shell_environment_policy") {
            text
        } else {
            // The person's own login files are none of a test's business: they may be slow.
            let own = home.around().display();
            format!("{text}[shell_environment_policy]\nset = {{ HOME = \"{own}\" }}\n")
        };
        std::fs::write(home.path().join("config.toml"), text).expect("the home can be written");
        home
    }

    /// The home folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The workspace.
    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("ws")
    }

    /// The folder around both.
    pub fn around(&self) -> &Path {
        self.folder.path()
    }

    /// All rollouts, live ones, sorted.
    pub fn rollouts(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        collect(&self.path().join("sessions"), &mut found);
        found.sort();
        found
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
}

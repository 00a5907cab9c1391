//! `[shell_environment_policy]`: what commands see of the environment.

use serde::Deserialize;
use spindle_exec::env::{EnvPolicy, Inherit};

use crate::config::reader::Reader;

/// The words for what a command starts with.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum InheritWord {
    Core,
    All,
    None,
}

/// Reads the policy; what is not said is as in the policy that lets everything through.
pub(crate) fn environment(table: &Reader<'_>) -> EnvPolicy {
    let usual = EnvPolicy::default();
    EnvPolicy {
        inherit: table.get("inherit").map_or(usual.inherit, |word| match word {
            InheritWord::Core => Inherit::Core,
            InheritWord::All => Inherit::All,
            InheritWord::None => Inherit::None,
        }),
        ignore_default_excludes: table
            .get("ignore_default_excludes")
            .unwrap_or(usual.ignore_default_excludes),
        exclude: table.get("exclude").unwrap_or_default(),
        set: table.get("set").unwrap_or_default(),
        include_only: table.get("include_only").unwrap_or_default(),
    }
}

//! Judges commands: what a script runs, which rule says what about it, and whether to ask.
//!
//! Everything here but `load` and `append` is pure: text in, verdict out. It must not know
//! processes, sandboxes, models or clients. Start reading at `judge.rs`, then `command.rs`.

mod append;
mod command;
mod command_action;
mod danger;
mod explain;
mod findings;
mod judge;
mod load;
mod misread;
mod parse;
mod rule;
mod safe;
mod script;
mod word;
mod wrap;

pub use append::{Appended, append_network_rule, append_prefix_rule};
pub use command::{CommandLine, Found, join, shell_script};
pub use command_action::classify;
pub use danger::{Danger, Grade};
pub use explain::{Explanation, Part, RuleMatch, explain};
pub use judge::{Confinement, Context, Escalation, Verdict, judge, policy_name};
pub use load::{LoadError, RuleBook};
pub use parse::{Position, RuleError, parse_rules};
pub use rule::{Decision, Fit, NetworkRule, Origin, PrefixRule, Protocol, Rules};
pub use script::Script;
pub use word::{Known, Word};

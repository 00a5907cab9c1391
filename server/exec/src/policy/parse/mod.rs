//! Reads rule files: a small part of Starlark with three functions of its own.
//!
//! Text goes through `lex`, `syntax` (with `expression`) and `eval`; `builtin` makes the rules. Pure. Start reading
//! at `file.rs`.

mod ast;
mod builtin;
mod error;
mod eval;
mod expression;
mod file;
mod lex;
mod syntax;
mod value;

pub use error::{Position, RuleError};
pub use file::parse_rules;

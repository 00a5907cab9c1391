//! One file for each tool.

pub(super) mod ask_user;
pub(super) mod client_tool;
pub(super) mod exec;
pub(super) mod image;
pub(super) mod patch;
pub(super) mod plan;
pub(super) mod stdin;

use serde::de::DeserializeOwned;

use super::call::{CallContext, Payload};
use super::output::ToolOutput;

/// Reads a function's arguments; what is wrong with them becomes the call's output (SPEC C6).
fn arguments<T: DeserializeOwned>(context: &CallContext) -> Result<T, ToolOutput> {
    match &context.call.payload {
        Payload::Function(text) => {
            serde_json::from_str(text).map_err(|error| ToolOutput::bad_arguments(&error))
        }
        Payload::Custom(_) => Err(ToolOutput::text("this tool takes JSON arguments")),
    }
}

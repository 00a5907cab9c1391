//! What the model is told beside the conversation.

use std::path::PathBuf;

use crate::config::reader::Reader;

/// The most text that is taken from instruction files, in bytes, when nothing is said.
const PROJECT_DOC_MAX_BYTES: usize = 32 * 1024;

/// What the model is told beside the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptSettings {
    /// The base prompt, over the built-in one.
    pub instructions: Option<String>,
    /// A file with the base prompt, over `instructions`. Absolute.
    pub instructions_file: Option<PathBuf>,
    /// Text for the developer message.
    pub developer_instructions: Option<String>,
    /// The prompt that asks for a summary, over the built-in one.
    pub compact_prompt: Option<String>,
    /// A file with that prompt. Absolute.
    pub compact_prompt_file: Option<PathBuf>,
    /// The most text that is taken from a project's instruction files, in bytes.
    pub project_doc_max_bytes: usize,
    /// Names of instruction files to look for where there is no `AGENTS.md`, in order.
    pub project_doc_fallback_names: Vec<String>,
    /// Names whose presence makes a folder a project's root.
    pub project_root_markers: Vec<String>,
    /// Tells the model where it works.
    pub tells_environment: bool,
    /// Tells the model the date, too.
    pub tells_time: bool,
    /// Tells the model what it may do.
    pub tells_permissions: bool,
    /// Tells the model about the collaboration mode.
    pub tells_mode: bool,
}

impl PromptSettings {
    pub(crate) fn read(top: &Reader<'_>) -> Self {
        Self {
            instructions: top.get("instructions"),
            instructions_file: top.get("model_instructions_file"),
            developer_instructions: top.get("developer_instructions"),
            compact_prompt: top.get("compact_prompt"),
            compact_prompt_file: top.get("experimental_compact_prompt_file"),
            project_doc_max_bytes: top
                .get("project_doc_max_bytes")
                .unwrap_or(PROJECT_DOC_MAX_BYTES),
            project_doc_fallback_names: top
                .get("project_doc_fallback_filenames")
                .unwrap_or_default(),
            project_root_markers: top
                .get("project_root_markers")
                .unwrap_or_else(|| vec![".git".to_owned()]),
            tells_environment: top.get("include_environment_context").unwrap_or(true),
            tells_time: top.get("include_environment_context_time").unwrap_or(true),
            tells_permissions: top.get("include_permissions_instructions").unwrap_or(true),
            tells_mode: top.get("include_collaboration_mode_instructions").unwrap_or(true),
        }
    }
}

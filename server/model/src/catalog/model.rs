//! One entry of a catalogue.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::provider::OFFLINE_MODEL;

/// What a model is called and what it can do. Members this program does not know are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The name that is sent to the provider.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
    /// A sentence for people.
    #[serde(default)]
    pub description: Option<String>,
    /// How hard it thinks when nobody says; `None` leaves it to the provider.
    #[serde(default)]
    pub default_reasoning_level: Option<String>,
    /// How hard it can think, the least first.
    #[serde(default)]
    pub supported_reasoning_levels: Vec<Effort>,
    /// What it shows of its thinking when nobody says; `None` asks for nothing.
    #[serde(default)]
    pub default_reasoning_summary: Option<String>,
    /// Whether it can show a summary of its thinking.
    #[serde(default = "yes")]
    pub supports_reasoning_summaries: bool,
    /// Where it is shown.
    #[serde(default)]
    pub visibility: Visibility,
    /// The model that people are asked to move to.
    #[serde(default)]
    pub upgrade: Option<Upgrade>,
    /// Something to tell people once.
    #[serde(default)]
    pub availability_nux: Option<Notice>,
    /// The first instructions, if it wants its own.
    #[serde(default)]
    pub base_instructions: Option<String>,
    /// Whether it can be told how wordy to be.
    #[serde(default)]
    pub support_verbosity: bool,
    /// How wordy it is told to be when nobody says.
    #[serde(default)]
    pub default_verbosity: Option<String>,
    /// In which form it can be given the patch tool; `None` does not offer it.
    #[serde(default)]
    pub apply_patch_tool_type: Option<ApplyPatch>,
    /// How long a tool's output may be.
    #[serde(default)]
    pub truncation_policy: TruncationPolicy,
    /// Whether it may call several tools at once.
    #[serde(default)]
    pub supports_parallel_tool_calls: bool,
    /// Tokens of input and output that fit, all in all.
    #[serde(default)]
    pub context_window: Option<i64>,
    /// The part of the window that is used, in percent.
    #[serde(default = "usual_percent")]
    pub effective_context_window_percent: i64,
    /// Tokens from which the history is compacted, if not by the usual rule.
    #[serde(default)]
    pub auto_compact_token_limit: Option<i64>,
    /// What it takes as input.
    #[serde(default = "text_and_image")]
    pub input_modalities: Vec<Modality>,
    /// Other words for tiers, for old clients.
    #[serde(default)]
    pub additional_speed_tiers: Vec<String>,
    /// How fast it can be asked to be.
    #[serde(default)]
    pub service_tiers: Vec<ServiceTier>,
    /// The tier when nobody says.
    #[serde(default)]
    pub default_service_tier: Option<String>,
    /// Which generation of tools for other agents it knows.
    #[serde(default)]
    pub multi_agent_version: Option<String>,
    /// Whether it wants its tools as an item of the input (SPEC M3).
    #[serde(default)]
    pub use_responses_lite: bool,
    /// Members this program does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ModelInfo {
    /// Tokens that are used of the window, for example 258,400 of 272,000.
    pub fn effective_context_window(&self) -> Option<i64> {
        self.context_window
            .map(|window| window.saturating_mul(self.effective_context_window_percent) / 100)
    }

    /// Whether it takes pictures.
    pub fn takes_images(&self) -> bool {
        self.input_modalities.contains(&Modality::Image)
    }

    /// What is assumed about a model that no catalogue has: a common window, no patch tool,
    /// nothing that a provider might refuse.
    pub fn fallback(slug: &str) -> Self {
        Self {
            slug: slug.into(),
            display_name: slug.into(),
            description: None,
            default_reasoning_level: None,
            supported_reasoning_levels: Vec::new(),
            default_reasoning_summary: Some("auto".into()),
            supports_reasoning_summaries: true,
            visibility: Visibility::None,
            upgrade: None,
            availability_nux: None,
            base_instructions: None,
            support_verbosity: false,
            default_verbosity: None,
            apply_patch_tool_type: None,
            truncation_policy: TruncationPolicy::default(),
            supports_parallel_tool_calls: true,
            context_window: Some(272_000),
            effective_context_window_percent: usual_percent(),
            auto_compact_token_limit: None,
            input_modalities: text_and_image(),
            additional_speed_tiers: Vec::new(),
            service_tiers: Vec::new(),
            default_service_tier: None,
            multi_agent_version: None,
            use_responses_lite: false,
            extra: Map::new(),
        }
    }

    /// The stand-in inside this process.
    pub(super) fn offline() -> Self {
        Self {
            display_name: "Offline stand-in".into(),
            description: Some(
                "Follows fixed rules. Needs no key and no network; it is no language model.".into(),
            ),
            visibility: Visibility::List,
            default_reasoning_summary: None,
            supports_reasoning_summaries: false,
            supports_parallel_tool_calls: false,
            context_window: Some(128_000),
            input_modalities: vec![Modality::Text],
            ..Self::fallback(OFFLINE_MODEL)
        }
    }
}

fn yes() -> bool {
    true
}

fn usual_percent() -> i64 {
    95
}

fn text_and_image() -> Vec<Modality> {
    vec![Modality::Text, Modality::Image]
}

/// A grade of thinking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// `low`, `medium`, `high` …
    pub effort: String,
    /// A sentence for people.
    #[serde(default)]
    pub description: String,
}

/// Where a model is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// In every list.
    #[default]
    List,
    /// Only in lists that ask for hidden ones.
    Hide,
    /// In no list.
    None,
}

/// A move to another model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upgrade {
    /// The other model.
    pub model: String,
    /// What people are told.
    #[serde(default)]
    pub migration_markdown: Option<String>,
}

/// Something to tell people once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The text.
    pub message: String,
}

/// In which form a model is given the patch tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplyPatch {
    /// As a custom tool with a grammar.
    Freeform,
    /// As a function with JSON arguments.
    Function,
}

/// How long a tool's output may be.
///
/// Shape: `{"mode":"tokens","limit":10000}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruncationPolicy {
    /// What is counted.
    pub mode: TruncationMode,
    /// How many.
    pub limit: i64,
}

impl Default for TruncationPolicy {
    fn default() -> Self {
        Self { mode: TruncationMode::Tokens, limit: 10_000 }
    }
}

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TruncationMode {
    /// Bytes of UTF-8.
    Bytes,
    /// Estimated tokens.
    Tokens,
}

/// A kind of input. A kind that another program wrote is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    /// Text.
    Text,
    /// Pictures.
    Image,
    /// Sound.
    Audio,
    /// Another kind.
    #[serde(untagged)]
    Other(String),
}

/// How fast a model can be asked to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceTier {
    /// What is sent to the provider.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// A sentence for people.
    #[serde(default)]
    pub description: String,
}

//! Settings of the model and what it is asked for.

use std::path::PathBuf;

use serde::Deserialize;
use spindle_schema::settings::ReasoningSummary;

use crate::config::reader::Reader;

/// How much the model writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verbosity {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl Verbosity {
    /// The word in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What the limit of automatic compaction counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum AutoCompactScope {
    /// The whole context.
    #[default]
    Total,
    /// What came after the fixed head of the context.
    BodyAfterPrefix,
}

/// The tones that a model may be asked for.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Personality {
    None,
    Friendly,
    Pragmatic,
}

/// Settings of the model and what it is asked for. `None` is the model's own default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSettings {
    /// The model's name; `None` is the catalogue's first.
    pub model: Option<Box<str>>,
    /// The provider's id.
    pub provider: Box<str>,
    /// The model that reviews.
    pub review_model: Option<Box<str>>,
    /// How hard the model thinks.
    pub effort: Option<Box<str>>,
    /// How hard it thinks in plan mode.
    pub plan_mode_effort: Option<Box<str>>,
    /// How much of its reasoning is told.
    pub summary: Option<ReasoningSummary>,
    /// Asks for summaries of a model that is not known to have them.
    pub supports_reasoning_summaries: Option<bool>,
    /// How much it writes.
    pub verbosity: Option<Verbosity>,
    /// The tone: `none`, `friendly`, `pragmatic`.
    pub personality: Option<Box<str>>,
    /// The provider's service tier, as written: `fast`, `flex`, …
    pub service_tier: Option<Box<str>>,
    /// The size of the context, in tokens.
    pub context_window: Option<u64>,
    /// The use at which the context is compacted, in tokens.
    pub auto_compact_token_limit: Option<u64>,
    /// What that limit counts.
    pub auto_compact_scope: AutoCompactScope,
    /// The most that a tool's output may have, in tokens.
    pub tool_output_token_limit: Option<u64>,
    /// A file with models to use in place of the built-in catalogue. Absolute.
    pub catalog: Option<PathBuf>,
}

impl ModelSettings {
    pub(crate) fn read(top: &Reader<'_>) -> Self {
        Self {
            model: top.get("model"),
            provider: top.get("model_provider").unwrap_or_else(|| "openai".into()),
            review_model: top.get("review_model"),
            effort: effort(top, "model_reasoning_effort"),
            plan_mode_effort: effort(top, "plan_mode_reasoning_effort"),
            summary: top.get("model_reasoning_summary"),
            supports_reasoning_summaries: top.get("model_supports_reasoning_summaries"),
            verbosity: top.get("model_verbosity"),
            personality: top
                .get::<Personality>("personality")
                .and_then(|_| top.get::<Box<str>>("personality")),
            service_tier: top.get("service_tier"),
            context_window: top.get("model_context_window"),
            auto_compact_token_limit: top.get("model_auto_compact_token_limit"),
            auto_compact_scope: top.get("model_auto_compact_token_limit_scope").unwrap_or_default(),
            tool_output_token_limit: top.get("tool_output_token_limit"),
            catalog: top.get("model_catalog_json"),
        }
    }
}

/// An effort is any word; providers have their own.
fn effort(top: &Reader<'_>, key: &str) -> Option<Box<str>> {
    let word: Box<str> = top.get(key)?;
    if word.is_empty() {
        top.fault(key, "invalid length 0, expected a word".to_owned());
        return None;
    }
    Some(word)
}

//! Tools, what is shown, and what is kept.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::config::reader::Reader;

/// How the web is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WebSearchMode {
    /// Not at all.
    Disabled,
    /// In stored pages.
    Cached,
    /// In an index.
    Indexed,
    /// In the web itself.
    Live,
}

/// Whether what the person typed is kept for other threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Persistence {
    /// All of it.
    #[default]
    SaveAll,
    /// None of it.
    None,
}

/// `[history]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HistorySettings {
    /// What is kept.
    pub persistence: Persistence,
    /// The most that is kept, in bytes.
    pub max_bytes: Option<u64>,
}

/// Tools, and what is shown of the model's work.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSettings {
    /// How the web is searched; `None` is the model's default.
    pub web_search: Option<WebSearchMode>,
    /// `tools.web_search` as it stands: domains, place, size.
    pub web_search_options: Option<Value>,
    /// Whether the model has the plan tool; `None` is the model's default.
    pub update_plan: Option<bool>,
    /// Whether the model may look at pictures.
    pub view_image: bool,
    /// The longest that a poll of a running command may wait.
    pub background_terminal_max_timeout: Duration,
    /// Shows the model's reasoning itself, not only its summary.
    pub show_raw_reasoning: bool,
    /// Shows no reasoning.
    pub hide_reasoning: bool,
}

impl ToolSettings {
    pub(crate) fn read(top: &Reader<'_>) -> Self {
        let tools = top.table("tools");
        Self {
            web_search: top.get("web_search"),
            web_search_options: web_search_options(&tools),
            update_plan: enabled(&tools, "update_plan"),
            view_image: enabled(&tools, "view_image").unwrap_or(true),
            background_terminal_max_timeout: top
                .get("background_terminal_max_timeout")
                .map_or(Duration::from_mins(5), Duration::from_millis),
            show_raw_reasoning: top.get("show_raw_agent_reasoning").unwrap_or_default(),
            hide_reasoning: top.get("hide_agent_reasoning").unwrap_or_default(),
        }
    }
}

/// A tool is switched by a boolean, or by a table of options with `enabled`.
fn enabled(tools: &Reader<'_>, name: &str) -> Option<bool> {
    match tools.raw(name) {
        Some(Value::Object(_)) => tools.table(name).get("enabled"),
        _ => tools.get(name),
    }
}

/// Options are a table; the boolean of earlier versions says nothing that `web_search` does not.
fn web_search_options(tools: &Reader<'_>) -> Option<Value> {
    match tools.raw("web_search") {
        Some(Value::Bool(_)) => None,
        Some(_) => {
            let options = tools.table("web_search");
            let _ = options.get::<Vec<String>>("allowed_domains");
            tools.raw("web_search").filter(|value| value.is_object()).cloned()
        }
        None => None,
    }
}

impl HistorySettings {
    pub(crate) fn read(table: &Reader<'_>) -> Self {
        Self {
            persistence: table.get("persistence").unwrap_or_default(),
            max_bytes: table.get("max_bytes"),
        }
    }
}

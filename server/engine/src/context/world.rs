//! What the model was told about its surroundings, and what it must be told next (SPEC H2).
//!
//! The first time everything is told; after that only what differs. What was told is kept in
//! the rollout as a JSON object, whole at first and as a merge patch later, so that a resumed
//! thread knows it too. Members that another program wrote stay as they are.

use std::fmt::Write as _;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use spindle_schema::ids::TurnId;
use spindle_schema::model::{ContentPart, ResponseItem, Role};
use spindle_schema::rollout::RolloutItem;
use spindle_schema::settings::{ModeKind, ThreadSettings};

use super::conversation::{Draft, ItemNote};
use super::environment::Environment;
use super::prompt_text::{PLAN_MODE, model_switch, permissions};

/// A state of the world. Shape: the `state` member of a `world_state` line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct World(Map<String, Value>);

/// What the world is made of at a moment.
pub(crate) struct Surroundings<'a> {
    /// The thread's settings.
    pub(crate) settings: &'a ThreadSettings,
    /// The shell's short name.
    pub(crate) shell: &'a str,
    /// Instructions of the client that started the thread.
    pub(crate) developer_instructions: Option<&'a str>,
    /// The rendered text of the project's instruction files.
    pub(crate) project_instructions: Option<&'a str>,
}

impl World {
    /// Reads the `state` of a full `world_state` line.
    pub(crate) fn from_state(state: Map<String, Value>) -> Self {
        Self(state)
    }

    /// Applies the `state` of a later line (RFC 7396).
    pub(crate) fn merge(&mut self, patch: &Map<String, Value>) {
        merge(&mut self.0, patch);
    }

    /// Drafts what the model must be told now, given what it was told last, and the state that
    /// it then knows.
    pub(crate) fn advance(
        told: Option<&Self>,
        now: &Surroundings<'_>,
        turn_id: &TurnId,
        draft: &mut Draft,
    ) -> Self {
        let texts = Texts::of(now);
        let mut next = told.cloned().unwrap_or_else(|| Self(Map::new()));
        merge(&mut next.0, &sections(now, &texts));
        let mut teller = Teller { turn_id, draft };
        match told {
            None => first(&texts, now, &mut teller),
            Some(told) => changes(told, &next, &texts, now, &mut teller),
        }
        let line = match told {
            None => Some((true, next.0.clone())),
            Some(told) => diff(&told.0, &next.0).map(|patch| (false, patch)),
        };
        if let Some((full, state)) = line {
            let payload = json!({ "full": full, "state": state }).to_string();
            let raw = RawValue::from_string(payload).expect("a JSON object was just written");
            draft.line(RolloutItem::WorldState(raw));
        }
        next
    }
}

/// What there is to tell.
struct Texts {
    environment: Environment,
    permissions: String,
    mode: Option<String>,
}

impl Texts {
    fn of(now: &Surroundings<'_>) -> Self {
        let settings = now.settings;
        let approval = serde_json::to_value(settings.approval_policy).unwrap_or_default();
        let approval = approval.as_str().unwrap_or("granular").to_owned();
        let mode = (settings.mode == ModeKind::Plan).then(|| {
            let text = settings.mode_instructions.as_deref().unwrap_or(PLAN_MODE);
            format!("<collaboration_mode>{text}</collaboration_mode>")
        });
        Self {
            environment: Environment::of(settings, now.shell),
            permissions: permissions(
                settings.sandbox_policy.mode(),
                &approval,
                &settings.workspace_roots,
            ),
            mode,
        }
    }
}

fn sections(now: &Surroundings<'_>, texts: &Texts) -> Map<String, Value> {
    let environment = &texts.environment;
    let agents = now.project_instructions.map_or(json!({}), |text| json!({ "text": digest(text) }));
    let value = json!({
        "agents_md": agents,
        "collaboration_mode": {
            "instructions": digest(texts.mode.as_deref().unwrap_or("")),
            "mode": now.settings.mode.as_str(),
            "model": now.settings.model,
        },
        "environments": {
            "current_date": environment.current_date,
            "environments": { "local": {
                "cwd": environment.cwd, "shell": environment.shell, "status": "available",
            }},
            "filesystem": environment.filesystem,
            "timezone": environment.timezone,
        },
        "model": now.settings.model,
        "permissions": {
            "approved_command_prefixes": [],
            "instructions": digest(&texts.permissions),
        },
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(20).fold(String::with_capacity(40), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Everything, for a model that knows nothing yet.
fn first(texts: &Texts, now: &Surroundings<'_>, teller: &mut Teller<'_>) {
    let mut parts = Vec::new();
    if let Some(text) = now.developer_instructions {
        parts.push(("generic.developer_instructions", text.to_owned()));
    }
    parts.push(("permissions.instructions", texts.permissions.clone()));
    if let Some(text) = &texts.mode {
        parts.push(("collaboration_mode.instructions", text.clone()));
    }
    teller.tell(Role::Developer, parts);
    if let Some(text) = now.project_instructions {
        teller.tell(Role::User, vec![("agents_md.instructions", text.to_owned())]);
    }
    teller.tell_environment(&texts.environment);
}

/// What differs from what was told.
fn changes(
    told: &World,
    next: &World,
    texts: &Texts,
    now: &Surroundings<'_>,
    teller: &mut Teller<'_>,
) {
    let differs = |path: &str| {
        let (before, after) = (told.at(path), next.at(path));
        before != after
    };
    if differs("/model") {
        let text = model_switch(&now.settings.model);
        teller.tell(Role::Developer, vec![("model_switch.instructions", text)]);
    }
    let mut parts = Vec::new();
    if differs("/permissions/instructions") {
        parts.push(("permissions.instructions", texts.permissions.clone()));
    }
    if differs("/collaboration_mode/instructions") {
        let ended = "<collaboration_mode># Collaboration Mode: Default\n\nPlan mode has ended. \
                     Carry the work out.</collaboration_mode>";
        let text = texts.mode.clone().unwrap_or_else(|| ended.to_owned());
        parts.push(("collaboration_mode.instructions", text));
    }
    if !parts.is_empty() {
        teller.tell(Role::Developer, parts);
    }
    if differs("/agents_md")
        && let Some(text) = now.project_instructions
    {
        teller.tell(Role::User, vec![("agents_md.instructions", text.to_owned())]);
    }
    if differs("/environments") {
        teller.tell_environment(&texts.environment);
    }
}

/// Writes what is told into a draft.
struct Teller<'a> {
    turn_id: &'a TurnId,
    draft: &'a mut Draft,
}

impl Teller<'_> {
    fn tell(&mut self, role: Role, parts: Vec<(&'static str, String)>) {
        let kinds = parts.iter().map(|(kind, _)| *kind).collect();
        let content = parts.into_iter().map(|(_, text)| ContentPart::InputText { text }).collect();
        let note = ItemNote::harness(self.turn_id, kinds);
        self.draft.item(ResponseItem::message(role, content), note);
    }

    fn tell_environment(&mut self, environment: &Environment) {
        let parts = vec![("environments.environment_context", environment.render())];
        self.tell(Role::User, parts);
    }
}

impl World {
    fn at(&self, path: &str) -> Option<&Value> {
        let mut parts = path.trim_start_matches('/').split('/');
        let mut value = self.0.get(parts.next()?)?;
        for part in parts {
            value = value.get(part)?;
        }
        Some(value)
    }
}

/// Applies a merge patch.
fn merge(target: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (key, value) in patch {
        match (target.get_mut(key), value) {
            (_, Value::Null) => {
                target.shift_remove(key);
            }
            (Some(Value::Object(inner)), Value::Object(change)) => merge(inner, change),
            _ => {
                target.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The merge patch that leads from one object to another; none when they are equal.
fn diff(from: &Map<String, Value>, to: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut patch = Map::new();
    for (key, after) in to {
        match (from.get(key), after) {
            (Some(before), after) if before == after => {}
            (Some(Value::Object(before)), Value::Object(after)) => {
                if let Some(inner) = diff(before, after) {
                    patch.insert(key.clone(), Value::Object(inner));
                }
            }
            _ => {
                patch.insert(key.clone(), after.clone());
            }
        }
    }
    for key in from.keys().filter(|key| !to.contains_key(*key)) {
        patch.insert(key.clone(), Value::Null);
    }
    (!patch.is_empty()).then_some(patch)
}

#[cfg(test)]
mod tests;

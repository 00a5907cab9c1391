//! Settings and the name.

use std::path::{Path, PathBuf};

use spindle_schema::event::EventMsg;
use spindle_schema::note::ThreadNotes;
use spindle_schema::op::SettingsUpdate;
use spindle_schema::settings::{ModeKind, ThreadSettings};

use super::super::effect::{Effect, Reply};
use super::super::state::State;
use crate::context::PLAN_MODE;
use crate::{Answer, Error};

/// Whether the owner of the machine allows what an update leads to.
pub(super) fn allowed(state: &State, update: &SettingsUpdate) -> Result<(), Error> {
    let mut after = state.settings.clone();
    apply_update(&mut after, update);
    match state.facts.requirements.forbidden(&after).into_iter().next() {
        Some(forbidden) => Err(forbidden.into()),
        None => Ok(()),
    }
}

/// Changes the settings of later turns and tells whether anything changed.
pub(super) fn apply(state: &mut State, update: &SettingsUpdate) -> bool {
    let before = state.settings.clone();
    apply_update(&mut state.settings, update);
    let changed = state.settings != before;
    state.settings_unrecorded |= changed;
    changed
}

/// `thread/settings/update`.
pub(super) fn update(
    state: &mut State,
    update: &SettingsUpdate,
    answer: Answer<()>,
) -> Vec<Effect> {
    if let Err(error) = allowed(state, update) {
        return vec![Effect::Reply(Reply::Done(answer, Err(error)))];
    }
    let changed = apply(state, update);
    let mut effects = vec![Effect::Reply(Reply::Done(answer, Ok(())))];
    if changed {
        let settings = Box::new(state.settings.clone());
        effects.push(Effect::Say(vec![EventMsg::SettingsUpdated(settings)]));
    }
    effects
}

/// The thread has another name; its rollout is the store's affair.
pub(super) fn set_name(state: &mut State, name: Option<Box<str>>) -> Vec<Effect> {
    state.facts.base.name.clone_from(&name);
    vec![Effect::Say(vec![EventMsg::NameUpdated(name)])]
}

/// People noted something about the thread. Its Git facts are those of its start with what was
/// noted over them, so they change as a whole.
pub(super) fn set_notes(
    state: &mut State,
    notes: ThreadNotes,
    event: Option<EventMsg>,
) -> Vec<Effect> {
    let base = &mut state.facts.base;
    base.git = notes.git_over(base.git.take());
    base.notes = notes;
    event.map(|event| Effect::Say(vec![event])).into_iter().collect()
}

/// Puts what an update names over the settings.
fn apply_update(settings: &mut ThreadSettings, update: &SettingsUpdate) {
    fn put<T: Clone>(slot: &mut T, new: Option<&T>) {
        if let Some(new) = new {
            slot.clone_from(new);
        }
    }
    fn put_some<T: Clone>(slot: &mut Option<T>, new: Option<&T>) {
        if let Some(new) = new {
            *slot = Some(new.clone());
        }
    }
    put(&mut settings.model, update.model.as_ref());
    put_some(&mut settings.effort, update.effort.as_ref());
    put_some(&mut settings.summary, update.summary.as_ref());
    put_some(&mut settings.service_tier, update.service_tier.as_ref());
    put_some(&mut settings.personality, update.personality.as_ref());
    put(&mut settings.approval_policy, update.approval_policy.as_ref());
    put(&mut settings.approvals_reviewer, update.approvals_reviewer.as_ref());
    put(&mut settings.sandbox_policy, update.sandbox_policy.as_ref());
    put(&mut settings.mode, update.mode.as_ref());
    put(&mut settings.mode_instructions, update.mode_instructions.as_ref());
    if settings.mode == ModeKind::Plan && settings.mode_instructions.is_none() {
        settings.mode_instructions = Some(PLAN_MODE.into());
    }
    if let Some(cwd) = &update.cwd {
        let follows = *settings.workspace_roots == [settings.cwd.clone()];
        settings.cwd = join(&settings.cwd, cwd);
        if follows {
            settings.workspace_roots = vec![settings.cwd.clone()];
        }
    }
    if let Some(roots) = &update.workspace_roots {
        settings.workspace_roots = roots.iter().map(|root| join(&settings.cwd, root)).collect();
    }
}

/// A folder as a client names it, seen from another one. Text only: nothing is looked up.
fn join(from: &str, to: &str) -> Box<str> {
    let joined = Path::new(from).join(to);
    let plain: PathBuf = joined.components().collect();
    plain.to_string_lossy().into()
}

//! Pages of old rollouts. Their turns have no numbers, so cursors name the turn.

use serde::{Deserialize, Serialize};
use spindle_schema::event::{ItemsView, TimedItem, TurnSnapshot};
use spindle_schema::ids::TurnId;
use spindle_schema::item::TurnItem;

use super::LegacyTurn;
use crate::error::Error;
use crate::index::Page;
use crate::rollout::lineage::Lineage;
use crate::rollout::pages::{
    Anchor, Cursor, ItemsQuery, PlacedItem, Scope, TurnsQuery, Window, page,
};

/// Where a page of turns ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TurnCursor {
    turn_id: TurnId,
    include_anchor: bool,
}

impl TurnCursor {
    fn text(turn: &TurnId, include_anchor: bool) -> Box<str> {
        let cursor = Self { turn_id: turn.clone(), include_anchor };
        serde_json::to_string(&cursor).expect("a cursor has no key that is not a text").into()
    }

    fn read(text: &str, turns: &[LegacyTurn]) -> Result<Anchor, Error> {
        let bad = || Error::BadCursor(text.into());
        let cursor: Self = serde_json::from_str(text).map_err(|_| bad())?;
        let turn = turns.iter().find(|turn| turn.turn.id == cursor.turn_id).ok_or_else(bad)?;
        Ok(Anchor { ordinal: turn.line, included: cursor.include_anchor })
    }
}

/// A page of turns.
pub(crate) fn turns(lineage: &Lineage, query: &TurnsQuery) -> Result<Page<TurnSnapshot>, Error> {
    let all = super::read(lineage)?;
    let cursor = query.cursor.as_deref();
    let anchor = cursor.map(|text| TurnCursor::read(text, &all)).transpose()?;
    let window = Window { anchor, direction: query.direction, limit: query.limit.max(1) };
    let (chosen, more) = window.choose(all.iter(), |turn| turn.line);
    let chosen: Vec<_> = chosen.into_iter().map(|turn| viewed(&turn.turn, query.view)).collect();
    let next = chosen.last().filter(|_| more).map(|turn| TurnCursor::text(&turn.id, false));
    let back = chosen.first().map(|turn| TurnCursor::text(&turn.id, true));
    Ok(Page { items: chosen, next, back })
}

/// The cursor of a page of turns that begins with this one.
pub(crate) fn turn_cursor(turn: &TurnId) -> Box<str> {
    TurnCursor::text(turn, true)
}

/// A page of items.
pub(crate) fn items(lineage: &Lineage, query: &ItemsQuery) -> Result<Page<PlacedItem>, Error> {
    let thread = lineage.meta.id;
    let scope = Scope::ItemsByCreatedAtOrdinal;
    let cursor = query.cursor.as_deref();
    let anchor = cursor.map(|text| Cursor::read(text, thread, scope)).transpose()?;
    let window = Window { anchor, direction: query.direction, limit: query.limit.max(1) };
    let mut all = Vec::new();
    for turn in super::read(lineage)? {
        let turn_id = turn.turn.id;
        if query.turn.as_ref().is_none_or(|wanted| turn_id == *wanted) {
            all.extend(
                turn.turn.items.into_iter().zip(turn.lines).map(|(item, ordinal)| PlacedItem {
                    turn_id: turn_id.clone(),
                    item,
                    ordinal,
                }),
            );
        }
    }
    let (chosen, more) = window.choose(all.iter(), |item| item.ordinal);
    let entries = chosen.into_iter().map(|item| (item.ordinal, item.clone())).collect();
    Ok(page(thread, scope, entries, more))
}

fn viewed(turn: &TurnSnapshot, view: ItemsView) -> TurnSnapshot {
    let is_user = |item: &&TimedItem| matches!(item.item, TurnItem::UserMessage(_));
    let is_agent = |item: &&TimedItem| matches!(item.item, TurnItem::AgentMessage(_));
    let items = match view {
        ItemsView::NotLoaded => Vec::new(),
        ItemsView::Summary => {
            let first = turn.items.iter().find(is_user);
            let last = turn.items.iter().rfind(is_agent);
            first.into_iter().chain(last).cloned().collect()
        }
        ItemsView::Full => turn.items.clone(),
    };
    TurnSnapshot { items, view, ..turn.clone() }
}

use spindle_schema::event::TurnStatus as CoreStatus;
use spindle_schema::ids::TurnId;
use spindle_schema::v2::TurnItemsView;

use super::*;

fn snapshot(id: &str, status: CoreStatus) -> TurnSnapshot {
    TurnSnapshot {
        id: TurnId::new(id),
        root_turn_id: None,
        status,
        error: None,
        started_at: None,
        completed_at: None,
        duration_ms: None,
        items: Vec::new(),
        view: ItemsView::Full,
    }
}

fn stored(id: &str, status: CoreStatus) -> Turn {
    turn::of(&snapshot(id, status))
}

fn ids(turns: &[Turn]) -> Vec<(&str, TurnStatus)> {
    turns.iter().map(|turn| (turn.id.as_str(), turn.status)).collect()
}

#[test]
fn the_running_turn_is_told_as_it_stood_when_the_client_joined() {
    let turns = vec![stored("a", CoreStatus::Completed), stored("b", CoreStatus::Completed)];
    let active = Arc::new(snapshot("b", CoreStatus::InProgress));
    let joined = as_of_joining(turns, Some(&active));
    assert_eq!(ids(&joined), [("a", TurnStatus::Completed), ("b", TurnStatus::InProgress)]);
    assert_eq!(joined[1].items_view, TurnItemsView::Full);
}

#[test]
fn a_running_turn_that_is_not_stored_yet_is_told_too() {
    let active = Arc::new(snapshot("b", CoreStatus::InProgress));
    let joined = as_of_joining(Vec::new(), Some(&active));
    assert_eq!(ids(&joined), [("b", TurnStatus::InProgress)]);
}

#[test]
fn a_turn_that_began_after_the_client_joined_is_left_to_its_events() {
    let turns = vec![stored("a", CoreStatus::Completed), stored("b", CoreStatus::InProgress)];
    assert_eq!(ids(&as_of_joining(turns, None)), [("a", TurnStatus::Completed)]);
}

use std::cell::RefCell;

use serde_json::json;

use super::{FEATURES, Features};
use crate::config::reader::Reader;

fn read(settings: &serde_json::Value) -> (Features, usize) {
    let faults = RefCell::default();
    let features =
        Features::read(&Reader::new(settings.as_object().unwrap(), &faults).table("features"));
    (features, faults.into_inner().len())
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = FEATURES.iter().map(|feature| feature.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FEATURES.len());
}

#[test]
fn a_feature_keeps_its_default_until_somebody_chooses() {
    let (features, _) = read(&json!({}));
    assert!(features.enabled("unbounded_connection_retries"));
    assert!(!features.enabled("multi_agent_v2"));
    assert!(!features.enabled("no_such_feature"));
}

#[test]
fn a_choice_is_a_boolean_or_a_table_with_enabled() {
    let (features, faults) = read(&json!({"features": {
        "unbounded_connection_retries": false,
        "multi_agent_v2": {"enabled": true, "max_depth": 2},
        "goals": {"max": 1},
        "hooks": "yes",
        "mine": true,
    }}));
    assert!(!features.enabled("unbounded_connection_retries"));
    assert!(features.enabled("multi_agent_v2"));
    assert!(features.enabled("goals"), "options alone do not switch");
    assert!(features.enabled("hooks"), "a wrong value leaves the default");
    assert_eq!(faults, 1);
    assert_eq!(features.unknown().collect::<Vec<_>>(), ["mine"]);
}

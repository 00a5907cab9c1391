use serde_json::{Value, json};

use super::{to_config, value_of};
use crate::args::Shared;

#[test]
fn values_are_read_as_toml() {
    for (text, expected) in [
        ("1", json!(1)),
        ("true", json!(true)),
        ("1.5", json!(1.5)),
        ("\"x\"", json!("x")),
        ("[1, \"x\"]", json!([1, "x"])),
        ("{ a = { b = 1 } }", json!({"a": {"b": 1}})),
        ("2026-01-02", json!("2026-01-02")),
    ] {
        assert_eq!(value_of(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_toml_is_taken_literally() {
    for text in ["never", "gpt 5", "[1", "", "1\nother = 2"] {
        assert_eq!(value_of(text), Value::String(text.into()), "{text}");
    }
}

#[test]
fn later_settings_win_and_features_follow() {
    let shared = Shared {
        config: vec![("a".into(), "1".into()), ("a".into(), "2".into())],
        enable: vec!["x".into()],
        disable: vec!["y".into()],
        ..Shared::default()
    };
    let config = Value::Object(to_config(&shared));
    assert_eq!(config, json!({"a": 2, "features.x": true, "features.y": false}));
}

use serde_json::{Value, json};

use super::{Tree, from_table, get, locate, overlay, remove, set};

fn tree(value: Value) -> Tree {
    match value {
        Value::Object(tree) => tree,
        other => panic!("no table: {other}"),
    }
}

fn path(name: &str) -> Vec<String> {
    name.split('.').map(str::to_owned).collect()
}

#[test]
fn every_kind_of_toml_value_has_a_json_form() {
    let text = "a = 'x'\nb = 1\nc = 1.5\nd = true\ne = 2020-01-02\nf = [1, {g = 2}]\nh = inf\n\
                [i.j]\nk = 1\n[[l]]\nm = 1\n[[l]]\nm = 2\n";
    let document = toml_edit::Document::parse(text).unwrap();
    assert_eq!(
        Value::Object(from_table(document.as_table())),
        json!({"a": "x", "b": 1, "c": 1.5, "d": true, "e": "2020-01-02", "f": [1, {"g": 2}],
            "h": "inf", "i": {"j": {"k": 1}}, "l": [{"m": 1}, {"m": 2}]})
    );
}

#[test]
fn tables_are_joined_and_everything_else_is_replaced() {
    let mut base = tree(json!({"a": {"b": 1, "c": [1, 2]}, "d": 1, "e": {"f": 1}}));
    overlay(&mut base, &tree(json!({"a": {"c": [3]}, "d": {"x": 1}, "e": 2, "g": 3})));
    assert_eq!(
        Value::Object(base),
        json!({"a": {"b": 1, "c": [3]}, "d": {"x": 1}, "e": 2, "g": 3})
    );
}

#[test]
fn a_setting_is_put_in_found_and_taken_out() {
    let mut base = tree(json!({"a": 1, "z": 2}));
    set(&mut base, &path("a.b.c"), json!(5));
    assert_eq!(get(&base, &path("a.b.c")), Some(&json!(5)));
    assert_eq!(get(&base, &path("a.x")), None);
    assert_eq!(remove(&mut base, &path("a.b.c")), Some(json!(5)));
    assert_eq!(remove(&mut base, &path("q.b")), None);
    assert_eq!(Value::Object(base), json!({"a": {"b": {}}, "z": 2}));
}

#[test]
fn a_value_is_located_in_its_text_and_a_missing_one_by_its_table() {
    let text = "x = 1\n[a]\nb = \"no\"\n";
    assert_eq!(locate(text, &path("a.b")).map(|r| &text[r]), Some("\"no\""));
    assert_eq!(locate(text, &path("a.c")).map(|r| &text[r]), Some("[a]"));
    assert_eq!(locate(text, &path("q")), None);
}

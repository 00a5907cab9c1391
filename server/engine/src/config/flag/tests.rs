use serde_json::{Value, json};

use super::{flags, nested};

#[test]
fn a_value_that_is_no_toml_is_a_text() {
    let cli = [("a.b", "high"), ("a.c", " 5 "), ("d", "'x'"), ("e", "[1, 2"), ("f", "1.5.0")];
    let cli = cli.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let tree = flags(cli, vec![("g".to_owned(), true)]).unwrap();
    assert_eq!(
        Value::Object(tree),
        json!({"a": {"b": "high", "c": 5}, "d": "x", "e": "[1, 2", "f": "1.5.0",
            "features": {"g": true}})
    );
}

#[test]
fn a_name_that_is_none_is_told() {
    let wrong = flags(vec![("a..b".to_owned(), "1".to_owned())], Vec::new()).unwrap_err();
    assert_eq!(wrong, ("a..b".to_owned(), "keyPath segments must not be empty".to_owned()));
}

#[test]
fn a_request_joins_dotted_names_and_tables() {
    let request = json!({"a": {"b": 1}, "a.c": 2, "d": null, "e": [1, null, {"f": null}],
        "projects": {"/x.y": {"trust_level": "trusted"}}});
    assert_eq!(
        Value::Object(nested(request.as_object().unwrap()).unwrap()),
        json!({"a": {"b": 1, "c": 2}, "e": [1, {}],
            "projects": {"/x.y": {"trust_level": "trusted"}}})
    );
}

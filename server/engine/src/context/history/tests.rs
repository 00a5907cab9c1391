use proptest::prelude::*;
use serde_json::{Value, json};
use spindle_schema::model::ResponseItem;

use super::{Entry, History};

fn history(items: &[Value]) -> History {
    let mut history = History::default();
    for item in items {
        let Value::Object(map) = item.clone() else { panic!("an item is an object") };
        history.push(Entry::new(&ResponseItem::from_map(map)));
    }
    history
}

fn prompt(history: &History) -> Vec<Value> {
    let read = |bytes: &bytes::Bytes| serde_json::from_slice(bytes).expect("JSON");
    history.prompt().iter().map(read).collect()
}

fn call(id: &str) -> Value {
    json!({"type": "function_call", "name": "t", "arguments": "{}", "call_id": id})
}

fn output(id: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": "x"})
}

fn custom_call(id: &str) -> Value {
    json!({"type": "custom_tool_call", "name": "t", "input": "", "call_id": id})
}

/// SPEC C10.
#[test]
fn a_call_without_an_output_gets_one_directly_after_it() {
    let history = history(&[call("a"), json!({"type": "message", "role": "user", "content": []})]);
    let items = prompt(&history);
    assert_eq!(items.len(), 3);
    assert_eq!(items[1]["type"], "function_call_output");
    assert_eq!(items[1]["call_id"], "a");
    assert_eq!(items[1]["output"], "aborted");
    assert_eq!(prompt(&history), items, "the made-up output stays the same");
}

/// SPEC C2: the kinds must match.
#[test]
fn a_custom_call_gets_a_custom_output() {
    let items = prompt(&history(&[custom_call("a"), output("a")]));
    let kinds: Vec<_> = items.iter().map(|item| item["type"].clone()).collect();
    assert_eq!(kinds, ["custom_tool_call", "custom_tool_call_output"]);
}

/// SPEC C10.
#[test]
fn an_output_without_a_call_or_a_second_one_is_left_out() {
    let items = prompt(&history(&[output("x"), call("a"), output("a"), output("a")]));
    assert_eq!(items.len(), 2);
}

#[test]
fn text_given_without_a_call_stays() {
    let item = json!({"type": "function_call_output", "name": "goal", "output": "text"});
    assert_eq!(prompt(&history(std::slice::from_ref(&item))), [item]);
}

/// SPEC C12: unknown kinds are kept as they came.
#[test]
fn an_unknown_kind_goes_back_as_it_came() {
    let item = json!({"type": "new_kind", "id": "n_1", "payload": {"a": [1, null]}});
    assert_eq!(prompt(&history(std::slice::from_ref(&item))), [item]);
}

proptest! {
    /// SPEC C2, C10: in every request each call has exactly one output, after it.
    #[test]
    fn every_call_has_exactly_one_output(acts in prop::collection::vec((0_u8..4, 0_u8..4), 0..30)) {
        let mut called = std::collections::HashSet::new();
        let items: Vec<Value> = acts.into_iter().filter_map(|(what, id)| {
            let id = format!("c{id}");
            match what {
                0 => called.insert(id.clone()).then(|| call(&id)),
                1 => Some(output(&id)),
                2 => called.insert(id.clone()).then(|| custom_call(&id)),
                _ => Some(json!({"type": "message", "role": "user", "content": []})),
            }
        }).collect();
        let items = prompt(&history(&items));
        let ids = |suffix: &str| -> Vec<String> {
            let mut ids: Vec<String> = items
                .iter()
                .filter(|item| item["type"].as_str().is_some_and(|t| t.ends_with(suffix)))
                .map(|item| item["call_id"].as_str().unwrap_or_default().to_owned())
                .collect();
            ids.sort();
            ids
        };
        prop_assert_eq!(ids("_call"), ids("_output"));
    }
}

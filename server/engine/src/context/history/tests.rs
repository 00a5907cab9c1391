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

/// SPEC H5: however long the history, leaving out half of it again and again comes to an end.
#[test]
fn halving_a_history_ends() {
    let text = |size: usize| {
        json!({"type": "message", "role": "user",
               "content": [{"type": "input_text", "text": "x".repeat(size)}]})
    };
    let sizes: Vec<Value> = (0..200).map(|n| text(n * 37 % 1_000)).collect();
    let history = history(&sizes);
    let (mut place, mut steps) = (0, 0);
    while place < history.len() {
        let next = history.half_from(place);
        assert!(next > place, "it goes on");
        assert!(history.tokens_from(next) <= history.tokens_from(place) / 2 + 1);
        (place, steps) = (next, steps + 1);
    }
    assert!(steps < 20, "{steps} steps");
}

#[test]
fn what_is_left_of_a_history_has_no_output_without_its_call() {
    let history = history(&[call("a"), output("a"), call("b"), output("b")]);
    let left: Vec<Value> = history
        .prompt_from(1)
        .iter()
        .map(|bytes| serde_json::from_slice(bytes).expect("JSON"))
        .collect();
    assert_eq!(left.len(), 2);
    assert_eq!(left[0]["call_id"], "b");
}

#[test]
fn a_picture_counts_by_what_it_is_and_not_by_its_size() {
    let picture = |size: usize| {
        let url = format!("data:image/png;base64,{}", "A".repeat(size));
        json!({"type": "function_call_output", "call_id": "a",
               "output": [{"type": "input_image", "image_url": url}]})
    };
    let tokens = |size| history(&[picture(size)]).tokens_from(0);
    assert_eq!(tokens(10), tokens(1_000_000));
    assert!(tokens(10) > 1_000);
}

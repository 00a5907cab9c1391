use serde_json::{Value, json};
use spindle_schema::model::ResponseItem;

use super::{Function, Names, custom_arguments, flat_name};

fn names(tools: &[Value]) -> (Names, Vec<Function>) {
    let mut names = Names::default();
    let functions = tools.iter().flat_map(|tool| names.functions(tool)).collect();
    (names, functions)
}

#[test]
fn a_function_keeps_its_name_and_parameters() {
    let parameters = json!({"type": "object", "properties": {"cmd": {"type": "string"}}});
    let tool = json!({"type": "function", "name": "exec", "description": "d", "strict": false, "parameters": parameters});
    let (names, functions) = names(&[tool]);
    let expected = Function { name: "exec".into(), description: "d".into(), parameters };
    assert_eq!(functions, [expected]);
    let ResponseItem::FunctionCall(call) = names.call("exec", "c1", "{\"cmd\":1}".into()) else {
        panic!("a function call")
    };
    assert_eq!(
        (&*call.name, &*call.call_id, call.arguments.as_str()),
        ("exec", "c1", "{\"cmd\":1}")
    );
    assert!(call.id.is_some_and(|id| id.starts_with("fc_")));
}

#[test]
fn a_namespace_goes_into_the_name_and_out_again() {
    let inner = json!({"type": "function", "name": "echo", "parameters": {}});
    let (names, functions) =
        names(&[json!({"type": "namespace", "name": "mcp__tiny", "tools": [inner]})]);
    assert_eq!(functions[0].name, "mcp__tiny__echo");
    let ResponseItem::FunctionCall(call) = names.call("mcp__tiny__echo", "c", String::new()) else {
        panic!("a function call")
    };
    assert_eq!((call.namespace.as_deref(), &*call.name), (Some("mcp__tiny"), "echo"));
    assert_eq!(call.arguments, "{}");
}

#[test]
fn a_custom_tool_becomes_a_function_with_one_text() {
    let tool = json!({"type": "custom", "name": "apply_patch", "description": "d", "format": {"type": "grammar", "definition": "start: x"}});
    let (names, functions) = names(&[tool]);
    let function = &functions[0];
    assert_eq!(function.parameters["required"], json!(["input"]));
    assert!(function.description.ends_with("start: x"));
    let input = |arguments: &str| match names.call("apply_patch", "c", arguments.into()) {
        ResponseItem::CustomToolCall(call) => call.input,
        other => panic!("a custom call: {other:?}"),
    };
    assert_eq!(input(&custom_arguments("*** Begin\n")), "*** Begin\n");
    assert_eq!(input("*** Begin"), "*** Begin");
    assert_eq!(input("\"quoted\""), "quoted");
    assert_eq!(input("{\"patch\":\"x\"}"), "{\"patch\":\"x\"}");
}

#[test]
fn a_tool_that_the_provider_would_run_is_left_out() {
    let (_, functions) = names(&[
        json!({"type": "web_search"}),
        json!({"type": "tool_search", "execution": "client"}),
        json!({"type": "image_generation", "name": "x"}),
    ]);
    assert!(functions.is_empty());
}

#[test]
fn an_unknown_name_is_passed_on_as_it_is() {
    let call = Names::default().call("made_up", "c", "{}".into());
    assert!(matches!(call, ResponseItem::FunctionCall(call) if &*call.name == "made_up"));
}

#[test]
fn names_fit_what_servers_take() {
    assert_eq!(flat_name(Some("a b"), "c.d"), "a_b__c_d");
    let long = flat_name(Some(&"n".repeat(60)), &"x".repeat(60));
    assert_eq!(long.len(), 64);
    assert_eq!(long, flat_name(Some(&"n".repeat(60)), &"x".repeat(60)));
    assert_ne!(long, flat_name(Some(&"n".repeat(60)), &"y".repeat(60)));
}

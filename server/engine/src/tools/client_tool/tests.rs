use serde_json::{Value, json};

use super::super::call::{Payload, ToolCall};
use super::ClientTools;

fn function(name: &str) -> Value {
    json!({ "type": "function", "name": name, "description": "Looks up.",
            "inputSchema": { "type": "object" } })
}

fn call(namespace: Option<&str>, name: &str) -> ToolCall {
    ToolCall {
        name: name.into(),
        namespace: namespace.map(Into::into),
        call_id: "call_1".into(),
        payload: Payload::Function("{}".to_owned()),
    }
}

#[test]
fn a_tool_is_found_by_namespace_and_name() {
    let namespace = json!({ "type": "namespace", "name": "ide", "description": "IDE tools.",
                            "tools": [function("open")] });
    let tools = ClientTools::read(&json!([function("lookup"), namespace]), &[]).unwrap();
    assert!(tools.has(&call(None, "lookup")));
    assert!(tools.has(&call(Some("ide"), "open")));
    assert!(!tools.has(&call(None, "open")));
    assert!(!tools.has(&call(Some("ide"), "lookup")));
    let custom = ToolCall { payload: Payload::Custom(String::new()), ..call(None, "lookup") };
    assert!(!tools.has(&custom));
}

#[test]
fn the_model_is_told_of_them_in_the_order_given() {
    let namespace = json!({ "type": "namespace", "name": "ide", "description": "IDE tools.",
                            "tools": [function("open")] });
    let tools = ClientTools::read(&json!([namespace, function("lookup")]), &[]).unwrap();
    let specs: Vec<Value> =
        tools.specs().iter().map(|spec| serde_json::from_slice(spec).unwrap()).collect();
    let told = |name: &str| {
        json!({ "type": "function", "name": name, "description": "Looks up.", "strict": false,
                "parameters": { "type": "object" } })
    };
    let whole = json!({ "type": "namespace", "name": "ide", "description": "IDE tools.",
                        "tools": [told("open")] });
    assert_eq!(specs, [whole, told("lookup")]);
}

#[test]
fn what_cannot_be_offered_is_refused_by_name() {
    let fault = |list: Value| ClientTools::read(&list, &["exec_command"]).unwrap_err();
    assert_eq!(fault(json!([function("a"), function("a")])), "`a` is there twice");
    assert!(fault(json!([function("exec_command")])).contains("built-in"));
    assert!(fault(json!([function("no spaces")])).contains("`no spaces`"));
    assert!(fault(json!([function("")])).contains("``"));
    let no_schema =
        json!([{ "type": "function", "name": "a", "description": "", "inputSchema": 1 }]);
    assert!(fault(no_schema).contains("inputSchema of `a`"));
    assert!(fault(json!([{ "type": "other" }])).contains("other"));
    assert!(fault(json!({})).contains("sequence"));
}

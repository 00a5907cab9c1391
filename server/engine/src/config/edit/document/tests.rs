use serde_json::{Value, json};
use toml_edit::DocumentMut;

use super::apply;
use crate::config::MergeStrategy::{self, Replace, Upsert};

fn edit(text: &str, name: &str, value: &Value, strategy: MergeStrategy) -> String {
    let mut document: DocumentMut = text.parse().unwrap();
    let path: Vec<_> = name.split('.').map(str::to_owned).collect();
    apply(document.as_table_mut(), &path, value, strategy);
    let text = document.to_string();
    text.parse::<DocumentMut>().expect("an edited document is a document");
    text
}

#[test]
fn a_value_is_replaced_where_it_stands_and_its_comments_stay() {
    let text = "# top\nmodel = \"a\" # mine\n\n[tools] # t\n# inside\nview_image = true\n";
    assert_eq!(
        edit(text, "model", &json!("b"), Replace),
        "# top\nmodel = \"b\" # mine\n\n[tools] # t\n# inside\nview_image = true\n"
    );
}

#[test]
fn a_new_value_at_the_top_stands_before_the_tables() {
    assert_eq!(
        edit("a = 1\n\n[t]\nx = 1\n", "b", &json!(2), Replace),
        "a = 1\nb = 2\n\n[t]\nx = 1\n"
    );
    assert_eq!(
        edit("", "b", &json!([1, {"c": null, "d": 1.5}]), Replace),
        "b = [1, { d = 1.5 }]\n"
    );
}

#[test]
fn a_new_table_has_a_header_of_its_own_only() {
    assert_eq!(
        edit("a = 1\n", "mcp_servers.foo", &json!({"command": "x", "env": {"A": "b"}}), Upsert),
        "a = 1\n\n[mcp_servers.foo]\ncommand = \"x\"\n\n[mcp_servers.foo.env]\nA = \"b\"\n"
    );
    assert_eq!(edit("", "x.y.z", &json!(true), Replace), "[x.y]\nz = true\n");
    assert_eq!(edit("", "x", &json!({}), Replace), "[x]\n");
}

#[test]
fn a_table_is_replaced_or_joined() {
    let text = "[s.foo]\n# keep\ncommand = \"x\" # c\n[s.foo.env]\nA = \"b\"\n";
    assert_eq!(
        edit(text, "s.foo", &json!({"args": ["y"]}), Upsert),
        "[s.foo]\n# keep\ncommand = \"x\" # c\nargs = [\"y\"]\n[s.foo.env]\nA = \"b\"\n"
    );
    assert_eq!(
        edit(text, "s.foo", &json!({"command": "z"}), Replace),
        "[s.foo]\n# keep\ncommand = \"z\" # c\n"
    );
}

#[test]
fn a_table_of_one_line_stays_one() {
    let text = "tools = { view_image = true }\n";
    let changed = edit(text, "tools.update_plan", &json!({"enabled": true}), Replace);
    assert_eq!(changed, "tools = { view_image = true , update_plan = { enabled = true } }\n");
    assert_eq!(
        edit(text, "tools.a.b", &json!(1), Replace),
        "tools = { view_image = true , a = { b = 1 } }\n"
    );
}

#[test]
fn dotted_names_in_the_file_are_found() {
    let text = "a.b = 1\na.c = 2\n";
    assert_eq!(edit(text, "a.b", &json!(3), Replace), "a.b = 3\na.c = 2\n");
    let changed = edit(text, "a.d", &json!({"e": 1}), Replace);
    let back: DocumentMut = changed.parse().unwrap();
    assert_eq!(back["a"]["d"]["e"].as_integer(), Some(1), "{changed}");
    assert_eq!(back["a"]["c"].as_integer(), Some(2), "{changed}");
}

#[test]
fn null_takes_out_and_makes_nothing() {
    let text = "a = 1\n\n[t.u]\nx = 1\n";
    assert_eq!(edit(text, "a", &Value::Null, Replace), "\n[t.u]\nx = 1\n");
    assert_eq!(edit(text, "t.u", &Value::Null, Replace), "a = 1\n");
    assert_eq!(edit(text, "q.r.s", &Value::Null, Replace), text);
}

#[test]
fn a_value_in_the_way_of_a_table_gives_way() {
    assert_eq!(edit("a = 1\n", "a.b", &json!(2), Replace), "[a]\nb = 2\n");
    assert_eq!(edit("a = 1\n", "a", &json!({"b": 2}), Upsert), "[a]\nb = 2\n");
}

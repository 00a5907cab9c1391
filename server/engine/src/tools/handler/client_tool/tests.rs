use serde_json::{Value, json};
use spindle_schema::model::ContentPart;

use super::super::super::output::ToolOutput;
use super::{MAX_TEXT_BYTES, read};

fn output_of(items: &Value) -> ToolOutput {
    read(&json!({ "contentItems": items, "success": true })).1
}

#[test]
fn texts_alone_become_one_text() {
    let text = |text: &str| json!({ "type": "inputText", "text": text });
    assert_eq!(output_of(&json!([text("result")])), ToolOutput::text("result"));
    assert_eq!(output_of(&json!([text("a"), text("b")])), ToolOutput::text("a\nb"));
    assert_eq!(output_of(&json!([])), ToolOutput::text(""));
}

#[test]
fn a_picture_makes_it_parts() {
    let items = json!([
        { "type": "inputText", "text": "pic" },
        { "type": "inputImage", "imageUrl": "data:image/png;base64,AA==" },
    ]);
    let parts = vec![
        ContentPart::InputText { text: "pic".to_owned() },
        ContentPart::InputImage {
            image_url: "data:image/png;base64,AA==".to_owned(),
            detail: Some("original".into()),
        },
    ];
    assert_eq!(output_of(&items), ToolOutput::parts(parts));
}

#[test]
fn an_answer_of_another_shape_is_a_failure() {
    let shapes = [
        json!({}),
        json!({ "success": true }),
        json!({ "contentItems": [{ "type": "video" }], "success": true }),
        json!("yes"),
    ];
    for shape in shapes {
        let (answer, output) = read(&shape);
        assert!(!answer.success, "{shape}");
        assert_eq!(output, ToolOutput::text("dynamic tool request failed"), "{shape}");
    }
}

#[test]
fn a_long_text_keeps_its_two_ends() {
    let long = format!("begin{}end", "x".repeat(2 * MAX_TEXT_BYTES));
    let (_, output) =
        read(&json!({ "contentItems": [{ "type": "inputText", "text": long }], "success": true }));
    let shown = format!("{output:?}");
    assert!(shown.len() < MAX_TEXT_BYTES + 200);
    assert!(shown.contains("begin") && shown.contains("end"));
}

use serde_json::json;
use spindle_schema::v2::Turn;

use super::Outcome;

fn turn(status: &str, error: Option<&str>) -> Turn {
    let error = error.map(|message| json!({"message": message}));
    serde_json::from_value(json!({"id": "u", "items": [], "status": status, "error": error}))
        .unwrap()
}

#[test]
fn the_exit_code_tells_how_the_turn_ended() {
    for (turn, asked, code) in [
        (turn("completed", None), false, 0),
        (turn("failed", Some("x")), false, 1),
        (turn("interrupted", None), false, 1),
        (turn("interrupted", None), true, 130),
        // The turn was done before the interrupt came.
        (turn("completed", None), true, 0),
    ] {
        assert_eq!(Outcome::of(&turn, asked).exit_code(), code, "{turn:?}");
    }
}

#[test]
fn a_failure_always_has_a_text() {
    assert_eq!(Outcome::of(&turn("failed", Some("x")), false), Outcome::Failed("x".into()));
    assert_eq!(
        Outcome::of(&turn("failed", None), false),
        Outcome::Failed("the turn failed".into())
    );
}

use serde_json::json;

use super::{Verdict, asked, asked_command};

#[test]
fn a_verdict_is_a_letter_or_a_word() {
    for (text, verdict) in [
        ("y", Verdict::Yes),
        (" YES ", Verdict::Yes),
        ("n", Verdict::No),
        ("s", Verdict::Session),
        ("cancel", Verdict::Cancel),
    ] {
        assert_eq!(Verdict::parse(text), Some(verdict));
    }
    assert_eq!(Verdict::parse("yes please"), None);
    assert_eq!(Verdict::parse(""), None);
}

#[test]
fn a_command_is_asked_about_with_its_place_and_reason() {
    let text = asked_command(1, "rm x").text();
    assert!(text.starts_with("run rm x\nin /w\nbecause it writes\n[y]es"), "{text}");
}

#[test]
fn each_letter_is_a_decision() {
    let command = asked_command(1, "ls");
    let params = json!({"threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1});
    let files = asked(2, "item/fileChange/requestApproval", &params);
    for (letter, decision) in
        [("y", "accept"), ("n", "decline"), ("s", "acceptForSession"), ("c", "cancel")]
    {
        assert_eq!(command.answer(letter).unwrap(), json!({"decision": decision}));
        assert_eq!(files.answer(letter).unwrap(), json!({"decision": decision}));
    }
    assert_eq!(command.answer("maybe"), None);
}

#[test]
fn permissions_are_given_as_asked_or_not_at_all() {
    let params = json!({
        "threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1, "cwd": "/w",
        "permissions": {"network": {"enabled": true}},
    });
    let question = asked(1, "item/permissions/requestApproval", &params);
    let yes = question.answer("s").unwrap();
    assert_eq!(yes["permissions"], json!({"network": {"enabled": true}}));
    assert_eq!(yes["scope"], "session");
    let no = question.answer("n").unwrap();
    assert_eq!(no["permissions"], json!({}));
    assert_eq!(no["scope"], "turn");
}

#[test]
fn a_question_of_the_agent_takes_a_number_or_words() {
    let options =
        json!([{"label": "red", "description": "warm"}, {"label": "blue", "description": "cold"}]);
    let question = json!({"id": "q", "header": "h", "question": "Which?", "options": options});
    let mut params = json!({
        "threadId": "t", "turnId": "u", "itemId": "i", "isBlocking": true, "questions": [question],
    });
    let one = asked(1, "item/tool/requestUserInput", &params);
    assert_eq!(one.text(), "Which?\n  1. red (warm)\n  2. blue (cold)");
    for (line, chosen) in [("2", "blue"), ("green", "green"), ("3", "3"), ("0", "0")] {
        assert_eq!(one.answer(line).unwrap(), json!({"answers": {"q": {"answers": [chosen]}}}));
    }
    params["questions"]
        .as_array_mut()
        .unwrap()
        .push(json!({"id": "r", "header": "h", "question": "Why?"}));
    let two = asked(1, "item/tool/requestUserInput", &params);
    assert_eq!(two.answer("1"), None);
    assert_eq!(
        two.answer("1; because").unwrap(),
        json!({"answers": {"q": {"answers": ["red"]}, "r": {"answers": ["because"]}}})
    );
}

#[test]
fn calls_of_tools_that_belong_to_another_frontend_are_left_alone() {
    let params =
        json!({"threadId": "t", "turnId": "u", "callId": "c", "arguments": {}, "tool": "x"});
    let question = asked(1, "item/tool/call", &params);
    assert!(!question.is_for_people());
    assert_eq!(question.answer("y"), None);
}

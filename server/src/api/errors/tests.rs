use serde_json::{Value, json};
use spindle_schema::experimental::Requirement;
use spindle_schema::ids::{ThreadId, TurnId};

use super::*;

const THREAD: &str = "01990000-0000-7000-8000-000000000001";

fn id() -> ThreadId {
    ThreadId::parse(THREAD).expect("a UUID")
}

/// Code, message and data as they are written.
fn written(error: &RpcError) -> (i64, String, Value) {
    let object = error.to_object();
    let data = object.data.map(|data| serde_json::from_str(data.get()).expect("data is JSON"));
    (object.code, object.message.to_owned(), data.unwrap_or_default())
}

#[test]
fn refusals_of_a_turn_are_told_apart_by_their_data() {
    let (code, message, data) = written(&of_engine(&Error::NoActiveTurn(ActiveTurnAction::Steer)));
    assert_eq!((code, &*message), (-32600, "no active turn to steer"));
    assert_eq!(data, json!({ "type": "noActiveTurn" }));
    let mismatch = |action| Error::TurnMismatch {
        action,
        expected: TurnId::new("a"),
        actual: TurnId::new("b"),
    };
    let (_, message, data) = written(&of_engine(&mismatch(ActiveTurnAction::Steer)));
    assert_eq!(message, "expected active turn id `a` but found `b`");
    assert_eq!(data, json!({ "type": "turnMismatch", "expectedTurnId": "a", "activeTurnId": "b" }));
    let (_, message, _) = written(&of_engine(&mismatch(ActiveTurnAction::Interrupt)));
    assert_eq!(message, "expected active turn id a but found b");
}

#[test]
fn the_protocols_own_members_of_data_are_kept() {
    let large = Error::InputTooLarge { max_chars: 10, actual_chars: 11 };
    let (code, _, data) = written(&of_engine(&large));
    assert_eq!(code, -32602);
    assert_eq!(
        data,
        json!({
            "type": "inputTooLarge", "input_error_code": "input_too_large", "max_chars": 10,
            "actual_chars": 11,
        })
    );
    let (_, message, data) = written(&of_engine(&Error::NotSteerable("compact")));
    assert_eq!(message, "cannot steer a compact turn");
    assert_eq!(
        data["codexErrorInfo"],
        json!({ "activeTurnNotSteerable": { "turnKind": "compact" } })
    );
    assert_eq!((&data["type"], &data["message"]), (&json!("turnNotSteerable"), &json!(message)));
    let (_, message, data) = written(&of_engine(&Error::ProviderNotConfigured("x".into())));
    assert_eq!(message, "failed to load configuration: Model provider `x` not found");
    assert_eq!(data, json!({ "type": "modelProviderNotConfigured", "modelProvider": "x" }));
    let (_, _, data) = written(&of_engine(&config::Error::VersionConflict.into()));
    assert_eq!(data["config_write_error_code"], "configVersionConflict");
}

#[test]
fn a_thread_that_is_not_there_is_named() {
    for error in [Error::ThreadNotFound(id()), Error::NoRollout(id()), Error::NotLoaded(id())] {
        let (code, message, data) = written(&of_engine(&error));
        assert_eq!(code, -32600);
        assert!(message.ends_with(THREAD), "{message}");
        assert_eq!(data, json!({ "type": "threadNotFound", "threadId": THREAD }));
    }
    let (_, message, _) = written(&Refusal::NotArchived(id()).into());
    assert_eq!(message, format!("no archived rollout found for thread id {THREAD}"));
}

#[test]
fn a_failure_of_the_disk_tells_its_cause_and_whether_to_try_again() {
    let source = std::io::Error::from(std::io::ErrorKind::StorageFull);
    let error = store::Error::Io { action: "write", path: "/r".into(), source };
    let (code, message, data) = written(&of_engine(&error.into()));
    assert_eq!(code, -32603);
    assert!(message.starts_with("could not write /r: "), "{message}");
    assert_eq!(data, json!({ "type": "storeFailed", "isRetryable": true }));
}

#[test]
fn text_that_is_no_id_is_refused_in_the_words_of_the_method() {
    let invalid = ThreadId::parse("junk").expect_err("junk is no UUID");
    let (_, message, data) = written(&Refusal::ThreadId(&invalid).into());
    assert!(message.starts_with("invalid thread id: invalid character"), "{message}");
    assert_eq!(data, json!({ "type": "invalidValue", "field": "threadId" }));
    let (_, message, _) = written(&Refusal::SessionId(&invalid).into());
    assert!(message.starts_with("invalid session id: "), "{message}");
}

#[test]
fn what_needs_the_experimental_api_is_named() {
    let requirement = Requirement::Member { method: "thread/start", member: "dynamic_tools" };
    let (code, message, data) = written(&Refusal::Experimental(requirement).into());
    assert_eq!(code, -32600);
    assert_eq!(message, "thread/start.dynamicTools requires experimentalApi capability");
    assert_eq!(
        data,
        json!({ "type": "experimentalApiRequired", "what": "thread/start.dynamicTools" })
    );
}

#[test]
fn a_method_that_does_nothing_yet_says_so() {
    let (code, message, data) = written(&Refusal::Absent("review/start").into());
    assert_eq!((code, &*message), (-32601, "review/start is not supported yet"));
    assert_eq!(data, json!({ "type": "unsupportedMethod", "method": "review/start" }));
}

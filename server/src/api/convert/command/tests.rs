use serde_json::{Value, json};

use super::*;

fn exec_of(mut params: Value) -> Result<CommandRequest, CommandRefusal> {
    if params.get("command").is_none() {
        params["command"] = json!(["true"]);
    }
    exec(serde_json::from_value(params).expect("params of the protocol"))
}

fn refused(params: Value) -> String {
    exec_of(params).expect_err("it is refused").to_string()
}

#[test]
fn a_command_has_ten_seconds_and_a_mebibyte_unless_its_client_says_otherwise() {
    let usual = exec_of(json!({})).expect("usual");
    assert_eq!((usual.timeout, usual.cap_bytes), (Some(USUAL_TIMEOUT), Some(1 << 20)));
    let free = exec_of(json!({"disableTimeout": true, "disableOutputCap": true})).expect("free");
    assert_eq!((free.timeout, free.cap_bytes), (None, None));
    let own = exec_of(json!({"timeoutMs": 0, "outputBytesCap": 4})).expect("own");
    assert_eq!((own.timeout, own.cap_bytes), (Some(Duration::ZERO), Some(4)));
}

#[test]
fn null_lifts_the_limits_of_a_process_and_silence_does_not() {
    let of = |params: Value| {
        let mut whole = json!({"command": ["true"], "cwd": "/", "processHandle": "h"});
        whole.as_object_mut().expect("an object").extend(params.as_object().cloned().expect("so"));
        let request = process(serde_json::from_value(whole).expect("params of the protocol"));
        let request = request.expect("it is accepted");
        (request.timeout, request.cap_bytes)
    };
    assert_eq!(of(json!({})), (Some(USUAL_TIMEOUT), Some(USUAL_CAP_BYTES)));
    assert_eq!(of(json!({"timeoutMs": null, "outputBytesCap": null})), (None, None));
}

#[test]
fn params_that_contradict_each_other_are_refused() {
    let twice = json!({"timeoutMs": 1, "disableTimeout": true});
    assert_eq!(refused(twice), "command/exec cannot set both timeoutMs and disableTimeout");
    let past = json!({"timeoutMs": -1});
    assert_eq!(refused(past), "command/exec timeoutMs must be non-negative, got -1");
    let size = json!({"processId": "p", "size": {"rows": 1, "cols": 1}});
    assert_eq!(refused(size), "command/exec size requires tty: true");
    let size = json!({"processId": "p", "tty": true, "size": {"rows": 0, "cols": 1}});
    assert_eq!(refused(size), "command/exec size rows and cols must be greater than 0");
    let policy = json!({"type": "readOnly"});
    let held = json!({"sandboxPolicy": policy, "permissionProfile": ":read-only"});
    assert_eq!(refused(held), "command/exec cannot set both permissionProfile and sandboxPolicy");
}

#[test]
fn what_happens_while_a_command_runs_needs_a_name_for_it() {
    for flag in ["tty", "streamStdin", "streamStdoutStderr"] {
        let text = refused(json!({ flag: true }));
        assert_eq!(text, "command/exec tty or streaming requires a client-supplied processId");
    }
}

#[test]
fn what_is_written_is_in_base64_and_not_nothing() {
    assert_eq!(written("m", Some("aGkK"), false).expect("base64"), b"hi\n");
    assert_eq!(written("m", None, true).expect("it closes"), b"");
    let none = written("m", None, false).expect_err("nothing").to_string();
    assert_eq!(none, "m requires deltaBase64 or closeStdin");
    let bad = written("m", Some("!!"), false).expect_err("no base64").to_string();
    assert_eq!(bad, "invalid deltaBase64: Invalid symbol 33, offset 0.");
}

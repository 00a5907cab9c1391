use super::*;

#[test]
fn the_fixed_order_is_read_without_parsing_the_payload() {
    let line = br#"{"timestamp":"2026-11-30T13:45:18.123Z","ordinal":7,"type":"event_msg","payload":{"type":"task_started","turn_id":"t"}}"#;
    let read = Envelope::fast(line).unwrap();
    assert_eq!(read.ordinal, Some(7));
    assert_eq!(read.kind, "event_msg");
    assert_eq!(read.event().unwrap(), "task_started");
    assert_eq!(read.at_ms(), Some(1_796_046_318_123));
}

#[test]
fn any_order_and_spacing_reads_the_same() {
    let fixed = br#"{"timestamp":"2026-11-30T13:45:18Z","ordinal":1,"type":"event_msg","payload":{"type":"token_count","x":1.5}}"#;
    let loose = br#"{ "payload": {"x": 1.5, "type": "token_count"}, "type": "event_msg", "ordinal": 1, "timestamp": "2026-11-30T13:45:18Z" }"#;
    let (fixed, loose) = (Envelope::read(fixed).unwrap(), Envelope::read(loose).unwrap());
    assert_eq!(
        (&fixed.timestamp, fixed.ordinal, &fixed.kind),
        (&loose.timestamp, loose.ordinal, &loose.kind)
    );
    assert_eq!(fixed.event(), loose.event());
}

#[test]
fn a_payload_is_read_up_to_its_end() {
    let line = br#"{"timestamp":"","type":"response_item","payload":{"a":1},"metadata":{"a":2}}"#;
    let read: serde_json::Value = Envelope::read(line).unwrap().payload().unwrap();
    assert_eq!(read, serde_json::json!({"a": 1}));
}

#[test]
fn what_is_no_record_is_none() {
    for line in [&b"\0\0\0"[..], b"{}", b"[1]", b"{\"timestamp\":\"x\"", b"", b"{\"type\":\"a\"}"] {
        assert_eq!(Envelope::read(line), None);
    }
}

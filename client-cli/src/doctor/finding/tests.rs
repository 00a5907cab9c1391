use super::{Finding, Status, table, worst};
use crate::paint::Paint;

#[test]
fn findings_stand_in_columns_with_further_lines_below() {
    let findings = [Finding::ok("home", "/h"), Finding::fail("settings", "line 3\nline 9")];
    assert_eq!(
        table(&findings, Paint::Bare),
        "ok    home      /h\nFAIL  settings  line 3\n                line 9\n"
    );
}

#[test]
fn the_worst_finding_decides() {
    assert_eq!(worst(&[]), Status::Ok);
    assert_eq!(worst(&[Finding::ok("a", ""), Finding::warn("b", "")]), Status::Warn);
    assert_eq!(worst(&[Finding::fail("a", ""), Finding::ok("b", "")]), Status::Fail);
}

#[test]
fn programs_read_plain_words() {
    let text = serde_json::to_string(&Finding::warn("home", "x")).unwrap();
    assert_eq!(text, r#"{"check":"home","status":"warn","detail":"x"}"#);
}

use super::*;

#[test]
fn only_code_zero_is_success() {
    assert!(ExitStatus { code: 0, signal: None }.is_success());
    assert!(!ExitStatus { code: 1, signal: None }.is_success());
    assert!(!ExitStatus { code: 137, signal: Some(9) }.is_success());
}

#[test]
fn descendants_of_nobody_are_none() {
    let nobody = Pid::from_raw(i32::MAX).expect("a number");
    assert_eq!(descendants(nobody), vec![]);
}

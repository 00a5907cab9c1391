use std::time::Duration;

use super::*;

fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), text).expect("the file takes it");
    file
}

fn capability_with(token_file: Option<&Path>, token_sha256: Option<&str>) -> AuthOptions {
    AuthOptions {
        mode: Some(AuthMode::CapabilityToken),
        token_file: token_file.map(Path::to_path_buf),
        token_sha256: token_sha256.map(str::to_owned),
        ..AuthOptions::default()
    }
}

fn refusal(options: &AuthOptions) -> String {
    of(options).expect_err("the options do not fit").to_string()
}

#[test]
fn no_options_mean_no_guard() {
    assert!(of(&AuthOptions::default()).expect("nothing is wrong").is_none());
}

#[test]
fn a_token_comes_from_a_file_or_as_a_digest() {
    let file = file("  sesame\n");
    let guard = of(&capability_with(Some(file.path()), None)).expect("fine").expect("a guard");
    let Guard::Capability(digest) = guard else { panic!("a token was given") };
    let hex = digest.map(|byte| format!("{byte:02X}")).concat();
    let same = of(&capability_with(None, Some(&hex))).expect("fine").expect("a guard");
    assert!(matches!(same, Guard::Capability(other) if other == digest));
}

#[test]
fn options_that_do_not_fit_each_other_are_refused() {
    let some = file("sesame");
    assert!(refusal(&capability_with(None, None)).contains("is required when"));
    let both = capability_with(Some(some.path()), Some("00"));
    assert!(refusal(&both).ends_with("are mutually exclusive"));
    assert!(refusal(&capability_with(None, Some("xyz"))).contains("64-character hex"));
    let without_mode = AuthOptions { mode: None, ..capability_with(Some(some.path()), None) };
    assert!(refusal(&without_mode).starts_with("websocket auth flags require"));
    let skew = Some(Duration::from_secs(1));
    let mixed = AuthOptions { max_clock_skew: skew, ..capability_with(Some(some.path()), None) };
    assert!(refusal(&mixed).ends_with("require `--ws-auth signed-bearer-token`"));
    let other = AuthOptions {
        mode: Some(AuthMode::SignedBearerToken),
        ..capability_with(Some(some.path()), None)
    };
    assert!(refusal(&other).ends_with("require `--ws-auth capability-token`"));
}

#[test]
fn a_secret_that_cannot_be_used_is_named() {
    let empty = file(" \n");
    let path = empty.path().display().to_string();
    let text = refusal(&capability_with(Some(empty.path()), None));
    assert_eq!(text, format!("websocket auth secret {path} must not be empty"));
    let text = refusal(&capability_with(Some(Path::new("/no/such")), None));
    assert!(text.starts_with("failed to read websocket auth secret /no/such: "), "{text}");
    let signed = |path: Option<&Path>| AuthOptions {
        mode: Some(AuthMode::SignedBearerToken),
        shared_secret_file: path.map(Path::to_path_buf),
        ..AuthOptions::default()
    };
    assert!(refusal(&signed(None)).starts_with("`--ws-shared-secret-file` is required"));
    let short = file("short");
    assert!(refusal(&signed(Some(short.path()))).ends_with("must be at least 32 bytes"));
    let long = file("0123456789abcdef0123456789abcdef");
    assert!(matches!(of(&signed(Some(long.path()))), Ok(Some(Guard::Signed(_)))));
}

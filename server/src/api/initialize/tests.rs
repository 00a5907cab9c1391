use spindle_schema::v2::InitializeCapabilities;

use super::*;

fn params(name: &str) -> InitializeParams {
    let client_info = ClientInfo { name: name.into(), version: "1.2".into(), title: None };
    InitializeParams { client_info, capabilities: None }
}

#[test]
fn the_user_agent_bears_the_protocol_version_where_clients_look_for_it() {
    let platform = Platform::default();
    let (result, identity) = greet(params("lab"), Path::new("/h"), &platform).expect("fine");
    assert!(result.user_agent.starts_with("lab/0.171.0 ("), "{}", result.user_agent);
    assert!(result.user_agent.contains(" (lab; 1.2) spindle/"), "{}", result.user_agent);
    assert_eq!(result.codex_home.0, "/h");
    assert_eq!(*identity.user_agent, *result.user_agent);
    assert!(!identity.is_experimental);
    assert!(identity.unwanted.is_empty());
}

#[test]
fn capabilities_are_kept() {
    let mut params = params("lab");
    params.capabilities = Some(InitializeCapabilities {
        experimental_api: true,
        opt_out_notification_methods: Some(vec!["thread/started".into()]),
        ..InitializeCapabilities::default()
    });
    let (_, identity) = greet(params, Path::new("/h"), &Platform::default()).expect("fine");
    assert!(identity.is_experimental);
    assert_eq!(identity.unwanted, ["thread/started".into()]);
}

#[test]
fn a_name_that_is_no_header_value_is_refused() {
    let error = greet(params("bad name\n"), Path::new("/h"), &Platform::default());
    let error = error.expect_err("a line break is not allowed");
    assert_eq!(error.code(), -32600);
    assert_eq!(
        error.message(),
        "Invalid clientInfo.name: 'bad name\n'. Must be a valid HTTP header value."
    );
}

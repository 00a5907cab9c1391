use super::*;

fn model(value: Value) -> Grant {
    let form = ModelForm::deserialize(value).expect("a model's form");
    Grant::asked(form, Path::new("/no/such/ws"))
}

fn asked() -> Grant {
    model(json!({ "network": { "enabled": true },
                  "file_system": { "read": ["/no/such/o"], "write": ["/no/such/o/granted"] } }))
}

fn answer(permissions: &Value) -> Grant {
    let (answered, _) = Answered::read(&json!({ "permissions": permissions }));
    asked().granted(&answered)
}

/// The forms of `permission_grant_turn`.
#[test]
fn a_question_has_the_recorded_form() {
    let expected = json!({
        "network": { "enabled": true },
        "fileSystem": {
            "entries": [
                { "access": "read", "path": { "type": "path", "path": "/no/such/o" } },
                { "access": "write", "path": { "type": "path", "path": "/no/such/o/granted" } },
            ],
            "read": ["/no/such/o"],
            "write": ["/no/such/o/granted"],
        },
    });
    assert_eq!(asked().to_protocol(), expected);
    assert_eq!(answer(&expected), asked(), "whoever sends it back grants it");
}

/// The texts of `permission_deny` and `permission_grant_partial`.
#[test]
fn the_model_is_told_what_was_granted_and_for_how_long() {
    let nothing = r#"{"permissions":{"network":null,"file_system":null},"scope":"turn"}"#;
    assert_eq!(Grant::default().for_model(Lasting::Turn), nothing);
    let part = answer(&json!({ "fileSystem": { "read": null, "write": ["/no/such/o/granted"] } }));
    assert_eq!(
        part.for_model(Lasting::Session),
        r#"{"permissions":{"network":null,"file_system":{"write":["/no/such/o/granted"]}},"scope":"session"}"#
    );
}

/// `permission_grant_wider`.
#[test]
fn never_more_is_granted_than_was_asked() {
    let wider = answer(&json!({ "network": { "enabled": true },
                               "fileSystem": { "write": ["/no/such", "/etc"] } }));
    assert_eq!(wider.write, [PathBuf::from("/no/such/o/granted")], "a folder above covers it");
    assert_eq!(wider.read, Vec::<PathBuf>::new(), "a list that is left out grants nothing");
    let quiet = model(json!({ "file_system": { "write": ["/no/such/o"] } }));
    let (all, _) = Answered::read(&json!({ "permissions": { "network": { "enabled": true } } }));
    assert!(quiet.granted(&all).is_empty());
}

#[test]
fn a_narrower_place_and_a_weaker_access_are_granted_as_they_are() {
    let places = |entries: Value| answer(&json!({ "fileSystem": { "entries": entries } }));
    let below = json!({ "type": "path", "path": "/no/such/o/granted/deep" });
    assert_eq!(
        places(json!([{ "access": "write", "path": below }])).write,
        [PathBuf::from("/no/such/o/granted/deep")]
    );
    let weaker = places(json!([{ "access": "read", "path": below }]));
    assert_eq!((weaker.write.len(), weaker.read.len()), (0, 1));
    let escape = json!({ "type": "path", "path": "/no/such/o/granted/../../../../etc" });
    let tricked = places(json!([{ "access": "write", "path": escape }]));
    assert!(tricked.write.is_empty(), "{tricked:?}");
}

#[test]
fn where_two_lists_differ_the_careful_reading_counts() {
    let entry =
        json!({ "access": "write", "path": { "type": "path", "path": "/no/such/o/granted" } });
    let differ = answer(&json!({ "fileSystem": { "entries": [entry], "write": [] } }));
    assert!(differ.is_empty());
}

/// `permission_bad_reply`.
#[test]
fn an_answer_of_another_shape_is_a_no() {
    for odd in [
        json!({ "nope": 1 }),
        json!(null),
        json!({ "permissions": [] }),
        json!({ "permissions": { "fileSystem": 1 } }),
    ] {
        let (answered, lasting) = Answered::read(&odd);
        assert!(asked().granted(&answered).is_empty(), "{odd}");
        assert_eq!(lasting, Lasting::Turn);
    }
    let pattern = json!({ "type": "glob_pattern", "pattern": "/**" });
    let (answered, _) = Answered::read(&json!({ "permissions": { "fileSystem": {
        "entries": [{ "access": "write", "path": pattern }] } } }));
    assert!(asked().granted(&answered).is_empty());
}

/// `permission_bad_args`.
#[test]
fn paths_begin_at_the_working_folder_and_unknown_members_are_named() {
    let relative = model(json!({ "file_system": { "write": ["sub/x", "./sub/../sub/x"] } }));
    assert_eq!(relative.write, [PathBuf::from("/no/such/ws/sub/x")]);
    let error = ModelForm::deserialize(json!({ "nope": 1 })).expect_err("unknown");
    assert_eq!(error.to_string(), "unknown field `nope`, expected `network` or `file_system`");
    assert!(model(json!({ "network": { "enabled": false } })).is_empty());
    let path = json!({ "type": "path", "path": "sub/x" });
    let entries = json!({ "file_system": { "entries": [{ "access": "write", "path": path }] } });
    assert_eq!(model(entries), relative);
    let special = json!({ "type": "special", "value": { "kind": "root" } });
    let entries = json!({ "file_system": { "entries": [{ "access": "write", "path": special }] } });
    assert!(ModelForm::deserialize(entries).is_err());
}

#[test]
fn people_are_shown_where_a_link_leads() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = folder.path().canonicalize().expect("it is there");
    std::fs::create_dir(base.join("target")).expect("a folder");
    std::os::unix::fs::symlink(base.join("target"), base.join("harmless")).expect("a link");
    let form = json!({ "file_system": { "write": ["harmless/new", "harmless"] } });
    let grant = Grant::asked(ModelForm::deserialize(form).expect("a form"), &base);
    assert_eq!(grant.write, [base.join("target/new"), base.join("target")]);
}

#[test]
fn what_is_covered_need_not_be_asked_again() {
    let mut have = model(json!({ "file_system": { "write": ["/no/such/o"] } }));
    assert!(have.covers(&model(json!({ "file_system": { "write": ["/no/such/o/x"] } }))));
    assert!(have.covers(&model(json!({ "file_system": { "read": ["/no/such/o/x"] } }))));
    assert!(!have.covers(&model(json!({ "file_system": { "write": ["/no/such/other"] } }))));
    let network = model(json!({ "network": { "enabled": true } }));
    assert!(!have.covers(&network));
    have.add(&network);
    assert!(have.covers(&network));
}

#[test]
fn a_folder_can_be_kept_out() {
    let grant = model(json!({ "file_system": { "write": ["/no/such/home/rules", "/no/such/o"] } }));
    assert_eq!(grant.without(Path::new("/no/such/home")).write, [PathBuf::from("/no/such/o")]);
}

use serde_json::json;

use super::{LayerMetadata, LayerSource, version_of};

#[test]
fn the_version_depends_on_the_settings_and_not_on_their_order() {
    let one = json!({"a": 1, "b": {"c": [1, "x"], "d": true}});
    let same = json!({"b": {"d": true, "c": [1, "x"]}, "a": 1});
    let other = json!({"a": 2, "b": {"c": [1, "x"], "d": true}});
    let version = |value: &serde_json::Value| version_of(value.as_object().unwrap());
    assert_eq!(version(&one), version(&same));
    assert_ne!(version(&one), version(&other));
}

#[test]
fn the_version_of_no_settings_is_the_digest_of_an_empty_object() {
    assert_eq!(
        &*version_of(&serde_json::Map::new()),
        "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    );
}

#[test]
fn sources_have_the_form_of_the_protocol() {
    let user = LayerMetadata {
        name: LayerSource::User { file: "/h/config.toml".into(), profile: None },
        version: "sha256:0".into(),
    };
    assert_eq!(
        serde_json::to_value(user).unwrap(),
        json!({"name": {"type": "user", "file": "/h/config.toml", "profile": null},
            "version": "sha256:0"})
    );
    let project = LayerSource::Project { dot_codex_folder: "/p/.codex".into() };
    assert_eq!(
        serde_json::to_value(&project).unwrap(),
        json!({"type": "project", "dotCodexFolder": "/p/.codex"})
    );
    assert_eq!(project.label(), "/p/.codex/config.toml");
    assert_eq!(
        serde_json::to_value(LayerSource::SessionFlags).unwrap(),
        json!({"type": "sessionFlags"})
    );
}

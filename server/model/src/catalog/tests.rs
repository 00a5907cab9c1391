use serde_json::{Value, json};

use super::{Catalog, CatalogError, Modality, ModelInfo, Visibility, unknown_warning};

#[test]
fn the_built_in_list_has_the_usual_models_in_order() {
    let catalog = Catalog::built_in();
    let slugs: Vec<_> = catalog.models().iter().map(|model| model.slug.as_str()).collect();
    assert_eq!(slugs.len(), 11);
    assert_eq!((slugs[0], slugs[10]), ("gpt-6.2-sol", "gpt-5.5"));
    assert_eq!(catalog.default_model().slug, "gpt-6.2-sol");
}

#[test]
fn every_default_of_the_built_in_list_is_one_of_the_choices() {
    for model in Catalog::built_in().models() {
        let efforts: Vec<_> =
            model.supported_reasoning_levels.iter().map(|level| &level.effort).collect();
        let default = model.default_reasoning_level.as_ref().expect("every model has one");
        assert!(efforts.contains(&default), "{}", model.slug);
        if let Some(tier) = &model.default_service_tier {
            assert!(model.service_tiers.iter().any(|known| known.id == *tier), "{}", model.slug);
        }
        if let Some(upgrade) = &model.upgrade {
            assert!(Catalog::built_in().find(&upgrade.model).is_some(), "{}", model.slug);
        }
        assert_eq!(model.extra.keys().collect::<Vec<_>>(), Vec::<&String>::new());
    }
}

#[test]
fn the_used_window_is_a_part_of_the_whole() {
    let window = |slug| Catalog::built_in().resolve(slug).info.effective_context_window();
    assert_eq!(window("gpt-5.5"), Some(258_400));
    assert_eq!(window("gpt-6.2-sol"), Some(475_000));
    assert_eq!(window("gpt-5.2-codex"), Some(258_400));
}

#[test]
fn an_unknown_model_gets_cautious_assumptions_and_a_warning() {
    let resolved = Catalog::built_in().resolve("gpt-5.2-codex");
    assert!(!resolved.known);
    let info = resolved.info;
    assert_eq!(info.slug, "gpt-5.2-codex");
    assert_eq!((info.apply_patch_tool_type, &info.default_reasoning_level), (None, &None));
    assert!(!info.support_verbosity && info.supports_parallel_tool_calls);
    assert_eq!(
        unknown_warning("x"),
        "Model metadata for `x` not found. Defaulting to fallback metadata; this can degrade performance and cause issues."
    );
}

#[test]
fn a_release_and_a_makers_prefix_are_the_model_itself() {
    let catalog = Catalog::built_in();
    for name in ["gpt-5.5-2026-04-23", "openai/gpt-5.5", "openai/gpt-5.5-2026-04-23"] {
        let resolved = catalog.resolve(name);
        assert!(resolved.known, "{name}");
        assert_eq!(resolved.info.slug, name);
        assert_eq!(resolved.info.display_name, "GPT-5.5");
    }
    for name in ["gpt-5.5-mini", "gpt-5", "", "gpt-5.5-20x"] {
        assert!(!catalog.resolve(name).known, "{name}");
    }
}

#[test]
fn the_stand_in_has_a_list_of_its_own() {
    let catalog = Catalog::built_in();
    let offline = catalog.for_provider("offline");
    assert_eq!(offline.default_model().slug, "spindle-offline");
    assert_eq!(offline.models().len(), 1);
    assert!(catalog.resolve("spindle-offline").known);
    assert!(!catalog.resolve("spindle-offline").info.takes_images());
    assert_eq!(catalog.for_provider("mock").models().len(), 11);
}

#[test]
fn a_catalogue_file_is_read_and_written_back_with_what_is_unknown() {
    let file = json!({"models": [
        {"slug": "hidden", "display_name": "H", "visibility": "hide"},
        {"slug": "mine", "display_name": "Mine", "input_modalities": ["text", "smell"], "shell_type": "x"}
    ]});
    let catalog = Catalog::from_json(&file.to_string()).expect("is well formed");
    assert_eq!(catalog.default_model().slug, "mine");
    let mine = &catalog.resolve("mine").info;
    assert_eq!(mine.input_modalities, [Modality::Text, Modality::Other("smell".into())]);
    assert_eq!(mine.visibility, Visibility::List);
    let written: Value = serde_json::from_str(&catalog.to_json()).expect("is JSON");
    assert_eq!(written["models"][1]["shell_type"], "x");
    let again = Catalog::from_json(&catalog.to_json()).expect("is well formed");
    assert_eq!(again.models(), catalog.models());
}

#[test]
fn a_catalogue_that_cannot_be_used_says_why() {
    assert!(matches!(Catalog::from_json("{}"), Err(CatalogError::Unreadable(_))));
    assert!(matches!(Catalog::from_json(r#"{"models":[]}"#), Err(CatalogError::Empty)));
}

#[test]
fn a_window_of_any_size_does_not_overflow() {
    let huge = ModelInfo { context_window: Some(i64::MAX), ..ModelInfo::fallback("huge") };
    assert!(huge.effective_context_window().is_some());
}

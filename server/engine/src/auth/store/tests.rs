use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use spindle_model::{Auth, Provider, ProviderSettings};

use super::{Account, Store};

fn store(home: &Path, env: &[(&str, &str)]) -> Store {
    let env: HashMap<_, _> = env.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    Store::new(home, Arc::new(env))
}

fn provider(requires_openai_auth: bool, token: Option<&str>) -> Provider {
    let settings = ProviderSettings {
        base_url: Some("http://127.0.0.1:1/v1".into()),
        requires_openai_auth,
        experimental_bearer_token: token.map(Into::into),
        ..ProviderSettings::default()
    };
    let entries = BTreeMap::from([("p".to_owned(), settings)]);
    ProviderSettings::resolve("p", &entries, |_| None).unwrap()
}

fn bearer(provider: &Provider) -> Option<&str> {
    match &provider.auth {
        Auth::Bearer(key) => Some(key.reveal()),
        Auth::None | Auth::EnvKey { .. } => None,
    }
}

#[test]
fn a_key_is_kept_for_its_owner_alone_until_the_logout() {
    let home = tempfile::tempdir().unwrap();
    let store = store(home.path(), &[]);
    assert!(store.key().is_none());
    store.log_in("sk-1").unwrap();
    assert_eq!(store.key().unwrap().reveal(), "sk-1");
    store.log_in("sk-2").unwrap();
    assert_eq!(store.key().unwrap().reveal(), "sk-2");
    let file = home.path().join("auth.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let content: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(content, serde_json::json!({"auth_mode": "apikey", "OPENAI_API_KEY": "sk-2"}));
    assert!(store.log_out().unwrap());
    assert!(!store.log_out().unwrap());
    assert!(store.key().is_none() && !file.exists());
}

#[test]
fn the_environment_is_over_the_file_or_below_it_by_the_variables_name() {
    let home = tempfile::tempdir().unwrap();
    let key =
        |env: &[(&str, &str)]| store(home.path(), env).key().map(|key| key.reveal().to_owned());
    let both = [("CODEX_API_KEY", "over"), ("OPENAI_API_KEY", "below")];
    assert_eq!(key(&both[1..]).as_deref(), Some("below"));
    store(home.path(), &[]).log_in("file").unwrap();
    assert_eq!(key(&both).as_deref(), Some("over"));
    assert_eq!(key(&both[1..]).as_deref(), Some("file"));
    assert_eq!(key(&[("CODEX_API_KEY", " ")]).as_deref(), Some("file"));
}

#[test]
fn only_a_provider_that_wants_an_account_gets_its_key() {
    let home = tempfile::tempdir().unwrap();
    let store = store(home.path(), &[]);
    store.log_in("sk").unwrap();
    let mut wanting = provider(true, None);
    let mut other = provider(false, None);
    let mut own = provider(true, Some("token"));
    for provider in [&mut wanting, &mut other, &mut own] {
        store.sign(provider);
    }
    assert_eq!((bearer(&wanting), bearer(&other), bearer(&own)), (Some("sk"), None, Some("token")));
}

#[test]
fn the_stored_key_is_over_the_fallback_that_the_provider_already_has() {
    let home = tempfile::tempdir().unwrap();
    let store = store(home.path(), &[("OPENAI_API_KEY", "env")]);
    let mut provider = provider(true, Some("env"));
    store.sign(&mut provider);
    assert_eq!(bearer(&provider), Some("env"));
    store.log_in("sk").unwrap();
    store.sign(&mut provider);
    assert_eq!(bearer(&provider), Some("sk"));
}

#[test]
fn clients_hear_of_an_account_only_where_one_is_wanted() {
    let home = tempfile::tempdir().unwrap();
    let store = store(home.path(), &[]);
    let facts = |wants| {
        let facts = store.facts(&provider(wants, None));
        (facts.account, facts.requires_openai_auth)
    };
    assert_eq!((facts(false), facts(true)), ((None, false), (None, true)));
    store.log_in("sk").unwrap();
    assert_eq!((facts(false), facts(true)), ((None, false), (Some(Account::ApiKey), true)));
}

#[test]
fn an_empty_or_unreadable_file_has_no_key_and_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("auth.json");
    let store = store(home.path(), &[]);
    for content in ["", "{", "[]", r#"{"OPENAI_API_KEY": ""}"#, r#"{"tokens": {"id": "x"}}"#] {
        fs::write(&file, content).unwrap();
        assert!(store.key().is_none(), "{content}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

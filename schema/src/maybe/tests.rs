use serde::{Deserialize, Serialize};

use super::Maybe;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Update {
    #[serde(default, skip_serializing_if = "Maybe::is_absent")]
    name: Maybe<String>,
}

#[test]
fn the_three_states_survive_reading_and_writing() {
    for (text, name) in [
        ("{}", Maybe::Absent),
        (r#"{"name":null}"#, Maybe::Null),
        (r#"{"name":"n"}"#, Maybe::Value("n".to_owned())),
    ] {
        let update: Update = serde_json::from_str(text).expect("an update");
        assert_eq!(update, Update { name });
        assert_eq!(serde_json::to_string(&update).expect("JSON"), text);
    }
}

#[test]
fn an_update_tells_leaving_clearing_and_setting_apart() {
    assert_eq!(Maybe::<u8>::Absent.into_update(), None);
    assert_eq!(Maybe::<u8>::Null.into_update(), Some(None));
    assert_eq!(Maybe::Value(1).into_update(), Some(Some(1)));
    for update in [None, Some(None), Some(Some(1))] {
        assert_eq!(Maybe::from(update).into_update(), update);
    }
}

#[test]
fn only_a_value_is_a_value() {
    assert_eq!(Maybe::Value(3).as_ref().value(), Some(&3));
    assert_eq!(Maybe::<u8>::Null.value(), None);
    assert!(Maybe::<u8>::default().is_absent());
}

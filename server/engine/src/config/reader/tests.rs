use std::cell::RefCell;

use serde_json::json;

use super::{Fault, Reader};

#[test]
fn a_value_that_does_not_fit_is_absent_and_named() {
    let settings = json!({"a": "x", "b": {"c": 5, "d": {"e": true}}, "f": 1});
    let faults = RefCell::default();
    let reader = Reader::new(settings.as_object().unwrap(), &faults);
    assert_eq!(reader.get::<String>("a").as_deref(), Some("x"));
    assert_eq!(reader.table("b").get::<String>("c"), None);
    assert_eq!(reader.table("b").table("d").get::<bool>("e"), Some(true));
    assert_eq!(reader.table("f").get::<bool>("e"), None);
    assert_eq!(reader.table("absent").get::<bool>("e"), None);
    assert_eq!(
        faults.into_inner(),
        [
            Fault {
                path: vec!["b".into(), "c".into()],
                message: "invalid type: integer `5`, expected a string".into()
            },
            Fault {
                path: vec!["f".into()],
                message: "invalid type: integer `1`, expected a map".into()
            },
        ]
    );
}

#[test]
fn tables_come_in_the_order_of_the_file() {
    let settings = json!({"z": {"v": 1}, "a": {"v": 2}});
    let faults = RefCell::default();
    let reader = Reader::new(settings.as_object().unwrap(), &faults);
    let values: Vec<_> =
        reader.tables().iter().map(|(name, table)| (*name, table.get::<u8>("v"))).collect();
    assert_eq!(values, [("z", Some(1)), ("a", Some(2))]);
}

//! The words for params that do not fit.

use serde::de::{Error as _, Unexpected};
use serde_json::{Error, Value};

/// What is wrong with the text, without the position, which means nothing to a client.
///
/// A value of the wrong kind where an enum is expected is named, which the decoder of raw text
/// leaves out.
pub(super) fn of(text: &str, error: &Error) -> String {
    let full = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let detail = full.strip_suffix(&position).unwrap_or(&full);
    if detail != "expected value" {
        return detail.to_owned();
    }
    match value_at(text, error.line(), error.column()) {
        Some(value) => Error::invalid_type(kind_of(&value), &"string or map").to_string(),
        None => detail.to_owned(),
    }
}

/// The value whose first byte is at a position, counted from one as the decoder does.
fn value_at(text: &str, line: usize, column: usize) -> Option<Value> {
    let before = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum::<usize>();
    let rest = text.get(before + column.checked_sub(1)?..)?;
    serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()
}

fn kind_of(value: &Value) -> Unexpected<'_> {
    match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(switch) => Unexpected::Bool(*switch),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(natural), ..) => Unexpected::Unsigned(natural),
            (None, Some(whole), _) => Unexpected::Signed(whole),
            (None, None, float) => Unexpected::Float(float.unwrap_or(f64::NAN)),
        },
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    }
}

//! Values of the rule language.

use std::rc::Rc;

use super::ast::Function;
use super::builtin::Builtin;
use super::error::{Fault, Span};

/// The items of a list or tuple.
#[derive(Debug, Clone)]
pub(super) struct Items(Rc<Held>);

#[derive(Debug)]
struct Held {
    values: Vec<Value>,
    /// Lists inside lists; bounded, since they are compared and dropped by recursion.
    depth: usize,
    /// Values in all of them.
    size: usize,
}

/// Lists inside lists.
const MAX_LIST_DEPTH: usize = 8;
/// Values in a list, with all lists in it.
const MAX_LIST_SIZE: usize = 100_000;

impl Items {
    pub(super) fn new(values: Vec<Value>, span: Span) -> Result<Self, Fault> {
        let mut held = Held { depth: 1, size: values.len(), values };
        for value in &held.values {
            if let Value::List(inner) | Value::Tuple(inner) = value {
                held.depth = held.depth.max(inner.0.depth + 1);
                held.size = held.size.saturating_add(inner.0.size);
            }
        }
        if held.depth > MAX_LIST_DEPTH || held.size > MAX_LIST_SIZE {
            return Err(Fault::running(span, "the list is too large"));
        }
        Ok(Self(Rc::new(held)))
    }
}

impl Items {
    /// Returns the number of values, with those of all lists inside.
    pub(super) fn size(&self) -> usize {
        self.0.size
    }
}

impl std::ops::Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.values
    }
}

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Str(Rc<str>),
    List(Items),
    Tuple(Items),
    Function(Rc<Function>),
    Builtin(Builtin),
}

impl Value {
    /// Returns the type's name in messages.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Str(_) => "string",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Function(_) | Value::Builtin(_) => "function",
        }
    }

    /// Returns the value as it would be written.
    pub(super) fn repr(&self) -> String {
        let items = |items: &[Value]| items.iter().map(Value::repr).collect::<Vec<_>>().join(", ");
        match self {
            Value::None => "None".to_owned(),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Int(number) => number.to_string(),
            Value::Str(text) => format!("{text:?}"),
            Value::List(list) => format!("[{}]", items(list)),
            Value::Tuple(list) => format!("({})", items(list)),
            Value::Function(function) => format!("<function {}>", function.name),
            Value::Builtin(builtin) => format!("<function {}>", builtin.name()),
        }
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Value::None => false,
            Value::Bool(value) => *value,
            Value::Int(number) => *number != 0,
            Value::Str(text) => !text.is_empty(),
            Value::List(list) | Value::Tuple(list) => !list.is_empty(),
            Value::Function(_) | Value::Builtin(_) => true,
        }
    }

    pub(super) fn equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equals(b))
            }
            _ => false,
        }
    }
}

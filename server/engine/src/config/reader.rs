//! Takes typed values out of a tree and notes what does not fit.

use std::cell::RefCell;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::tree::Tree;

/// A value that does not fit its setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The setting's name, in parts.
    pub(crate) path: Vec<String>,
    /// What does not fit, as a lower-case fragment.
    pub(crate) message: String,
}

/// Reads one table of settings.
///
/// The same code that reads the whole configuration reads each source of it alone, so that a
/// fault is found where it was written and costs nothing but that setting.
pub(crate) struct Reader<'a> {
    tree: Option<&'a Tree>,
    path: Vec<String>,
    faults: &'a RefCell<Vec<Fault>>,
}

impl<'a> Reader<'a> {
    /// Starts at the top.
    pub(crate) fn new(tree: &'a Tree, faults: &'a RefCell<Vec<Fault>>) -> Self {
        Self { tree: Some(tree), path: Vec::new(), faults }
    }

    /// Takes a value; `None` when it is absent or does not fit.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let value = self.raw(key)?;
        match T::deserialize(value) {
            Ok(fitting) => Some(fitting),
            Err(error) => {
                self.fault(key, error.to_string());
                None
            }
        }
    }

    /// Takes a value as it is.
    pub(crate) fn raw(&self, key: &str) -> Option<&'a Value> {
        self.tree?.get(key)
    }

    /// Steps into a table; an absent one reads as empty.
    pub(crate) fn table(&self, key: &str) -> Reader<'a> {
        let tree = match self.raw(key) {
            Some(Value::Object(tree)) => Some(tree),
            Some(_) => {
                // The words of serde, so that all faults read alike.
                let _ = self.get::<Tree>(key);
                None
            }
            None => None,
        };
        let mut path = self.path.clone();
        path.push(key.to_owned());
        Reader { tree, path, faults: self.faults }
    }

    /// Steps into every table of a table, in order.
    pub(crate) fn tables(&self) -> Vec<(&'a str, Reader<'a>)> {
        self.keys().map(|key| (key, self.table(key))).collect()
    }

    /// The names in this table, in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.tree.into_iter().flat_map(|tree| tree.keys().map(String::as_str))
    }

    /// Notes a value that does not fit for a reason of its own.
    pub(crate) fn fault(&self, key: &str, message: String) {
        let mut path = self.path.clone();
        path.push(key.to_owned());
        self.faults.borrow_mut().push(Fault { path, message });
    }
}

#[cfg(test)]
mod tests;

//! TOML values with their places in the source.
//!
//! In: nothing. Out: tables that merge key by key. Never: what the keys mean.

use std::fmt::Write as _;

use ashta_messages::{Message, message};

use crate::problem::Place;

/// A value of a game file and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    pub place: Place,
    pub value: Value,
}

/// What a game file may hold.
#[derive(Clone, Debug)]
pub enum Value {
    Text(String),
    Number(f64),
    Truth(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// One key of a table with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    pub key_place: Place,
    pub node: Node,
}

impl Value {
    /// The value's type in words.
    pub fn type_name(&self) -> Message {
        match self {
            Value::Text(_) => message!("rules.type-text"),
            Value::Number(_) => message!("rules.type-number"),
            Value::Truth(_) => message!("rules.type-boolean"),
            Value::List(_) => message!("rules.type-list"),
            Value::Table(_) => message!("rules.type-table"),
        }
    }
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    pub fn take(&mut self, key: &str) -> Option<Node> {
        let Value::Table(entries) = &mut self.value else { return None };
        let at = entries.iter().position(|entry| entry.key == key)?;
        Some(entries.remove(at).node)
    }

    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// Lays `over` upon this node: tables merge key by key, everything else is replaced, `"none"` removes a table.
    pub fn overlay(&mut self, over: Node) {
        let (Value::Table(base), Value::Table(entries)) = (&mut self.value, over.value.clone()) else {
            *self = over;
            return;
        };
        for entry in entries {
            let removes = matches!(&entry.node.value, Value::Text(text) if text == "none");
            match base.iter().position(|b| b.key == entry.key) {
                Some(at) if removes && matches!(base[at].node.value, Value::Table(_)) => {
                    base.remove(at);
                }
                Some(at) => base[at].node.overlay(entry.node),
                None => base.push(entry),
            }
        }
    }

    /// Every value that is not a table, with its path of keys.
    pub fn leaves(&self, path: &str, out: &mut Vec<(String, Node)>) {
        for entry in self.entries() {
            let path = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
            match &entry.node.value {
                Value::Table(_) => entry.node.leaves(&path, out),
                _ => out.push((path, entry.node.clone())),
            }
        }
    }

    /// The value as text that does not depend on order, places or comments.
    pub fn canonical(&self, out: &mut String) {
        match &self.value {
            Value::Text(text) => _ = write!(out, "{text:?}"),
            Value::Number(number) => _ = write!(out, "{number}"),
            Value::Truth(truth) => _ = write!(out, "{truth}"),
            Value::List(nodes) => {
                out.push('[');
                for node in nodes {
                    node.canonical(out);
                    out.push(',');
                }
                out.push(']');
            }
            Value::Table(entries) => {
                let mut sorted: Vec<&Entry> = entries.iter().collect();
                sorted.sort_by(|a, b| a.key.cmp(&b.key));
                out.push('{');
                for entry in sorted {
                    _ = write!(out, "{}=", entry.key);
                    entry.node.canonical(out);
                    out.push(';');
                }
                out.push('}');
            }
        }
    }
}

/// A named change that a game file offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeName {
    /// What to write after the `+`.
    pub name: String,
    /// What it changes, in a sentence.
    pub about: String,
    /// The source that has the rule so, where others differ.
    pub witness: Option<String>,
}

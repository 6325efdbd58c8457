//! Reading a table of a game file key by key, collecting every problem on the way.
//!
//! In: a table node. Out: values. Never: stops at the first problem.

use std::cell::RefCell;

use ashta_messages::{Message, ToArg, message};

use crate::node::{Entry, Node, Value};
use crate::problem::{Place, Problem, did_you_mean};

/// Where problems are collected.
pub type Collected = RefCell<Vec<Problem>>;

/// A table being read: remembers which keys were asked for, so that the rest can be reported.
pub struct Fields<'a> {
    entries: &'a [Entry],
    place: &'a Place,
    asked: RefCell<Vec<&'static str>>,
    problems: &'a Collected,
}

impl<'a> Fields<'a> {
    /// Starts reading a node that must be a table, for which `example` is a hint.
    pub fn of(node: &'a Node, example: impl ToArg, problems: &'a Collected) -> Fields<'a> {
        let entries: &[Entry] = match &node.value {
            Value::Table(entries) => entries,
            other => {
                let what = message!("rules.expected-table", found = other.type_name());
                let hint = message!("rules.write", example);
                problems.borrow_mut().push(Problem::new(node.place.clone(), what).hint(hint));
                &[]
            }
        };
        Fields { entries, place: &node.place, asked: RefCell::default(), problems }
    }

    /// Where the table starts.
    pub fn place(&self) -> &'a Place {
        self.place
    }

    /// Where problems of this table go.
    pub fn problems(&self) -> &'a Collected {
        self.problems
    }

    /// Reports a problem.
    pub fn report(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }

    /// The value of a key, if it is there; `"none"` is the same as absent.
    pub fn node(&self, key: &'static str) -> Option<&'a Node> {
        self.asked.borrow_mut().push(key);
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        let absent = matches!(&entry.node.value, Value::Text(text) if text == "none");
        (!absent).then_some(&entry.node)
    }

    /// All keys with their values, none of them unknown.
    pub fn all(&self) -> &'a [Entry] {
        self.entries
    }

    fn wrong(&self, node: &Node, key: &str, wanted: Message) {
        self.report(wrong_type(node, key, wanted));
    }

    /// A text, if the key is there.
    pub fn text(&self, key: &'static str) -> Option<(&'a str, &'a Place)> {
        let node = self.node(key)?;
        match &node.value {
            Value::Text(text) => Some((text, &node.place)),
            _ => {
                self.wrong(node, key, message!("rules.type-text"));
                None
            }
        }
    }

    /// A text that must be there.
    pub fn required_text(&self, key: &'static str) -> (&'a str, &'a Place) {
        self.text(key).unwrap_or_else(|| {
            if self.node(key).is_none() {
                self.report(Problem::new(self.place.clone(), message!("rules.missing-key", key)));
            }
            ("", self.place)
        })
    }

    /// A whole number within a range, if the key is there.
    pub fn number(&self, key: &'static str, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let node = self.node(key)?;
        match node.value {
            Value::Number(n) if n.fract() == 0.0 && range.contains(&(n as u32)) && n >= 0.0 => Some(n as u32),
            Value::Number(n) => {
                let (least, most) = (range.start(), range.end());
                let what = message!("rules.wrong-number", key, least, most, found = n);
                self.report(Problem::new(node.place.clone(), what));
                None
            }
            _ => {
                self.wrong(node, key, message!("rules.type-number"));
                None
            }
        }
    }

    /// Any number, if the key is there.
    pub fn real(&self, key: &'static str) -> Option<f64> {
        let node = self.node(key)?;
        match node.value {
            Value::Number(n) if n.is_finite() => Some(n),
            _ => {
                self.wrong(node, key, message!("rules.type-number"));
                None
            }
        }
    }

    /// True or false, if the key is there.
    pub fn truth(&self, key: &'static str) -> Option<bool> {
        let node = self.node(key)?;
        match node.value {
            Value::Truth(truth) => Some(truth),
            _ => {
                self.wrong(node, key, message!("rules.type-boolean"));
                None
            }
        }
    }

    /// One of several words, or the first of them.
    pub fn choice<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> T {
        let Some(node) = self.node(key) else { return words[0].1 };
        let problem = match &node.value {
            Value::Text(text) => match words.iter().find(|(word, _)| word == text) {
                Some((_, value)) => return *value,
                None => Problem::new(node.place.clone(), message!("rules.wrong-choice", key, text)),
            },
            _ => wrong_type(node, key, message!("rules.type-text")),
        };
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        self.report(problem.hint(message!("rules.choices", names)));
        words[0].1
    }

    /// A text or a list of texts, if the key is there.
    pub fn texts(&self, key: &'static str) -> Option<Vec<(&'a str, &'a Place)>> {
        let node = self.node(key)?;
        let nodes = match &node.value {
            Value::List(nodes) => nodes.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut texts = Vec::new();
        for node in nodes {
            match &node.value {
                Value::Text(text) => texts.push((text.as_str(), &node.place)),
                _ => self.wrong(node, key, message!("rules.type-texts")),
            }
        }
        Some(texts)
    }

    /// A table inside this one, if the key is there; `example` is what to write when something else is.
    pub fn table(&self, key: &'static str, example: impl ToArg) -> Option<Fields<'a>> {
        let node = self.node(key)?;
        match &node.value {
            Value::Table(_) => Some(Fields::of(node, example, self.problems)),
            _ => {
                let problem = wrong_type(node, key, message!("rules.type-table"));
                self.report(problem.hint(message!("rules.write", example)));
                None
            }
        }
    }

    /// A table that must be there.
    pub fn required_table(&self, key: &'static str, example: impl ToArg) -> Option<Fields<'a>> {
        if self.node(key).is_none() {
            let problem = Problem::new(self.place.clone(), message!("rules.missing-table", key));
            self.report(problem.hint(message!("rules.write", example)));
        }
        self.table(key, example)
    }

    /// Reports every key that nobody asked for.
    pub fn finish(&self) {
        let asked = self.asked.borrow();
        for entry in self.entries.iter().filter(|entry| !asked.contains(&entry.key.as_str())) {
            let what = message!("rules.unknown-key", key = entry.key);
            let problem = Problem::new(entry.key_place.clone(), what);
            let hint = did_you_mean(&entry.key, asked.iter().copied()).unwrap_or_else(|| {
                let mut names = asked.clone();
                names.sort_unstable();
                names.dedup();
                message!("rules.known-keys", names)
            });
            self.problems.borrow_mut().push(problem.hint(hint));
        }
    }
}

fn wrong_type(node: &Node, key: &str, wanted: Message) -> Problem {
    let what = message!("rules.wrong-type", key, wanted, found = node.value.type_name());
    Problem::new(node.place.clone(), what)
}

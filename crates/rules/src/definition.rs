//! A game as written: TOML tables with the place of every value, inheritance and named changes applied.
//!
//! In: source texts. Out: one merged table. Never: what the keys mean, beyond `extends` and `changes`.

use std::sync::Arc;

use ashta_messages::{Message, message};
use toml::de::{DeTable, DeValue};

use crate::changes::{Applied, Offered};
use crate::node::{ChangeName, Entry, Node, Value};
use crate::problem::{Place, Problem, Problems, Source, did_you_mean};

/// A game as written, after inheritance and changes.
#[derive(Clone, Debug)]
pub struct Definition {
    /// How the game is called for: `shatranj+double-step`.
    pub id: String,
    /// The merged table.
    pub root: Node,
    /// The changes that may be switched on.
    pub changes: Arc<[ChangeName]>,
    /// What went wrong in switching changes on; the rest of the table can still be judged.
    pub problems: Vec<Problem>,
}

/// Where ancestors are found by name.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    /// Every name that can be found.
    pub names: &'a [&'a str],
    /// Finds the text of a game.
    pub find: &'a dyn Fn(&str) -> Option<Arc<Source>>,
}

const MAX_ANCESTORS: usize = 16;

/// A game as written, after inheritance and before any change: read once, however many changes are tried.
pub struct Written {
    id: String,
    start: Place,
    root: Node,
    offered: Offered,
}

impl Written {
    /// Reads a source, its ancestors found by `lookup`.
    pub fn read(id: &str, source: Arc<Source>, lookup: Lookup) -> Result<Written, Problems> {
        let mut root = with_ancestors(source.clone(), lookup, 0)?;
        let offered = Offered::new(root.take("changes"));
        Ok(Written { id: id.to_string(), start: Place::start_of(source), root, offered })
    }

    /// The changes that may be switched on.
    pub fn changes(&self) -> &[ChangeName] {
        &self.offered.names
    }

    /// The game with `changes` switched on.
    pub fn with(&self, changes: &[&str]) -> Definition {
        let mut root = self.root.clone();
        let mut applied = Applied::new(&self.offered);
        for change in changes {
            applied.switch_on(change, &self.start, 0, &mut root);
        }
        let names = std::iter::once(self.id.as_str()).chain(changes.iter().copied());
        let id = names.collect::<Vec<_>>().join("+");
        Definition { id, root, changes: self.offered.names.clone(), problems: applied.problems }
    }
}

impl Definition {
    /// A digest of what is written, that does not depend on order, comments or how it was inherited.
    pub fn digest(&self) -> u64 {
        let mut text = String::new();
        self.root.canonical(&mut text);
        // FNV-1a, 64 bits. Its constants are frozen: reports and records store this digest.
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

fn with_ancestors(source: Arc<Source>, lookup: Lookup, depth: usize) -> Result<Node, Problems> {
    let mut root = parse(source)?;
    let Some(parent) = root.take("extends") else { return Ok(root) };
    let problem = |what: Message| Problems(vec![Problem::new(parent.place.clone(), what)]);
    let Value::Text(name) = &parent.value else {
        return Err(problem(message!("rules.extends-type", found = parent.value.type_name())));
    };
    if depth >= MAX_ANCESTORS {
        return Err(problem(message!("rules.extends-depth", most = MAX_ANCESTORS)));
    }
    let Some(parent_source) = (lookup.find)(name) else {
        let near = did_you_mean(name, lookup.names.iter().copied());
        let hint = near.unwrap_or_else(|| message!("rules.extends-games"));
        let problem = Problem::new(parent.place.clone(), message!("rules.no-game", name)).hint(hint);
        return Err(Problems(vec![problem]));
    };
    let mut base = with_ancestors(parent_source, lookup, depth + 1)?;
    base.overlay(root);
    Ok(base)
}

fn parse(source: Arc<Source>) -> Result<Node, Problems> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    if !errors.is_empty() {
        let problems = errors.iter().map(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let text = error.message().replace('\n', ", ");
            Problem::new(Place { source: source.clone(), offset }, message!("rules.syntax", text))
        });
        let mut problems: Vec<Problem> = problems.collect();
        // The parser does not tell them in the order of the text.
        problems.sort_by_key(|problem| problem.place.offset);
        return Err(Problems(problems));
    }
    let mut problems = Vec::new();
    let offset = table.span().start;
    let value = convert_table(table.into_inner(), &source, &mut problems);
    match problems.is_empty() {
        true => Ok(Node { place: Place { source, offset }, value }),
        false => Err(Problems(problems)),
    }
}

fn convert_table(table: DeTable, source: &Arc<Source>, problems: &mut Vec<Problem>) -> Value {
    let mut entries = Vec::new();
    for (key, value) in table {
        let key_place = Place { source: source.clone(), offset: key.span().start };
        let place = Place { source: source.clone(), offset: value.span().start };
        check_characters(key.as_ref(), &key_place, problems);
        let value = convert(value.into_inner(), &place, problems);
        entries.push(Entry { key: key.into_inner().into_owned(), key_place, node: Node { place, value } });
    }
    // The order of pieces in the file is the order of their kinds.
    entries.sort_by_key(|entry| entry.key_place.offset);
    Value::Table(entries)
}

/// Names of a game file are shown in terminals, pages and reports: none of them may do more there than be shown.
fn check_characters(text: &str, place: &Place, problems: &mut Vec<Problem>) {
    let is_line_end = |at: usize| text[at..].starts_with(['\n', '\t']) || text[at..].starts_with("\r\n");
    let wrong = text.char_indices().find(|(at, c)| c.is_control() && !is_line_end(*at));
    if let Some((_, c)) = wrong {
        let what = message!("rules.control-character", code = format!("{:04X}", c as u32));
        problems.push(Problem::new(place.clone(), what).hint(message!("rules.leave-it-out")));
    }
}

fn convert(value: DeValue, place: &Place, problems: &mut Vec<Problem>) -> Value {
    let mut number = |text: &str| match text.replace('_', "").parse::<f64>() {
        Ok(number) => Value::Number(number),
        Err(_) => {
            problems.push(Problem::new(place.clone(), message!("rules.not-decimal", text)));
            Value::Number(0.0)
        }
    };
    match value {
        DeValue::String(text) => {
            check_characters(&text, place, problems);
            Value::Text(text.into_owned())
        }
        DeValue::Integer(integer) => number(integer.as_str()),
        DeValue::Float(float) => number(float.as_str()),
        DeValue::Boolean(truth) => Value::Truth(truth),
        DeValue::Datetime(_) => {
            problems.push(Problem::new(place.clone(), message!("rules.date")));
            Value::Truth(false)
        }
        DeValue::Array(nodes) => Value::List(
            nodes
                .into_iter()
                .map(|node| {
                    let place = Place { source: place.source.clone(), offset: node.span().start };
                    let value = convert(node.into_inner(), &place, problems);
                    Node { place, value }
                })
                .collect(),
        ),
        DeValue::Table(table) => convert_table(table, &place.source, problems),
    }
}

//! A variants.ini as sections of keys, each with its place.
//!
//! In: a text. Out: sections in the order of the text. Never: what the keys mean.

use std::sync::Arc;

use ashta_messages::{Message, message};

use crate::problem::{Place, Problem, Source};

/// `[name:parent]` and the lines below it.
pub struct Section<'a> {
    pub name: &'a str,
    pub place: Place,
    /// The section that it builds on.
    pub parent: Option<(&'a str, Place)>,
    pub entries: Vec<KeyLine<'a>>,
}

/// `key = value`.
pub struct KeyLine<'a> {
    pub key: &'a str,
    pub value: &'a str,
    /// Where the key stands.
    pub place: Place,
    /// Where the value starts.
    pub value_place: Place,
}

/// Reads all sections; lines that are neither a section, a key nor a comment are problems.
pub fn read<'a>(source: &'a Arc<Source>, problems: &mut Vec<Problem>) -> Vec<Section<'a>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        let place = |part: &str| Place {
            source: source.clone(),
            offset: offset + (part.as_ptr() as usize - line.as_ptr() as usize),
        };
        let text = line.trim();
        if let Some(inner) = text.strip_prefix('[') {
            match section(inner, &place) {
                Ok(section) => sections.push(section),
                Err(what) => problems.push(Problem::new(place(text), what)),
            }
        } else if let Some((key, value)) = text.split_once('=').filter(|_| !text.starts_with('#')) {
            let (key, value) = (key.trim(), value.trim());
            let entry = KeyLine { key, value, place: place(text), value_place: place(value) };
            // Lines before the first section are a preface.
            if let Some(section) = sections.last_mut() {
                section.entries.push(entry);
            }
        } else if !text.is_empty() && !text.starts_with(['#', ';']) && !sections.is_empty() {
            problems.push(Problem::new(place(text), message!("rules.ini-line")));
        }
        offset += line.len();
    }
    sections
}

fn section<'a>(inner: &'a str, place: &dyn Fn(&'a str) -> Place) -> Result<Section<'a>, Message> {
    let (inside, _) = inner.split_once(']').ok_or_else(|| message!("rules.ini-section-end"))?;
    let (name, parent) = match inside.split_once(':') {
        Some((name, parent)) => (name.trim(), Some(parent.trim())),
        None => (inside.trim(), None),
    };
    let is_name = |name: &str| !name.is_empty() && !name.chars().any(|c| c.is_control() || c.is_whitespace());
    match is_name(name) {
        true => Ok(Section {
            name,
            place: place(name),
            parent: parent.map(|parent| (parent, place(parent))),
            entries: Vec::new(),
        }),
        false => Err(message!("rules.ini-name")),
    }
}

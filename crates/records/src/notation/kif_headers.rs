//! Headers of Japanese records and the tags they correspond to.
//!
//! In: names of headers or of tags. Out: the other. Never: headers that describe the position; those are not tags.

use std::borrow::Cow;

use super::tag_names::{is_encoded, plain_name, portable_name};
use crate::record::{Tags, tag};

/// Headers with a tag of ours, in the order in which they are written; the first of a tag is the one written.
const HEADS: [(&str, &str); 12] = [
    ("開始日時", tag::DATE),
    ("対局日", tag::DATE),
    ("日付", tag::DATE),
    ("棋戦", tag::EVENT),
    ("場所", tag::SITE),
    ("戦型", tag::OPENING),
    ("先手", tag::PLAYERS[0]),
    ("下手", tag::PLAYERS[0]),
    ("後手", tag::PLAYERS[1]),
    ("上手", tag::PLAYERS[1]),
    ("先手のレーティング", tag::RATINGS[0]),
    ("後手のレーティング", tag::RATINGS[1]),
];

/// A longer name is a sentence with a colon.
const MAX_NAME_LENGTH: usize = 24;

/// The tag of a header: one of ours, or its own name. `None` if it describes the position, or is no header.
pub fn tag_of(head: &str) -> Option<Cow<'_, str>> {
    let ours = HEADS.iter().find(|(known, _)| *known == head).map(|(_, ours)| Cow::Borrowed(*ours));
    ours.or_else(|| (is_head(head) || is_encoded(head)).then(|| plain_name(head)))
}

/// Whether only game records have this header.
pub fn is_known(head: &str) -> bool {
    says_position(head) || HEADS.iter().any(|(known, _)| *known == head)
}

pub fn says_position(head: &str) -> bool {
    head == "手合割" || head.ends_with("の持駒") || head.ends_with("の持ち駒")
}

fn is_head(name: &str) -> bool {
    let is_line = ["まで", "変化", "手数--"].iter().any(|word| name.starts_with(word));
    !says_position(name)
        && !is_line
        && name.starts_with(char::is_alphabetic)
        && !name.contains([':', '：', '"', '[', ']', ' ', '　', '\n'])
        && name.chars().count() <= MAX_NAME_LENGTH
}

/// Headers and values in the order in which they are written: those with Japanese names first.
pub fn heads_of(tags: &Tags) -> Vec<(Cow<'_, str>, &str)> {
    let mut heads: Vec<(Cow<str>, &str)> = Vec::new();
    for (n, (head, name)) in HEADS.iter().enumerate() {
        let is_first = HEADS[..n].iter().all(|(_, before)| before != name);
        heads.extend(tags.get(name).filter(|_| is_first).map(|value| (Cow::Borrowed(*head), value)));
    }
    let is_ours = |name: &str| HEADS.iter().any(|(_, ours)| *ours == name);
    let fits = |name: &str| is_head(name) && !is_known(name);
    let others = tags.iter().filter(|(name, _)| !is_ours(name));
    heads.extend(others.map(|(name, value)| (portable_name(name, fits), value)));
    heads
}

//! Duplicate detection and merging of records.
//!
//! In: records with the same moves from the same position. Out: whether players and dates are compatible; a record with
//! the information of both. Never: a value of the first record overwritten by the second.

use std::collections::HashMap;

use ashta_position::Move;
use xxhash_rust::xxh3::Xxh3;

use crate::annotations::{Annotations, Note, Variation};
use crate::date::{agree, date_number};
use crate::record::{GameRecord, GameResult, Tags, tag};

/// A hash of the moves and the first position. Different games may share it; [`GameIdentity`] tells them apart.
pub fn game_key(start: u64, moves: impl IntoIterator<Item = Move>) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&start.to_le_bytes());
    moves.into_iter().for_each(|mv| hash.update(&mv.to_bits().to_le_bytes()));
    hash.digest()
}

/// Players and date, as far as the record has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameIdentity<'r> {
    /// By side.
    pub players: [Option<&'r str>; 4],
    /// A date number, 0 if there is none.
    pub date: u32,
}

impl<'r> GameIdentity<'r> {
    pub fn of(tags: &'r Tags) -> GameIdentity<'r> {
        let date = tags.get(tag::DATE).and_then(date_number).unwrap_or(0);
        GameIdentity { players: tag::PLAYERS.map(|name| tags.get(name)), date }
    }

    /// Whether two records can be of one game.
    pub fn is_compatible(&self, other: &GameIdentity) -> bool {
        let mut players = self.players.iter().zip(&other.players);
        agree(self.date, other.date)
            && players.all(|pair| match pair {
                (Some(one), Some(other)) => same_letters(one, other),
                (None, _) | (_, None) => true,
            })
    }

    /// A hash of the players' names.
    pub fn players_key(&self) -> u64 {
        let mut hash = Xxh3::new();
        for name in self.players.into_iter().map(Option::unwrap_or_default) {
            letters(name).for_each(|c| hash.update(&u32::from(c).to_le_bytes()));
            hash.update(&[0xFF]);
        }
        hash.digest()
    }
}

/// Ignores spaces and case: `Doe, Jane` and `doe,jane` are one name.
fn letters(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase)
}

fn same_letters(one: &str, other: &str) -> bool {
    one == other || letters(one).eq(letters(other))
}

pub fn has_same_content(one: &GameRecord, other: &GameRecord) -> bool {
    let sorted = |tags: &Tags| {
        let mut tags: Vec<(String, String)> =
            tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        tags.sort_unstable();
        tags
    };
    one.result == other.result
        && one.annotations == other.annotations
        && sorted(&one.tags) == sorted(&other.tags)
}

/// Adds the information of another record of the same game. Returns whether anything was added.
pub fn merge(kept: &mut GameRecord, other: &GameRecord) -> bool {
    let mut has_more = false;
    for (name, value) in other.tags.iter() {
        // The termination belongs to the result.
        let is_of_end =
            name == tag::TERMINATION && other.result != kept.result && kept.result != GameResult::Unknown;
        let is_more = match kept.tags.get(name) {
            None => !is_of_end,
            Some(known) => name == tag::DATE && n_known_parts(value) > n_known_parts(known),
        };
        if is_more {
            kept.tags.set(name, value);
            has_more = true;
        }
    }
    if kept.result == GameResult::Unknown && other.result != GameResult::Unknown {
        kept.result = other.result;
        has_more = true;
    }
    merge_notes(&mut kept.annotations, &other.annotations) | has_more
}

/// How many of year, month and day are known.
fn n_known_parts(date: &str) -> usize {
    let number = date_number(date).unwrap_or(0);
    [number / 10_000, number / 100 % 100, number % 100].into_iter().filter(|part| *part > 0).count()
}

fn merge_notes(kept: &mut Annotations, other: &Annotations) -> bool {
    let mut has_more = false;
    for (ply, note) in other.iter() {
        let mut merged = kept.at(ply).cloned().unwrap_or_default();
        if merge_note(&mut merged, note) {
            kept.put(ply, merged);
            has_more = true;
        }
    }
    has_more
}

fn merge_note(kept: &mut Note, other: &Note) -> bool {
    let mut has_more = false;
    if !kept.comment.contains(&other.comment) {
        let is_longer = other.comment.contains(&kept.comment);
        kept.comment =
            if is_longer { other.comment.clone() } else { format!("{}\n{}", kept.comment, other.comment) };
        has_more = true;
    }
    for glyph in &other.glyphs {
        if !kept.glyphs.contains(glyph) {
            kept.glyphs.push(*glyph);
            has_more = true;
        }
    }
    if kept.spent_ms.is_none() && other.spent_ms.is_some() {
        kept.spent_ms = other.spent_ms;
        has_more = true;
    }
    merge_variations(&mut kept.variations, &other.variations) | has_more
}

/// Variations with the same moves are merged; others are added.
fn merge_variations(kept: &mut Vec<Variation>, other: &[Variation]) -> bool {
    let mut has_more = false;
    let mut places: HashMap<Vec<Move>, usize> = HashMap::new();
    for (n, variation) in kept.iter().enumerate().filter(|_| !other.is_empty()) {
        places.entry(variation.moves.clone()).or_insert(n);
    }
    for variation in other {
        match places.get(&variation.moves) {
            Some(place) => has_more |= merge_notes(&mut kept[*place].notes, &variation.notes),
            None => {
                places.insert(variation.moves.clone(), kept.len());
                kept.push(variation.clone());
                has_more = true;
            }
        }
    }
    has_more
}

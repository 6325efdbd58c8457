//! What a section of a variants.ini sets, with all that it inherits: one value for each key, and where it was set.
//!
//! In: sections. Out: typed values by key. Never: what a game is made of.

use std::collections::BTreeMap;
use std::sync::Arc;

use ashta_messages::{Message, message};

use super::ini::{self, KeyLine, Section};
use super::keys::{KEYS, Key, N_CUSTOM_PIECES, PIECES, Role};
use super::squares;
use crate::ends::Verdict;
use crate::grid::{Coordinates, Grid};
use crate::problem::{Place, Problem, Source, did_you_mean};
use crate::region::SquareSet;

/// The variants that Fairy-Stockfish knows without a file.
const BUILT_IN: &str = include_str!("builtin.ini");

/// A value as written.
#[derive(Clone)]
pub struct Setting {
    pub text: String,
    pub place: Place,
}

/// Every value of a variant.
pub struct Settings {
    values: BTreeMap<String, Setting>,
    /// Where the variant's section starts.
    pub place: Place,
    pub problems: Vec<Problem>,
    pub notes: Vec<Problem>,
}

/// The names of the built-in variants, in alphabetical order.
pub fn built_in_names() -> Vec<&'static str> {
    let lines = BUILT_IN.lines().filter_map(|line| line.strip_prefix('['));
    let mut names: Vec<&str> = lines.filter_map(|line| line.split([':', ']']).next()).collect();
    names.sort_unstable();
    names
}

/// The source of the built-in variants.
pub fn built_in_source() -> Arc<Source> {
    Arc::new(Source { name: "built-in variants.ini".to_string(), text: BUILT_IN.to_string() })
}

/// Reads a section of a file, or a built-in variant if the file has no section of that name. Without a name the file must have
/// one section only.
pub fn read(source: &Arc<Source>, name: Option<&str>) -> Result<(String, Settings), Vec<Problem>> {
    let mut notes = Vec::new();
    let own = ini::read(source, &mut notes);
    let built_in = built_in_source();
    let built_in = ini::read(&built_in, &mut Vec::new());
    let start = Place::start_of(source.clone());
    let at = find(&own, name, &start)?;
    let name = own[at].name.to_string();
    let mut settings =
        Settings { values: BTreeMap::new(), place: own[at].place.clone(), problems: Vec::new(), notes };
    if let Some(other) = own.iter().skip(at + 1).find(|other| other.name == name) {
        settings.problems.push(Problem::new(other.place.clone(), message!("rules.ini-twice", name)));
    }
    for (section, is_own) in lineage(&own, at, &built_in, &mut settings.problems).into_iter().rev() {
        settings.apply(section, is_own);
    }
    Ok((name, settings))
}

/// The section with a name.
fn find(sections: &[Section], name: Option<&str>, start: &Place) -> Result<usize, Vec<Problem>> {
    let names = || sections.iter().map(|section| section.name);
    let problem = |what, hint: Option<Message>| vec![Problem { place: start.clone(), what, hint }];
    let listed = || {
        let names: Vec<&str> = names().take(MOST_NAMES).collect();
        message!("rules.ini-names", names)
    };
    match (name, sections) {
        (_, []) => Err(problem(message!("rules.ini-empty"), None)),
        (None, [_]) => Ok(0),
        (None, _) => Err(problem(message!("rules.ini-which", n = sections.len()), Some(listed()))),
        (Some(name), _) => names().position(|other| other == name).ok_or_else(|| {
            let hint = did_you_mean(name, names()).unwrap_or_else(listed);
            problem(message!("rules.ini-no-section", name), Some(hint))
        }),
    }
}

/// Names that a hint lists.
const MOST_NAMES: usize = 30;

/// A section and all that it builds on. A parent comes before its child, so there are no cycles.
fn lineage<'a>(
    own: &'a [Section<'a>],
    at: usize,
    built_in: &'a [Section<'a>],
    problems: &mut Vec<Problem>,
) -> Vec<(&'a Section<'a>, bool)> {
    let [own_names, built_in_names] = [own, built_in].map(first_of_each_name);
    let mut found = vec![(&own[at], true)];
    let (mut before, mut is_own) = (at, true);
    while let Some((parent, place)) = found.last().and_then(|(section, _)| section.parent.as_ref()) {
        let earlier = own_names.get(parent).copied().filter(|earlier| is_own && *earlier < before);
        if let Some(earlier) = earlier {
            found.push((&own[earlier], true));
            before = earlier;
            continue;
        }
        let earlier = built_in_names.get(parent).copied().filter(|earlier| is_own || *earlier < before);
        let Some(earlier) = earlier else {
            problems.push(unknown_parent(parent, place, own_names.keys().chain(built_in_names.keys())));
            break;
        };
        found.push((&built_in[earlier], false));
        (before, is_own) = (earlier, false);
    }
    found
}

fn first_of_each_name<'a>(sections: &[Section<'a>]) -> BTreeMap<&'a str, usize> {
    let numbered = sections.iter().enumerate().rev();
    numbered.map(|(n, section)| (section.name, n)).collect()
}

fn unknown_parent<'a>(name: &str, place: &Place, known: impl Iterator<Item = &'a &'a str>) -> Problem {
    let names: Vec<&str> = known.copied().collect();
    let hint = match names.contains(&name) {
        true => Some(message!("rules.ini-parent-order.hint")),
        false => did_you_mean(name, names),
    };
    Problem { place: place.clone(), what: message!("rules.ini-parent", name), hint }
}

impl Settings {
    /// Applies the keys of a section in the order of the table, whatever their order in the section.
    fn apply(&mut self, section: &Section, is_own: bool) {
        let mut entries: BTreeMap<&str, &KeyLine> = BTreeMap::new();
        for entry in &section.entries {
            entries.insert(entry.key, entry);
        }
        let names = if entries.is_empty() { Vec::new() } else { piece_names() };
        for name in names {
            if let Some(entry) = entries.remove(name.as_str()) {
                self.set_piece(&name, entry);
            }
            for side in ["White", "Black"] {
                if let Some((key, entry)) = entries.remove_entry(mobility_key(side, &name).as_str()) {
                    self.set(key, entry);
                }
            }
        }
        for key in KEYS {
            if let Some(entry) = entries.remove(key.name) {
                self.apply_key(key, entry, is_own);
            }
        }
        for entry in entries.into_values() {
            let what = message!("rules.ini-unknown-key", key = entry.key);
            let hint =
                did_you_mean(entry.key, KEYS.iter().map(|key| key.name).chain(PIECES.iter().map(|p| p.name)));
            self.problems.push(Problem { place: entry.place.clone(), what, hint });
        }
    }

    fn apply_key(&mut self, key: &Key, entry: &KeyLine, is_own: bool) {
        match key.role {
            Role::Part(_) | Role::Refused(_) => self.set(key.name, entry),
            Role::Sets(others) => others.iter().for_each(|other| self.set(other, entry)),
            Role::Older => self.apply_older(key.name, entry),
            Role::Noted if is_own => {
                let what = message!("rules.ini-noted", key = key.name);
                self.notes.push(Problem::new(entry.place.clone(), what));
            }
            Role::Noted => {}
        }
    }

    fn set(&mut self, key: &str, entry: &KeyLine) {
        self.set_text(key, entry.value.to_string(), entry);
    }

    fn set_text(&mut self, key: &str, text: String, entry: &KeyLine) {
        let place = entry.value_place.clone();
        self.values.insert(key.to_string(), Setting { text, place });
    }

    /// A piece takes its letter from whichever had it before.
    fn set_piece(&mut self, name: &str, entry: &KeyLine) {
        let letter = |text: &str| {
            text.chars().next().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase())
        };
        if let Some(letter_of_this) = letter(entry.value) {
            let others = piece_names().into_iter().filter(|other| {
                *other != name
                    && self.values.get(other).is_some_and(|set| letter(&set.text) == Some(letter_of_this))
            });
            for other in others.collect::<Vec<_>>() {
                self.values.remove(&other);
            }
            self.set(name, entry);
        } else if entry.value == "-" || entry.value.is_empty() {
            self.values.remove(name);
        } else {
            let what = message!("rules.ini-piece-letter", key = name, value = entry.value);
            self.problems.push(Problem::new(entry.value_place.clone(), what));
        }
    }

    /// Keys of older versions, as keys of today.
    fn apply_older(&mut self, key: &str, entry: &KeyLine) {
        if key == "shogiDoubledPawn" {
            let pawn = self.text("shogiPawn").and_then(|text| text.chars().next()).unwrap_or('-');
            let text = if entry.value == "true" { '-' } else { pawn };
            self.set_text("dropNoDoubled", text.to_string(), entry);
            return;
        }
        let n_ranks = self.number("maxRank", 8, 1..=16);
        let ranks = |first: u32, last: u32, is_second: bool| {
            let own = |n: u32| if is_second { (n_ranks + 1).saturating_sub(n) } else { n };
            (first..=last).map(|n| format!("*{} ", own(n))).collect::<String>()
        };
        let number = entry.value.parse::<u32>().ok().filter(|n| (1..=16).contains(n));
        for (is_second, side) in [(false, "White"), (true, "Black")] {
            let (target, text) = match (key, number) {
                ("promotionRank", Some(n)) => ("promotionRegion", ranks(n, n_ranks, is_second)),
                ("firstRankDoubleSteps", _) if entry.value == "true" => {
                    ("doubleStepRegion", ranks(1, 2, is_second))
                }
                ("firstRankDoubleSteps", _) => continue,
                (_, Some(n)) => ("doubleStepRegion", ranks(n, n, is_second)),
                (_, None) => {
                    self.wrong(key, &entry.value_place, entry.value, message!("rules.ini-rank"));
                    return;
                }
            };
            self.set_text(&format!("{target}{side}"), text, entry);
        }
    }

    fn wrong(&mut self, key: &str, place: &Place, value: &str, wanted: Message) {
        let value: String = value.chars().take(40).collect();
        self.problems.push(Problem::new(place.clone(), message!("rules.ini-value", key, wanted, value)));
    }

    /// The value of a key, if it is set.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.values.get(key)
    }

    /// The text of a key, if it is set.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).map(|setting| setting.text.as_str())
    }

    /// Where a key was set, or else where the section starts.
    pub fn place_of(&self, key: &str) -> Place {
        self.get(key).map_or_else(|| self.place.clone(), |setting| setting.place.clone())
    }

    /// Reports a problem at a key.
    pub fn report(&mut self, key: &str, what: Message) {
        let place = self.place_of(key);
        self.problems.push(Problem::new(place, what));
    }

    /// Reports that a key, with its value, has no counterpart.
    pub fn refuse(&mut self, key: &str) {
        let value: String = self.text(key).unwrap_or_default().chars().take(40).collect();
        self.report(key, message!("rules.ini-refused", key, value));
    }

    /// `true` or `false`.
    pub fn truth(&mut self, key: &str, default: bool) -> bool {
        match self.text(key) {
            None => default,
            Some("true") => true,
            Some("false") => false,
            Some(text) => {
                let text = text.to_string();
                self.wrong(key, &self.place_of(key), &text, message!("rules.ini-truth"));
                default
            }
        }
    }

    /// A number within a range.
    pub fn number(&mut self, key: &str, default: u32, range: std::ops::RangeInclusive<u32>) -> u32 {
        let Some(text) = self.text(key) else { return default };
        match text.parse::<u32>().ok().filter(|n| range.contains(n)) {
            Some(n) => n,
            None => {
                let text = text.to_string();
                let wanted = message!("rules.ini-number", least = range.start(), most = range.end());
                self.wrong(key, &self.place_of(key), &text, wanted);
                default
            }
        }
    }

    /// A file, as a letter or a number; counted from 0.
    pub fn file(&mut self, key: &str, default: u8) -> u8 {
        let Some(text) = self.text(key) else { return default };
        let letter = text.chars().next().filter(|c| text.len() == 1 && c.is_ascii_lowercase());
        let n = letter.map(|c| c as u32 - 'a' as u32 + 1).or_else(|| text.parse().ok());
        match n.filter(|n| (1..=26).contains(n)) {
            Some(n) => (n - 1) as u8,
            None => {
                let text = text.to_string();
                self.wrong(key, &self.place_of(key), &text, message!("rules.ini-file"));
                default
            }
        }
    }

    /// A result for the side to move; `None` for `none`.
    pub fn verdict(&mut self, key: &str, default: Option<Verdict>) -> Option<Verdict> {
        match self.text(key) {
            None => default,
            Some("win") => Some(Verdict::Win),
            Some("loss") => Some(Verdict::Loss),
            Some("draw") => Some(Verdict::Draw),
            Some("none") => None,
            Some(text) => {
                let text = text.to_string();
                self.wrong(key, &self.place_of(key), &text, message!("rules.ini-verdict"));
                default
            }
        }
    }

    /// A set of squares, if the key is set.
    pub fn squares(&mut self, key: &str, grid: Grid) -> Option<SquareSet> {
        match squares::read(self.text(key)?, grid) {
            Ok(set) => Some(set),
            Err(word) => {
                self.wrong(key, &self.place_of(key), &word, message!("rules.ini-squares"));
                None
            }
        }
    }

    /// The board.
    pub fn grid(&mut self) -> Option<Grid> {
        let ranks = self.number("maxRank", 8, 1..=16);
        let files = self.file("maxFile", 7) + 1;
        let grid = Grid::new(files, ranks as u8, Coordinates::Letters);
        if grid.is_none() {
            self.report("maxFile", message!("rules.ini-board", files));
        }
        grid
    }

    /// Reports every key that our rules cannot say.
    pub fn refuse_what_we_cannot_say(&mut self) {
        for key in KEYS {
            let Role::Refused(harmless) = key.role else { continue };
            if self.text(key.name).is_some_and(|text| !harmless.contains(&text)) {
                self.refuse(key.name);
            }
        }
    }
}

/// Keys that name pieces, in the order of [`PIECES`], those that a file makes itself before the king.
pub fn piece_names() -> Vec<String> {
    let named = PIECES.iter().map(|piece| piece.name.to_string());
    let mut names: Vec<String> = named.collect();
    let king = names.pop();
    names.extend((1..=N_CUSTOM_PIECES).map(|n| format!("customPiece{n}")));
    names.extend(king);
    names
}

/// `mobilityRegionWhiteRook`.
pub fn mobility_key(side: &str, piece: &str) -> String {
    let mut letters = piece.chars();
    let first = letters.next().map_or(' ', |c| c.to_ascii_uppercase());
    format!("mobilityRegion{side}{first}{}", letters.as_str())
}

//! An evolution: an old game and the named changes that lead to a new one.
//!
//! In: a small TOML file. Out: every game of the lattice between the two, and the questions asked of it. Never: games
//! played.

use ashta_messages::Tell;
use include_dir::{Dir, include_dir};
use serde::Deserialize;

use crate::effects::MAX_CHANGES;
use crate::local_text::LocalText;
use crate::preset::Preset;

static EVOLUTIONS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../evolutions");

/// The names of the evolutions that ship with the program, in alphabetical order.
pub fn evolution_names() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        EVOLUTIONS.files().filter_map(|file| file.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The text of an evolution that ships with the program.
pub fn evolution_source(name: &str) -> Option<&'static str> {
    EVOLUTIONS.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// An evolution as its file has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evolution {
    /// What it is.
    pub title: LocalText,
    /// What a reader should know.
    #[serde(default)]
    pub about: Vec<LocalText>,
    /// The old game, with changes that all games of the lattice have.
    pub base: String,
    /// Its name in the report.
    pub base_name: LocalText,
    /// The player of all sides.
    pub player: String,
    /// How figures are averaged.
    pub preset: Preset,
    /// Games of each cell, unless the command says otherwise.
    pub games: u32,
    /// The changes.
    pub changes: Vec<NamedChange>,
    /// Which of two changes came first, by the steepest-climb argument.
    #[serde(default)]
    pub questions: Vec<Question>,
}

/// A change; its letter in reports is told by its place: a, b, c...
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedChange {
    /// The change, as the game's file calls it; after a `-`, one that the base has and that is taken back.
    pub change: String,
    /// What it does, in a few words.
    pub about: LocalText,
}

/// Whether one change came before another.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Letter of the change thought to be the earlier.
    pub earlier: String,
    /// Letter of the change thought to be the later.
    pub later: String,
    /// Who says so.
    pub source: LocalText,
}

/// Why a file is not an evolution.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum EvolutionError {
    /// It is not written as such a file is.
    #[code("lab.evolution-text")]
    Text {
        what: String,
        /// Byte offset of the place.
        offset: usize,
    },
    /// Too few or too many changes.
    #[code("lab.evolution-changes")]
    Changes {
        n: usize,
        /// How many there may be.
        most: usize,
    },
    /// A change that comes twice.
    #[code("lab.evolution-change-twice")]
    Twice { change: String },
    /// A change is taken back that was never made.
    #[code("lab.evolution-nothing-to-undo")]
    NothingToUndo { change: String },
    /// A question about a change that is not there.
    #[code("lab.evolution-unknown-change")]
    NoSuchChange { letter: String },
}

impl Evolution {
    /// Reads a file's text.
    pub fn read(text: &str) -> Result<Evolution, EvolutionError> {
        let evolution: Evolution = toml::from_str(text).map_err(|error| EvolutionError::Text {
            what: error.message().replace('\n', ", "),
            offset: error.span().map_or(0, |span| span.start),
        })?;
        let n_changes = evolution.changes.len();
        if n_changes == 0 || n_changes > MAX_CHANGES {
            return Err(EvolutionError::Changes { n: n_changes, most: MAX_CHANGES });
        }
        let is_there_before = |at: &usize| {
            evolution.changes[..*at].iter().any(|other| other.change == evolution.changes[*at].change)
        };
        if let Some(at) = (1..n_changes).find(is_there_before) {
            return Err(EvolutionError::Twice { change: evolution.changes[at].change.clone() });
        }
        let taken_back = evolution.changes.iter().filter_map(|change| change.change.strip_prefix('-'));
        for taken in taken_back {
            if !evolution.base.split('+').skip(1).any(|part| part == taken) {
                return Err(EvolutionError::NothingToUndo { change: taken.to_string() });
            }
        }
        for question in &evolution.questions {
            for letter in [&question.earlier, &question.later] {
                if evolution.index_of(letter).is_none() {
                    return Err(EvolutionError::NoSuchChange { letter: letter.clone() });
                }
            }
        }
        Ok(evolution)
    }

    /// How many games the lattice has.
    pub fn n_cells(&self) -> usize {
        1 << self.changes.len()
    }

    /// The game of a subset, as it is loaded, and its name in the report.
    pub fn cell(&self, subset: usize) -> (String, String) {
        let chosen = || self.changes.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
        let game =
            chosen().fold(self.base.clone(), |game, (_, change)| match change.change.strip_prefix('-') {
                None => format!("{game}+{}", change.change),
                Some(taken) => game.split('+').filter(|part| *part != taken).collect::<Vec<&str>>().join("+"),
            });
        let letters: String = chosen().map(|(at, _)| letter(at)).collect();
        let name = if letters.is_empty() {
            self.base_name.english().to_string()
        } else {
            format!("{} + {letters}", self.base_name.english())
        };
        (game, name)
    }

    /// The index of the change with this letter.
    pub fn index_of(&self, letter: &str) -> Option<usize> {
        (0..self.changes.len()).find(|at| letter.chars().eq([self::letter(*at)]))
    }
}

/// The letter of a change.
pub fn letter(change: usize) -> char {
    (b'a'..=b'z').nth(change).map_or('?', char::from)
}

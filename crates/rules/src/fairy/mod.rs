//! Variants of Fairy-Stockfish: its variants.ini read as game files, and game files written as one.
//!
//! In: the text of a variants.ini and a section's name, or rules. Out: the TOML of a game file, with a note for each key that
//! does not change the rules, or every key that our rules cannot say, with its line. Never: a game with other rules than the
//! file says.
//!
//! Rules travel through one table, [`keys::KEYS`]. The variants that the program knows without a file are data in that same
//! language (`builtin.ini`), so a section may build on them.

mod alike;
mod castling;
mod effects;
mod ends;
mod game;
mod hands;
mod ini;
mod keys;
mod piece_table;
mod pieces;
mod promotion;
mod settings;
mod squares;
mod start;
mod variant;
mod write;
mod write_ends;
mod write_parts;
mod write_pieces;
mod write_start;
mod writer;

use std::sync::Arc;

use crate::library::{check_source, load_source};
use crate::problem::{Place, Problem, Problems, Source};
use crate::rules::Rules;

pub use settings::built_in_names as built_in_variants;
pub use write::{Unwritten, write_variant};

/// A variant as a game file.
#[derive(Debug)]
pub struct GameFile {
    /// The variant's name.
    pub name: String,
    /// TOML.
    pub text: String,
    /// Keys that were left out, because they do not change the rules.
    pub notes: Vec<Problem>,
    /// For each line of the text, the key that it comes from.
    places: Vec<Place>,
}

/// Translates a section of a variants.ini; without a name the file's only one.
///
/// ```
/// let ini = "[no-castling:chess]\ncastling = false\n";
/// let game = ashta_rules::read_variant("variants.ini", ini, None).unwrap();
/// assert!(game.text.contains("name = \"no-castling\""));
/// // A key that our rules cannot say is named, with its line.
/// let ini = "[duck:chess]\nwallingRule = duck\n";
/// let problems = ashta_rules::read_variant("variants.ini", ini, None).unwrap_err();
/// assert_eq!(problems.0[0].place.line_and_column().0, 2);
/// ```
pub fn read_variant(file_name: &str, text: &str, section: Option<&str>) -> Result<GameFile, Problems> {
    let source = Arc::new(Source { name: file_name.to_string(), text: text.to_string() });
    translate(&source, section)
}

/// The names of a file's variants, in its order, each once.
pub fn variant_names(text: &str) -> Vec<String> {
    let source = Arc::new(Source { name: String::new(), text: text.to_string() });
    let mut names: Vec<String> = Vec::new();
    for section in ini::read(&source, &mut Vec::new()) {
        if !names.iter().any(|name| name == section.name) {
            names.push(section.name.to_string());
        }
    }
    names
}

/// A variant that Fairy-Stockfish knows without a file, as a game file.
pub fn built_in_variant(name: &str) -> Result<GameFile, Problems> {
    translate(&settings::built_in_source(), Some(name))
}

/// The rules of a section of a variants.ini. What is wrong with the game is told at the key that says it.
pub fn load_variant(file_name: &str, text: &str, section: Option<&str>) -> Result<Rules, Problems> {
    read_variant(file_name, text, section)?.rules()
}

fn translate(source: &Arc<Source>, section: Option<&str>) -> Result<GameFile, Problems> {
    let (name, mut settings) = settings::read(source, section).map_err(Problems)?;
    let game = game::write(&name, &mut settings);
    settings.problems.sort_by_key(|problem| (problem.place.source.name != source.name, problem.place.offset));
    settings.problems.dedup();
    match game.filter(|_| settings.problems.is_empty()) {
        Some(game) => Ok(GameFile { name, text: game.text, notes: settings.notes, places: game.places }),
        None => Err(Problems(settings.problems)),
    }
}

impl GameFile {
    /// The checked rules.
    pub fn rules(&self) -> Result<Rules, Problems> {
        load_source(&self.name, &self.source()).map_err(|problems| self.at_their_keys(problems))
    }

    /// What is wrong with the game, at the keys of the variants.ini.
    pub fn check(&self) -> Result<Rules, Problems> {
        check_source(&self.name, &self.source()).map_err(|problems| self.at_their_keys(problems))
    }

    fn source(&self) -> Arc<Source> {
        Arc::new(Source { name: self.name.clone(), text: self.text.clone() })
    }

    fn at_their_keys(&self, problems: Problems) -> Problems {
        let moved = problems.0.into_iter().map(|problem| {
            let (line, _) = problem.place.line_and_column();
            match self.places.get(line - 1) {
                Some(place) if problem.place.source.text == self.text => {
                    Problem { place: place.clone(), ..problem }
                }
                _ => problem,
            }
        });
        Problems(moved.collect())
    }
}

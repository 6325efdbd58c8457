//! Published results of learning: what was learned, with which settings, what was printed.
//!
//! In: `experiments/learning/*.toml`, inside the program. Out: [`PublishedLearning`]s. Never: games played.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use super::plan::Bared;
use crate::catalog::NamedGame;
use crate::local_text::LocalText;

static LEARNING: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../experiments/learning");

/// What a paper learned.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedLearning {
    /// What it is.
    pub title: LocalText,
    /// Games of each run.
    pub games_each: u32,
    /// Runs of each game and lambda.
    pub runs: u32,
    /// How far the past counts; each is tried.
    pub lambdas: Vec<f64>,
    /// What becomes of a game when a side is bare.
    pub bared: Bared,
    /// Games.
    pub games: Vec<NamedGame>,
    /// Values printed.
    #[serde(default)]
    pub values: Vec<PublishedValues>,
    /// Shares of steady values printed.
    #[serde(default)]
    pub steadiness: Vec<PublishedSteadiness>,
    /// What the paper leaves open, and what was chosen.
    #[serde(default)]
    pub remarks: Vec<LocalText>,
    /// Pieces of different games that are told side by side.
    #[serde(default)]
    pub roles: Vec<Role>,
}

/// A piece through its changes: what stands in its place in each game.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// What it is called.
    pub name: LocalText,
    /// What it may be called in a game; the first that the game has.
    pub pieces: Vec<String>,
    /// Games in which it is another, by their names.
    #[serde(default)]
    pub except: BTreeMap<String, String>,
}

impl Role {
    /// Which of these names, the pieces of a game, has the role.
    pub fn piece<'a>(&'a self, game: &str, names: &[String]) -> Option<&'a str> {
        let usual = || self.pieces.iter().find(|piece| names.contains(piece));
        self.except.get(game).or_else(usual).map(String::as_str)
    }
}

/// Values of a game's pieces, as printed.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedValues {
    /// The game, as the paper calls it.
    pub game: String,
    /// By piece.
    pub worth: BTreeMap<String, String>,
}

/// How steady values were, by lambda.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedSteadiness {
    /// The game, as the paper calls it.
    pub game: String,
    /// The pieces, in the order of the rows.
    pub pieces: Vec<String>,
    /// Rows: lambda, then a percentage for each piece.
    pub percent: Vec<Vec<f64>>,
}

/// The names of all of them, in alphabetical order.
pub fn learning_names() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        LEARNING.files().filter_map(|file| file.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The one of this name.
pub fn published_learning(name: &str) -> Option<PublishedLearning> {
    let text = LEARNING.get_file(format!("{name}.toml"))?.contents_utf8()?;
    toml::from_str(text).ok()
}

/// A figure of some game's piece, by the game's name in a report.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Printed {
    worths: Vec<PublishedValues>,
    steadiness: Vec<PublishedSteadiness>,
}

impl Printed {
    /// Everything printed of games that are called by these names, or that are the same game of the library.
    pub fn of(games: &[(String, String)]) -> Printed {
        let mut printed = Printed::default();
        for published in learning_names().into_iter().filter_map(published_learning) {
            let ours = |theirs: &str| {
                let named = published.games.iter().find(|game| game.name == theirs)?;
                let same = |(_, game): &&(String, String)| base(game) == base(&named.game);
                games.iter().find(same).map(|(name, _)| name.clone())
            };
            for mut worths in published.values.iter().cloned() {
                if let Some(name) = ours(&worths.game) {
                    worths.game = name;
                    printed.worths.push(worths);
                }
            }
            for mut steadiness in published.steadiness.iter().cloned() {
                if let Some(name) = ours(&steadiness.game) {
                    steadiness.game = name;
                    printed.steadiness.push(steadiness);
                }
            }
        }
        printed
    }

    /// What a piece was found to be worth.
    pub fn worth(&self, game: &str, piece: &str) -> Option<&str> {
        let of_game = self.worths.iter().find(|worths| worths.game == game)?;
        of_game.worth.get(piece).map(String::as_str)
    }

    /// How steady a piece's value was, in percent.
    pub fn steadiness(&self, game: &str, lambda: f64, piece: &str) -> Option<f64> {
        let of_game = self.steadiness.iter().find(|steadiness| steadiness.game == game)?;
        let row = of_game.percent.iter().find(|row| row.first() == Some(&lambda))?;
        let at = of_game.pieces.iter().position(|name| name == piece)?;
        row.get(at + 1).copied()
    }
}

fn base(game: &str) -> &str {
    game.split('+').next().unwrap_or(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_figure_has_its_piece() {
        assert!(!learning_names().is_empty());
        for name in learning_names() {
            let learning = published_learning(name).unwrap_or_else(|| panic!("{name} cannot be read"));
            let has_piece = |game: &str, piece: &str| {
                let named = learning.games.iter().find(|named| named.name == game).expect(game);
                let rules = ashta_rules::load(&named.game).unwrap_or_else(|error| panic!("{name}: {error}"));
                rules.kinds().iter().any(|kind| kind.name == piece)
            };
            for worths in &learning.values {
                assert!(worths.worth.keys().all(|piece| has_piece(&worths.game, piece)), "{name}");
                assert!(worths.worth.values().all(|worth| worth.parse::<f64>().is_ok()), "{name}");
            }
            for (role, game) in
                learning.roles.iter().flat_map(|role| learning.games.iter().map(move |game| (role, game)))
            {
                let rules = ashta_rules::load(&game.game).unwrap_or_else(|error| panic!("{name}: {error}"));
                let names: Vec<String> = rules.kinds().iter().map(|kind| kind.name.clone()).collect();
                let found = role.piece(&game.name, &names);
                assert!(found.is_none_or(|piece| names.iter().any(|name| name == piece)), "{:?}", role.name);
            }
            for steadiness in &learning.steadiness {
                let n = steadiness.pieces.len() + 1;
                assert!(steadiness.pieces.iter().all(|piece| has_piece(&steadiness.game, piece)), "{name}");
                assert!(steadiness.percent.iter().all(|row| row.len() == n), "{name}");
            }
        }
    }
}

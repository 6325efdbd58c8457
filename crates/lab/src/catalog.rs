//! Published experiments that one command repeats: what was played, what was printed.
//!
//! In: `experiments/*.toml`, inside the program. Out: [`PublishedExperiment`]s. Never: games played.

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use crate::preset::Preset;

static EXPERIMENTS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");

/// An experiment as its paper has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedExperiment {
    /// What it is.
    pub title: String,
    /// The conventions that fit it best.
    pub preset: Preset,
    /// Games that the paper played for each figure.
    pub games_each: u32,
    /// Players, each playing all sides.
    pub players: Vec<String>,
    /// Games.
    pub games: Vec<NamedGame>,
    /// The figures printed.
    #[serde(default)]
    pub published: Vec<PublishedRow>,
    /// What is known of figures that do not agree, and what was tried.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// A game and what the paper calls it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedGame {
    /// What it is called.
    pub name: String,
    /// The game with its changes, without the preset's.
    pub game: String,
}

/// The figures of one game and one player, as printed: the digits tell the rounding.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// The game's name.
    pub game: String,
    /// The player.
    pub player: String,
    /// Games that these figures were measured on, where they differ from the rest.
    pub games: Option<u32>,
    /// B.
    #[serde(rename = "B")]
    pub branching: Option<String>,
    /// D.
    #[serde(rename = "D")]
    pub length: Option<String>,
    /// E.
    #[serde(rename = "E")]
    pub complexity: Option<String>,
    /// Drawn games, percent.
    pub draws: Option<String>,
    /// Games that the first side won, percent.
    pub first: Option<String>,
    /// Games that the second side won, percent.
    pub second: Option<String>,
}

/// The names of all experiments, in alphabetical order.
pub fn experiment_names() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        EXPERIMENTS.files().filter_map(|file| file.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The experiment of this name.
pub fn published_experiment(name: &str) -> Option<PublishedExperiment> {
    let text = EXPERIMENTS.get_file(format!("{name}.toml"))?.contents_utf8()?;
    toml::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_is_sound() {
        assert!(!experiment_names().is_empty());
        for name in experiment_names() {
            let experiment = published_experiment(name).unwrap_or_else(|| panic!("{name} cannot be read"));
            for row in &experiment.published {
                assert!(experiment.games.iter().any(|game| game.name == row.game), "{name}: {}", row.game);
                assert!(experiment.players.contains(&row.player), "{name}: {}", row.player);
                let figures =
                    [&row.branching, &row.length, &row.complexity, &row.draws, &row.first, &row.second];
                assert!(figures.iter().any(|figure| figure.is_some()), "{name}: {} has no figure", row.game);
                let is_number =
                    |text: &&Option<String>| text.as_ref().is_none_or(|text| text.parse::<f64>().is_ok());
                assert!(figures.iter().all(is_number), "{name}: {} {}", row.game, row.player);
            }
            for game in &experiment.games {
                assert!(ashta_rules::load(&game.game).is_ok(), "{name}: {}", game.game);
            }
        }
    }
}

//! Published experiments that one command repeats: what was played, what was printed.
//!
//! In: `experiments/*.toml`, inside the program. Out: [`PublishedExperiment`]s. Never: games played.

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use crate::local_text::LocalText;
use crate::measures::{Conventions, Drawn};
use crate::preset::Preset;

static EXPERIMENTS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");

/// An experiment as its paper has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedExperiment {
    /// What it is.
    pub title: LocalText,
    /// The conventions that fit it best.
    pub preset: Preset,
    /// Games that the paper played for each figure.
    pub games_each: u32,
    /// Players, each playing all sides; `P0/P1` for different ones.
    #[serde(default)]
    pub players: Vec<String>,
    /// Games, each played by all players.
    #[serde(default)]
    pub games: Vec<NamedGame>,
    /// More cells: a game and its players.
    #[serde(default)]
    pub cells: Vec<NamedCell>,
    /// What becomes of drawn games, where the preset's convention is not the one.
    pub drawn: Option<Drawn>,
    /// The figures printed.
    #[serde(default)]
    pub published: Vec<PublishedRow>,
    /// What is known of figures that do not agree, and what was tried.
    #[serde(default)]
    pub remarks: Vec<LocalText>,
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

/// A game and its players.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedCell {
    /// What the game is called.
    pub name: String,
    /// The game with its changes, without the preset's.
    pub game: String,
    /// Who plays, as `P0/P1`.
    pub player: String,
}

/// The figures of one game and one player, as printed: the digits tell the rounding.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// The game's name.
    pub game: String,
    pub player: String,
    /// Games that these figures were measured on, where they differ from the rest.
    pub games: Option<u32>,
    #[serde(rename = "B")]
    pub branching: Option<String>,
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
    /// Games that the fourth side won, percent.
    pub fourth: Option<String>,
    /// Legal turns of a contest that are to be expected.
    pub expected: Option<String>,
    /// Legal turns of a contest before the throw.
    pub before: Option<String>,
}

impl PublishedRow {
    /// Every figure there is.
    pub fn figures(&self) -> impl Iterator<Item = &String> {
        let means = [&self.branching, &self.length, &self.complexity, &self.expected, &self.before];
        let shares = [&self.draws, &self.first, &self.second, &self.fourth];
        means.into_iter().chain(shares).flatten()
    }
}

impl PublishedExperiment {
    /// Every cell, as name, game and players.
    pub fn all_cells(&self) -> Vec<NamedCell> {
        let of_game = |game: &NamedGame| -> Vec<NamedCell> {
            let cell = |player: &String| NamedCell {
                name: game.name.clone(),
                game: game.game.clone(),
                player: player.clone(),
            };
            self.players.iter().map(cell).collect()
        };
        self.games.iter().flat_map(of_game).chain(self.cells.iter().cloned()).collect()
    }

    /// How figures are averaged.
    pub fn conventions(&self) -> Conventions {
        let usual = self.preset.conventions();
        Conventions { drawn: self.drawn.unwrap_or(usual.drawn), ..usual }
    }
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
                let same = |cell: &NamedCell| cell.name == row.game && cell.player == row.player;
                assert!(experiment.all_cells().iter().any(same), "{name}: {} {}", row.game, row.player);
                assert!(row.figures().next().is_some(), "{name}: {} has no figure", row.game);
                let is_number = |text: &String| text.parse::<f64>().is_ok();
                assert!(row.figures().all(is_number), "{name}: {} {}", row.game, row.player);
            }
            for cell in experiment.all_cells() {
                assert!(ashta_rules::load(&cell.game).is_ok(), "{name}: {}", cell.game);
            }
        }
    }
}

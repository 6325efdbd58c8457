//! Published matches: learned values against others, and what was printed.
//!
//! In: `experiments/matches/*.toml`, inside the program. Out: [`PublishedMatch`]es with their competitors. Never: games
//! played.

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use super::competitor::{CompetitorPlan, TableText};
use crate::catalog::NamedGame;
use crate::learn::published_learning;
use crate::local_text::LocalText;

static MATCHES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../experiments/matches");

/// What was printed of one game's match, as the paper has it: wins, losses and draws with each side.
#[derive(Clone, PartialEq, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedMatch {
    /// The game, as the report calls it.
    pub game: String,
    /// Wins, losses, draws of the first competitor when it moves first.
    pub moving_first: [u32; 3],
    /// The same when it moves second.
    pub moving_second: [u32; 3],
}

/// A match as its paper has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedMatch {
    /// What it is.
    pub title: LocalText,
    /// Pairs of games.
    pub pairs: u32,
    /// Whose values the first competitor has: the name of a published learning.
    pub values_of: String,
    /// Whose values the second has: the name of a table.
    pub against: String,
    /// The figures.
    pub printed: Vec<PrintedMatch>,
    /// What the paper leaves open.
    #[serde(default)]
    pub remarks: Vec<LocalText>,
}

/// The names of all of them, in alphabetical order.
pub fn match_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = MATCHES.files().filter_map(|file| file.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The one of this name.
pub fn published_match(name: &str) -> Option<PublishedMatch> {
    let text = MATCHES.get_file(format!("{name}.toml"))?.contents_utf8()?;
    toml::from_str(text).ok()
}

impl PublishedMatch {
    /// Each game with its two competitors.
    pub fn games(&self) -> Vec<(NamedGame, [CompetitorPlan; 2])> {
        let Some(learning) = published_learning(&self.values_of) else { return Vec::new() };
        let game = |printed: &PrintedMatch| {
            let named = learning.games.iter().find(|game| game.name == printed.game)?;
            let worths = learning.values.iter().find(|worths| worths.game == printed.game)?;
            let lines: Vec<String> =
                worths.worth.iter().map(|(piece, worth)| format!("{piece} = {worth}\n")).collect();
            let competitor =
                |name: &str, values| CompetitorPlan { name: name.into(), player: None, values: Some(values) };
            let first = competitor(&self.values_of, TableText::Text(lines.concat()));
            Some((named.clone(), [first, competitor(&self.against, TableText::Named(self.against.clone()))]))
        };
        self.printed.iter().filter_map(game).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_match_has_its_competitors() {
        for name in match_names() {
            let published = published_match(name).unwrap_or_else(|| panic!("{name} cannot be read"));
            let games = published.games();
            assert_eq!(games.len(), published.printed.len(), "{name}");
            for (game, competitors) in games {
                let rules = ashta_rules::load(&game.game).unwrap_or_else(|error| panic!("{error}"));
                let rules = ashta_position::CompiledRules::new(rules);
                let depths = ashta_play::SearchDepths { depth: 1, quiescence: 1, mate: 1 };
                assert!(competitors.iter().all(|competitor| competitor.start(&rules, depths, None).is_ok()));
            }
        }
    }
}

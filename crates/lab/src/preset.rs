//! What published experiments leave open, settled and named.
//!
//! In: a name. Out: the change of the rules and the conventions that go with it. Never: what a game is.

use serde::{Deserialize, Serialize};

use crate::measures::{Average, Conventions, Drawn};

/// A named set of conventions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The game as its file has it; drawn games count, B is averaged over games.
    Plain,
    /// Takeshita et al., *Programming Multi-player Games with Chance* (about 2000; 000): drawn games do not count, B is weighted by plies.
    #[serde(rename = "paper-000")]
    Paper000,
    /// Takeshita et al., *Design of Game Analyzer* (2001; 001): drawn games count, B is averaged over games.
    #[serde(rename = "paper-001")]
    Paper001,
    /// Sasaki (about 2004; 004): as 000.
    #[serde(rename = "paper-004")]
    Paper004,
    /// The rules as the sources of the game have them.
    Historical,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Preset; 5] =
        [Preset::Plain, Preset::Paper000, Preset::Paper001, Preset::Paper004, Preset::Historical];

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Plain => "plain",
            Preset::Paper000 => "paper-000",
            Preset::Paper001 => "paper-001",
            Preset::Paper004 => "paper-004",
            Preset::Historical => "historical",
        }
    }

    /// The preset of this name.
    pub fn named(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The changes that a game's file may have for it, of which the first there is serves. Papers 000 and 004 played the
    /// same shogi games by the same rules.
    pub fn changes(self) -> &'static [&'static str] {
        match self {
            Preset::Plain => &[],
            Preset::Paper000 => &["paper-000", "paper-004"],
            Preset::Paper004 => &["paper-004"],
            Preset::Paper001 => &["paper-001"],
            Preset::Historical => &["historical"],
        }
    }

    /// How figures are averaged.
    pub fn conventions(self) -> Conventions {
        match self {
            Preset::Plain | Preset::Paper001 | Preset::Historical => {
                Conventions { branching: Average::Games, drawn: Drawn::Counted }
            }
            Preset::Paper000 | Preset::Paper004 => {
                Conventions { branching: Average::Plies, drawn: Drawn::LeftOut }
            }
        }
    }
}

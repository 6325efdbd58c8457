//! Levels of the engine: the same moves for a seed on every machine.
//!
//! In: a number from 1 to 10, or an Elo rating. Out: a node limit and the noise of evaluations. Never: the clock; a level
//! does not play worse on a slower machine.

use ashta_search::engine::{Limits, Noise};

/// A level from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// Settings of one level.
struct LevelSettings {
    nodes: u64,
    /// Greatest evaluation error, in centipawns.
    noise: i32,
    /// Measured in chess, by `ashta match` between neighbours; see docs/engine-measured.md.
    elo: i32,
}

const fn settings(nodes: u64, noise: i32, elo: i32) -> LevelSettings {
    LevelSettings { nodes, noise, elo }
}

/// Weakest first.
const LEVELS: [LevelSettings; 10] = [
    settings(20, 500, 500),
    settings(60, 350, 660),
    settings(150, 250, 840),
    settings(350, 180, 1190),
    settings(800, 120, 1510),
    settings(2_000, 80, 1980),
    settings(5_000, 40, 2310),
    settings(15_000, 0, 2650),
    settings(50_000, 0, 2990),
    settings(200_000, 0, 3330),
];

impl Level {
    pub const HIGHEST: Level = Level(10);

    pub fn new(number: u8) -> Option<Level> {
        (1..=10).contains(&number).then_some(Level(number))
    }

    pub fn number(self) -> u8 {
        self.0
    }

    /// Weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=10).map(Level)
    }

    /// The level nearest to a rating.
    pub fn of_elo(elo: i32) -> Level {
        Level::all().min_by_key(|level| (level.elo() - elo).abs()).unwrap_or(Level::HIGHEST)
    }

    fn settings(self) -> &'static LevelSettings {
        &LEVELS[usize::from(self.0) - 1]
    }

    /// Rating relative to the other levels.
    pub fn elo(self) -> i32 {
        self.settings().elo
    }

    pub fn limits(self) -> Limits {
        Limits { nodes: Some(self.settings().nodes), ..Limits::default() }
    }

    pub fn noise(self, seed: u64) -> Noise {
        Noise { most: self.settings().noise, seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_and_are_found_by_elo() {
        let rungs: Vec<&LevelSettings> = Level::all().map(Level::settings).collect();
        assert!(rungs.windows(2).all(|pair| pair[0].nodes < pair[1].nodes && pair[0].elo < pair[1].elo));
        assert!(rungs.windows(2).all(|pair| pair[0].noise >= pair[1].noise));
        for level in Level::all() {
            assert_eq!(Level::of_elo(level.elo()), level);
            assert_eq!(Level::new(level.number()), Some(level));
        }
        assert_eq!((Level::of_elo(-900), Level::of_elo(9000)), (Level(1), Level::HIGHEST));
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
    }
}

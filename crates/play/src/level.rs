//! Levels of the engine, from a beginner's to its full strength by nodes: the same moves for a seed on every machine.
//!
//! In: a number from 1 to 10, or an Elo number. Out: how much is looked at and how far off evaluations are. Never: the
//! clock: a level does not play worse on a slower machine.

use ashta_search::engine::{Limits, Noise};

/// A level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// What a level looks at.
struct Rung {
    nodes: u64,
    /// Most that an evaluation is off, in hundredths of the most common man.
    noise: i32,
    /// Measured in chess, by `ashta match` between neighbours; see docs/engine-measured.md.
    elo: i32,
}

const fn rung(nodes: u64, noise: i32, elo: i32) -> Rung {
    Rung { nodes, noise, elo }
}

/// From the weakest up.
const LADDER: [Rung; 10] = [
    rung(20, 500, 500),
    rung(60, 350, 660),
    rung(150, 250, 840),
    rung(350, 180, 1190),
    rung(800, 120, 1510),
    rung(2_000, 80, 1980),
    rung(5_000, 40, 2310),
    rung(15_000, 0, 2650),
    rung(50_000, 0, 2990),
    rung(200_000, 0, 3330),
];

impl Level {
    /// The strongest.
    pub const HIGHEST: Level = Level(10);

    /// From its number.
    pub fn new(number: u8) -> Option<Level> {
        (1..=10).contains(&number).then_some(Level(number))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// All levels, weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=10).map(Level)
    }

    /// The level nearest to an Elo number.
    pub fn of_elo(elo: i32) -> Level {
        Level::all().min_by_key(|level| (level.elo() - elo).abs()).unwrap_or(Level::HIGHEST)
    }

    fn rung(self) -> &'static Rung {
        &LADDER[usize::from(self.0) - 1]
    }

    /// Its Elo number, on the scale of its own ladder.
    pub fn elo(self) -> i32 {
        self.rung().elo
    }

    /// How much it looks at.
    pub fn limits(self) -> Limits {
        Limits { nodes: Some(self.rung().nodes), ..Limits::default() }
    }

    /// How far off its evaluations are.
    pub fn noise(self, seed: u64) -> Noise {
        Noise { most: self.rung().noise, seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_and_are_found_by_elo() {
        let rungs: Vec<&Rung> = Level::all().map(Level::rung).collect();
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

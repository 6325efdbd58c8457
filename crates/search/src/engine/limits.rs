//! How long to think, and what thinking comes to.
//!
//! In: what was asked for. Out: limits, values that say how far a win is. Never: the clock itself: it is given.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ashta_position::Move;

/// What a won game is worth at once; every ply until then takes one off.
pub(super) const MATE: i32 = 30_000;
/// Values beyond this are won or lost games.
pub(super) const DECIDED: i32 = 29_000;
/// Most plies from the root.
pub(super) const HIGHEST: usize = 120;

/// When to stop, besides when told to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// After this depth.
    pub depth: Option<u8>,
    /// After about so many positions.
    pub nodes: Option<u64>,
    /// By the clock.
    pub time: Option<TimeLimit>,
    /// When a win within so many of the side's own moves is found or refuted; nothing else is looked for.
    pub mate: Option<u32>,
    /// Only these moves are considered; all, if there are none.
    pub moves: Vec<Move>,
    /// How many lines are wanted; none is one.
    pub n_lines: usize,
}

/// Time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimit {
    /// No new depth is begun after this.
    pub soft: Duration,
    /// Thinking is broken off.
    pub hard: Duration,
}

impl TimeLimit {
    /// Exactly so long.
    pub fn fixed(time: Duration) -> TimeLimit {
        TimeLimit { soft: time, hard: time }
    }

    /// A share of a clock: what is left, what every move adds, and after how many moves more is given.
    pub fn of_clock(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> TimeLimit {
        // Whoever passes moves on needs some time for it.
        let left = left.saturating_sub(Duration::from_millis(30)).max(Duration::from_millis(1));
        let moves = moves_to_go.map_or(28, |moves| moves.clamp(1, 28));
        let share = left / moves + increment.mul_f64(0.8);
        let hard = (share * 3).min(left.mul_f64(0.7)).max(Duration::from_millis(1));
        TimeLimit { soft: share.mul_f64(0.6).min(hard), hard }
    }
}

/// What may break off thinking.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Time since thinking began.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
    /// Set by others.
    pub stop: &'a AtomicBool,
}

/// A value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of the most common man.
    Points(i32),
    /// The side to move wins, with the last of so many plies.
    WinIn(u32),
    /// It loses, with the last of so many plies.
    LossIn(u32),
}

impl Score {
    pub(super) fn of(value: i32) -> Score {
        match value {
            value if value >= DECIDED => Score::WinIn((MATE - value).max(0) as u32),
            value if value <= -DECIDED => Score::LossIn((MATE + value).max(0) as u32),
            value => Score::Points(value),
        }
    }

    /// As one number: won games beyond all others, the nearer the higher.
    pub fn number(self) -> i32 {
        match self {
            Score::Points(points) => points,
            Score::WinIn(plies) => MATE - plies as i32,
            Score::LossIn(plies) => plies as i32 - MATE,
        }
    }
}

/// A line of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrincipalLine {
    /// For the side to move.
    pub score: Score,
    /// Never empty unless there is no move.
    pub moves: Vec<Move>,
}

/// How far thinking has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Plies in full width.
    pub depth: u8,
    /// Plies of the longest line looked at.
    pub deepest: u8,
    /// Positions looked at.
    pub n_nodes: u64,
    /// Time since the beginning.
    pub elapsed: Duration,
    /// How much of the memory this search has filled, in thousandths.
    pub filled: u32,
    /// The best lines, best first.
    pub lines: Vec<PrincipalLine>,
}

impl Progress {
    /// The best move, if there is any move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }

    /// The value of the best line; a draw if there is none.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::Points(0), |line| line.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_clock_never_uses_it_up() {
        for left in [0, 1, 10, 50, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(40)] {
                    let (left, increment) = (Duration::from_millis(left), Duration::from_millis(increment));
                    let limit = TimeLimit::of_clock(left, increment, moves);
                    assert!(limit.soft <= limit.hard);
                    assert!(limit.hard <= left.max(Duration::from_millis(1)), "{left:?} {limit:?}");
                }
            }
        }
    }

    #[test]
    fn scores_tell_how_far_a_win_is() {
        assert_eq!(Score::of(MATE - 3), Score::WinIn(3));
        assert_eq!(Score::of(-MATE), Score::LossIn(0));
        assert_eq!(Score::of(-12), Score::Points(-12));
        for value in [-MATE, -MATE + 5, -300, 0, 7, MATE - 1] {
            assert_eq!(Score::of(value).number(), value);
        }
    }
}

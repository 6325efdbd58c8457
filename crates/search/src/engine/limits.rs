//! Search limits, scores, and the information that a search reports.
//!
//! In: a request. Out: limits, mate scores with their distance. Never: the clock itself, which is given.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ashta_position::Move;

/// The value of a won game; a mate in n plies is worth n less.
pub(super) const MATE: i32 = 30_000;
/// Values beyond this are mate scores.
pub(super) const MATE_THRESHOLD: i32 = 29_000;
/// Greatest distance from the root.
pub(super) const MAX_PLY: usize = 120;

/// A value as a table entry stores it: mate distances count from the position, not from the root.
pub(super) fn from_root_to_node(value: i32, ply: usize) -> i32 {
    match value {
        value if value >= MATE_THRESHOLD => value + ply as i32,
        value if value <= -MATE_THRESHOLD => value - ply as i32,
        value => value,
    }
}

pub(super) fn from_node_to_root(value: i32, ply: usize) -> i32 {
    match value {
        value if value >= MATE_THRESHOLD => value - ply as i32,
        value if value <= -MATE_THRESHOLD => value + ply as i32,
        value => value,
    }
}

/// When to stop, besides the stop flag.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    pub depth: Option<u8>,
    /// Checked now and then: a few more nodes may be searched.
    pub nodes: Option<u64>,
    pub time: Option<TimeLimit>,
    /// `go mate`: stop when a mate within so many moves of the side is found or refuted; search for nothing else.
    pub mate: Option<u32>,
    /// `searchmoves`: only these root moves; all if empty.
    pub moves: Vec<Move>,
    /// `multipv`: number of principal variations; 0 counts as 1.
    pub n_lines: usize,
}

/// Time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimit {
    /// No new iteration starts after this.
    pub soft: Duration,
    /// The search is aborted.
    pub hard: Duration,
}

impl TimeLimit {
    /// A fixed time per move.
    pub fn fixed(time: Duration) -> TimeLimit {
        TimeLimit { soft: time, hard: time }
    }

    /// Time management from the time left, the increment and the moves to the next time control.
    pub fn of_clock(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> TimeLimit {
        // Move overhead: the user interface needs some time, too.
        let left = left.saturating_sub(Duration::from_millis(30)).max(Duration::from_millis(1));
        let moves = moves_to_go.map_or(28, |moves| moves.clamp(1, 28));
        let share = left / moves + increment.mul_f64(0.8);
        let hard = (share * 3).min(left.mul_f64(0.7)).max(Duration::from_millis(1));
        TimeLimit { soft: share.mul_f64(0.6).min(hard), hard }
    }
}

/// The clock and the stop flag of a search.
#[derive(Clone, Copy)]
pub struct SearchControl<'a> {
    /// Time since the search began.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
    pub stop: &'a AtomicBool,
}

/// A score for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of the most common piece.
    Centipawns(i32),
    /// The side to move mates with the last of so many plies.
    WinIn(u32),
    /// It is mated with the last of so many plies.
    LossIn(u32),
}

impl Score {
    pub(super) fn of(value: i32) -> Score {
        match value {
            value if value >= MATE_THRESHOLD => Score::WinIn((MATE - value).max(0) as u32),
            value if value <= -MATE_THRESHOLD => Score::LossIn((MATE + value).max(0) as u32),
            value => Score::Centipawns(value),
        }
    }

    /// As one number, as the search counts: mates beyond all other values, nearer ones higher.
    pub fn value(self) -> i32 {
        match self {
            Score::Centipawns(value) => value,
            Score::WinIn(plies) => MATE - plies as i32,
            Score::LossIn(plies) => plies as i32 - MATE,
        }
    }
}

/// An error added to every static evaluation, always the same for a position: weaker levels.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Noise {
    /// Greatest error either way, in centipawns.
    pub most: i32,
    pub seed: u64,
}

impl Noise {
    /// The error of a position: the difference of two uniform numbers, so that small errors are likelier.
    #[inline(always)]
    pub(super) fn of(self, key: u64) -> i32 {
        if self.most == 0 {
            return 0;
        }
        let mixed = (key ^ self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let (a, b) = ((mixed >> 40) as i32 & 0xFFFF, (mixed >> 20) as i32 & 0xFFFF);
        ((a - b) as i64 * i64::from(self.most) / 0x1_0000) as i32
    }
}

/// A principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrincipalVariation {
    pub score: Score,
    /// Never empty unless there is no move.
    pub moves: Vec<Move>,
}

/// The state of a search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    pub depth: u8,
    /// Selective depth: plies of the longest line searched.
    pub seldepth: u8,
    pub n_nodes: u64,
    pub elapsed: Duration,
    /// Permille of the transposition table that this search has written.
    pub hashfull: u32,
    /// Principal variations, best first.
    pub lines: Vec<PrincipalVariation>,
}

impl SearchInfo {
    /// The best move, if there is any move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }

    /// The score of the first variation; a draw if there is none.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::Centipawns(0), |line| line.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_management_never_uses_up_the_clock() {
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
    fn stored_mate_distances_count_from_the_position() {
        for (value, nearer) in [(0, 0), (-1234, -1234), (MATE - 7, MATE - 5), (9 - MATE, 7 - MATE)] {
            let stored = from_root_to_node(value, 4);
            assert_eq!((from_node_to_root(stored, 4), from_node_to_root(stored, 2)), (value, nearer));
        }
    }

    #[test]
    fn scores_tell_the_distance_to_mate() {
        assert_eq!(Score::of(MATE - 3), Score::WinIn(3));
        assert_eq!(Score::of(-MATE), Score::LossIn(0));
        assert_eq!(Score::of(-12), Score::Centipawns(-12));
        for value in [-MATE, -MATE + 5, -300, 0, 7, MATE - 1] {
            assert_eq!(Score::of(value).value(), value);
        }
    }
}

//! Sinks for intervals: a list of all, or counts with the first few.
//!
//! In: intervals sorted by game and ply. Out: a list, or counts. Never: a game counted twice.

use crate::index::postings::Posting;

/// Intervals that a tally keeps: more than a page of results shows.
pub const FIRST_INTERVALS: usize = 128;

/// Receives intervals sorted by game and ply.
pub trait Sink: Default + Send {
    /// Whether every interval must be pushed; else games may be counted in bulk.
    fn needs_intervals(&self) -> bool;

    fn push(&mut self, interval: Posting);

    fn extend(&mut self, intervals: &[Posting]);

    /// Appends the contents of a sink for later games.
    fn append(&mut self, later: Self);

    /// Counts games in bulk, where `needs_intervals` is false.
    fn count(&mut self, n_games: usize, n_positions: usize, n_intervals: usize);
}

impl Sink for Vec<Posting> {
    #[inline(always)]
    fn needs_intervals(&self) -> bool {
        true
    }

    #[inline(always)]
    fn push(&mut self, interval: Posting) {
        Vec::push(self, interval);
    }

    #[inline(always)]
    fn extend(&mut self, intervals: &[Posting]) {
        self.extend_from_slice(intervals);
    }

    fn append(&mut self, later: Self) {
        self.extend_from_slice(&later);
    }

    fn count(&mut self, n_games: usize, _: usize, _: usize) {
        debug_assert_eq!(n_games, 0, "a list needs each of its intervals");
    }
}

/// Counts, and the first intervals.
#[derive(Default)]
pub struct Tally {
    pub n_games: usize,
    pub n_positions: usize,
    pub n_intervals: usize,
    /// All, if there are fewer than [`FIRST_INTERVALS`].
    pub first: Vec<Posting>,
    last_game: Option<u32>,
}

impl Sink for Tally {
    #[inline(always)]
    fn needs_intervals(&self) -> bool {
        self.first.len() < FIRST_INTERVALS
    }

    #[inline(always)]
    fn push(&mut self, interval: Posting) {
        self.n_games += usize::from(self.last_game != Some(interval.game));
        self.last_game = Some(interval.game);
        self.n_positions += usize::from(interval.to - interval.from);
        self.n_intervals += 1;
        if self.needs_intervals() {
            self.first.push(interval);
        }
    }

    #[inline(always)]
    fn extend(&mut self, intervals: &[Posting]) {
        intervals.iter().for_each(|interval| self.push(*interval));
    }

    fn append(&mut self, later: Self) {
        self.count(later.n_games, later.n_positions, later.n_intervals);
        let n_wanted = FIRST_INTERVALS.saturating_sub(self.first.len());
        self.first.extend_from_slice(&later.first[..n_wanted.min(later.first.len())]);
        self.last_game = later.last_game.or(self.last_game);
    }

    #[inline(always)]
    fn count(&mut self, n_games: usize, n_positions: usize, n_intervals: usize) {
        self.n_games += n_games;
        self.n_positions += n_positions;
        self.n_intervals += n_intervals;
    }
}

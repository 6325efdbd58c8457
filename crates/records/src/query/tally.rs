//! What becomes of stretches as they are found: all are kept, or they are counted and only the first are kept.
//!
//! In: stretches in order of game and ply. Out: a list, or counts. Never: a game counted twice.

use crate::index::postings::Posting;

/// Stretches that a tally keeps: as many as a page of results shows, and more.
pub const FIRST_STRETCHES: usize = 128;

/// Takes stretches in order of game and ply.
pub trait Receive: Default + Send {
    /// Whether every stretch is wanted now; else games may be counted together.
    fn wants_each(&self) -> bool;

    /// Takes a stretch.
    fn push(&mut self, run: Posting);

    /// Takes stretches one after another.
    fn extend(&mut self, runs: &[Posting]);

    /// Takes what another received, of later games.
    fn append(&mut self, later: Self);

    /// Counts games that are not told, where not each is wanted.
    fn count(&mut self, n_games: usize, n_positions: usize, n_stretches: usize);
}

impl Receive for Vec<Posting> {
    #[inline(always)]
    fn wants_each(&self) -> bool {
        true
    }

    #[inline(always)]
    fn push(&mut self, run: Posting) {
        Vec::push(self, run);
    }

    #[inline(always)]
    fn extend(&mut self, runs: &[Posting]) {
        self.extend_from_slice(runs);
    }

    fn append(&mut self, later: Self) {
        self.extend_from_slice(&later);
    }

    fn count(&mut self, n_games: usize, _: usize, _: usize) {
        debug_assert_eq!(n_games, 0, "a list wants each of its stretches");
    }
}

/// How much was found, and what of it comes first.
#[derive(Default)]
pub struct Tally {
    /// How many games.
    pub n_games: usize,
    /// How many positions.
    pub n_positions: usize,
    /// How many stretches.
    pub n_stretches: usize,
    /// The first stretches: all, if they are fewer than [`FIRST_STRETCHES`].
    pub first: Vec<Posting>,
    last_game: Option<u32>,
}

impl Receive for Tally {
    #[inline(always)]
    fn wants_each(&self) -> bool {
        self.first.len() < FIRST_STRETCHES
    }

    #[inline(always)]
    fn push(&mut self, run: Posting) {
        self.n_games += usize::from(self.last_game != Some(run.game));
        self.last_game = Some(run.game);
        self.n_positions += usize::from(run.to - run.from);
        self.n_stretches += 1;
        if self.wants_each() {
            self.first.push(run);
        }
    }

    #[inline(always)]
    fn extend(&mut self, runs: &[Posting]) {
        runs.iter().for_each(|run| self.push(*run));
    }

    fn append(&mut self, later: Self) {
        self.count(later.n_games, later.n_positions, later.n_stretches);
        let n_wanted = FIRST_STRETCHES.saturating_sub(self.first.len());
        self.first.extend_from_slice(&later.first[..n_wanted.min(later.first.len())]);
        self.last_game = later.last_game.or(self.last_game);
    }

    #[inline(always)]
    fn count(&mut self, n_games: usize, n_positions: usize, n_stretches: usize) {
        self.n_games += n_games;
        self.n_positions += n_positions;
        self.n_stretches += n_stretches;
    }
}

//! What a plan finds in one segment: counts at once, the first stretches at once, the rest when somebody wants it.
//!
//! In: what a search gives. Out: counts, and stretches in order. Never: a list of stretches that nobody asked for, where
//! counting is quicker.

use std::sync::OnceLock;

use super::tally::Tally;
use super::together::Together;
use crate::index::exact::Candidate;
use crate::index::postings::Posting;
use crate::segment::Segment;

/// What a plan finds in a segment.
pub enum Found<'a> {
    /// These stretches.
    Runs(Vec<Posting>),
    /// Where states hold together.
    Counted(Counted<'a>),
    /// The occurrences of a position; they stay in the index.
    Exact(Option<Candidate<'a>>),
}

impl Found<'_> {
    /// In how many games.
    pub fn n_games(&self) -> usize {
        match self {
            Found::Runs(runs) => runs.chunk_by(|a, b| a.game == b.game).count(),
            Found::Counted(counted) => counted.tally.n_games,
            Found::Exact(None) => 0,
            Found::Exact(Some(Candidate::Once(_))) => 1,
            Found::Exact(Some(Candidate::Repeated(group))) => group.n_games,
        }
    }

    /// How many positions.
    pub fn n_positions(&self) -> usize {
        match self {
            Found::Runs(runs) => runs.iter().map(|run| usize::from(run.to - run.from)).sum(),
            Found::Counted(counted) => counted.tally.n_positions,
            Found::Exact(None) => 0,
            Found::Exact(Some(Candidate::Once(_))) => 1,
            Found::Exact(Some(Candidate::Repeated(group))) => group.n_positions,
        }
    }

    /// How many stretches.
    pub fn n_stretches(&self) -> usize {
        match self {
            Found::Runs(runs) => runs.len(),
            Found::Counted(counted) => counted.tally.n_stretches,
            Found::Exact(_) => self.n_positions(),
        }
    }

    /// Every stretch of the segment in which this was found.
    pub fn stretches<'s>(&'s self, segment: &'s Segment) -> Box<dyn Iterator<Item = Posting> + 's> {
        let single = |position: u32| {
            let (game, ply) = segment.place_of(position);
            Posting { game, from: ply, to: ply + 1 }
        };
        match self {
            Found::Runs(runs) => Box::new(runs.iter().copied()),
            Found::Counted(counted) => Box::new(counted.stretches()),
            Found::Exact(None) => Box::new(std::iter::empty()),
            Found::Exact(Some(Candidate::Once(position))) => Box::new(std::iter::once(single(*position))),
            Found::Exact(Some(Candidate::Repeated(group))) => {
                Box::new(group.positions(segment.n_results()).map(single))
            }
        }
    }
}

/// States that hold together: counted, and looked for again when more than the first stretches are wanted. Most who ask
/// look at the counts and at a page, and a list of half a million stretches takes longer than both.
pub struct Counted<'a> {
    together: Together<'a>,
    tally: Tally,
    all: OnceLock<Vec<Posting>>,
}

impl<'a> Counted<'a> {
    /// Counts.
    pub fn new(together: Together<'a>) -> Counted<'a> {
        let tally = together.tally();
        Counted { together, tally, all: OnceLock::new() }
    }

    fn stretches(&self) -> impl Iterator<Item = Posting> + '_ {
        let first = &self.tally.first;
        let beyond = (first.len()..self.tally.n_stretches).map(|n| self.all()[n]);
        first.iter().copied().chain(beyond)
    }

    fn all(&self) -> &[Posting] {
        self.all.get_or_init(|| self.together.list(None))
    }
}

//! The matches of a plan in one segment: counts and the first intervals at once, the rest on demand.
//!
//! In: the result of an execution. Out: counts, and sorted intervals. Never: a list of intervals where only counts are
//! needed.

use std::sync::OnceLock;

use super::conjunction::Conjunction;
use super::tally::Tally;
use crate::index::exact::Candidate;
use crate::index::postings::Posting;
use crate::segment::Segment;

pub enum SegmentMatches<'a> {
    Intervals(Vec<Posting>),
    /// A conjunction, counted and not yet listed.
    Counted(Counted<'a>),
    /// Occurrences of an exact position; they stay in the index.
    Exact(Option<Candidate<'a>>),
}

impl SegmentMatches<'_> {
    pub fn n_games(&self) -> usize {
        match self {
            SegmentMatches::Intervals(intervals) => intervals.chunk_by(|a, b| a.game == b.game).count(),
            SegmentMatches::Counted(counted) => counted.tally.n_games,
            SegmentMatches::Exact(None) => 0,
            SegmentMatches::Exact(Some(Candidate::Once(_))) => 1,
            SegmentMatches::Exact(Some(Candidate::Repeated(group))) => group.n_games,
        }
    }

    pub fn n_positions(&self) -> usize {
        match self {
            SegmentMatches::Intervals(intervals) => {
                intervals.iter().map(|interval| usize::from(interval.to - interval.from)).sum()
            }
            SegmentMatches::Counted(counted) => counted.tally.n_positions,
            SegmentMatches::Exact(None) => 0,
            SegmentMatches::Exact(Some(Candidate::Once(_))) => 1,
            SegmentMatches::Exact(Some(Candidate::Repeated(group))) => group.n_positions,
        }
    }

    pub fn n_intervals(&self) -> usize {
        match self {
            SegmentMatches::Intervals(intervals) => intervals.len(),
            SegmentMatches::Counted(counted) => counted.tally.n_intervals,
            SegmentMatches::Exact(_) => self.n_positions(),
        }
    }

    pub fn intervals<'s>(&'s self, segment: &'s Segment) -> Box<dyn Iterator<Item = Posting> + 's> {
        let single = |position: u32| {
            let (game, ply) = segment.game_and_ply(position);
            Posting { game, from: ply, to: ply + 1 }
        };
        match self {
            SegmentMatches::Intervals(intervals) => Box::new(intervals.iter().copied()),
            SegmentMatches::Counted(counted) => Box::new(counted.intervals()),
            SegmentMatches::Exact(None) => Box::new(std::iter::empty()),
            SegmentMatches::Exact(Some(Candidate::Once(position))) => {
                Box::new(std::iter::once(single(*position)))
            }
            SegmentMatches::Exact(Some(Candidate::Repeated(group))) => {
                Box::new(group.positions(segment.n_results()).map(single))
            }
        }
    }
}

/// A conjunction that is counted at once, and listed when more than the first intervals are needed. Most callers read
/// the counts and a page; listing half a million intervals takes longer than both.
pub struct Counted<'a> {
    conjunction: Conjunction<'a>,
    tally: Tally,
    all: OnceLock<Vec<Posting>>,
}

impl<'a> Counted<'a> {
    pub fn new(conjunction: Conjunction<'a>) -> Counted<'a> {
        let tally = conjunction.tally();
        Counted { conjunction, tally, all: OnceLock::new() }
    }

    fn intervals(&self) -> impl Iterator<Item = Posting> + '_ {
        let first = &self.tally.first;
        let beyond = (first.len()..self.tally.n_intervals).map(|n| self.all()[n]);
        first.iter().copied().chain(beyond)
    }

    fn all(&self) -> &[Posting] {
        self.all.get_or_init(|| self.conjunction.list(None))
    }
}

//! Counting queries: how many of several states hold at once, such as material on the board.
//!
//! In: posting lists, bounds, games. Out: the intervals in which the count is within bounds. Never: work per position:
//! only the ends of intervals are written (a difference array).

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::run_error::QueryRunError;
use crate::index::postings::{Posting, StateList};
use crate::segment::Segment;

/// Games per chunk: two bytes per position stay in the L2 cache.
const GAMES: u32 = 2048;

/// Games closer than this are processed together with those between: seeking in a list costs about as much.
const NEAR: u32 = 32;

pub struct Count<'a> {
    lists: Vec<StateList<'a>>,
    segment: &'a Segment,
    bounds: RangeInclusive<u16>,
}

impl<'a> Count<'a> {
    pub fn new(lists: Vec<StateList<'a>>, segment: &'a Segment, bounds: RangeInclusive<u16>) -> Count<'a> {
        Count { lists, segment, bounds }
    }

    pub fn of_all(&self, stop: &AtomicBool) -> Result<Vec<Posting>, QueryRunError> {
        let n_games = self.segment.n_games() as u32;
        let chunks = (0..n_games).step_by(GAMES as usize);
        self.of_ranges(chunks.map(|first| first..n_games.min(first + GAMES)).collect(), stop)
    }

    /// The intervals of these sorted games, and perhaps of others between them.
    pub fn near(&self, games: &[u32], stop: &AtomicBool) -> Result<Vec<Posting>, QueryRunError> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for game in games {
            match ranges.last_mut() {
                Some(range) if game - range.end < NEAR && game - range.start < GAMES => range.end = game + 1,
                _ => ranges.push(*game..game + 1),
            }
        }
        self.of_ranges(ranges, stop)
    }

    fn of_ranges(&self, ranges: Vec<Range<u32>>, stop: &AtomicBool) -> Result<Vec<Posting>, QueryRunError> {
        let found = ranges.into_par_iter().map(|games| {
            if stop.load(Ordering::Relaxed) { Err(QueryRunError::Stopped) } else { Ok(self.of_range(games)) }
        });
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn of_range(&self, games: Range<u32>) -> Vec<Posting> {
        let base = self.segment.base(games.start);
        // The difference array: the change of the count at each position. An interval that ends with its game is
        // subtracted where the next game begins.
        let mut changes = vec![0u16; self.segment.base(games.end) - base + 1];
        for list in &self.lists {
            list.each_interval(games.clone(), |game, from, to| {
                let first = self.segment.base(game) - base;
                if let Some(change) = changes.get_mut(first + usize::from(from)) {
                    *change = change.wrapping_add(1);
                }
                if let Some(change) = changes.get_mut(first + usize::from(to)) {
                    *change = change.wrapping_sub(1);
                }
            });
        }
        self.intervals(games, base, &changes)
    }

    fn intervals(&self, games: Range<u32>, base: usize, changes: &[u16]) -> Vec<Posting> {
        let (mut intervals, mut n_held) = (Vec::new(), 0u16);
        for game in games {
            let own = self.segment.base(game) - base..self.segment.base(game + 1) - base;
            let mut start = None;
            for (ply, change) in (0..).zip(&changes[own.clone()]) {
                n_held = n_held.wrapping_add(*change);
                match (self.bounds.contains(&n_held), start) {
                    (true, None) => start = Some(ply),
                    (false, Some(from)) => {
                        intervals.push(Posting { game, from, to: ply });
                        start = None;
                    }
                    (true, Some(_)) | (false, None) => {}
                }
            }
            intervals.extend(start.map(|from| Posting { game, from, to: own.len() as u16 }));
        }
        intervals
    }
}

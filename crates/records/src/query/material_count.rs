//! Counting queries on material timelines: several counts at once, one pass over the changes of each game.
//!
//! In: timelines, counts with bounds. Out: the intervals in which all counts are within bounds. Never: a square.
//!
//! SWAR: each count has a lane of 16 bits in one word, so that a change of material adds to all counts at once, and two
//! subtractions compare all of them with their bounds.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::plan::Plan;
use super::run_error::QueryRunError;
use crate::index::material::Material;
use crate::index::postings::Posting;
use crate::segment::Segment;

/// Counts in one word.
pub const LANES: usize = 4;
/// Games per part of a thread.
const GAMES: usize = 8192;
/// The highest bit of each lane, which no count reaches.
const GUARDS: u64 = 0x8000_8000_8000_8000;

pub struct MaterialCount<'a> {
    material: Material<'a>,
    segment: &'a Segment,
    /// By type: what a piece adds to each lane.
    weights: [u64; 256],
    /// The counts that a game begins with, before its own changes.
    initial: u64,
    least: u64,
    most: u64,
}

impl<'a> MaterialCount<'a> {
    /// Counts of at most [`LANES`] plans; `None` if one of them is no count.
    pub fn new(material: Material<'a>, segment: &'a Segment, plans: &[&Plan]) -> Option<MaterialCount<'a>> {
        let (weights, no_bounds) = ([0; 256], (0, GUARDS - (GUARDS >> 15)));
        let (least, most) = no_bounds;
        let mut count = MaterialCount { material, segment, weights, initial: 0, least, most };
        for (lane, plan) in plans.iter().enumerate().take(LANES) {
            let Plan::Count(states, least, most) = plan else { return None };
            count.add(16 * lane as u32, states, (*least, *most));
        }
        (plans.len() <= LANES).then_some(count)
    }

    fn add(&mut self, shift: u32, states: &[u32], (least, most): (u16, u16)) {
        for state in states {
            self.weights[self.material.type_of(*state) & 255] |= 1 << shift;
        }
        for piece in 0..self.material.n_types() {
            let is_counted = self.weights[piece] >> shift & 1;
            let initial = (is_counted * u64::from(self.material.initial_count(piece))) << shift;
            self.initial = self.initial.wrapping_add(initial);
        }
        let lane = |bound: u16| u64::from(bound.min(0x7fff)) << shift;
        self.least |= lane(least);
        self.most = self.most & !(0x7fff << shift) | lane(most);
    }

    /// Whether every count is within its bounds: no subtraction borrows from a guard.
    #[inline(always)]
    fn is_within(&self, counts: u64) -> bool {
        // A damaged file may hold any counts: they give a wrong answer, never a panic.
        let (above, below) =
            ((counts | GUARDS).wrapping_sub(self.least), (self.most | GUARDS).wrapping_sub(counts));
        above & below & GUARDS == GUARDS
    }

    pub fn of_all(&self, stop: &AtomicBool) -> Result<Vec<Posting>, QueryRunError> {
        let n_games = self.segment.n_games();
        let parts: Vec<Range<u32>> = (0..n_games)
            .step_by(GAMES)
            .map(|first| first as u32..n_games.min(first + GAMES) as u32)
            .collect();
        self.of_parts(&parts, Range::clone, stop)
    }

    /// The intervals of these sorted games.
    pub fn of_games(&self, games: &[u32], stop: &AtomicBool) -> Result<Vec<Posting>, QueryRunError> {
        let parts: Vec<&[u32]> = games.chunks(GAMES).collect();
        self.of_parts(&parts, |part| part.iter().copied(), stop)
    }

    fn of_parts<P: Sync, I: Iterator<Item = u32>>(
        &self,
        parts: &[P],
        games: impl Fn(&P) -> I + Sync,
        stop: &AtomicBool,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let found = parts.par_iter().map(|part| match stop.load(Ordering::Relaxed) {
            true => Err(QueryRunError::Stopped),
            false => Ok(self.intervals(games(part))),
        });
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn intervals(&self, games: impl Iterator<Item = u32>) -> Vec<Posting> {
        let (mut intervals, mut timelines) = (Vec::new(), self.material.timelines());
        for game in games {
            let (mut counts, mut ply, mut open) = (self.initial, 0u16, None);
            let mut settle = |counts: u64, ply: u16| match (self.is_within(counts), open) {
                (true, None) => open = Some(ply),
                (false, Some(from)) => {
                    intervals.push(Posting { game, from, to: ply });
                    open = None;
                }
                (true, Some(_)) | (false, None) => {}
            };
            for change in timelines.of(game) {
                // Only what lasts counts: a promotion changes two types at one ply.
                if change.plies > 0 {
                    settle(counts, ply);
                    ply = ply.wrapping_add(change.plies);
                }
                let weight = self.weights[usize::from(change.piece)];
                counts =
                    if change.is_gain { counts.wrapping_add(weight) } else { counts.wrapping_sub(weight) };
            }
            settle(counts, ply);
            let n_positions = (self.segment.n_plies(game) + 1) as u16;
            intervals.extend(open.map(|from| Posting { game, from, to: n_positions }));
        }
        intervals
    }
}

//! Position bitmaps: plans that match many positions, evaluated with a bit per position.
//!
//! In: a plan of states with and, or, not. Out: sorted intervals. Never: more memory than a few thousand games need,
//! whatever the plan.
//!
//! Games are processed in chunks of a few thousand, in parallel. The bitmap of each set of states is computed once per
//! chunk, however many parts of the plan use it: a pattern shifted over the board uses the same squares again and
//! again (`bitmap_chunk`). Mutually exclusive states, such as the pieces on one square, share a bitmap.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::bitmap_chunk::{BitmapChunk, BitmapLists, BitmapNode};
use super::plan::Plan;
use super::run_error::QueryRunError;
use super::time_budget::TimeBudget;
use crate::index::postings::{Posting, StateList};
use crate::segment::Segment;

/// Games per chunk: a bit per position stays in the L2 cache.
const GAMES: usize = 4096;

/// The posting lists of a plan.
#[derive(Default)]
pub struct BitmapEvaluator<'a> {
    lists: BitmapLists<'a>,
    numbers: HashMap<Vec<u32>, usize>,
    /// What `lists.given` was computed for.
    given_plans: Vec<Plan>,
}

impl<'a> BitmapEvaluator<'a> {
    /// Evaluates a plan; parts that are not made of states are evaluated by `other`.
    pub fn answer(
        mut self,
        plan: &Plan,
        segment: &'a Segment,
        stop: &AtomicBool,
        other: &impl Fn(&Plan) -> Result<Vec<Posting>, QueryRunError>,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let node = self.prepare(plan, segment, other)?;
        self.intervals(&node, segment, &chunks(segment.n_games(), GAMES), stop)
    }

    /// The same from the first game on until the time budget is spent, for at most the first `n_games`. Returns the
    /// intervals and the number of games searched; `other` need not cover more games.
    pub fn begin(
        mut self,
        plan: &Plan,
        (segment, n_games): (&'a Segment, usize),
        time_budget: &TimeBudget,
        stop: &AtomicBool,
        other: &impl Fn(&Plan) -> Result<Vec<Posting>, QueryRunError>,
    ) -> Result<(Vec<Posting>, usize), QueryRunError> {
        let node = self.prepare(plan, segment, other)?;
        let (mut found, mut n_searched) = (Vec::new(), 0);
        for some in chunks(n_games, time_budget.chunk_games).chunks(rayon::current_num_threads()) {
            if n_searched > 0 && (time_budget.is_spent)() {
                break;
            }
            found.extend(self.intervals(&node, segment, some, stop)?);
            n_searched = some.last().map_or(n_searched, |games| games.end as usize);
        }
        Ok((found, n_searched))
    }

    fn intervals(
        &self,
        node: &BitmapNode,
        segment: &'a Segment,
        chunks: &[Range<u32>],
        stop: &AtomicBool,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let found = chunks.par_iter().map(|games| {
            if stop.load(Ordering::Relaxed) {
                return Err(QueryRunError::Stopped);
            }
            let mut some = BitmapChunk::new(&self.lists, segment, games.clone());
            let bits = some.bits(node);
            Ok(some.intervals(&bits))
        });
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn prepare(
        &mut self,
        plan: &Plan,
        segment: &'a Segment,
        other: &impl Fn(&Plan) -> Result<Vec<Posting>, QueryRunError>,
    ) -> Result<BitmapNode, QueryRunError> {
        let mut each = |parts: &[Plan]| {
            parts
                .iter()
                .map(|part| self.prepare(part, segment, other))
                .collect::<Result<Vec<BitmapNode>, _>>()
        };
        Ok(match plan {
            Plan::And(parts) => {
                let mut nodes = each(parts)?;
                // The most selective part first: once nothing is left, the rest is skipped.
                nodes.sort_by_key(|node| self.n_pairs(node));
                BitmapNode::All(nodes)
            }
            Plan::Or(parts) => {
                let mut nodes = each(parts)?;
                // The most frequent part first: games in which every position matches already are left out of the rest.
                nodes.sort_by_key(|node| Reverse(self.n_positions(node, segment)));
                BitmapNode::Any(nodes)
            }
            Plan::Not(part) => BitmapNode::Not(Box::new(self.prepare(part, segment, other)?)),
            Plan::State(state) => self.set(std::slice::from_ref(state), segment)?,
            Plan::OneOf(states) => self.set(states, segment)?,
            plan => {
                let cached = self.given_plans.iter().position(|given| given == plan);
                BitmapNode::Given(match cached {
                    Some(number) => number,
                    None => {
                        self.lists.given.push(other(plan)?);
                        self.given_plans.push(plan.clone());
                        self.given_plans.len() - 1
                    }
                })
            }
        })
    }

    fn set(&mut self, states: &[u32], segment: &'a Segment) -> Result<BitmapNode, QueryRunError> {
        if let Some(number) = self.numbers.get(states) {
            return Ok(BitmapNode::Set(*number));
        }
        let mut lists = Vec::new();
        for state in states {
            lists.extend(segment.list(*state)?);
        }
        self.lists.sets.push(lists);
        self.numbers.insert(states.to_vec(), self.lists.sets.len() - 1);
        Ok(BitmapNode::Set(self.lists.sets.len() - 1))
    }

    /// An upper bound of the positions that match.
    fn n_positions(&self, node: &BitmapNode, segment: &Segment) -> usize {
        let most = |part: &BitmapNode| self.n_positions(part, segment);
        match node {
            BitmapNode::All(parts) => parts.iter().map(most).min().unwrap_or(usize::MAX),
            BitmapNode::Any(parts) => parts.iter().map(most).fold(0, usize::saturating_add),
            BitmapNode::Not(part) => segment.n_positions().saturating_sub(most(part)),
            BitmapNode::Set(number) => self.lists.sets[*number].iter().map(StateList::n_positions).sum(),
            BitmapNode::Given(_) => segment.n_positions(),
        }
    }

    fn n_pairs(&self, node: &BitmapNode) -> usize {
        match node {
            BitmapNode::All(parts) => parts.iter().map(|part| self.n_pairs(part)).min().unwrap_or(usize::MAX),
            BitmapNode::Any(parts) => {
                parts.iter().fold(0, |sum: usize, part| sum.saturating_add(self.n_pairs(part)))
            }
            BitmapNode::Not(_) => usize::MAX,
            BitmapNode::Set(number) => self.lists.sets[*number].iter().map(StateList::n_pairs).sum(),
            BitmapNode::Given(number) => self.lists.given[*number].len(),
        }
    }
}

fn chunks(n_games: usize, size: usize) -> Vec<Range<u32>> {
    (0..n_games).step_by(size).map(|first| first as u32..n_games.min(first + size) as u32).collect()
}

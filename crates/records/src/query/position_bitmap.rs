//! Position bitmaps: plans that match many positions, evaluated with a bit per position.
//!
//! In: a plan of states with and, or, not. Out: sorted intervals. Never: more memory than a few thousand games need,
//! whatever the plan.
//!
//! Games are processed in chunks of a few thousand, in parallel. The bitmap of each set of states is computed once per
//! chunk, however many parts of the plan use it: a pattern shifted over the board uses the same squares again and
//! again. The ends of an interval toggle a bit each, and a prefix XOR fills what lies between. Mutually exclusive
//! states, such as the pieces on one square, share a bitmap.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::plan::Plan;
use super::query_result::QueryRunError;
use super::time_budget::TimeBudget;
use crate::index::postings::{Posting, StateList};
use crate::segment::Segment;

/// Games per chunk: a bit per position stays in the L2 cache.
const GAMES: usize = 4096;

/// The posting lists of a plan.
#[derive(Default)]
pub struct BitmapEvaluator<'a> {
    sets: Vec<Vec<StateList<'a>>>,
    numbers: HashMap<Vec<u32>, usize>,
    given: Vec<(Plan, Vec<Posting>)>,
}

enum BitmapNode {
    All(Vec<BitmapNode>),
    Any(Vec<BitmapNode>),
    Not(Box<BitmapNode>),
    /// A set of mutually exclusive states.
    Set(usize),
    /// Intervals computed otherwise.
    Given(usize),
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
            let mut some = BitmapChunk::new(self, segment, games.clone());
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
            Plan::Or(parts) => BitmapNode::Any(each(parts)?),
            Plan::Not(part) => BitmapNode::Not(Box::new(self.prepare(part, segment, other)?)),
            Plan::State(state) => self.set(std::slice::from_ref(state), segment)?,
            Plan::OneOf(states) => self.set(states, segment)?,
            plan => {
                let cached = self.given.iter().position(|(given, _)| given == plan);
                BitmapNode::Given(match cached {
                    Some(number) => number,
                    None => {
                        self.given.push((plan.clone(), other(plan)?));
                        self.given.len() - 1
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
        self.sets.push(lists);
        self.numbers.insert(states.to_vec(), self.sets.len() - 1);
        Ok(BitmapNode::Set(self.sets.len() - 1))
    }

    fn n_pairs(&self, node: &BitmapNode) -> usize {
        match node {
            BitmapNode::All(parts) => parts.iter().map(|part| self.n_pairs(part)).min().unwrap_or(usize::MAX),
            BitmapNode::Any(parts) => {
                parts.iter().fold(0, |sum: usize, part| sum.saturating_add(self.n_pairs(part)))
            }
            BitmapNode::Not(_) => usize::MAX,
            BitmapNode::Set(number) => self.sets[*number].iter().map(StateList::n_pairs).sum(),
            BitmapNode::Given(number) => self.given[*number].1.len(),
        }
    }
}

/// The bits of a chunk; empty if none is set.
type Bitmap = Rc<Vec<u64>>;

/// A chunk of games, with the bitmaps computed so far.
struct BitmapChunk<'m, 'a> {
    evaluator: &'m BitmapEvaluator<'a>,
    segment: &'m Segment,
    games: Range<u32>,
    base: usize,
    n_positions: usize,
    cached: Vec<Option<Bitmap>>,
    cached_given: Vec<Option<Bitmap>>,
}

impl<'m, 'a> BitmapChunk<'m, 'a> {
    fn new(
        evaluator: &'m BitmapEvaluator<'a>,
        segment: &'m Segment,
        games: Range<u32>,
    ) -> BitmapChunk<'m, 'a> {
        let base = segment.base(games.start);
        let n_positions = segment.base(games.end) - base;
        let (cached, cached_given) = (vec![None; evaluator.sets.len()], vec![None; evaluator.given.len()]);
        BitmapChunk { evaluator, segment, games, base, n_positions, cached, cached_given }
    }

    fn n_words(&self) -> usize {
        self.n_positions.div_ceil(64)
    }

    fn bits(&mut self, node: &BitmapNode) -> Bitmap {
        match node {
            BitmapNode::All(parts) => self.all(parts),
            BitmapNode::Any(parts) => {
                let mut sum = Vec::new();
                for part in parts {
                    let bits = self.bits(part);
                    if sum.is_empty() {
                        sum.extend_from_slice(&bits)
                    } else {
                        sum.iter_mut().zip(bits.iter()).for_each(|(sum, bits)| *sum |= bits)
                    }
                }
                Rc::new(sum)
            }
            BitmapNode::Not(_) => self.all(std::slice::from_ref(node)),
            BitmapNode::Set(number) => self.set(*number),
            BitmapNode::Given(number) => self.given(*number),
        }
    }

    fn all(&mut self, parts: &[BitmapNode]) -> Bitmap {
        let mut sum = vec![u64::MAX; self.n_words()];
        for part in parts {
            let (bits, flip) = match part {
                BitmapNode::Not(part) => (self.bits(part), u64::MAX),
                part => (self.bits(part), 0),
            };
            if bits.is_empty() {
                if flip == 0 {
                    return Bitmap::default();
                }
                continue;
            }
            let mut any = 0;
            for (sum, bits) in sum.iter_mut().zip(bits.iter()) {
                *sum &= bits ^ flip;
                any |= *sum;
            }
            if any == 0 {
                return Bitmap::default();
            }
        }
        Rc::new(sum)
    }

    fn set(&mut self, number: usize) -> Bitmap {
        if let Some(bits) = &self.cached[number] {
            return bits.clone();
        }
        let mut bits = Vec::new();
        let (segment, base, n_words) = (self.segment, self.base, self.n_words() + 1);
        for list in &self.evaluator.sets[number] {
            list.each_interval(self.games.clone(), |game, from, to| {
                if bits.is_empty() {
                    bits.resize(n_words, 0u64);
                }
                let first = segment.base(game) - base;
                for turn in [first + usize::from(from), first + usize::from(to)] {
                    if let Some(word) = bits.get_mut(turn / 64) {
                        *word ^= 1 << (turn % 64);
                    }
                }
            });
        }
        fill(&mut bits);
        let bits = Rc::new(bits);
        self.cached[number] = Some(bits.clone());
        bits
    }

    fn given(&mut self, number: usize) -> Bitmap {
        if let Some(bits) = &self.cached_given[number] {
            return bits.clone();
        }
        let (_, given) = &self.evaluator.given[number];
        let first = given.partition_point(|interval| interval.game < self.games.start);
        let mut bits = vec![0u64; self.n_words() + 1];
        for interval in given[first..].iter().take_while(|interval| interval.game < self.games.end) {
            let begin = self.segment.base(interval.game) - self.base;
            for turn in [begin + usize::from(interval.from), begin + usize::from(interval.to)] {
                bits[turn / 64] ^= 1 << (turn % 64);
            }
        }
        fill(&mut bits);
        let bits = Rc::new(bits);
        self.cached_given[number] = Some(bits.clone());
        bits
    }

    /// The intervals of set bits.
    fn intervals(&self, bits: &[u64]) -> Vec<Posting> {
        let mut intervals = Vec::new();
        if bits.is_empty() {
            return intervals;
        }
        let mut next = 0;
        for game in self.games.clone() {
            let begin = self.segment.base(game) - self.base;
            let end = self.segment.base(game + 1) - self.base;
            next = next.max(begin);
            while let Some(from) = find(bits, next..end, 0) {
                next = find(bits, from..end, u64::MAX).unwrap_or(end);
                intervals.push(Posting { game, from: (from - begin) as u16, to: (next - begin) as u16 });
            }
        }
        intervals
    }
}

fn chunks(n_games: usize, size: usize) -> Vec<Range<u32>> {
    (0..n_games).step_by(size).map(|first| first as u32..n_games.min(first + size) as u32).collect()
}

/// Prefix XOR: from toggled ends to filled intervals.
fn fill(bits: &mut [u64]) {
    let mut carry = 0;
    for word in bits {
        let mut filled = *word;
        for shift in [1, 2, 4, 8, 16, 32] {
            filled ^= filled << shift;
        }
        *word = filled ^ carry;
        carry = if *word >> 63 == 1 { u64::MAX } else { 0 };
    }
}

/// The first set bit of a range, or the first clear one if `flip` is all ones.
fn find(bits: &[u64], places: Range<usize>, flip: u64) -> Option<usize> {
    let mut mask = u64::MAX << (places.start % 64);
    for index in places.start / 64..places.end.div_ceil(64) {
        let word = (bits.get(index).copied().unwrap_or(0) ^ flip) & mask;
        if word != 0 {
            let found = index * 64 + word.trailing_zeros() as usize;
            return (found < places.end).then_some(found);
        }
        mask = u64::MAX;
    }
    None
}

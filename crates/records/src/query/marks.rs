//! Conditions that most positions meet, answered with a bit for every position.
//!
//! In: a plan of states put together with and, or, not. Out: stretches, in order. Never: more memory than a few thousand
//! games need at a time, whatever the plan.
//!
//! Games are taken a few thousand at a time, on every core. For each set of states the bits are made once, however many
//! parts of the plan ask for it: a shape that may stand anywhere asks for the same squares again and again. Where a
//! stretch begins and where it ends a bit is turned; what lies between follows from that for a whole word at once. States
//! that exclude each other, as the pieces on one square do, are turned into the same bits.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::answer::QueryRunError;
use super::patience::Patience;
use super::plan::Plan;
use crate::index::postings::{Posting, StateList};
use crate::segment::Segment;

/// Games that are looked at at a time: a bit for each of their positions stays in the processor's second memory.
const GAMES: usize = 4096;

/// A plan with the lists that it asks for.
#[derive(Default)]
pub struct Marks<'a> {
    sets: Vec<Vec<StateList<'a>>>,
    numbers: HashMap<Vec<u32>, usize>,
    given: Vec<(Plan, Vec<Posting>)>,
}

enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// A set of states that exclude each other.
    Set(usize),
    /// Stretches that are known.
    Given(usize),
}

impl<'a> Marks<'a> {
    /// Answers a plan; what is not made of states is answered by `other`.
    pub fn answer(
        mut self,
        plan: &Plan,
        segment: &'a Segment,
        stop: &AtomicBool,
        other: &impl Fn(&Plan) -> Result<Vec<Posting>, QueryRunError>,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let node = self.prepare(plan, segment, other)?;
        self.runs(&node, segment, &chunks(segment.n_games(), GAMES), stop)
    }

    /// The same from the first game on, as far as patience reaches and at most for the first `n_games`. Gives the stretches
    /// and the number of games looked at; `other` need not know of more games.
    pub fn begin(
        mut self,
        plan: &Plan,
        (segment, n_games): (&'a Segment, usize),
        patience: &Patience,
        stop: &AtomicBool,
        other: &impl Fn(&Plan) -> Result<Vec<Posting>, QueryRunError>,
    ) -> Result<(Vec<Posting>, usize), QueryRunError> {
        let node = self.prepare(plan, segment, other)?;
        let (mut found, mut n_looked_at) = (Vec::new(), 0);
        for some in chunks(n_games, patience.games_at_a_time).chunks(rayon::current_num_threads()) {
            if n_looked_at > 0 && (patience.is_over)() {
                break;
            }
            found.extend(self.runs(&node, segment, some, stop)?);
            n_looked_at = some.last().map_or(n_looked_at, |games| games.end as usize);
        }
        Ok((found, n_looked_at))
    }

    fn runs(
        &self,
        node: &Node,
        segment: &'a Segment,
        chunks: &[Range<u32>],
        stop: &AtomicBool,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let found = chunks.par_iter().map(|games| {
            if stop.load(Ordering::Relaxed) {
                return Err(QueryRunError::Stopped);
            }
            let mut some = Chunk::new(self, segment, games.clone());
            let bits = some.bits(node);
            Ok(some.runs(&bits))
        });
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn prepare(
        &mut self,
        plan: &Plan,
        segment: &'a Segment,
        other: &impl Fn(&Plan) -> Result<Vec<Posting>, QueryRunError>,
    ) -> Result<Node, QueryRunError> {
        let mut each = |parts: &[Plan]| {
            parts.iter().map(|part| self.prepare(part, segment, other)).collect::<Result<Vec<Node>, _>>()
        };
        Ok(match plan {
            Plan::And(parts) => {
                let mut nodes = each(parts)?;
                // What leaves few positions first: once there are none the rest is not asked.
                nodes.sort_by_key(|node| self.n_pairs(node));
                Node::All(nodes)
            }
            Plan::Or(parts) => Node::Any(each(parts)?),
            Plan::Not(part) => Node::Not(Box::new(self.prepare(part, segment, other)?)),
            Plan::State(state) => self.set(std::slice::from_ref(state), segment)?,
            Plan::OneOf(states) => self.set(states, segment)?,
            plan => {
                let known = self.given.iter().position(|(given, _)| given == plan);
                Node::Given(match known {
                    Some(number) => number,
                    None => {
                        self.given.push((plan.clone(), other(plan)?));
                        self.given.len() - 1
                    }
                })
            }
        })
    }

    fn set(&mut self, states: &[u32], segment: &'a Segment) -> Result<Node, QueryRunError> {
        if let Some(number) = self.numbers.get(states) {
            return Ok(Node::Set(*number));
        }
        let mut lists = Vec::new();
        for state in states {
            lists.extend(segment.list(*state)?);
        }
        self.sets.push(lists);
        self.numbers.insert(states.to_vec(), self.sets.len() - 1);
        Ok(Node::Set(self.sets.len() - 1))
    }

    fn n_pairs(&self, node: &Node) -> usize {
        match node {
            Node::All(parts) => parts.iter().map(|part| self.n_pairs(part)).min().unwrap_or(usize::MAX),
            Node::Any(parts) => {
                parts.iter().fold(0, |sum: usize, part| sum.saturating_add(self.n_pairs(part)))
            }
            Node::Not(_) => usize::MAX,
            Node::Set(number) => self.sets[*number].iter().map(StateList::n_pairs).sum(),
            Node::Given(number) => self.given[*number].1.len(),
        }
    }
}

/// Bits of some games; none at all where there would be no ones.
type Bits = Rc<Vec<u64>>;

/// Some games, and the bits of the sets that were asked for.
struct Chunk<'m, 'a> {
    marks: &'m Marks<'a>,
    segment: &'m Segment,
    games: Range<u32>,
    base: usize,
    n_positions: usize,
    known: Vec<Option<Bits>>,
    known_given: Vec<Option<Bits>>,
}

impl<'m, 'a> Chunk<'m, 'a> {
    fn new(marks: &'m Marks<'a>, segment: &'m Segment, games: Range<u32>) -> Chunk<'m, 'a> {
        let base = segment.base(games.start);
        let n_positions = segment.base(games.end) - base;
        let (known, known_given) = (vec![None; marks.sets.len()], vec![None; marks.given.len()]);
        Chunk { marks, segment, games, base, n_positions, known, known_given }
    }

    fn n_words(&self) -> usize {
        self.n_positions.div_ceil(64)
    }

    fn bits(&mut self, node: &Node) -> Bits {
        match node {
            Node::All(parts) => self.all(parts),
            Node::Any(parts) => {
                let mut sum = Vec::new();
                for part in parts {
                    let bits = self.bits(part);
                    match sum.is_empty() {
                        true => sum.extend_from_slice(&bits),
                        false => sum.iter_mut().zip(bits.iter()).for_each(|(sum, bits)| *sum |= bits),
                    }
                }
                Rc::new(sum)
            }
            Node::Not(_) => self.all(std::slice::from_ref(node)),
            Node::Set(number) => self.set(*number),
            Node::Given(number) => self.given(*number),
        }
    }

    /// Positions of every part.
    fn all(&mut self, parts: &[Node]) -> Bits {
        let mut sum = vec![u64::MAX; self.n_words()];
        for part in parts {
            let (bits, flip) = match part {
                Node::Not(part) => (self.bits(part), u64::MAX),
                part => (self.bits(part), 0),
            };
            if bits.is_empty() {
                if flip == 0 {
                    return Bits::default();
                }
                continue;
            }
            let mut any = 0;
            for (sum, bits) in sum.iter_mut().zip(bits.iter()) {
                *sum &= bits ^ flip;
                any |= *sum;
            }
            if any == 0 {
                return Bits::default();
            }
        }
        Rc::new(sum)
    }

    fn set(&mut self, number: usize) -> Bits {
        if let Some(bits) = &self.known[number] {
            return bits.clone();
        }
        let mut bits = Vec::new();
        let (segment, base, n_words) = (self.segment, self.base, self.n_words() + 1);
        for list in &self.marks.sets[number] {
            list.each_stretch(self.games.clone(), |game, from, to| {
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
        self.known[number] = Some(bits.clone());
        bits
    }

    fn given(&mut self, number: usize) -> Bits {
        if let Some(bits) = &self.known_given[number] {
            return bits.clone();
        }
        let (_, given) = &self.marks.given[number];
        let first = given.partition_point(|run| run.game < self.games.start);
        let mut bits = vec![0u64; self.n_words() + 1];
        for run in given[first..].iter().take_while(|run| run.game < self.games.end) {
            let begin = self.segment.base(run.game) - self.base;
            for turn in [begin + usize::from(run.from), begin + usize::from(run.to)] {
                bits[turn / 64] ^= 1 << (turn % 64);
            }
        }
        fill(&mut bits);
        let bits = Rc::new(bits);
        self.known_given[number] = Some(bits.clone());
        bits
    }

    /// The stretches that bits stand for.
    fn runs(&self, bits: &[u64]) -> Vec<Posting> {
        let mut runs = Vec::new();
        if bits.is_empty() {
            return runs;
        }
        let mut next = 0;
        for game in self.games.clone() {
            let begin = self.segment.base(game) - self.base;
            let end = self.segment.base(game + 1) - self.base;
            next = next.max(begin);
            while let Some(from) = find(bits, next..end, 0) {
                next = find(bits, from..end, u64::MAX).unwrap_or(end);
                runs.push(Posting { game, from: (from - begin) as u16, to: (next - begin) as u16 });
            }
        }
        runs
    }
}

fn chunks(n_games: usize, size: usize) -> Vec<Range<u32>> {
    (0..n_games).step_by(size).map(|first| first as u32..n_games.min(first + size) as u32).collect()
}

/// From the places where stretches begin and end to all that lies between.
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

/// The first place within a range that has a one, or none if `flip` is all ones.
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

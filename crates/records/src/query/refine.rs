//! Intersects the intervals of games in which a state has gaps.
//!
//! In: posting lists, games in increasing order. Out: the intervals in which all states hold. Never: games that lack a
//! state.

use super::tally::Sink;
use crate::index::pdep::Pdep;
use crate::index::postings::{Interval, Pairs, Posting, StateList, StateWalker};

/// Exact intersection for games with gaps, or with spans that saturate a byte.
pub struct Refine<'a> {
    lists: Vec<(StateList<'a>, Pairs<'a>)>,
    walkers: Vec<StateWalker<'a>>,
    /// Double buffer: the intersection so far, and the next.
    common: [Vec<Interval>; 2],
    current: usize,
}

impl<'a> Refine<'a> {
    pub fn of(lists: &[StateList<'a>]) -> Refine<'a> {
        Refine {
            lists: lists.iter().map(|list| (*list, list.pairs())).collect(),
            walkers: lists.iter().map(StateList::walker).collect(),
            common: [Vec::new(), Vec::new()],
            current: 0,
        }
    }

    /// Emits the intervals of a game that has all states. Games must not decrease between calls.
    #[inline(always)]
    pub fn beyond_bytes(&mut self, game: u32, out: &mut impl Sink, pdep: impl Pdep) {
        let (mut from, mut to) = (0, u16::MAX);
        for (list, pairs) in &mut self.lists {
            let Some(pair) = pairs.of(game, pdep) else { return };
            let span = list.span(pair);
            (from, to) = (from.max(span.0), to.min(span.1));
        }
        if from < to {
            self.begin((from, to));
            for n in 0..self.walkers.len() {
                self.narrow(n, game, pdep);
            }
            self.finish(game, out);
        }
    }

    /// Starts from the intersection of the spans.
    #[inline(always)]
    pub fn begin(&mut self, span: Interval) {
        self.common[0].clear();
        self.common[0].push(span);
        self.current = 0;
    }

    /// Intersects with the intervals of one state, if it has several. Games must not decrease between calls.
    #[inline(always)]
    pub fn narrow(&mut self, n: usize, game: u32, pdep: impl Pdep) {
        let (mut narrowing, walker) = self.narrowing(n);
        if walker.multi(game, pdep, |from, to| narrowing.by(from, to)) {
            self.current = 1 - self.current;
        }
    }

    #[inline(always)]
    fn narrowing(&mut self, n: usize) -> (Narrowing<'_>, &mut StateWalker<'a>) {
        let [one, other] = &mut self.common;
        let (common, next) = if self.current == 0 { (one, other) } else { (other, one) };
        next.clear();
        let last = common.last().map_or(0, |(_, to)| *to);
        (Narrowing { common, next, last }, &mut self.walkers[n])
    }

    #[inline(always)]
    pub fn finish(&mut self, game: u32, out: &mut impl Sink) {
        for (from, to) in &self.common[self.current] {
            out.push(Posting { game, from: *from, to: *to });
        }
    }
}

struct Narrowing<'a> {
    common: &'a [Interval],
    next: &'a mut Vec<Interval>,
    last: u16,
}

impl Narrowing<'_> {
    /// Intersects with an interval; returns whether later ones matter.
    #[inline(always)]
    fn by(&mut self, own_from: u16, own_to: u16) -> bool {
        for (from, to) in self.common {
            let (from, to) = ((*from).max(own_from), (*to).min(own_to));
            if from < to {
                self.next.push((from, to));
            }
        }
        own_to < self.last
    }
}

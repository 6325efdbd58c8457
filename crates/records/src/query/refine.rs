//! What a hull leaves open: the stretches of games in which some state came and went.
//!
//! In: lists of states, rising games. Out: the stretches in which all of them held. Never: games that lack a state.

use super::tally::Receive;
use crate::index::deposit::Deposit;
use crate::index::postings::{Pairs, Posting, StateList, StateWalker, Stretch};

/// Games whose states have several stretches, or very late ones.
pub struct Refine<'a> {
    lists: Vec<(StateList<'a>, Pairs<'a>)>,
    walkers: Vec<StateWalker<'a>>,
    /// The stretches that are left, and room for the next.
    common: [Vec<Stretch>; 2],
    current: usize,
}

impl<'a> Refine<'a> {
    /// For states that hold together.
    pub fn of(lists: &[StateList<'a>]) -> Refine<'a> {
        Refine {
            lists: lists.iter().map(|list| (*list, list.pairs())).collect(),
            walkers: lists.iter().map(StateList::walker).collect(),
            common: [Vec::new(), Vec::new()],
            current: 0,
        }
    }

    /// Appends the stretches of a game of which nothing is known but that it has all states. Games do not fall.
    #[inline(always)]
    pub fn beyond_bytes(&mut self, game: u32, out: &mut impl Receive, deposit: impl Deposit) {
        let (mut from, mut to) = (0, u16::MAX);
        for (list, pairs) in &mut self.lists {
            let Some(pair) = pairs.of(game, deposit) else { return };
            let hull = list.hull(pair);
            (from, to) = (from.max(hull.0), to.min(hull.1));
        }
        if from < to {
            self.begin((from, to));
            for n in 0..self.walkers.len() {
                self.narrow(n, game, deposit);
            }
            self.finish(game, out);
        }
    }

    /// Begins with the plies that all hulls of a game share.
    #[inline(always)]
    pub fn begin(&mut self, hull: Stretch) {
        self.common[0].clear();
        self.common[0].push(hull);
        self.current = 0;
    }

    /// Narrows the stretches by those of one state, if there are several. Games do not fall.
    #[inline(always)]
    pub fn narrow(&mut self, n: usize, game: u32, deposit: impl Deposit) {
        let (mut narrowing, walker) = self.narrowing(n);
        if walker.several(game, deposit, |from, to| narrowing.by(from, to)) {
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

    /// Appends what is left.
    #[inline(always)]
    pub fn finish(&mut self, game: u32, out: &mut impl Receive) {
        for (from, to) in &self.common[self.current] {
            out.push(Posting { game, from: *from, to: *to });
        }
    }
}

struct Narrowing<'a> {
    common: &'a [Stretch],
    next: &'a mut Vec<Stretch>,
    last: u16,
}

impl Narrowing<'_> {
    /// Keeps what is within a stretch; gives whether later ones matter.
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

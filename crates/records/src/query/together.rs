//! Where several states hold together, among games that have them all.
//!
//! In: lists of states, games. Out: stretches. Never: an interval before the hulls have met.
//!
//! Lists are taken one after another and games in rows: the hulls of a row of neighbouring games are unpacked and compared
//! together, which the processor does many at a time; where few games of a list are left each is looked up alone.

use crate::index::bits::Bits;
use crate::index::postings::{HullRow, Posting, StateList, StateWalker, Stretch};

/// A list is unpacked whole when so many of its games are asked for: one lookup costs about as much as that many.
const LOOKUP_COST: usize = 12;

/// A row of hulls is unpacked whole when at least one in so many is wanted.
const ROW_ONE_IN: usize = 3;

/// Appends the stretches of some games in which states held together. The games rise, and are in every list that is
/// kept as bits.
pub fn together(lists: &[StateList], games: &[u32], out: &mut Vec<Posting>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("avx2")
    {
        // SAFETY: the processor has what the function was compiled for. Counting bits and comparing rows of hulls are
        // single instructions there, and many without: searches take half the time.
        #[allow(unsafe_code)]
        return unsafe { together_in_rows(lists, games, out) };
    }
    together_anywhere(lists, games, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,avx2")]
fn together_in_rows(lists: &[StateList], games: &[u32], out: &mut Vec<Posting>) {
    together_anywhere(lists, games, out);
}

#[inline(always)]
fn together_anywhere(lists: &[StateList], games: &[u32], out: &mut Vec<Posting>) {
    let mut together = Together::of_games(games);
    for list in lists {
        together.narrow(list);
    }
    together.finish(lists, out);
}

/// Games in which some states may hold together, with the plies that their hulls share.
#[derive(Default)]
struct Together {
    games: Vec<u32>,
    from: Vec<u16>,
    to: Vec<u16>,
    /// Whether the hull of some state is not one stretch.
    rough: Vec<u8>,
    row: HullRow,
}

impl Together {
    fn of_games(games: &[u32]) -> Together {
        let n = games.len();
        Together {
            games: games.to_vec(),
            from: vec![0; n],
            to: vec![u16::MAX; n],
            rough: vec![0; n],
            ..Together::default()
        }
    }

    /// Leaves the games in which one more state may hold with the others.
    #[inline(always)]
    fn narrow(&mut self, list: &StateList) {
        match list.bits() {
            Some(bits) => self.narrow_dense(list, bits),
            None if self.games.len() * LOOKUP_COST < list.n_pairs() => {
                self.keep(|game| list.pair_of(game), list);
            }
            None => {
                let mut own = Vec::new();
                list.unpack_games(&mut own);
                let mut next = 0;
                let find = |game| {
                    while own.get(next).is_some_and(|other| *other < game) {
                        next += 1;
                    }
                    (own.get(next) == Some(&game)).then_some(next)
                };
                self.keep(find, list);
            }
        }
    }

    #[inline(always)]
    fn narrow_dense(&mut self, list: &StateList, bits: Bits) {
        let (Some(first), Some(last)) = (self.games.first(), self.games.last()) else { return };
        let rank = |game: u32| if list.has_every_game() { game as usize } else { bits.rank(game as usize) };
        let (first, last) = (rank(*first), rank(*last));
        let (n, n_between) = (self.games.len(), last - first + 1);
        if n_between > n * ROW_ONE_IN {
            let mut ranks = bits.ranks();
            return match list.has_every_game() {
                true => self.keep(|game| Some(game as usize), list),
                false => self.keep(|game| Some(ranks.rank(game as usize)), list),
            };
        }
        list.unpack_hulls(first, n_between, &mut self.row);
        let (starts, ends) = (self.row.starts(), self.row.ends());
        if n_between == n {
            let rough = &mut self.rough;
            list.each_several(first, n, |at| rough[at] = 1);
            let sides = self.from.iter_mut().zip(starts).zip(self.to.iter_mut().zip(ends));
            for ((from, start), (to, end)) in sides {
                *from = (*from).max(*start);
                *to = (*to).min(*end);
            }
        } else {
            let mut ranks = bits.ranks();
            for at in 0..n {
                let game = self.games[at] as usize;
                let pair = if list.has_every_game() { game } else { ranks.rank(game) };
                self.rough[at] |= u8::from(list.is_several(pair));
                self.from[at] = self.from[at].max(starts[pair - first]);
                self.to[at] = self.to[at].min(ends[pair - first]);
            }
        }
        self.drop_the_apart();
    }

    /// Drops the games whose hulls do not meet.
    #[inline(always)]
    fn drop_the_apart(&mut self) {
        let n = self.games.len();
        let n_apart: usize = self.from.iter().zip(&self.to).map(|(from, to)| usize::from(from >= to)).sum();
        if n_apart == 0 {
            return;
        }
        let mut n_kept = 0;
        for at in 0..n {
            // Written always and kept by counting: whether hulls meet is a coin toss to the processor.
            self.games[n_kept] = self.games[at];
            (self.from[n_kept], self.to[n_kept]) = (self.from[at], self.to[at]);
            self.rough[n_kept] = self.rough[at];
            n_kept += usize::from(self.from[at] < self.to[at]);
        }
        self.truncate(n_kept);
    }

    fn truncate(&mut self, n: usize) {
        self.games.truncate(n);
        self.from.truncate(n);
        self.to.truncate(n);
        self.rough.truncate(n);
    }

    /// Looks each game up alone.
    #[inline(always)]
    fn keep(&mut self, mut pair_of: impl FnMut(u32) -> Option<usize>, list: &StateList) {
        let mut n_kept = 0;
        for at in 0..self.games.len() {
            let Some(pair) = pair_of(self.games[at]) else { continue };
            let (start, end) = list.hull(pair);
            let (from, to) = (start.max(self.from[at]), end.min(self.to[at]));
            self.games[n_kept] = self.games[at];
            (self.from[n_kept], self.to[n_kept]) = (from, to);
            self.rough[n_kept] = self.rough[at] | u8::from(list.is_several(pair));
            n_kept += usize::from(from < to);
        }
        self.truncate(n_kept);
    }

    /// Appends the stretches in which all of the states held.
    #[inline(always)]
    fn finish(self, lists: &[StateList], out: &mut Vec<Posting>) {
        out.reserve(self.games.len());
        let mut rough = Rough::of(lists);
        for (at, game) in self.games.into_iter().enumerate() {
            let (from, to) = (self.from[at], self.to[at]);
            match self.rough[at] {
                0 => out.push(Posting { game, from, to }),
                _ => rough.refine(game, (from, to), out),
            }
        }
    }
}

/// Games whose states have several stretches.
struct Rough<'a> {
    walkers: Vec<StateWalker<'a>>,
    common: Vec<Stretch>,
    own: Vec<Stretch>,
    next: Vec<Stretch>,
}

impl<'a> Rough<'a> {
    fn of(lists: &[StateList<'a>]) -> Rough<'a> {
        let walkers = lists.iter().map(StateList::walker).collect();
        Rough { walkers, common: Vec::new(), own: Vec::new(), next: Vec::new() }
    }

    #[inline(always)]
    fn refine(&mut self, game: u32, hull: Stretch, out: &mut Vec<Posting>) {
        self.common.clear();
        self.common.push(hull);
        for walker in &mut self.walkers {
            self.own.clear();
            if !walker.several(game, &mut self.own) {
                continue;
            }
            self.next.clear();
            for (from, to) in &self.common {
                for (other_from, other_to) in &self.own {
                    let (from, to) = ((*from).max(*other_from), (*to).min(*other_to));
                    if from < to {
                        self.next.push((from, to));
                    }
                }
            }
            std::mem::swap(&mut self.common, &mut self.next);
            if self.common.is_empty() {
                return;
            }
        }
        out.extend(self.common.iter().map(|(from, to)| Posting { game, from: *from, to: *to }));
    }
}

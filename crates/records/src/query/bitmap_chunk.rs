//! Position bitmaps of a chunk of games.
//!
//! In: a range of games, optionally a subset of it; nodes of a plan. Out: a bit for every position of these games. Never:
//! positions of other games.
//!
//! The ends of an interval toggle a bit each, and a prefix XOR fills what lies between. Games that a rare state leaves out,
//! and games in which all positions match already, are dropped: the rest is evaluated in a smaller chunk of the others.

use std::ops::Range;
use std::rc::Rc;

use super::bit_ranges::{copy_range, fill, find};
use crate::index::bits::Ones;
use crate::index::postings::{Posting, StateList};
use crate::segment::Segment;

/// A smaller chunk pays if it has at most one game in so many.
const NARROW_ONE_IN: usize = 2;
/// Alternatives between two looks for games in which every position matches.
const ALTERNATIVES: usize = 4;

/// The bits of a chunk; empty if none is set.
type Bitmap = Rc<Vec<u64>>;

pub enum BitmapNode {
    All(Vec<BitmapNode>),
    Any(Vec<BitmapNode>),
    Not(Box<BitmapNode>),
    /// A set of mutually exclusive states.
    Set(usize),
    /// Intervals computed otherwise.
    Given(usize),
}

/// The posting lists of a plan.
#[derive(Default)]
pub struct BitmapLists<'a> {
    pub sets: Vec<Vec<StateList<'a>>>,
    pub given: Vec<Vec<Posting>>,
}

/// A chunk of games, with the bitmaps computed so far.
pub struct BitmapChunk<'m, 'a> {
    lists: &'m BitmapLists<'a>,
    games: Range<u32>,
    subset: Subset,
    /// The number of the first position of each game of the range, counted in this chunk, and of the game after the last. A
    /// game that is left out has no positions.
    bases: Vec<u32>,
    cached: Vec<Option<Bitmap>>,
    cached_given: Vec<Option<Bitmap>>,
}

enum Subset {
    All,
    /// A bit for each game, from the one of the range's first game down to a multiple of 64.
    These(Vec<u64>),
}

impl<'m, 'a> BitmapChunk<'m, 'a> {
    pub fn new(lists: &'m BitmapLists<'a>, segment: &Segment, games: Range<u32>) -> Self {
        let first = segment.base(games.start);
        let bases = (games.start..=games.end).map(|game| (segment.base(game) - first) as u32).collect();
        BitmapChunk::of(lists, games, Subset::All, bases)
    }

    fn of(lists: &'m BitmapLists<'a>, games: Range<u32>, subset: Subset, bases: Vec<u32>) -> Self {
        let (cached, cached_given) = (vec![None; lists.sets.len()], vec![None; lists.given.len()]);
        BitmapChunk { lists, games, subset, bases, cached, cached_given }
    }

    /// The same games, as far as they are in a set of bits.
    fn narrowed(&self, subset: Vec<u64>) -> BitmapChunk<'m, 'a> {
        let (mut bases, mut next) = (Vec::with_capacity(self.bases.len()), 0);
        for game in self.games.clone() {
            bases.push(next);
            let (word, bit) = self.place(game);
            if subset[word] >> bit & 1 == 1 {
                next += self.positions(game).len() as u32;
            }
        }
        bases.push(next);
        BitmapChunk::of(self.lists, self.games.clone(), Subset::These(subset), bases)
    }

    /// Where the bit of a game is in a subset.
    fn place(&self, game: u32) -> (usize, u32) {
        ((game / 64 - self.games.start / 64) as usize, game % 64)
    }

    fn positions(&self, game: u32) -> Range<usize> {
        let at = (game - self.games.start) as usize;
        self.bases[at] as usize..self.bases[at + 1] as usize
    }

    fn n_positions(&self) -> usize {
        self.bases.last().map_or(0, |end| *end as usize)
    }

    fn n_words(&self) -> usize {
        self.n_positions().div_ceil(64)
    }

    pub fn bits(&mut self, node: &BitmapNode) -> Bitmap {
        match node {
            BitmapNode::All(parts) => self.all_of_some(parts),
            BitmapNode::Any(parts) => Rc::new(self.any(parts)),
            BitmapNode::Not(_) => self.all(std::slice::from_ref(node)),
            BitmapNode::Set(number) => self.set(*number),
            BitmapNode::Given(number) => self.given(*number),
        }
    }

    fn any(&mut self, parts: &[BitmapNode]) -> Vec<u64> {
        let mut sum = Vec::new();
        for (n, part) in (1..).zip(parts) {
            let bits = self.bits(part);
            if sum.is_empty() {
                sum.extend_from_slice(&bits)
            } else {
                sum.iter_mut().zip(bits.iter()).for_each(|(sum, bits)| *sum |= bits)
            }
            if n % ALTERNATIVES == 0 && n < parts.len() {
                let open = self.games_where(|positions| find(&sum, positions, u64::MAX).is_some());
                if let Some(mut some) = self.if_few(open) {
                    let rest = some.any(&parts[n..]);
                    self.unite(&mut sum, &some, &rest);
                    break;
                }
            }
        }
        sum
    }

    /// Where all parts hold; if the first is rare, the others are evaluated in its games only.
    fn all_of_some(&mut self, parts: &[BitmapNode]) -> Bitmap {
        let Some(BitmapNode::Set(first)) = parts.first() else { return self.all(parts) };
        match self.if_few(self.games_of(&self.lists.sets[*first])) {
            Some(mut some) => {
                let bits = some.all(parts);
                let mut sum = Vec::new();
                self.unite(&mut sum, &some, &bits);
                Rc::new(sum)
            }
            None => self.all(parts),
        }
    }

    /// A smaller chunk, if it has few of this chunk's games.
    fn if_few(&self, games: Vec<u64>) -> Option<BitmapChunk<'m, 'a>> {
        let n_games: u32 = match &self.subset {
            Subset::All => self.games.len() as u32,
            Subset::These(all) => all.iter().map(|word| word.count_ones()).sum(),
        };
        let n_few: u32 = games.iter().map(|word| word.count_ones()).sum();
        (n_few as usize * NARROW_ONE_IN <= n_games as usize).then(|| self.narrowed(games))
    }

    fn games_where(&self, mut is: impl FnMut(Range<usize>) -> bool) -> Vec<u64> {
        let mut games = vec![0; self.place(self.games.end).0 + 1];
        for game in self.games.clone().filter(|game| is(self.positions(*game))) {
            let (word, bit) = self.place(game);
            games[word] |= 1 << bit;
        }
        games
    }

    /// The games of this chunk that have one of several states.
    fn games_of(&self, lists: &[StateList]) -> Vec<u64> {
        let mut games = vec![0; self.place(self.games.end).0 + 1];
        lists.iter().for_each(|list| list.add_games(self.games.clone(), &mut games));
        if let Subset::These(all) = &self.subset {
            games.iter_mut().zip(all).for_each(|(game, all)| *game &= all);
        }
        games
    }

    /// Adds the bits of a smaller chunk.
    fn unite(&self, sum: &mut Vec<u64>, some: &BitmapChunk, bits: &[u64]) {
        let Subset::These(games) = &some.subset else { return };
        if bits.is_empty() {
            return;
        }
        sum.resize(self.n_words() + 1, 0);
        for (word, games) in games.iter().enumerate() {
            for bit in Ones(*games) {
                let game = self.games.start / 64 * 64 + (word * 64 + bit) as u32;
                copy_range(sum, self.positions(game).start, bits, some.positions(game));
            }
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
        let (start, n_words) = (self.games.start, self.n_words() + 1);
        for list in &self.lists.sets[number] {
            let toggle = |game: u32, from: u16, to: u16| {
                if bits.is_empty() {
                    bits.resize(n_words, 0u64);
                }
                let first = self.bases[(game - start) as usize] as usize;
                for turn in [first + usize::from(from), first + usize::from(to)] {
                    if let Some(word) = bits.get_mut(turn / 64) {
                        *word ^= 1 << (turn % 64);
                    }
                }
            };
            match &self.subset {
                Subset::All => list.each_interval(self.games.clone(), toggle),
                Subset::These(games) => list.each_interval_among(self.games.clone(), games, toggle),
            }
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
        let given = &self.lists.given[number];
        let first = given.partition_point(|interval| interval.game < self.games.start);
        let mut bits = vec![0u64; self.n_words() + 1];
        for interval in given[first..].iter().take_while(|interval| interval.game < self.games.end) {
            let own = self.positions(interval.game);
            for turn in [own.start + usize::from(interval.from), own.start + usize::from(interval.to)] {
                if !own.is_empty() {
                    bits[turn / 64] ^= 1 << (turn % 64);
                }
            }
        }
        fill(&mut bits);
        let bits = Rc::new(bits);
        self.cached_given[number] = Some(bits.clone());
        bits
    }

    /// The intervals of set bits.
    pub fn intervals(&self, bits: &[u64]) -> Vec<Posting> {
        let mut intervals = Vec::new();
        if bits.is_empty() {
            return intervals;
        }
        for game in self.games.clone() {
            let own = self.positions(game);
            let mut next = own.start;
            while let Some(from) = find(bits, next..own.end, 0) {
                next = find(bits, from..own.end, u64::MAX).unwrap_or(own.end);
                let (from, to) = ((from - own.start) as u16, (next - own.start) as u16);
                intervals.push(Posting { game, from, to });
            }
        }
        intervals
    }
}

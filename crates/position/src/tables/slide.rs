//! Where a rider gets to, given the occupied squares.
//!
//! In: rays. Out: reach. Two ways: obstruction difference, for every word and ray on any processor; and packed tables
//! read with BMI2's bit gathering, for words of 64 and 128 bits. Never: who the rider is.

use crate::bmi2::Pext;
use crate::word::{PerSquare, Word};

/// Squares of a line below and above a square.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayPair<W> {
    lower: W,
    upper: W,
}

/// A group of rays from one square, packed: blockers are gathered to an index, the entry is spread to a reach.
#[derive(Clone, Copy, Debug)]
struct PextGroup<W> {
    blockers: W,
    reach: W,
    offset: u32,
    /// How many of the blockers and of the reach are among the lowest 64 squares.
    low_blockers: u8,
    low_reach: u8,
}

/// The rides of a unit: one or two lines from each square.
#[derive(Debug)]
pub struct SlideTable<W> {
    lines: PerSquare<[RayPair<W>; 2]>,
    /// Reach on an empty board.
    aims: PerSquare<W>,
    packed: PerSquare<[PextGroup<W>; 2]>,
    n_groups: usize,
    entries: Vec<u16>,
}

/// A group is packed up to so many blockers: 4096 entries of two bytes for a square.
const MAX_BLOCKERS: u32 = 12;

/// Rays from a square, nearest square first, as (line, toward higher squares, squares).
pub struct Rays {
    /// Of line 0 or 1.
    pub line: usize,
    /// Squares, nearest first; square numbers all rise or all fall.
    pub squares: Vec<u8>,
}

impl<W: Word> SlideTable<W> {
    /// From the rays of every square.
    pub fn new(rays: &[Vec<Rays>]) -> SlideTable<W> {
        let none = RayPair { lower: W::ZERO, upper: W::ZERO };
        let mut lines = PerSquare::filled([none; 2]);
        for (square, rays) in rays.iter().enumerate() {
            for ray in rays {
                let set = ray.squares.iter().fold(W::ZERO, |set, s| set | W::bit(*s));
                let line = &mut lines.at_mut(square as u8)[ray.line];
                match ray.squares.first() {
                    Some(first) if *first as usize > square => line.upper |= set,
                    _ => line.lower |= set,
                }
            }
        }
        let mut aims = PerSquare::filled(W::ZERO);
        for (square, rays) in rays.iter().enumerate() {
            let squares = rays.iter().flat_map(|ray| &ray.squares);
            *aims.at_mut(square as u8) = squares.fold(W::ZERO, |set, s| set | W::bit(*s));
        }
        let mut slide = SlideTable {
            lines,
            aims,
            packed: PerSquare::filled(
                [PextGroup { blockers: W::ZERO, reach: W::ZERO, offset: 0, low_blockers: 0, low_reach: 0 };
                    2],
            ),
            n_groups: 0,
            entries: Vec::new(),
        };
        if W::PACKS {
            slide.pack(rays);
        }
        slide
    }

    fn pack(&mut self, rays: &[Vec<Rays>]) {
        let blockers =
            |rays: &[&Rays]| rays.iter().map(|r| r.squares.len().saturating_sub(1) as u32).sum::<u32>();
        let together = rays.iter().all(|rays| blockers(&rays.iter().collect::<Vec<_>>()) <= MAX_BLOCKERS);
        let n_lines = if rays.iter().flatten().any(|ray| ray.line == 1) { 2 } else { 1 };
        self.n_groups = if together { 1 } else { n_lines };
        for (square, rays) in rays.iter().enumerate() {
            for group in 0..self.n_groups {
                let of_group: Vec<&Rays> = rays.iter().filter(|ray| together || ray.line == group).collect();
                if blockers(&of_group) > MAX_BLOCKERS {
                    // Lines of more than 13 squares stay with obstruction difference.
                    self.n_groups = 0;
                    self.entries.clear();
                    return;
                }
                let packed = self.pack_group(&of_group);
                self.packed.at_mut(square as u8)[group] = packed;
            }
        }
    }

    fn pack_group(&mut self, rays: &[&Rays]) -> PextGroup<W> {
        let set = |squares: &[u8]| squares.iter().fold(W::ZERO, |set, s| set | W::bit(*s));
        let inner = |ray: &Rays| set(&ray.squares[..ray.squares.len().saturating_sub(1)]);
        let blockers = rays.iter().fold(W::ZERO, |all, ray| all | inner(ray));
        let reach = rays.iter().fold(W::ZERO, |all, ray| all | set(&ray.squares));
        let offset = self.entries.len() as u32;
        let place = |set: W, square: u8| set.squares().position(|s| s == square).unwrap_or(0);
        // Each ray as its squares' places among the reach and, but for the last, among the blockers.
        let steps: Vec<Vec<(u16, usize)>> = rays
            .iter()
            .map(|ray| {
                let step = |s: &u8| {
                    (1 << place(reach, *s), if blockers.has(*s) { 1 << place(blockers, *s) } else { 0 })
                };
                ray.squares.iter().map(step).collect()
            })
            .collect();
        for index in 0..1usize << blockers.count() {
            let mut entry = 0;
            for (square, _) in steps.iter().flat_map(|ray| up_to_blocker(ray, index)) {
                entry |= square;
            }
            self.entries.push(entry);
        }
        let low = |set: W| set.words()[0].count_ones() as u8;
        PextGroup { blockers, reach, offset, low_blockers: low(blockers), low_reach: low(reach) }
    }

    /// Whether two slides reach the same squares.
    #[inline]
    pub fn same_as(&self, other: &SlideTable<W>) -> bool {
        (0..=255).all(|square| self.lines.at(square) == other.lines.at(square))
    }

    /// How to find the reach on this processor; loops over riders ask once.
    #[inline(always)]
    pub fn method<const PEXT: bool>(&self) -> Method {
        match (PEXT && W::PACKS, self.n_groups) {
            (true, 1) => Method::OneGroup,
            (true, 2) => Method::TwoGroups,
            _ => Method::Lines,
        }
    }

    #[inline(always)]
    fn one_group(&self, from: u8, occupied: W) -> W {
        self.packed_reach(&self.packed.at(from)[0], occupied)
    }

    #[inline(always)]
    fn two_groups(&self, from: u8, occupied: W) -> W {
        let [first, second] = self.packed.at(from);
        self.packed_reach(first, occupied) | self.packed_reach(second, occupied)
    }

    #[inline(always)]
    fn both_lines(&self, from: u8, occupied: W) -> W {
        let [first, second] = self.lines.at(from);
        line_reach(first, occupied) | line_reach(second, occupied)
    }

    /// Every square that the rider on `from` attacks or guards.
    #[inline(always)]
    pub(crate) fn reach<const PEXT: bool>(&self, from: u8, occupied: W) -> W {
        match self.method::<PEXT>() {
            Method::OneGroup => self.one_group(from, occupied),
            Method::TwoGroups => self.two_groups(from, occupied),
            Method::Lines => self.both_lines(from, occupied),
        }
    }

    /// The same by a known method; see [`method`].
    #[inline(always)]
    pub(crate) fn reach_by<const METHOD: u8>(&self, from: u8, occupied: W) -> W {
        match METHOD {
            method::ONE_GROUP => self.one_group(from, occupied),
            method::TWO_GROUPS => self.two_groups(from, occupied),
            _ => self.both_lines(from, occupied),
        }
    }

    /// The reach of all riders that aim at a square of `asked`; most aim elsewhere and are passed over.
    #[inline(always)]
    pub(crate) fn reach_of_all<const PEXT: bool>(&self, riders: W, occupied: W, asked: W) -> W {
        let mut all = W::ZERO;
        for from in riders.squares() {
            if (*self.aims.at(from) & asked).any() {
                all |= self.reach::<PEXT>(from, occupied);
            }
        }
        all
    }

    #[inline(always)]
    fn packed_reach(&self, group: &PextGroup<W>, occupied: W) -> W {
        // SAFETY: packed methods are chosen only where `PEXT` is true, below functions chosen because of `has_pext`.
        #[allow(unsafe_code)]
        let pext = unsafe { Pext::assume() };
        let index = group.offset as usize + occupied.pext(group.blockers, group.low_blockers, pext);
        // `get` costs a predicted branch; an empty entry cannot occur, as every index was packed.
        let entry = u64::from(self.entries.get(index).copied().unwrap_or(0));
        W::pdep(entry, group.reach, group.low_reach, pext)
    }
}

/// [`Method`] as numbers, for loops compiled for one.
pub mod method {
    /// [`super::Method::OneGroup`].
    pub const ONE_GROUP: u8 = 1;
    /// [`super::Method::TwoGroups`].
    pub const TWO_GROUPS: u8 = 2;
    /// [`super::Method::Lines`].
    pub const LINES: u8 = 0;
}

/// How the reach of a rider is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All its lines in one packed group.
    OneGroup,
    /// A packed group for each of two lines.
    TwoGroups,
    /// Obstruction difference, line by line.
    Lines,
}

/// The steps of a ray up to the first one whose blocker is in `index`, and that one.
fn up_to_blocker(ray: &[(u16, usize)], index: usize) -> impl Iterator<Item = &(u16, usize)> {
    let end = ray.iter().position(|(_, blocker)| index & blocker != 0).map_or(ray.len(), |at| at + 1);
    ray[..end].iter()
}

/// Obstruction difference: subtracting the nearest lower blocker from the upper ones flips all between.
#[inline(always)]
fn line_reach<W: Word>(line: &RayPair<W>, occupied: W) -> W {
    let below = (line.lower & occupied).highest_bit_or_one();
    let above = line.upper & occupied;
    (above ^ above.minus(below)) & (line.lower | line.upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::Wide;

    /// A rook on an 8x8 board, both ways, against walking the rays.
    fn check<W: Word>() {
        let ray = |square: i32, line: usize, by: i32, steps: i32| Rays {
            line,
            squares: (1..=steps).map(|n| (square + by * n) as u8).collect(),
        };
        let rays: Vec<Vec<Rays>> = (0..64)
            .map(|s| {
                let (file, rank) = (s / 8, s % 8);
                vec![ray(s, 0, 1, 7 - rank), ray(s, 0, -1, rank), ray(s, 1, 8, 7 - file), ray(s, 1, -8, file)]
            })
            .collect();
        let slide = SlideTable::<W>::new(&rays);
        let mut seed = 7u64;
        for n in 0..20_000u64 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(n);
            let occupied = W::from_words([seed & seed.rotate_left(23), 0, 0, 0]);
            let square = (seed >> 58) as u8;
            let mut expected = W::ZERO;
            for ray in &rays[square as usize] {
                for s in &ray.squares {
                    expected |= W::bit(*s);
                    if occupied.has(*s) {
                        break;
                    }
                }
            }
            assert_eq!(slide.reach::<false>(square, occupied), expected);
            if crate::bmi2::has_pext() {
                assert_eq!(slide.reach::<true>(square, occupied), expected);
            }
        }
    }

    #[test]
    fn reach_is_what_walking_finds() {
        check::<u64>();
        check::<u128>();
        check::<Wide<3>>();
    }
}

//! Where a rider gets to, given the occupied squares.
//!
//! In: rays. Out: reach. Three ways: obstruction difference, for every word and ray on any processor; and with BMI2's bit
//! gathering packed tables, for words of 64 and 128 bits, or packed lines, for wider words. Never: who the rider is.

use ashta_rules::Square;

use super::packed_line::PackedLine;
use super::pext_table::{Hurdles, Method, PextTable};
use crate::word::{PerSquare, Word, every_square};

/// Squares of a line below and above a square.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayPair<W> {
    lower: W,
    upper: W,
}

/// The rides of a move class: one or two lines from each square.
#[derive(Debug)]
pub struct SlideTable<W> {
    lines: PerSquare<[RayPair<W>; 2]>,
    /// Reach on an empty board.
    aims: PerSquare<W>,
    packed: PextTable<W>,
    /// For words without packed tables.
    packed_lines: PerSquare<[PackedLine<W>; 2]>,
}

/// Rays from a square, nearest square first, as (line, toward higher squares, squares).
pub struct Rays {
    /// Of line 0 or 1.
    pub line: usize,
    /// Squares, nearest first; square numbers all rise or all fall.
    pub squares: Vec<Square>,
}

impl<W: Word> SlideTable<W> {
    /// From the rays of every square.
    pub fn new(rays: &[Vec<Rays>]) -> SlideTable<W> {
        let none = RayPair { lower: W::ZERO, upper: W::ZERO };
        let mut lines = PerSquare::filled([none; 2]);
        for (square, rays) in rays.iter().enumerate() {
            for ray in rays {
                let set = ray.squares.iter().fold(W::ZERO, |set, s| set | W::bit(*s));
                let line = &mut lines.at_mut(Square(square as u8))[ray.line];
                match ray.squares.first() {
                    Some(first) if first.index() > square => line.upper |= set,
                    _ => line.lower |= set,
                }
            }
        }
        let mut aims = PerSquare::filled(W::ZERO);
        for (square, rays) in rays.iter().enumerate() {
            let squares = rays.iter().flat_map(|ray| &ray.squares);
            *aims.at_mut(Square(square as u8)) = squares.fold(W::ZERO, |set, s| set | W::bit(*s));
        }
        let ways: Vec<Vec<(Square, W)>> =
            rays.iter().map(|rays| rays.iter().flat_map(ways_along).collect()).collect();
        let packed = PextTable::new(&ways, Hurdles::None);
        let mut packed_lines = PerSquare::filled([PackedLine::new(W::ZERO, W::ZERO); 2]);
        for square in every_square().filter(|_| !W::PACKS) {
            let pack = |line: RayPair<W>| PackedLine::new(line.lower, line.upper);
            *packed_lines.at_mut(square) = lines.at(square).map(pack);
        }
        SlideTable { lines, aims, packed, packed_lines }
    }

    /// Whether two slides reach the same squares.
    #[inline]
    pub fn same_as(&self, other: &SlideTable<W>) -> bool {
        every_square().all(|square| self.lines.at(square) == other.lines.at(square))
    }

    /// How to find the reach on this processor; loops over riders ask once.
    #[inline(always)]
    pub(crate) fn method<const PEXT: bool>(&self) -> Method {
        match self.packed.method::<PEXT>() {
            Method::Lines if PEXT && !W::PACKS => Method::PackedLines,
            method => method,
        }
    }

    #[inline(always)]
    fn both_packed_lines(&self, from: Square, occupied: W) -> W {
        let [first, second] = self.packed_lines.at(from);
        first.reach(occupied) | second.reach(occupied)
    }

    #[inline(always)]
    fn both_lines(&self, from: Square, occupied: W) -> W {
        let [first, second] = self.lines.at(from);
        line_reach(first, occupied) | line_reach(second, occupied)
    }

    /// Every square that the rider on `from` attacks or guards.
    #[inline(always)]
    pub(crate) fn reach<const PEXT: bool>(&self, from: Square, occupied: W) -> W {
        match PEXT && !W::PACKS {
            true => self.both_packed_lines(from, occupied),
            false => self.packed.targets::<PEXT>(from, occupied, || self.both_lines(from, occupied)),
        }
    }

    /// The same by a known method; see [`method`].
    #[inline(always)]
    pub(crate) fn reach_by<const METHOD: u8>(&self, from: Square, occupied: W) -> W {
        match METHOD {
            method::ONE_GROUP => self.packed.one_group(from, occupied),
            method::TWO_GROUPS => self.packed.two_groups(from, occupied),
            method::PACKED_LINES => self.both_packed_lines(from, occupied),
            _ => self.both_lines(from, occupied),
        }
    }

    /// How many of some targets the rider on `from` reaches, by a known method.
    #[inline(always)]
    pub(crate) fn count_by<const METHOD: u8>(&self, from: Square, occupied: W, targets: W) -> u32 {
        match METHOD {
            method::ONE_GROUP => self.packed.count_one_group(from, occupied, targets),
            method::TWO_GROUPS => self.packed.count_two_groups(from, occupied, targets),
            _ => (self.both_lines(from, occupied) & targets).count(),
        }
    }

    /// The reach of all riders.
    #[inline(always)]
    pub(crate) fn reach_of_all<const PEXT: bool>(&self, riders: W, occupied: W) -> W {
        let mut all = W::ZERO;
        for from in riders.squares() {
            all |= self.reach::<PEXT>(from, occupied);
        }
        all
    }

    /// The reach on an empty board.
    #[inline]
    pub(crate) fn aims(&self, from: Square) -> W {
        *self.aims.at(from)
    }
}

/// [`Method`] as numbers, for loops compiled for one.
pub mod method {
    /// [`Method::OneGroup`].
    pub const ONE_GROUP: u8 = 1;
    /// [`Method::TwoGroups`].
    pub const TWO_GROUPS: u8 = 2;
    /// [`Method::PackedLines`].
    pub const PACKED_LINES: u8 = 3;
    /// [`Method::Lines`].
    pub const LINES: u8 = 0;
}

/// The squares of a ray, each with those before it.
fn ways_along<W: Word>(ray: &Rays) -> impl Iterator<Item = (Square, W)> {
    let before = |n: usize| ray.squares[..n].iter().fold(W::ZERO, |set, s| set | W::bit(*s));
    ray.squares.iter().enumerate().map(move |(n, square)| (*square, before(n)))
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
            squares: (1..=steps).map(|n| Square((square + by * n) as u8)).collect(),
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
            let square = Square((seed >> 58) as u8);
            let mut expected = W::ZERO;
            for ray in &rays[square.index()] {
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

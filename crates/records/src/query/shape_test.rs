//! Shapes as bitboards: for each set of pieces the squares on which it stands, in 64 positions at a time.
//!
//! In: shapes, moves of pieces. Out: whether a shape is on the board. Never: a whole board.
//!
//! A cell of a shape is a bitboard shifted to the anchor, so the conjunction of all cells is the set of anchors at which
//! the shape stands: all shifts of a pattern are tested at once.

use ashta_rules::{KindId, Rules, Setup};

use super::shapes::Shapes;

/// Positions tested at a time, a bit of a word for each.
pub const POSITIONS: usize = 64;
/// The bit of each position.
static BITS: [u64; POSITIONS] = {
    let (mut bits, mut n) = ([0; POSITIONS], 0);
    while n < POSITIONS {
        bits[n] = 1 << n;
        n += 1;
    }
    bits
};

/// The bit of a square; of a number that is none, any.
#[inline(always)]
fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

/// The squares of each of `N` sets of pieces.
#[derive(Clone, Copy)]
pub struct Lanes<const N: usize>([u64; N]);

/// The lanes of some positions, by set.
pub type History<const N: usize> = [[u64; POSITIONS]; N];

impl<const N: usize> Lanes<N> {
    const EMPTY: Lanes<N> = Lanes([0; N]);

    /// A piece goes from one square to another and captures what stands there.
    #[inline(always)]
    pub fn step(&mut self, from: u8, to: u8) {
        let (from, to) = (bit(from), bit(to));
        for lane in &mut self.0 {
            let is_moving = *lane & from != 0;
            *lane = *lane & !(from | to) | if is_moving { to } else { 0 };
        }
    }

    /// Two pieces move at once; either may begin where the other ends.
    #[inline(always)]
    pub fn step_both(self, one: (u8, u8), other: (u8, u8)) -> Lanes<N> {
        let squares = [one.0, one.1, other.0, other.1].map(bit);
        let touched = squares.into_iter().fold(0, |sum, bit| sum | bit);
        Lanes(self.0.map(|lane| {
            let arrived = |from, to| if lane & from != 0 { to } else { 0 };
            lane & !touched | arrived(squares[0], squares[1]) | arrived(squares[2], squares[3])
        }))
    }

    pub fn clear(&mut self, square: u8) {
        self.0.iter_mut().for_each(|lane| *lane &= !bit(square));
    }

    #[inline(always)]
    pub fn keep(&self, history: &mut History<N>, n: usize) {
        for (lane, row) in self.0.iter().zip(history) {
            row[n] = *lane;
        }
    }
}

pub struct ShapeTest<const N: usize> {
    shapes: Vec<BitShape>,
    /// By side and kind: a bit for each set that a piece belongs to.
    members: Vec<u8>,
    n_kinds: usize,
    /// The lanes of the usual first position.
    pub usual: Lanes<N>,
}

struct BitShape {
    anchors: u64,
    cells: Vec<BitCell>,
}

struct BitCell {
    set: usize,
    distance: u32,
    /// All bits if the cell is negated.
    flip: u64,
}

impl<const N: usize> ShapeTest<N> {
    /// The test for shapes of at most `N` sets.
    pub fn new(shapes: &Shapes, rules: &Rules, usual: &Setup) -> ShapeTest<N> {
        let n_kinds = rules.kinds().len();
        let mut members = vec![0; rules.sides().len() * n_kinds];
        for (n, set) in shapes.sets.iter().enumerate().take(N) {
            for piece in set {
                if let Some(members) = members.get_mut(*piece as usize) {
                    *members |= 1 << n;
                }
            }
        }
        let bit_shapes = shapes.shapes.iter().map(|shape| BitShape {
            anchors: shape.anchors.iter().fold(0, |sum, square| sum | bit(*square)),
            cells: (shape.cells.iter())
                .map(|cell| BitCell {
                    set: usize::from(cell.set),
                    distance: u32::from(cell.distance & 63),
                    flip: if cell.is_negated { u64::MAX } else { 0 },
                })
                .collect(),
        });
        let mut test = ShapeTest { shapes: bit_shapes.collect(), members, n_kinds, usual: Lanes::EMPTY };
        test.usual = test.lanes_of(usual);
        test
    }

    pub fn lanes_of(&self, setup: &Setup) -> Lanes<N> {
        let mut lanes = Lanes::EMPTY;
        for (square, piece) in setup.board.iter().enumerate() {
            if let Some((side, kind)) = piece {
                self.put(&mut lanes, square as u8, side.index(), *kind);
            }
        }
        lanes
    }

    /// Puts a piece on a square.
    pub fn put(&self, lanes: &mut Lanes<N>, square: u8, side: usize, kind: KindId) {
        let members = self.members.get(side * self.n_kinds + kind.index()).copied().unwrap_or(0);
        let bit = bit(square);
        for (n, lane) in lanes.0.iter_mut().enumerate() {
            *lane = *lane & !bit | if members >> n & 1 == 1 { bit } else { 0 };
        }
    }

    /// A bit for each position in which a shape is on the board.
    #[inline(always)]
    pub fn matches(&self, history: &History<N>) -> u64 {
        let mut hits = 0;
        for shape in &self.shapes {
            hits |= match shape.cells.as_slice() {
                [a, b] => shape.matches([a, b], history),
                [a, b, c] => shape.matches([a, b, c], history),
                [a, b, c, d] => shape.matches([a, b, c, d], history),
                cells => shape.matches_many(cells, history),
            };
        }
        hits
    }
}

impl BitShape {
    /// Written for the vectoriser: the number of cells is a constant.
    #[inline(always)]
    fn matches<const C: usize, const N: usize>(&self, cells: [&BitCell; C], history: &History<N>) -> u64 {
        let rows = cells.map(|cell| &history[cell.set % N]);
        let mut hits = 0;
        for n in 0..POSITIONS {
            let mut found = self.anchors;
            for (cell, row) in cells.iter().zip(rows) {
                found &= (row[n] >> cell.distance) ^ cell.flip;
            }
            hits |= if found != 0 { BITS[n] } else { 0 };
        }
        hits
    }

    #[inline(always)]
    fn matches_many<const N: usize>(&self, cells: &[BitCell], history: &History<N>) -> u64 {
        let mut found = [self.anchors; POSITIONS];
        for cell in cells {
            for (found, lane) in found.iter_mut().zip(&history[cell.set % N]) {
                *found &= (lane >> cell.distance) ^ cell.flip;
            }
        }
        let mut hits = 0;
        for (found, bit) in found.into_iter().zip(BITS) {
            hits |= if found != 0 { bit } else { 0 };
        }
        hits
    }
}

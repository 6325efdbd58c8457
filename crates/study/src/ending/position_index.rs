//! Numbers the positions of a material, with symmetric positions folded into one.
//!
//! In: squares of the pieces and the side to move. Out: a number, and back. Never: values.

use super::ending_material::MAX_PIECES;

/// Squares of the pieces, in the order of the material.
pub type Squares = [u8; MAX_PIECES];

#[derive(Debug)]
pub struct PositionIndex {
    n_squares: usize,
    n_pieces: usize,
    symmetries: Vec<Vec<u8>>,
    /// The squares of the first piece, up to symmetry.
    region: Vec<u8>,
    /// By square: its index in the region.
    place: Vec<Option<u8>>,
    /// By square of the first piece: the symmetries that bring it into the region.
    into_region: Vec<Vec<u8>>,
    /// By square: the symmetries that leave it fixed, as bits.
    fixed_by: Vec<u8>,
}

impl PositionIndex {
    /// `symmetries` begin with the identity.
    pub fn new(n_squares: usize, n_pieces: usize, symmetries: Vec<Vec<u8>>) -> PositionIndex {
        let least = |square: usize| symmetries.iter().map(|map| map[square]).min().unwrap_or(square as u8);
        let region: Vec<u8> =
            (0..n_squares).filter(|square| least(*square) == *square as u8).map(|s| s as u8).collect();
        let place = (0..n_squares as u8)
            .map(|square| region.iter().position(|known| *known == square).map(|place| place as u8))
            .collect();
        let into = |square: usize| {
            let fits = (0..symmetries.len()).filter(|n| symmetries[*n][square] == least(square));
            fits.map(|n| n as u8).collect()
        };
        let fixed = |square: usize| {
            let fixing = (1..symmetries.len()).filter(|n| symmetries[*n][square] == square as u8);
            fixing.fold(0u8, |set, n| set | 1 << n)
        };
        let into_region = (0..n_squares).map(into).collect();
        let fixed_by = (0..n_squares).map(fixed).collect();
        PositionIndex { n_squares, n_pieces, symmetries, region, place, into_region, fixed_by }
    }

    pub fn len(&self) -> usize {
        2 * self.region.len() * self.n_squares.pow(self.n_pieces as u32 - 1)
    }

    /// The smallest number of the symmetric images.
    #[inline]
    pub fn number(&self, turn: u8, squares: &Squares) -> usize {
        let ways = &self.into_region[squares[0] as usize];
        let mut least = usize::MAX;
        for way in ways {
            let map = &self.symmetries[*way as usize];
            let first = self.place[map[squares[0] as usize] as usize].unwrap_or(0);
            let mut number = turn as usize * self.region.len() + first as usize;
            for square in &squares[1..self.n_pieces] {
                number = number * self.n_squares + map[*square as usize] as usize;
            }
            least = least.min(number);
        }
        least
    }

    #[inline]
    pub fn position(&self, number: usize) -> (u8, Squares) {
        let mut squares = [0; MAX_PIECES];
        let mut rest = number;
        for n in (1..self.n_pieces).rev() {
            squares[n] = (rest % self.n_squares) as u8;
            rest /= self.n_squares;
        }
        squares[0] = self.region[rest % self.region.len()];
        ((rest / self.region.len()) as u8, squares)
    }

    /// Whether two moves to or from such a position may lead to images of each other: all pieces but one are fixed by
    /// some symmetry.
    #[inline]
    pub fn may_fold(&self, squares: &Squares) -> bool {
        if self.symmetries.len() == 1 {
            return false;
        }
        (1..self.symmetries.len()).any(|map| {
            let fixed = squares[..self.n_pieces]
                .iter()
                .filter(|square| self.fixed_by[**square as usize] >> map & 1 == 1)
                .count();
            fixed + 1 >= self.n_pieces
        })
    }
}

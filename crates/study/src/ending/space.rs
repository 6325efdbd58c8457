//! Positions of a material as numbers, those that are turned-over images of each other as one.
//!
//! In: squares of the men and whose turn it is. Out: a number, and back. Never: what a position is worth.

use super::material::MAX_MEN;

/// Squares of the men, in the order of the material.
pub type Squares = [u8; MAX_MEN];

/// The numbers of the positions of a material.
#[derive(Debug)]
pub struct Space {
    n_squares: usize,
    n_men: usize,
    maps: Vec<Vec<u8>>,
    /// Squares of the first man that stand for all.
    region: Vec<u8>,
    /// By square: its place in the region, if it is there.
    place: Vec<Option<u8>>,
    /// By square of the first man: the maps that bring it into the region.
    into_region: Vec<Vec<u8>>,
    /// By square: the maps that leave it where it is, as bits.
    fixed_by: Vec<u8>,
}

impl Space {
    /// Of so many men on a board that may be turned over by these maps, the identity first.
    pub fn new(n_squares: usize, n_men: usize, maps: Vec<Vec<u8>>) -> Space {
        let least = |square: usize| maps.iter().map(|map| map[square]).min().unwrap_or(square as u8);
        let region: Vec<u8> =
            (0..n_squares).filter(|square| least(*square) == *square as u8).map(|s| s as u8).collect();
        let place = (0..n_squares as u8)
            .map(|square| region.iter().position(|known| *known == square).map(|place| place as u8))
            .collect();
        let into = |square: usize| {
            let fits = (0..maps.len()).filter(|n| maps[*n][square] == least(square));
            fits.map(|n| n as u8).collect()
        };
        let fixed = |square: usize| {
            let fixing = (1..maps.len()).filter(|n| maps[*n][square] == square as u8);
            fixing.fold(0u8, |set, n| set | 1 << n)
        };
        let into_region = (0..n_squares).map(into).collect();
        let fixed_by = (0..n_squares).map(fixed).collect();
        Space { n_squares, n_men, maps, region, place, into_region, fixed_by }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        2 * self.region.len() * self.n_squares.pow(self.n_men as u32 - 1)
    }

    /// The number of a position: the least of its images.
    #[inline]
    pub fn number(&self, turn: u8, squares: &Squares) -> usize {
        let ways = &self.into_region[squares[0] as usize];
        let mut least = usize::MAX;
        for way in ways {
            let map = &self.maps[*way as usize];
            let first = self.place[map[squares[0] as usize] as usize].unwrap_or(0);
            let mut number = turn as usize * self.region.len() + first as usize;
            for square in &squares[1..self.n_men] {
                number = number * self.n_squares + map[*square as usize] as usize;
            }
            least = least.min(number);
        }
        least
    }

    /// The position of a number.
    #[inline]
    pub fn position(&self, number: usize) -> (u8, Squares) {
        let mut squares = [0; MAX_MEN];
        let mut rest = number;
        for n in (1..self.n_men).rev() {
            squares[n] = (rest % self.n_squares) as u8;
            rest /= self.n_squares;
        }
        squares[0] = self.region[rest % self.region.len()];
        ((rest / self.region.len()) as u8, squares)
    }

    /// Whether two moves from such a position, or back from it, may lead to images of each other: all men but one stand
    /// where some map leaves them.
    #[inline]
    pub fn may_fold(&self, squares: &Squares) -> bool {
        if self.maps.len() == 1 {
            return false;
        }
        (1..self.maps.len()).any(|map| {
            let fixed = squares[..self.n_men]
                .iter()
                .filter(|square| self.fixed_by[**square as usize] >> map & 1 == 1)
                .count();
            fixed + 1 >= self.n_men
        })
    }
}

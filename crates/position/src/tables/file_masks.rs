//! Files of a board: how many pieces each holds.
//!
//! In: a set of pieces. Out: the files that are full. Never: why that matters.

use ashta_rules::Grid;

use crate::word::Word;

/// The files of a board, each a run of consecutive bits.
#[derive(Debug)]
pub struct FileMasks<W> {
    height: u32,
    top: W,
    below_top: W,
    masks: Vec<W>,
}

impl<W: Word> FileMasks<W> {
    /// The files of a grid.
    pub fn new(grid: Grid) -> FileMasks<W> {
        let mut files = FileMasks {
            height: u32::from(grid.ranks()),
            top: W::ZERO,
            below_top: W::ZERO,
            masks: Vec::new(),
        };
        for file in 0..grid.files() {
            // Holes too: the carry must run through them.
            let squares = grid.places().filter(|square| grid.file(*square) == file);
            let mask = squares.fold(W::ZERO, |mask, square| mask | W::bit(square));
            let top = W::bit(mask.highest());
            files.top |= top;
            files.below_top |= mask ^ top;
            files.masks.push(mask);
        }
        files
    }

    /// All files with a piece.
    ///
    /// Adding ones below the top square of each file carries into the top square exactly if something is there, and
    /// never further; six word operations instead of a look at each file.
    #[inline(always)]
    pub fn holding_any(&self, pieces: W) -> W {
        let tops = ((pieces & self.below_top).plus(self.below_top) | pieces) & self.top;
        tops.shifted_up(1).minus(tops.shifted_down(self.height - 1))
    }

    /// All files with at least `limit` pieces.
    pub fn holding(&self, pieces: W, limit: u8) -> W {
        let full = self.masks.iter().filter(|mask| (pieces & **mask).count() >= u32::from(limit));
        full.fold(W::ZERO, |all, mask| all | *mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ashta_rules::{Coordinates, Square};

    fn check<W: Word>(files: u8, ranks: u8) {
        let grid = Grid::new(files, ranks, Coordinates::Letters).expect("a board");
        let table = FileMasks::<W>::new(grid);
        let mut seed = 3u64;
        for _ in 0..1000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(99);
            let n_pieces = (seed >> 60) as usize;
            let square = |n: usize| Square(((seed >> (n * 3)) % grid.n_squares() as u64) as u8);
            let pieces = (0..n_pieces).fold(W::ZERO, |set, n| set | W::bit(square(n)));
            assert_eq!(table.holding_any(pieces), table.holding(pieces, 1), "{files}x{ranks} {pieces:?}");
        }
    }

    #[test]
    fn files_with_a_piece() {
        check::<u64>(8, 8);
        check::<u64>(5, 5);
        check::<u128>(9, 9);
        check::<u128>(8, 16);
        check::<crate::word::Wide<3>>(12, 12);
        check::<crate::word::Wide<4>>(16, 16);
    }
}

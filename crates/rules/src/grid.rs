//! The shape of a board and the names of its squares.
//!
//! In: numbers of files and ranks, square names. Out: squares as small numbers. Never: pieces.

use std::fmt;

pub use crate::square_set::Square;
use crate::square_set::SquareSet;

/// Most files or ranks a board may have.
pub const MAX_LENGTH: u8 = 16;

/// A player, in order of moving: 0 moves first. Never a colour: black moves first in shogi and second in chess.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u8);

impl Side {
    /// The side that moves first.
    pub const FIRST: Side = Side(0);
    /// The side that moves second.
    pub const SECOND: Side = Side(1);

    /// As an index into tables by side.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Of two sides, the other one.
    #[inline(always)]
    pub fn other(self) -> Side {
        Side(self.0 ^ 1)
    }
}

/// How squares are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coordinates {
    /// Files a, b, c... from the left, ranks 1, 2, 3... from the first side's edge.
    Letters,
    /// Files 1, 2, 3... from the right, ranks a, b, c... from the second side's edge, as in USI.
    Numbers,
}

/// Whether lines go on at the opposite edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wraps {
    /// The board ends at its edges.
    No,
    /// The first file is next to the last one: ranks are rings.
    Files,
}

/// The shape of a board: a rectangle, some places of which may be holes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    files: u8,
    ranks: u8,
    coordinates: Coordinates,
    /// Places of the rectangle where there is no square.
    holes: SquareSet,
    wraps: Wraps,
}

/// A step in files (to the right) and ranks (away from the first side).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Delta {
    /// Files to the right.
    pub file: i8,
    /// Ranks up the board.
    pub rank: i8,
}

impl Delta {
    /// A step of `file` files to the right and `rank` ranks up.
    #[inline]
    pub const fn new(file: i8, rank: i8) -> Delta {
        Delta { file, rank }
    }

    /// The same step seen by a side whose board is turned clockwise by `quarters` right angles.
    #[inline]
    pub fn turned(self, quarters: u8) -> Delta {
        (0..quarters % 4).fold(self, |d, _| Delta::new(d.rank, -d.file))
    }

    /// The opposite step.
    #[inline]
    pub fn reversed(self) -> Delta {
        Delta::new(-self.file, -self.rank)
    }
}

impl Grid {
    /// A board of `files` x `ranks`; `None` when a length is not in 1 to 16.
    pub fn new(files: u8, ranks: u8, coordinates: Coordinates) -> Option<Grid> {
        let fits = |n: u8| (1..=MAX_LENGTH).contains(&n);
        (fits(files) && fits(ranks)).then_some(Grid {
            files,
            ranks,
            coordinates,
            holes: SquareSet::EMPTY,
            wraps: Wraps::No,
        })
    }

    /// The same board with holes: no square of it is in this set.
    pub fn with_holes(self, holes: SquareSet) -> Grid {
        Grid { holes, ..self }
    }

    /// The same board whose lines go on at the opposite edge.
    pub fn with_wraps(self, wraps: Wraps) -> Grid {
        Grid { wraps, ..self }
    }

    /// Whether lines go on at the opposite edge.
    #[inline]
    pub fn wraps(self) -> Wraps {
        self.wraps
    }

    /// Places of the rectangle where there is no square.
    #[inline]
    pub fn holes(&self) -> &SquareSet {
        &self.holes
    }

    /// How many files the board has.
    #[inline]
    pub fn files(self) -> u8 {
        self.files
    }

    /// How many ranks the board has.
    #[inline]
    pub fn ranks(self) -> u8 {
        self.ranks
    }

    /// How squares of this board are named.
    #[inline]
    pub fn coordinates(self) -> Coordinates {
        self.coordinates
    }

    /// How many places the rectangle has, 1 to 256, holes included: the length of tables by square.
    #[inline]
    pub fn n_squares(self) -> usize {
        self.files as usize * self.ranks as usize
    }

    /// Every place of the rectangle, in order of its number, holes included: what tables by square are made from.
    #[inline]
    pub fn places(self) -> impl DoubleEndedIterator<Item = Square> {
        (0..self.n_squares()).map(|n| Square(n as u8))
    }

    /// Every square, in order of its number.
    #[inline]
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> {
        self.places().filter(move |square| !self.holes.has(*square))
    }

    /// The square at a file and rank counted from 0, if it is on the board.
    pub fn at(self, file: i16, rank: i16) -> Option<Square> {
        let on_board = (0..self.files as i16).contains(&file) && (0..self.ranks as i16).contains(&rank);
        let square = on_board.then(|| Square((file * self.ranks as i16 + rank) as u8))?;
        (!self.holes.has(square)).then_some(square)
    }

    /// The file of a square, from 0 at the first side's left.
    #[inline]
    pub fn file(self, square: Square) -> u8 {
        square.0 / self.ranks
    }

    /// The rank of a square, from 0 at the first side's edge.
    #[inline]
    pub fn rank(self, square: Square) -> u8 {
        square.0 % self.ranks
    }

    /// The square one step away, if it is on the board.
    #[inline]
    pub fn step(self, from: Square, by: Delta) -> Option<Square> {
        let (file, rank) = (self.file(from) as i16 + by.file as i16, self.rank(from) as i16 + by.rank as i16);
        match self.wraps {
            Wraps::No => self.at(file, rank),
            Wraps::Files => self.at(file.rem_euclid(self.files as i16), rank),
        }
    }

    /// The squares that a step leads to again and again, nearest first; around a ring up to where it began.
    pub fn ray(self, from: Square, by: Delta) -> impl Iterator<Item = Square> {
        let next = move |square: &Square| self.step(*square, by).filter(|to| *to != from);
        std::iter::successors(next(&from), next)
    }

    /// How many files lie from one square to another, the shorter way around a ring.
    pub fn files_apart(self, a: Square, b: Square) -> u8 {
        let apart = self.file(a).abs_diff(self.file(b));
        match self.wraps {
            Wraps::No => apart,
            Wraps::Files => apart.min(self.files - apart),
        }
    }

    /// The place that a side whose board is turned by `quarters` calls by this square's place. It may be a hole.
    ///
    /// A quarter turn maps a square board onto itself; on others only half turns are asked for.
    pub fn turned(self, square: Square, quarters: u8) -> Square {
        let (file, rank) = (self.file(square) as i16, self.rank(square) as i16);
        let (right, top) = (self.files as i16 - 1, self.ranks as i16 - 1);
        let (file, rank) = match quarters % 4 {
            0 => (file, rank),
            1 => (rank, top - file),
            2 => (right - file, top - rank),
            _ => (right - rank, file),
        };
        Square((file * self.ranks as i16 + rank) as u8)
    }

    /// The name of a file.
    pub fn file_name(self, file: u8) -> String {
        match self.coordinates {
            Coordinates::Letters => letter(file).to_string(),
            Coordinates::Numbers => (self.files - file).to_string(),
        }
    }

    /// The name of a rank.
    pub fn rank_name(self, rank: u8) -> String {
        match self.coordinates {
            Coordinates::Letters => (rank + 1).to_string(),
            Coordinates::Numbers => letter(self.ranks - 1 - rank).to_string(),
        }
    }

    /// The name of a square, such as `e4` or `7f`.
    #[inline]
    pub fn name(self, square: Square) -> SquareName {
        SquareName { grid: self, square }
    }

    /// The square named at the start of `text`, and what follows the name.
    pub fn read_square(self, text: &str) -> Option<(Square, &str)> {
        let (file, rank, rest) = match self.coordinates {
            Coordinates::Letters => {
                let (file, rest) = take_letter(text)?;
                let (number, rest) = take_number(rest)?;
                (file as i16, number as i16 - 1, rest)
            }
            Coordinates::Numbers => {
                let (number, rest) = take_number(text)?;
                let (rank, rest) = take_letter(rest)?;
                (self.files as i16 - number as i16, self.ranks as i16 - 1 - rank as i16, rest)
            }
        };
        Some((self.at(file, rank)?, rest))
    }
}

/// A square's name, as text.
pub struct SquareName {
    grid: Grid,
    square: Square,
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = (self.grid.file(self.square), self.grid.rank(self.square));
        write!(f, "{}{}", self.grid.file_name(file), self.grid.rank_name(rank))
    }
}

fn letter(n: u8) -> char {
    (b'a' + n) as char
}

fn take_letter(text: &str) -> Option<(u8, &str)> {
    let first = *text.as_bytes().first()?;
    first.is_ascii_lowercase().then(|| (first - b'a', &text[1..]))
}

fn take_number(text: &str) -> Option<(u8, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..digits].parse().ok()?;
    (number > 0).then(|| (number, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for coordinates in [Coordinates::Letters, Coordinates::Numbers] {
            let grid = Grid::new(12, 16, coordinates).expect("12x16 is a board");
            for square in grid.squares() {
                let name = grid.name(square).to_string();
                assert_eq!(grid.read_square(&name), Some((square, "")), "{name}");
            }
        }
    }

    #[test]
    fn rays_around_a_ring_end_where_they_began() {
        let grid = Grid::new(8, 4, Coordinates::Letters).expect("a board").with_wraps(Wraps::Files);
        assert_eq!(grid.ray(Square(1), Delta::new(-1, 0)).count(), 7);
        assert_eq!(grid.ray(Square(1), Delta::new(0, 1)).count(), 2);
        assert_eq!(grid.step(Square(1), Delta::new(-1, 1)), Some(Square(30)));
        assert_eq!(grid.files_apart(Square(0), Square(29)), 1);
    }

    #[test]
    fn holes_are_no_squares() {
        let grid = Grid::new(3, 3, Coordinates::Letters).expect("3x3 is a board");
        let (b2, _) = grid.read_square("b2").expect("b2 exists");
        let ring = grid.with_holes([b2].into_iter().collect());
        assert_eq!((ring.squares().count(), ring.n_squares()), (8, 9));
        assert_eq!((ring.read_square("b2"), ring.at(1, 1)), (None, None));
        assert_eq!(ring.step(Square(1), Delta::new(1, 0)), None);
        assert_eq!(ring.step(Square(1), Delta::new(2, 0)), Some(Square(7)), "leaps pass over holes");
    }

    #[test]
    fn four_quarter_turns_are_none() {
        let grid = Grid::new(8, 8, Coordinates::Letters).expect("8x8 is a board");
        let (a2, _) = grid.read_square("a2").expect("a2 exists");
        let turned = grid.turned(a2, 1);
        // The first side's a2 lies where the second, sitting on the left and facing right, has its own second rank.
        assert_eq!(grid.name(turned).to_string(), "b8");
        assert_eq!(grid.turned(grid.turned(turned, 1), 2), a2);
        assert_eq!(Delta::new(0, 1).turned(1), Delta::new(1, 0));
    }

    #[test]
    fn lengths_outside_1_to_16_are_no_board() {
        assert!(Grid::new(0, 8, Coordinates::Letters).is_none());
        assert!(Grid::new(8, 17, Coordinates::Letters).is_none());
        assert!(Grid::new(1, 1, Coordinates::Letters).is_some());
    }
}

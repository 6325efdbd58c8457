//! What every position of an ending is worth.
//!
//! In: a space and its values. Out: who wins, in how many plies. Never: how it was found out.

use super::material::Material;
use super::space::{Space, Squares};

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// It wins, in so many plies; 0 if it has won.
    Win(u16),
    /// It loses, in so many plies; 0 if it has lost.
    Loss(u16),
    /// Nobody wins.
    Draw,
}

/// A worth in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code(pub u16);

impl Code {
    /// Not yet known; at the end, a draw.
    pub const OPEN: Code = Code(0);
    /// Drawn by the rules.
    pub const DRAWN: Code = Code(1);
    /// No position, or an image of another.
    pub const NOT_HERE: Code = Code(u16::MAX);

    /// Of a worth.
    pub fn of(worth: Worth) -> Code {
        match worth {
            Worth::Draw => Code::DRAWN,
            Worth::Win(plies) => Code(2 + plies * 2 + 1),
            Worth::Loss(plies) => Code(2 + plies * 2),
        }
    }

    /// What it says; nothing of what is not here.
    pub fn worth(self) -> Option<Worth> {
        match self {
            Code::NOT_HERE => None,
            Code::OPEN | Code::DRAWN => Some(Worth::Draw),
            Code(code) if code % 2 == 1 => Some(Worth::Win((code - 2) / 2)),
            Code(code) => Some(Worth::Loss((code - 2) / 2)),
        }
    }

    /// Plies of a win or a loss.
    #[inline(always)]
    pub fn plies(self) -> Option<u16> {
        (self.0 >= 2 && self != Code::NOT_HERE).then(|| (self.0 - 2) / 2)
    }

    /// Whether it is a win.
    #[inline(always)]
    pub fn is_win(self) -> bool {
        self.0 >= 2 && self.0 % 2 == 1 && self != Code::NOT_HERE
    }
}

impl Worth {
    /// Of the move that leads to a position that is worth this to the other side.
    pub fn before(self) -> Worth {
        match self {
            Worth::Win(plies) => Worth::Loss(plies + 1),
            Worth::Loss(plies) => Worth::Win(plies + 1),
            Worth::Draw => Worth::Draw,
        }
    }

    /// Larger is better for the side to move: quick wins, draws, slow losses.
    pub fn rank(self) -> i32 {
        match self {
            Worth::Win(plies) => 100_000 - i32::from(plies),
            Worth::Draw => 0,
            Worth::Loss(plies) => i32::from(plies) - 100_000,
        }
    }
}

/// The table of an ending.
#[derive(Debug)]
pub struct EndingTable {
    /// The men.
    pub material: Material,
    pub(super) space: Space,
    pub(super) codes: Vec<Code>,
}

/// How many positions there are of each worth, counted without images.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions in which the side to move wins.
    pub wins: u64,
    /// In which it loses.
    pub losses: u64,
    /// In which nobody does.
    pub draws: u64,
}

impl EndingTable {
    /// What a position is worth to the side to move; nothing if nobody can play from it.
    pub fn worth(&self, turn: u8, squares: &Squares) -> Option<Worth> {
        self.codes[self.space.number(turn, squares)].worth()
    }

    /// How many positions of each worth there are with a side to move.
    pub fn counts(&self, turn: u8) -> Counts {
        let mut counts = Counts::default();
        for (number, code) in self.codes.iter().enumerate() {
            if self.space.position(number).0 != turn {
                continue;
            }
            match code.worth() {
                None => {}
                Some(Worth::Win(_)) => counts.wins += 1,
                Some(Worth::Loss(_)) => counts.losses += 1,
                Some(Worth::Draw) => counts.draws += 1,
            }
        }
        counts
    }

    /// The longest win of a side when it is to move, in plies, and the positions that have it, at most `most` of them.
    pub fn longest(&self, side: u8, most: usize) -> Option<(u16, Vec<Squares>)> {
        let mut longest: Option<(u16, Vec<Squares>)> = None;
        for (number, code) in self.codes.iter().enumerate().filter(|(_, code)| code.is_win()) {
            let (turn, squares) = self.space.position(number);
            let Some(plies) = code.plies().filter(|_| turn == side) else { continue };
            match &mut longest {
                Some((known, found)) if *known == plies => {
                    if found.len() < most {
                        found.push(squares);
                    }
                }
                Some((known, _)) if *known > plies => {}
                _ => longest = Some((plies, vec![squares])),
            }
        }
        longest
    }

    /// How many numbers the table has.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }
}

//! A tablebase: the value of every position of a material as win, draw or loss with distance to mate.
//!
//! In: a position index and its values. Out: values. Never: how they were computed.

use super::ending_material::EndingMaterial;
use super::position_index::{PositionIndex, Squares};

/// The value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablebaseValue {
    /// Distance to mate in plies; 0 if it has won.
    Win(u16),
    /// Distance to mate in plies; 0 if it has lost.
    Loss(u16),
    Draw,
}

/// A value in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code(pub u16);

impl Code {
    /// Unknown; a draw once the analysis is complete.
    pub const UNKNOWN: Code = Code(0);
    /// Drawn by the rules.
    pub const DRAWN: Code = Code(1);
    /// An invalid position, or an image of another.
    pub const INVALID: Code = Code(u16::MAX);

    pub fn of(value: TablebaseValue) -> Code {
        match value {
            TablebaseValue::Draw => Code::DRAWN,
            TablebaseValue::Win(plies) => Code(2 + plies * 2 + 1),
            TablebaseValue::Loss(plies) => Code(2 + plies * 2),
        }
    }

    /// `None` for an invalid position.
    pub fn value(self) -> Option<TablebaseValue> {
        match self {
            Code::INVALID => None,
            Code::UNKNOWN | Code::DRAWN => Some(TablebaseValue::Draw),
            Code(code) if code % 2 == 1 => Some(TablebaseValue::Win((code - 2) / 2)),
            Code(code) => Some(TablebaseValue::Loss((code - 2) / 2)),
        }
    }

    /// Distance to mate.
    #[inline(always)]
    pub fn plies(self) -> Option<u16> {
        (self.0 >= 2 && self != Code::INVALID).then(|| (self.0 - 2) / 2)
    }

    #[inline(always)]
    pub fn is_win(self) -> bool {
        self.0 >= 2 && self.0 % 2 == 1 && self != Code::INVALID
    }
}

impl TablebaseValue {
    /// The value of the move that leads to a position with this value.
    pub fn for_mover(self) -> TablebaseValue {
        match self {
            TablebaseValue::Win(plies) => TablebaseValue::Loss(plies + 1),
            TablebaseValue::Loss(plies) => TablebaseValue::Win(plies + 1),
            TablebaseValue::Draw => TablebaseValue::Draw,
        }
    }

    /// Larger is better for the side to move: fast wins, draws, slow losses.
    pub fn rank(self) -> i32 {
        match self {
            TablebaseValue::Win(plies) => 100_000 - i32::from(plies),
            TablebaseValue::Draw => 0,
            TablebaseValue::Loss(plies) => i32::from(plies) - 100_000,
        }
    }
}

#[derive(Debug)]
pub struct Tablebase {
    pub material: EndingMaterial,
    pub(super) index: PositionIndex,
    pub(super) codes: Vec<Code>,
}

/// Positions by value, counted up to symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValueCounts {
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
}

impl Tablebase {
    /// `None` for an invalid position.
    pub fn probe(&self, turn: u8, squares: &Squares) -> Option<TablebaseValue> {
        self.codes[self.index.number(turn, squares)].value()
    }

    /// With this side to move.
    pub fn counts(&self, turn: u8) -> ValueCounts {
        let mut counts = ValueCounts::default();
        for (number, code) in self.codes.iter().enumerate() {
            if self.index.position(number).0 != turn {
                continue;
            }
            match code.value() {
                None => {}
                Some(TablebaseValue::Win(_)) => counts.wins += 1,
                Some(TablebaseValue::Loss(_)) => counts.losses += 1,
                Some(TablebaseValue::Draw) => counts.draws += 1,
            }
        }
        counts
    }

    /// The longest distance to mate of a side with the move, and at most `max` positions that have it.
    pub fn longest(&self, side: u8, max: usize) -> Option<(u16, Vec<Squares>)> {
        let mut longest: Option<(u16, Vec<Squares>)> = None;
        for (number, code) in self.codes.iter().enumerate().filter(|(_, code)| code.is_win()) {
            let (turn, squares) = self.index.position(number);
            let Some(plies) = code.plies().filter(|_| turn == side) else { continue };
            match &mut longest {
                Some((known, found)) if *known == plies => {
                    if found.len() < max {
                        found.push(squares);
                    }
                }
                Some((known, _)) if *known > plies => {}
                _ => longest = Some((plies, vec![squares])),
            }
        }
        longest
    }

    pub fn len(&self) -> usize {
        self.codes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }
}

//! The player of *Chess Program* (Baba, about 1981; 003): every move has points with names, and minimax adds them up.
//!
//! In: a position, a number of plies. Out: the moves of most points, and what each point is for. Never: alpha-beta, which
//! its author regrets not having had; a move that leaves one's royal piece in check is cut, as there.
//!
//! The paper's true points of a first move are P(1) - P(2, max) + P(3, max): gains of one side minus those of the other.

mod parts;

use ashta_position::{Move, MoveList, Outcome, Position, Word};
use ashta_rules::Rules;

use crate::stop::StopFlag;

pub use parts::{PART_NAMES, Parts, Points};

/// A won game: the paper's king, and more the sooner it is taken.
const WON: i32 = 0x1400 * 16;
const SOONER: i32 = 1000;

/// The player.
#[derive(Debug)]
pub struct Baba {
    points: Points,
    lists: Vec<MoveList>,
    stop: StopFlag,
}

impl Baba {
    /// For a game of two sides.
    pub fn new(rules: &Rules) -> Baba {
        Baba { points: Points::new(rules), lists: Vec::new(), stop: StopFlag::default() }
    }

    /// Breaks off what it is asked from now on when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// How it gives points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    pub(crate) fn best_moves_generic<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        plies: u8,
        best: &mut Vec<Move>,
    ) -> i32 {
        best.clear();
        let mut most = i32::MIN;
        for mv in moves {
            let points = self.points_of_generic(position, *mv, plies.max(1), 1);
            if points >= most {
                if points > most {
                    best.clear();
                }
                most = points;
                best.push(*mv);
            }
        }
        most
    }

    pub(crate) fn points_of_generic<W: Word>(
        &mut self,
        position: &mut Position<W>,
        mv: Move,
        plies: u8,
        depth: i32,
    ) -> i32 {
        let parts = self.points.of_move_generic(position, mv);
        let undo = position.play_unchecked(mv);
        let answer = self.best_answer(position, plies - 1, depth + 1);
        position.take_back(mv, undo);
        parts.total() - answer
    }

    /// The most points of the side to move, with so many plies left.
    fn best_answer<W: Word>(&mut self, position: &mut Position<W>, plies: u8, depth: i32) -> i32 {
        if self.stop.is_set() {
            return 0;
        }
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        position.generate(&mut list);
        let best = match position.end_knowing(!list.is_empty()) {
            Some(outcome) => end_points(outcome, position, depth),
            None if plies == 0 => 0,
            None => {
                let points = list.iter().map(|mv| self.points_of_generic(position, *mv, plies, depth));
                points.max().unwrap_or(0)
            }
        };
        self.lists.push(list);
        best
    }
}

fn end_points<W: Word>(outcome: Outcome, position: &Position<W>, depth: i32) -> i32 {
    let points = WON - SOONER * depth;
    match outcome.winner {
        None => 0,
        Some(winner) if winner == position.turn() => points,
        Some(_) => -points,
    }
}

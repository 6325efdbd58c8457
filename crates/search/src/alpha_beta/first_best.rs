//! One of the best moves, without proving which others are equal.
//!
//! In: the legal moves in any order. Out: the first of them whose minimax value is the highest. Never: all of them.
//!
//! One reply proves that a move is not better than the best. To prove that it is equal takes an answer to every reply,
//! and is asked of few.

use ashta_position::{Move, Word};

use super::{ExactTree, WIN};
use crate::window::Window;

/// A root move with an upper bound of its value.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    gain: i32,
    at_most: i32,
}

impl<W: Word> ExactTree<'_, W> {
    pub(super) fn first_best(&mut self, moves: &[Move]) -> Option<Move> {
        let (highest, attained, candidates) = self.ceiling()?;
        let is_best = |mv: &&Move| {
            let Some(candidate) = candidates.iter().find(|candidate| candidate.mv == **mv) else {
                return false;
            };
            let mut reaches =
                |value| self.value_at_root(candidate.mv, candidate.gain, Window::null_below(value)) >= value;
            candidate.mv == attained || (candidate.at_most >= highest && reaches(highest))
        };
        moves.iter().find(is_best).copied()
    }

    /// The highest value, a move that has it, and upper bounds of the others.
    fn ceiling(&mut self) -> Option<(i32, Move, Vec<Candidate>)> {
        let mut order = self.root_order();
        let (mut highest, mut attained, mut candidates) = (-WIN - 1, None, Vec::new());
        while let Some((mv, gain)) = order.next_move(self.position, &self.search.material) {
            let mut at_most = match attained {
                None => highest + 1,
                Some(_) => self.value_at_root(mv, gain, Window::null_below(highest + 1)),
            };
            if at_most > highest {
                highest = self.value_at_root(mv, gain, Window { alpha: highest, beta: WIN + 1 });
                (attained, at_most) = (Some(mv), highest);
            }
            candidates.push(Candidate { mv, gain, at_most });
        }
        Some((highest, attained?, candidates))
    }
}

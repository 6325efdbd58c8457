//! Static exchange evaluation (SEE): the outcome of captures on one square, the cheapest attacker first.
//!
//! In: a position, a move. Out: the material won or lost. Never: pins, checks, other squares.

use ashta_position::{Action, Move, Position, Word};
use ashta_rules::Square;

use super::piece_values::EngineValues;

/// Static exchange evaluation with the given piece values.
#[derive(Clone, Copy, Debug)]
pub struct See<'a>(pub &'a EngineValues);

/// More captures on one square than any board has room for around it.
const MAX_CAPTURES: usize = 40;

impl See<'_> {
    /// The material that a legal move wins for its side; negative if it loses material.
    pub fn value<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        let (Some(to), Some(mover)) = (mv.to(), position.mover(mv)) else { return 0 };
        let arrived = mv.becomes().unwrap_or(mover);
        let victim = self.captured(position, mv);
        if position.has_explosions() {
            return self.exploded(position, mv);
        }
        let promotion = self.0.on_board(arrived.index()) - self.0.on_board(mover.index());
        let mut occupied = position.state().occupied() | W::bit(to);
        if let Action::TwoLegs { middle, .. } = mv.action() {
            occupied &= !W::bit(middle);
        }
        if let Some(from) = mv.from().filter(|from| *from != to) {
            occupied ^= W::bit(from);
        }
        let mut gains = [0; MAX_CAPTURES];
        gains[0] = victim + promotion;
        let n = self.swap(position, to, occupied, self.0.exchanged(arrived.index()), &mut gains);
        // Capturing is optional: going back, each side takes the better of capturing and stopping.
        for at in (1..n).rev() {
            gains[at - 1] = -(-gains[at - 1]).max(gains[at]);
        }
        gains[0]
    }

    /// Where captures explode nothing is left to recapture, and what stands still is not exchanged for one piece.
    #[cold]
    fn exploded<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        if position.victim(mv).is_none() {
            return 0;
        }
        let mut sum = self.captured(position, mv);
        for square in position.exploded(mv).squares().filter(|square| Some(*square) != mv.to()) {
            if let Some((side, kind)) = position.piece(square) {
                let value = self.0.exchanged(kind.index());
                sum += if side == position.turn() { -value } else { value };
            }
        }
        sum - position.mover(mv).map_or(0, |kind| self.0.exchanged(kind.index()))
    }

    /// The value of all that a move captures.
    #[inline(always)]
    fn captured<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        position.victims(mv).map(|kind| self.0.exchanged(kind.index())).sum()
    }

    /// Fills in the gain of each capture as if it were the last; returns their number.
    fn swap<W: Word>(
        &self,
        position: &Position<W>,
        square: Square,
        mut occupied: W,
        mut next_victim: i32,
        gains: &mut [i32; MAX_CAPTURES],
    ) -> usize {
        let mut side = position.turn().other();
        let mut n = 1;
        while n < MAX_CAPTURES {
            let attackers = position.attackers(square, side, occupied) & !W::bit(square);
            let Some((from, value)) = self.least_valuable(position, attackers) else { break };
            gains[n] = next_victim - gains[n - 1];
            occupied ^= W::bit(from);
            next_victim = value;
            side = side.other();
            n += 1;
        }
        n
    }

    fn least_valuable<W: Word>(&self, position: &Position<W>, attackers: W) -> Option<(Square, i32)> {
        let value = |square: Square| self.0.exchanged(position.state().kind_on(square).index());
        attackers.squares().map(|square| (square, value(square))).min_by_key(|(_, value)| *value)
    }

    /// Whether a move wins at least `threshold`; cheaper than the value where the victim alone decides.
    #[inline]
    pub fn ge<W: Word>(&self, position: &Position<W>, mv: Move, threshold: i32) -> bool {
        let victim = self.captured(position, mv);
        let mover = position.mover(mv).map_or(0, |kind| self.0.exchanged(kind.index()));
        (victim - mover >= threshold && !position.has_explosions()) || self.value(position, mv) >= threshold
    }
}

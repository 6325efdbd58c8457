//! What a capture comes to when both sides go on capturing on its square, cheapest first.
//!
//! In: a position, a move. Out: what is won or lost in the end. Never: pins, checks, other squares.

use ashta_position::{Move, Position, Word};

use super::worth::Worths;

/// Worths for exchanges on a square.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a>(pub &'a Worths);

/// More captures on one square than any board has room for around it.
const LONGEST: usize = 40;

impl Exchange<'_> {
    /// What a legal move wins for its side; negative if it loses something.
    pub fn value<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        let (Some(to), Some(mover)) = (mv.to(), position.mover(mv)) else { return 0 };
        let arrived = mv.becomes().unwrap_or(mover);
        let victim = position.victim(mv).map_or(0, |kind| self.0.at_stake(kind.index()));
        let promoted = self.0.of(arrived.index()) - self.0.of(mover.index());
        let mut occupied = position.state().occupied() | W::bit(to.0);
        if let Some(from) = mv.from().filter(|from| *from != to) {
            occupied ^= W::bit(from.0);
        }
        let mut gains = [0; LONGEST];
        gains[0] = victim + promoted;
        let n = self.swap(position, to.0, occupied, self.0.at_stake(arrived.index()), &mut gains);
        // Nobody has to capture: going back, each takes the better of going on and stopping.
        for at in (1..n).rev() {
            gains[at - 1] = -(-gains[at - 1]).max(gains[at]);
        }
        gains[0]
    }

    /// Fills in what each capture gains, were it the last; how many there are.
    fn swap<W: Word>(
        &self,
        position: &Position<W>,
        square: u8,
        mut occupied: W,
        mut stands: i32,
        gains: &mut [i32; LONGEST],
    ) -> usize {
        let mut side = 1 - position.state().turn();
        let mut n = 1;
        while n < LONGEST {
            let attackers = position.attackers(square, side, occupied) & !W::bit(square);
            let Some((from, worth)) = self.cheapest(position, attackers) else { break };
            gains[n] = stands - gains[n - 1];
            occupied ^= W::bit(from);
            stands = worth;
            side = 1 - side;
            n += 1;
        }
        n
    }

    fn cheapest<W: Word>(&self, position: &Position<W>, attackers: W) -> Option<(u8, i32)> {
        let worth = |square: u8| self.0.at_stake(position.state().kind_on(square));
        attackers.squares().map(|square| (square, worth(square))).min_by_key(|(_, worth)| *worth)
    }

    /// Whether a move loses nothing by exchanges.
    #[inline]
    pub fn is_sound<W: Word>(&self, position: &Position<W>, mv: Move) -> bool {
        let victim = position.victim(mv).map_or(0, |kind| self.0.at_stake(kind.index()));
        let risk = position.mover(mv).map_or(0, |kind| self.0.at_stake(kind.index()));
        victim >= risk || self.value(position, mv) >= 0
    }
}

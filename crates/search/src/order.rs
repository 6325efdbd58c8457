//! The order in which moves are looked at: the sooner the best one, the less there is to search.
//!
//! In: moves and what they gain. Out: the same moves, most promising first. Never: the value of a position.

use ashta_position::{Move, Position, Word};

use crate::material::Material;

/// How promising each of a node's moves is.
#[derive(Clone, Default, Debug)]
pub struct Ordering {
    scored: Vec<Scored>,
    next: usize,
}

#[derive(Clone, Copy, Debug)]
struct Scored {
    score: i32,
    /// What it adds to the balance.
    gain: i32,
    /// The part of it that is captured and promoted.
    exchanged: i32,
    mv: Move,
}

/// Above any sum of values.
const FIRST: i32 = i32::MAX;
/// What a refutation of a sister node is worth among quiet moves.
const KILLER: i32 = 1;

impl Ordering {
    /// Takes the moves of a node: first the one that was best before, then by gain and by what the piece at risk is
    /// worth, then the one that refuted a sister node.
    pub fn fill<W: Word>(
        &mut self,
        position: &Position<W>,
        material: &Material,
        moves: &[Move],
        before: Option<Move>,
        killer: Option<Move>,
    ) {
        self.next = 0;
        self.scored.clear();
        self.scored.extend(moves.iter().map(|mv| {
            let exchanged = material.exchanged(position, *mv);
            let gain = material.gain(position, *mv);
            let score = match (Some(*mv) == before, gain) {
                (true, _) => FIRST,
                (false, 0) => i32::from(Some(*mv) == killer) * KILLER,
                (false, gain) => {
                    let at_risk = position.mover(*mv).map_or(0, |kind| material.values().of(kind));
                    gain.saturating_mul(16).saturating_sub(at_risk / 16)
                }
            };
            Scored { score, gain, exchanged, mv: *mv }
        }));
    }

    /// Leaves only captures and promotions that gain something, as searches of quiet positions want.
    pub fn keep_exchanges(&mut self) {
        self.scored.retain(|scored| scored.exchanged > 0);
    }

    /// The most promising move not yet given, with its gain. Few are asked for, so the list is never sorted whole.
    pub fn next_move(&mut self) -> Option<(Move, i32)> {
        let rest = &mut self.scored[self.next..];
        let best = (0..rest.len()).min_by_key(|at| (std::cmp::Reverse(rest[*at].score), *at))?;
        rest.swap(0, best);
        let Scored { gain, mv, .. } = rest[0];
        self.next += 1;
        Some((mv, gain))
    }
}

//! Moves with scores, best first.
//!
//! In: moves and their scores. Out: the moves, highest score first, equal ones as they came or nearly so. Never: scores
//! of its own.

use ashta_position::Move;

/// Lazy selection sort: most queues are dropped after the first move.
#[derive(Default, Debug)]
pub struct MoveQueue {
    moves: Vec<(u32, Move)>,
    next: usize,
}

impl MoveQueue {
    pub fn clear(&mut self) {
        self.moves.clear();
        self.next = 0;
    }

    pub fn extend(&mut self, moves: impl Iterator<Item = (u32, Move)>) {
        self.moves.extend(moves);
    }
}

impl Iterator for MoveQueue {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        for (n, (score, _)) in rest.iter().enumerate() {
            if *score > rest[best].0 {
                best = n;
            }
        }
        let (_, mv) = *rest.get(best)?;
        rest.swap(0, best);
        self.next += 1;
        Some(mv)
    }
}

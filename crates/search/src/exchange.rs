//! What a move does to the pieces: the part that material of the exact search and evaluation of the engine share.
//!
//! In: a position, a legal move, values by kind. Out: what it exchanges, the pieces that it moves, takes and drops. Never: what a
//! position is worth.

use ashta_position::{Action, Move, Position, Word};
use ashta_rules::{KindId, Rules, Side, Square};

/// Values by kind, as far as exchanges need them.
pub trait ExchangeValues {
    fn on_board(&self, kind: KindId) -> i32;

    /// What a capture changes: the value lost and the value that the captor gains in hand.
    fn captured(&self, kind: KindId) -> i32;

    /// What a move captures and promotes to.
    #[inline(always)]
    fn exchanged<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        let captured: i32 = position.victims(mv).map(|kind| self.captured(kind)).sum();
        let promoted = match (mv.becomes(), position.mover(mv)) {
            (Some(new), Some(old)) => self.on_board(new) - self.on_board(old),
            _ => 0,
        };
        captured + promoted + if position.has_explosions() { self.exploded(position, mv) } else { 0 }
    }

    /// What a move blows up besides what it captures.
    #[cold]
    fn exploded<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        let mut sum = 0;
        explosions(position, mv, |_, side, kind| {
            sum += if side == position.turn() { -self.on_board(kind) } else { self.on_board(kind) };
        });
        sum
    }
}

/// Values by side, kind and square.
#[derive(Clone, Debug)]
pub struct SquareTable<T> {
    values: Vec<T>,
    n_kinds: usize,
    n_squares: usize,
}

impl<T: Copy> SquareTable<T> {
    /// `value` is asked for every side, kind and square, the square as the side sees it.
    pub fn new(rules: &Rules, mut value: impl FnMut(Side, KindId, Square) -> T) -> SquareTable<T> {
        let (n_kinds, n_squares) = (rules.kinds().len(), rules.grid().n_squares());
        let mut values = Vec::with_capacity(rules.sides().len() * n_kinds * n_squares);
        for (n, side) in rules.sides().iter().enumerate() {
            for kind in rules.kind_ids() {
                let seen = |square| rules.grid().turned(square, (4 - side.quarters % 4) % 4);
                let places = rules.grid().places();
                values.extend(places.map(|square| value(Side(n as u8), kind, seen(square))));
            }
        }
        SquareTable { values, n_kinds, n_squares }
    }

    #[inline(always)]
    pub fn of(&self, side: Side, kind: KindId, square: Square) -> T {
        self.values[(side.index() * self.n_kinds + kind.index()) * self.n_squares + usize::from(square.0)]
    }
}

/// A change that a move makes.
#[derive(Clone, Copy, Debug)]
pub enum PieceChange {
    /// A piece goes from one square to another, and may promote.
    Go {
        side: Side,
        kind: KindId,
        from: Square,
        to: Square,
        becomes: KindId,
    },
    Taken {
        side: Side,
        kind: KindId,
        square: Square,
    },
    Dropped {
        kind: KindId,
        to: Square,
    },
    /// Gone without a captor, as it stands after the move.
    Exploded {
        side: Side,
        kind: KindId,
        square: Square,
    },
}

/// Every change that a legal move makes.
#[inline(always)]
pub fn changes<W: Word>(position: &Position<W>, mv: Move, mut emit: impl FnMut(PieceChange)) {
    let mut go = |(from, to): (Square, Square), victim: Option<Square>, becomes: Option<KindId>| {
        if let Some((square, (side, kind))) = victim.and_then(|at| Some((at, position.piece(at)?))) {
            emit(PieceChange::Taken { side, kind, square });
        }
        if let Some((side, kind)) = position.piece(from) {
            emit(PieceChange::Go { side, kind, from, to, becomes: becomes.unwrap_or(kind) });
        }
    };
    match mv.action() {
        Action::Go { from, to, becomes } => go((from, to), (from != to).then_some(to), becomes),
        Action::EnPassant { from, to, victim } => go((from, to), Some(victim), None),
        Action::TwoLegs { from, middle, to } => {
            go((from, from), Some(middle), None);
            if from != to {
                go((from, to), Some(to), None);
            }
        }
        Action::Castle { from, to } => {
            if let Some(castling) = position.rules().castling_of(position.turn(), from, to) {
                go(castling.partner, None, None);
                go(castling.royal, None, None);
            }
        }
        Action::Drop { kind, to } => emit(PieceChange::Dropped { kind, to }),
        Action::Pass => {}
    }
    if position.has_explosions() {
        explosions(position, mv, |square, side, kind| emit(PieceChange::Exploded { side, kind, square }));
    }
}

/// Every piece that a legal move blows up besides what it captures, as it stands after the move.
#[cold]
fn explosions<W: Word>(position: &Position<W>, mv: Move, mut emit: impl FnMut(Square, Side, KindId)) {
    for square in position.exploded(mv).squares() {
        let arrived = || position.mover(mv).map(|kind| (position.turn(), mv.becomes().unwrap_or(kind)));
        let gone = if mv.to() == Some(square) { arrived() } else { position.piece(square) };
        if let Some((side, kind)) = gone {
            emit(square, side, kind);
        }
    }
}

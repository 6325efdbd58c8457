//! Whether a piece moves from one square to another, before anything is asked about royal pieces.

use ashta_rules::{InCheck, KindId, Part, Path, Region, Rules, Side, Square, Target};

use super::{Illegal, PieceOn};
use crate::moves::Move;
use crate::tables::PartView;

/// How near a way of moving comes to a move, the nearest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Elsewhere,
    OutOfBounds,
    HasMoved,
    Obstructed,
    WrongTarget,
    Spared,
}

/// What stands against one way of moving: whether it suits what stands on the last square, how near it comes, and why.
struct Against {
    suits: bool,
    nearness: Nearness,
    why: Illegal,
}

impl Against {
    fn rank(&self) -> (bool, bool, Nearness) {
        (self.nearness != Nearness::Elsewhere, self.suits, self.nearness)
    }
}

/// A board as one side's moving pieces see it.
pub(crate) struct Movement<'a> {
    pub rules: &'a Rules,
    /// Whose piece moves.
    pub side: Side,
    /// What stands on a square.
    pub piece: &'a dyn Fn(Square) -> Option<(Side, KindId)>,
    /// Rights not yet lost, as a setup has them.
    pub rights: u32,
    /// The square that a piece has just passed over, and where that piece stands.
    pub passed: Option<(Square, Square)>,
    /// Sides whose pieces are not captured.
    pub spared: &'a dyn Fn(Side) -> bool,
}

impl Movement<'_> {
    /// The move that leads to another square, or what stands against it: of all ways of moving, the one that comes nearest.
    pub fn find(&self, piece: PieceOn, to: Square) -> Result<Move, Illegal> {
        let mut nearest: Option<Against> = None;
        for part in &self.rules.kind(piece.kind).moves {
            let (nearness, why) = match self.by_part(part, piece, to) {
                Ok(mv) => return Ok(mv),
                Err(against) => against,
            };
            let against = Against { suits: self.suits(part, to), nearness, why };
            if nearest.as_ref().is_none_or(|other| against.rank() > other.rank()) {
                nearest = Some(against);
            }
        }
        Err(nearest.map_or(Illegal::NotItsMove { piece, to }, |against| against.why))
    }

    /// Whether the movements that lead there are all such as may not be made in check.
    pub fn is_only_calm(&self, piece: PieceOn, to: Square) -> bool {
        let parts = &self.rules.kind(piece.kind).moves;
        let mut leading = parts.iter().filter(|part| self.by_part(part, piece, to).is_ok());
        leading.all(|part| part.in_check == InCheck::Forbidden)
    }

    /// Whether a movement may end on what stands there.
    fn suits(&self, part: &Part, to: Square) -> bool {
        match (self.standing(to), part.movement.target) {
            (_, Target::Any) | (None, Target::Empty) | (Some(_), Target::Capture) => true,
            (Some(_), Target::Empty) | (None, Target::Capture) => false,
        }
    }

    fn by_part(&self, part: &Part, piece: PieceOn, to: Square) -> Result<Move, (Nearness, Illegal)> {
        let unbound = Part { from: None, within: None, ..part.clone() };
        if self.ways(&unbound, piece, to).is_empty() {
            return Err((Nearness::Elsewhere, Illegal::NotItsMove { piece, to }));
        }
        let ways = self.ways(part, piece, to);
        if ways.is_empty() {
            return Err((Nearness::OutOfBounds, Illegal::OutOfBounds { piece, to }));
        }
        if part.movement.first_move_only && !self.is_unmoved(part, piece) {
            return Err((Nearness::HasMoved, Illegal::HasMoved { piece, to }));
        }
        let obstruction = |between: &Vec<Square>| self.obstruction(part, piece, to, between);
        match ways.iter().map(obstruction).collect::<Option<Vec<Illegal>>>() {
            None => self.arrival(part, piece, to),
            Some(all) => {
                let why = all.into_iter().next().unwrap_or(Illegal::NotItsMove { piece, to });
                Err((Nearness::Obstructed, why))
            }
        }
    }

    /// The squares between of every way of a part from a piece to a square, whether or not the piece has moved.
    fn ways(&self, part: &Part, piece: PieceOn, to: Square) -> Vec<Vec<Square>> {
        let holds = |region: &Option<Region>| {
            region.as_ref().is_none_or(|squares| squares[self.side.index()].has(piece.square))
        };
        if !holds(&part.from) || !holds(&part.within) {
            return Vec::new();
        }
        let view = PartView { rules: self.rules, side: self.side, kind: piece.kind, part };
        let ways = view.ways_of_any(piece.square).into_iter();
        ways.filter(|(end, _)| *end == to).map(|(_, between)| between).collect()
    }

    fn is_unmoved(&self, part: &Part, piece: PieceOn) -> bool {
        let (rules, side) = (self.rules, self.side);
        let view = PartView { rules, side, kind: piece.kind, part };
        if !view.is_remembered_first_move() {
            return rules.start().board[piece.square.index()] == Some((side, piece.kind));
        }
        let right = rules.first_move_squares().iter().position(|home| *home == piece.square);
        right.is_some_and(|n| self.rights >> (rules.n_castling_rights() + n) & 1 == 1)
    }

    /// What stands in the way, or does not and should.
    fn obstruction(&self, part: &Part, piece: PieceOn, to: Square, between: &[Square]) -> Option<Illegal> {
        let occupied = between.iter().filter_map(|square| self.standing(*square));
        let on_the_way: Vec<PieceOn> = occupied.collect();
        match (&part.movement.path, on_the_way.as_slice()) {
            (Path::Hop { .. }, [over]) if part.not_over.contains(&over.kind) => {
                Some(Illegal::NoSuchHurdle { piece, over: *over })
            }
            (Path::Hop { .. }, [_]) => None,
            (Path::Hop { .. }, _) => Some(Illegal::NeedsHurdle { piece, to }),
            (_, []) => None,
            (_, [first, ..]) => Some(Illegal::Blocked { piece, to, by: first.square }),
        }
    }

    /// Whether the movement may end there.
    fn arrival(&self, part: &Part, piece: PieceOn, to: Square) -> Result<Move, (Nearness, Illegal)> {
        let target = part.movement.target;
        let go = Move::go(piece.square, to);
        let Some((side, kind)) = (self.piece)(to) else {
            return match (target, self.passed) {
                (_, Some((passed, victim))) if part.movement.en_passant && passed == to => {
                    Ok(Move::en_passant(piece.square, to, victim))
                }
                (Target::Capture, _) => Err((Nearness::WrongTarget, Illegal::OnlyCaptures { piece, to })),
                (Target::Any | Target::Empty, _) => Ok(go),
            };
        };
        let there = PieceOn { kind, square: to };
        if (self.spared)(side) {
            return Err((Nearness::Spared, Illegal::OwnPiece { piece, own: there }));
        }
        match target {
            Target::Empty => Err((Nearness::WrongTarget, Illegal::OnlyMoves { piece, to })),
            Target::Any | Target::Capture if part.not_onto.contains(&kind) => {
                Err((Nearness::Spared, Illegal::NotCaptured { piece, victim: there }))
            }
            Target::Any | Target::Capture => Ok(go),
        }
    }

    fn standing(&self, square: Square) -> Option<PieceOn> {
        (self.piece)(square).map(|(_, kind)| PieceOn { kind, square })
    }
}

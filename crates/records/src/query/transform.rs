//! Shifts, mirror images and side swaps of patterns.
//!
//! In: a query. Out: the transformed query, or nothing if a square would leave the board. Never: a change to filters on
//! games.

use ashta_rules::{Delta, KindId, Rules, Setup, Side, Square};

use super::{Content, Query};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transform {
    Shift(Delta),
    Mirror,
    /// The sides are exchanged, with their edges of the board.
    Swap,
}

impl Transform {
    fn square(self, rules: &Rules, square: Square) -> Option<Square> {
        let grid = rules.grid();
        match self {
            Transform::Shift(step) => grid.step(square, step),
            Transform::Mirror => {
                grid.at(i16::from(grid.files() - 1 - grid.file(square)), i16::from(grid.rank(square)))
            }
            Transform::Swap => {
                if is_turned(rules) {
                    Some(grid.turned(square, 2)).filter(|square| !grid.holes().has(*square))
                } else {
                    grid.at(i16::from(grid.file(square)), i16::from(grid.ranks() - 1 - grid.rank(square)))
                }
            }
        }
    }

    fn side(self, side: Side) -> Side {
        match self {
            Transform::Shift(_) | Transform::Mirror => side,
            Transform::Swap => Side(if side.0 < 2 { 1 - side.0 } else { 5 - side.0 }),
        }
    }

    pub fn apply(self, rules: &Rules, query: &Query) -> Option<Query> {
        let each =
            |parts: &[Query]| parts.iter().map(|part| self.apply(rules, part)).collect::<Option<Vec<_>>>();
        let one = |part: &Query| self.apply(rules, part).map(Box::new);
        Some(match query {
            Query::All(parts) => Query::All(each(parts)?),
            Query::Any(parts) => Query::Any(each(parts)?),
            Query::Not(part) => Query::Not(one(part)?),
            Query::Then(first, second) => Query::Then(one(first)?, one(second)?),
            Query::On(square, content) => Query::On(self.square(rules, *square)?, self.content(content)),
            Query::Holds(side, kind, least, most) => Query::Holds(self.side(*side), *kind, *least, *most),
            Query::Count(pieces, least, most) => Query::Count(self.pieces(pieces), *least, *most),
            Query::Lasting(part, least, most) => Query::Lasting(one(part)?, *least, *most),
            Query::Turn(side) => Query::Turn(self.side(*side)),
            Query::Position(setup) => Query::Position(Box::new(self.setup(rules, setup)?)),
            Query::Game(part) => Query::Game(one(part)?),
            Query::Anywhere(part) => Query::Anywhere(one(part)?),
            Query::Mirrored(part) => Query::Mirrored(one(part)?),
            Query::Swapped(part) => Query::Swapped(one(part)?),
            Query::Ply(..) | Query::Games(_) => query.clone(),
        })
    }

    fn content(self, content: &Content) -> Content {
        match content {
            Content::Empty => Content::Empty,
            Content::Occupied => Content::Occupied,
            Content::OneOf(pieces) => Content::OneOf(self.pieces(pieces)),
        }
    }

    fn pieces(self, pieces: &[(Side, KindId)]) -> Vec<(Side, KindId)> {
        pieces.iter().map(|(side, kind)| (self.side(*side), *kind)).collect()
    }

    fn setup(self, rules: &Rules, setup: &Setup) -> Option<Setup> {
        let mut new = Setup { board: vec![None; setup.board.len()], ..setup.clone() };
        for (square, piece) in setup.board.iter().enumerate() {
            if let Some((side, kind)) = piece {
                let to = self.square(rules, Square(square as u8))?;
                new.board[to.0 as usize] = Some((self.side(*side), *kind));
            }
        }
        if self == Transform::Swap {
            new.hands.swap(0, 1);
            new.turn = self.side(Side(setup.turn)).0;
        }
        new.en_passant = match setup.en_passant {
            Some(square) => Some(self.square(rules, square)?),
            None => None,
        };
        // Castling rights are numbered by the rules; those of the other wing or side are derived from the pieces.
        new.rights = match self {
            Transform::Shift(_) => 0,
            Transform::Mirror | Transform::Swap if setup.rights == 0 => 0,
            Transform::Mirror | Transform::Swap => rules.start().rights,
        };
        Some(new)
    }
}

/// Whether the second side's start is the first side's rotated, as in shogi, or reflected, as in chess.
fn is_turned(rules: &Rules) -> bool {
    let (grid, board) = (rules.grid(), &rules.start().board);
    let of = |square: Square| board[square.0 as usize];
    let opposite = |piece: Option<(Side, KindId)>| piece.map(|(side, kind)| (Side(1 - side.0.min(1)), kind));
    grid.squares().all(|square| of(grid.turned(square, 2)) == opposite(of(square)))
}

/// Every shift of a pattern that stays on the board, the pattern itself included.
pub fn shifts(rules: &Rules, query: &Query) -> Vec<Query> {
    let (files, ranks) = (rules.grid().files() as i8, rules.grid().ranks() as i8);
    let steps =
        (1 - files..files).flat_map(|file| (1 - ranks..ranks).map(move |rank| Delta::new(file, rank)));
    let mut found: Vec<Query> = steps.filter_map(|step| Transform::Shift(step).apply(rules, query)).collect();
    // A pattern without squares does not change when shifted.
    found.dedup();
    found
}

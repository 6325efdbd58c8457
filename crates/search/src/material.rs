//! Material: the pieces of one side minus those of the others, and how a move changes it.
//!
//! In: values, a position. Out: a balance for the side to move. Never: whose turn is better.

use ashta_position::{Move, Position, Word};
use ashta_rules::{DropFace, Hand, KindId, Rules, Side};

use crate::exchange::{ExchangeValues, PieceChange, SquareTable, changes};
use crate::values::Values;

/// Values of a game's pieces, ready for positions: what is captured, what is gained in hand.
#[derive(Clone, Debug)]
pub struct Material {
    values: Values,
    /// By kind: what a capture of it changes, wherever it stands.
    captured: Vec<i32>,
    /// What a piece is worth where it stands, if that matters.
    squares: Option<SquareTable<i32>>,
}

/// A value of mobility is that of so many squares.
const TEN: i32 = 10;

/// How many squares the men of a side attack, in a game of two: not those of their own men; each man's are counted.
pub fn attacked<W: Word>(position: &Position<W>, side: Side) -> i32 {
    let (state, reach, rules) = (position.state(), position.piece_attacks(), position.rules());
    let (own, occupied) = (state.side(side), state.occupied());
    let men = own.squares().filter(|square| !rules.kind(state.kind_on(*square)).royal);
    let attacks = |square| reach.attacks(state, side, state.kind_on(square), square, occupied) & !own;
    men.map(|square| attacks(square).count() as i32).sum()
}

impl ExchangeValues for Material {
    #[inline(always)]
    fn on_board(&self, kind: KindId) -> i32 {
        self.values.of(kind)
    }

    #[inline(always)]
    fn captured(&self, kind: KindId) -> i32 {
        self.captured[kind.index()]
    }
}

impl Material {
    /// The material of a game.
    pub fn new(rules: &Rules, values: Values) -> Material {
        let gained = |kind: KindId| match rules.hand() {
            Hand::Captures if !rules.kind(kind).royal => values.in_hand(rules.kind(kind).demoted),
            Hand::Captures | Hand::None | Hand::SetUp => 0,
        };
        let captured = rules.kind_ids().map(|kind| values.of(kind) + gained(kind)).collect();
        let n_squares = rules.grid().n_squares();
        let on = |kind, square| values.of(kind) + values.on_square(kind, square, n_squares);
        // A drop with the other side up changes what a piece is worth, as a promotion does.
        let drops_turned =
            rules.kinds().iter().any(|kind| kind.drop.as_ref().is_some_and(|d| d.face == DropFace::Either));
        let is_plain = values.are_plain() && !drops_turned;
        let squares = (!is_plain).then(|| SquareTable::new(rules, |_, kind, square| on(kind, square)));
        Material { values, captured, squares }
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Whether it matters only which pieces there are, so that a quiet move changes nothing.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.squares.is_none()
    }

    /// The balance, and what the squares are worth that pieces attack, for the side to move.
    pub fn value<W: Word>(&self, position: &Position<W>) -> i32 {
        self.balance(position) + self.mobility(position)
    }

    /// What the squares are worth that pieces attack, own minus the other side's.
    #[inline(always)]
    pub fn mobility<W: Word>(&self, position: &Position<W>) -> i32 {
        match self.values.mobility() {
            0 => 0,
            worth => {
                let me = position.turn();
                worth * (attacked(position, me) - attacked(position, Side(1 - me.0))) / TEN
            }
        }
    }

    /// Whether every move changes the value in a way that only the position after it tells.
    #[inline(always)]
    pub fn counts_mobility(&self) -> bool {
        self.values.mobility() != 0
    }

    /// Own pieces minus the others', for the side to move; partners count as own.
    pub fn balance<W: Word>(&self, position: &Position<W>) -> i32 {
        let sides = position.rules().sides();
        let team = sides[position.turn().index()].team;
        let signed = |side: Side, value: i32| if sides[side.index()].team == team { value } else { -value };
        let worth = |side, kind, square| match &self.squares {
            None => self.values.of(kind),
            Some(places) => places.of(side, kind, square),
        };
        let squares = position.rules().grid().squares();
        let on_board = squares.filter_map(|square| position.piece(square).map(|piece| (square, piece)));
        let board: i32 = on_board.map(|(square, (side, kind))| signed(side, worth(side, kind, square))).sum();
        let mut hands = 0;
        if position.rules().hand() != Hand::None {
            for side in (0..sides.len() as u8).map(Side) {
                for kind in position.rules().kind_ids() {
                    let count = i32::from(position.in_hand(side, kind));
                    hands += signed(side, self.values.in_hand(kind) * count);
                }
            }
        }
        board + hands
    }

    /// What a move of the side to move adds to its balance.
    #[inline(always)]
    pub fn gain<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        match &self.squares {
            None => self.exchanged(position, mv),
            Some(places) => self.gain_by_place(places, position, mv),
        }
    }

    /// What a move captures and promotes to, wherever pieces stand: what makes a position unquiet.
    #[inline(always)]
    pub fn exchanged<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        ExchangeValues::exchanged(self, position, mv)
    }

    fn gain_by_place<W: Word>(&self, places: &SquareTable<i32>, position: &Position<W>, mv: Move) -> i32 {
        let mut gain = 0;
        changes(position, mv, |change| {
            gain += match change {
                PieceChange::Go { side, kind, from, to, becomes } => {
                    places.of(side, becomes, to) - places.of(side, kind, from)
                }
                PieceChange::Taken { side, kind, square } => {
                    let in_hand = self.captured[kind.index()] - self.values.of(kind);
                    places.of(side, kind, square) + in_hand
                }
                PieceChange::Exploded { side, kind, square } => {
                    let value = places.of(side, kind, square);
                    if side == position.turn() { -value } else { value }
                }
                PieceChange::Dropped { kind, to } => {
                    let in_hand = position.rules().kind(kind).demoted;
                    places.of(position.turn(), kind, to) - self.values.in_hand(in_hand)
                }
            }
        });
        gain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ashta_position::{CompiledRules, Game, with_line};

    #[test]
    fn squares_attacked_are_counted_man_by_man() {
        let rules = CompiledRules::new(ashta_rules::load("chess").expect("the library is sound"));
        // At the start knights attack 4 squares and pawns 14; after e4 bishop, queen and a knight attack 5, 4 and 1 more.
        for (text, first, second) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 18, 18),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 28, 18),
        ] {
            let game = Game::from_text(&rules, text).expect("a position");
            let found = with_line!(game.line(), line => {
                [0, 1].map(|side| attacked(line.position(), Side(side)))
            });
            assert_eq!(found, [first, second], "{text}");
        }
    }
}

//! The points of one move, by what they are for.
//!
//! In: a position, a legal move. Out: points with names. Never: answers to the move.
//!
//! Numbers are those of the paper's figure 18, in sixteenths of its units where it prints them in hexadecimal: GAIN 00A0 for
//! a pawn, DEFENCE 1, 3, 5 and 10, STRUCTURE 1 for a pawn that another protects, ATTACK 000C for a rook and 001E for a
//! queen or king, CONCENTRATION 0018 for a square. Its ratio 1:3:3:7:15 is v up to 3 and 2v - 3 beyond, where v is the
//! usual value 1, 3, 3, 5, 9: so it is for pieces of other games.

use std::fmt;

use ashta_position::{Action, Move, Position, Word};
use ashta_rules::{Rules, Side, Square};

use crate::engine::{EngineValues, PieceSquareTable};

/// Points of a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Parts {
    /// What it captures and becomes.
    pub gain: i32,
    /// Squares around the enemy royal piece that are commanded after it.
    pub concentration: i32,
    /// Enemy pieces that the moved piece threatens.
    pub attack: i32,
    /// Own pieces that the moved piece guards.
    pub defence: i32,
    /// Own pawns that protect each other after it.
    pub structure: i32,
    /// Where the piece comes to stand, and beside whom.
    pub position: i32,
    /// Castling.
    pub special: i32,
}

/// The names, in the order of the parts.
pub const PART_NAMES: [&str; 7] =
    ["GAIN", "CONCENTRATION", "ATTACK", "DEFENCE", "STRUCTURE", "POSITION", "SPECIAL"];

/// The paper's unit of GAIN, for a piece of value 1.
const GAIN: i32 = 0xA0;
const CONCENTRATION: i32 = 0x18;
const CASTLING: i32 = 0x18;
/// Two riders of a kind that see each other.
const DOUBLED: i32 = 6;

impl Parts {
    /// The parts in the order of their names.
    pub fn numbers(self) -> [i32; 7] {
        let Parts { gain, concentration, attack, defence, structure, position, special } = self;
        [gain, concentration, attack, defence, structure, position, special]
    }

    /// All points.
    pub fn total(self) -> i32 {
        self.numbers().iter().sum()
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = PART_NAMES.iter().zip(self.numbers()).filter(|(_, points)| *points != 0);
        let words: Vec<String> = named.map(|(name, points)| format!("{name} {points:+}")).collect();
        match words.is_empty() {
            true => write!(f, "nothing"),
            false => write!(f, "{}", words.join(", ")),
        }
    }
}

/// How a game's moves are given points.
#[derive(Debug)]
pub struct Points {
    values: EngineValues,
    squares: PieceSquareTable,
    is_pawn_like: Vec<bool>,
    is_royal: Vec<bool>,
}

impl Points {
    /// For a game of two sides.
    pub fn new(rules: &Rules) -> Points {
        let values = EngineValues::new(rules, None);
        let squares = PieceSquareTable::new(rules, &values);
        let is_pawn_like = rules.kind_ids().map(|kind| squares.is_pawn_like(kind)).collect();
        let is_royal = rules.kinds().iter().map(|kind| kind.royal).collect();
        Points { values, squares, is_pawn_like, is_royal }
    }

    /// The paper's value of a kind, in its units: v up to 3 pawns, 2v - 3 beyond.
    pub fn gain_of(&self, kind: usize) -> i32 {
        let hundredths = self.values.on_board(kind);
        let stretched = if hundredths <= 300 { hundredths } else { 2 * hundredths - 300 };
        stretched * GAIN / 100
    }

    pub(crate) fn of_move_generic<W: Word>(&self, position: &mut Position<W>, mv: Move) -> Parts {
        let me = position.turn();
        let mut parts = Parts { gain: self.gain(position, mv), ..Parts::default() };
        parts.position = self.place(position, mv, me);
        if matches!(mv.action(), Action::Castle { .. }) {
            parts.special = CASTLING;
        }
        let undo = position.play_unchecked(mv);
        parts.concentration = CONCENTRATION * self.commanded(position, me);
        parts.structure = self.protected_pawns(position, me);
        if let Some(square) = mv.to() {
            self.look_around(position, square, me, &mut parts);
        }
        position.take_back(mv, undo);
        parts
    }

    fn gain<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        let captured: i32 = position.victims(mv).map(|kind| self.gain_of(kind.index())).sum();
        let promoted = match (mv.becomes(), position.mover(mv)) {
            (Some(new), Some(old)) => self.gain_of(new.index()) - self.gain_of(old.index()),
            _ => 0,
        };
        captured + promoted
    }

    /// What the new square adds to the piece, compared with the old one.
    fn place<W: Word>(&self, position: &Position<W>, mv: Move, me: Side) -> i32 {
        let (Some(kind), Some(to)) = (position.mover(mv), mv.to()) else { return 0 };
        let rules = position.rules();
        let on = |square: Square| self.squares.on(rules, me, kind, square);
        on(to) - mv.from().map_or(0, on)
    }

    /// Squares to which the other royal piece might go, were they not attacked.
    fn commanded<W: Word>(&self, position: &Position<W>, me: Side) -> i32 {
        let state = position.state();
        let them = me.other();
        let mut count = 0;
        for royal in position.royals(them).squares() {
            let ways =
                position.piece_attacks().attacks(state, them, state.kind_on(royal), royal, state.occupied());
            let ways = ways & !state.side(them);
            count += ways.squares().filter(|square| position.is_attacked(*square, me)).count() as i32;
        }
        count
    }

    /// Own pawns that are protected by pawns.
    fn protected_pawns<W: Word>(&self, position: &Position<W>, me: Side) -> i32 {
        let (state, reach) = (position.state(), position.piece_attacks());
        let own = state.side(me);
        let pawns: Vec<Square> =
            own.squares().filter(|square| self.is_pawn_like[state.kind_on(*square).index()]).collect();
        let all = pawns.iter().fold(W::ZERO, |set, square| set | W::bit(*square));
        let guarded = pawns.iter().fold(W::ZERO, |set, square| {
            set | reach.attacks(state, me, state.kind_on(*square), *square, state.occupied())
        });
        (guarded & all).count() as i32
    }

    /// What the moved piece threatens and guards.
    fn look_around<W: Word>(&self, position: &Position<W>, square: Square, me: Side, parts: &mut Parts) {
        let state = position.state();
        // It may have blown itself up.
        let Some((_, kind)) = position.piece(square) else { return };
        let attacks = position.piece_attacks().attacks(state, me, kind, square, state.occupied());
        for other in (attacks & state.side(me.other())).squares() {
            parts.attack += self.attack_on(state.kind_on(other).index());
        }
        for other in (attacks & state.side(me)).squares() {
            let other_kind = state.kind_on(other);
            parts.defence += self.defence_of(other_kind.index());
            let doubles = other_kind == kind && self.values.on_board(kind.index()) >= 400;
            parts.position += if doubles { DOUBLED } else { 0 };
        }
    }

    /// Nothing up to a bishop, 12 for a rook, 30 for a queen or a royal piece.
    fn attack_on(&self, kind: usize) -> i32 {
        match self.is_royal[kind] {
            true => 0x1E,
            false => {
                ((45 * self.values.on_board(kind) / 100 - 105) / 10).clamp(0, 0x1E)
                    * i32::from(self.values.on_board(kind) > 300)
            }
        }
    }

    /// 1 for a bishop, 3 for a rook, 5 for a queen, 10 for a royal piece.
    fn defence_of(&self, kind: usize) -> i32 {
        match (self.is_royal[kind], self.is_pawn_like[kind]) {
            (true, _) => 0x0A,
            (false, true) => 0,
            (false, false) => (self.values.on_board(kind) / 200).clamp(1, 5),
        }
    }
}

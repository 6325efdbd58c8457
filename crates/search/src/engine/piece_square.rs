//! Piece-square tables made from the rules alone, for midgame and endgame.
//!
//! In: rules, piece values. Out: scores by kind and square of the first side. Never: other pieces.

use ashta_position::moves_on_empty_board;
use ashta_rules::{Hand, KindId, Rules, Side, Square, Wraps};

use super::piece_values::{EngineValues, most_common_kind};
use crate::values::Values;

/// A midgame and an endgame score; tapered evaluation interpolates between them by the game phase.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct TaperedScore {
    pub midgame: i32,
    pub endgame: i32,
}

impl std::ops::Add for TaperedScore {
    type Output = TaperedScore;

    #[inline(always)]
    fn add(self, other: TaperedScore) -> TaperedScore {
        TaperedScore { midgame: self.midgame + other.midgame, endgame: self.endgame + other.endgame }
    }
}

impl std::ops::Sub for TaperedScore {
    type Output = TaperedScore;

    #[inline(always)]
    fn sub(self, other: TaperedScore) -> TaperedScore {
        TaperedScore { midgame: self.midgame - other.midgame, endgame: self.endgame - other.endgame }
    }
}

impl std::ops::AddAssign for TaperedScore {
    #[inline(always)]
    fn add_assign(&mut self, other: TaperedScore) {
        *self = *self + other;
    }
}

impl TaperedScore {
    /// The same score in both phases.
    pub fn both(score: i32) -> TaperedScore {
        TaperedScore { midgame: score, endgame: score }
    }
}

/// Whether a kind is pawn-like: weak, only moves forward, promotes.
pub(super) fn is_pawn_like(rules: &Rules, values: &EngineValues, kind: KindId) -> bool {
    let it = rules.kind(kind);
    let weakest =
        rules.kind_ids().filter(|kind| !rules.kind(*kind).royal).map(|kind| values.on_board(kind.index()));
    let is_weak = values.on_board(kind.index()) <= weakest.min().unwrap_or(0) * 3 / 2;
    !it.royal && it.promotion.is_some() && is_weak && Rules::only_goes_forward(it)
}

/// The midgame piece-square table of a game, for users other than the engine.
#[derive(Clone, Debug)]
pub struct PieceSquareTable {
    midgame: Vec<i32>,
    is_pawn_like: Vec<bool>,
}

impl PieceSquareTable {
    pub fn new(rules: &Rules, values: &EngineValues) -> PieceSquareTable {
        let midgame =
            piece_square_values(rules, values, None).into_iter().map(|score| score.midgame).collect();
        PieceSquareTable {
            midgame,
            is_pawn_like: rules.kind_ids().map(|kind| is_pawn_like(rules, values, kind)).collect(),
        }
    }

    pub fn is_pawn_like(&self, kind: KindId) -> bool {
        self.is_pawn_like[kind.index()]
    }

    /// The score of a side's piece on a square.
    pub fn on(&self, rules: &Rules, side: Side, kind: KindId, square: Square) -> i32 {
        let turns = rules.sides()[side.index()].quarters % 4;
        let seen = rules.grid().turned(square, (4 - turns) % 4);
        self.midgame[kind.index() * rules.grid().n_squares() + usize::from(seen.0)]
    }
}

/// Scores by kind and square of the first side; learned ones in place of those made from the rules.
pub(super) fn piece_square_values(
    rules: &Rules,
    values: &EngineValues,
    learned: Option<&Values>,
) -> Vec<TaperedScore> {
    let n_squares = rules.grid().n_squares();
    let learned = learned.filter(|learned| !learned.are_plain() && has_square_values(rules, learned));
    let unit = learned.map_or(1, |learned| learned.of(most_common_kind(rules)).max(1));
    let mut table = Vec::with_capacity(rules.kinds().len() * n_squares);
    for kind in rules.kind_ids() {
        let facts = KindFacts::new(rules, values, kind);
        table.extend(rules.grid().places().map(|square| match learned {
            Some(learned) => {
                let value = i64::from(learned.on_square(kind, square, n_squares));
                TaperedScore::both((value * 100 / i64::from(unit)) as i32)
            }
            None => facts.on(square),
        }));
    }
    table
}

fn has_square_values(rules: &Rules, values: &Values) -> bool {
    let n_squares = rules.grid().n_squares();
    let on = |kind| rules.grid().squares().any(|square| values.on_square(kind, square, n_squares) != 0);
    rules.kind_ids().any(on)
}

/// What the scores of a kind are made from.
struct KindFacts<'a> {
    rules: &'a Rules,
    kind: KindId,
    /// Moves on the empty board: mean and maximum over squares.
    mean: f64,
    most: f64,
    gain: f64,
    is_pawn_like: bool,
    /// Captured pieces are dropped again: central and advanced pieces then matter less.
    has_drops: bool,
}

impl KindFacts<'_> {
    fn new<'a>(rules: &'a Rules, values: &EngineValues, kind: KindId) -> KindFacts<'a> {
        let counts: Vec<f64> = rules.grid().squares().map(|square| n_moves(rules, kind, square)).collect();
        let usable: Vec<f64> = counts.into_iter().filter(|count| *count > 0.0).collect();
        KindFacts {
            rules,
            kind,
            mean: usable.iter().sum::<f64>() / (usable.len().max(1) as f64),
            most: usable.iter().copied().fold(1.0, f64::max),
            gain: f64::from(values.promotion_gain(rules, kind)),
            is_pawn_like: is_pawn_like(rules, values, kind),
            has_drops: rules.hand() == Hand::Captures,
        }
    }

    fn on(&self, square: Square) -> TaperedScore {
        let (midgame, endgame) = match (self.rules.kind(self.kind).royal, self.is_pawn_like) {
            (true, _) => self.royal(square),
            (false, true) => self.pawn_like(square),
            (false, false) => self.piece(square),
        };
        TaperedScore { midgame: midgame.round() as i32, endgame: endgame.round() as i32 }
    }

    /// King safety in the midgame, centralisation in the endgame.
    fn royal(&self, square: Square) -> (f64, f64) {
        let (aside, middle) = (self.aside(square), self.middle(square));
        let out = f64::from(self.rules.grid().rank(square).min(4));
        (26.0 * aside - 16.0 * out, 50.0 * middle)
    }

    /// Advancement towards promotion, more in the endgame; the centre in the midgame.
    fn pawn_like(&self, square: Square) -> (f64, f64) {
        let way = self.way(square);
        let inner = if self.has_drops { 0.0 } else { 14.0 * (self.middle(square) - 0.4) * (1.0 + way) };
        let midgame = self.gain * (0.01 * way + 0.05 * way * way);
        (midgame + inner, self.gain * (0.02 * way + 0.09 * way * way) + inner / 3.0)
    }

    /// Mobility on the empty board and centralisation.
    fn piece(&self, square: Square) -> (f64, f64) {
        let n_moves = n_moves(self.rules, self.kind, square);
        let free = if n_moves > 0.0 { 40.0 * (n_moves - self.mean) / self.most } else { -20.0 };
        let inner = 14.0 * (self.middle(square) - 0.4);
        let towards = 0.02 * self.gain * self.way(square);
        let weight = if self.has_drops { 0.4 } else { 1.0 };
        ((free + inner) * weight + towards, (0.6 * free + inner) * weight + towards)
    }

    /// 0 on the middle file, 1 on the outermost; a ring has neither.
    fn aside(&self, square: Square) -> f64 {
        if self.rules.grid().wraps() == Wraps::Files {
            return 0.0;
        }
        let (file, last) =
            (f64::from(self.rules.grid().file(square)), f64::from(self.rules.grid().files() - 1));
        (2.0 * file - last).abs() / last.max(1.0)
    }

    /// 1 in the middle of the board, 0 in a corner.
    fn middle(&self, square: Square) -> f64 {
        let (rank, last) =
            (f64::from(self.rules.grid().rank(square)), f64::from(self.rules.grid().ranks() - 1));
        1.0 - (self.aside(square) + (2.0 * rank - last).abs() / last.max(1.0)) / 2.0
    }

    /// How much of the way to where it promotes lies behind it.
    fn way(&self, square: Square) -> f64 {
        let grid = self.rules.grid();
        let Some(promotion) = &self.rules.kind(self.kind).promotion else { return 0.0 };
        let zone =
            grid.squares().filter(|square| promotion.zone[0].has(*square)).map(|square| grid.rank(square));
        let Some(goal) = zone.min() else { return 0.0 };
        (f64::from(grid.rank(square)) / f64::from(goal.max(1))).min(1.0)
    }
}

fn n_moves(rules: &Rules, kind: KindId, square: Square) -> f64 {
    let (moves, captures) = moves_on_empty_board(rules, kind, square);
    f64::from(moves + captures)
}

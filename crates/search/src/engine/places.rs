//! What standing on a square adds to a piece, made from the rules alone, early and late in a game.
//!
//! In: rules, worths. Out: numbers by kind and square of the first side. Never: other pieces.

use ashta_position::moves_on_empty_board;
use ashta_rules::{Hand, KindId, Rules, Side, Square};

use super::worth::{Worths, common_man};
use crate::values::Values;

/// A number for when all pieces are there and one for when few are left.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pair {
    /// With all pieces.
    pub early: i32,
    /// With few.
    pub late: i32,
}

impl std::ops::Add for Pair {
    type Output = Pair;

    #[inline(always)]
    fn add(self, other: Pair) -> Pair {
        Pair { early: self.early + other.early, late: self.late + other.late }
    }
}

impl std::ops::Sub for Pair {
    type Output = Pair;

    #[inline(always)]
    fn sub(self, other: Pair) -> Pair {
        Pair { early: self.early - other.early, late: self.late - other.late }
    }
}

impl std::ops::AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl Pair {
    /// Both alike.
    pub fn both(number: i32) -> Pair {
        Pair { early: number, late: number }
    }
}

/// Whether pieces of a kind are the game's foot: weak men that only go forward and promote.
pub(super) fn is_foot(rules: &Rules, worths: &Worths, kind: KindId) -> bool {
    let it = rules.kind(kind);
    let weakest =
        rules.kind_ids().filter(|kind| !rules.kind(*kind).royal).map(|kind| worths.of(kind.index()));
    let is_weak = worths.of(kind.index()) <= weakest.min().unwrap_or(0) * 3 / 2;
    !it.royal && it.promotion.is_some() && is_weak && Rules::only_goes_forward(it)
}

/// What squares add to pieces early in a game, for whoever is not the engine.
#[derive(Clone, Debug)]
pub struct Places {
    early: Vec<i32>,
    is_foot: Vec<bool>,
}

impl Places {
    /// Of a game.
    pub fn new(rules: &Rules, worths: &Worths) -> Places {
        let early = place_values(rules, worths, None).into_iter().map(|pair| pair.early).collect();
        Places { early, is_foot: rules.kind_ids().map(|kind| is_foot(rules, worths, kind)).collect() }
    }

    /// Whether pieces of a kind are the game's foot.
    pub fn is_foot(&self, kind: KindId) -> bool {
        self.is_foot[kind.index()]
    }

    /// What standing on a square adds to a side's piece.
    pub fn on(&self, rules: &Rules, side: Side, kind: KindId, square: Square) -> i32 {
        let turns = rules.sides()[side.index()].quarters % 4;
        let seen = rules.grid().turned(square, (4 - turns) % 4);
        self.early[kind.index() * rules.grid().n_squares() + usize::from(seen.0)]
    }
}

/// By kind and square of the first side.
pub(super) fn place_values(rules: &Rules, worths: &Worths, learned: Option<&Values>) -> Vec<Pair> {
    let n_squares = rules.grid().n_squares();
    let learned = learned.filter(|values| !values.are_plain() && has_places(rules, values));
    let unit = learned.map_or(1, |values| values.of(common_man(rules)).max(1));
    let mut places = Vec::with_capacity(rules.kinds().len() * n_squares);
    for kind in rules.kind_ids() {
        let shape = Shape::new(rules, worths, kind);
        places.extend(rules.grid().squares().map(|square| match learned {
            Some(values) => Pair::both(
                (i64::from(values.on_square(kind, square, n_squares)) * 100 / i64::from(unit)) as i32,
            ),
            None => shape.on(square),
        }));
    }
    places
}

fn has_places(rules: &Rules, values: &Values) -> bool {
    let n_squares = rules.grid().n_squares();
    let on = |kind| rules.grid().squares().any(|square| values.on_square(kind, square, n_squares) != 0);
    rules.kind_ids().any(on)
}

/// What is known of a kind.
struct Shape<'a> {
    rules: &'a Rules,
    kind: KindId,
    /// Moves on the empty board: their mean and the most.
    mean: f64,
    most: f64,
    gain: f64,
    is_foot: bool,
    /// Whether captured pieces come back: then pieces in the middle and advanced ones matter less.
    returns: bool,
}

impl Shape<'_> {
    fn new<'a>(rules: &'a Rules, worths: &Worths, kind: KindId) -> Shape<'a> {
        let counts: Vec<f64> = rules.grid().squares().map(|square| n_moves(rules, kind, square)).collect();
        let usable: Vec<f64> = counts.into_iter().filter(|count| *count > 0.0).collect();
        Shape {
            rules,
            kind,
            mean: usable.iter().sum::<f64>() / (usable.len().max(1) as f64),
            most: usable.iter().copied().fold(1.0, f64::max),
            gain: f64::from(worths.promotion_gain(rules, kind)),
            is_foot: is_foot(rules, worths, kind),
            returns: rules.hand() == Hand::Captures,
        }
    }

    fn on(&self, square: Square) -> Pair {
        let (early, late) = match (self.rules.kind(self.kind).royal, self.is_foot) {
            (true, _) => self.royal(square),
            (false, true) => self.foot(square),
            (false, false) => self.officer(square),
        };
        Pair { early: early.round() as i32, late: late.round() as i32 }
    }

    /// Out of the middle and at home while there is danger, in the middle when there is none.
    fn royal(&self, square: Square) -> (f64, f64) {
        let (aside, middle) = (self.aside(square), self.middle(square));
        let out = f64::from(self.rules.grid().rank(square).min(4));
        (26.0 * aside - 16.0 * out, 50.0 * middle)
    }

    /// On the way to promotion, the late the better; in the middle while there is a middle to fight for.
    fn foot(&self, square: Square) -> (f64, f64) {
        let way = self.way(square);
        let inner = if self.returns { 0.0 } else { 14.0 * (self.middle(square) - 0.4) * (1.0 + way) };
        let early = self.gain * (0.01 * way + 0.05 * way * way);
        (early + inner, self.gain * (0.02 * way + 0.09 * way * way) + inner / 3.0)
    }

    /// Where it has many moves, and not at the edge.
    fn officer(&self, square: Square) -> (f64, f64) {
        let n_moves = n_moves(self.rules, self.kind, square);
        let free = if n_moves > 0.0 { 40.0 * (n_moves - self.mean) / self.most } else { -20.0 };
        let inner = 14.0 * (self.middle(square) - 0.4);
        let towards = 0.02 * self.gain * self.way(square);
        let weight = if self.returns { 0.4 } else { 1.0 };
        ((free + inner) * weight + towards, (0.6 * free + inner) * weight + towards)
    }

    /// 0 on the middle file, 1 on the outermost.
    fn aside(&self, square: Square) -> f64 {
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

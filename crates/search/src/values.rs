//! What each kind of piece is worth.
//!
//! In: rules, numbers, or a text file of values. Out: whole numbers by kind, in hand and by square. Never: positions.
//!
//! Royal pieces have no value here: losing one is an end of the game, judged as such. Where they stand may have one.

use ashta_position::moves_on_empty_board;
use ashta_rules::{KindId, Rules, Square, Targets};

/// Values of all kinds, as whole numbers: sums of them are exact and ties are ties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    on_board: Vec<i32>,
    in_hand: Vec<i32>,
    /// By kind and square of the first side, what that square adds; empty if it adds nothing anywhere.
    on_square: Vec<i32>,
    /// Of ten squares attacked.
    mobility: i32,
}

/// Values as numbers, before they are made whole.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ValueNumbers {
    /// By kind.
    pub on_board: Vec<f64>,
    /// By kind.
    pub in_hand: Vec<f64>,
    /// By kind and square of the first side; empty if squares do not matter.
    pub on_square: Vec<f64>,
    /// Of ten squares that pieces attack.
    pub mobility: f64,
}

/// What counts as a move when a piece's moves on an empty board are summed (Takeshita and others, 2001; Rm1 of 001).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MobilityCount {
    /// Moves that need nothing to capture: Rm1 as it is written.
    Moves,
    /// And squares that could only be captured on, as a pawn's.
    MovesAndCaptures,
    /// Moves, where a piece that promotes counts as the best it may become on the squares of its zone.
    Promoted,
}

/// The finest part of one that is kept.
const FINEST: f64 = 1e6;
/// A piece is worth at most so many parts: any board full of them is still worth less than a won game.
const MOST_PARTS: f64 = 5e6;

impl Values {
    /// Values by kind, in the order of the rules, the same in hand as on the board.
    pub fn new(by_kind: Vec<i32>) -> Values {
        Values { in_hand: by_kind.clone(), on_board: by_kind, on_square: Vec::new(), mobility: 0 }
    }

    /// Numbers made whole, to a millionth of one, or as finely as the largest of them allows.
    pub fn of_numbers(numbers: &ValueNumbers) -> Values {
        let all = numbers.on_board.iter().chain(&numbers.in_hand).chain(&numbers.on_square);
        let all = all.chain(std::iter::once(&numbers.mobility));
        let largest = all.fold(0.0, |largest: f64, number| largest.max(number.abs()));
        let mut parts = FINEST;
        while largest * parts > MOST_PARTS {
            parts /= 10.0;
        }
        let whole = |numbers: &[f64]| numbers.iter().map(|number| (number * parts).round() as i32).collect();
        Values {
            on_board: whole(&numbers.on_board),
            in_hand: whole(&numbers.in_hand),
            on_square: whole(&numbers.on_square),
            mobility: (numbers.mobility * parts).round() as i32,
        }
    }

    /// Rm1 (Takeshita and others, 2001; 001): over every square of an empty board, the number of moves a piece has there.
    ///
    /// ```
    /// use ashta_search::{MobilityCount, Values};
    ///
    /// let rules = ashta_rules::load("chess").unwrap();
    /// let values = Values::by_mobility(&rules, MobilityCount::Promoted);
    /// let value = |letter: &str| {
    ///     let id = rules.kind_ids().find(|id| rules.kind(*id).letter == letter).unwrap();
    ///     values.of(id)
    /// };
    /// assert!(value("Q") > value("R") && value("R") > value("N"));
    /// ```
    pub fn by_mobility(rules: &Rules, count: MobilityCount) -> Values {
        Values::new(rules.kind_ids().map(|kind| mobility_sum(rules, kind, count)).collect())
    }

    /// The values that the game's file gives; nothing if some piece has none.
    pub fn given(rules: &Rules) -> Option<Values> {
        let value = |kind: KindId| match rules.kind(kind).royal {
            true => Some(0.0),
            false => rules.kind(kind).value,
        };
        let on_board: Vec<f64> = rules.kind_ids().map(value).collect::<Option<_>>()?;
        let in_hand = on_board.clone();
        Some(Values::of_numbers(&ValueNumbers { on_board, in_hand, ..ValueNumbers::default() }))
    }

    /// The value of a kind on the board.
    #[inline(always)]
    pub fn of(&self, kind: KindId) -> i32 {
        self.on_board[kind.index()]
    }

    /// The value of a kind in hand.
    #[inline(always)]
    pub fn in_hand(&self, kind: KindId) -> i32 {
        self.in_hand[kind.index()]
    }

    /// What a square, seen from the first side, adds to a kind; 0 everywhere if squares do not matter.
    pub fn on_square(&self, kind: KindId, square: Square, n_squares: usize) -> i32 {
        self.on_square.get(kind.index() * n_squares + usize::from(square.0)).copied().unwrap_or(0)
    }

    /// The value of ten squares that pieces attack.
    #[inline(always)]
    pub fn mobility(&self) -> i32 {
        self.mobility
    }

    /// Whether a piece is worth the same everywhere, in hand too, whatever it attacks.
    pub fn are_plain(&self) -> bool {
        self.on_square.is_empty() && self.in_hand == self.on_board && self.mobility == 0
    }
}

fn mobility_sum(rules: &Rules, kind: KindId, count: MobilityCount) -> i32 {
    if rules.kind(kind).royal {
        return 0;
    }
    rules.grid().squares().map(|square| mobility_on(rules, kind, square, count) as i32).sum()
}

fn mobility_on(rules: &Rules, kind: KindId, square: Square, count: MobilityCount) -> u32 {
    let (moves, captures) = moves_on_empty_board(rules, kind, square);
    match count {
        MobilityCount::Moves => moves,
        MobilityCount::MovesAndCaptures => moves + captures,
        MobilityCount::Promoted => {
            let better = promotions(rules, kind, square).into_iter();
            better.map(|kind| moves_on_empty_board(rules, kind, square).0).fold(moves, u32::max)
        }
    }
}

/// What a piece of the first side may have become on a square.
fn promotions(rules: &Rules, kind: KindId, square: Square) -> Vec<KindId> {
    let Some(promotion) = &rules.kind(kind).promotion else { return Vec::new() };
    if !promotion.zone[0].has(square) {
        return Vec::new();
    }
    match &promotion.to {
        Targets::Kinds(kinds) => kinds.clone(),
        Targets::ByFile(kinds) => {
            kinds.get(rules.grid().file(square) as usize).copied().flatten().into_iter().collect()
        }
    }
}

//! What each kind of piece is worth.
//!
//! In: rules, or a text file of values. Out: whole numbers by kind. Never: positions.
//!
//! Royal pieces have no value here: losing one is an end of the game, judged as such.

use ashta_position::moves_on_empty_board;
use ashta_rules::{KindId, Rules, Square, Targets, nearest};

/// Values of all kinds, as whole numbers: sums of them are exact and ties are ties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    by_kind: Vec<i32>,
}

/// What counts as a move when a piece's moves on an empty board are summed (paper 001, Rm1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MobilityCount {
    /// Moves that need nothing to capture: Rm1 as it is written.
    Moves,
    /// And squares that could only be captured on, as a pawn's.
    MovesAndCaptures,
    /// Moves, where a piece that promotes counts as the best it may become on the squares of its zone.
    Promoted,
}

/// Why a text is not a table of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValuesError {
    /// A line is not `name = number`.
    Line {
        /// Which, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A name is not a kind of the game.
    Kind {
        /// Which line, from 1.
        line: usize,
        /// The name.
        name: String,
        /// A name of the game that is like it.
        nearest: Option<String>,
    },
    /// A kind that can be captured has no value.
    Missing {
        /// Its name.
        name: String,
    },
}

impl std::error::Error for ValuesError {}

impl std::fmt::Display for ValuesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ValuesError::Line { line, text } => write!(f, "line {line}: `{text}` is not `piece = number`"),
            ValuesError::Kind { line, name, nearest: None } => {
                write!(f, "line {line}: no piece is called `{name}`")
            }
            ValuesError::Kind { line, name, nearest: Some(nearest) } => {
                write!(f, "line {line}: no piece is called `{name}`; did you mean `{nearest}`?")
            }
            ValuesError::Missing { name } => write!(f, "there is no value for the {name}"),
        }
    }
}

/// Values with decimals are kept to this part of one.
const PARTS: f64 = 1000.0;

impl Values {
    /// Values by kind, in the order of the rules.
    pub fn new(by_kind: Vec<i32>) -> Values {
        Values { by_kind }
    }

    /// Rm1 of paper 001: over every square of an empty board, the number of moves a piece has there.
    pub fn by_mobility(rules: &Rules, count: MobilityCount) -> Values {
        Values { by_kind: rules.kind_ids().map(|kind| mobility_sum(rules, kind, count)).collect() }
    }

    /// The values that the game's file gives; nothing if some piece has none.
    pub fn given(rules: &Rules) -> Option<Values> {
        let value = |kind: KindId| match rules.kind(kind).royal {
            true => Some(0),
            false => rules.kind(kind).value.map(|value| (value * PARTS).round() as i32),
        };
        rules.kind_ids().map(value).collect::<Option<Vec<i32>>>().map(Values::new)
    }

    /// From a text of lines `piece = number`; `#` begins a comment.
    pub fn read(text: &str, rules: &Rules) -> Result<Values, ValuesError> {
        let mut by_kind = vec![None; rules.kinds().len()];
        for (n, whole) in text.lines().enumerate() {
            let content = whole.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let wrong = || ValuesError::Line { line: n + 1, text: content.chars().take(60).collect() };
            let (name, number) = content.split_once('=').ok_or_else(wrong)?;
            let (name, number) = (name.trim().trim_matches('"'), number.trim());
            let value: f64 = number.parse().map_err(|_| wrong())?;
            if !value.is_finite() || value.abs() > 1e5 {
                return Err(wrong());
            }
            let kind = rules.kinds().iter().position(|kind| kind.name == name).ok_or_else(|| {
                let names = rules.kinds().iter().map(|kind| kind.name.as_str());
                let nearest = nearest(name, names).map(str::to_string);
                ValuesError::Kind { line: n + 1, name: name.to_string(), nearest }
            })?;
            by_kind[kind] = Some((value * PARTS).round() as i32);
        }
        for (kind, value) in rules.kinds().iter().zip(&mut by_kind) {
            match (kind.royal, &value) {
                (true, _) => *value = Some(0),
                (false, None) => return Err(ValuesError::Missing { name: kind.name.clone() }),
                (false, Some(_)) => {}
            }
        }
        Ok(Values { by_kind: by_kind.into_iter().flatten().collect() })
    }

    /// The value of a kind.
    #[inline(always)]
    pub fn of(&self, kind: KindId) -> i32 {
        self.by_kind[kind.index()]
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

//! What an evaluation counts, and which weight each count has: the side between learning and searching.
//!
//! In: rules, a choice of features, a position. Out: counts (own minus the other's, seen from the first side), values for
//! a search from weights. Never: how weights are found.

use ashta_position::{Position, Word};
use ashta_rules::{Hand, KindId, Rules, Side, Square};

use crate::material::attacked;
use crate::values::{ValueNumbers, Values};

const TEN: f64 = 10.0;

/// Which features, beyond a weight for each kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FeatureChoice {
    /// What a piece in hand is worth.
    pub hand: HandWeights,
    /// Whether it matters where a piece stands.
    pub squares: SquareWeights,
    /// Whether it matters how many squares pieces attack.
    pub mobility: MobilityWeight,
}

/// What a piece in hand is worth.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HandWeights {
    /// What it is on the board (Sasaki, about 2004; 004).
    #[default]
    Shared,
    /// A weight of its own.
    Apart,
}

/// Whether it matters where a piece stands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SquareWeights {
    /// It does not.
    #[default]
    None,
    /// Every kind has a weight for every square, the same on the left and on the right.
    Mirrored,
}

/// Whether it matters how many squares pieces attack.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MobilityWeight {
    /// It does not.
    #[default]
    None,
    /// One weight for all.
    Shared,
}

/// The features of a game.
#[derive(Clone, Debug)]
pub struct Features {
    names: Vec<String>,
    n_squares: usize,
    /// By kind: its weight on the board.
    on_board: Vec<Option<usize>>,
    /// By kind: its weight in hand.
    in_hand: Vec<Option<usize>>,
    /// By kind and square of the first side.
    on_square: Vec<usize>,
    /// Of ten squares attacked.
    mobility: Option<usize>,
    /// By side: each square as the first side would call it.
    seen: Vec<Vec<Square>>,
}

impl Features {
    /// Features of a game of two sides.
    pub fn new(rules: &Rules, choice: FeatureChoice) -> Features {
        let n_squares = rules.grid().n_squares();
        let seen = rules.sides().iter().map(|side| {
            let turned = |square| rules.grid().turned(square, (4 - side.quarters % 4) % 4);
            rules.grid().places().map(turned).collect()
        });
        let mut features = Features {
            names: Vec::new(),
            n_squares,
            on_board: Vec::new(),
            in_hand: Vec::new(),
            on_square: Vec::new(),
            mobility: None,
            seen: seen.collect(),
        };
        for kind in rules.kinds() {
            let weight = (!kind.royal).then(|| features.add(kind.name.clone()));
            features.on_board.push(weight);
        }
        features.in_hand = features.on_board.clone();
        if choice.hand == HandWeights::Apart && rules.hand() != Hand::None {
            let demoted: Vec<KindId> = rules.kinds().iter().map(|kind| kind.demoted).collect();
            for kind in rules.kind_ids().filter(|kind| !rules.kind(*kind).royal && demoted.contains(kind)) {
                features.in_hand[kind.index()] =
                    Some(features.add(format!("hand {}", rules.kind(kind).name)));
            }
        }
        if choice.mobility == MobilityWeight::Shared {
            features.mobility = Some(features.add("mobility".to_string()));
        }
        if choice.squares == SquareWeights::Mirrored {
            rules.kind_ids().for_each(|kind| features.add_squares(rules, kind));
        }
        features
    }

    fn add(&mut self, name: String) -> usize {
        self.names.push(name);
        self.names.len() - 1
    }

    fn add_squares(&mut self, rules: &Rules, kind: KindId) {
        let grid = rules.grid();
        for square in grid.places() {
            let file = grid.file(square);
            let mirrored = grid.at((grid.files() - 1 - file).into(), grid.rank(square).into());
            // Squares run file by file, so the left one of a pair was met before.
            let weight = match mirrored.filter(|other| *other < square) {
                // Nothing ever stands there: any weight will do.
                _ if grid.holes().has(square) => self.n_worths(),
                Some(other) => self.on_square[kind.index() * self.n_squares + usize::from(other.0)],
                None => self.add(format!("{} {}", rules.kind(kind).name, grid.name(square))),
            };
            self.on_square.push(weight);
        }
    }

    /// The name of each weight, in order; those of kinds on the board come first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Weights of squares come after these.
    pub fn n_worths(&self) -> usize {
        self.on_square.first().copied().unwrap_or(self.names.len())
    }

    /// The weights before anything is learned: every piece is worth 1, squares add nothing.
    pub fn start(&self) -> Vec<f64> {
        let is_piece = |at: usize| at < self.n_worths() && Some(at) != self.mobility;
        (0..self.names.len()).map(|at| if is_piece(at) { 1.0 } else { 0.0 }).collect()
    }

    /// The first side's pieces minus the second's, by weight.
    pub fn count<W: Word>(&self, position: &Position<W>, counts: &mut [f64]) {
        counts.fill(0.0);
        let sign = |side: Side| if side == Side::FIRST { 1.0 } else { -1.0 };
        let rules = position.rules();
        for square in rules.grid().squares() {
            let Some((side, kind)) = position.piece(square) else { continue };
            if let Some(at) = self.on_board[kind.index()] {
                counts[at] += sign(side);
            }
            if !self.on_square.is_empty() {
                let seen = usize::from(self.seen[side.index()][usize::from(square.0)].0);
                counts[self.on_square[kind.index() * self.n_squares + seen]] += sign(side);
            }
        }
        if let Some(at) = self.mobility {
            // In tens: a count as large as those of pieces is learned as steadily.
            counts[at] = f64::from(attacked(position, Side(0)) - attacked(position, Side(1))) / TEN;
        }
        if rules.hand() != Hand::None {
            for side in [Side(0), Side(1)] {
                for (kind, at) in rules.kind_ids().zip(&self.in_hand) {
                    if let Some(at) = at {
                        counts[*at] += sign(side) * f64::from(position.in_hand(side, kind));
                    }
                }
            }
        }
    }

    /// The weights as numbers by kind and square.
    pub fn numbers(&self, weights: &[f64]) -> ValueNumbers {
        let of = |at: &Option<usize>| at.map_or(0.0, |at| weights[at]);
        ValueNumbers {
            on_board: self.on_board.iter().map(of).collect(),
            in_hand: self.in_hand.iter().map(of).collect(),
            on_square: self.on_square.iter().map(|at| weights[*at]).collect(),
            mobility: of(&self.mobility),
        }
    }

    /// The weights as values for a search.
    pub fn values(&self, weights: &[f64]) -> Values {
        Values::of_numbers(&self.numbers(weights))
    }
}

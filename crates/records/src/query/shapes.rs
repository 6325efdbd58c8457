//! Shapes: alternatives of a plan that are one pattern on different squares.
//!
//! In: the alternatives of a plan. Out: patterns, each with all squares at which it may begin. Never: a posting.
//!
//! A pattern anywhere on the board is planned as one alternative for each shift. Here these become one shape again: the
//! same cells at the same distances from an *anchor*, with a set of anchors. A bitboard test then answers for all anchors
//! at once. Distances are differences of square numbers: an anchor stands for exactly the squares of its alternative, so
//! no shape wraps around an edge.

use std::collections::HashMap;

use super::plan::Plan;

/// The most sets of pieces that shapes can tell apart: a bit of a byte for each.
pub const MAX_SETS: usize = 8;
/// The largest board: a bit of a word for each square. On a shogi board, in two words and with drops, a replay was slower than
/// posting lists.
const MAX_SQUARES: usize = 64;

/// A cell of a shape: one of a set of pieces stands so many squares after the anchor, or none of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub distance: u8,
    pub set: u8,
    pub is_negated: bool,
}

/// The same cells from each of several anchors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub cells: Vec<Cell>,
    pub anchors: Vec<u8>,
}

/// Alternatives as shapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shapes {
    /// Sets of piece types (a side's kind).
    pub sets: Vec<Vec<u32>>,
    pub shapes: Vec<Shape>,
}

impl Shapes {
    /// The shapes of alternatives, for so many types of pieces and squares; `None` if a condition is not one on a square, or
    /// if there are too many squares or sets of pieces.
    pub fn of(alternatives: &[&Plan], (n_types, n_squares): (usize, usize)) -> Option<Shapes> {
        if n_squares > MAX_SQUARES {
            return None;
        }
        let mut found = Shapes { sets: Vec::new(), shapes: Vec::new() };
        let mut numbers: HashMap<Vec<Cell>, usize> = HashMap::new();
        for alternative in alternatives {
            let parts = parts_of(alternative);
            let mut cells = Vec::with_capacity(parts.len());
            for part in parts {
                let (square, pieces, is_negated) = cell_of(part, (n_types, n_squares))?;
                cells.push((square, found.set(pieces)?, is_negated));
            }
            cells.sort_unstable();
            let anchor = cells.first()?.0;
            let cells: Vec<Cell> = cells
                .into_iter()
                .map(|(square, set, is_negated)| Cell { distance: (square - anchor) as u8, set, is_negated })
                .collect();
            let number = *numbers.entry(cells).or_insert_with_key(|cells| {
                found.shapes.push(Shape { cells: cells.clone(), anchors: Vec::new() });
                found.shapes.len() - 1
            });
            found.shapes[number].anchors.push(u8::try_from(anchor).ok()?);
        }
        Some(found)
    }

    pub fn n_alternatives(&self) -> usize {
        self.shapes.iter().map(|shape| shape.anchors.len()).sum()
    }

    pub fn n_cells(&self) -> usize {
        self.shapes.iter().map(|shape| shape.cells.len()).sum()
    }

    fn set(&mut self, pieces: Vec<u32>) -> Option<u8> {
        let number = self.sets.iter().position(|set| *set == pieces).unwrap_or(self.sets.len());
        if number == self.sets.len() {
            self.sets.push(pieces);
        }
        (number < MAX_SETS).then_some(number as u8)
    }
}

/// Whether a plan is a conjunction of conditions on squares.
pub fn is_pattern(plan: &Plan, n_piece_types: (usize, usize)) -> bool {
    parts_of(plan).iter().all(|part| cell_of(part, n_piece_types).is_some())
}

pub fn parts_of(plan: &Plan) -> &[Plan] {
    match plan {
        Plan::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// The square of a condition, its pieces, and whether none of them stands there.
fn cell_of(plan: &Plan, (n_types, n_squares): (usize, usize)) -> Option<(u32, Vec<u32>, bool)> {
    let (states, is_negated) = match plan {
        Plan::Not(part) => (states_of(part)?, true),
        part => (states_of(part)?, false),
    };
    let n_squares = n_squares as u32;
    let square = states.first()? % n_squares;
    let is_here = |state: &u32| *state < n_types as u32 * n_squares && state % n_squares == square;
    let pieces = states.iter().map(|state| state / n_squares).collect();
    states.iter().all(is_here).then_some((square, pieces, is_negated))
}

fn states_of(plan: &Plan) -> Option<&[u32]> {
    match plan {
        Plan::State(state) => Some(std::slice::from_ref(state)),
        Plan::OneOf(states) => Some(states),
        _ => None,
    }
}

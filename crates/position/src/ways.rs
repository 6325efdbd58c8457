//! Every way of a kind from a square of an empty board, with what must be empty between.
//!
//! In: rules, a side, a kind, a square. Out: ways. Never: other pieces.

use ashta_rules::{KindId, Path, Rules, Side, Square, Target};

use crate::tables::PartView;

/// A way from one square to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Way {
    /// Its target.
    pub to: Square,
    /// Squares on the way, which must be empty; of a hop, exactly one must not be.
    pub between: Vec<Square>,
    /// Whether it hops over a piece.
    pub hops: bool,
    /// Whether it may end on an empty square.
    pub moves: bool,
    /// Whether it may capture.
    pub captures: bool,
    /// Whether only a piece whose position remembers that it has not moved may go it.
    pub first_move: bool,
}

/// Every way of a kind of a side from a square.
pub fn ways(rules: &Rules, side: Side, kind: KindId, from: Square) -> Vec<Way> {
    let mut found = Vec::new();
    for part in &rules.kind(kind).moves {
        let view = PartView { rules, side, kind, part };
        let target = part.movement.target;
        found.extend(view.ways(from).into_iter().map(|(to, between)| Way {
            to,
            between,
            hops: matches!(part.movement.path, Path::Hop { .. }),
            moves: target != Target::Capture,
            captures: target != Target::Empty,
            first_move: view.is_remembered_first_move(),
        }));
    }
    found.sort_unstable();
    found
}

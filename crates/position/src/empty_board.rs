//! How many moves a piece has that stands alone on the board.
//!
//! In: rules, a kind, a square. Out: a number of squares. Never: other pieces, so nothing to hop over.

use std::collections::BTreeSet;

use ashta_rules::{KindId, Path, Rules, Side, Square, Target};

use crate::tables::PartView;

/// Squares that a piece of the first side reaches by moving, and those that it could only capture on.
pub fn moves_on_empty_board(rules: &Rules, kind: KindId, from: Square) -> (u32, u32) {
    let (mut moves, mut captures) = (BTreeSet::new(), BTreeSet::new());
    for part in &rules.kind(kind).moves {
        if matches!(part.movement.path, Path::Hop { .. }) {
            continue;
        }
        let view = PartView { rules, side: Side::FIRST, kind, part };
        if !view.starts().has(from) {
            continue;
        }
        let ends = view.ways(from).into_iter().map(|(to, _)| to);
        match part.movement.target {
            Target::Any | Target::Empty => moves.extend(ends),
            Target::Capture => captures.extend(ends),
        }
    }
    (moves.len() as u32, captures.difference(&moves).count() as u32)
}

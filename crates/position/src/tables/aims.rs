//! First-move rights that are lost when an enemy piece aims at the piece that has them.
//!
//! In: rules. Out: for each such right the squares from which an enemy kind would attack its piece on an empty board. Never:
//! what stands between.

use ashta_rules::{KindId, Rules, Side, Square, Target};

use super::Aim;
use super::geometry::{PartView, word_of};
use crate::word::Word;

/// The aims that end rights; `right` gives the bit of a first-move square.
pub fn aims<W: Word>(rules: &Rules) -> Vec<Aim<W>> {
    let first = rules.castlings().len();
    let squares = rules.first_move_squares().iter().enumerate();
    let with_kinds = squares.filter_map(|(n, square)| {
        let (side, kind) = rules.start().board[square.index()]?;
        let by: Vec<(KindId, W)> = rules
            .kind(kind)
            .first_move_lost_to
            .iter()
            .map(|by| (*by, aiming_squares(rules, side.other(), *by, *square)))
            .collect();
        (!by.is_empty()).then_some(Aim { right: 1 << (first + n), by })
    });
    with_kinds.collect()
}

/// From where a piece attacks a square of an empty board.
fn aiming_squares<W: Word>(rules: &Rules, side: Side, kind: KindId, target: Square) -> W {
    let attacks = |from: &Square| {
        rules.kind(kind).moves.iter().filter(|part| part.movement.target != Target::Empty).any(|part| {
            let view = PartView { rules, side, kind, part };
            view.ways(*from).iter().any(|(to, _)| *to == target)
        })
    };
    word_of(rules.grid().squares().filter(attacks))
}

//! Counting the moves of a tree: how a generator is held to an oracle.
//!
//! In: a position and a depth. Out: numbers of leaves. Never: results of games; a position without moves is a leaf.

use crate::moves::Move;
use crate::position::Position;
use crate::sink::MoveList;
use crate::word::Word;

/// How many sequences of `depth` legal moves there are. The last ply is counted, not played.
pub fn perft<W: Word>(position: &mut Position<W>, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    position.perft(depth, &mut lists)
}

/// The same, move by move of the first ply.
pub fn divide<W: Word>(position: &mut Position<W>, depth: u32) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    let mut counts = Vec::with_capacity(moves.len());
    for mv in moves {
        let undo = position.play_unchecked(mv);
        counts.push((mv, perft(position, depth.saturating_sub(1))));
        position.take_back(mv, undo);
    }
    counts
}

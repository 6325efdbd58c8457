//! Counting the moves of a tree: how a generator is held to an oracle.
//!
//! In: a position and a depth. Out: numbers of leaves. Never: results of games; a position without moves is a leaf.

use crate::moves::Move;
use crate::position::Position;
use crate::sink::MoveList;
use crate::state::State;
use crate::tables::RuleTables;
use crate::word::Word;

/// How many sequences of `depth` legal moves there are. The last ply is counted, not played.
pub fn perft<W: Word>(position: &mut Position<W>, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    position.perft(depth, &mut lists)
}

/// The generators of one processor, as functions and not as pointers: leaves are counted by a direct call.
pub(crate) trait PerftGenerators<W> {
    fn list(tables: &RuleTables<W>, state: &State<W>, moves: &mut MoveList);
    fn count(tables: &RuleTables<W>, state: &State<W>) -> u64;
    fn deeper(tables: &RuleTables<W>, state: &mut State<W>, depth: u32, lists: &mut [MoveList]) -> u64;
}

/// See `dispatch` for who calls it.
#[inline(always)]
pub(crate) fn perft_body<W: Word, G: PerftGenerators<W>>(
    tables: &RuleTables<W>,
    state: &mut State<W>,
    depth: u32,
    lists: &mut [MoveList],
) -> u64 {
    let (1.., Some((moves, deeper))) = (depth, lists.split_first_mut()) else { return 1 };
    if depth == 1 {
        return G::count(tables, state);
    }
    moves.clear();
    G::list(tables, state, moves);
    let mut total = 0;
    for mv in moves.iter() {
        let undo = state.make::<false>(tables, *mv);
        total += match depth {
            2 => G::count(tables, state),
            _ => G::deeper(tables, state, depth - 1, deeper),
        };
        state.take_back(tables, *mv, undo);
    }
    total
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

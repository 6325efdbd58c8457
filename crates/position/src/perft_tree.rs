//! The recursion of perft, compiled beside the generators that it calls (`dispatch`).
//!
//! In: a state, a depth, generators as functions. Out: the number of leaves. Never: keys, results, a pointer to a generator.

use crate::sink::MoveList;
use crate::state::State;
use crate::tables::RuleTables;
use crate::word::Word;

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

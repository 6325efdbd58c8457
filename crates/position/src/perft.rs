//! Counting the moves of a tree: how a generator is held to an oracle.
//!
//! In: a position and a depth. Out: numbers of leaves. Never: results of games; a position without moves is a leaf. Only goals,
//! extinction, counted checks, exploded royal pieces, passes in a row and facing royal pieces end a line, as in other programs.

use crate::line::Line;
use crate::moves::Move;
use crate::position::Position;
use crate::sink::MoveList;
use crate::word::Word;

/// How many sequences of `depth` legal moves there are. The last ply is counted, not played.
pub fn perft<W: Word>(position: &mut Position<W>, depth: u32) -> u64 {
    if needs_line(position) {
        return perft_with_ends(&mut Line::new(position.clone()), depth);
    }
    let mut lists = vec![MoveList::new(); depth as usize];
    position.perft(depth, &mut lists)
}

/// The same, move by move of the first ply.
pub fn divide<W: Word>(position: &mut Position<W>, depth: u32) -> Vec<(Move, u64)> {
    let ends = needs_line(position);
    let mut line = Line::new(position.clone());
    let moves = if line.has_ended_specially() { Vec::new() } else { position.legal_moves() };
    let mut counts = Vec::with_capacity(moves.len());
    for mv in moves {
        let undo = position.play_unchecked(mv);
        line.play_unchecked(mv);
        let deeper = depth.saturating_sub(1);
        counts.push((mv, if ends { perft_with_ends(&mut line, deeper) } else { perft(position, deeper) }));
        line.take_back();
        position.take_back(mv, undo);
    }
    counts
}

/// Whether moves have effects, or the game ends, beyond what the states of positions show.
fn needs_line<W: Word>(position: &Position<W>) -> bool {
    let tables = position.tables();
    tables.ends_specially || tables.ends_by_history || tables.has_effects
}

fn perft_with_ends<W: Word>(line: &mut Line<W>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if line.has_ended_specially() => 0,
        1 => line.position().count_legal_moves(),
        _ => {
            let deeper = |line: &mut Line<W>, mv: Move| {
                line.play_unchecked(mv);
                let n = perft_with_ends(line, depth - 1);
                line.take_back();
                n
            };
            line.position().legal_moves().into_iter().map(|mv| deeper(line, mv)).sum()
        }
    }
}

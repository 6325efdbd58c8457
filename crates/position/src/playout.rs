//! Uniformly random games, with the number of legal moves known at every ply.
//!
//! In: a line and a source of random numbers. Out: the outcome; every ply is shown to an observer. Never: seeds.

use crate::line::Line;
use crate::move_groups::MoveGroups;
use crate::moves::Move;
use crate::outcome::Outcome;
use crate::word::Word;

/// What generating the moves of a position has shown.
#[derive(Clone, Copy, Debug)]
pub struct PlyInfo {
    /// How many legal moves there are.
    pub n_moves: u32,
    /// Whether the side to move is in check, if that was found out.
    pub is_check: Option<bool>,
}

/// Plays random moves until the game ends or has lasted `max_plies`.
///
/// `below(n)` gives a number below n; `observe(line, seen, mv)` sees each position with what generating its moves has shown
/// and the move chosen.
pub fn play_randomly<W: Word>(
    line: &mut Line<W>,
    groups: &mut MoveGroups<W>,
    max_plies: u32,
    mut below: impl FnMut(u32) -> u32,
    mut observe: impl FnMut(&Line<W>, PlyInfo, Move),
) -> Option<Outcome> {
    for _ in 0..max_plies {
        groups.clear();
        line.position().generate(groups);
        let n_moves = groups.len();
        if let Some(outcome) = line.outcome_knowing(n_moves > 0) {
            return Some(outcome);
        }
        let mv = groups.pick(below(n_moves));
        observe(line, PlyInfo { n_moves, is_check: groups.is_check() }, mv);
        line.play_unchecked(mv);
    }
    line.outcome()
}

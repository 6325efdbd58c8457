//! Uniformly random games, with the number of legal moves known at every ply.
//!
//! In: a line and a source of random numbers. Out: the outcome; every ply is shown to an observer. Never: seeds.

use crate::line::Line;
use crate::moves::Move;
use crate::outcome::Outcome;
use crate::sink::Groups;
use crate::word::Word;

/// Plays random moves until the game ends or has lasted `max_plies`.
///
/// `below(n)` gives a number below n; `observe(line, n, mv)` sees each position with its number of legal
/// moves and the move chosen.
pub fn play_randomly<W: Word>(
    line: &mut Line<W>,
    groups: &mut Groups<W>,
    max_plies: u32,
    mut below: impl FnMut(u32) -> u32,
    mut observe: impl FnMut(&Line<W>, u32, Move),
) -> Option<Outcome> {
    for _ in 0..max_plies {
        groups.clear();
        line.position().generate(groups);
        let n_moves = groups.len();
        if let Some(outcome) = line.outcome_knowing(n_moves > 0) {
            return Some(outcome);
        }
        let mv = groups.pick(below(n_moves));
        observe(line, n_moves, mv);
        line.play_unchecked(mv);
    }
    line.outcome()
}

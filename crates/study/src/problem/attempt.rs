//! Judges a move tried in a problem.
//!
//! In: a position, a move, the length of the mate left. Out: right with the longest defence, or wrong with a
//! refutation. Never: the solution.

use ashta_search::SearchWord;
use std::sync::atomic::AtomicBool;

use ashta_position::{Game, Move, Position, with_line};

use super::mate::{MateSolver, Stopped};
use super::tsume::TsumeSolver;
use super::tsume_moves::Futile;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// It keeps the mate: the longest defence and the length left after it; none if the game is over.
    Right(Option<(Move, u16)>),
    /// It does not: a reply that refutes it, if there is any reply.
    Refuted(Option<Move>),
    /// Every move must check, and it does not.
    NoCheck,
}

/// Whether a legal move wins within `moves` moves, itself counted.
pub fn attempt_mate(game: &Game, mv: Move, moves: u16, stop: &AtomicBool) -> Result<Attempt, Stopped> {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let solver = &mut MateSolver::new(&position.tables().clone(), stop);
        if !solver.wins_by(&mut position, mv, moves.max(1))? {
            position.play_unchecked(mv);
            return Ok(Attempt::Refuted(solver.refutations(&mut position, moves.max(1) - 1)?.first().copied()));
        }
        position.play_unchecked(mv);
        Ok(Attempt::Right(longest_reply(solver, &mut position, moves.max(1) - 1)?))
    })
}

fn longest_reply<W: SearchWord>(
    solver: &mut MateSolver<'_, W>,
    position: &mut Position<W>,
    left: u16,
) -> Result<Option<(Move, u16)>, Stopped> {
    if left == 0 || solver.is_lost(position, 0)? {
        return Ok(None);
    }
    let mut best: Option<(Move, u16)> = None;
    for reply in solver.replies(position) {
        let undo = position.play_unchecked(reply);
        let length = solver.shortest(position, left);
        position.take_back(reply, undo);
        let length = length?.unwrap_or(0);
        if best.is_none_or(|(_, longest)| length > longest) {
            best = Some((reply, length));
        }
    }
    Ok(best)
}

/// Whether a legal move mates by checks within `plies` plies, itself counted.
pub fn attempt_tsume(
    game: &Game,
    mv: Move,
    plies: u16,
    futile: Futile,
    stop: &AtomicBool,
) -> Result<Attempt, Stopped> {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let solver = &mut TsumeSolver::new(&position.tables().clone(), futile, stop);
        if !solver.checking_moves(&mut position).contains(&mv) {
            return Ok(Attempt::NoCheck);
        }
        let plies = plies.max(1);
        if solver.keys(&mut position, plies)?.contains(&mv) {
            position.play_unchecked(mv);
            return Ok(Attempt::Right(solver.longest_defence(&mut position, plies - 1)?));
        }
        position.play_unchecked(mv);
        if let Some(reply) = solver.royal_captured(&position) {
            return Ok(Attempt::Refuted(Some(reply)));
        }
        for reply in solver.replies(&mut position) {
            let undo = position.play_unchecked(reply);
            let length = solver.shortest(&mut position, plies.saturating_sub(2));
            position.take_back(reply, undo);
            if length?.is_none() {
                return Ok(Attempt::Refuted(Some(reply)));
            }
        }
        Ok(Attempt::Refuted(None))
    })
}

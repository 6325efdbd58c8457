//! One problem of a file: solved, and compared with what the file says.
//!
//! In: rules, a problem as read, what to look for. Out: its keys and whether the file is right. Never: how long it took.

use std::sync::atomic::AtomicBool;

use ashta_position::notation::{MoveTextError, read_move, write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Move, PositionTextError};

use super::{Detail, Futile, ProblemText, Stopped, TsumeAnswer, open_problem, solve_mate, solve_tsume};

/// What to look for in the problems of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchPlan {
    /// Mate within so many moves, whatever the file says.
    pub mate: Option<u16>,
    /// Mates by checks, whatever the file says.
    pub by_checks: bool,
    /// The longest mate by checks to look for.
    pub plies: u16,
    /// Whether men dropped between to no avail count.
    pub futile: Futile,
}

/// What became of one problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedProblem {
    /// Whether it is a mate by checks.
    pub by_checks: bool,
    /// Moves of the side to move, or plies of a mate by checks; none if there is no mate.
    pub length: Option<u16>,
    /// Every first move that has it, as players write it and in coordinates.
    pub keys: Vec<(String, String)>,
    /// Whether that is what the file says; nothing if it says nothing.
    pub agrees: Option<bool>,
    /// Positions looked at.
    pub n_nodes: u64,
}

/// Why a problem of a file was not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// The position.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// Nobody says how long it may be.
    #[error("how long the mate may be is not said (`dm` in EPD)")]
    NoLength,
    /// A key that is no move.
    #[error("its key: {0}")]
    Key(MoveTextError),
    /// Somebody said stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Solves one, or says why it cannot be.
pub fn solve_problem(
    rules: &CompiledRules,
    problem: &ProblemText,
    plan: BatchPlan,
    stop: &AtomicBool,
) -> Result<SolvedProblem, BatchError> {
    let game = open_problem(rules, &problem.position)?;
    let by_checks =
        plan.by_checks || (plan.mate.is_none() && problem.moves.is_none() && problem.plies.is_some());
    let (length, keys, n_nodes) = if by_checks {
        by_consecutive_checks(&game, plan, stop)?
    } else {
        let moves = plan.mate.or(problem.moves).ok_or(BatchError::NoLength)?;
        let solution = solve_mate(&game, moves, Detail::Keys, stop)?;
        (solution.moves, solution.keys.iter().map(|key| key.mv).collect(), solution.n_nodes)
    };
    let said = if by_checks { problem.plies } else { problem.moves };
    let agrees = agreement(&game, problem, said, length, &keys)?;
    let texts = |mv: &Move| (write_san(&game, *mv), write_coordinates(&game, *mv));
    let keys = keys.iter().map(texts).collect();
    Ok(SolvedProblem { by_checks, length, keys, agrees, n_nodes })
}

fn by_consecutive_checks(
    game: &Game,
    plan: BatchPlan,
    stop: &AtomicBool,
) -> Result<(Option<u16>, Vec<Move>, u64), Stopped> {
    let (answer, n_nodes) = solve_tsume(game, plan.plies, plan.futile, stop)?;
    Ok(match answer {
        TsumeAnswer::Mate(mate) => (Some(mate.plies), mate.keys, n_nodes),
        TsumeAnswer::NotWithin(_) | TsumeAnswer::Never => (None, Vec::new(), n_nodes),
    })
}

fn agreement(
    game: &Game,
    problem: &ProblemText,
    said: Option<u16>,
    length: Option<u16>,
    keys: &[Move],
) -> Result<Option<bool>, BatchError> {
    if said.is_none() && problem.keys.is_empty() {
        return Ok(None);
    }
    let mut wanted = Vec::new();
    for text in &problem.keys {
        wanted.push(read_move(game, text).map_err(BatchError::Key)?);
    }
    let (mut wanted, mut keys) = (wanted, keys.to_vec());
    wanted.sort_unstable();
    keys.sort_unstable();
    let same_keys = problem.keys.is_empty() || wanted == keys;
    Ok(Some(same_keys && said.is_none_or(|said| Some(said) == length)))
}

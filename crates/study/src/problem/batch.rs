//! Solves one problem of a file and compares the result with the file's.
//!
//! In: rules, a parsed problem, options. Out: its keys and whether the file agrees. Never: timings.

use std::sync::atomic::AtomicBool;

use ashta_messages::Tell;
use ashta_position::notation::{MoveTextError, read_move, write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Move, PositionTextError};

use super::{Detail, Futile, ProblemText, Stopped, TsumeAnswer, open_problem, solve_mate, solve_tsume};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchPlan {
    /// Overrides the file.
    pub mate: Option<u16>,
    /// Overrides the file.
    pub by_checks: bool,
    /// The longest mate by checks to search for.
    pub plies: u16,
    /// Whether futile interpositions count.
    pub futile: Futile,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedProblem {
    pub by_checks: bool,
    /// Moves of the side to move, or plies of a mate by checks; `None` without a mate.
    pub length: Option<u16>,
    /// In SAN and in coordinates.
    pub keys: Vec<(String, String)>,
    /// Whether the file's solution agrees; `None` if it has none.
    pub agrees: Option<bool>,
    pub n_nodes: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum BatchError {
    #[code(transparent)]
    Position(#[from] PositionTextError),
    #[code("study.no-mate-length")]
    NoLength,
    #[code("study.problem-key")]
    Key(MoveTextError),
    #[code(transparent)]
    Stopped(#[from] Stopped),
}

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

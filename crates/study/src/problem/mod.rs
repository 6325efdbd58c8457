//! Problems: mate in n with every defence, and mates by consecutive checks (tsume).
//!
//! In: a position, a maximal length. Out: every key, the tree of defences, or a proof that there is no mate. Never:
//! time limits; the caller sets a stop flag.

mod attempt;
mod batch;
mod checks;
mod file;
mod mate;
mod mate_in_one;
mod move_queue;
mod proof_numbers;
mod proof_search;
mod royal_capture;
mod royal_guard;
mod solution;
mod solution_text;
#[cfg(test)]
mod tests;
mod transposition;
mod tsume;
mod tsume_moves;

use std::sync::atomic::AtomicBool;

use ashta_position::{CompiledRules, Game, PositionTextError, Word, with_line};
use ashta_rules::Setup;

use royal_capture::RoyalCapture;

pub use attempt::{Attempt, attempt_mate, attempt_tsume};
pub use batch::{BatchError, BatchPlan, SolvedProblem, solve_problem};
pub use file::{ProblemError, ProblemText, read_problems};
pub use mate::{MateSolver, Stopped};
pub use solution::{
    Attack, Defence, Detail, MateSolution, Threat, Try, solve_mate, solve_mate_with_progress,
};
pub use solution_text::{mate_lines, tsume_lines};
pub use tsume::{Tsume, TsumeAnswer, TsumeSolver};
pub use tsume_moves::Futile;

/// Opens the position of a problem; the attacker need not have a royal piece.
pub fn open_problem(rules: &CompiledRules, text: &str) -> Result<Game, PositionTextError> {
    let setup = Setup::read(text, rules.rules())?;
    Ok(Game::of_problem(rules, &setup)?)
}

/// Whether the side to move is mated in a game in which royal pieces are captured: its last one cannot be saved. The rules
/// of such games tell only the capture.
pub fn is_mated_before_capture(game: &Game) -> bool {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let has_royal = position.royals(position.turn()).any();
        let royal_capture = RoyalCapture::of(position.tables());
        has_royal && royal_capture.is_some_and(|mut royal_capture| royal_capture.is_mated(&mut position))
    })
}

/// Solves for the shortest mate by consecutive checks of at most `max` plies; also returns the number of nodes.
pub fn solve_tsume(
    game: &Game,
    max: u16,
    futile: Futile,
    stop: &AtomicBool,
) -> Result<(TsumeAnswer, u64), Stopped> {
    solve_tsume_with_progress(game, max, futile, &mut |_| (), stop)
}

/// The same; `progress` gets each length when its search begins.
pub fn solve_tsume_with_progress(
    game: &Game,
    max: u16,
    futile: Futile,
    progress: &mut dyn FnMut(u16),
    stop: &AtomicBool,
) -> Result<(TsumeAnswer, u64), Stopped> {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let mut solver = TsumeSolver::new(position.tables(), futile, stop);
        let answer = solver.solve_with_progress(&mut position, max, progress)?;
        Ok((answer, solver.n_nodes()))
    })
}

//! Problems: mate in n with every defence, and mates by consecutive checks.
//!
//! In: a position, how long the mate may be. Out: every key, the tree of defences, or the proof that there is none.
//! Never: how long to think; whoever asks may say stop.

mod attempt;
mod batch;
mod checks;
mod file;
mod mate;
mod memory;
mod numbers;
mod solution;
#[cfg(test)]
mod tests;
mod tsume;
mod words;

use std::sync::atomic::AtomicBool;

use ashta_position::{CompiledRules, Game, PositionTextError, with_line};
use ashta_rules::Setup;

pub use attempt::{Attempt, attempt_mate, attempt_tsume};
pub use batch::{BatchError, BatchPlan, SolvedProblem, solve_problem};
pub use file::{ProblemError, ProblemText, read_problems};
pub use mate::{MateSolver, Stopped};
pub use solution::{Attack, Defence, Detail, MateSolution, Threat, Try, solve_mate, solve_mate_watched};
pub use tsume::{Futile, Tsume, TsumeAnswer, TsumeSolver};
pub use words::{mate_lines, tsume_lines};

/// Opens the position of a problem: whoever is to mate need not have a royal piece.
pub fn open_problem(rules: &CompiledRules, text: &str) -> Result<Game, PositionTextError> {
    let setup = Setup::read(text, rules.rules())?;
    Ok(Game::of_problem(rules, &setup)?)
}

/// Solves for the shortest mate by consecutive checks of at most `most` plies; also says how many positions it took.
pub fn solve_tsume(
    game: &Game,
    most: u16,
    futile: Futile,
    stop: &AtomicBool,
) -> Result<(TsumeAnswer, u64), Stopped> {
    solve_tsume_watched(game, most, futile, &mut |_| (), stop)
}

/// The same; `watch` is told of each length when it begins to be looked for.
pub fn solve_tsume_watched(
    game: &Game,
    most: u16,
    futile: Futile,
    watch: &mut dyn FnMut(u16),
    stop: &AtomicBool,
) -> Result<(TsumeAnswer, u64), Stopped> {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let mut solver = TsumeSolver::new(position.tables(), futile, stop);
        let answer = solver.solve_watched(&mut position, most, watch)?;
        Ok((answer, solver.n_nodes))
    })
}

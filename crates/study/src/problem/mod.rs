//! Problems: mate in n with every defence, and mates by consecutive checks.
//!
//! In: a position, how long the mate may be. Out: every key, the tree of defences, or the proof that there is none.
//! Never: how long to think; whoever asks may say stop.

mod checks;
mod file;
mod mate;
mod memory;
mod numbers;
mod solution;
mod tsume;
mod words;

use std::sync::atomic::AtomicBool;

use ashta_position::{Game, with_line};

pub use file::{ProblemError, ProblemText, read_problems};
pub use mate::{MateSolver, Stopped};
pub use solution::{Attack, Defence, Detail, MateSolution, Threat, Try, solve_mate};
pub use tsume::{Futile, Tsume, TsumeAnswer, TsumeSolver};
pub use words::mate_lines;

/// Solves for the shortest mate by consecutive checks of at most `most` plies; also says how many positions it took.
pub fn solve_tsume(
    game: &Game,
    most: u16,
    futile: Futile,
    stop: &AtomicBool,
) -> Result<(TsumeAnswer, u64), Stopped> {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let mut solver = TsumeSolver::new(position.tables(), futile, stop);
        let answer = solver.solve(&mut position, most)?;
        Ok((answer, solver.n_nodes))
    })
}

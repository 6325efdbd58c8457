//! Finds every key of a mate problem, or proves that there is none.
//!
//! `cargo run --release -p ashta-study --example solve_mate -- chess 2 "kbK5/pp6/1P6/8/8/8/8/R7 w - -"`

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;
use std::sync::atomic::AtomicBool;

use ashta_position::CompiledRules;
use ashta_position::notation::write_san;
use ashta_study::problem::{Detail, open_problem, solve_mate};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, moves, position] = arguments.as_slice() else {
        return Err("usage: solve_mate GAME MOVES POSITION".into());
    };
    let rules = CompiledRules::new(ashta_rules::load(name).map_err(|problems| problems.to_string())?);
    let game = open_problem(&rules, position)?;
    // Another thread may set the flag to stop the search.
    let stop = AtomicBool::new(false);
    let solution = solve_mate(&game, moves.parse()?, Detail::Tree, &stop).map_err(|_| "stopped")?;
    match solution.moves {
        None => println!("no mate in {}", solution.asked),
        Some(n) => println!("mate in {n}, {} nodes", solution.n_nodes),
    }
    for key in &solution.keys {
        println!("{}  ({} defences)", write_san(&game, key.mv), key.defences.len());
    }
    Ok(())
}

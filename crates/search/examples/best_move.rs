//! Runs the engine on a position for half a second and prints every iteration.
//!
//! `cargo run --release -p ashta-search --example best_move -- chess "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"`

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game};
use ashta_search::engine::{Engine, EngineOptions, Limits, SearchControl, TimeLimit};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or("chess".into());
    let rules = CompiledRules::new(ashta_rules::load(&name).map_err(|problems| problems.to_string())?);
    let game = match arguments.next() {
        Some(fen) => Game::from_text(&rules, &fen)?,
        None => Game::start(&rules),
    };
    let mut engine = Engine::new(game.rules(), EngineOptions::default());
    let limits = Limits { time: Some(TimeLimit::fixed(Duration::from_millis(500))), ..Limits::default() };
    // The engine never asks the time itself: clock and stop flag come from the caller.
    let (started, stop) = (Instant::now(), AtomicBool::new(false));
    let control = SearchControl { elapsed: &|| started.elapsed(), stop: &stop };
    let found = engine.search_game(&game, &limits, control, |info| {
        println!("depth {:2}  {:?}  {} nodes", info.depth, info.score(), info.n_nodes);
    });
    match found.best() {
        Some(mv) => println!("best move: {}", write_coordinates(&game, mv)),
        None => println!("no legal move"),
    }
    Ok(())
}

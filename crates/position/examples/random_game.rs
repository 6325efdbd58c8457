//! Plays random legal moves and prints them in SAN, then the final position.
//!
//! `cargo run -p ashta-position --example random_game -- chess 7`

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;

use ashta_position::notation::write_san;
use ashta_position::{CompiledRules, Game};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("chess".into());
    let mut random: u64 = std::env::args().nth(2).map_or(Ok(1), |seed| seed.parse())?;
    let rules = ashta_rules::load(&name).map_err(|problems| problems.to_string())?;
    let mut game = Game::start(&CompiledRules::new(rules));
    while game.outcome().is_none() && game.moves().len() < 300 {
        let moves = game.legal_moves();
        // A linear congruential generator; its high bits are the random ones.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(random >> 33) as usize % moves.len()];
        print!("{} ", write_san(&game, mv));
        game.play(mv)?;
    }
    println!("\n{}", game.text());
    match game.outcome() {
        Some(outcome) => println!("{outcome:?}"),
        None => println!("not finished"),
    }
    Ok(())
}

//! Positions of random games with everything that another program can be asked about them, as tab-separated text.
//!
//! `cargo run --release -p ashta-position --example random_positions -- chess 1000 7` prints 1,000 positions of seed 7: the
//! position, the result (`-` while the game goes on, else `first: checkmate` and the like), the legal moves; and of the move that is played its coordinates, its SAN
//! and the position after it (`-` at the end of a game). `xtask/oracles.py` compares them with other programs.

#![expect(clippy::disallowed_methods, reason = "an example is a program of its own")]

use std::error::Error;
use std::io::{BufWriter, Write};

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Outcome};
use ashta_rules::load;

/// A linear congruential generator: the same positions on every machine.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Plies after which a game is begun anew: late positions are much alike.
const MAX_PLIES: usize = 300;

/// `first`, `second` or `draw`, and the reason.
fn result_text(outcome: Outcome) -> String {
    let winner = outcome.winner.map_or("draw", |side| ["first", "second"][side.index() % 2]);
    format!("{winner}: {}", outcome.reason)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n_positions, seed] = arguments.as_slice() else {
        return Err("usage: random_positions GAME POSITIONS SEED".into());
    };
    let rules = CompiledRules::new(load(name).map_err(|problems| problems.to_string())?);
    let (n_positions, mut random): (usize, Lcg) = (n_positions.parse()?, Lcg(seed.parse()?));
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut game = Game::start(&rules);
    for _ in 0..n_positions {
        let moves = game.legal_moves();
        let outcome = game.outcome();
        let result = outcome.map_or("-".to_string(), result_text);
        let texts: Vec<String> = moves.iter().map(|mv| write_coordinates(&game, *mv)).collect();
        write!(out, "{}\t{result}\t{}\t", game.text(), texts.join(" "))?;
        if moves.is_empty() || outcome.is_some() || game.moves().len() >= MAX_PLIES {
            writeln!(out, "-\t-\t-")?;
            game = Game::start(&rules);
            continue;
        }
        let n = random.below(moves.len());
        let san = write_san(&game, moves[n]);
        game.play_unchecked(moves[n]);
        writeln!(out, "{}\t{san}\t{}", texts[n], game.text())?;
    }
    Ok(())
}

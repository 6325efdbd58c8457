//! Plays games between two players and counts the results. Names of players: `ashta help analyze`.
//!
//! `cargo run --release -p ashta-play --example play_match -- shatranj P2 P0 20`

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;

use ashta_play::{GameRunner, Observer, Playable, PlayerPlan, Random};
use ashta_position::{CompiledRules, Game, with_line};
use ashta_search::StopFlag;

/// Sees every move before and after it is played; this one has no use for them.
struct Unobserved;
impl<G: Playable> Observer<G> for Unobserved {}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, first, second, n_games] = arguments.as_slice() else {
        return Err("usage: play_match GAME FIRST SECOND GAMES".into());
    };
    let rules = CompiledRules::new(ashta_rules::load(name).map_err(|problems| problems.to_string())?);
    let plans: [PlayerPlan; 2] = [first.parse()?, second.parse()?];
    let (mut wins, mut draws) = ([0, 0], 0);
    with_line!(Game::start(&rules).line(), line => {
        let [a, b] = plans.map(|plan| line.player(&plan, None, &StopFlag::default()));
        let mut players = [a?, b?];
        let mut runner = GameRunner::new(line.clone());
        for number in 0..n_games.parse()? {
            // One random stream per game: game 7 of a seed is the same whoever plays it, and when.
            let mut random = Random::of_game(1, 0, number);
            let outcome = runner.play(&mut players, 1000, &mut random, &mut Unobserved);
            let winner = outcome.and_then(|outcome| outcome.winner);
            *winner.map_or(&mut draws, |side| &mut wins[side.index()]) += 1;
        }
    });
    println!("{first} {} - {} {second}, {draws} drawn", wins[0], wins[1]);
    Ok(())
}

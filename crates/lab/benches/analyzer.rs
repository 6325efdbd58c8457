//! How fast games are played and measured: `cargo bench -p ashta-lab --bench analyzer`.
//!
//! The random player with every statistic against the kernel's bare random play (floor 0.6), two threads against one
//! (floor 1.9), and the thinking players against the naive searches that the tests use. Moves chosen are asserted equal.
//! Random contests with every statistic, in moves of pieces a second (floor two million), and games of P4.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

#[path = "../../search/tests/naive/mod.rs"]
mod naive;

use ashta_search::SearchWord;
use std::hint::black_box;
use std::iter;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::thread;
use std::time::Instant;

use ashta_lab::{CellPlan, Experiment, Kind, Plan, PlanError, Preset, Stop, digest_text, play_unit};
use ashta_play::{Player, PlayerPlan, Random};
use ashta_position::{CompiledRules, Game, Move, MoveGroups, Position, Tables, with_line};
use ashta_rules::{Rules, load};
use ashta_search::{Depth, Leaves, Material, MobilityCount, Values};

/// No player that mates by checks is measured here: without a use, its naive twin would be dead code.
const _: fn(&Position<u64>, Move, u8) -> bool = naive::mates_with;

/// Turns of each measurement; the best counts, as everything else on the machine only slows.
const TURNS: usize = 7;
/// Turns of two works side by side; the middle ratio counts.
const TURNS_SIDE_BY_SIDE: usize = 21;
/// Units in one of these: so many that a thread's start and its wait for the other's last unit do not show.
const UNITS_SIDE_BY_SIDE: u32 = 160;
/// Units of fifty games in one turn.
const UNITS: u32 = 40;
const MAX_PLIES: u32 = 1000;

fn main() {
    println!("{:<44} {:>12} {:>12} {:>8} {:>7}", "work", "ours /s", "against /s", "ratio", "floor");
    machine();
    for game in ["chess", "shogi"] {
        random_play(game);
    }
    contests();
    for game in ["chess", "shatranj", "minishogi"] {
        for player in ["P1", "P2", "P3", "P'1", "P'2", "P'3"] {
            thinking(game, player);
        }
    }
}

/// Moves of pieces a second that random contests must reach, every statistic taken.
const MOVES_WANTED: f64 = 2_000_000.0;

/// Contests with dice, every statistic taken; what was played is asserted.
fn contests() {
    let cancel = AtomicBool::new(false);
    let moves = |experiment: &Experiment, n_units: u32| -> (u64, u64) {
        let tallies = (0..n_units).filter_map(|unit| play_unit(experiment, 0, unit, &cancel));
        let rows: Vec<_> = tallies.flat_map(|tally| tally.contests).collect();
        (rows.iter().map(|row| u64::from(row.n_piece_moves)).sum(), rows.len() as u64)
    };
    let random = experiment("four-handed+paper-000", "P0");
    let (n_moves, n_games) = moves(&random, UNITS);
    assert_eq!(
        (n_games, moves(&random, UNITS).0),
        (u64::from(50 * UNITS), n_moves),
        "games are reproducible"
    );
    let measured = best(|| moves(&random, UNITS).0);
    line("four-handed: P0 measured, moves / two million", measured, MOVES_WANTED, "1.0");
    let strong = experiment("four-handed+paper-000", "P4(first)");
    let start = Instant::now();
    let (_, n_games) = moves(&strong, 20);
    let for_thousand = start.elapsed().as_secs_f64() / n_games as f64 * 1000.0;
    println!(
        "{:<44} {for_thousand:>10.0} s on one thread (most: 600)",
        "four-handed: 1,000 games of P4(first)"
    );
}

fn line(work: &str, ours: f64, against: f64, floor: &str) {
    println!("{work:<44} {ours:>12.0} {against:>12.0} {:>8.2} {floor:>7}", ours / against);
}

fn rules(game: &str) -> Rules {
    load(game).unwrap_or_else(|problems| panic!("{game}: {problems}"))
}

fn experiment(game: &str, player: &str) -> Experiment {
    let digest = digest_text(&rules(game));
    let players = vec![player.to_string(); rules(game).sides().len()];
    let cell = CellPlan { name: game.into(), game: game.into(), digest, players, values: None };
    let plan = Plan {
        kind: Kind::Analysis,
        command: String::new(),
        version: String::new(),
        preset: Preset::Plain,
        conventions: Preset::Plain.conventions(),
        seed: 1,
        max_plies: MAX_PLIES,
        stop: Stop::Games(50 * UNITS_SIDE_BY_SIDE),
        cells: vec![cell],
    };
    Experiment::new(plan, |game| Ok::<Rules, PlanError>(rules(game))).expect("the plan is sound")
}

/// Work done a second, the best of some turns.
fn best(mut work: impl FnMut() -> u64) -> f64 {
    (0..TURNS).map(|_| rate(&mut work)).fold(0.0, f64::max)
}

fn rate(work: &mut dyn FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let done = work();
    done as f64 / start.elapsed().as_secs_f64()
}

/// Prints the middle one of the ratios of turns side by side: the machine's moods strike both alike.
fn side_by_side(work: &str, ours: &mut dyn FnMut() -> u64, against: &mut dyn FnMut() -> u64, floor: &str) {
    let mut turns: Vec<(f64, f64)> = (0..TURNS_SIDE_BY_SIDE).map(|_| (rate(ours), rate(against))).collect();
    turns.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (ours, against) = turns[TURNS_SIDE_BY_SIDE / 2];
    line(work, ours, against, floor);
}

/// What the machine gives to two threads that share nothing: virtual processors may not be whole ones.
fn machine() {
    const STEPS: u64 = 100_000_000;
    let count = |seed: u64| {
        let step = |x: u64, _| (x ^ x << 13).rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        black_box((0..STEPS).fold(black_box(seed), step));
        STEPS
    };
    let two_threads = || {
        thread::scope(|scope| {
            let other = scope.spawn(|| count(1));
            count(2) + other.join().expect("it cannot panic")
        })
    };
    let name = "this machine: arithmetic, two threads / one";
    side_by_side(name, &mut { two_threads }, &mut || count(3), "");
}

fn random_play(game: &str) {
    let experiment = experiment(game, "P0");
    let cancel = AtomicBool::new(false);
    // Threads take the next unit when they are done with one, as a run's do.
    let plies_of_units = |next: &AtomicU32| -> u64 {
        let units =
            iter::from_fn(|| Some(next.fetch_add(1, Relaxed)).filter(|unit| *unit < UNITS_SIDE_BY_SIDE));
        let tallies = units.filter_map(|unit| play_unit(&experiment, 0, unit, &cancel));
        tallies.flat_map(|tally| tally.rows).map(|row| u64::from(row.n_plies)).sum()
    };
    let one_thread = || plies_of_units(&AtomicU32::new(0));
    let two_threads = || {
        let next = AtomicU32::new(0);
        thread::scope(|scope| {
            let other = scope.spawn(|| plies_of_units(&next));
            plies_of_units(&next) + other.join().expect("no game panics")
        })
    };
    assert_eq!(one_thread(), two_threads(), "the same games, whoever plays them");
    let bare = || match &experiment.cells[0].rules {
        CompiledRules::W64(tables) => bare_games(tables, 50 * UNITS_SIDE_BY_SIDE),
        CompiledRules::W128(tables) => bare_games(tables, 50 * UNITS_SIDE_BY_SIDE),
        CompiledRules::W256(tables) => bare_games(tables, 50 * UNITS_SIDE_BY_SIDE),
    };
    let name = format!("{game}: P0 measured, plies / bare random play");
    side_by_side(&name, &mut { one_thread }, &mut { bare }, "0.6");
    side_by_side(&format!("{game}: two threads / one"), &mut { two_threads }, &mut { one_thread }, "1.9");
}

/// The kernel's bare random play: moves generated, counted, one played.
fn bare_games<W: SearchWord>(tables: &Arc<Tables<W>>, n_games: u32) -> u64 {
    let start = Position::start(tables.clone());
    let (mut groups, mut plies, mut n_moves) = (MoveGroups::new(), 0, 0u64);
    for game in 0..n_games {
        let mut random = Random::of_game(1, 1, game.into());
        let mut position = start.clone();
        for _ in 0..MAX_PLIES {
            groups.clear();
            position.generate(&mut groups);
            let quiet_end = position.rules().ends().quiet.as_ref();
            if groups.is_empty() || quiet_end.is_some_and(|quiet| position.state().quiet() >= quiet.plies) {
                break;
            }
            n_moves += u64::from(groups.len());
            plies += 1;
            position.play_unchecked(groups.pick(random.below(groups.len())));
        }
    }
    black_box(n_moves);
    plies
}

/// Moves a second of a player on positions of random games, against its definition.
fn thinking(game: &str, player: &str) {
    let plan: PlayerPlan = player.parse().expect("the player is known");
    let compiled = CompiledRules::new(rules(game));
    let positions = positions(&compiled);
    let mut fast = Player::new(&plan, compiled.rules(), None).expect("it is for two sides");
    let material =
        Material::new(compiled.rules(), Values::by_mobility(compiled.rules(), MobilityCount::Moves));
    let ours = best(|| {
        // A new player each turn: what it remembers of the turn before would be no work.
        let mut fast = Player::new(&plan, compiled.rules(), None).expect("it is for two sides");
        for game in &positions {
            with_line!(game.line(), line => {
                let mut position = line.position().clone();
                black_box(fast.best_moves(&mut position, &line.position().legal_moves()).len());
            });
        }
        positions.len() as u64
    });
    let few = &positions[..positions.len().min(if player.ends_with('3') { 3 } else { 20 })];
    let start = Instant::now();
    for game in few {
        with_line!(game.line(), line => {
            let slow = match &plan {
                PlayerPlan::SemiRandom { depth, .. } => naive::semi_random_moves(line.position(), (*depth).into()),
                PlayerPlan::MaterialMinimax { depth, .. } => {
                    let depth = Depth { plies: *depth, captures: 0 };
                    naive::evaluating_moves(line.position(), &material, depth, Leaves::SeeEnds).1
                }
                _ => unreachable!("only these players have a naive twin here"),
            };
            let mut position = line.position().clone();
            assert_eq!(fast.best_moves(&mut position, &line.position().legal_moves()), slow, "{game:?} {player}");
        });
    }
    let naive = few.len() as f64 / start.elapsed().as_secs_f64();
    line(&format!("{game}: {player}, moves / naive search"), ours, naive, "");
}

/// Positions from random games, ten plies apart.
fn positions(rules: &CompiledRules) -> Vec<Game> {
    let mut found = Vec::new();
    for n in 0..12 {
        let (mut game, mut random) = (Game::start(rules), Random::of_game(1, 2, n));
        for ply in 0..60 {
            let moves = game.legal_moves();
            if game.outcome().is_some() {
                break;
            }
            if ply % 10 == 9 {
                found.push(game.clone());
            }
            game.play_unchecked(moves[random.below(moves.len() as u32) as usize]);
        }
    }
    found
}

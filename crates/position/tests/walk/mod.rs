//! Random play for tests: the same games on every machine and in every version.
//!
//! In: a game's name and a seed. Out: positions. Never: the generator of a library, whose numbers may change.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Contest, Game, Move};
use ashta_rules::{game_names, load};

/// SplitMix64 (Steele, Lea and Flood, 2014): a counter in steps of the golden ratio, then two rounds of mixing.
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is far too small for the remainder's bias to show.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Whether the long form of a test is asked for: `ASHTA_DEEP=1`.
pub fn is_deep() -> bool {
    std::env::var_os("ASHTA_DEEP").is_some_and(|value| value != "0")
}

/// The folder of game files.
pub fn games_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

pub fn compile(spec: &str) -> CompiledRules {
    CompiledRules::new(load(spec).unwrap_or_else(|problems| panic!("{spec}:\n{problems}")))
}

/// The games of the library that [`Game`] plays: all but contests, whose tests are `contest_*.rs`.
pub fn games_but_contests() -> Vec<&'static str> {
    game_names().into_iter().filter(|name| !is_contest(name)).collect()
}

/// Whether a game is of several sides or dice, so that [`Contest`] plays it.
pub fn is_contest(spec: &str) -> bool {
    load(spec).unwrap_or_else(|problems| panic!("{spec}:\n{problems}")).contest().is_some()
}

/// Every game of the library and every change of it, one at a time, but for contests.
pub fn every_game_and_change() -> Vec<String> {
    specs().into_iter().filter(|spec| !is_contest(spec)).collect()
}

/// Every contest of the library and its changes, one at a time.
pub fn every_contest_and_change() -> Vec<String> {
    specs().into_iter().filter(|spec| is_contest(spec)).collect()
}

/// Games and changes; a change can make a contest a game of moves.
fn specs() -> Vec<String> {
    let mut specs = Vec::new();
    for name in game_names() {
        specs.push(name.to_string());
        let rules = load(name).unwrap_or_else(|problems| panic!("{name}:\n{problems}"));
        specs.extend(rules.changes().iter().map(|change| format!("{name}+{}", change.name)));
    }
    specs
}

/// A contest at its start; those of the library have at most 64 squares.
pub fn start_contest(rules: &CompiledRules) -> Contest<u64> {
    let CompiledRules::W64(tables) = rules else { panic!("{}: a large board", rules.rules().id()) };
    Contest::start(tables.clone()).unwrap_or_else(|| panic!("{}: no contest", rules.rules().id()))
}

/// A contest as text, or its start.
pub fn read_contest(rules: &CompiledRules, text: &str) -> Contest<u64> {
    let start = start_contest(rules);
    if text == "start" {
        return start;
    }
    Contest::read(start.tables().clone(), text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays up to `plies` random moves from the start, results or no results: moves are legal after the end, too.
/// Stops where there is no move or a side has lost its last royal piece.
pub fn walk(rules: &CompiledRules, seed: u64, plies: usize) -> Game {
    let mut game = Game::start(rules);
    let mut random = SplitMix64(seed);
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play_unchecked(moves[random.below(moves.len())]);
        if Game::from_setup(rules, &game.setup()).is_err() {
            game.take_back();
            break;
        }
    }
    game
}

/// Positions of random games, each once, spread over the first `plies` plies.
pub fn positions(rules: &CompiledRules, seed: u64, count: usize, plies: usize) -> Vec<Game> {
    let mut random = SplitMix64(seed);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for _ in 0..4 * count {
        let seed = random.next();
        let game = walk(rules, seed, 1 + random.below(plies));
        if found.len() < count && seen.insert(game.key()) {
            found.push(game);
        }
    }
    found
}

/// The legal moves with their coordinates, sorted by them.
pub fn moves_by_text(game: &Game) -> Vec<(String, Move)> {
    let mut moves: Vec<(String, Move)> =
        game.legal_moves().into_iter().map(|mv| (write_coordinates(game, mv), mv)).collect();
    moves.sort_unstable();
    moves
}

/// What one sorted list has and another lacks, both ways, in words.
pub fn difference(names: [&str; 2], lists: [&[String]; 2]) -> String {
    let lacking = |from: &[String], other: &[String]| {
        let mut other = other.to_vec();
        let mut only = Vec::new();
        for text in from {
            match other.iter().position(|o| o == text) {
                Some(at) => _ = other.swap_remove(at),
                None => only.push(text.clone()),
            }
        }
        only.join(" ")
    };
    let only = [lacking(lists[0], lists[1]), lacking(lists[1], lists[0])];
    format!("only {}: {}\nonly {}: {}", names[0], only[0], names[1], only[1])
}

/// Does the same for every item, on as many threads as there are processors, and keeps the order of the answers.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut answers: Vec<(usize, R)> = std::thread::scope(|scope| {
        let run = || {
            let mut mine = Vec::new();
            while let Some((at, item)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
            {
                mine.push((at, work(item)));
            }
            mine
        };
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(run)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

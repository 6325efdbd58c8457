//! What seeds are made of: games of the library, compiled once; a temporary folder of each thread; records of short games.

use std::path::Path;
use std::sync::OnceLock;

use ashta_play::Random;
use ashta_position::{CompiledRules, Game};
use ashta_records::{GameRecord, GameResult};
use ashta_rules::{game_names, load};

/// The number of a game in the library.
pub fn game_number(name: &str) -> u8 {
    game_names().iter().position(|known| *known == name).unwrap_or(0) as u8
}

/// The game of the library that a byte chooses, compiled when it is first asked for.
pub fn library_game(byte: u8) -> &'static CompiledRules {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    static COMPILED: [OnceLock<CompiledRules>; 256] = [const { OnceLock::new() }; 256];
    let names = NAMES.get_or_init(game_names);
    let n = byte as usize % names.len();
    COMPILED[n].get_or_init(|| CompiledRules::new(load(names[n]).expect("the library has no problems")))
}

/// The same by its name.
pub fn compiled(name: &str) -> &'static CompiledRules {
    library_game(game_number(name))
}

/// Games of two sides, each with its number.
pub fn two_sided() -> impl Iterator<Item = (u8, &'static CompiledRules)> {
    let games = (0..game_names().len() as u8).map(|n| (n, library_game(n)));
    games.filter(|(_, rules)| rules.rules().contest().is_none() && rules.rules().sides().len() == 2)
}

/// A record of random moves.
pub fn record(rules: &CompiledRules, n_plies: usize, number: u64) -> GameRecord {
    let (mut game, mut random) = (Game::start(rules), Random::of_game(1, 0, number));
    let mut record = GameRecord::default();
    for _ in 0..n_plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len() as u32) as usize];
        game.play_unchecked(mv);
        record.moves.push(mv);
    }
    record.tags.set("Event", format!("Event {number}"));
    record.tags.set("Date", "1999.12.31");
    record.result = GameResult::Draw;
    record
}

/// An input: the number of a game, then anything.
pub fn with_game(number: u8, rest: impl AsRef<[u8]>) -> Vec<u8> {
    let mut bytes = vec![number];
    bytes.extend_from_slice(rest.as_ref());
    bytes
}

/// A folder that goes away, in memory where the system has such a place.
pub fn temporary_folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.or_else(|_| tempfile::tempdir()).expect("a temporary folder")
}

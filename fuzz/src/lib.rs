//! What the fuzz targets share.
//!
//! In: bytes from the fuzzer. Out: games of the library, and moves of them. Never: a law; each target states its own.

use std::sync::OnceLock;

use ashta_position::{CompiledRules, Game};
use ashta_rules::{game_names, load};

/// The game of the library that a byte chooses, compiled when it is first asked for.
pub fn library_game(byte: u8) -> &'static CompiledRules {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    static COMPILED: [OnceLock<CompiledRules>; 256] = [const { OnceLock::new() }; 256];
    let names = NAMES.get_or_init(game_names);
    let n = byte as usize % names.len();
    COMPILED[n].get_or_init(|| CompiledRules::new(load(names[n]).expect("the library has no problems")))
}

/// Plays one move for each byte, as long as there are moves, results or no results.
pub fn play_bytes(game: &mut Game, bytes: &[u8]) {
    for byte in bytes {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[*byte as usize % moves.len()]).expect("listed moves are legal");
    }
}

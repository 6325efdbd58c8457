//! Any text as a move, in every notation: an error, or a legal move.
//!
//! The bytes are: the game, how many plies lead to the position, a byte for each of them, the text.

#![no_main]

use ashta_fuzz::{library_game, play_bytes};
use ashta_position::Game;
use ashta_position::notation::{read_coordinates, read_csa, read_kif, read_san};
use libfuzzer_sys::fuzz_target;

const MAX_PLIES: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    let [first, plies, rest @ ..] = bytes else { return };
    let Some((choices, text)) = rest.split_at_checked(*plies as usize % MAX_PLIES) else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut game = Game::start(library_game(*first));
    play_bytes(&mut game, choices);
    let readings =
        [read_coordinates(&game, text), read_san(&game, text), read_csa(&game, text), read_kif(&game, text)];
    for reading in readings {
        match reading {
            Ok(mv) => assert!(game.is_legal(mv), "{text}: {mv:?} in {}", game.text()),
            Err(error) => assert!(!error.to_string().is_empty(), "an error has a reason"),
        }
    }
});

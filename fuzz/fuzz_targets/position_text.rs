//! Any text as a position of a game that the first byte chooses: an error, or a position that is read again as it is
//! written.

#![no_main]

use ashta_fuzz::library_game;
use ashta_position::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let rules = library_game(*first);
    let game = match Game::from_text(rules, text) {
        Ok(game) => game,
        Err(error) => {
            assert!(!error.to_string().is_empty(), "an error has a reason");
            return;
        }
    };
    let mut after = game.clone();
    for mv in game.legal_moves() {
        after.play_unchecked(mv);
        after.take_back();
    }
    assert_eq!(after.setup(), game.setup(), "taking back restores the position");
    _ = game.outcome();
    let again = Game::from_text(rules, &game.text()).expect("a written position can be read");
    assert_eq!(again.setup(), game.setup(), "{}", game.text());
    assert_eq!(again.key(), game.key(), "{}", game.text());
});

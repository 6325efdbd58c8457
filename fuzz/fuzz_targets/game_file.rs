//! Any bytes as a game file: problems, or rules that compile and can be played.

#![no_main]

use ashta_fuzz::play_bytes;
use ashta_position::{CompiledRules, Game};
use ashta_rules::load_text;
use libfuzzer_sys::fuzz_target;

/// Which of the legal moves are played: far apart, so that different pieces move.
const CHOICES: [u8; 8] = [0, 7, 19, 3, 101, 42, 201, 250];

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let rules = match load_text("fuzz.toml", text, &[]) {
        Ok(rules) => rules,
        Err(problems) => {
            assert!(!problems.to_string().is_empty(), "an error has a reason");
            return;
        }
    };
    let rules = CompiledRules::new(rules);
    let mut game = Game::start(&rules);
    play_bytes(&mut game, &CHOICES);
    _ = game.outcome();
    while game.take_back().is_some() {}
    assert_eq!(game.setup(), Game::start(&rules).setup(), "taking back restores the start");
});

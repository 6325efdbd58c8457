//! Bytes choose a game and its moves: every position is as good as a fresh one, and taking all back restores the start.

#![no_main]

use ashta_fuzz::{library_game, play_bytes};
use ashta_position::{Game, Line, Position, Word, with_line};
use libfuzzer_sys::fuzz_target;

const MAX_PLIES: usize = 400;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, choices)) = bytes.split_first() else { return };
    let rules = library_game(*first);
    let mut game = Game::start(rules);
    play_bytes(&mut game, &choices[..choices.len().min(MAX_PLIES)]);
    _ = game.outcome();
    // A game that ends by capture of the royal piece has no fresh twin after that.
    if let Ok(fresh) = Game::from_setup(rules, &game.setup()) {
        assert_eq!(fresh.key(), game.key(), "{}", game.text());
        assert_eq!(fresh.legal_moves(), game.legal_moves(), "{}", game.text());
    }
    with_line!(game.line_mut(), line => take_all_back(line));
});

fn take_all_back<W: Word>(line: &mut Line<W>) {
    while line.take_back().is_some() {}
    let start = Position::start(line.position().tables().clone());
    assert_eq!(line.position().setup(), start.setup(), "taking back restores the start");
    assert!(line.position().state() == start.state(), "taking back restores what a setup does not show");
}

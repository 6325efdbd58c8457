//! Game files and Betza's notation.

use ashta_position::{CompiledRules, Game};
use ashta_rules::{game_names, game_source, load_text, read_betza};

use super::{Reading, Target};
use crate::input::{play_bytes, refused};

/// Any bytes as a game file: problems, or rules that compile and can be played.
pub const GAME_FILE: Target = Target {
    name: "game-file",
    reads: "a game file (TOML)",
    run: game_file,
    seeds: game_files,
    words: &[
        "extends",
        "\"none\"",
        "royal = true",
        "[board]",
        "files = 16",
        "ranks = 16",
        "files = 1",
        "start",
        "[pieces.x]",
        "letter",
        "moves",
        "promotes",
        "drop",
        "[castling]",
        "[ends]",
        "[contest]",
        "[dice]",
        "[throne]",
        "[changes.x]",
        "plies",
        "\"checkmate\"",
        "\"capture\"",
        "zone",
        "\"ranks 1-2\"",
        "mfWcfF",
        "NN",
        "hand = \"captures\"",
    ],
    max_bytes: 12 << 10,
    share: 150,
};

/// Any text as Betza's notation: an error, or movements.
pub const BETZA: Target = Target {
    name: "betza",
    reads: "a movement in Betza's notation",
    run: betza,
    seeds: betza_texts,
    words: &[
        "f", "b", "l", "r", "s", "v", "m", "c", "n", "p", "i", "W", "F", "N", "R", "B", "Q", "K", "AND", "z",
        "4", "99",
    ],
    max_bytes: 256,
    share: 300,
};

/// Which of the legal moves are played: far apart, so that different pieces move.
const CHOICES: [u8; 8] = [0, 7, 19, 3, 101, 42, 201, 250];

/// Compiling takes far longer than reading: of the accepted files, one in so many is compiled and played.
const COMPILED_ONE_IN: u64 = 8;

fn game_file(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    let rules = match load_text("fuzz.toml", text, &[]) {
        Ok(rules) => rules,
        Err(problems) => return refused(problems),
    };
    if xxhash_rust::xxh3::xxh3_64(bytes).is_multiple_of(COMPILED_ONE_IN) && rules.contest().is_none() {
        let rules = CompiledRules::new(rules);
        let mut game = Game::start(&rules);
        play_bytes(&mut game, &CHOICES);
        _ = game.outcome();
        while game.take_back().is_some() {}
        assert_eq!(game.setup(), Game::start(&rules).setup(), "taking back restores the start");
    }
    Reading::Accepted
}

fn game_files() -> Vec<Vec<u8>> {
    game_names().into_iter().filter_map(game_source).map(|source| source.text.as_bytes().to_vec()).collect()
}

fn betza(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    match read_betza(text) {
        Ok(movements) => {
            assert!(!movements.is_empty() || text.trim().is_empty(), "{text}");
            Reading::Accepted
        }
        Err(error) => {
            assert!(error.offset <= text.len(), "{error:?}");
            refused(error.what.to_string())
        }
    }
}

fn betza_texts() -> Vec<Vec<u8>> {
    let texts = [
        "K",
        "mfWcfF",
        "mfWimfnDcfF",
        "BN",
        "R4",
        "NN",
        "FfW",
        "nAnD",
        "pR",
        "cpRmR",
        "vWF",
        "zB",
        "B0",
        "fsWbF",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

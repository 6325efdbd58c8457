//! Game files and Betza's notation.

use ashta_position::{CompiledRules, Game};
use ashta_rules::{
    Dialect, GameFile, game_names, game_source, load_text, load_variant, read_betza, read_variant,
    read_xboard_betza, variant_names, write_betza, write_variant,
};

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

/// Any text as a variants.ini: problems, or rules. What is written of them reads back.
pub const VARIANTS: Target = Target {
    name: "variants-ini",
    reads: "a variants.ini of Fairy-Stockfish",
    run: variants,
    seeds: variant_files,
    words: &[
        "[x:chess]",
        "[y:shogi]",
        "\nmaxRank = ",
        "\nmaxFile = ",
        "12",
        "\nstartFen = ",
        "\ncustomPiece1 = a:",
        "fmN",
        "0",
        "\nking = k:",
        "\npawn = -",
        "\npromotedPieceType = ",
        "p:g",
        "\npromotionPieceTypes = ",
        "\nflagRegion = ",
        "*4 e*",
        "\nextinctionValue = ",
        "loss",
        "\npieceDrops = true",
        "\ncapturesToHand = true",
        "\nmobilityRegionWhiteKing = ",
        "\nchess960 = true",
        "\ncastlingRank = ",
        "\ndoubleStepRank = ",
        "\ncountingRule = ",
        "makruk",
        "-",
        "[]",
        "*",
    ],
    max_bytes: 4 << 10,
    share: 100,
};

/// Any text in XBoard's dialect: an error, or movements that both dialects write and read alike.
pub const XBOARD_BETZA: Target = Target {
    name: "xboard-betza",
    reads: "a movement in XBoard's dialect of Betza's notation",
    run: xboard_betza,
    seeds: betza_texts,
    words: &[
        "f", "b", "l", "r", "s", "v", "m", "c", "n", "p", "j", "i", "e", "a", "W", "F", "N", "R", "Q", "3",
        "z",
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

fn variants(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    let Some(name) = variant_names(text).pop() else { return Reading::Refused };
    let rules = match read_variant("fuzz.ini", text, Some(&name))
        .as_ref()
        .map_err(Clone::clone)
        .and_then(GameFile::rules)
    {
        Ok(rules) => rules,
        Err(problems) => return refused(problems),
    };
    if let Ok(written) = write_variant(&rules) {
        assert!(load_variant("written.ini", &written, None).is_ok(), "{written}");
    }
    Reading::Accepted
}

fn variant_files() -> Vec<Vec<u8>> {
    let games = game_names().into_iter().filter_map(|name| ashta_rules::load(name).ok());
    let written = games.filter_map(|rules| write_variant(&rules).ok());
    let own = "[small:minishogi]\nstartFen = rbsgk/4p/5/P4/KGSBR[-] w 0 1\nnFoldValue = draw\n".to_string();
    written.chain([own]).map(String::into_bytes).collect()
}

fn xboard_betza(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    let movements = match read_xboard_betza(text) {
        Ok(movements) => movements,
        Err(error) => {
            assert!(error.offset <= text.len(), "{error:?}");
            return refused(error.what.to_string());
        }
    };
    if let Ok(ours) = write_betza(&movements, Dialect::Ours) {
        assert!(ours.is_empty() || read_betza(&ours).is_ok(), "{text} written {ours}");
    }
    Reading::Accepted
}

//! Positions as Fairy-Stockfish prints them are read: hands in brackets, promoted pieces, checks, letters of files.

use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game};
use ashta_rules::{built_in_variant, built_in_variants, load};

use crate::fairy_stockfish::{Engine, find_program};
use crate::fairy_variants::fen;
use crate::walk;

/// A game of the library or a built-in variant, a position as it is printed, and how ours is written.
const PRINTED: &[(&str, &str, &str)] = &[
    (
        "crazyhouse",
        "r1bqk2r/ppp2ppp/2n2n2/3Q~4/8/8/PPP1PPPP/RNBQKB1R[Ppn] w KQkq - 0 6",
        "r1bqk2r/ppp2ppp/2n2n2/3Q~4/8/8/PPP1PPPP/RNBQKB1R[Pnp] w KQkq - 0 6",
    ),
    (
        "three-check",
        "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 2+3 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 2+3 1 2",
    ),
    (
        "three-check",
        "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2 +1+0",
        "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 2+3 1 2",
    ),
    (
        "chess960",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
    ),
    // With its option for Chess960, in every game with castling.
    (
        "chess",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b ha - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 2",
    ),
    (
        "capablanca",
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w JAja - 0 1",
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
    ),
    (
        "ouk",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3K4/RNS1MSNR w de - 0 1",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3K4/RNS1MSNR w @d8e8 - 0 1",
    ),
    (
        "sittuyin",
        "8/8/4pppp/pppp4/4PPPP/PPPP4/8/5K2[FRRSSNNkfrrssnn] b - - 0 1",
        "8/8/4pppp/pppp4/4PPPP/PPPP4/8/5K2[RRNNSSFkrrnnssf] b - - 0 1",
    ),
    // Boards with numbers: its White is the first side, as in our door.
    (
        "shogi",
        "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[b] b - - 0 2",
        "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[b] b - - 0 2",
    ),
    ("kyotoshogi", "p1ks+l/5/2+n2/5/+LSK+NP[] w - - 0 2", "p1ks+l/5/2+n2/5/+LSK+NP[] w - - 0 2"),
];

fn compile(name: &str) -> CompiledRules {
    let built_in = built_in_variants().contains(&name);
    // Lettered boards are those of the door.
    let is_numbered = ["shogi", "kyotoshogi"].contains(&name);
    CompiledRules::new(match built_in && is_numbered {
        true => built_in_variant(name).and_then(|game| game.rules()).unwrap_or_else(|p| panic!("{p}")),
        false => load(name).unwrap_or_else(|problems| panic!("{problems}")),
    })
}

#[test]
fn printed_positions_are_read() {
    for (name, printed, ours) in PRINTED {
        let rules = compile(name);
        let game =
            Game::from_text(&rules, printed).unwrap_or_else(|error| panic!("{name} {printed}: {error}"));
        assert_eq!(game.text(), *ours, "{name}");
    }
}

/// What it prints after it was given one of our positions reads back as a position with the same moves.
#[test]
fn positions_of_every_variant_go_there_and_back() {
    let Some(program) = find_program() else {
        eprintln!("NOT COMPARED: fairy-stockfish is not installed");
        return;
    };
    let known = Engine::start(&program).variants();
    let names: Vec<&str> =
        built_in_variants().into_iter().filter(|name| known.iter().any(|k| k == name)).collect();
    let wrong = walk::in_parallel(&names, |name| {
        let Ok(rules) = built_in_variant(name).and_then(|game| game.check()) else { return Vec::new() };
        let rules = CompiledRules::new(rules);
        let mut engine = Engine::start(&program);
        engine.choose(name);
        let mut wrong = Vec::new();
        for game in walk::positions(&rules, 11, 20, 80) {
            engine.say(&format!("position fen {}\nd", fen(&game)));
            let lines = engine.hear("Checkers");
            let printed = lines.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap_or_default();
            // A `-` leaves first moves to the pieces that stand where they start.
            let names_none = printed.split_whitespace().nth(2) == Some("-");
            if names_none && !rules.rules().first_move_squares().is_empty() {
                continue;
            }
            match Game::from_text(&rules, printed) {
                Ok(read) if moves(&read) == moves(&game) && read.setup().hands == game.setup().hands => {}
                Ok(read) => {
                    wrong.push(format!("{name}: {printed}\nread as {}\nnot {}", read.text(), game.text()))
                }
                Err(error) => wrong.push(format!("{name}: {printed}\n{error}")),
            }
        }
        wrong.truncate(2);
        wrong
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

fn moves(game: &Game) -> Vec<String> {
    let mut moves: Vec<String> =
        game.legal_moves().iter().map(|mv| write_coordinates(game, *mv).to_string()).collect();
    moves.sort();
    moves
}

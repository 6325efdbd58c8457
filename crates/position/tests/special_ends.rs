//! Ends that only some games have, each happening and just not happening, in games that differ from chess by one table.

use ashta_position::notation::read_coordinates;
use ashta_position::{CompiledRules, Game, perft, with_line};
use ashta_rules::load_text;

/// What a game adds to another, position, moves, the outcome in words or nothing.
struct Case {
    rules: &'static str,
    position: &'static str,
    moves: &'static str,
    expected: Option<&'static str>,
}

const fn case(
    rules: &'static str,
    position: &'static str,
    moves: &'static str,
    expected: Option<&'static str>,
) -> Case {
    Case { rules, position, moves, expected }
}

const HILL: &str = r#"ends.goal = { squares = "d4-e5" }"#;
const RACE: &str = r#"ends.goal = { region = "rank 8", reply = "equal-turns" }"#;
const SAME_RACE: &str = r#"ends.goal = { squares = "rank 8", reply = "equal-turns" }"#;
const SAFE: &str = r#"ends.goal = { region = "rank 8", safe = "unattacked" }
ends.royal = "capture""#;
const KNIGHT: &str = r#"ends.goal = { region = "rank 8", pieces = "knight", verdict = "draw" }"#;
const ALL_LOST: &str = r#"ends.extinction = { verdict = "win" }"#;
const PAWNS_LOST: &str = r#"ends.extinction = { of = "pawn", verdict = "loss" }"#;
const TWO_ROOKS: &str = r#"ends.extinction = { of = ["rook", "queen"], below = 2, verdict = "loss" }"#;
const THREE_CHECKS: &str = "ends.checks = 3";
const FIRST_CHECK: &str = "ends.checks = 1";
const PASSES: &str = r#"pass = "allowed"
ends.passes = 2"#;
const FACING: &str = r#"facing = "draw"
pass = "allowed""#;
const POINTS: &str = r#"pass = "allowed"
ends.passes = 2
ends.plies = 10
ends.points = { pieces = { rook = 5, knight = 3, pawn = 1 }, second-extra = 1.5, decides = ["passes", "plies"] }"#;

const CASES: &[Case] = &[
    // A goal for the royal piece, the same squares for both sides.
    case(HILL, "7k/8/8/8/8/4K3/8/8 w - - 0 1", "e3e4", Some("White wins: goal reached")),
    case(HILL, "7k/8/8/8/8/4K3/8/R7 w - - 0 1", "e3f4", None),
    case(HILL, "8/8/5k2/8/8/8/R7/K7 b - - 0 1", "f6e5", Some("Black wins: goal reached")),
    // A region is turned for the second side.
    case(RACE, "7k/8/8/8/8/8/4K3/R7 w - - 0 1", "e2e1", None),
    case(RACE, "8/8/8/8/8/8/k6K/2R5 b - - 0 1", "a2b3", None),
    case(RACE, "8/2R5/8/8/8/8/k6K/8 b - - 0 1", "a2a1", Some("Black wins: goal reached")),
    // The second side may answer; the first may not, as it has had its turn.
    case(SAME_RACE, "8/K6k/8/8/8/8/8/R6r w - - 0 1", "a7b8", None),
    case(SAME_RACE, "8/K6k/8/8/8/8/8/R6r w - - 0 1", "a7b8 h7g8", Some("draw: goal reached")),
    case(SAME_RACE, "8/K6k/8/8/8/8/8/R6r w - - 0 1", "a7b8 h7g7", Some("White wins: goal reached")),
    case(SAME_RACE, "8/K6k/8/8/8/8/8/R6r b - - 0 1", "h7g8", Some("Black wins: goal reached")),
    // A piece that can be captured has not arrived, unless it survives.
    case(SAFE, "8/K6k/8/8/8/8/8/R7 w - - 0 1", "a7b8", Some("White wins: goal reached")),
    case(SAFE, "8/K6k/8/8/8/8/8/Rr6 w - - 0 1", "a7b8", None),
    case(SAFE, "8/K6k/8/8/8/8/8/Rr6 w - - 0 1", "a7b8 h7h6", Some("White wins: goal reached")),
    case(SAFE, "8/K6k/8/8/8/8/8/Rr6 w - - 0 1", "a7b8 b1b8", Some("Black wins: royal piece captured")),
    // Other pieces, another verdict.
    case(KNIGHT, "k7/8/5N2/8/8/8/8/K6R w - - 0 1", "f6g8", Some("draw: goal reached")),
    case(KNIGHT, "k7/8/5N2/8/8/8/8/K6R w - - 0 1", "h1h8", None),
    // Too few pieces: of any kind, of one, of several together.
    case(PAWNS_LOST, "k7/8/8/8/8/8/p7/K6P w - - 0 1", "a1a2", Some("White wins: too few pieces left")),
    case(PAWNS_LOST, "k7/8/8/8/8/8/pp6/K6P w - - 0 1", "a1a2", None),
    case(TWO_ROOKS, "kqr5/8/8/8/8/8/8/KQR5 w - - 0 1", "b1b8", Some("White wins: too few pieces left")),
    case(TWO_ROOKS, "kqr1q3/8/8/8/8/8/8/KQR5 w - - 0 1", "c1c8", None),
    // Counted checks, and the checks that a position says are still to be given.
    case(FIRST_CHECK, "k7/8/8/8/8/8/8/K6R w - - 0 1", "h1h8", Some("White wins: enough checks given")),
    case(FIRST_CHECK, "k7/8/8/8/8/8/8/K6R w - - 0 1", "h1h7", None),
    case(
        THREE_CHECKS,
        "k7/8/8/8/8/8/8/K6R w - - 0 1",
        "h1h8 a8a7 h8h7 a7a8 h7h8",
        Some("White wins: enough checks given"),
    ),
    case(THREE_CHECKS, "k7/8/8/8/8/8/8/K6R w - - 0 1", "h1h8 a8a7 h8h7 a7a8", None),
    case(THREE_CHECKS, "k7/8/8/8/8/8/8/K6R w - - 1+3 0 1", "h1h8", Some("White wins: enough checks given")),
    case(THREE_CHECKS, "k7/8/8/8/8/8/8/K6R w - - 0 1 +2+0", "h1h8", Some("White wins: enough checks given")),
    case(THREE_CHECKS, "k7/8/8/8/8/8/8/K6R w - - 2+1 0 1", "h1h8", None),
    case(THREE_CHECKS, "k6r/8/8/8/8/8/8/K7 b - - 2+1 0 1", "h8h1", Some("Black wins: enough checks given")),
    // Passes in a row, and one that is not in a row.
    case(PASSES, "k7/8/8/8/8/8/8/K6R w - - 0 1", "0000 0000", Some("draw: passes in a row")),
    case(PASSES, "k7/8/8/8/8/8/8/K6R w - - 0 1", "0000 a8b8 0000", None),
    // Kings that are left facing each other, and kings that part.
    case(FACING, "3k4/8/8/8/8/8/8/4K2R w - - 0 1", "e1d1", None),
    case(
        FACING,
        "3k4/8/8/8/8/8/p7/4K2R w - - 0 1",
        "e1d1 0000",
        Some("draw: royal pieces left facing each other"),
    ),
    case(FACING, "3k4/8/8/8/8/8/8/4K2R w - - 0 1", "e1d1 d8c8", None),
    case(FACING, "3k4/8/8/r7/8/8/8/4K2R w - - 0 1", "e1d1 a5d5", None),
    // Points: 5 against 3 and a half, then against 5 and 1.5; equal points draw.
    case(POINTS, "k6n/8/8/8/8/8/8/K6R w - - 0 1", "0000 0000", Some("White wins: passes in a row")),
    case(POINTS, "k6r/8/8/8/8/8/8/K5NR w - - 0 1", "0000 0000", Some("White wins: passes in a row")),
    case(POINTS, "k6r/8/8/8/8/8/P7/K6R w - - 0 1", "0000 0000", Some("Black wins: passes in a row")),
    case(
        POINTS,
        "k5nn/8/8/8/8/8/8/K6R w - - 0 5",
        "a1a2 a8a7",
        Some("Black wins: maximum game length reached"),
    ),
];

const BARE_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

fn compile(more: &str) -> CompiledRules {
    let text = format!(
        "name = \"Test\"\nabout = \"Chess and more.\"\nextends = \"chess\"\nends.insufficient = \"none\"\n{more}\n"
    );
    CompiledRules::new(load_text("test.toml", &text, &[]).unwrap_or_else(|problems| panic!("{problems}")))
}

fn outcome(case: &Case) -> Option<String> {
    let compiled = compile(case.rules);
    let position = case.position;
    let mut game = Game::from_text(&compiled, position).unwrap_or_else(|error| panic!("{position}: {error}"));
    for text in case.moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "{position}: over before {text}");
        let mv = read_coordinates(&game, text).unwrap_or_else(|error| panic!("{position}: {error}"));
        game.play(mv).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    game.outcome().map(|outcome| outcome.words(game.rules()).to_string())
}

#[test]
fn special_ends_happen_when_they_should() {
    for case in CASES {
        let found = outcome(case);
        assert_eq!(found.as_deref(), case.expected, "{}: {} {}", case.rules, case.position, case.moves);
    }
}

/// A side without pieces has no moves either: losing all of them wins where the rules say so.
#[test]
fn losing_every_piece_wins_where_no_piece_is_royal() {
    let rules = format!(
        "{ALL_LOST}\npieces.king.royal = false\ncastling = \"none\"\nends.stalemate = \"win\"\n\
         board.start = \"{BARE_START}\""
    );
    let case = |position, moves, expected| Case { rules: "", position, moves, expected };
    let compiled = compile(&rules);
    for case in [
        case("8/8/8/8/8/8/8/Kk6 w - - 0 1", "a1b1", Some("Black wins: too few pieces left")),
        case("k7/8/8/8/8/8/8/Kk6 w - - 0 1", "a1b1", None),
    ] {
        let mut game = Game::from_text(&compiled, case.position).unwrap_or_else(|error| panic!("{error}"));
        for text in case.moves.split_whitespace() {
            let mv = read_coordinates(&game, text).unwrap_or_else(|error| panic!("{error}"));
            game.play(mv).unwrap_or_else(|error| panic!("{error}"));
        }
        assert_eq!(game.outcome().map(|o| o.words(game.rules()).to_string()).as_deref(), case.expected);
    }
}

/// The checks that are still to be given are part of the text and of the key; taking back restores both.
#[test]
fn counted_checks_are_written_read_and_taken_back() {
    let compiled = compile(THREE_CHECKS);
    let mut game =
        Game::from_text(&compiled, "k7/8/8/8/8/8/8/K6R w - - 0 1").unwrap_or_else(|e| panic!("{e}"));
    let (before, key) = (game.text(), game.key());
    assert_eq!(before, "k7/8/8/8/8/8/8/K6R w - - 3+3 0 1");
    let mv = read_coordinates(&game, "h1h8").unwrap_or_else(|error| panic!("{error}"));
    game.play(mv).unwrap_or_else(|error| panic!("{error}"));
    let after = game.text();
    assert_eq!(after, "k6R/8/8/8/8/8/8/K7 b - - 2+3 1 1");
    let fresh = Game::from_text(&compiled, &after).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(fresh.key(), game.key());
    let uncounted =
        Game::from_text(&compiled, &after.replace("2+3", "3+3")).unwrap_or_else(|e| panic!("{e}"));
    assert_ne!(uncounted.key(), game.key());
    game.take_back();
    assert_eq!((game.text(), game.key()), (before, key));
    for wrong in ["4+3", "3", "a+3", "3+3+3", "+4+0"] {
        let text = format!("k7/8/8/8/8/8/8/K6R w - - {wrong} 0 1");
        assert!(Game::from_text(&compiled, &text).is_err(), "{wrong}");
    }
}

/// Perft stops at these ends, as other programs do.
#[test]
fn perft_stops_where_the_game_has_ended() {
    let compiled = compile(HILL);
    let count = |position: &str, depth| {
        let game = Game::from_text(&compiled, position).unwrap_or_else(|error| panic!("{error}"));
        with_line!(game.line(), line => perft(&mut line.position().clone(), depth))
    };
    // Two of the eight king moves end the game; the other king answers each of the rest with three.
    let position = "7k/8/8/8/8/4K3/8/8 w - - 0 1";
    let (first, second) = (count(position, 1), count(position, 2));
    assert_eq!(first, 8);
    assert_eq!(second, (8 - 2) * 3);
}

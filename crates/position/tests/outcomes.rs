//! Every way a game can end, happening and just not happening.

use ashta_position::notation::read_coordinates;
use ashta_position::{CompiledRules, Game};
use ashta_rules::{Rules, load, load_text};

/// Game, position, moves, the outcome in words or nothing.
const OUTCOMES: &[(&str, &str, &str, Option<&str>)] = &[
    // Checkmate, and check that is none.
    ("chess", "startpos", "f2f3 e7e5 g2g4 d8h4", Some("Black wins: checkmate")),
    ("chess", "startpos", "f2f3 e7e5 d2d3 d8h4", None),
    // Stalemate: a draw, a loss, a win.
    ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", Some("draw: no legal move")),
    ("chess", "7k/4Q3/8/5K2/8/8/8/8 b - - 0 1", "", None),
    ("shatranj", "k7/2K5/1P6/8/8/8/8/8 b - - 0 1", "", Some("White wins: no legal move")),
    ("shatranj+stalemate-draws", "k7/2K5/1P6/8/8/8/8/8 b - - 0 1", "", Some("draw: no legal move")),
    ("chaturanga", "k7/2K5/1P6/8/8/8/8/8 b - - 0 1", "", Some("Black wins: no legal move")),
    // Bare king: a reply is allowed in shatranj and not in chaturanga.
    ("shatranj", "k7/8/8/8/8/8/8/K6R w - - 0 1", "", Some("White wins: bare king")),
    ("shatranj", "k7/8/8/8/8/8/8/K6R b - - 0 1", "", None),
    ("shatranj", "8/8/8/8/8/8/6k1/K6R b - - 0 1", "g2h1", Some("draw: bare kings on both sides")),
    ("shatranj", "8/8/8/8/8/8/6k1/K6R b - - 0 1", "g2g3", Some("White wins: bare king")),
    ("shatranj+bare-king-loses-at-once", "k7/8/8/8/8/8/8/K6R b - - 0 1", "", Some("White wins: bare king")),
    ("shatranj+bare-king-ignored", "k7/8/8/8/8/8/8/K6R w - - 0 1", "", None),
    // Repetition, and one occurrence too few.
    ("chess", "startpos", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", Some("draw: repetition")),
    ("chess", "startpos", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", None),
    // Another castling right is another position.
    ("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8", None),
    // Perpetual check loses; the same dance without check is a draw.
    (
        "shogi",
        "8k/9/7R1/9/9/9/9/9/K8 b - 1",
        "2c1c 1a2a 1c2c 2a1a 2c1c 1a2a 1c2c 2a1a 2c1c 1a2a 1c2c 2a1a",
        Some("White wins: perpetual check"),
    ),
    (
        "shogi",
        "8k/9/5R3/9/9/9/9/9/K8 b - 1",
        "4c5c 1a2a 5c4c 2a1a 4c5c 1a2a 5c4c 2a1a 4c5c 1a2a 5c4c 2a1a",
        Some("draw: repetition"),
    ),
    // Perpetual attack, after as many plies as the rule asks for.
    (
        "chu-shogi",
        "11k/12/12/7g4/12/12/12/6R5/12/12/12/K11 b - 1",
        "6h5h 5d6d 5h6h 6d5d 6h5h 5d6d 5h6h 6d5d 6h5h 5d6d 5h6h 6d5d",
        Some("White wins: perpetual attack"),
    ),
    (
        "chu-shogi+federation",
        "11k/12/12/7g4/12/12/12/6R5/12/12/12/K11 b - 1",
        "6h5h 5d6d 5h6h 6d5d 6h5h 5d6d 5h6h 6d5d 6h5h 5d6d 5h6h 6d5d",
        Some("draw: repetition"),
    ),
    // Bare kings: pawns and pieces that cannot move again do not count, a piece that can be taken at once does not win.
    ("chu-shogi", "11k/12/12/12/12/12/12/6R5/12/12/12/K11 w - 1", "", Some("Black wins: bare king")),
    ("chu-shogi", "11k/12/12/12/12/12/12/6R5/12/12/12/K10p w - 1", "", Some("Black wins: bare king")),
    ("chu-shogi", "11k/12/12/12/12/12/12/6P5/12/12/12/K11 w - 1", "", None),
    ("chu-shogi", "11k/10R1/12/12/12/12/12/12/12/12/12/K11 w - 1", "", None),
    ("chu-shogi", "11k/12/12/12/12/12/12/6RG4/12/12/12/K11 w - 1", "", Some("Black wins: bare king")),
    ("chu-shogi+federation", "11k/12/12/12/12/12/12/6RG4/12/12/12/K11 w - 1", "", None),
    ("chu-shogi", "11k/12/12/12/12/12/12/12/12/12/12/K11 w - 1", "", Some("draw: bare kings on both sides")),
    // The last royal piece counts.
    ("chu-shogi", "4k6+r/12/12/12/12/12/12/12/12/12/12/+E4G5K w - 1", "1a1l", None),
    (
        "chu-shogi",
        "4k6+r/12/12/12/12/12/12/12/12/12/12/5G5K w - 1",
        "1a1l",
        Some("White wins: royal piece captured"),
    ),
    // Progress.
    ("chess", "7k/8/8/8/8/8/R6P/K7 w - - 99 80", "a2b2", Some("draw: too many moves without progress")),
    ("chess", "7k/8/8/8/8/8/R6P/K7 w - - 99 80", "h2h3", None),
    ("chess+paper-001", "7k/8/8/8/8/8/R6P/K7 w - - 99 80", "a2b2", None),
    // The longest length.
    ("shogi+paper-004", "4k4/9/9/9/9/9/9/9/4K4 b - 1000", "5i5h", Some("draw: maximum game length reached")),
    ("shogi+paper-004", "4k4/9/9/9/9/9/9/9/4K4 b - 999", "5i5h", None),
    // Mate comes before any draw.
    ("chess", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", Some("White wins: checkmate")),
    // Material.
    ("chess", "7k/8/8/8/8/8/8/K1B5 w - - 0 1", "", Some("draw: insufficient material")),
    ("chess", "5b1k/8/8/8/8/8/8/K1B5 w - - 0 1", "", Some("draw: insufficient material")),
    ("chess", "4b2k/8/8/8/8/8/8/K1B5 w - - 0 1", "", None),
    ("chess", "7k/8/8/8/8/8/8/KNN5 w - - 0 1", "", None),
    ("chess", "7k/8/8/8/8/8/8/K7 w - - 0 1", "", Some("draw: insufficient material")),
    ("chess", "7k/8/8/8/8/8/8/KN6 w - - 0 1", "", Some("draw: insufficient material")),
    ("chess", "7k/8/8/8/8/8/8/KN3n2 w - - 0 1", "", None),
    // Any number of bishops on one colour, on either side.
    ("chess", "7k/8/8/8/4B3/8/8/KB6 w - - 0 1", "", Some("draw: insufficient material")),
    ("chess", "4b2k/8/8/8/4B3/8/6b1/KB6 w - - 0 1", "", Some("draw: insufficient material")),
    ("chess", "7k/8/8/8/8/8/5B2/KB6 w - - 0 1", "", None),
    ("chess", "4b2k/8/8/8/4B3/8/5b2/KB6 w - - 0 1", "", None),
    // Entering kings.
    (
        "shogi+impasse",
        "+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b 2R2B 1",
        "",
        Some("Black wins: impasse, won on points"),
    ),
    ("shogi+impasse", "+P+P+P+PK+P+P+P+P/+P8/9/+P8/9/9/9/9/4k4 b 2R2B 1", "", None),
    ("shogi+impasse", "+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b RB 1", "", None),
    ("shogi", "+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b 2R2B 1", "", None),
    // Xiangqi: no move loses.
    ("xiangqi", "3k5/9/3R5/9/9/9/9/9/9/4K4 b - - 0 1", "", Some("Red wins: checkmate")),
    // Two royal pieces: the check binds only when one is left.
    ("sho-shogi", "4k4/9/9/9/9/9/9/9/4K4 b - 1", "", None),
];

fn play(rules: Rules, position: &str, moves: &str) -> Option<String> {
    let compiled = CompiledRules::new(rules);
    let mut game = Game::from_text(&compiled, position).unwrap_or_else(|error| panic!("{position}: {error}"));
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "{position}: over before {text}");
        let mv = read_coordinates(&game, text).unwrap_or_else(|error| panic!("{position}: {error}"));
        game.play(mv).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    game.outcome().map(|outcome| outcome.words(game.rules()).to_string())
}

#[test]
fn games_end_when_and_as_they_should() {
    for (game, position, moves, expected) in OUTCOMES {
        let rules = load(game).unwrap_or_else(|problems| panic!("{game}:\n{problems}"));
        assert_eq!(play(rules, position, moves).as_deref(), *expected, "{game}: {position} {moves}");
    }
}

/// A game won by capturing the king: moves into check are legal, and taking the king ends it.
#[test]
fn the_royal_piece_is_captured() {
    let text = "name = \"Kingtaking\"\nabout = \"The king is taken.\"\nextends = \"chess\"\nends.royal = \"capture\"\n";
    let rules = || load_text("kingtaking.toml", text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let position = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1";
    assert_eq!(play(rules(), position, "e8e7"), None);
    let expected = Some("White wins: royal piece captured");
    assert_eq!(play(rules(), position, "e8e7 e2e7").as_deref(), expected);
}

/// Positions that nobody could play from are refused in words.
#[test]
fn impossible_positions_are_refused() {
    let refused = |game: &str, position: &str| {
        let compiled = CompiledRules::new(load(game).unwrap_or_else(|problems| panic!("{problems}")));
        Game::from_text(&compiled, position).expect_err(position).to_string()
    };
    assert_eq!(refused("chess", "8/8/8/8/8/8/8/K7 w - - 0 1"), "Black has no royal piece");
    let two_kings = "White has 2 royal pieces: a1, c1";
    assert_eq!(refused("chess", "k7/8/8/8/8/8/8/K1K5 w - - 0 1"), two_kings);
    let left = "Black has moved and left the king on a8 in check";
    assert_eq!(refused("chess", "k7/8/8/8/8/8/8/R3K3 w - - 0 1"), left);
    let narrow = "rank 8 has 7 squares, this board has 8 files (at character 8)";
    assert_eq!(refused("chess", "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"), narrow);
}

/// Where royal pieces are captured there is no mate, so no drop can give one, whichever of four sides drops it.
#[test]
fn drops_that_may_not_mate_in_a_game_without_mate() {
    let text = r#"
        name = "Four"
        about = "Four kings and a pawn in hand."
        hand = "captures"
        sides = { names = ["A", "B", "C", "D"], letters = ["a", "b", "c", "d"] }
        board = { files = 4, ranks = 4, start = "aK2bK/4/4/cK2dK[aPbPcPdP]" }
        pieces.pawn = { letter = "P", moves = "fW", drop = { mate = "forbidden", stuck = "allowed" } }
        pieces.king = { letter = "K", moves = "K", royal = true }
        ends.royal = "capture"
    "#;
    let rules = load_text("four.toml", text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let compiled = CompiledRules::new(rules);
    for turn in ["a", "b", "c", "d"] {
        let position = format!("aK2bK/4/4/cK2dK[aPbPcPdP] {turn}");
        let game =
            Game::from_text(&compiled, &position).unwrap_or_else(|error| panic!("{position}: {error}"));
        // Three king moves and a drop on each of twelve empty squares.
        assert_eq!(game.legal_moves().len(), 15, "{position}");
    }
}

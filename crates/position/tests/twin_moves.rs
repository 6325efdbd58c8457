//! The slow twin plays, names and limits moves as the rules say, where no other program's counts reach.

use crate::twin::Twin;
use ashta_rules::{Rules, Setup, load, load_text};

fn at<'r>(rules: &'r Rules, position: &str) -> Twin<'r> {
    let setup = Setup::read(position, rules).unwrap_or_else(|error| panic!("{position}: {error}"));
    Twin::new(rules, &setup)
}

fn play_line(twin: &mut Twin, line: &str) {
    for wanted in line.split_whitespace() {
        let moves = twin.legal_moves();
        let mv = moves
            .iter()
            .find(|mv| twin.text(mv) == wanted)
            .unwrap_or_else(|| panic!("{wanted} is not legal"));
        twin.play(mv);
    }
}

/// The legal moves whose text starts so, sorted.
fn moves_of(twin: &Twin, start: &str) -> String {
    let mut texts: Vec<String> = twin.legal_moves().iter().map(|mv| twin.text(mv)).collect();
    texts.retain(|text| text.starts_with(start));
    texts.sort_unstable();
    texts.join(" ")
}

#[test]
fn lines_lead_to_the_positions_they_should() {
    let check = |spec: &str, from: &str, line: &str, expected: &str| {
        let rules = load(spec).unwrap_or_else(|problems| panic!("{spec}:\n{problems}"));
        let mut twin = if from.is_empty() { Twin::new(&rules, rules.start()) } else { at(&rules, from) };
        play_line(&mut twin, line);
        assert_eq!(twin.setup().write(&rules), expected, "{spec}: {line}");
    };
    let passed = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    check("chess", "", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    check("chess", "", "e2e4 a7a6 e4e5 d7d5", passed);
    check("chess", passed, "e5d6", "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
    check("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 9", "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 9");
    check("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 9", "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 8 9");
    check("chess", "8/P6k/8/8/8/8/8/K7 w - - 4 1", "a7a8n", "N7/7k/8/8/8/8/8/K7 b - - 0 1");
    let drop = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6";
    check("shogi", "", "7g7f 3c3d 8h2b+ 3a2b B*5e", drop);
}

#[test]
fn drops_obey_their_limits() {
    let rules = load("shogi").expect("shogi is in the library");
    let mate = at(&rules, "7nk/9/8G/9/9/9/9/9/K8 b PL 1");
    assert_eq!(moves_of(&mate, "P*1"), "P*1d P*1e P*1f P*1g P*1h P*1i", "a dropped pawn does not mate");
    assert!(moves_of(&mate, "L*").contains("L*1b"), "a dropped lance does");
    assert!(!moves_of(&mate, "P*").contains("P*9a"), "a pawn on the last rank is stuck");
    let second = at(&rules, "4k4/9/9/9/9/9/4P4/9/4K4 b P 1");
    assert_eq!(moves_of(&second, "P*5"), "", "one pawn on a file");
    assert_eq!(moves_of(&at(&rules, "4k4/P8/9/9/9/9/9/9/4K4 b - 1"), "9b"), "9b9a+");
}

const MENAGERIE: &str = r#"
name = "Menagerie"
about = "Every path that no game of the library need have."
pass = "allowed"
[board]
files = 8
ranks = 8
start = "bbk5/ssssssss/8/8/8/8/SSSSSSSS/BBK5 w - - 0 1"
[regions]
court = "c1-e5"
[pieces.stone]
letter = "S"
moves = "mfWcfF"
promotes = { by-file = ["bent", "bent", "-", "stone", "stone", "stone", "stone", "stone"], supply = "lost" }
[pieces.bent]
letter = "B"
moves = "t[FR]"
[pieces.hopper]
letter = "H"
moves = { moves = "pR", not-over = "hopper", not-onto = "bent" }
[pieces.jumper]
letter = "J"
moves = "jD"
[pieces.courtier]
letter = "C"
moves = { moves = "RF", within = "court" }
[pieces.sleeper]
letter = "Z"
moves = "W"
promotes = { to = ["courtier", "jumper"], on = "stay", zone = "ranks 5-8", at-most = 1 }
[pieces.king]
letter = "K"
moves = "WimsD"
royal = true
[ends]
royal = "checkmate"
stalemate = "draw"
"#;

#[test]
fn unusual_movements() {
    let rules = load_text("menagerie.toml", MENAGERIE, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let check = |position: &str, start: &str, expected: &str| {
        assert_eq!(moves_of(&at(&rules, position), start), expected, "{position}");
    };
    // On e5 its own stone on e6 stops one leg; on c3 there is something to take and no second leg.
    let bent = "d4a5 d4b5 d4c3 d4c5 d4c6 d4c7 d4c8 d4e1 d4e2 d4e3 d4e5 d4f3 d4f5 d4g3 d4g5 d4h3 d4h5";
    check("7k/8/4S3/8/3B4/2s5/8/K7 w @ - 0 1", "d4", bent);
    // Over d6 to d8; not over the hopper on f4; over d2 to d1; not onto the bent on a4.
    check("3s3k/8/3S4/8/bs1H1hs1/8/3S4/K7 w @ - 0 1", "d4", "d4d1 d4d7 d4d8");
    check("7k/8/8/3S4/2sJs1s1/8/8/K7 w @ - 0 1", "d4", "d4b4 d4d6 d4f4");
    check("7k/8/8/8/3C4/8/8/K7 w @ - 0 1", "d4", "d4c3 d4c4 d4c5 d4d1 d4d2 d4d3 d4d5 d4e3 d4e4 d4e5");
    check("7k/8/8/1Z6/8/8/8/K7 w @ - 0 1", "b5b5", "b5b5c b5b5j");
    check("7k/8/8/1Z6/4C3/8/8/K7 w @ - 0 1", "b5b5", "b5b5j");
    check("7k/8/8/8/1Z6/8/8/K7 w @ - 0 1", "b4b4", "");
}

#[test]
fn rights_and_supplies() {
    let rules = load_text("menagerie.toml", MENAGERIE, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let check = |position: &str, start: &str, expected: &str| {
        assert_eq!(moves_of(&at(&rules, position), start), expected, "{position}");
    };
    // The king's leap is there while its square is written after `@`.
    check("7k/8/8/8/8/8/8/2K5 w @c1 - 0 1", "c1", "c1a1 c1b1 c1c2 c1d1 c1e1");
    check("7k/8/8/8/8/8/8/2K5 w @ - 0 1", "c1", "c1b1 c1c2 c1d1");
    // Both bents on the board: no promotion, so no entry; one lost: promotion; the king's file: never.
    check("7k/S1S5/8/8/8/8/8/1B3B1K w @ - 0 1", "a7", "");
    check("7k/S1S5/8/8/8/8/8/1B5K w @ - 0 1", "a7", "a7a8b");
    check("7k/S1S5/8/8/8/8/8/1B5K w @ - 0 1", "c7", "");
    // Files are counted as the side sees them: the second side's first file is h.
    let black = "7k/8/8/8/8/8/7s/K7 b @ - 0 1";
    check(black, "h2", "h2h1b");
    // A pass is a move, but not while in check.
    check(black, "0", "0000");
    check("7k/6J1/8/8/8/8/8/7K b @ - 0 1", "0", "0000");
    check("7k/7S/7J/8/8/8/8/7K b @ - 0 1", "0", "");
}

const FOUR: &str = r#"
name = "Four hands"
about = "Four sides around a board, two teams."
[board]
files = 8
ranks = 8
start = "gK6yK/8/8/8/8/8/8/rK6bK r - - 0 1"
[sides]
names = ["Red", "Green", "Yellow", "Black"]
letters = ["r", "g", "y", "b"]
teams = ["a", "b", "a", "b"]
[pieces.pawn]
letter = "P"
moves = "mfWcfF"
[pieces.king]
letter = "K"
moves = "K"
royal = true
[ends]
royal = "capture"
"#;

#[test]
fn four_sides_go_their_own_ways() {
    let rules = load_text("four.toml", FOUR, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let check = |position: &str, start: &str, expected: &str| {
        assert_eq!(moves_of(&at(&rules, position), start), expected, "{position}");
    };
    // Around the pawn on d4 stand an enemy to take on each diagonal that is its own, and its partner on another.
    let board = |pawn: &str, others: [&str; 4]| {
        let [upper_left, upper_right, lower_left, lower_right] = others;
        format!("8/8/8/2{upper_left}1{upper_right}3/3{pawn}4/2{lower_left}1{lower_right}3/8/rKgKyKbK4")
    };
    check(&format!("{} r - - 0 1", board("rP", ["gP", "yP", "gP", "bP"])), "d4", "d4c5 d4d5");
    check(&format!("{} g - - 0 1", board("gP", ["yP", "bP", "yP", "rP"])), "d4", "d4e3 d4e4");
    check(&format!("{} y - - 0 1", board("yP", ["gP", "bP", "gP", "rP"])), "d4", "d4c3 d4d3");
    check(&format!("{} b - - 0 1", board("bP", ["yP", "rP", "rP", "rP"])), "d4", "d4c3 d4c4 d4c5");
    // Kings may be left to be taken, and may be taken; a partner's may not.
    check("8/8/8/8/8/8/8/rKgKyKbK4 r - - 0 1", "a1b1", "a1b1");
    check("8/8/8/8/8/8/8/rKyKgKbK4 r - - 0 1", "a1b1", "");
}

//! Variants of Fairy-Stockfish as game files: what is translated, and what wrong files are told.

use ashta_rules::{
    Problem, Problems, built_in_variant, built_in_variants, load, load_variant, read_variant, variant_names,
    write_variant,
};

fn line(problem: &Problem) -> String {
    let (line, column) = problem.place.line_and_column();
    let hint = problem.hint.as_ref().map(|hint| format!(" | {hint}")).unwrap_or_default();
    format!("{line}:{column} {}{hint}", problem.what)
}

fn told(text: &str, section: Option<&str>) -> Vec<String> {
    let problems: Problems = load_variant("variants.ini", text, section).expect_err("it has problems");
    problems.0.iter().map(line).collect()
}

#[test]
fn built_in_variants_load_or_name_their_keys() {
    for name in built_in_variants() {
        let Ok(game) = built_in_variant(name) else { continue };
        game.check().unwrap_or_else(|problems| panic!("{name}:\n{problems}\n{}", game.text));
    }
}

#[test]
fn a_variant_becomes_a_game_file() {
    let ini = "# mine\n[palace:xiangqi]\nstalemateValue = draw\npieceToCharTable = -\nfers = a\n";
    let game =
        read_variant("variants.ini", ini, Some("palace")).unwrap_or_else(|problems| panic!("{problems}"));
    for part in [
        "facing = \"forbidden\"",
        "files = 9\nranks = 10",
        "fers-region = \"d1-f3\"",
        "[pieces.soldier]\nletter = \"P\"\nmoves = [\"fW\", { moves = \"sW\", from = \"beyond\" }]",
        "[pieces.fers]\nletter = \"A\"\nmoves = { moves = \"F\", within = \"fers-region\" }",
        "stalemate = \"draw\"",
        "repetition = { fold = 3, verdict = \"draw\", checker = \"loses\" }",
    ] {
        assert!(game.text.contains(part), "{part}\n{}", game.text);
    }
    let notes: Vec<String> = game.notes.iter().map(line).collect();
    assert_eq!(notes, ["4:1 `pieceToCharTable` is left out: it does not change the rules"]);
}

#[test]
fn keys_of_older_versions_are_read() {
    let old = "[mine]\nmaxRank = 6\nmaxFile = f\nshogiPawn = p\ngold = g\nking = k\nstartFen = 2gk2/pppppp/6/6/PPPPPP/2GK2[-] w 0 1\n\
               pieceDrops = true\ncapturesToHand = true\npromotionRank = 5\npromotedPieceType = p:g\n\
               shogiDoubledPawn = false\ndoubleStep = false\ncastling = false\nkingPass = true\n";
    let new = old
        .replace("promotionRank = 5", "promotionRegionWhite = *5 *6\npromotionRegionBlack = *1 *2")
        .replace("shogiDoubledPawn = false", "dropNoDoubled = p")
        .replace("kingPass", "pass");
    let text = |ini: &str| read_variant("variants.ini", ini, None).unwrap_or_else(|p| panic!("{p}")).text;
    assert_eq!(text(old), text(&new));
    assert!(text(old).contains("promotion-zone = \"ranks 5-6\""), "{}", text(old));
}

#[test]
fn wrong_files_are_told_with_their_lines() {
    for (ini, section, expected) in [
        ("", None, "1:1 this file has no section such as [my-variant:chess]"),
        ("[a:chess]\n[b:chess]\n", None, "1:1 this file has 2 variants | name one of them: a, b"),
        ("[abc:chess]\n[b:chess]\n", Some("abd"), "1:1 this file has no variant `abd` | did you mean `abc`?"),
        ("[a:chess]\n[a:chess]\n", Some("a"), "2:2 the section [a] stands here a second time"),
        (
            "[a:a]\n",
            None,
            "1:4 no variant named `a` stands before this one, and none is built in | a parent must stand before its child",
        ),
        (
            "[a:b]\n[b:a]\n",
            Some("a"),
            "1:4 no variant named `b` stands before this one, and none is built in | a parent must stand before its child",
        ),
        (
            "[a:ches]\n",
            None,
            "1:4 no variant named `ches` stands before this one, and none is built in | did you mean `chess`?",
        ),
        ("[a:chess]\nmaxRank = 17\n", None, "2:11 `maxRank` must be a whole number from 1 to 16, not `17`"),
        (
            "[a:chess]\nmaxFile = 4294967297\n",
            None,
            "2:11 `maxFile` must be a file, a to p, not `4294967297`",
        ),
        ("[a:chess]\ncastlign = false\n", None, "2:1 unknown key `castlign` | did you mean `castling`?"),
        ("[a:chess]\npass = yes\n", None, "2:8 `passBlack` must be true or false, not `yes`"),
        (
            "[a:chess]\n  wallingRule =  duck\n",
            None,
            "2:18 our rules have no counterpart of `wallingRule = duck`, and the game would be another without it",
        ),
        (
            "[a:chess]\ncustomPiece1 = a:NgQ\n",
            None,
            "2:19 `g` of XBoard's notation has no counterpart in our movements | CONTRIBUTING.md has a page on Betza notation",
        ),
        (
            "[a:chess]\npromotionPieceTypes = qx\n",
            None,
            "2:23 `x` in `promotionPieceTypesWhite` is no piece of this variant",
        ),
        ("[a:chess]\nmustCapture = yes\n", None, "2:15 `mustCapture` must be true or false, not `yes`"),
        (
            "[a:chess]\ncountingRule = thai\n",
            None,
            "2:16 `countingRule` must be makruk, cambodian, asean or none",
        ),
        // Kings next to each other would be in check here, and are not there.
        (
            "[a:chess]\nblastOnCapture = true\n",
            None,
            "2:18 our rules have no counterpart of `blastOnCapture = true`, and the game would be another without it",
        ),
        (
            "[a:chess]\nextinctionPseudoRoyal = true\nextinctionValue = loss\nextinctionPieceTypes = qr\n",
            None,
            "2:25 our rules have no counterpart of `extinctionPseudoRoyal = true`, and the game would be another without it",
        ),
        (
            "[a:chess]\npieceDrops = true\ncapturesToHand = true\npromotionPawnTypes = pn\n",
            None,
            "3:18 our rules have no counterpart of `capturesToHand = true`, and the game would be another without it",
        ),
        // Told by the game file's own checks, at the key of the ini.
        (
            "[a:chess]\nstartFen = 4k3/8/8/8/8/8/8/8 w - - 0 1\n",
            None,
            "2:12 White starts without a royal piece | mark one kind `royal = true` and put it on the board",
        ),
    ] {
        let told = told(ini, section);
        assert!(told.iter().any(|line| line == expected), "{ini}\n{}", told.join("\n"));
    }
}

#[test]
fn hostile_files_are_answered() {
    let mut chain = String::from("[v0:chess]\n");
    (1..100_000).for_each(|n| chain += &format!("[v{n}:v{}]\n", n - 1));
    assert!(load_variant("variants.ini", &chain, Some("v99999")).is_ok());
    let many_keys = format!("[a:chess]\n{}", "castling = true\n".repeat(100_000));
    assert!(load_variant("variants.ini", &many_keys, None).is_ok());
    let unknown: String = (0..10_000).map(|n| format!("key{n} = x\n")).collect();
    assert_eq!(told(&format!("[a:chess]\n{unknown}"), None).len(), 10_000);
    for ini in [
        "[a:chess]\nstartFen = 99999999999999999999999999/8 w\n".to_string(),
        format!("[a:chess]\nstartFen = {}\n", "p".repeat(100_000)),
        format!("[a:chess]\nstartFen = {}\n", "/".repeat(100_000)),
        format!("[a:chess]\nflagRegion = {}\n", "*99 ".repeat(10_000)),
        format!("[a:chess]\ncustomPiece1 = é:{}\n", "f".repeat(100_000)),
        format!("[{}]\n", "a".repeat(100_000)),
        "[]\n[:]\n[\n]\n[a:\n[a]]\n= =\n=\n".to_string(),
        "[a:chess]\npromotedPieceType = p p: :p p:p k:q\n".to_string(),
        "[a:chess]\r\nking = -\r\n".to_string(),
        "\u{feff}[a:chess]\nking = k:\n".to_string(),
    ] {
        for section in [None, Some("a"), Some("")] {
            _ = load_variant("variants.ini", &ini, section);
        }
    }
}

/// What single keys become.
#[test]
fn keys_become_rule_parts() {
    for (ini, parts) in [
        ("[a:chess]\nmustCapture = true\n", &["capture = \"obligatory\""] as &[&str]),
        ("[a:chess]\nchecking = false\n", &["check = \"forbidden\""]),
        (
            "[a:makruk]\nmakpongRule = true\n",
            &["royal-in-check = \"only-takes\"", "counting = { without = \"pawn\""],
        ),
        ("[a:chess]\nchess960 = true\n", &["partner = \"rook\"", "K = \"?1g1 ?1f1\"", "Q = \"?1c1 ?1d1\""]),
        (
            "[a:crazyhouse]\n",
            &["[pieces.promoted-queen]\nletter = \"Q~\"\nmoves = \"Q\"\ndemotes = \"pawn\""],
        ),
        (
            "[a:kyotoshogi]\n",
            &[
                "face = \"either\"",
                "[pieces.promoted-silver]\nletter = \"+S\"\nmoves = \"B\"\npromotes = { to = \"silver\"",
            ],
        ),
        ("[a:cambodian]\n", &["first-move-lost-to = \"rook\"", "in-check = \"forbidden\"", "\"imfD\""]),
        // Atomic chess: the piece that must not be lost is royal, and pawns stay.
        (
            "[a:chess]\nking = -\ncommoner = k\ncastlingKingPiece = k\nblastOnCapture = true\n\
             extinctionPseudoRoyal = true\nextinctionValue = loss\nextinctionPieceTypes = k\n",
            &["[explosion]\nspares = \"pawn\"", "royal = true", "K = \"e1g1 h1f1\""],
        ),
        ("[a:chess]\nstartFen = 4k3/8/8/8/8/8/8/4K2* w - - 0 1\n", &["4K2*"]),
    ] {
        let game =
            read_variant("variants.ini", ini, None).unwrap_or_else(|problems| panic!("{ini}\n{problems}"));
        for part in parts {
            assert!(game.text.contains(part), "{ini}: {part}\n{}", game.text);
        }
        game.check().unwrap_or_else(|problems| panic!("{ini}\n{problems}\n{}", game.text));
    }
}

#[test]
fn games_are_written_or_their_keys_named() {
    let written = |name: &str| {
        let rules = load(name).unwrap_or_else(|problems| panic!("{problems}"));
        write_variant(&rules)
    };
    let shogi = written("shogi").unwrap_or_else(|error| panic!("{error}"));
    for part in [
        "[ashta-shogi]\n",
        "maxFile = 9\n",
        "shogiPawn = p\n",
        "promotedPieceType = p:g l:g n:g s:g b:",
        "shogiDoubledPawn = false\n",
    ] {
        assert!(shogi.contains(part), "{part}\n{shogi}");
    }
    let chess = written("chess").unwrap_or_else(|error| panic!("{error}"));
    assert!(chess.contains("# Left out: ends.insufficient\n"), "{chess}");
    assert_eq!(variant_names(&(shogi + &chess)), ["ashta-shogi", "ashta-chess"]);
    for (name, keys) in [
        ("chu-shogi", &["bans", "board"] as &[&str]),
        ("chaturanga", &["pieces.pawn.promotes"]),
        ("janggi", &["ends.passes"]),
        ("shatranj-ar-rumiya", &["board", "board.wraps"]),
    ] {
        assert_eq!(
            written(name).map_err(|error| error.keys),
            Err(keys.iter().map(ToString::to_string).collect()),
            "{name}"
        );
    }
}

//! Hostile input: what users and files may send gives errors or valid objects, never a panic.
//!
//! The inputs come from valid ones by mutation and are the same on every machine. The fuzz targets in `fuzz/` look
//! further; what they find becomes a case here.

use crate::walk;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::walk::SplitMix64;
use ashta_position::notation::{
    read_coordinates, read_csa, read_kif, read_san, write_coordinates, write_csa, write_kif, write_san,
};
use ashta_position::{CompiledRules, Game};
use ashta_rules::{game_source, load_text};

/// Mutated inputs of each sort, over all games: more than 100,000 together.
const N_FILES: usize = 40_000;
const N_POSITIONS: usize = 40_000;
const N_MOVES: usize = 40_000;

/// Compiling takes far longer than reading: of the different games accepted, one in so many is compiled and played.
const COMPILED_ONE_IN: usize = 2;
const PLIES: usize = 20;

/// Values put in the place of others in game files. They stand for themselves in TOML.
const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "16",
    "17",
    "-1",
    "255",
    "256",
    "4294967296",
    "99999999999999999999999999",
    "1e400",
    "-0.0",
    "nan",
    "inf",
    "0xFFFF_FFFF_FFFF_FFFF",
    "true",
    "1979-05-27",
    "[]",
    "{}",
    "[\"\"]",
    "{ to = [] }",
    "{ to = \"king\", zone = \"all\", on = \"stay\" }",
    "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]",
    "\"\"",
    "\"none\"",
    "\" \"",
    "\"\\u0000\"",
    "\"歩\"",
    "\"🦀e\u{301}\"",
    "\"ranks 0-99\"",
    "\"a1-p16\"",
    "\"a1\"",
    "\"shogi\"",
    "\"e1e1 e1e1\"",
    "\"K0R0NN16\"",
    "\"imefnDpcefR99\"",
    "\"t[FR]\"",
    "\"capture\"",
    "\"captures\"",
    "\"set-up\"",
    "\"allowed\"",
    "\"forbidden\"",
    "\"16/16/16\"",
    "\"kK w - - 0 1\"",
];

/// Whole lines put into game files.
const LINES: &[&str] = &[
    "[",
    "[[pieces]]",
    "[pieces.\"\"]",
    "[pieces.pawn.pawn.pawn]",
    "extends = \"chess\"",
    "extends = \"fuzz\"",
    "hand = \"captures\"",
    "hand = \"set-up\"",
    "pass = \"allowed\"",
    "facing = \"forbidden\"",
    "royal = true",
    "[sides]",
    "names = [\"a\", \"b\", \"c\", \"d\"]",
    "letters = [\"w\", \"w\"]",
    "[castling]",
    "A = \"a1a1 a1a1\"",
    "[ends]",
    "royal = \"capture\"",
    "plies = 0",
    "\u{feff}",
    "\"\"\"",
];

/// Put into texts of positions and moves.
const WORDS: &[&str] = &[
    "",
    "/",
    "//",
    "0",
    "1",
    "16",
    "17",
    "99",
    "256",
    "4294967296",
    "99999999999999999999",
    "-",
    "+",
    "++",
    "*",
    "[",
    "]",
    "[]",
    "[99P99p]",
    "@",
    "@a1",
    "KQkq",
    "KKKK",
    " ",
    "\t",
    "\n",
    "\0",
    "e9",
    "a0",
    "p16",
    "z99",
    "0-0-0",
    "O-O",
    "x",
    "=Q",
    "=",
    "e.p.",
    "#",
    "歩",
    "同",
    "同　",
    "打",
    "成",
    "不成",
    "５５",
    "５五",
    "右",
    "(77)",
    "(00)",
    "0055FU",
    "é",
    "e\u{301}",
    "🦀",
    "\u{202e}",
    "٣",
    "w",
    "b",
    "P",
    "k",
    "K",
    "+P",
    "P*",
    "e1",
    "5e",
    "@@@@",
    "pass",
];

/// Runs a check on every input; a panic is reported with the input that caused it.
fn survive(inputs: impl Iterator<Item = String>, mut check: impl FnMut(&str)) {
    for input in inputs {
        if catch_unwind(AssertUnwindSafe(|| check(&input))).is_err() {
            let start: String = input.chars().take(10_000).collect();
            panic!("this input caused the panic above: {start:?}\n\n{start}");
        }
    }
}

fn pick<'a, T: ?Sized>(random: &mut SplitMix64, list: &[&'a T]) -> &'a T {
    list[random.below(list.len())]
}

/// Cuts, flips and repeats bytes, or puts a word somewhere.
fn mutate_bytes(text: &str, random: &mut SplitMix64) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(8)).min(bytes.len());
    match random.below(7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        0..=2 => _ = bytes.drain(at..end),
        3 => {
            let again = bytes[at..end].to_vec();
            bytes.splice(at..at, again);
        }
        4 => _ = bytes.splice(at..at, pick(random, WORDS).bytes()),
        5 => _ = bytes.splice(at..end, pick(random, WORDS).bytes()),
        _ if at < bytes.len() => {
            let other = random.below(bytes.len());
            bytes.swap(at, other);
        }
        _ => bytes.truncate(at),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutate_bytes_often(text: &str, random: &mut SplitMix64) -> String {
    let times = 1 + random.below(3);
    (0..times).fold(text.to_string(), |text, _| mutate_bytes(&text, random))
}

/// Moves, repeats and removes lines, and puts values in the place of others.
fn mutate_file(text: &str, others: &[String], random: &mut SplitMix64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let at = random.below(lines.len().max(1));
    if lines.is_empty() {
        return pick(random, LINES).to_string();
    }
    let other: Vec<&str> = others[random.below(others.len())].lines().collect();
    match random.below(9) {
        0 => _ = lines.remove(at),
        1 => lines.insert(random.below(lines.len()), lines[at].clone()),
        2 => lines.insert(at, pick(random, LINES).to_string()),
        3 => lines.insert(at, pick(random, &other).to_string()),
        4 => {
            lines = lines[..at]
                .iter()
                .cloned()
                .chain(other[at.min(other.len())..].iter().map(|l| l.to_string()))
                .collect()
        }
        5 | 6 => set_value(&mut lines, random, |random| pick(random, VALUES).to_string()),
        7 => {
            let values: Vec<&str> =
                other.iter().filter_map(|line| line.split_once(" = ")).map(|(_, v)| v).collect();
            set_value(&mut lines, random, |random| pick(random, &values).to_string());
        }
        _ => return mutate_bytes(text, random),
    }
    lines.join("\n")
}

/// Gives some line's key another value.
fn set_value(lines: &mut [String], random: &mut SplitMix64, value: impl Fn(&mut SplitMix64) -> String) {
    let settings: Vec<usize> = (0..lines.len()).filter(|n| lines[*n].contains(" = ")).collect();
    let Some(at) = settings.get(random.below(settings.len().max(1))) else { return };
    let key = lines[*at].split(" = ").next().unwrap_or("").to_string();
    lines[*at] = format!("{key} = {}", value(random));
}

/// Compiles a game and plays it; a listed move must be legal, and taking all back must lead to the start.
fn play_through(rules: ashta_rules::Rules, random: &mut SplitMix64) {
    let rules = CompiledRules::new(rules);
    let mut game = Game::start(&rules);
    for _ in 0..PLIES {
        let moves = game.legal_moves();
        _ = (game.outcome(), game.text());
        let Some(mv) = moves.get(random.below(moves.len().max(1))) else { break };
        _ = (
            write_coordinates(&game, *mv),
            write_san(&game, *mv),
            write_csa(&game, *mv),
            write_kif(&game, *mv),
        );
        game.play(*mv).expect("a listed move is legal");
    }
    while game.take_back().is_some() {}
    assert_eq!(game.setup(), Game::start(&rules).setup());
}

#[test]
fn mutated_game_files() {
    let sources: Vec<String> = walk::games_but_contests()
        .iter()
        .map(|name| game_source(name).expect("it is listed").text.clone())
        .collect();
    let games: Vec<usize> = (0..sources.len()).collect();
    let accepted = walk::in_parallel(&games, |n| {
        let mut random = SplitMix64(*n as u64);
        let mut plays = SplitMix64(!*n as u64);
        let mut seen = HashSet::new();
        let inputs = (0..N_FILES / sources.len() + 1).map(|_| {
            let times = 1 + random.below(3);
            (0..times).fold(sources[*n].clone(), |text, _| mutate_file(&text, &sources, &mut random))
        });
        survive(inputs, |input| match load_text("fuzz.toml", input, &[]) {
            Ok(rules) if seen.insert(rules.digest()) && seen.len().is_multiple_of(COMPILED_ONE_IN) => {
                play_through(rules, &mut plays);
            }
            Ok(_) => {}
            Err(problems) => assert!(!problems.to_string().is_empty()),
        });
        seen.len()
    });
    println!("{} different games were accepted", accepted.iter().sum::<usize>());
    assert!(accepted.iter().all(|n| *n >= 2 * COMPILED_ONE_IN), "too few games are accepted: {accepted:?}");
}

#[test]
fn mutated_positions() {
    let names = walk::games_but_contests();
    let read = walk::in_parallel(&names, |name| {
        let rules = walk::compile(name);
        let mut random = SplitMix64(rules.rules().digest());
        let texts: Vec<String> = walk::positions(&rules, 1, 40, 80).iter().map(Game::text).collect();
        let inputs = (0..N_POSITIONS / names.len() + 1)
            .map(|_| mutate_bytes_often(&texts[random.below(texts.len())], &mut random));
        let mut n_read = 0;
        survive(inputs, |input| match Game::from_text(&rules, input) {
            Ok(game) => {
                n_read += 1;
                let mut after = game.clone();
                for mv in game.legal_moves() {
                    after.play(mv).expect("a listed move is legal");
                    after.take_back();
                }
                _ = game.outcome();
                let again = Game::from_text(&rules, &game.text()).expect("a written position can be read");
                assert_eq!(again.setup(), game.setup());
                assert_eq!(after.setup(), game.setup());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        });
        n_read
    });
    assert!(read.iter().all(|n| *n > 0), "too few positions are read: {read:?}");
}

#[test]
fn mutated_moves() {
    let names = walk::games_but_contests();
    let read = walk::in_parallel(&names, |name| {
        let rules = walk::compile(name);
        let mut random = SplitMix64(rules.rules().digest());
        let mut n_read = 0;
        for game in walk::positions(&rules, 2, 20, 80) {
            let texts: Vec<String> =
                game.legal_moves().iter().flat_map(|mv| in_every_notation(&game, *mv)).collect();
            if texts.is_empty() {
                continue;
            }
            let inputs = (0..N_MOVES / names.len() / 20 + 1)
                .map(|_| mutate_bytes_often(&texts[random.below(texts.len())], &mut random));
            survive(inputs, |input| n_read += read_everywhere(&game, input));
        }
        n_read
    });
    assert!(read.iter().all(|n| *n > 0), "too few moves are read: {read:?}");
}

fn in_every_notation(game: &Game, mv: ashta_position::Move) -> Vec<String> {
    let mut texts = vec![write_coordinates(game, mv), write_san(game, mv)];
    texts.extend(write_csa(game, mv));
    texts.extend(write_kif(game, mv));
    texts
}

/// Reads a text in every notation; says in how many it is a move.
fn read_everywhere(game: &Game, text: &str) -> usize {
    let readings =
        [read_coordinates(game, text), read_san(game, text), read_csa(game, text), read_kif(game, text)];
    let is_move = |reading: &Result<_, _>| match reading {
        Ok(mv) => {
            assert!(game.is_legal(*mv), "{mv:?} is not legal in {}", game.text());
            true
        }
        Err(error) => {
            let error: &ashta_position::notation::MoveTextError = error;
            assert!(!error.to_string().is_empty());
            false
        }
    };
    readings.iter().filter(|reading| is_move(reading)).count()
}

/// Texts of one idea, far larger than any mutation makes them.
#[test]
fn monsters() {
    let chess = game_source("chess").expect("it is listed").text.clone();
    assert!(chess.contains("K = \"e1g1 h1f1\"\nQ = \"e1c1 a1d1\"\n"));
    let castlings: String = ('A'..='Z').map(|letter| format!("{letter} = \"e1g1 h1f1\"\n")).collect();
    let monsters = [
        String::new(),
        "\0".repeat(10_000),
        "[".repeat(100_000),
        // The mark under a column beyond 65,535 was too wide for the formatter.
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("a = {}{}", "[".repeat(70), "]".repeat(70)),
        format!("{}a = 1", "a.".repeat(70)),
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("[{}a]", "a.".repeat(100_000)),
        format!("a = \"{}\"", "歩".repeat(100_000)),
        chess.replace("\"N\"", &format!("\"{}\"", "N".repeat(100_000))),
        chess.replace("rnbqkbnr", &"9".repeat(100_000)),
        // Rights are 32 bits: a 32nd castling was shifted out of them.
        chess.replace("K = \"e1g1 h1f1\"\nQ = \"e1c1 a1d1\"\n", &castlings),
        (0..300).fold(chess.clone(), |text, n| {
            format!("{text}\n[pieces.p{n}]\nletter = \"P{n}\"\nmoves = \"K\"")
        }),
    ];
    survive(monsters.into_iter(), |input| match load_text("fuzz.toml", input, &[]) {
        Ok(rules) => play_through(rules, &mut SplitMix64(0)),
        Err(problems) => assert!(!problems.to_string().is_empty()),
    });
}

//! Games written as sections of a variants.ini are the same games: read back, and in Fairy-Stockfish.
//!
//! Those that cannot be written are listed in `fairy_unwritten.txt` with the keys in the way. `UPDATE_UNWRITTEN=1` writes the
//! list anew.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ashta_position::{CompiledRules, Game};
use ashta_rules::{Rules, game_names, load, load_variant, write_variant};

use crate::fairy_stockfish::{Engine, find_program};
use crate::walk;

/// Counts deeper than this many sequences take too long.
const MOST_SEQUENCES: u64 = 300_000;
const MAX_DEPTH: u32 = 3;

/// Keys that version 11.1 does not know: games that need them are read back, and not asked of it.
const YOUNGER_KEYS: &[&str] = &[
    "customPiece",
    "king = k:",
    "promotionPawnTypes",
    "promotionRegion",
    "doubleStepRegion",
    "enPassant",
    "castlingKingPiece",
    "dropNoDoubled",
    "nMoveRuleTypes",
    "extinctionPseudoRoyal",
    "blastOnCapture",
    "flagPieceSafe",
];

/// Games that Fairy-Stockfish ends earlier than our counts do, and why.
const UNLIKE: &[(&str, &str)] = &[];

/// What became of a game.
enum Fate {
    Equal { count: u64, asked: bool },
    Unwritten(String),
    Wrong(String),
}

fn specs() -> Vec<String> {
    let mut specs = Vec::new();
    for name in game_names() {
        specs.push(name.to_string());
        let rules = load(name).unwrap_or_else(|problems| panic!("{problems}"));
        specs.extend(rules.changes().iter().map(|change| format!("{name}+{}", change.name)));
    }
    specs
}

#[test]
fn written_games_are_the_same_games() {
    let program = find_program();
    if program.is_none() {
        eprintln!("NOT COMPARED: fairy-stockfish is not installed");
    }
    let specs = specs();
    let fates = walk::in_parallel(&specs, |spec| fate(program.as_ref(), spec));
    let (mut wrong, mut unwritten) = (Vec::new(), BTreeMap::new());
    let (mut n_equal, mut n_asked) = (0, 0);
    for (spec, fate) in specs.iter().zip(fates) {
        match fate {
            Fate::Equal { count, asked } => {
                n_equal += 1;
                n_asked += usize::from(asked);
                eprintln!("{spec:<40} {count} {}", if asked { "as in Fairy-Stockfish" } else { "read back" });
            }
            Fate::Unwritten(keys) => {
                eprintln!("{spec:<40} refused {keys}");
                unwritten.insert(spec.clone(), keys);
            }
            Fate::Wrong(what) => wrong.push(format!("{spec}: {what}")),
        }
    }
    let n = specs.len();
    eprintln!(
        "{n_equal} of {n} games and changes are written, {n_asked} of them compared with Fairy-Stockfish"
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
    compare_with_list(&unwritten);
}

fn compare_with_list(unwritten: &BTreeMap<String, String>) {
    let list = include_str!("fairy_unwritten.txt");
    let head: String =
        list.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let lines: String = unwritten.iter().map(|(spec, keys)| format!("{spec:<40} {keys}\n")).collect();
    if std::env::var_os("UPDATE_UNWRITTEN").is_some() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fairy_unwritten.txt");
        std::fs::write(path, head + &lines).expect("the list can be written");
        return;
    }
    assert_eq!(list, head + &lines, "UPDATE_UNWRITTEN=1 writes fairy_unwritten.txt anew");
}

fn fate(program: Option<&PathBuf>, spec: &str) -> Fate {
    let rules = load(spec).unwrap_or_else(|problems| panic!("{problems}"));
    let text = match write_variant(&rules) {
        Ok(text) => text,
        Err(error) => return Fate::Unwritten(error.keys.join(" ")),
    };
    let back = match load_variant("variants.ini", &text, None) {
        Ok(back) => back,
        Err(problems) => return Fate::Wrong(problems.to_string()),
    };
    let counts = counts(rules);
    let read = self::counts(back);
    if counts != read {
        return Fate::Wrong(format!("{counts:?}, read back {read:?}\n{text}"));
    }
    let is_young = text.lines().any(|line| YOUNGER_KEYS.iter().any(|key| line.starts_with(key)));
    let is_unlike = UNLIKE.iter().any(|(other, _)| spec.starts_with(other));
    let count = counts.last().copied().unwrap_or(0);
    match program.filter(|_| !is_young && !is_unlike) {
        None => Fate::Equal { count, asked: false },
        Some(program) => match theirs(program, spec, &text, counts.len() as u32) {
            theirs if theirs == count => Fate::Equal { count, asked: true },
            theirs => Fate::Wrong(format!("{count}, in Fairy-Stockfish {theirs}\n{text}")),
        },
    }
}

fn counts(rules: Rules) -> Vec<u64> {
    let rules = CompiledRules::new(rules);
    let start = Game::start(&rules);
    let n = start.perft(1).max(1);
    (1..=MAX_DEPTH)
        .take_while(|depth| n.pow(*depth) < MOST_SEQUENCES)
        .map(|depth| start.perft(depth))
        .collect()
}

fn theirs(program: &PathBuf, spec: &str, text: &str, depth: u32) -> u64 {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{spec}.ini"));
    std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let name = text.lines().find_map(|line| line.strip_prefix('[')).unwrap_or_default().trim_end_matches(']');
    let mut engine = Engine::start(program);
    engine.say(&format!("setoption name VariantPath value {}", file.display()));
    engine.choose(name);
    engine.divide_from_start(depth).values().sum()
}

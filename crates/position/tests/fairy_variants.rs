//! Every variant that Fairy-Stockfish knows without a file: which of them our rules can say, and that those have its moves.
//!
//! It is run as a program, as in `fairy_stockfish.rs`; where it is not installed the test says so and passes. Those that
//! cannot be said are listed in `fairy_refused.txt` with the keys that are in the way, so that the list cannot grow in silence.
//! `ASHTA_DEEP=1` compares ten times as many positions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ashta_position::{CompiledRules, Game, Move, Reason};
use ashta_rules::{CastlingStarts, Problems, built_in_variant, built_in_variants};

use crate::fairy_stockfish::{self, Engine, find_program, is_theirs_alone, text};
use crate::walk;

/// Positions in which the moves are compared, and in how many of them two plies deep.
const N_POSITIONS: usize = 60;
const DEEPER_ONE_IN: usize = 6;
const MAX_PLIES: usize = 120;

/// The depth of the count from the start.
const START_DEPTH: u32 = 3;

/// Where the two programs agree on less than every position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unlike {
    /// It ends the game as soon as a king is bare; our moves do not ask whether the game is over.
    EndsAtBareKing,
    /// It ends the game by facing generals and passes, which reach back one ply: only the moves of one ply are compared, where
    /// the generals do not face each other.
    EndsByLastMoves,
    /// Version 11.1 lets a maiden capture with her first leap, which later versions do not: those captures are left out.
    LeapsOnto,
}

const UNLIKE: &[(&str, Unlike)] = &[
    ("shatranj", Unlike::EndsAtBareKing),
    ("courier", Unlike::EndsAtBareKing),
    ("shatar", Unlike::EndsAtBareKing),
    ("janggi", Unlike::EndsByLastMoves),
    ("janggitraditional", Unlike::EndsByLastMoves),
    ("janggimodern", Unlike::EndsByLastMoves),
    ("janggicasual", Unlike::EndsByLastMoves),
    ("cambodian", Unlike::LeapsOnto),
    ("karouk", Unlike::LeapsOnto),
];

/// What became of a variant.
enum Fate {
    Equal { n_positions: usize, from_start: u64 },
    Refused(Problems),
    Unequal(Vec<String>),
}

#[test]
fn the_variants_of_fairy_stockfish_have_its_moves() {
    let Some(program) = find_program() else {
        eprintln!("NOT COMPARED: fairy-stockfish is not installed");
        return;
    };
    let known = Engine::start(&program).variants();
    let names: Vec<String> = known.into_iter().filter(|name| !name.starts_with("ashta-")).collect();
    let fates = walk::in_parallel(&names, |name| fate(&program, name));
    let mut wrong = Vec::new();
    let (mut n_equal, mut refused) = (0, BTreeMap::new());
    for (name, fate) in names.iter().zip(&fates) {
        match fate {
            Fate::Equal { n_positions, from_start } => {
                n_equal += 1;
                eprintln!("{name:<18} equal   {n_positions} positions, {from_start} from the start");
            }
            Fate::Refused(problems) => {
                let keys = keys_in_the_way(problems);
                eprintln!("{name:<18} refused {keys}");
                refused.insert(name.clone(), keys);
            }
            Fate::Unequal(told) => {
                eprintln!("{name:<18} UNEQUAL");
                wrong.push(format!("{name}:\n{}", told.join("\n\n")));
            }
        }
    }
    eprintln!("{n_equal} of {} variants are equal, {} refused", names.len(), refused.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
    compare_with_list(&names, &refused);
}

/// The list of those that are refused names exactly these, with these keys.
fn compare_with_list(names: &[String], refused: &BTreeMap<String, String>) {
    let list = include_str!("fairy_refused.txt");
    let lines = list.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let listed: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(' '))
        .map(|(name, keys)| (name.to_string(), keys.trim().to_string()))
        .filter(|(name, _)| names.contains(name))
        .collect();
    if std::env::var_os("UPDATE_REFUSED").is_some() {
        let head: String =
            list.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        let lines: String = refused.iter().map(|(name, keys)| format!("{name:<18} {keys}\n")).collect();
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fairy_refused.txt");
        std::fs::write(path, head + &lines).expect("the list can be written");
        return;
    }
    assert_eq!(&listed, refused, "UPDATE_REFUSED=1 writes fairy_refused.txt anew");
}

/// The keys that are named by problems, each once.
fn keys_in_the_way(problems: &Problems) -> String {
    let key = |problem: &ashta_rules::Problem| {
        let source = &problem.place.source.text;
        let line = source.lines().nth(problem.place.line_and_column().0 - 1).unwrap_or_default();
        line.split('=').next().unwrap_or_default().trim().to_string()
    };
    let mut keys: Vec<String> = problems.0.iter().map(key).collect();
    keys.sort();
    keys.dedup();
    keys.join(" ")
}

fn fate(program: &PathBuf, name: &str) -> Fate {
    if !built_in_variants().contains(&name) {
        return Fate::Unequal(vec!["it is not among the built-in variants".to_string()]);
    }
    let rules = match built_in_variant(name).and_then(|game| game.check()) {
        Ok(rules) => CompiledRules::new(rules),
        Err(problems) => return Fate::Refused(problems),
    };
    let mut engine = Engine::start(program);
    engine.choose(name);
    let start = Game::start(&rules);
    let from_start = start.perft(START_DEPTH);
    let theirs: u64 = engine.divide_from_start(START_DEPTH).values().sum();
    let mut wrong = Vec::new();
    if from_start != theirs && unlike(name) != Some(Unlike::EndsByLastMoves) {
        wrong.push(format!("from the start {from_start}, not {theirs}"));
    }
    let n_positions = if walk::is_deep() { 10 * N_POSITIONS } else { N_POSITIONS };
    let mut n_compared = 0;
    for (n, game) in walk::positions(&rules, 7, n_positions, MAX_PLIES).into_iter().enumerate() {
        let depth = if n % DEEPER_ONE_IN == 0 { 2 } else { 1 };
        let Some(depth) = comparable_depth(name, &game, depth) else { continue };
        n_compared += 1;
        wrong.extend(compare(&mut engine, &rules, &game, depth));
        if wrong.len() >= 3 {
            break;
        }
    }
    if n_compared < n_positions / 4 && wrong.is_empty() {
        wrong.push(format!("only {n_compared} positions could be compared"));
    }
    match wrong.is_empty() {
        true => Fate::Equal { n_positions: n_compared, from_start },
        false => Fate::Unequal(wrong),
    }
}

fn unlike(name: &str) -> Option<Unlike> {
    UNLIKE.iter().find(|(other, _)| *other == name).map(|(_, unlike)| *unlike)
}

/// How deep a position can be compared, if at all.
fn comparable_depth(name: &str, game: &Game, depth: u32) -> Option<u32> {
    // A random game goes on after its end; there the two programs ask different sides.
    if game.outcome().is_some_and(|outcome| ends_their_lines(outcome.reason)) {
        return None;
    }
    let setup = game.setup();
    let men = |side: u8| setup.board.iter().flatten().filter(|(owner, _)| owner.0 == side).count();
    match unlike(name) {
        None | Some(Unlike::LeapsOnto) => Some(depth),
        Some(Unlike::EndsAtBareKing) => match men(0).min(men(1)) {
            0 | 1 => None,
            2 => Some(1),
            _ => Some(depth),
        },
        Some(Unlike::EndsByLastMoves) => (!crate::fairy_stockfish::generals_face(game)).then_some(1),
    }
}

fn compare(engine: &mut Engine, rules: &CompiledRules, game: &Game, depth: u32) -> Option<String> {
    let fen = fen(game);
    let mut theirs = engine.divide(&fen, depth);
    let over = game.outcome().is_some_and(|outcome| ends_their_lines(outcome.reason));
    let ours: BTreeMap<String, (u64, Move)> = match over {
        true => BTreeMap::new(),
        false => game.divide(depth).into_iter().map(|(mv, count)| (text(game, mv), (count, mv))).collect(),
    };
    theirs.retain(|text, _| ours.contains_key(text) || !is_left_out(rules, game, text));
    let place = || format!("{}\nin its words: {fen}", game.text());
    let [our_names, their_names] =
        [ours.keys().cloned().collect::<Vec<String>>(), theirs.keys().cloned().collect()];
    if our_names != their_names {
        return Some(format!(
            "{}\n{}",
            place(),
            walk::difference(["ours", "theirs"], [&our_names, &their_names])
        ));
    }
    for (text, (count, mv)) in ours.iter().filter(|(text, (count, _))| theirs[*text] != *count) {
        let mut after = game.clone();
        after.play_unchecked(*mv);
        if let Some(wrong) = compare(engine, rules, &after, depth - 1) {
            return Some(wrong);
        }
        let forbidden = engine.divide(&self::fen(&after), depth - 1);
        let forbidden = forbidden.keys().filter(|text| is_left_out(rules, &after, text)).count() as u64;
        if count + forbidden != theirs[text] {
            return Some(format!("{}\n{text}: {count}, not {}", place(), theirs[text]));
        }
    }
    None
}

/// A position in its words: where castlings start from any file, our text has its letters.
pub fn fen(game: &Game) -> String {
    let theirs = fairy_stockfish::fen(game);
    if game.rules().castling_starts() == CastlingStarts::Fixed {
        return theirs;
    }
    let ours = game.text();
    let rights = ours.split_whitespace().nth(2).unwrap_or("-");
    let words = theirs.split_whitespace().enumerate();
    words.map(|(n, word)| if n == 2 { rights } else { word }).collect::<Vec<_>>().join(" ")
}

/// Whether a move that it lists is not one by the rules.
fn is_left_out(rules: &CompiledRules, game: &Game, text: &str) -> bool {
    is_theirs_alone(rules, game, text)
        || unlike(rules.rules().id()) == Some(Unlike::LeapsOnto) && is_leap_onto_piece(game, text)
}

fn is_leap_onto_piece(game: &Game, text: &str) -> bool {
    let grid = game.rules().grid();
    let Some((from, to)) = grid.read_square(text) else { return false };
    let Some((to, _)) = grid.read_square(to) else { return false };
    let is_fers = game.piece(from).is_some_and(|(_, kind)| game.rules().kind(kind).name == "fers");
    let is_leap = grid.file(from) == grid.file(to) && grid.rank(from).abs_diff(grid.rank(to)) == 2;
    is_fers && is_leap && game.piece(to).is_some()
}

/// Whether such an end leaves it without moves to list.
fn ends_their_lines(reason: Reason) -> bool {
    matches!(reason, Reason::Goal | Reason::Extinction | Reason::Checks)
}

/// A variants.ini, a position, moves, the outcome in words or nothing.
const ENDS: &[(&str, &str, &str, Option<&str>)] = &[
    // A goal that counts once the piece has stood there for a move of the other side.
    ("[x:jesonmor]", "4n4/9/9/9/9/3N5/9/9/4N4 w - - 0 1", "d4e6 e9d7 e6f4 d7f8", None),
    ("[x:jesonmor]", "4n4/9/9/9/9/9/3N5/9/4N4 w - - 0 1", "d3e5", None),
    ("[x:jesonmor]", "4n4/9/9/9/9/9/3N5/9/4N4 w - - 0 1", "d3e5 e9c8", Some("White wins: goal reached")),
    // One kind that is gone is enough, or none of several.
    (
        "[x:extinction]\ncastling = false",
        "4k3/8/8/2q5/8/1N6/8/R1BQK2P w - - 0 1",
        "b3c5",
        Some("White wins: too few pieces left"),
    ),
    (
        "[x:extinction]\ncastling = false\nextinctionPieceTypes = *",
        "4k3/8/8/2q5/8/1N6/8/R1BQK2P w - - 0 1",
        "b3c5",
        None,
    ),
    // The fourth occurrence loses for the side that began, whoever is to move.
    (
        "[x:minishogi]",
        "startpos",
        "b1b2 d5d4 b2b1 d4d5 b1b2 d5d4 b2b1 d4d5 b1b2 d5d4 b2b1 d4d5",
        Some("Black wins: repetition"),
    ),
    // Points decide what would be a draw.
    (
        "[x:janggi]\nnMoveRule = 1",
        "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1",
        "a1a2 e10f10",
        Some("White wins: too many moves without progress"),
    ),
];

#[test]
fn ends_that_variants_need() {
    for (ini, position, moves, expected) in ENDS {
        let rules =
            ashta_rules::load_variant("variants.ini", ini, None).unwrap_or_else(|p| panic!("{ini}: {p}"));
        let rules = CompiledRules::new(rules);
        let mut game = match *position {
            "startpos" => Game::start(&rules),
            text => Game::from_text(&rules, text).unwrap_or_else(|error| panic!("{text}: {error}")),
        };
        for mv in moves.split_whitespace() {
            let mv = ashta_position::notation::read_coordinates(&game, mv)
                .unwrap_or_else(|error| panic!("{ini} {}: {mv}: {error}", game.text()));
            game.play_unchecked(mv);
        }
        let outcome = game.outcome().map(|outcome| outcome.words(rules.rules()).to_string());
        assert_eq!(outcome.as_deref(), *expected, "{ini} {position} {moves}");
    }
}

/// Where promoted pieces are marked, the twin writes the mark in moves as well, which ours do not.
fn marks_promoted(rules: &CompiledRules) -> bool {
    rules.rules().kinds().iter().any(|kind| kind.letter.ends_with('~'))
}

#[test]
fn variants_obey_the_slow_twin() {
    let names = built_in_variants();
    let wrong = walk::in_parallel(&names, |name| {
        let rules = built_in_variant(name).and_then(|game| game.check()).ok().map(CompiledRules::new)?;
        let rules = Some(rules).filter(|rules| !marks_promoted(rules))?;
        let games = walk::positions(&rules, 3, 6, 60);
        let wrong =
            games.iter().find_map(|game| Some((game.text(), crate::strange_games::check(&rules, game)?)));
        wrong.map(|(position, what)| format!("{name}: {position}\n{what}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

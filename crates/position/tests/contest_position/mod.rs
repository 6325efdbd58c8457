//! Contests written as lists of pieces, for tables of tests.
//!
//! In: `r: rKd1 gKa5 / g<r1`, that is who is to move (`r@999` after 999 turns), pieces with their squares, and marks of royal
//! pieces; `FOUR` stands for a raja and a padati of each side that are out of each other's way. Out: a contest.
//! Never: what may be played.

use ashta_position::{Answer, CompiledRules, Contest, Roll, Stage};
use ashta_rules::{Rules, Setup, Side};

use crate::walk;

/// Why, game, position, turns and answers, what is then true, and the result.
pub type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, Option<&'static str>);

/// Four rajas at home and four padatis, none of which attacks anything.
const FOUR: &str = "rKd1 rPa2 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2";

/// Reads a contest from a list of pieces.
pub fn place(rules: &CompiledRules, position: &str) -> Contest<u64> {
    let (who, rest) = position.split_once(':').unwrap_or_else(|| panic!("{position}: who is to move?"));
    let (pieces, marks) = rest.split_once('/').unwrap_or((rest, "-"));
    let (side, n_turns) = who.split_once('@').unwrap_or((who, "0"));
    let mut setup = Setup::empty(rules.rules());
    for piece in pieces.replace("FOUR", FOUR).split_whitespace() {
        let (square, side, kind) = read_piece(rules.rules(), piece);
        assert_eq!(setup.board[square], None, "{position}: two pieces on one square");
        setup.board[square] = Some((side, kind));
    }
    let board = setup.write(rules.rules());
    let board = board.split(' ').next().unwrap_or_default();
    walk::read_contest(rules, &format!("{board} {side} {n_turns} - {}", marks.trim()))
}

fn read_piece(rules: &Rules, piece: &str) -> (usize, Side, ashta_rules::KindId) {
    let side = rules.sides().iter().position(|side| piece.starts_with(side.letter));
    let side = side.unwrap_or_else(|| panic!("{piece}: no such side"));
    let (letter, square) = piece[1..].split_at(piece.len() - 3);
    let kind = rules.kinds().iter().position(|kind| kind.letter == letter);
    let kind = kind.unwrap_or_else(|| panic!("{piece}: no such piece"));
    let (square, _) = rules.grid().read_square(square).unwrap_or_else(|| panic!("{piece}: no such square"));
    (square.0 as usize, Side(side as u8), ashta_rules::KindId(kind as u8))
}

/// What stands on a square, `rK` or `.`.
pub fn shown(contest: &Contest<u64>, square: &str) -> String {
    let rules = contest.rules();
    let (square, _) = rules.grid().read_square(square).unwrap_or_else(|| panic!("{square}: no such square"));
    contest.piece(square).map_or(".".to_string(), |(side, kind)| {
        format!("{}{}", rules.sides()[side.index()].letter, rules.kind(kind).letter)
    })
}

pub fn read_roll(text: &str) -> Roll {
    let mut dice = text.split('-').map(|n| n.parse().unwrap_or_else(|_| panic!("{text}: no roll")));
    Roll { first: dice.next().expect("a number"), second: dice.next() }
}

/// Plays `5-2 a2a3 | exchange | d2d3`: throws and turns, answers, and turns without dice.
pub fn play(contest: &mut Contest<u64>, line: &str) {
    for step in line.split('|').map(str::trim).filter(|step| !step.is_empty()) {
        let turn = match step.split_once(' ') {
            Some((roll, turn)) => {
                contest.throw(read_roll(roll));
                turn
            }
            None => step,
        };
        match turn {
            "exchange" => _ = contest.answer(Answer::Exchange),
            "keep" => _ = contest.answer(Answer::Keep),
            _ => {
                let turn = contest.read_turn(turn).unwrap_or_else(|e| panic!("{}: {e}", contest.text()));
                contest.play_unchecked(turn);
            }
        }
    }
}

/// What is wrong with a row, if anything.
fn check((what, spec, position, line, wanted, outcome): &Row) -> Option<String> {
    let rules = walk::compile(spec);
    let mut contest = place(&rules, position);
    play(&mut contest, line);
    let letter = |side: ashta_rules::Side| rules.rules().sides()[side.index()].letter.to_string();
    let asked = match contest.stage() {
        Stage::Exchange(side) => letter(side),
        Stage::Throw | Stage::Turn => "-".to_string(),
    };
    let marks = contest.text().split(' ').next_back().unwrap_or_default().to_string();
    let mut wrong = Vec::new();
    for claim in wanted.split_whitespace() {
        let (name, value) = claim.split_once('=').unwrap_or_else(|| panic!("{claim}"));
        let found = match name {
            "turn" => letter(contest.turn()),
            "marks" => marks.clone(),
            "asked" => asked.clone(),
            square => shown(&contest, square),
        };
        if found != value {
            wrong.push(format!("{name} is {found}, not {value}"));
        }
    }
    let found = contest.outcome().map(|outcome| outcome.words(rules.rules()).to_string());
    if found.as_deref() != *outcome {
        wrong.push(format!("outcome is {found:?}, not {outcome:?}"));
    }
    let text = contest.text();
    (!wrong.is_empty()).then(|| format!("{what} ({spec}) {text}\n  {}", wrong.join("\n  ")))
}

pub fn check_all(rows: &[Row]) {
    let wrong: Vec<String> = rows.iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

//! Every rule about which turns are legal in a contest, happening and just not happening.

use crate::contest_position::{place, read_roll};
use crate::walk;

/// Why, game, position, roll, turns that are legal, turns that are not (`*`: all others).
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

const DICE: &[Row] = &[
    ("one number or both", "four-handed", "r: FOUR rOa1 rNb1", "2-3", "a1c3 b1a3 a1c3+b1a3 -", "b1a3+a1c3"),
    ("in the order thrown", "four-handed", "r: FOUR rOa1 rNb1", "3-2", "b1a3+a1c3", "a1c3+b1a3"),
    ("either order", "four-handed+either-order", "r: FOUR rOa1 rNb1", "2-3", "a1c3+b1a3 b1a3+a1c3", ""),
    ("the lower first", "four-handed+lower-die-first", "r: FOUR rOa1 rNb1", "3-2", "a1c3+b1a3", "b1a3+a1c3"),
    ("as thrown", "four-handed", "r: FOUR rOa1 rNb1", "3-2", "b1a3+a1c3", "a1c3+b1a3"),
    ("a set", "four-handed+unordered-dice", "r: FOUR rOa1 rNb1", "2-3", "a1c3+b1a3", "b1a3+a1c3"),
    ("first out of the way", "four-handed", "r: FOUR rOa1 rNc3", "3-2", "c3d5+a1c3", "a1c3"),
    ("too late", "four-handed", "r: FOUR rOa1 rNc3", "2-3", "c3d5", "c3d5+a1c3 a1c3"),
    ("a set needs one order", "four-handed+unordered-dice", "r: FOUR rOa1 rNc3", "2-3", "c3d5+a1c3", ""),
    ("sum 2+3 moves a raja", "four-handed", "r: FOUR rOa1", "2-3", "d1d2 a2a3 a1c3", "d1d2+a2a3 a1c3+d1d2"),
    ("no sum", "four-handed+no-sum", "r: FOUR rOa1", "2-3", "a1c3", "d1d2 a2a3"),
    ("sum 2+2 moves a hasti", "four-handed", "r: FOUR rRc1", "2-2", "c1c2", "c1c2+c2c3 d1d2"),
    ("sum of nobody's", "four-handed", "r: FOUR rNb1", "3-3", "b1c3 b1c3+c3e4 -", "d1d2 a2a3"),
    ("a double moves one piece", "four-handed", "r: FOUR", "5-5", "d1d2+d2d3 a2a3+a3a4", "d1d2+a2a3"),
    (
        "a double moves two",
        "four-handed+double-moves-two",
        "r: FOUR",
        "5-5",
        "d1d2+a2a3 d1d2+d2d3",
        "d1d2+d2d1",
    ),
    (
        "two of a double as a set",
        "four-handed+double-moves-two+unordered-dice",
        "r: rKh1 rPa2 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-5",
        "a2a3+h1h2",
        "h1h2+a2a3",
    ),
    ("not back", "four-handed", "r: FOUR", "5-5", "d1d2+d2e1", "d1d2+d2d1"),
    ("back after a capture", "four-handed", "r: FOUR gNe2", "5-5", "d1e2+e2d1", "d1d2+d2d1"),
    ("back again", "four-handed+back-again", "r: FOUR", "5-5", "d1d2+d2d1", ""),
    ("back after a block", "four-handed", "r: FOUR rOe5 yOb2 bOb3 gOc2", "2-2", "e5c3+c3e5", ""),
    ("not back without the block", "four-handed", "r: FOUR rOe5 yOb2 bOb3", "2-2", "e5c3+c3a1", "e5c3+c3e5"),
    ("one die", "four-handed+one-die", "r: FOUR rOa1", "5", "d1d2 a2a3 -", "a1c3 d1d2+d2d3"),
    ("no dice", "four-handed+no-dice", "r: FOUR rOa1", "", "d1d2 a1c3 -", "d1d2+a1c3 d1d2+d2d3"),
    ("passing", "four-handed", "r: FOUR", "5-4", "- d1d2", "d1d2+d2d3"),
    ("no passing", "four-handed+no-pass", "r: FOUR", "5-4", "d1d2", "-"),
    ("forced pass", "four-handed", "r: FOUR", "2-4", "-", "*"),
    ("forced pass where there is none", "four-handed+no-pass", "r: FOUR", "2-4", "-", "*"),
    (
        "blocked in",
        "four-handed+no-pass",
        "r: FOUR rRb1 rNa1 rOb2 rPc1",
        "3-3",
        "a1b3 a1c2 a1b3+b3c5",
        "- a1b3+b3a1",
    ),
    ("a waiting padati stays", "four-handed", "r: FOUR rPd8 rPf3 rNa1", "5-3", "a2a3 f3f4", "d8e8 d8d7 d8c8"),
];

const CAPTURES: &[Row] = &[
    ("an enemy's man", "four-handed", "r: FOUR rRc1 gNc6", "4-3", "c1c6", "c1c7 c1d1"),
    ("a partner's man", "four-handed", "r: FOUR rRh1", "4-3", "h1h4", "h1h7"),
    ("a partner's man and raja", "four-handed", "r: FOUR rRh8", "4-3", "h8h7 h8e8", ""),
    ("spared", "four-handed+partner-spared", "r: FOUR rRh8", "4-3", "h8g8", "h8h7 h8e8"),
    ("raja spared", "four-handed+partner-raja-spared", "r: FOUR rRh8", "4-3", "h8h7", "h8e8"),
    (
        "spared no more",
        "four-handed+partner-spared",
        "r: rKd1 rPa2 rRh8 yKe8 yPh7 bPg2 / g<r1,b<r1",
        "4-3",
        "h8h7 h8e8",
        "",
    ),
    (
        "raja spared no more",
        "four-handed+partner-raja-spared",
        "r: rKd1 rPa2 rRh8 yKe8 yPh7 bPg2 / g<r1,b<r1",
        "4-3",
        "h8h7 h8e8",
        "",
    ),
    (
        "one enemy lives: still spared",
        "four-handed+partner-spared",
        "r: rKd1 rPa2 rRh8 yKe8 yPh7 bPg2 bKh4 / g<r1",
        "4-3",
        "h8f8",
        "h8h7 h8e8",
    ),
    (
        "a beaten partner's men are his",
        "four-handed+partner-spared",
        "r: rKd1 rPa2 rRh8 gKa5 gPb7 yPh7 bKh4 bPg2 / y<g1",
        "4-3",
        "h8e8",
        "h8h7",
    ),
    (
        "not in the turn that beats the last enemy",
        "four-handed+partner-spared",
        "r: rKd1 rPa2 rRb4 yNc6 yPh7 yKe8 bKh4 bPg2 rNg7 / g<r1",
        "4-3",
        "b4h4+g7f5",
        "b4h4+g7e8",
    ),
    (
        "a beaten enemy's man",
        "four-handed",
        "r: rKd1 rPa2 rRc1 gNc6 yKe8 yPh7 bKh4 bPg2 / g<r1",
        "4-3",
        "c1c6",
        "",
    ),
    ("a padati takes forward", "four-handed", "r: FOUR gNb3", "5-4", "a2b3 a2a3", "a2a4"),
    ("and not straight", "four-handed", "r: FOUR gNa3", "5-4", "d1d2", "a2a3 a2b3"),
    ("minors take majors", "four-handed", "r: FOUR gNb3 rOb5", "5-2", "a2b3 b5d7", ""),
    (
        "minors spare majors",
        "four-handed+minors-spare-majors",
        "r: FOUR gNb3 gRd7 rOb5",
        "5-2",
        "b5d3",
        "a2b3 b5d7",
    ),
    (
        "minors take minors",
        "four-handed+minors-spare-majors",
        "r: FOUR gOb3 gPd7 rOb5",
        "5-2",
        "a2b3 b5d7",
        "",
    ),
    (
        "a minor follows a major",
        "four-handed+minors-spare-majors",
        "r: FOUR rNa3",
        "3-5",
        "a3b1+a2a3 a3b5+a2a3",
        "a2a3",
    ),
    ("the boat leaps", "four-handed", "r: FOUR rOc3 rPd4", "2-4", "c3e5 c3a1", "c3c4 c3d4"),
    (
        "the boat rides",
        "four-handed+boat-rides",
        "r: FOUR rOc3 rPd4 rRf3",
        "2-4",
        "c3c4 c3c7 f3d5 c3c4+f3d5",
        "c3e5 c3f3 f3f4",
    ),
];

const COMMAND: &[Row] = &[
    ("no command at home", "four-handed", "r: FOUR yRg8", "5-4", "d1d2", "h7h6 g8g7"),
    (
        "from the throne",
        "four-handed",
        "r: rKe8 rPa2 gKa5 gPb7 yKd6 yPh7 yRg8 bKh4 bPg2",
        "5-4",
        "e8d8 h7h6 d6d5 g8g7 e8d8+g8g7 h7h6+g8f8 a2a3+g8f8",
        "g2f2",
    ),
    (
        "not from an enemy's throne",
        "four-handed",
        "r: rKa5 rPa2 gKd8 gPb7 yKe8 yPh7 yRg8 bKh4 bPg2",
        "5-4",
        "a5b5",
        "h7h6 b7c7 g8g7",
    ),
    (
        "nobody's throne",
        "four-handed+no-throne",
        "r: rKe8 rPa2 gKa5 gPb7 yKd6 yPh7 yRg8 bKh4 bPg2",
        "5-4",
        "e8d8",
        "h7h6",
    ),
    (
        "a beaten partner's men",
        "four-handed",
        "r: rKe8 rPa2 gKa5 gPb7 yPh7 yRg8 bKh4 bPg2 / y<g1",
        "5-4",
        "h7h6 g8g7",
        "",
    ),
    (
        "not when the enemies are beaten",
        "four-handed",
        "r: rKe8 rPa2 gPb7 yKd6 yPh7 yRg8 bPg2 / g<r1,b<y1",
        "5-4",
        "e8d8",
        "h7h6 g8g7",
    ),
    (
        "what is the mover's or its own is not taken",
        "four-handed",
        "r: rKe8 rPg6 gKa5 gPb7 yKd6 yPh7 yRg8 yNb8 bKh4 bPg2",
        "5-4",
        "g8g7 g8f8 h7h6",
        "h7g6 g8g6 g8e8 g8b8 g8h8+h7h8",
    ),
    (
        "the mover's men take the partner's",
        "four-handed",
        "r: rKe8 rRg1 gKa5 gPb7 yKd6 yPh7 yRg7 bKh4 bPb2",
        "4-2",
        "g1g7 g7g2",
        "g7g1",
    ),
    (
        "both armies by a double",
        "four-handed",
        "r: rKe8 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-5",
        "h7h6+h6h5",
        "a2a3+h7h6",
    ),
    (
        "both armies by a double of any pieces",
        "four-handed+double-moves-two",
        "r: rKe8 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-5",
        "h7h6+h6h5 a2a3+h7h6",
        "",
    ),
    (
        "command that lasts",
        "four-handed+lasting-command",
        "r: rKe7 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2 / r^",
        "5-4",
        "h7h6",
        "",
    ),
    (
        "a second raja on the throne",
        "four-handed",
        "r: rKe8 rKd1 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-4",
        "h7h6",
        "",
    ),
];

const RETURNS: &[Row] = &[
    (
        "put back at its number",
        "four-handed",
        "y: rKd1 rPa2 rNa1 gKa5 gPb7 yPh7 bKh4 / y*1",
        "5-3",
        "K@e8 K@d4 K@g2",
        "- h7h6 K@d1 K@h7 K@d4+h7h6",
    ),
    ("not before", "four-handed", "y: rKd1 rPa2 gKa5 gPb7 yPh7 yNg8 bKh4 / y*1", "3-4", "-", "*"),
    ("at the sum", "four-handed", "y: rKd1 rPa2 gKa5 gPb7 yPh7 bKh4 / y*1", "3-2", "K@e8", "- h7h6"),
    ("no sum", "four-handed+no-sum", "y: rKd1 rPa2 gKa5 gPb7 yPh7 bKh4 / y*1", "3-2", "-", "*"),
    ("at home only", "four-handed+home-return", "y: rKd1 rPa2 gKa5 gPb7 yPh7 bKh4 / y*1", "5-5", "K@e8", "*"),
    (
        "not while home is taken",
        "four-handed+home-return",
        "y: rKd1 rPa2 gKa5 gPb7 yPe8 bKh4 / y*1",
        "5-5",
        "-",
        "*",
    ),
    ("one die", "four-handed+one-die", "y: rKd1 rPa2 gKa5 gPb7 yPh7 bKh4 / y*1", "5", "K@e8", "- h7h6"),
    ("no dice", "four-handed+no-dice", "y: rKd1 rPa2 gKa5 gPb7 yPh7 bKh4 / y*1", "", "K@e8", "- h7h6"),
    ("others go on", "four-handed", "r: rKd1 rPa2 gKa5 gPb7 yPh7 bKh4 / y*1", "5-3", "- d1d2", "K@e8"),
];

const CHOICES: &[Row] = &[
    ("promotion is no choice", "four-handed", "r: FOUR rPc7", "5-4", "c7c8", "c7c8=R"),
    ("promotion by choice", "four-handed+promotion-optional", "r: FOUR rPc7", "5-4", "c7c8 c7c8=R", "c7c8=N"),
    ("nothing to choose", "four-handed+promotion-optional", "r: FOUR rPc7 rPd5", "5-4", "c7c8", "c7c8=R"),
    ("elsewhere", "four-handed+promotion-optional", "r: FOUR rPc6", "5-4", "c6c7", "c6c7=R"),
];

/// What is wrong with a row, if anything.
fn check((what, spec, position, roll, yes, no): &Row) -> Option<String> {
    let rules = walk::compile(spec);
    let mut contest = place(&rules, position);
    if !roll.is_empty() {
        contest.throw(read_roll(roll));
    }
    let listed: Vec<String> = contest.legal_turns().iter().map(|turn| contest.turn_text(*turn)).collect();
    let has = |turn: &&str| listed.iter().any(|listed| listed == turn);
    let missing: Vec<&str> = yes.split(' ').filter(|turn| !turn.is_empty() && !has(turn)).collect();
    let surplus: Vec<&str> = match *no {
        "*" => listed.iter().map(String::as_str).filter(|turn| !yes.split(' ').any(|y| y == *turn)).collect(),
        _ => no.split(' ').filter(has).collect(),
    };
    let wrong = !missing.is_empty() || !surplus.is_empty();
    wrong.then(|| format!("{what} ({spec}) {}\n  missing {missing:?} surplus {surplus:?}", contest.text()))
}

#[test]
fn legal_turns() {
    let rows = [DICE, CAPTURES, COMMAND, RETURNS, CHOICES].concat();
    let wrong: Vec<String> = rows.iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_throw_is_awaited_before_every_turn() {
    let rules = walk::compile("four-handed");
    let contest = place(&rules, "r: FOUR");
    assert!(contest.legal_turns().is_empty());
    let without = walk::compile("four-handed+no-dice");
    assert!(!place(&without, "r: FOUR").legal_turns().is_empty());
}

#[test]
fn the_first_throw_of_the_start() {
    // Boat 1 move, horse 2, elephant 0, raja 2 and padatis 4; and a pass.
    let rules = walk::compile("four-handed+one-die");
    for (roll, n_turns) in [("2", 2), ("3", 3), ("4", 1), ("5", 7)] {
        let mut contest = walk::start_contest(&rules);
        contest.throw(read_roll(roll));
        assert_eq!(contest.legal_turns().len(), n_turns, "{roll}");
    }
}

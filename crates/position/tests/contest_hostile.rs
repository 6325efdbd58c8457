//! Hostile input about contests: game files, contests and turns with anything in them are refused or played, never a panic.
//!
//! `ASHTA_DEEP=1` tries ten times as many.

use crate::walk;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::walk::SplitMix64;
use ashta_position::{Answer, CompiledRules, Contest, ContestWord, Stage, Turns};
use ashta_rules::{game_names, game_source, load_text};

const TURNS: usize = 20;

/// Put into files in the place of values.
const VALUES: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1e9",
    "0.5",
    "[]",
    "[2]",
    "[1, 2, 3, 4, 5, 6]",
    "[5, 5]",
    "[20, 20, 1]",
    "{}",
    "\"none\"",
    "\"all\"",
    "\"any\"",
    "\"set\"",
    "\"thrown\"",
    "\"last\"",
    "\"first\"",
    "\"rank 1\"",
    "\"d1\"",
    "\"a9\"",
    "\"never\"",
    "\"by-capture\"",
    "\"by-exchange\"",
    "\"points\"",
    "\"last-team\"",
    "\"from-then-on\"",
    "\"when-stuck\"",
    "\"allowed\"",
    "\"may\"",
    "\"K\"",
    "\"R\"",
    "\"mfWcfF\"",
    "\"AND\"",
    "\"nN\"",
    "\"pR\"",
    "\"zB\"",
    "true",
    "false",
    "[\"roca\", \"padati\"]",
    "[\"raja\"]",
    "\"8/8/8/8/8/8/8/8 r - - 0 1\"",
];

/// Put into contests and turns.
const WORDS: &[&str] = &[
    "r",
    "g",
    "y",
    "b",
    "K",
    "rK",
    "gK",
    "O",
    "+O",
    "8",
    "9",
    "0",
    "99",
    "1000",
    "-",
    "/",
    " ",
    "<",
    "*",
    "^",
    "?",
    "!",
    "+",
    ",",
    "g<r1",
    "r<r1",
    "y*1",
    "r?",
    "g?",
    "g!",
    "r^",
    "r+70000",
    "r+5",
    "2-3",
    "5-5",
    "9-9",
    "a1",
    "h8",
    "K@",
    "=R",
    "é",
    "\u{0}",
    "18446744073709551616",
];

fn pick<'a>(random: &mut SplitMix64, list: &[&'a str]) -> &'a str {
    list[random.below(list.len())]
}

/// Changes a few places of a text.
fn mutate(text: &str, random: &mut SplitMix64) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(2) {
        let at = random.below(letters.len() + 1);
        let word: Vec<char> = pick(random, WORDS).chars().collect();
        match random.below(4) {
            0 if at < letters.len() => _ = letters.remove(at),
            1 if at < letters.len() => _ = letters.splice(at..at + 1, word),
            2 => letters.truncate(at.max(3)),
            _ => _ = letters.splice(at..at, word),
        }
    }
    letters.into_iter().collect()
}

/// Takes out, repeats or exchanges lines of a game file, or puts another value in one.
fn mutate_file(text: &str, others: &[String], random: &mut SplitMix64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(lines.len());
        let other: Vec<&str> = others[random.below(others.len())].lines().collect();
        match random.below(6) {
            0 => _ = lines.remove(at),
            1 => lines[at] = pick(random, &other).to_string(),
            2 => lines.insert(at, pick(random, &other).to_string()),
            _ => {
                if let Some((key, _)) = lines[at].clone().split_once(" = ") {
                    lines[at] = format!("{key} = {}", pick(random, VALUES));
                }
            }
        }
    }
    lines.join("\n")
}

fn survive(input: &str, check: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(check)).is_err() {
        panic!("this input caused the panic above:\n{input}");
    }
}

/// Plays some random turns and takes them back.
fn play_through<W: ContestWord>(start: Contest<W>, random: &mut SplitMix64) {
    let (mut contest, mut turns, mut marks) = (start.clone(), Turns::new(&start), Vec::new());
    for _ in 0..TURNS {
        if contest.outcome().is_some() {
            break;
        }
        let mark = match contest.stage() {
            Stage::Exchange(_) => contest.answer([Answer::Exchange, Answer::Keep][random.below(2)]),
            Stage::Throw => contest.throw(turns.roll(random.below(turns.n_rolls() as usize) as u32)),
            Stage::Turn => {
                turns.look(&contest);
                let roll = contest.turn_state().roll();
                let mut list = Vec::new();
                turns.list(&contest, roll, &mut list);
                assert_eq!(list.len(), turns.count(roll) as usize, "{}", contest.text());
                let n = random.below(list.len());
                assert_eq!(turns.pick(&contest, roll, n as u32), list[n], "{}", contest.text());
                contest.play_unchecked(list[n])
            }
        };
        marks.push(mark);
    }
    while let Some(mark) = marks.pop() {
        contest.take_back(mark);
    }
    assert_eq!((contest.text(), contest.key()), (start.text(), start.key()));
}

fn n_inputs(n: usize) -> usize {
    if walk::is_deep() { 10 * n } else { n }
}

#[test]
fn mutated_contest_files() {
    let source = |name: &str| game_source(name).expect("it is listed").text.clone();
    let others: Vec<String> = game_names().into_iter().map(source).collect();
    for name in game_names().into_iter().filter(|name| walk::is_contest(name)) {
        let (text, mut random, mut seen) = (source(name), SplitMix64(1), HashSet::new());
        for _ in 0..n_inputs(4_000) {
            let input = mutate_file(&text, &others, &mut random);
            survive(&input, || match load_text("fuzz.toml", &input, &[]) {
                Ok(rules) if rules.contest().is_some() && seen.insert(rules.digest()) => {
                    match CompiledRules::new(rules) {
                        CompiledRules::W64(t) => _ = Contest::start(t).map(|c| play_through(c, &mut random)),
                        CompiledRules::W128(t) => _ = Contest::start(t).map(|c| play_through(c, &mut random)),
                        CompiledRules::W256(t) => _ = Contest::start(t).map(|c| play_through(c, &mut random)),
                    }
                }
                Ok(_) => {}
                Err(problems) => assert!(!problems.to_string().is_empty()),
            });
        }
        println!("{} different contests were accepted", seen.len());
        assert!(seen.len() > 50, "too few contests are accepted: {}", seen.len());
    }
}

/// Contests of random games, as text.
fn texts(rules: &CompiledRules, random: &mut SplitMix64) -> Vec<String> {
    let mut contest = walk::start_contest(rules);
    let mut texts = Vec::new();
    for _ in 0..600 {
        texts.push(contest.text());
        match contest.stage() {
            _ if contest.outcome().is_some() => contest = walk::start_contest(rules),
            Stage::Exchange(_) => _ = contest.answer(Answer::Exchange),
            Stage::Throw => {
                let turns = Turns::new(&contest);
                contest.throw(turns.roll(random.below(turns.n_rolls() as usize) as u32));
            }
            Stage::Turn => {
                let turns = contest.legal_turns();
                contest.play_unchecked(turns[random.below(turns.len())]);
            }
        }
    }
    texts
}

#[test]
fn mutated_contests() {
    for spec in
        ["four-handed", "four-handed+points", "four-handed+no-dice", "four-handed+original-boats-only"]
    {
        let rules = walk::compile(spec);
        let start = walk::start_contest(&rules);
        let mut random = SplitMix64(2);
        let texts = texts(&rules, &mut random);
        let mut n_read = 0;
        for _ in 0..n_inputs(5_000) {
            let input = mutate(&texts[random.below(texts.len())], &mut random);
            survive(&input, || match Contest::read(start.tables().clone(), &input) {
                Ok(contest) => {
                    n_read += 1;
                    let again = Contest::read(start.tables().clone(), &contest.text());
                    assert_eq!(
                        again.map(|again| (again.text(), again.key())),
                        Ok((contest.text(), contest.key()))
                    );
                    play_through(contest, &mut random);
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            });
        }
        assert!(n_read > 50, "too few contests are read: {n_read}");
    }
}

#[test]
fn nobody_is_asked_for_what_cannot_be() {
    let rules = walk::compile("four-handed");
    let start = walk::start_contest(&rules);
    let asked = start.text().replace(" r 0 - -", " r 0 - r?");
    assert!(Contest::read(start.tables().clone(), &asked).is_err(), "{asked}");
    let fitting = "8/1gP5yP/8/gK7/7rR/8/rP5bP1/3rK4 g 41 - g?,y<g1,b<r1";
    assert!(Contest::read(start.tables().clone(), fitting).is_ok());
}

#[test]
fn mutated_turns() {
    let rules = walk::compile("four-handed");
    let mut random = SplitMix64(3);
    let mut n_read = 0;
    for text in texts(&rules, &mut random) {
        let contest = walk::read_contest(&rules, &text);
        let turns = contest.legal_turns();
        for _ in 0..n_inputs(5).min(turns.len()) {
            let turn = contest.turn_text(turns[random.below(turns.len())]);
            let input = mutate(&turn, &mut random);
            survive(&input, || match contest.read_turn(&input) {
                Ok(turn) => {
                    n_read += 1;
                    assert!(turns.contains(&turn));
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            });
        }
    }
    assert!(n_read > 0);
}

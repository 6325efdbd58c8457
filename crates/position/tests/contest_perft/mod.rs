//! How many ways a contest can go on: sequences of a throw and a turn.
//!
//! In: a contest and a number of turns. Out: a count; an answer about an exchange is two ways and no turn, and a contest that is
//! over goes on in no way. Never: how likely they are.

use std::fmt::Write as _;

use ashta_position::{Answer, Contest, Stage, Turns};

use crate::contest_twin::{ContestTwin, RulesByName};
use crate::walk::{self, SplitMix64};

/// Largest count that the slow twin is asked for: a few seconds.
const MOST_TWIN_NODES: u64 = 60_000;
/// What random games seldom meet: an exchange about to be asked for, one that is asked for, captives who return, a
/// raja on its partner's throne, boats about to meet.
const RARE: [&str; 5] = [
    "8/1gP5yP/8/gK7/7bK/8/rP5bP1/3rK3rR r 40 - y<g1",
    "8/1gP5yP/8/gK7/7rR/8/rP5bP1/3rK4 g 41 - g?,y<g1,b<r1",
    "8/1gP5yP/8/gK7/7rR/8/rP5bP1/3rK4 g 41 - y*1,b*1",
    "4rK3/1gP5yP/3yK4/gK7/7bK/8/rP5bP1/8 r 40 - -",
    "4yK3/1gP5yP/8/gK3rO3/7bK/1bO6/rPyOgO3bP1/3rK4 r 40 - -",
];
const ANSWERS: [Answer; 2] = [Answer::Exchange, Answer::Keep];

pub fn perft(contest: &mut Contest<u64>, depth: u32) -> u64 {
    let mut turns = Turns::new(contest);
    contest.perft(&mut turns, depth)
}

/// The same, by the slow twin.
pub fn twin_perft(twin: &ContestTwin, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if twin.asked.is_some() {
        let after = |answer: &Answer| {
            let mut after = twin.clone();
            after.answer(*answer);
            twin_perft(&after, depth)
        };
        return ANSWERS.iter().map(after).sum();
    }
    if twin.outcome().is_some() {
        return 0;
    }
    let turns = twin.rolls().into_iter().flat_map(|roll| twin.legal_turns(roll));
    turns.map(|turn| if depth == 1 { 1 } else { twin_perft(&twin.after(&turn), depth - 1) }).sum()
}

/// Counts of a contest and of each change of it, at the start and in positions of random games.
pub fn new_evidence(name: &str) -> String {
    let rules = walk::compile(name);
    let mut out =
        format!("# {}: how many sequences of a throw and a turn there are.\n", rules.rules().name());
    out += "# An answer about an exchange is two ways and no turn.\n";
    out += "# game+changes | position or start | D<turns> <sequences> ;...\n\n";
    out += "# agreed by: our generator and its slow twin\n";
    out += &counted(name, 8);
    let by_name = RulesByName(rules.rules().as_ref().clone());
    for position in RARE.iter().filter(|_| name == "four-handed") {
        let contest = walk::read_contest(&rules, position);
        _ = writeln!(out, "{name} | {position} | {}", counts_of(&contest, &by_name));
    }
    let changed = rules.rules().changes().iter().map(|change| format!("{name}+{}", change.name));
    changed.filter(|spec| walk::is_contest(spec)).for_each(|spec| out += &counted(&spec, 2));
    out
}

fn counted(spec: &str, n_positions: usize) -> String {
    let rules = walk::compile(spec);
    let by_name = RulesByName(rules.rules().as_ref().clone());
    let start = walk::start_contest(&rules);
    let mut out = format!("{spec} | start | {}\n", counts_of(&start, &by_name));
    let mut random = SplitMix64(1);
    for n in 0..n_positions {
        let contest = wander(&start, &mut random, 20 + 15 * n);
        _ = writeln!(out, "{spec} | {} | {}", contest.text(), counts_of(&contest, &by_name));
    }
    out
}

/// A contest after some random turns, and not yet over.
fn wander(start: &Contest<u64>, random: &mut SplitMix64, n_turns: usize) -> Contest<u64> {
    loop {
        let mut contest = start.clone();
        let mut turns = Turns::new(&contest);
        while contest.outcome().is_none() && (contest.n_turns() as usize) < n_turns {
            match contest.stage() {
                Stage::Exchange(_) => _ = contest.answer(ANSWERS[random.below(2)]),
                Stage::Throw => {
                    _ = contest.throw(turns.roll(random.below(turns.n_rolls() as usize) as u32));
                }
                Stage::Turn => {
                    turns.look(&contest);
                    let roll = contest.turn_state().roll();
                    let n = random.below(turns.count(roll) as usize) as u32;
                    let turn = turns.pick(&contest, roll, n);
                    contest.play_unchecked(turn);
                }
            }
        }
        if contest.outcome().is_none() && contest.n_turns() as usize == n_turns {
            return contest;
        }
    }
}

fn counts_of(contest: &Contest<u64>, rules: &RulesByName) -> String {
    let twin = ContestTwin::read(rules, &contest.text());
    let mut out = Vec::new();
    for depth in 1..=3 {
        let count = perft(&mut contest.clone(), depth);
        if depth > 1 && count > MOST_TWIN_NODES {
            break;
        }
        assert_eq!(count, twin_perft(&twin, depth), "{} depth {depth}", contest.text());
        out.push(format!("D{depth} {count}"));
    }
    out.join(" ;")
}

//! One random contest as text: rolls, turns, counts, positions, keys and result.
//!
//! In: a contest's name and a seed. Out: the playthrough. Never: the fast ways of counting and picking.

use std::fmt::Write as _;

use ashta_position::{Answer, Contest, Roll, Stage};

use crate::walk::{self, SplitMix64};

const MAX_TURNS: u32 = 400;

/// The player sorts the legal turns by their text and plays the one at `SplitMix64::next() % n`; rolls, in the order of the
/// rules, and answers (exchange, keep) are drawn in the same way.
pub fn playthrough(name: &str, seed: u64) -> String {
    let rules = walk::compile(name);
    let mut contest = walk::start_contest(&rules);
    let mut random = SplitMix64(seed);
    let mut out = format!(
        "# {}: one random contest. UPDATE_PLAYTHROUGHS=1 cargo test -p ashta-position playthroughs\n",
        rules.rules().name()
    );
    out += "# turn, roll, moves, number of legal turns it was chosen from, key of the contest after it\n";
    _ = writeln!(out, "game {name}\nseed {seed}\nposition {}\nkey {:016x}", contest.text(), contest.key());
    while contest.n_turns() < MAX_TURNS && contest.outcome().is_none() {
        out += &step(&mut contest, &mut random);
    }
    let outcome = contest.outcome().map(|outcome| outcome.words(rules.rules()).to_string());
    _ = writeln!(out, "position {}", contest.text());
    _ = writeln!(out, "outcome {}", outcome.unwrap_or("none yet".to_string()));
    out
}

/// One turn with its throw, or one answer.
fn step(contest: &mut Contest<u64>, random: &mut SplitMix64) -> String {
    if let Stage::Exchange(side) = contest.stage() {
        let (text, answer) = [("exchange", Answer::Exchange), ("keep", Answer::Keep)][random.below(2)];
        contest.answer(answer);
        let name = &contest.rules().sides()[side.index()].name;
        return format!("    {name} says {text} {:016x}\n", contest.key());
    }
    let rolls = contest.rules().contest().map(Roll::all).unwrap_or_default();
    if !rolls.is_empty() {
        contest.throw(rolls[random.below(rolls.len())]);
    }
    let roll = contest.turn_state().roll().map_or("-".to_string(), |roll| roll.to_string());
    let mut turns: Vec<_> = contest.legal_turns().into_iter().map(|t| (contest.turn_text(t), t)).collect();
    turns.sort();
    let (text, turn) = &turns[random.below(turns.len())];
    contest.play_unchecked(*turn);
    let mut out =
        format!("{:>3} {roll} {text:<9} {:>3} {:016x}\n", contest.n_turns(), turns.len(), contest.key());
    if contest.n_turns().is_multiple_of(10) {
        _ = writeln!(out, "position {}", contest.text());
    }
    out
}

//! Contests against their slow twin: the same turns for every roll, the same counts, the same contest after every turn.
//!
//! Random games of every contest of the library, of every change and of pairs of changes. `ASHTA_DEEP=1` plays more.

use crate::contest_position;
use crate::contest_twin::{ContestTwin, RulesByName};
use crate::walk;
use crate::walk::SplitMix64;
use ashta_position::{Answer, Contest, Roll, Stage, Turn, Turns};
use ashta_rules::DiceOrder;

/// Changes that meet in a turn: order and doubles, command and capture, promotion and blocks, return and goal.
const PAIRS: [&str; 22] = [
    "four-handed+lower-die-first+double-moves-two",
    "four-handed+exchange-any-turn+boat-rides",
    "four-handed+double-moves-two+back-again",
    "four-handed+double-moves-two+unordered-dice",
    "four-handed+double-moves-two+either-order",
    "four-handed+unordered-dice+boat-rides",
    "four-handed+boat-rides+lasting-command",
    "four-handed+boat-rides+original-boats-only",
    "four-handed+boat-rides+points",
    "four-handed+lasting-command+double-moves-two",
    "four-handed+lasting-command+partner-spared",
    "four-handed+promotion-optional+lasting-command",
    "four-handed+promotion-optional+double-moves-two",
    "four-handed+promotion-optional+either-order",
    "four-handed+promotion-optional+first-raja-lost",
    "four-handed+freed-by-capture+home-return",
    "four-handed+freed-by-capture+no-pass",
    "four-handed+one-die+home-return",
    "four-handed+no-dice+promotion-optional",
    "four-handed+no-dice+freed-by-capture",
    "four-handed+boat-rides+back-again",
    "four-handed+minors-spare-majors+bare-when-all",
];

/// What random games from the start seldom see: command from a throne, boats about to meet, captives who return or are
/// exchanged, padatis about to promote, two rajas, partners who fight, nothing that can move.
const STARTS: [&str; 12] = [
    "r: rKe8 rPa2 rRb1 gKa5 gPb7 gNa8 yKd6 yPh7 yRg8 yNg7 bKh4 bPg2 bRh3",
    "r: rKe8 rPf6 rOc1 gKa5 gPb7 gOb6 yPg7 yRg8 yOd7 bKh4 bPg2 bOh5 / y<g1",
    "r: rKd1 rPa2 rOe5 gKa5 gPb7 gOc2 yKe8 yPh7 yOb2 bKh4 bPg2 bOb3",
    "r: rKd1 rPa2 rOe5 rOd2 gKa5 gPb7 gOc2 gOc5 yKe8 yPh7 yOb2 bKh4 bPg2 bOb3",
    "b: rKe8 rPa2 rOe5 rRc5 gKd8 gPb7 gOc2 yKe7 yPh7 yOd4 yRf2 bKa5 bOf3 bOb5 bPg2",
    "r: rKd1 rPa2 rRh1 rNc3 gKa5 gPb7 gNb5 yPh7 yRg8 bKh4 bPg2 bRg5 / y<g1",
    "y: rKd1 rPa2 rRh1 gKa5 gPb7 gNb5 yPh7 yRg8 bPg2 bRg5 / y*1,b*2",
    "r: rKd1 rPc7 rPa7 rOa1 gKa5 gPg6 gPg5 gNb5 yKe7 yPb2 yPd2 yRg8 bKh4 bPb3 bPb4 bRg4",
    "r: rKd1 rPd7 rOa3 gKa5 gPg5 gOa6 yKe8 yPd2 yOg8 bKh4 bPb4 bOg4",
    "r: rKd1 rKd6 rNb5 rPa8 rPc8 gKa5 gKf3 gPg5 gOa6 yKe7 yPd2 yOg8 bKh4 bPb4 bOg4",
    "r: rKd1 rPa2 rRh1 rNc3 gPb7 gNb5 yKe8 yPh7 yRg8 yNf6 bPg2 bRg5 / g<r1,b<y1",
    "r: rKa1 rPa2 rPb1 rPb2 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
];

/// A contest and its twin, side by side.
struct Both<'r> {
    spec: &'r str,
    contest: Contest<u64>,
    twin: ContestTwin<'r>,
    turns: Turns<u64>,
}

impl Both<'_> {
    fn agree(&self) {
        let place = || format!("{} {}", self.spec, self.contest.text());
        assert_eq!(self.contest.text(), self.twin.text(), "{}", self.spec);
        for side in self.twin.fates.iter().enumerate().map(|(n, _)| n) {
            let living = self.contest.is_living(ashta_rules::Side(side as u8));
            assert_eq!(living, self.twin.fates[side].living, "{}: side {side} lives", place());
        }
        assert_eq!(self.contest.is_final(), self.twin.is_final(), "{}", place());
        assert_eq!(self.contest.outcome(), self.twin.outcome(), "{}", place());
    }

    /// The turns of a roll as text, sorted, after counting and picking.
    fn listed(&mut self, roll: Option<Roll>) -> Vec<String> {
        let mut list = Vec::new();
        self.turns.list(&self.contest, roll, &mut list);
        let place = format!("{} {} {roll:?}", self.spec, self.contest.text());
        assert_eq!(self.turns.count(roll) as usize, list.len(), "count of {place}");
        let picked: Vec<Turn> =
            (0..list.len()).map(|n| self.turns.pick(&self.contest, roll, n as u32)).collect();
        assert_eq!(picked, list, "pick of {place}");
        self.sorted(list.iter().map(|turn| self.contest.turn_text(*turn)).collect())
    }

    /// Turns in an order that both can be compared in; where the order of two moves does not matter, so do they.
    fn sorted(&self, mut texts: Vec<String>) -> Vec<String> {
        let dice = self.twin.contest().dice.as_ref();
        if dice.is_some_and(|dice| dice.order == DiceOrder::Set) {
            for text in &mut texts {
                let mut legs: Vec<&str> = text.split('+').collect();
                legs.sort_unstable();
                *text = legs.join("+");
            }
        }
        texts.sort();
        texts
    }

    fn check_turns(&mut self) {
        self.turns.look(&self.contest);
        for roll in self.twin.rolls() {
            let listed = self.listed(roll);
            let wanted = self.twin.legal_turns(roll);
            let wanted = self.sorted(wanted.iter().map(|turn| self.twin.turn_text(turn)).collect());
            let difference = || walk::difference(["generator", "twin"], [&listed, &wanted]);
            assert!(listed == wanted, "{} {} {roll:?}\n{}", self.spec, self.contest.text(), difference());
        }
        self.check_list_of_all();
        let place = format!("{} {}", self.spec, self.contest.text());
        assert_eq!(
            self.turns.count_all_rolls() as usize,
            self.twin.count_all_rolls(),
            "all rolls of {place}"
        );
        let before = self.turns.count_before_doubled() as usize;
        assert_eq!(before, self.twin.count_before_doubled(), "before the throw of {place}");
    }

    /// What some roll allows is listed; whether a forced pass is, is left open.
    fn check_list_of_all(&mut self) {
        let mut list = Vec::new();
        self.turns.list_all_rolls(&self.contest, &mut list);
        list.retain(|turn| *turn != Turn::PASS);
        let mut listed = self.sorted(list.iter().map(|turn| self.contest.turn_text(*turn)).collect());
        if self.twin.contest().dice.as_ref().is_some_and(|dice| dice.order == DiceOrder::Set) {
            // Both orders of a set are listed.
            listed.dedup();
        }
        let wanted = self.twin.rolls().into_iter().flat_map(|roll| self.twin.legal_turns(roll));
        let mut wanted = self.sorted(wanted.map(|turn| self.twin.turn_text(&turn)).collect());
        wanted.dedup();
        wanted.retain(|turn| turn != "-");
        let difference = || walk::difference(["generator", "twin"], [&listed, &wanted]);
        assert!(listed == wanted, "all of {} {}\n{}", self.spec, self.contest.text(), difference());
    }

    /// Throws and plays at random; answers, if asked.
    fn play_on(&mut self, random: &mut SplitMix64) {
        if let Stage::Exchange(_) = self.contest.stage() {
            let answer = [Answer::Exchange, Answer::Exchange, Answer::Keep][random.below(3)];
            self.contest.answer(answer);
            return self.twin.answer(answer);
        }
        let rolls = self.twin.rolls();
        if let Some(roll) = rolls[random.below(rolls.len())] {
            assert_eq!(self.contest.stage(), Stage::Throw);
            self.contest.throw(roll);
            self.twin.throw(roll);
        }
        assert_eq!(self.contest.stage(), Stage::Turn);
        assert_eq!(self.contest.text(), self.twin.text());
        let turns = self.contest.legal_turns();
        let mut turn = turns[random.below(turns.len())];
        // Passes make dull games.
        if turn == Turn::PASS {
            turn = turns[random.below(turns.len())];
        }
        let text = self.contest.turn_text(turn);
        self.contest.play_unchecked(turn);
        self.twin.play(&self.twin.read_turn(&text));
    }
}

/// Plays games from the start; every position is compared, and the turns of one in `one_in`.
fn compare_games(spec: &str, n_games: u64, one_in: usize) {
    let rules = walk::compile(spec);
    let by_name = RulesByName(rules.rules().as_ref().clone());
    for seed in 0..n_games {
        let mut random = SplitMix64(seed * 7919 + rules.rules().digest());
        let contest = walk::start_contest(&rules);
        let twin = ContestTwin::start(&by_name);
        let turns = Turns::new(&contest);
        compare(Both { spec, contest, twin, turns }, &mut random, usize::MAX, one_in);
    }
}

/// Plays a few turns from each of [`STARTS`] and compares everything.
fn compare_starts(spec: &str, n_times: usize) {
    let rules = walk::compile(spec);
    let by_name = RulesByName(rules.rules().as_ref().clone());
    let mut random = SplitMix64(rules.rules().digest());
    for start in STARTS.repeat(n_times) {
        let contest = contest_position::place(&rules, start);
        let twin = ContestTwin::read(&by_name, &contest.text());
        let turns = Turns::new(&contest);
        compare(Both { spec, contest, twin, turns }, &mut random, 10, 2);
    }
}

fn compare(mut both: Both, random: &mut SplitMix64, n_turns: usize, one_in: usize) {
    both.agree();
    both.check_turns();
    for _ in 0..n_turns {
        if both.contest.outcome().is_some() {
            return;
        }
        let is_asked = matches!(both.contest.stage(), Stage::Exchange(_));
        if !is_asked && random.below(one_in) == 0 {
            both.check_turns();
        }
        both.play_on(random);
        both.agree();
    }
}

fn n_games() -> u64 {
    if walk::is_deep() { 60 } else { 3 }
}

fn specs() -> Vec<String> {
    walk::every_contest_and_change().into_iter().chain(PAIRS.map(str::to_string)).collect()
}

#[test]
fn every_contest_is_played_as_the_twin_plays_it() {
    let specs = specs();
    assert!(specs.len() > 40);
    walk::in_parallel(&specs, |spec| compare_games(spec, n_games(), 12));
}

#[test]
fn rare_positions_are_played_as_the_twin_plays_them() {
    let n_times = if walk::is_deep() { 20 } else { 1 };
    let four_sided: Vec<String> =
        specs().into_iter().filter(|spec| spec.starts_with("four-handed")).collect();
    walk::in_parallel(&four_sided, |spec| compare_starts(spec, n_times));
}

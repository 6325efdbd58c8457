//! The highest expected result: expectimax over throws, one's team against the others.
//!
//! In: a contest with its dice thrown, the worth of pieces. Out: the turns of the highest expectation, and that value. Never:
//! what a side will want once partners fight, before they do: until then a team's pieces are its own.
//!
//! Beating the other team comes first: no material, not even the partner's that will then be hostile, outweighs it.

use ashta_position::{Contest, ContestWord, Outcome, Roll, Stage, Turn, Turns};
use ashta_rules::{Goal, Rules, Side};

use crate::stop::StopFlag;
use crate::values::Values;

/// A won game, in pawns; more than any material.
const WIN: f64 = 1000.0;
/// The other team is beaten and partners fight for the win: more than any material, or the last enemy would be spared to
/// keep the partner's pieces on our side.
const TEAM_WIN: f64 = 300.0;
/// The partner won that fight: worse than any fight still going on, better than any game with enemies in it.
const PARTNER_WIN: f64 = 150.0;
/// A royal piece, in pawns: a side without is out, and its team plays on with one.
const ROYAL: f64 = 24.0;
/// Part of a royal piece that is lost when an enemy attacks it: about the share of throws that let a piece move.
const DANGER: f64 = 0.4;

/// A player's look ahead.
#[derive(Debug)]
pub struct Expectimax<W> {
    depth: u8,
    turns: Turns<W>,
    lists: Vec<Vec<Turn>>,
    worth: Vec<f64>,
    rolls: Vec<Option<Roll>>,
    stop: StopFlag,
}

impl<W: ContestWord> Expectimax<W> {
    /// Looks `depth` turns ahead, one's own included.
    pub fn new(contest: &Contest<W>, depth: u8, values: &Values) -> Expectimax<W> {
        let turns = Turns::new(contest);
        let rolls = match turns.n_rolls() {
            0 => vec![None],
            _ => turns.rolls().map(Some).collect(),
        };
        let (lists, worth) = (Vec::new(), worth(contest.rules(), values));
        Expectimax { depth, turns, lists, worth, rolls, stop: StopFlag::default() }
    }

    /// Breaks off what it is asked from now on when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    pub(crate) fn best_turns_generic(
        &mut self,
        contest: &mut Contest<W>,
        all: &[Turn],
        best: &mut Vec<Turn>,
    ) -> f64 {
        let me = contest.turn();
        let mut highest = f64::NEG_INFINITY;
        best.clear();
        for turn in all {
            let mark = contest.play_unchecked(*turn);
            let value = self.expected(contest, me, self.depth.saturating_sub(1));
            contest.take_back(mark);
            if value > highest {
                highest = value;
                best.clear();
            }
            if value == highest {
                best.push(*turn);
            }
        }
        highest
    }

    /// What a contest is worth to a side as it stands, without looking ahead.
    pub fn worth(&self, contest: &Contest<W>, me: Side) -> f64 {
        contest
            .outcome()
            .map_or_else(|| self.static_eval(contest, me), |outcome| result(contest, me, outcome))
    }

    /// What a contest is worth to a side, over all throws of the next.
    fn expected(&mut self, contest: &mut Contest<W>, me: Side, depth: u8) -> f64 {
        if let Some(outcome) = contest.outcome() {
            return result(contest, me, outcome);
        }
        if depth == 0 || self.stop.is_set() || matches!(contest.stage(), Stage::Exchange(_)) {
            return self.static_eval(contest, me);
        }
        let mut sum = 0.0;
        for at in 0..self.rolls.len() {
            sum += self.after_roll(contest, me, self.rolls[at], depth);
        }
        sum / self.rolls.len() as f64
    }

    fn after_roll(&mut self, contest: &mut Contest<W>, me: Side, roll: Option<Roll>, depth: u8) -> f64 {
        let side = contest.turn();
        let helps = side == me || contest.are_partners(me, side);
        let mut list = self.lists.pop().unwrap_or_default();
        self.turns.look(contest);
        self.turns.list(contest, roll, &mut list);
        let mut best = if helps { f64::NEG_INFINITY } else { f64::INFINITY };
        for turn in list.drain(..) {
            let mark = contest.play_unchecked(turn);
            let value = self.expected(contest, me, depth - 1);
            contest.take_back(mark);
            best = if helps { best.max(value) } else { best.min(value) };
        }
        self.lists.push(list);
        best
    }

    /// Material of one's team minus that of the others, royal pieces with the danger they are in.
    fn static_eval(&self, contest: &Contest<W>, me: Side) -> f64 {
        let sides = (0..contest.rules().sides().len() as u8).map(Side);
        let material: f64 = sides
            .map(|side| {
                let sign = if side == me || contest.are_partners(me, side) { 1.0 } else { -1.0 };
                sign * self.of_side(contest, side)
            })
            .sum();
        let has_won_team = contest.is_final() && contest.is_living(me);
        if has_won_team { TEAM_WIN + material } else { material }
    }

    fn of_side(&self, contest: &Contest<W>, side: Side) -> f64 {
        if !contest.is_living(side) {
            return 0.0;
        }
        let state = contest.state();
        let men: f64 =
            state.side(side).squares().map(|square| self.worth[state.kind_on(square).index()]).sum();
        men + ROYAL * (1.0 - self.danger(contest, side))
    }

    /// The share of a side's royal piece that its enemies' attacks are worth.
    fn danger(&self, contest: &Contest<W>, side: Side) -> f64 {
        let royals = contest.royals(side);
        if royals.is_empty() || !royals.is_single() {
            return 0.0;
        }
        let enemies = (0..contest.rules().sides().len() as u8).map(Side);
        let attackers = enemies.filter(|enemy| {
            let fights = *enemy != side && contest.is_living(*enemy) && !contest.are_partners(side, *enemy);
            fights && contest.attacks(*enemy, royals.lowest())
        });
        1.0 - (1.0 - DANGER).powi(attackers.count() as i32)
    }
}

fn result<W: ContestWord>(contest: &Contest<W>, me: Side, outcome: Outcome) -> f64 {
    let teams = contest.rules().sides();
    match outcome.winner {
        None => 0.0,
        Some(winner) if winner == me => WIN,
        Some(winner) if teams[winner.index()].team == teams[me.index()].team => partner_win(contest.rules()),
        Some(_) => -WIN,
    }
}

/// What the partner's win is worth: the same as one's own where teams win together.
fn partner_win(rules: &Rules) -> f64 {
    match rules.contest().map(|contest| contest.goal) {
        Some(Goal::LastTeam) => WIN,
        Some(Goal::LastRoyal | Goal::Points) | None => PARTNER_WIN,
    }
}

/// What each kind is worth in pawns: royal pieces nothing, they are counted by themselves.
fn worth(rules: &Rules, values: &Values) -> Vec<f64> {
    let value = |kind| f64::from(values.of(kind));
    let men = rules.kind_ids().filter(|kind| !rules.kind(*kind).royal);
    let least = men.map(value).filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    let unit = if least.is_finite() { least } else { 1.0 };
    rules.kind_ids().map(|kind| if rules.kind(kind).royal { 0.0 } else { value(kind) / unit }).collect()
}

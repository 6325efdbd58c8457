//! A player of contests: chooses a turn after the throw of the dice, and accepts or declines exchanges.

use ashta_position::{Answer, Contest, Turn};
use ashta_rules::Side;
use ashta_search::SearchWord;
use ashta_search::{Expectimax, MobilityCount, RoyalHunt, StopFlag, Values};

use crate::plan::PlayerPlan;
use crate::player_fit::{PlayerNeed, UnfitPlayer};
use crate::random::Random;

/// A player of one contest.
#[derive(Debug)]
pub struct ContestPlayer<W> {
    strategy: ContestStrategy<W>,
    best: Vec<Turn>,
}

#[derive(Debug)]
enum ContestStrategy<W> {
    Random,
    RoyalHunt(Box<RoyalHunt<W>>),
    Expectimax(Box<Expectimax<W>>),
}

impl<W: SearchWord> ContestPlayer<W> {
    /// `values` replace the piece values of the game file.
    pub fn new(
        plan: &PlayerPlan,
        contest: &Contest<W>,
        values: Option<&Values>,
    ) -> Result<Self, UnfitPlayer> {
        let rules = contest.rules();
        plan.check(rules)?;
        let strategy = match *plan {
            PlayerPlan::SemiRandom { depth, legs } => {
                ContestStrategy::RoyalHunt(Box::new(RoyalHunt::new(contest, depth.into(), legs)))
            }
            PlayerPlan::Expectimax { turns } => {
                let known = values.cloned().or_else(|| Values::given(rules));
                let known = known.unwrap_or_else(|| Values::by_mobility(rules, MobilityCount::Promoted));
                ContestStrategy::Expectimax(Box::new(Expectimax::new(contest, turns, &known)))
            }
            PlayerPlan::Random => ContestStrategy::Random,
            PlayerPlan::External(_) => return Err(plan.unfit(rules, PlayerNeed::Match)),
            PlayerPlan::MaterialMinimax { .. }
            | PlayerPlan::MateSearch { .. }
            | PlayerPlan::Learned { .. }
            | PlayerPlan::Depth { .. }
            | PlayerPlan::Nodes { .. }
            | PlayerPlan::Engine(_)
            | PlayerPlan::Level(_)
            | PlayerPlan::Baba { .. } => return Err(plan.unfit(rules, PlayerNeed::TwoSides)),
        };
        Ok(ContestPlayer { strategy, best: Vec::new() })
    }

    /// The search stops when the flag is set; the player then chooses any legal turn.
    pub fn set_stop(&mut self, stop: &StopFlag) {
        match &mut self.strategy {
            ContestStrategy::Random => {}
            ContestStrategy::RoyalHunt(hunt) => hunt.set_stop(stop.clone()),
            ContestStrategy::Expectimax(search) => search.set_stop(stop.clone()),
        }
    }

    /// Whether every turn is equally good: then turns need not be listed.
    pub fn is_random(&self) -> bool {
        matches!(self.strategy, ContestStrategy::Random)
    }

    /// The best turns: a subset of `all`, the legal turns.
    pub fn best_turns(&mut self, contest: &mut Contest<W>, all: &[Turn]) -> &[Turn] {
        let best = &mut self.best;
        if contest.is_returning(contest.turn()) {
            safe_places(contest, all, best);
            return best;
        }
        match &mut self.strategy {
            ContestStrategy::Random => {
                best.clear();
                best.extend_from_slice(all);
            }
            ContestStrategy::RoyalHunt(hunt) => hunt.best_turns(contest, all, best),
            ContestStrategy::Expectimax(search) => {
                search.best_turns(contest, all, best);
            }
        }
        best
    }

    /// A best turn, uniformly at random.
    pub fn choose(&mut self, contest: &mut Contest<W>, all: &[Turn], random: &mut Random) -> Turn {
        let best = self.best_turns(contest, all);
        best.get(random.below(best.len() as u32) as usize).copied().unwrap_or(Turn::PASS)
    }

    /// Accepts or declines an exchange: by expected value, or at random without expectimax.
    pub fn answer(&self, contest: &mut Contest<W>, side: Side, random: &mut Random) -> Answer {
        let ContestStrategy::Expectimax(search) = &self.strategy else {
            return if random.below(2) == 0 { Answer::Exchange } else { Answer::Keep };
        };
        let worth = |contest: &mut Contest<W>, answer: Answer| {
            let mark = contest.answer(answer);
            let worth = search.worth(contest, side);
            contest.take_back(mark);
            worth
        };
        let (exchanged, kept) = (worth(contest, Answer::Exchange), worth(contest, Answer::Keep));
        if exchanged > kept { Answer::Exchange } else { Answer::Keep }
    }
}

/// Squares for a royal piece that returns: those that no enemy attacks, or all if there are none.
fn safe_places<W: SearchWord>(contest: &Contest<W>, all: &[Turn], best: &mut Vec<Turn>) {
    let me = contest.turn();
    let enemies = (0..contest.rules().sides().len() as u8).map(Side);
    let enemies: Vec<Side> = enemies
        .filter(|side| *side != me && contest.is_living(*side) && !contest.are_partners(me, *side))
        .collect();
    let is_safe = |turn: &&Turn| {
        turn.first.to().is_none_or(|to| !enemies.iter().any(|enemy| contest.attacks(*enemy, to)))
    };
    best.clear();
    best.extend(all.iter().filter(is_safe));
    if best.is_empty() {
        best.extend_from_slice(all);
    }
}

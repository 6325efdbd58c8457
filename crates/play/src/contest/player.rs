//! A player at a contest: chooses a turn once the dice are thrown, and answers when asked about an exchange.

use ashta_position::{Answer, Contest, Legs, Turn, Word};
use ashta_rules::{Rules, Side};
use ashta_search::{Expectimax, MobilityCount, RoyalHunt, StopFlag, Values};

use crate::plan::{EngineLimit, PlayerPlan};
use crate::random::Random;

/// A player of one contest.
#[derive(Debug)]
pub struct ContestPlayer<W> {
    mind: Mind<W>,
    best: Vec<Turn>,
}

#[derive(Debug)]
enum Mind<W> {
    Random,
    Hunting(Box<RoyalHunt<W>>),
    Expecting(Box<Expectimax<W>>),
}

/// A player that cannot play the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{player} cannot play {game}: {why}")]
pub struct UnfitPlayer {
    /// Who.
    pub player: String,
    /// What.
    pub game: String,
    /// Why not.
    pub why: &'static str,
}

impl PlayerPlan {
    /// Whether the player is for games of this sort: contests, or games in which sides take turns of one move.
    pub fn check(&self, rules: &Rules) -> Result<(), UnfitPlayer> {
        let why = match (self, rules.contest().is_some()) {
            (PlayerPlan::Random | PlayerPlan::SemiRandom { legs: Legs::Whole, .. }, _) => return Ok(()),
            (PlayerPlan::SemiRandom { legs: Legs::First, .. } | PlayerPlan::Expecting { .. }, true) => {
                return Ok(());
            }
            (PlayerPlan::SemiRandom { legs: Legs::First, .. }, false) => "its turns have one move",
            (PlayerPlan::Expecting { .. }, false) => "it has no dice and no teams",
            (PlayerPlan::Foreign(_), _) => "other programs play in matches alone",
            (PlayerPlan::Engine(EngineLimit::Ms(_)), _) => "there is no clock here, only in matches",
            (
                PlayerPlan::Evaluating { .. }
                | PlayerPlan::Mating { .. }
                | PlayerPlan::Learned { .. }
                | PlayerPlan::Depth { .. }
                | PlayerPlan::Nodes { .. }
                | PlayerPlan::Engine(EngineLimit::Nodes(_) | EngineLimit::Depth(_))
                | PlayerPlan::Level(_)
                | PlayerPlan::Baba { .. },
                contest,
            ) => match contest {
                true => "it is for two sides without dice",
                false => return Ok(()),
            },
        };
        Err(UnfitPlayer { player: self.to_string(), game: rules.id().to_string(), why })
    }
}

impl<W: Word> ContestPlayer<W> {
    /// Sits down to a contest. Players that ask what pieces are worth are told by `values`, or by the game's file.
    pub fn new(
        plan: &PlayerPlan,
        contest: &Contest<W>,
        values: Option<&Values>,
    ) -> Result<Self, UnfitPlayer> {
        let rules = contest.rules();
        plan.check(rules)?;
        let mind = match *plan {
            PlayerPlan::SemiRandom { depth, legs } => {
                Mind::Hunting(Box::new(RoyalHunt::new(contest, depth.into(), legs)))
            }
            PlayerPlan::Expecting { turns } => {
                let known = values.cloned().or_else(|| Values::given(rules));
                let known = known.unwrap_or_else(|| Values::by_mobility(rules, MobilityCount::Promoted));
                Mind::Expecting(Box::new(Expectimax::new(contest, turns, &known)))
            }
            PlayerPlan::Random
            | PlayerPlan::Evaluating { .. }
            | PlayerPlan::Mating { .. }
            | PlayerPlan::Learned { .. }
            | PlayerPlan::Depth { .. }
            | PlayerPlan::Nodes { .. }
            | PlayerPlan::Engine(_)
            | PlayerPlan::Level(_)
            | PlayerPlan::Baba { .. }
            | PlayerPlan::Foreign(_) => Mind::Random,
        };
        Ok(ContestPlayer { mind, best: Vec::new() })
    }

    /// Breaks off its thinking when the flag is set; what it chooses then is any legal turn.
    pub fn set_stop(&mut self, stop: &StopFlag) {
        match &mut self.mind {
            Mind::Random => {}
            Mind::Hunting(hunt) => hunt.set_stop(stop.clone()),
            Mind::Expecting(search) => search.set_stop(stop.clone()),
        }
    }

    /// Whether it takes any turn: then nobody needs to list them.
    pub fn is_random(&self) -> bool {
        matches!(self.mind, Mind::Random)
    }

    /// The turns among which it chooses: a subset of `all`, the legal turns.
    pub fn best_turns(&mut self, contest: &mut Contest<W>, all: &[Turn]) -> &[Turn] {
        let best = &mut self.best;
        if contest.is_returning(contest.turn()) {
            safe_places(contest, all, best);
            return best;
        }
        match &mut self.mind {
            Mind::Random => {
                best.clear();
                best.extend_from_slice(all);
            }
            Mind::Hunting(hunt) => hunt.best_turns(contest, all, best),
            Mind::Expecting(search) => {
                search.best_turns(contest, all, best);
            }
        }
        best
    }

    /// Chooses a turn.
    pub fn choose(&mut self, contest: &mut Contest<W>, all: &[Turn], random: &mut Random) -> Turn {
        let best = self.best_turns(contest, all);
        best.get(random.below(best.len() as u32) as usize).copied().unwrap_or(Turn::PASS)
    }

    /// Says whether it wants an exchange: as likely as not, unless it knows what that is worth.
    pub fn answer(&self, contest: &mut Contest<W>, side: Side, random: &mut Random) -> Answer {
        let Mind::Expecting(search) = &self.mind else {
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

/// Places for a royal piece that comes back: those that no enemy attacks, if there are any.
pub fn safe_places<W: Word>(contest: &Contest<W>, all: &[Turn], best: &mut Vec<Turn>) {
    let me = contest.turn();
    let enemies = (0..contest.rules().sides().len() as u8).map(Side);
    let enemies: Vec<Side> = enemies
        .filter(|side| *side != me && contest.is_living(*side) && !contest.are_partners(me, *side))
        .collect();
    let is_safe = |turn: &&Turn| {
        turn.first.to().is_none_or(|to| !enemies.iter().any(|enemy| contest.attacks(*enemy, to.0)))
    };
    best.clear();
    best.extend(all.iter().filter(is_safe));
    if best.is_empty() {
        best.extend_from_slice(all);
    }
}

//! Answers a plan from the index of a segment.
//!
//! In: a plan, a segment. Out: stretches of games, in order. Never: a position that the plan does not ask for, whatever
//! the index makes easy; the slow twin in the tests looks at every position.
//!
//! States that must hold together are answered first, and by games before plies: the games that have all of them are the
//! intersection of sets of bits; only then are hulls compared, and only where hulls meet and one is not a single stretch
//! are the stretches themselves. Whatever else the plan asks is looked at in the games that are left.

use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{CompiledRules, Game};

use super::answer::QueryRunError;
use super::filter::matching;
use super::plan::Plan;
use super::runs::{after, complement, games_of, intersect};
use super::together::together;
use super::union::Union;
use crate::index::bits::{Bits, Ones};
use crate::index::exact::Candidate;
use crate::index::postings::{Posting, StateList};
use crate::segment::{Column, Segment, SegmentError};

/// Games to look at.
#[derive(Clone, Copy)]
enum Within<'a> {
    /// All of the segment.
    All,
    /// These, rising.
    These(&'a [u32]),
}

/// Games that are looked at at a time: their hulls stay in the processor's nearest memory.
const AT_A_TIME: usize = 1 << 14;

/// A list is unpacked when it has fewer games than so many times those that are asked for.
const UNPACK_COST: usize = 4;

/// Answers a plan from one segment, unless `stop` is set meanwhile.
pub fn run_plan(
    plan: &Plan,
    segment: &Segment,
    rules: &CompiledRules,
    stop: &AtomicBool,
) -> Result<Vec<Posting>, QueryRunError> {
    Run { segment, rules, stop }.eval(plan, Within::All)
}

struct Run<'a> {
    segment: &'a Segment,
    rules: &'a CompiledRules,
    stop: &'a AtomicBool,
}

impl<'a> Run<'a> {
    fn eval(&self, plan: &Plan, within: Within) -> Result<Vec<Posting>, QueryRunError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(QueryRunError::Stopped);
        }
        match plan {
            Plan::Nothing => Ok(Vec::new()),
            Plan::Everything => Ok(complement(self.games(within), &[])),
            Plan::State(state) => Ok(self.states(&[*state], within)?),
            Plan::And(parts) => self.and(parts, within),
            Plan::Or(parts) => {
                let mut union = Union::new(self.segment);
                for part in parts {
                    union.add(self.eval(part, within)?);
                }
                Ok(union.finish())
            }
            Plan::Not(inner) => Ok(complement(self.games(within), &self.eval(inner, within)?)),
            Plan::Then(first, second) => {
                let first = self.eval(first, within)?;
                let games = games_of(&first);
                Ok(after(&first, &self.eval(second, Within::These(&games))?))
            }
            Plan::Ply(..) | Plan::Turn(_) => Ok(self.narrow(plan, complement(self.games(within), &[]))?),
            Plan::Key(key) => Ok(self.key(*key, within)?),
            Plan::Games(filter) => {
                let games = common(within, matching(filter, self.segment)?);
                Ok(complement(self.games(Within::These(&games)), &[]))
            }
        }
    }

    /// Games with their numbers of positions.
    fn games<'w>(&'w self, within: Within<'w>) -> Box<dyn Iterator<Item = (u32, u16)> + 'w> {
        let sized = |game: u32| (game, (self.segment.n_plies(game) + 1) as u16);
        match within {
            Within::All => Box::new((0..self.segment.n_games() as u32).map(sized)),
            Within::These(games) => Box::new(games.iter().map(move |game| sized(*game))),
        }
    }

    fn and(&self, parts: &[Plan], within: Within) -> Result<Vec<Posting>, QueryRunError> {
        let mut kept: Option<Vec<u32>> = None;
        for part in parts {
            if let Plan::Games(filter) = part {
                let games = matching(filter, self.segment)?;
                kept = Some(match kept {
                    None => common(within, games),
                    Some(kept) => common(Within::These(&kept), games),
                });
            }
        }
        let within = kept.as_deref().map_or(within, Within::These);
        let states: Vec<u32> = parts.iter().filter_map(state_of).collect();
        let mut rest: Vec<&Plan> =
            parts.iter().filter(|part| !matches!(part, Plan::Games(_) | Plan::State(_))).collect();
        rest.sort_by_key(|part| cost_rank(part));
        let mut rest = rest.into_iter();
        let mut runs = match (states.is_empty(), rest.as_slice().first()) {
            (false, _) => self.states(&states, within)?,
            // A condition that only narrows starts from everything.
            (true, None | Some(Plan::Ply(..) | Plan::Turn(_))) => complement(self.games(within), &[]),
            (true, Some(_)) => match rest.next() {
                Some(first) => self.eval(first, within)?,
                None => Vec::new(),
            },
        };
        for part in rest {
            if runs.is_empty() {
                break;
            }
            runs = match part {
                Plan::Ply(..) | Plan::Turn(_) => self.narrow(part, runs)?,
                other => {
                    let games = games_of(&runs);
                    intersect(&runs, &self.eval(other, Within::These(&games))?)
                }
            };
        }
        Ok(runs)
    }

    /// Cuts stretches to plies, or to the plies at which a side is to move.
    fn narrow(&self, plan: &Plan, runs: Vec<Posting>) -> Result<Vec<Posting>, SegmentError> {
        let mut out = Vec::new();
        match plan {
            Plan::Ply(least, most) => {
                for run in runs {
                    let (from, to) = (run.from.max(*least), run.to.min(most.saturating_add(1)));
                    if from < to {
                        out.push(Posting { game: run.game, from, to });
                    }
                }
            }
            Plan::Turn(side) => {
                let n_sides = self.rules.rules().sides().len() as u16;
                let usual = u16::from(Game::start(self.rules).turn().0);
                let mut last: Option<(u32, u16)> = None;
                for run in runs {
                    let first = match last.filter(|(game, _)| *game == run.game) {
                        Some((_, turn)) => turn,
                        None => match self.segment.meta().named(Column::Start, run.game)? {
                            None => usual,
                            Some(_) => u16::from(self.segment.begin(self.rules, run.game)?.turn().0),
                        },
                    };
                    last = Some((run.game, first));
                    let phase = (u16::from(side.0) + n_sides - first) % n_sides;
                    let wait = (phase + n_sides - run.from % n_sides) % n_sides;
                    let plies = (run.from + wait..run.to).step_by(usize::from(n_sides));
                    out.extend(plies.map(|ply| Posting { game: run.game, from: ply, to: ply + 1 }));
                }
            }
            _ => return Ok(runs),
        }
        Ok(out)
    }

    fn key(&self, key: u64, within: Within) -> Result<Vec<Posting>, SegmentError> {
        let found = self.segment.find_key(self.rules, key)?;
        let at = |position: u32| {
            let (game, ply) = self.segment.place_of(position);
            Posting { game, from: ply, to: ply + 1 }
        };
        let mut runs: Vec<Posting> = match found {
            None => Vec::new(),
            Some(Candidate::Once(position)) => vec![at(position)],
            Some(Candidate::Repeated(group)) => group.positions(self.segment.n_results()).map(at).collect(),
        };
        if let Within::These(games) = within {
            runs.retain(|run| games.binary_search(&run.game).is_ok());
        }
        Ok(runs)
    }

    /// Where several states hold together.
    fn states(&self, states: &[u32], within: Within) -> Result<Vec<Posting>, SegmentError> {
        let mut lists = Vec::with_capacity(states.len());
        for state in states {
            match self.segment.list(*state)? {
                Some(list) => lists.push(list),
                None => return Ok(Vec::new()),
            }
        }
        lists.sort_by_key(StateList::n_pairs);
        let games = candidates(&lists, within);
        // States that hold briefly leave the fewest games to the others.
        lists.sort_by_key(StateList::n_positions);
        let mut runs = Vec::new();
        for some in games.chunks(AT_A_TIME) {
            together(&lists, some, &mut runs);
        }
        Ok(runs)
    }
}

fn state_of(plan: &Plan) -> Option<u32> {
    match plan {
        Plan::State(state) => Some(*state),
        _ => None,
    }
}

/// What is looked at first: what leaves few games.
fn cost_rank(plan: &Plan) -> u8 {
    match plan {
        Plan::Nothing | Plan::Key(_) => 0,
        Plan::State(_) | Plan::Games(_) | Plan::And(_) => 1,
        Plan::Or(_) => 2,
        Plan::Then(..) => 3,
        Plan::Not(_) => 4,
        Plan::Ply(..) | Plan::Turn(_) | Plan::Everything => 5,
    }
}

/// Games that are in a rising list and within.
fn common(within: Within, mut games: Vec<u32>) -> Vec<u32> {
    if let Within::These(these) = within {
        let mut rest = these.iter().peekable();
        games.retain(|game| {
            while rest.next_if(|other| *other < game).is_some() {}
            rest.peek() == Some(&game)
        });
    }
    games
}

/// Games that may have all of the states: those of the rarest list that every set of bits has too.
fn candidates(lists: &[StateList], within: Within) -> Vec<u32> {
    let bits: Vec<Bits> = lists.iter().filter_map(StateList::bits).collect();
    let in_all = |game: &u32| bits.iter().all(|set| set.has(*game as usize));
    match (within, lists.first()) {
        // Most pieces seldom stand on a square: their few games are looked for among the many, not the other way round.
        (Within::These(these), Some(rarest))
            if rarest.bits().is_none() && rarest.n_pairs() < these.len() * UNPACK_COST =>
        {
            let mut games = Vec::new();
            rarest.unpack_games(&mut games);
            games.retain(in_all);
            common(within, games)
        }
        (Within::These(games), _) => games.iter().copied().filter(in_all).collect(),
        (Within::All, Some(rarest)) if rarest.bits().is_none() => {
            let mut games = Vec::new();
            rarest.unpack_games(&mut games);
            games.retain(in_all);
            games
        }
        (Within::All, _) => {
            let n_words = bits.first().map_or(0, Bits::n_words);
            let mut games = Vec::new();
            for index in 0..n_words {
                let word = bits.iter().fold(u64::MAX, |word, set| word & set.word(index));
                games.extend(Ones(word).map(|bit| (index * 64 + bit) as u32));
            }
            games
        }
    }
}

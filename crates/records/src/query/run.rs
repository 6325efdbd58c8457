//! Answers a plan from the index of a segment.
//!
//! In: a plan, a segment. Out: stretches of games, in order. Never: a position that the plan does not ask for, whatever
//! the index makes easy; the slow twin in the tests looks at every position.
//!
//! States that must hold together are answered first, and by games before plies: the games that have all of them are the
//! intersection of sets of bits; only then are hulls compared, and only where hulls meet and one is not a single stretch
//! are the stretches themselves. Whatever else the plan asks is looked at in the games that are left.

use ashta_position::{CompiledRules, Game, Move};
use rayon::prelude::*;
use thiserror::Error;

use super::Query;
use super::filter::matching;
use super::plan::Plan;
use super::runs::{after, complement, games_of, intersect, unite};
use crate::collection::Collection;
use crate::index::bits::{Bits, Ones};
use crate::index::exact::Candidate;
use crate::index::postings::{Posting, StateList, Stretch};
use crate::record::GameResult;
use crate::segment::{Column, Segment, SegmentError};

/// Why a query cannot be answered.
#[derive(Error, Debug)]
pub enum QueryRunError {
    /// A position in it cannot be played from.
    #[error("nobody can play from the position asked for: {0}")]
    Position(#[from] ashta_position::PositionError),
    /// A segment is wrong.
    #[error(transparent)]
    Segment(#[from] SegmentError),
}

/// Games to look at.
#[derive(Clone, Copy)]
enum Within<'a> {
    /// All of the segment.
    All,
    /// These, rising.
    These(&'a [u32]),
}

/// A list is unpacked whole when so many of its games are asked for: one lookup costs about as much as that many.
const LOOKUP_COST: usize = 24;

/// Games that are looked at by one core at a time: their hulls stay in its nearest memory.
const AT_A_TIME: usize = 1 << 14;

struct Run<'a> {
    segment: &'a Segment,
    rules: &'a CompiledRules,
}

impl<'a> Run<'a> {
    fn eval(&self, plan: &Plan, within: Within) -> Result<Vec<Posting>, SegmentError> {
        match plan {
            Plan::Nothing => Ok(Vec::new()),
            Plan::Everything => Ok(complement(self.games(within), &[])),
            Plan::State(state) => self.states(&[*state], within),
            Plan::And(parts) => self.and(parts, within),
            Plan::Or(parts) => {
                let each = parts.iter().map(|part| self.eval(part, within));
                Ok(unite(each.collect::<Result<_, _>>()?))
            }
            Plan::Not(inner) => Ok(complement(self.games(within), &self.eval(inner, within)?)),
            Plan::Then(first, second) => {
                let first = self.eval(first, within)?;
                let games = games_of(&first);
                Ok(after(&first, &self.eval(second, Within::These(&games))?))
            }
            Plan::Ply(..) | Plan::Turn(_) => self.narrow(plan, complement(self.games(within), &[])),
            Plan::Key(key) => self.key(*key, within),
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

    fn and(&self, parts: &[Plan], within: Within) -> Result<Vec<Posting>, SegmentError> {
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
        let runs_of = |games: &[u32]| {
            let mut together = Together::of_games(games.to_vec());
            lists.iter().for_each(|list| together.narrow(list));
            together.finish(&lists)
        };
        Ok(match games.len() <= AT_A_TIME {
            true => runs_of(&games),
            false => games.par_chunks(AT_A_TIME).map(runs_of).collect::<Vec<_>>().concat(),
        })
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

/// Games in which some states may hold together, with the plies that their hulls share.
struct Together {
    games: Vec<u32>,
    hulls: Vec<Stretch>,
    /// Whether the hull of some state is not one stretch.
    is_rough: Vec<bool>,
}

impl Together {
    fn of_games(games: Vec<u32>) -> Together {
        let n = games.len();
        Together { games, hulls: vec![(0, u16::MAX); n], is_rough: vec![false; n] }
    }

    /// Leaves the games in which one more state may hold with the others.
    fn narrow(&mut self, list: &StateList) {
        match list.bits() {
            Some(bits) => {
                let mut ranks = bits.ranks();
                // Candidates are in every set of bits.
                self.keep(|game| Some(ranks.rank(game as usize)), list);
            }
            None if self.games.len() * LOOKUP_COST < list.n_pairs() => {
                self.keep(|game| list.pair_of(game), list);
            }
            None => {
                let mut own = Vec::new();
                list.unpack_games(&mut own);
                let mut next = 0;
                let find = |game| {
                    while own.get(next).is_some_and(|other| *other < game) {
                        next += 1;
                    }
                    (own.get(next) == Some(&game)).then_some(next)
                };
                self.keep(find, list);
            }
        }
    }

    fn keep(&mut self, mut pair_of: impl FnMut(u32) -> Option<usize>, list: &StateList) {
        let mut n_kept = 0;
        for at in 0..self.games.len() {
            let Some(pair) = pair_of(self.games[at]) else { continue };
            let ((from, to), (other_from, other_to)) = (list.hull(pair), self.hulls[at]);
            let hull = (from.max(other_from), to.min(other_to));
            // Written always and kept by counting: whether hulls meet is a coin toss to the processor.
            self.games[n_kept] = self.games[at];
            self.hulls[n_kept] = hull;
            self.is_rough[n_kept] = self.is_rough[at] | list.is_several(pair);
            n_kept += usize::from(hull.0 < hull.1);
        }
        self.games.truncate(n_kept);
        self.hulls.truncate(n_kept);
        self.is_rough.truncate(n_kept);
    }

    /// The stretches in which all of the states held.
    fn finish(self, lists: &[StateList]) -> Vec<Posting> {
        let mut out = Vec::with_capacity(self.games.len());
        let mut rough = Rough::default();
        for (at, game) in self.games.into_iter().enumerate() {
            let (from, to) = self.hulls[at];
            match self.is_rough[at] {
                false => out.push(Posting { game, from, to }),
                true => rough.refine(game, (from, to), lists, &mut out),
            }
        }
        out
    }
}

/// Memory for games whose states have several stretches.
#[derive(Default)]
struct Rough {
    common: Vec<Stretch>,
    own: Vec<Stretch>,
    next: Vec<Stretch>,
}

impl Rough {
    fn refine(&mut self, game: u32, hull: Stretch, lists: &[StateList], out: &mut Vec<Posting>) {
        self.common.clear();
        self.common.push(hull);
        for list in lists {
            let Some(pair) = list.pair_of(game) else { return };
            if !list.is_several(pair) {
                continue;
            }
            self.own.clear();
            list.stretches(pair, &mut self.own);
            self.next.clear();
            for (from, to) in &self.common {
                for (other_from, other_to) in &self.own {
                    let (from, to) = ((*from).max(*other_from), (*to).min(*other_to));
                    if from < to {
                        self.next.push((from, to));
                    }
                }
            }
            std::mem::swap(&mut self.common, &mut self.next);
            if self.common.is_empty() {
                return;
            }
        }
        out.extend(self.common.iter().map(|(from, to)| Posting { game, from: *from, to: *to }));
    }
}

/// What a query found in a collection.
pub struct Answer<'a> {
    collection: &'a Collection,
    parts: Vec<(usize, &'a Segment, Found<'a>)>,
}

enum Found<'a> {
    Runs(Vec<Posting>),
    Exact(Option<Candidate<'a>>),
}

/// A stretch of a game that a query found, and what a list of results shows of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit<'a> {
    /// The game's number in the collection, from 0.
    pub game: usize,
    /// The first ply, from 0 before the first move.
    pub from: u16,
    /// The ply after the last.
    pub to: u16,
    /// The players, in order of moving.
    pub players: Vec<Option<&'a str>>,
    /// The date as a number, 0 if it is not known.
    pub date: u32,
    /// The event.
    pub event: Option<&'a str>,
    /// The result.
    pub result: GameResult,
    /// What was played after the first ply found.
    pub next: Option<Move>,
    /// How many plies the game has.
    pub n_plies: usize,
}

impl Collection {
    /// Answers a query.
    pub fn find(&self, query: &Query) -> Result<Answer<'_>, QueryRunError> {
        let plan = Plan::new(query, self.space(), self.rules())?;
        let mut parts = Vec::new();
        for (first, segment) in self.segments() {
            let found = match &plan {
                Plan::Key(key) => Found::Exact(segment.find_key(self.rules(), *key)?),
                plan => Found::Runs(Run { segment, rules: self.rules() }.eval(plan, Within::All)?),
            };
            parts.push((first, segment, found));
        }
        Ok(Answer { collection: self, parts })
    }
}

impl<'a> Answer<'a> {
    /// In how many games.
    pub fn n_games(&self) -> usize {
        let count = |found: &Found| match found {
            Found::Runs(runs) => runs.chunk_by(|a, b| a.game == b.game).count(),
            Found::Exact(None) => 0,
            Found::Exact(Some(Candidate::Once(_))) => 1,
            Found::Exact(Some(Candidate::Repeated(group))) => group.n_games,
        };
        self.parts.iter().map(|(_, _, found)| count(found)).sum()
    }

    /// How many positions.
    pub fn n_positions(&self) -> usize {
        let count = |found: &Found| match found {
            Found::Runs(runs) => runs.iter().map(|run| usize::from(run.to - run.from)).sum(),
            Found::Exact(None) => 0,
            Found::Exact(Some(Candidate::Once(_))) => 1,
            Found::Exact(Some(Candidate::Repeated(group))) => group.n_positions,
        };
        self.parts.iter().map(|(_, _, found)| count(found)).sum()
    }

    /// How many stretches: what [`Answer::places`] gives.
    pub fn n_stretches(&self) -> usize {
        let count = |found: &Found| match found {
            Found::Runs(runs) => runs.len(),
            Found::Exact(None) => 0,
            Found::Exact(Some(Candidate::Once(_))) => 1,
            Found::Exact(Some(Candidate::Repeated(group))) => group.n_positions,
        };
        self.parts.iter().map(|(_, _, found)| count(found)).sum()
    }

    /// Every stretch with the segment that it lies in and the number of the segment's first game.
    pub fn places(&self) -> impl Iterator<Item = (usize, &'a Segment, Posting)> + '_ {
        self.parts.iter().flat_map(|(first, segment, found)| {
            let stretches: Box<dyn Iterator<Item = Posting>> = match found {
                Found::Runs(runs) => Box::new(runs.iter().copied()),
                Found::Exact(None) => Box::new(std::iter::empty()),
                Found::Exact(Some(Candidate::Once(position))) => {
                    Box::new(std::iter::once(single(segment, *position)))
                }
                Found::Exact(Some(Candidate::Repeated(group))) => {
                    let positions = group.positions(segment.n_results());
                    Box::new(positions.map(|position| single(segment, position)))
                }
            };
            stretches.map(|run| (*first, *segment, run))
        })
    }

    /// The numbers of the games found, each once.
    pub fn games(&self) -> Vec<usize> {
        let mut games: Vec<usize> = self.places().map(|(first, _, run)| first + run.game as usize).collect();
        games.dedup();
        games
    }

    /// A page of what was found.
    pub fn page(&self, skip: usize, n: usize) -> Result<Vec<Hit<'a>>, SegmentError> {
        let n_sides = self.collection.rules().rules().sides().len();
        self.places()
            .skip(skip)
            .take(n)
            .map(|(first, segment, run)| hit(first, segment, run, n_sides))
            .collect()
    }
}

fn single(segment: &Segment, position: u32) -> Posting {
    let (game, ply) = segment.place_of(position);
    Posting { game, from: ply, to: ply + 1 }
}

fn hit<'a>(
    first: usize,
    segment: &'a Segment,
    run: Posting,
    n_sides: usize,
) -> Result<Hit<'a>, SegmentError> {
    let meta = segment.meta();
    let at = run.game as usize * 4;
    let date = meta.file.part("dates", at..at + 4)?.first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
    let players = (0..n_sides).map(|side| meta.named(Column::Player(side), run.game));
    Ok(Hit {
        game: first + run.game as usize,
        from: run.from,
        to: run.to,
        players: players.collect::<Result<_, _>>()?,
        date,
        event: meta.named(Column::Event, run.game)?,
        result: segment.result(run.game),
        next: segment.move_of(segment.next_code((segment.base(run.game) + usize::from(run.from)) as u32)?),
        n_plies: segment.n_plies(run.game),
    })
}

//! Shapes found by replaying the moves of a segment: a bitboard for each cell, one pass over the games.
//!
//! In: shapes, games. Out: the intervals in which one of the shapes is on the board. Never: a posting list; the time depends
//! on the number of positions and hardly on the pieces.
//!
//! The moves of all games are one array of codes, each game closed by [`NO_MOVE`]. Most moves only take a piece from one
//! square to another, and a table by code holds the two squares; all else is a [`Special`]. There is no board: what moved
//! matters as far as it is in the set of a cell, and that is a bit of the cell's bitboard. A board in memory is slower, as
//! each move would wait for the stores of the move before.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{Action, CompiledRules, Game, Move};
use ashta_rules::{KindId, Rules, Setup};
use rayon::prelude::*;

use super::bit_ranges::find;
use super::query_result::QueryRunError;
use super::shape_test::{History, Lanes, POSITIONS, ShapeTest};
use super::shapes::{MAX_SETS, Shapes};
use crate::index::bits::u32_at;
use crate::index::exact::NO_MOVE;
use crate::index::postings::Posting;
use crate::segment::{Column, Segment, SegmentError};

/// Games per part of a thread.
const GAMES: usize = 4096;
const CODES: usize = 1 << 16;

/// What a code does: it takes a piece from one square to another, or the special with this number plus one.
#[derive(Clone, Copy, Default)]
struct Step {
    from: u8,
    to: u8,
    special: u16,
}

/// What is more than a step.
#[derive(Clone, Copy)]
enum Special {
    /// The next game begins.
    End,
    Promotion {
        from: u8,
        to: u8,
        kind: KindId,
    },
    Drop {
        kind: KindId,
        to: u8,
    },
    Castling {
        royal: (u8, u8),
        partner: (u8, u8),
    },
    /// En passant, and moves of two legs: what stands on the end is replaced.
    OnTheWay {
        from: u8,
        to: u8,
        victim: u8,
    },
}

pub struct Replay<'a> {
    segment: &'a Segment,
    rules: &'a CompiledRules,
    shapes: &'a Shapes,
    steps: Box<[Step; CODES]>,
    specials: Vec<Special>,
    /// A code that does nothing, or closes a game, if every code is a move.
    no_step: u16,
    usual: Setup,
}

/// Where a replay stands.
struct Place<'a> {
    /// By game, four bytes: whether it begins from another position than usual.
    starts: &'a [u8],
    /// The game, and those after it.
    games: Range<u32>,
    /// The side to move at the beginning of the game.
    turn: usize,
    /// The number of its first position.
    begin: usize,
}

impl<'a> Replay<'a> {
    /// `None` if a move cannot be replayed by its code alone.
    pub fn new(segment: &'a Segment, rules: &'a CompiledRules, shapes: &'a Shapes) -> Option<Replay<'a>> {
        let mut steps = vec![Step::default(); CODES];
        let mut specials = vec![Special::End];
        for (step, mv) in steps.iter_mut().zip(segment.dictionary()) {
            *step = match step_of(mv, rules.rules())? {
                (step, None) => step,
                (step, Some(special)) => {
                    specials.push(special);
                    Step { special: u16::try_from(specials.len()).ok()?, ..step }
                }
            };
        }
        steps[usize::from(NO_MOVE)].special = 1;
        let steps = steps.into_boxed_slice().try_into().ok()?;
        let no_step = u16::try_from(segment.dictionary().len()).unwrap_or(NO_MOVE);
        let usual = Game::start(rules).setup();
        Some(Replay { segment, rules, shapes, steps, specials, no_step, usual })
    }

    pub fn of_all(&self, stop: &AtomicBool) -> Result<Vec<Posting>, QueryRunError> {
        let n_games = self.segment.n_games();
        let firsts = (0..n_games).step_by(GAMES);
        let ranges: Vec<Range<u32>> =
            firsts.map(|first| first as u32..n_games.min(first + GAMES) as u32).collect();
        let parts: Vec<&[Range<u32>]> = ranges.chunks(1).collect();
        self.of_parts(&parts, stop)
    }

    /// The intervals of these sorted games.
    pub fn of_games(&self, games: &[u32], stop: &AtomicBool) -> Result<Vec<Posting>, QueryRunError> {
        let runs = |part: &[u32]| -> Vec<Range<u32>> {
            let neighbours = part.chunk_by(|one, next| one + 1 == *next);
            neighbours.map(|run| run[0]..run[0] + run.len() as u32).collect()
        };
        let parts: Vec<Vec<Range<u32>>> = games.chunks(GAMES).map(runs).collect();
        self.of_parts(&parts, stop)
    }

    fn of_parts(
        &self,
        parts: &[impl AsRef<[Range<u32>]> + Sync],
        stop: &AtomicBool,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let found = parts.par_iter().map(|part| match stop.load(Ordering::Relaxed) {
            true => Err(QueryRunError::Stopped),
            false => Ok(self.intervals(part.as_ref())?),
        });
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn intervals(&self, runs: &[Range<u32>]) -> Result<Vec<Posting>, SegmentError> {
        match self.shapes.sets.len() {
            0..=1 => self.intervals_with::<1>(runs),
            2 => self.intervals_with::<2>(runs),
            3 => self.intervals_with::<3>(runs),
            4 => self.intervals_with::<4>(runs),
            _ => self.intervals_with::<MAX_SETS>(runs),
        }
    }

    fn intervals_with<const N: usize>(&self, runs: &[Range<u32>]) -> Result<Vec<Posting>, SegmentError> {
        let test = ShapeTest::<N>::new(self.shapes, self.rules.rules(), &self.usual);
        let mut intervals = Vec::new();
        for games in runs {
            let bits = self.run(&test, games.clone())?;
            let first = self.segment.base(games.start);
            let mut begin = 0;
            for game in games.clone() {
                let (end, mut next) = (self.segment.base(game + 1) - first, begin);
                while let Some(from) = find(&bits, next..end, 0) {
                    next = find(&bits, from..end, u64::MAX).unwrap_or(end);
                    intervals.push(Posting { game, from: (from - begin) as u16, to: (next - begin) as u16 });
                }
                begin = end;
            }
        }
        Ok(intervals)
    }

    /// A bit for every position of neighbouring games.
    fn run<const N: usize>(&self, test: &ShapeTest<N>, games: Range<u32>) -> Result<Vec<u64>, SegmentError> {
        let mut history = [[0; POSITIONS]; N];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("avx2")
        {
            // SAFETY: the features that the function is compiled for were detected. They save a sixth of the time, a
            // quarter where there are several shapes.
            #[expect(unsafe_code, reason = "calls a function compiled for BMI and AVX2")]
            return unsafe { run_avx2(self, test, &mut history, games) };
        }
        self.run_portable(test, &mut history, games)
    }

    #[inline(always)]
    fn run_portable<const N: usize>(
        &self,
        test: &ShapeTest<N>,
        history: &mut History<N>,
        games: Range<u32>,
    ) -> Result<Vec<u64>, SegmentError> {
        let codes = self.segment.codes(games.clone())?;
        let mut bits = Vec::with_capacity(codes.len() / POSITIONS + 1);
        let starts = self.segment.meta().column(Column::Start)?;
        let mut at = Place { starts, games, turn: 0, begin: 0 };
        let mut lanes = self.begin(test, &mut at)?;
        let (words, rest) = codes.as_chunks::<POSITIONS>();
        let mut last = [self.no_step.to_le_bytes(); POSITIONS];
        last[..rest.len()].copy_from_slice(rest);
        let steps: &[Step; CODES] = &self.steps;
        for (word, some) in words.iter().chain([&last]).enumerate() {
            for (n, code) in some.iter().enumerate() {
                lanes.keep(history, n);
                let step = steps[usize::from(u16::from_le_bytes(*code))];
                if step.special == 0 {
                    lanes.step(step.from, step.to);
                } else {
                    lanes = self.play_special(test, step, word * POSITIONS + n, &mut at, lanes)?;
                }
            }
            bits.push(test.matches(history));
        }
        Ok(bits)
    }

    #[inline(never)]
    fn play_special<const N: usize>(
        &self,
        test: &ShapeTest<N>,
        step: Step,
        position: usize,
        at: &mut Place,
        mut lanes: Lanes<N>,
    ) -> Result<Lanes<N>, SegmentError> {
        let n_sides = self.rules.rules().sides().len();
        let mover = || (at.turn + position - at.begin) % n_sides;
        match self.specials.get(usize::from(step.special) - 1) {
            Some(Special::Promotion { from, to, kind }) => {
                lanes.clear(*from);
                test.put(&mut lanes, *to, mover(), *kind);
            }
            Some(Special::Drop { kind, to }) => test.put(&mut lanes, *to, mover(), *kind),
            Some(Special::Castling { royal, partner }) => lanes.step_both(*royal, *partner),
            Some(Special::OnTheWay { from, to, victim }) => {
                lanes.clear(*victim);
                lanes.step(*from, *to);
            }
            Some(Special::End) | None => {
                at.games.start += 1;
                at.begin = position + 1;
                if at.games.start < at.games.end {
                    lanes = self.begin(test, at)?;
                }
            }
        }
        Ok(lanes)
    }

    /// Sets up the first position of a game.
    #[inline(always)]
    fn begin<const N: usize>(&self, test: &ShapeTest<N>, at: &mut Place) -> Result<Lanes<N>, SegmentError> {
        if u32_at(at.starts, at.games.start as usize * 4) == 0 {
            at.turn = usize::from(self.usual.turn);
            return Ok(test.usual);
        }
        let setup = self.other_start(at.games.start)?;
        at.turn = usize::from(setup.turn);
        Ok(test.lanes_of(&setup))
    }

    /// Not inlined: it needs a large stack frame, which most games do without.
    #[cold]
    #[inline(never)]
    fn other_start(&self, game: u32) -> Result<Setup, SegmentError> {
        Ok(self.segment.begin(self.rules, game)?.setup())
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,avx2")]
fn run_avx2<const N: usize>(
    replay: &Replay,
    test: &ShapeTest<N>,
    history: &mut History<N>,
    games: Range<u32>,
) -> Result<Vec<u64>, SegmentError> {
    replay.run_portable(test, history, games)
}

/// What a move does to the board; `None` if the code alone does not say it.
fn step_of(mv: Move, rules: &Rules) -> Option<(Step, Option<Special>)> {
    let none = Step::default();
    Some(match mv.action() {
        Action::Go { from, to, becomes: None } => (Step { from: from.0, to: to.0, special: 0 }, None),
        Action::Go { from, to, becomes: Some(kind) } => {
            (none, Some(Special::Promotion { from: from.0, to: to.0, kind }))
        }
        Action::Drop { kind, to } => (none, Some(Special::Drop { kind, to: to.0 })),
        Action::Castle { from, to } => {
            let mut own = rules.castlings().iter().filter(|castling| castling.royal == (from, to));
            let castling = own.next().filter(|_| own.next().is_none())?;
            let [royal, partner] = [castling.royal, castling.partner].map(|(from, to)| (from.0, to.0));
            (none, Some(Special::Castling { royal, partner }))
        }
        Action::EnPassant { from, to, victim } | Action::TwoLegs { from, to, middle: victim } => {
            (none, Some(Special::OnTheWay { from: from.0, to: to.0, victim: victim.0 }))
        }
        // From a square to itself: nothing changes.
        Action::Pass => (none, None),
    })
}

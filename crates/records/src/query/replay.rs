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

use super::run_error::QueryRunError;
use super::shape_test::{History, Lanes, POSITIONS, ShapeTest};
use super::shapes::{MAX_SETS, Shapes};
use super::union::list_intervals;
use crate::index::bits::u32_at;
use crate::index::exact::NO_MOVE;
use crate::index::postings::Posting;
use crate::segment::{Column, Segment, SegmentError};

/// Games per part of a thread.
const GAMES: usize = 4096;
const CODES: usize = 1 << 16;

/// What a code does, in one word, which is read once: a piece goes from the square of the lowest byte to that of the second. If
/// the word is negative, its other bits are the number of a special.
#[derive(Clone, Copy, Default)]
struct Step(i32);

impl Step {
    fn new(from: u8, to: u8) -> Step {
        Step(i32::from(from) | i32::from(to) << 8)
    }

    fn special(number: usize) -> Option<Step> {
        i32::try_from(number).ok().map(|number| Step(number | i32::MIN))
    }
}

/// What is more than a step. Castlings and the ends of games are frequent.
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

impl<const N: usize> Lanes<N> {
    /// Keeps each position from the `first` on and plays the steps after it, up to a special: returns the number of the
    /// position after that, and of the special. A loop of its own without calls, so that everything is in registers.
    #[inline(always)]
    fn steps(
        &mut self,
        steps: &[Step; CODES],
        codes: &[[u8; 2]; POSITIONS],
        first: usize,
        history: &mut History<N>,
    ) -> Option<(usize, usize)> {
        for n in first..POSITIONS {
            self.keep(history, n);
            let step = steps[usize::from(u16::from_le_bytes(codes[n]))];
            if step.0 < 0 {
                return Some((n + 1, (step.0 & i32::MAX) as usize));
            }
            self.step(step.0 as u8, (step.0 >> 8) as u8);
        }
        None
    }
}

impl<'a> Replay<'a> {
    /// `None` if a move cannot be replayed by its code alone.
    pub fn new(segment: &'a Segment, rules: &'a CompiledRules, shapes: &'a Shapes) -> Option<Replay<'a>> {
        let mut steps = vec![Step::default(); CODES];
        let mut specials = vec![Special::End];
        for (step, mv) in steps.iter_mut().zip(segment.dictionary()) {
            *step = match change_of(mv, rules.rules())? {
                Change::Step(step) => step,
                Change::Special(special) => {
                    specials.push(special);
                    Step::special(specials.len() - 1)?
                }
            };
        }
        steps[usize::from(NO_MOVE)] = Step::special(0)?;
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
            list_intervals(self.segment, games.clone(), &bits, &mut intervals);
        }
        Ok(intervals)
    }

    /// A bit for every position of neighbouring games.
    fn run<const N: usize>(&self, test: &ShapeTest<N>, games: Range<u32>) -> Result<Vec<u64>, SegmentError> {
        let mut history = [[0; POSITIONS]; N];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the features that the function is compiled for were detected. AVX-512 saves a twentieth of the time
            // of AVX2, a tenth where there are several shapes.
            #[expect(unsafe_code, reason = "calls a function compiled for BMI and AVX-512")]
            return unsafe { run_avx512(self, test, &mut history, games) };
        }
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
            let mut n = 0;
            while let Some((after, special)) = lanes.steps(steps, some, n, history) {
                n = after;
                lanes = match self.specials.get(special) {
                    Some(Special::Castling { royal, partner }) => lanes.step_both(*royal, *partner),
                    Some(Special::End) => {
                        at.games.start += 1;
                        at.begin = word * POSITIONS + n;
                        if at.games.start == at.games.end { lanes } else { self.begin(test, &mut at)? }
                    }
                    Some(special) => {
                        let n_plies = word * POSITIONS + n - 1 - at.begin;
                        self.play_special(test, *special, at.turn + n_plies, lanes)
                    }
                    None => lanes,
                };
            }
            bits.push(test.matches(history));
        }
        Ok(bits)
    }

    /// The rare ones; `turn` is the number of the side to move, plus any number of rounds.
    #[cold]
    #[inline(never)]
    fn play_special<const N: usize>(
        &self,
        test: &ShapeTest<N>,
        special: Special,
        turn: usize,
        mut lanes: Lanes<N>,
    ) -> Lanes<N> {
        let mover = turn % self.rules.rules().sides().len();
        match special {
            Special::Promotion { from, to, kind } => {
                lanes.clear(from);
                test.put(&mut lanes, to, mover, kind);
            }
            Special::Drop { kind, to } => test.put(&mut lanes, to, mover, kind),
            Special::OnTheWay { from, to, victim } => {
                lanes.clear(victim);
                lanes.step(from, to);
            }
            Special::End | Special::Castling { .. } => {}
        }
        lanes
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
#[target_feature(enable = "bmi1,bmi2,avx512f,avx512vl")]
fn run_avx512<const N: usize>(
    replay: &Replay,
    test: &ShapeTest<N>,
    history: &mut History<N>,
    games: Range<u32>,
) -> Result<Vec<u64>, SegmentError> {
    replay.run_portable(test, history, games)
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

/// What a move does to the board.
enum Change {
    Step(Step),
    Special(Special),
}

/// `None` if the code alone does not say what a move does.
fn change_of(mv: Move, rules: &Rules) -> Option<Change> {
    Some(match mv.action() {
        Action::Go { from, to, becomes: None } => Change::Step(Step::new(from.0, to.0)),
        Action::Go { from, to, becomes: Some(kind) } => {
            Change::Special(Special::Promotion { from: from.0, to: to.0, kind })
        }
        Action::Drop { kind, to } => Change::Special(Special::Drop { kind, to: to.0 }),
        Action::Castle { from, to } => {
            let mut own =
                rules.castlings().iter().filter(|castling| (castling.royal.0, castling.target) == (from, to));
            let castling = own.next().filter(|_| own.next().is_none())?;
            let [royal, partner] = [castling.royal, castling.partner].map(|(from, to)| (from.0, to.0));
            Change::Special(Special::Castling { royal, partner })
        }
        Action::EnPassant { from, to, victim } | Action::TwoLegs { from, to, middle: victim } => {
            Change::Special(Special::OnTheWay { from: from.0, to: to.0, victim: victim.0 })
        }
        // From a square to itself: nothing changes.
        Action::Pass => Change::Step(Step::new(0, 0)),
    })
}

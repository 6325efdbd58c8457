//! One game of self-play.
//!
//! In: weights, a rate, random numbers. Out: the result, and what the game changes. Never: other games.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_play::{AlphaBetaPlayer, Random};
use ashta_position::{Line, MoveList, Position, Tables};
use ashta_rules::{Hand, Side};

use super::plan::{Bared, LearnCell, LearnPlan, Mode};
use super::rule::{EligibilityTrace, Next};
use crate::random_plies::play_random_plies;

/// Where games of one run are played, in memory that is used again.
pub struct LearningRunner<'a, W> {
    plan: &'a LearnPlan,
    cell: &'a LearnCell,
    start: Position<W>,
    line: Line<W>,
    scratch: Position<W>,
    moves: MoveList,
    player: AlphaBetaPlayer,
    trace: EligibilityTrace,
    before: Vec<f64>,
    after: Vec<f64>,
}

/// How a game went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LearningGame {
    /// How long it was.
    pub n_plies: u32,
    /// 1 if the first side won, 0 if it lost, 1/2 if nobody did; not a number if it was broken off.
    pub result: f64,
}

impl<'a, W: SearchWord> LearningRunner<'a, W> {
    /// A table for a run.
    pub fn new(plan: &'a LearnPlan, cell: &'a LearnCell, tables: &Arc<Tables<W>>) -> LearningRunner<'a, W> {
        let (start, n_weights) = (Position::start(tables.clone()), cell.features.names().len());
        let values = cell.features.values(&cell.features.start());
        LearningRunner {
            plan,
            cell,
            line: Line::new(start.clone()),
            scratch: start.clone(),
            start,
            moves: MoveList::new(),
            player: AlphaBetaPlayer::new(&tables.rules, values, plan.depths()),
            trace: EligibilityTrace::new(cell.lambda, n_weights),
            before: vec![0.0; n_weights],
            after: vec![0.0; n_weights],
        }
    }

    /// Plays game `number` and learns from it: `weights` are what it plays with and what it changes, at once or at the
    /// end as the plan's mode says. Nothing if it was cancelled; the weights then mean nothing.
    pub fn play(&mut self, number: u32, weights: &mut Vec<f64>, cancel: &AtomicBool) -> Option<LearningGame> {
        let mut random = Random::of_game(self.plan.seed, self.cell.purpose, number.into());
        let rate = self.plan.rate.of_game(number);
        let mut changed = weights.clone();
        self.begin(weights, &mut random);
        loop {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(result) = self.result() {
                if !result.is_nan() {
                    self.trace.step(weights, &self.before, Next::Result(result), rate, &mut changed);
                }
                *weights = changed;
                return Some(LearningGame { n_plies: self.line.moves().len() as u32, result });
            }
            self.scratch.clone_from(self.line.position());
            let mv = self.player.choose(&mut self.scratch, &self.moves, &mut random);
            self.line.play_unchecked(mv);
            self.cell.features.count(self.line.position(), &mut self.after);
            let next = Next::Position(&self.after);
            let has_changed = self.trace.step(weights, &self.before, next, rate, &mut changed);
            std::mem::swap(&mut self.before, &mut self.after);
            if has_changed && self.plan.mode == Mode::EveryMove {
                weights.copy_from_slice(&changed);
                self.set_weights(weights);
            }
        }
    }

    fn begin(&mut self, weights: &[f64], random: &mut Random) {
        self.line.restart(&self.start);
        play_random_plies(&mut self.line, self.plan.n_opening_plies.min(self.plan.max_plies), random);
        self.player.begin_game();
        self.trace.begin_game();
        self.set_weights(weights);
        self.cell.features.count(self.line.position(), &mut self.before);
    }

    fn set_weights(&mut self, weights: &[f64]) {
        self.player.set_values(self.cell.rules.rules(), self.cell.features.values(weights));
    }

    /// How the game ended, if it has; the legal moves are listed on the way.
    fn result(&mut self) -> Option<f64> {
        let position = self.line.position();
        self.moves.clear();
        position.generate(&mut self.moves);
        if let Some(outcome) = self.line.outcome_knowing(!self.moves.is_empty()) {
            return Some(result_of(outcome.winner));
        }
        if self.line.moves().len() as u32 >= self.plan.max_plies {
            return Some(0.5);
        }
        // The paper has the rule for games without drops.
        if position.rules().hand() == Hand::Captures {
            return None;
        }
        let bare = (0..2).map(Side).find(|side| position.is_bare(*side))?;
        match self.plan.bared {
            Bared::PlaysOn => None,
            Bared::BreaksOff => Some(f64::NAN),
            Bared::Draws => Some(0.5),
            Bared::Loses => Some(if bare == Side::FIRST { 0.0 } else { 1.0 }),
        }
    }
}

fn result_of(winner: Option<Side>) -> f64 {
    match winner {
        None => 0.5,
        Some(Side::FIRST) => 1.0,
        Some(_) => 0.0,
    }
}

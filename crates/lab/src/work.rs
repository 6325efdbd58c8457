//! One unit of work: a few games of one cell, that depend on nothing but the plan and their numbers.
//!
//! In: a cell, a seed, the number of the unit. Out: its tally; the moves of any one game. Never: other units, threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_play::{Player, Random, Table};
use ashta_position::{CompiledRules, Game, Move, Outcome, Position, Tables, Word};

use crate::plan::{Cell, Experiment};
use crate::tally::UnitTally;
use crate::watch::Watch;

/// Plays a unit; nothing if it was cancelled on the way.
pub fn play_unit(experiment: &Experiment, cell: usize, unit: u32, cancel: &AtomicBool) -> Option<UnitTally> {
    let work = Work { experiment, cell: &experiment.cells[cell], cancel };
    match &work.cell.rules {
        CompiledRules::W64(tables) => work.play(tables, unit),
        CompiledRules::W128(tables) => work.play(tables, unit),
        CompiledRules::W256(tables) => work.play(tables, unit),
    }
}

/// Plays one game of a cell again, for its moves.
pub fn replay(experiment: &Experiment, cell: usize, game: u32) -> (Vec<Move>, Option<Outcome>) {
    let cancel = AtomicBool::new(false);
    let work = Work { experiment, cell: &experiment.cells[cell], cancel: &cancel };
    match &work.cell.rules {
        CompiledRules::W64(tables) => work.replay(tables, game),
        CompiledRules::W128(tables) => work.replay(tables, game),
        CompiledRules::W256(tables) => work.replay(tables, game),
    }
}

/// The start of a cell's games.
pub fn start(cell: &Cell) -> Game {
    Game::start(&cell.rules)
}

struct Work<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    cancel: &'a AtomicBool,
}

impl Work<'_> {
    fn players(&self) -> Vec<Player> {
        let rules = self.cell.rules.rules();
        self.cell.players.iter().map(|plan| Player::new(plan, rules, self.cell.values.as_ref())).collect()
    }

    fn random(&self, game: u32) -> Random {
        Random::of_game(self.experiment.plan.seed, self.cell.purpose, game.into())
    }

    fn play<W: Word>(&self, tables: &Arc<Tables<W>>, unit: u32) -> Option<UnitTally> {
        let mut watch = Watch::new(&self.cell.lead, tables.rules.kinds().len(), self.cancel);
        let mut table = Table::new(Position::start(tables.clone()));
        let mut players = self.players();
        let first = unit * self.cell.games_per_unit;
        for game in first..first + self.cell.games_per_unit {
            table.begin();
            watch.begin(table.line());
            let max_plies = self.experiment.plan.max_plies;
            let outcome = table.play(&mut players, max_plies, &mut self.random(game), &mut watch);
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            watch.finish(table.line(), outcome);
        }
        Some(watch.into_tally())
    }

    fn replay<W: Word>(&self, tables: &Arc<Tables<W>>, game: u32) -> (Vec<Move>, Option<Outcome>) {
        let mut table = Table::new(Position::start(tables.clone()));
        table.begin();
        let max_plies = self.experiment.plan.max_plies;
        let outcome = table.play(&mut self.players(), max_plies, &mut self.random(game), &mut Nobody);
        (table.line().moves().collect(), outcome)
    }
}

struct Nobody;

impl<W> ashta_play::Observer<W> for Nobody {
    fn ply(&mut self, _: &ashta_position::Line<W>, _: u32, _: Move) {}
}

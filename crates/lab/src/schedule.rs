//! Which work unit is played next, and when a cell has enough games.
//!
//! In: finished units. Out: numbers of units to play. Never: how they are played.
//!
//! The stopping rule is evaluated on units in order, so that it does not depend on the timing of threads; units beyond
//! the stop are not counted.

use std::collections::BTreeMap;

use crate::journal::UnitId;
use crate::measures::{Conventions, Measures};
use crate::plan::{Experiment, Stop};
use crate::tally::{GameRow, UnitTally};

/// A part of the work, for several machines: every `of`-th unit, from the `index`-th, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    pub index: u32,
    pub of: u32,
}

/// Fewest games for which an interval is trusted.
const MIN_GAMES: usize = 30;

/// The units of all cells.
#[derive(Debug)]
pub struct Schedule {
    cells: Vec<CellSchedule>,
    shard: Shard,
    /// Units that may be begun before it is known whether they are needed.
    ahead: u32,
    done: BTreeMap<UnitId, UnitTally>,
}

#[derive(Debug)]
struct CellSchedule {
    next: u32,
    /// How many units the cell needs, once that is known.
    n_needed: Option<u32>,
    /// Units in order, without a gap, and their rows.
    in_order: u32,
    rows: Vec<GameRow>,
    /// Units after which the interval is looked at again.
    next_check: u32,
    stop: Stop,
    max_units: u32,
    n_sides: usize,
}

impl Schedule {
    /// The work that is left after what has been done.
    pub fn new(
        experiment: &Experiment,
        done: BTreeMap<UnitId, UnitTally>,
        shard: Shard,
        n_threads: usize,
    ) -> Schedule {
        let cells = experiment.cells.iter().map(|cell| {
            let (stop, size) = (experiment.plan.stop, cell.games_per_unit);
            let (n_needed, max_units) = match stop {
                Stop::Games(n) => (Some(n / size), n / size),
                Stop::Until { most_games, .. } => (None, most_games.div_ceil(size)),
            };
            let n_sides = cell.rules.rules().sides().len();
            CellSchedule {
                next: 0,
                n_needed,
                in_order: 0,
                rows: Vec::new(),
                next_check: 0,
                stop,
                max_units,
                n_sides,
            }
        });
        let ahead = 2 * n_threads as u32;
        let mut schedule = Schedule { cells: cells.collect(), shard, ahead, done };
        (0..schedule.cells.len()).for_each(|cell| schedule.update_cell(cell, experiment.plan.conventions));
        schedule
    }

    /// The next unit to play; nothing if none is known to be needed now.
    pub fn next_unit(&mut self) -> Option<UnitId> {
        loop {
            // The cell that is furthest behind, so that all have an estimate soon.
            let open = self.cells.iter().enumerate().filter(|(_, cell)| cell.may_begin(self.ahead));
            let (at, _) = open.min_by_key(|(_, cell)| cell.next)?;
            let id = UnitId { cell: at as u32, unit: self.cells[at].next };
            self.cells[at].next += 1;
            let mine = (id.cell + id.unit) % self.shard.of == self.shard.index;
            if mine && !self.done.contains_key(&id) {
                return Some(id);
            }
        }
    }

    pub fn finished(&mut self, id: UnitId, tally: UnitTally, conventions: Conventions) {
        self.done.insert(id, tally);
        self.update_cell(id.cell as usize, conventions);
    }

    /// Appends finished units in order and evaluates the stopping rule.
    fn update_cell(&mut self, at: usize, conventions: Conventions) {
        let cell = &mut self.cells[at];
        while cell.n_needed.is_none() {
            let id = UnitId { cell: at as u32, unit: cell.in_order };
            let Some(tally) = self.done.get(&id) else { return };
            cell.rows.extend_from_slice(&tally.rows);
            cell.in_order += 1;
            if cell.has_enough(conventions) {
                cell.n_needed = Some(cell.in_order);
            }
        }
    }

    /// Units done so far.
    pub fn done(&self) -> &BTreeMap<UnitId, UnitTally> {
        &self.done
    }

    /// The tally of each cell, from the units that count; nothing for a cell of which a unit is missing.
    pub fn tallies(&self) -> Vec<Option<UnitTally>> {
        let cell_tally = |at: usize, cell: &CellSchedule| {
            let units = (0..cell.n_needed?).map(|unit| self.done.get(&UnitId { cell: at as u32, unit }));
            let units: Option<Vec<&UnitTally>> = units.collect();
            units.map(UnitTally::merge)
        };
        self.cells.iter().enumerate().map(|(at, cell)| cell_tally(at, cell)).collect()
    }
}

impl CellSchedule {
    fn may_begin(&self, ahead: u32) -> bool {
        match self.n_needed {
            Some(n_needed) => self.next < n_needed,
            None => self.next < self.max_units.min(self.in_order + ahead),
        }
    }

    fn has_enough(&mut self, conventions: Conventions) -> bool {
        let Stop::Until { measure, percent, .. } = self.stop else { return false };
        if self.in_order >= self.max_units {
            return true;
        }
        if self.rows.len() < MIN_GAMES || self.in_order < self.next_check {
            return false;
        }
        // All games are measured anew at every look; a twentieth more of them between looks keeps that cheap.
        self.next_check = self.in_order + self.in_order / 20 + 1;
        let measures = Measures::of(&self.rows, self.n_sides, conventions);
        let estimate = measures.get(measure);
        (estimate.high - estimate.low) / 2.0 <= estimate.value.abs() * percent / 100.0
    }
}

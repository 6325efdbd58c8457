//! How far an experiment has come: games, games a second, time left, the running estimate.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ashta_lab::{Experiment, Measures, Progress, Shard, Stop, UnitId, UnitTally};
use indicatif::{ProgressBar, ProgressStyle};

/// Drawn on the error output; silent where that is no terminal.
pub struct Bar<'a> {
    experiment: &'a Experiment,
    bar: ProgressBar,
    told: RefCell<Option<Instant>>,
}

/// The estimate is made anew at most so often.
const EVERY: Duration = Duration::from_millis(200);

impl<'a> Bar<'a> {
    /// A bar for what is left to do of a shard.
    pub fn new(experiment: &'a Experiment, done: &BTreeMap<UnitId, UnitTally>, shard: Shard) -> Bar<'a> {
        let n_cells = experiment.cells.len() as u64;
        let bar = match experiment.plan.stop {
            Stop::Games(n) => ProgressBar::new(u64::from(n) * n_cells / u64::from(shard.of)),
            Stop::Until { .. } => ProgressBar::no_length(),
        };
        let template = match experiment.plan.stop {
            Stop::Games(_) => "{bar:24} {human_pos}/{human_len} games, {per_sec}, {eta} left  {msg}",
            Stop::Until { .. } => "{spinner} {human_pos} games, {per_sec}  {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done.values().map(|tally| tally.rows.len() as u64).sum());
        bar.reset_eta();
        Bar { experiment, bar, told: RefCell::new(None) }
    }

    /// Shows how far it has come.
    pub fn show(&self, progress: &Progress<'_>) {
        let last = progress.last;
        self.bar.inc(progress.done.get(&last).map_or(0, |tally| tally.rows.len() as u64));
        let mut told = self.told.borrow_mut();
        if self.bar.is_hidden() || told.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        *told = Some(Instant::now());
        let of_cell = progress.done.iter().filter(|(id, _)| id.cell == last.cell);
        let rows: Vec<_> = of_cell.flat_map(|(_, tally)| tally.rows.iter().copied()).collect();
        let cell = &self.experiment.cells[last.cell as usize];
        let n_sides = cell.rules.rules().sides().len();
        let measures = Measures::of(&rows, n_sides, self.experiment.plan.conventions);
        let player = cell.players.first().map(ToString::to_string).unwrap_or_default();
        self.bar.set_message(format!("{}, {player}: E {}", cell.name, measures.complexity));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

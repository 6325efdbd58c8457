//! Progress of an experiment: games, games per second, time left, running estimate.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ashta_lab::{Estimate, Experiment, GameRow, Measure, Measures, Progress, Shard, Stop, UnitId, UnitTally};
use ashta_web::{CellProgress, JobProgress, MeasureProgress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::supervision::ProgressWriter;

/// A progress bar on stderr, if that is a terminal; lines of JSON for the server.
pub struct ExperimentProgress<'a> {
    experiment: &'a Experiment,
    bar: ProgressBar,
    last_shown: RefCell<Option<Instant>>,
    progress_writer: RefCell<ProgressWriter>,
}

const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

impl<'a> ExperimentProgress<'a> {
    pub fn new(
        experiment: &'a Experiment,
        done: &BTreeMap<UnitId, UnitTally>,
        shard: Shard,
    ) -> ExperimentProgress<'a> {
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
        let shown = ExperimentProgress {
            experiment,
            bar,
            last_shown: RefCell::default(),
            progress_writer: RefCell::new(ProgressWriter::new()),
        };
        shown.progress_writer.borrow_mut().write(&shown.bar, || shown.job_progress(done));
        shown
    }

    pub fn show(&self, progress: &Progress<'_>) {
        let last = progress.last;
        self.bar.inc(progress.done.get(&last).map_or(0, |tally| tally.rows.len() as u64));
        self.progress_writer.borrow_mut().write(&self.bar, || self.job_progress(progress.done));
        let mut last_shown = self.last_shown.borrow_mut();
        if self.bar.is_hidden() || last_shown.is_some_and(|at| at.elapsed() < REDRAW_INTERVAL) {
            return;
        }
        *last_shown = Some(Instant::now());
        let of_cell = progress.done.iter().filter(|(id, _)| id.cell == last.cell);
        let rows: Vec<_> = of_cell.flat_map(|(_, tally)| tally.rows.iter().copied()).collect();
        let cell = &self.experiment.cells[last.cell as usize];
        let n_sides = cell.rules.rules().sides().len();
        let measures = Measures::of(&rows, n_sides, self.experiment.plan.conventions);
        let player = cell.players.first().map(ToString::to_string).unwrap_or_default();
        self.bar.set_message(format!("{}, {player}: E {}", cell.name, measures.complexity));
    }

    /// Every cell's estimates, for the server.
    fn job_progress(&self, done: &BTreeMap<UnitId, UnitTally>) -> JobProgress {
        let mut rows = vec![Vec::new(); self.experiment.cells.len()];
        for (id, tally) in done {
            rows[id.cell as usize].extend(tally.rows.iter().copied());
        }
        let cells = rows.iter().enumerate().map(|(at, rows)| self.cell_progress(at, rows)).collect();
        JobProgress { done: self.bar.position(), of: self.bar.length(), cells, ..JobProgress::default() }
    }

    fn cell_progress(&self, at: usize, rows: &[GameRow]) -> CellProgress {
        let cell = &self.experiment.cells[at];
        let n_sides = cell.rules.rules().sides().len();
        let measures = Measures::of(rows, n_sides, self.experiment.plan.conventions);
        let estimate = |measure: Measure| {
            let Estimate { value, low, high, .. } = *measures.get(measure);
            MeasureProgress::new(measure.symbol(), value, low, high)
        };
        CellProgress {
            name: cell.name.clone(),
            game: self.experiment.plan.cells[at].game.clone(),
            players: cell.players.iter().map(ToString::to_string).collect(),
            n_games: rows.len(),
            estimates: Measure::ALL.map(estimate).to_vec(),
            wins: measures.wins.iter().map(|share| share.value).filter(|share| share.is_finite()).collect(),
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

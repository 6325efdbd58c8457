//! Learning from the command line: journal, curves in the terminal, weight files, report.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ashta_lab::UnitId;
use ashta_lab::learn::{
    Chunk, Curves, LearnCell, LearnEnd, LearnError, LearnPlan, LearnProgress, Learning, learn, summary,
};
use ashta_lab::pages::{LearningView, learning_page, unit_of};
use ashta_messages::message;
use ashta_search::write_numbers;
use indicatif::{ProgressBar, ProgressStyle};

use super::folder::RunFolder;
use super::{OutputFormat, cancel_on_interrupt, show};
use crate::cli_error::{CliError, ErrorMessage, Status, print_notice};
use crate::game_arguments::LoadedRules;
use crate::supervision::ProgressWriter;
use crate::weights::HEADER;
use ashta_records::write_atomic;
use ashta_web::{CurveProgress, JobProgress, Series};

/// How learning is run and reported; nothing here changes what is learned.
#[derive(Debug)]
pub struct LearnOptions {
    pub n_threads: usize,
    pub folder: Option<PathBuf>,
    /// Name of the default folder.
    pub default_name: String,
    pub output_format: OutputFormat,
}

impl From<LearnError> for CliError {
    fn from(error: LearnError) -> CliError {
        let hint = match error {
            LearnError::RulesChanged { .. } => message!("cli.rules-changed.hint"),
            LearnError::Runs { .. } => message!("cli.learn-runs.hint"),
            LearnError::Sides { .. } => message!("cli.learn-sides.hint"),
        };
        ErrorMessage::new(error).hint(hint).into()
    }
}

/// Bytes that a game may add to the journal for each weight, and those that the report may need.
const WEIGHT_BYTES: u64 = 12;
const REPORT_BYTES: u64 = 16 << 20;
const MAX_SPACE: u64 = 256 << 20;
/// Decimals of a weight file: finer than two runs ever agree.
const DECIMALS: usize = 5;

/// Runs or resumes a learning plan and writes its report.
pub fn learn_from(
    plan: LearnPlan,
    rules: &mut LoadedRules,
    run_args: &LearnOptions,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let learning = Learning::new(plan, |game| rules.read(game))?;
    let plan = &learning.plan;
    let n_weights: u64 = learning.cells.iter().map(|cell| cell.features.n_worths() as u64).sum();
    let space = (u64::from(plan.n_games) * n_weights * WEIGHT_BYTES + REPORT_BYTES).min(MAX_SPACE);
    let default = format!("{}-{:08x}", run_args.default_name, plan.digest() >> 32);
    let folder = RunFolder::with_disk_space(run_args.folder.as_deref(), &default, space)?;
    let text = serde_json::to_string(plan).unwrap_or_default();
    let (mut journal, contents) = folder.journal_of::<Chunk>(plan.digest(), &text)?;
    let cancel = cancel_on_interrupt();
    let mut live =
        LiveCurves::new(&learning, contents.units.values().map(|chunk| chunk.games.len() as u64).sum());
    live.remember_all(&contents.units);
    let learned = learn(&learning, &mut journal, contents.units, run_args.n_threads, &cancel, |progress| {
        live.show(progress)
    })
    .map_err(|error| ErrorMessage::new(error).hint(message!("cli.journal-kept.hint")))?;
    live.bar.finish_and_clear();
    match learned {
        LearnEnd::Cancelled(n_games) => {
            print_notice(&message!("cli.stopped-games", n = n_games, folder = folder.display()));
            Ok(Status::Partial)
        }
        LearnEnd::Complete(curves) => {
            let view = LearningView::of(plan);
            write_weights(&learning, &curves, &view, &folder)?;
            let (page, table) = learning_page(&learning, &curves, &view);
            show(&page, &table, &folder, run_args.output_format, out)
        }
    }
}

/// A weight file for every run: means over the span for pieces, the last weights for squares, in units of one piece.
fn write_weights(
    learning: &Learning,
    curves: &Curves,
    view: &LearningView,
    folder: &RunFolder,
) -> Result<(), CliError> {
    for (at, cell) in learning.cells.iter().enumerate() {
        let mut weights = curves.weights[at].clone();
        let worths = summary::worths(&curves.games[at], view.span);
        weights.iter_mut().zip(&worths).for_each(|(weight, worth)| *weight = worth.mean);
        let unit = weights[unit_of(cell, view.unit.as_deref())];
        // A unit with a value of zero or less cannot scale the others: weights are then unscaled.
        let scale = if unit > 0.0 { unit } else { 1.0 };
        weights.iter_mut().for_each(|weight| *weight /= scale);
        let (plan, game) = (&learning.plan, &learning.plan.games[cell.game]);
        let head = format!(
            "{HEADER}{} ({}), learned from {} games: lambda {}, run {}, seed {}.\n\
             # Made by: {}\n# As it was learned, 1 here is {scale:.5}: the chance of winning is 1 / (1 + e^-sum).\n",
            game.game,
            game.digest,
            plan.n_games,
            cell.lambda,
            cell.run + 1,
            plan.seed,
            plan.command
        );
        let text = head + &write_numbers(&cell.features.numbers(&weights), cell.rules.rules(), DECIMALS);
        let path = folder.file(&weights_name(&game.name, cell.lambda, cell.run));
        write_atomic(&path, &text).map_err(|error| ErrorMessage::unwritable(&path, &error))?;
    }
    Ok(())
}

fn weights_name(game: &str, lambda: f64, run: u32) -> String {
    let safe: String =
        game.chars().map(|c| if c.is_alphanumeric() || "-+".contains(c) { c } else { '_' }).collect();
    format!("{safe}-lambda{lambda}-run{}.values", run + 1)
}

/// Live curves on stderr, if that is a terminal.
struct LiveCurves<'a> {
    learning: &'a Learning,
    bar: ProgressBar,
    /// For each cell, the weights by number of games.
    seen: Vec<Vec<(u32, Vec<f64>)>>,
    last_shown: Option<Instant>,
    progress_writer: ProgressWriter,
}

/// Most points of a curve sent to the server.
const POINTS: usize = 240;
const REDRAW_INTERVAL: Duration = Duration::from_millis(500);
/// Columns of a curve.
const SPARKS: usize = 24;
const SPARK: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl<'a> LiveCurves<'a> {
    fn new(learning: &'a Learning, n_done: u64) -> LiveCurves<'a> {
        let plan = &learning.plan;
        let bar = ProgressBar::new(u64::from(plan.n_games) * learning.cells.len() as u64);
        let template = "{bar:24} {human_pos}/{human_len} games, {per_sec}, {eta} left\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(n_done);
        bar.reset_eta();
        let seen = vec![Vec::new(); learning.cells.len()];
        LiveCurves { learning, bar, seen, last_shown: None, progress_writer: ProgressWriter::new() }
    }

    /// Chunks of an earlier run, so that curves are complete.
    fn remember_all(&mut self, units: &BTreeMap<UnitId, Chunk>) {
        for (id, chunk) in units {
            self.remember(id.cell as usize, chunk);
        }
    }

    fn remember(&mut self, cell: usize, chunk: &Chunk) {
        let before = self.seen[cell].last().map_or(0, |(n_games, _)| *n_games);
        self.seen[cell].push((before + chunk.games.len() as u32, chunk.weights.clone()));
    }

    fn show(&mut self, progress: &LearnProgress<'_>) {
        self.bar.inc(progress.chunk.games.len() as u64);
        if self.bar.is_hidden() && !self.progress_writer.is_wanted() {
            return;
        }
        self.remember(progress.cell, progress.chunk);
        let (learning, bar, seen) = (self.learning, &self.bar, &self.seen);
        self.progress_writer.write(bar, || job_progress(learning, bar, seen));
        if self.bar.is_hidden() {
            return;
        }
        if self.last_shown.is_some_and(|at| at.elapsed() < REDRAW_INTERVAL) {
            return;
        }
        self.last_shown = Some(Instant::now());
        let cell = &self.learning.cells[progress.cell];
        let mut lines = vec![format!("{}, lambda {}, run {}", cell.name, cell.lambda, cell.run + 1)];
        for (at, name) in cell.features.names()[..cell.features.n_worths()].iter().enumerate() {
            let curve: Vec<f64> = self.seen[progress.cell].iter().map(|(_, weights)| weights[at]).collect();
            let last = curve.last().copied().unwrap_or_default();
            lines.push(format!("{name:>16} {last:>8.4} {}", sparkline(&curve, SPARKS)));
        }
        self.bar.set_message(lines.join("\n"));
    }
}

/// All curves, for the server; long ones are downsampled.
fn job_progress(learning: &Learning, bar: &ProgressBar, seen: &[Vec<(u32, Vec<f64>)>]) -> JobProgress {
    let curve = |(cell, seen): (&LearnCell, &Vec<(u32, Vec<f64>)>)| {
        let step = seen.len().div_ceil(POINTS).max(1);
        let points: Vec<&(u32, Vec<f64>)> = seen.iter().rev().step_by(step).rev().collect();
        let names = &cell.features.names()[..cell.features.n_worths()];
        let values = |at: usize| points.iter().map(|(_, weights)| weights[at]).collect();
        CurveProgress {
            name: cell.name.clone(),
            lambda: cell.lambda,
            run: cell.run + 1,
            n_games: points.iter().map(|(n_games, _)| *n_games).collect(),
            series: names
                .iter()
                .enumerate()
                .map(|(at, name)| Series { name: name.to_string(), values: values(at) })
                .collect(),
        }
    };
    let curves = learning.cells.iter().zip(seen).map(curve).collect();
    JobProgress { done: bar.position(), of: bar.length(), curves, ..JobProgress::default() }
}

/// A curve in one line: from its lowest to its highest value, the last values at the right.
fn sparkline(values: &[f64], n_columns: usize) -> String {
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
    let height = |value: f64| {
        if high > low { SPARK[((value - low) / (high - low) * 7.0).round() as usize] } else { SPARK[0] }
    };
    let n_columns = n_columns.min(values.len());
    let at = |column: usize| values[(column + 1) * values.len() / n_columns.max(1) - 1];
    (0..n_columns).map(|column| height(at(column))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_in_one_line() {
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], 8), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0], 2), "▃█");
        assert_eq!(sparkline(&[2.0, 2.0], 8), "▁▁");
        assert_eq!(sparkline(&[], 8), "");
    }

    #[test]
    fn names_of_weight_files_are_safe() {
        assert_eq!(weights_name("a/b c+d", 0.8, 0), "a_b_c+d-lambda0.8-run1.values");
    }
}

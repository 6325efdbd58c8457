//! What learning curves say: relative values, their spread over runs, how steady they are (Sasaki, about 2004; 004,
//! tables 1 and 2).
//!
//! In: the worths after every game of each run. Out: means over a window of games, with intervals over runs. Never: how
//! they were learned.

use super::chunk::GameLearned;
pub use super::plan::{PAPER_SPAN, Span};
use super::run::Curves;
use crate::estimate::{Estimate, mean};

/// The share of its mean within which a value counts as steady, each way.
const STEADY: f64 = 0.05;

impl Span {
    fn of_games<'a>(&self, games: &'a [GameLearned]) -> &'a [GameLearned] {
        let to = (self.to as usize).min(games.len());
        &games[(self.from as usize - 1).min(to)..to]
    }
}

/// What one weight came to in one run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LearnedValue {
    /// Its mean over the span.
    pub mean: f64,
    /// The share of the span's games after which it was within 5% of that mean.
    pub steadiness: f64,
}

/// Every weight of a run over a span.
pub fn worths(games: &[GameLearned], span: Span) -> Vec<LearnedValue> {
    let games = span.of_games(games);
    let n_worths = games.first().map_or(0, |game| game.worths.len());
    let worth = |at: usize| {
        let values: Vec<f64> = games.iter().map(|game| game.worths[at]).collect();
        LearnedValue { mean: mean(&values), steadiness: steadiness(&values) }
    };
    (0..n_worths).map(worth).collect()
}

/// The share of values within 95% to 105% of their mean.
pub fn steadiness(values: &[f64]) -> f64 {
    let mean = mean(values);
    // A relative nudge: 1.05 - 1 must not exceed 0.05 by a rounding of binary fractions.
    let reach = STEADY * mean.abs() * (1.0 + 1e-9);
    let near = values.iter().filter(|value| (*value - mean).abs() <= reach).count();
    near as f64 / values.len() as f64
}

/// A weight over all runs of one game and lambda.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// Its mean as a multiple of the unit's, with the interval that the runs' spread gives.
    pub relative: Estimate,
    /// Its mean as it was learned.
    pub learned: Estimate,
    /// How steady it was.
    pub steadiness: Estimate,
}

/// The weights of several runs, in units of the one at `unit`.
pub fn spread(curves: &Curves, cells: &[usize], span: Span, unit: usize) -> Vec<Spread> {
    let runs: Vec<Vec<LearnedValue>> = cells.iter().map(|cell| worths(&curves.games[*cell], span)).collect();
    let n_worths = runs.first().map_or(0, Vec::len);
    let over_runs = |number: &dyn Fn(&Vec<LearnedValue>) -> f64| {
        let numbers: Vec<f64> = runs.iter().map(number).collect();
        Estimate::mean(&numbers)
    };
    let one = |at: usize| Spread {
        relative: over_runs(&|run| run[at].mean / run[unit].mean),
        learned: over_runs(&|run| run[at].mean),
        steadiness: over_runs(&|run| run[at].steadiness),
    };
    (0..n_worths).map(one).collect()
}

/// How the games of a run went.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RunSummary {
    /// Won by the first side.
    pub first: usize,
    /// Won by the second.
    pub second: usize,
    /// Drawn.
    pub drawn: usize,
    /// Broken off.
    pub broken_off: usize,
    /// Plies of all.
    pub n_plies: u64,
}

/// Counts how games went.
pub fn run_summary(games: &[GameLearned]) -> RunSummary {
    let mut run_summary = RunSummary::default();
    for game in games {
        run_summary.n_plies += u64::from(game.n_plies);
        match game.result {
            result if result.is_nan() => run_summary.broken_off += 1,
            result if result > 0.5 => run_summary.first += 1,
            result if result < 0.5 => run_summary.second += 1,
            _ => run_summary.drawn += 1,
        }
    }
    run_summary
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(worths: &[f64]) -> GameLearned {
        GameLearned { n_plies: 10, result: 1.0, worths: worths.to_vec() }
    }

    #[test]
    fn the_span_is_the_papers_or_the_last_games() {
        assert_eq!(Span::of(10_000), PAPER_SPAN);
        assert_eq!(Span::of(120), Span { from: 110, to: 120 });
        assert_eq!(Span::of(1), Span { from: 1, to: 1 });
        let games: Vec<GameLearned> = (1..=20).map(|n| game(&[f64::from(n)])).collect();
        assert_eq!(worths(&games, Span { from: 19, to: 20 })[0].mean, 19.5);
    }

    #[test]
    fn steadiness_is_the_share_near_the_mean() {
        assert_eq!(steadiness(&[1.0, 1.0, 1.0, 1.0]), 1.0);
        // Mean 1: 0.95 and 1.05 are within, 0.9 and 1.1 are not.
        assert_eq!(steadiness(&[0.95, 1.05, 0.9, 1.1]), 0.5);
        assert_eq!(steadiness(&[0.0, 2.0]), 0.0);
    }

    #[test]
    fn runs_give_the_interval() {
        let games = vec![vec![game(&[0.5, 1.0])], vec![game(&[0.5, 1.05])], vec![game(&[0.4, 0.82])]];
        let curves = Curves { games, weights: Vec::new() };
        let spread = spread(&curves, &[0, 1, 2], Span::of(1), 0);
        assert_eq!((spread[0].relative.value, spread[0].relative.has_interval()), (1.0, false));
        let other = spread[1].relative;
        assert!(other.has_interval() && (other.low..other.high).contains(&2.05), "{other}");
    }
}

//! Axes: titles, ticks, and the position of a value in pixels.
//!
//! In: a range of values and a range of pixels. Out: nice ticks, their labels, places. Never: what is measured.

use ashta_messages::{Arg, ToArg};
use plotters::coord::ranged1d::{BoldPoints, Ranged};
use plotters::coord::types::RangedCoordf64;

/// What an axis shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// What is measured, with its unit.
    pub title: Arg,
    /// How its values are written.
    pub form: NumberFormat,
}

/// How values are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberFormat {
    /// As they are.
    Plain,
    /// Shares, as percent.
    Percent,
}

impl Axis {
    /// Values as they are.
    pub fn plain(title: impl ToArg) -> Axis {
        Axis { title: title.to_arg(), form: NumberFormat::Plain }
    }

    /// Shares, written as percent.
    pub fn percent(title: impl ToArg) -> Axis {
        Axis { title: title.to_arg(), form: NumberFormat::Percent }
    }
}

/// Values from `low` to `high` laid on pixels from `start` to `end`.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    pub start: f64,
    pub end: f64,
}

impl Scale {
    pub fn at(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// About `n` ticks at round values.
    pub fn ticks(&self, n: usize) -> Vec<f64> {
        let coordinate = RangedCoordf64::from(self.low..self.high);
        let found = coordinate.key_points(BoldPoints(n));
        // Plotters counts up in floating point: 0.30000000000000004 is 0.3, and 1e-17 is 0.
        let step = found.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let round = |tick: f64| if step.is_finite() { (tick / step).round() * step } else { tick };
        found
            .into_iter()
            .map(round)
            .filter(|tick| *tick >= self.low - 1e-9 && *tick <= self.high + 1e-9)
            .collect()
    }
}

/// Labels of ticks, all with the places that their step needs.
pub(super) fn tick_labels(ticks: &[f64], form: NumberFormat) -> Vec<String> {
    let factor = match form {
        NumberFormat::Plain => 1.0,
        NumberFormat::Percent => 100.0,
    };
    let step = ticks.windows(2).map(|pair| (pair[1] - pair[0]).abs() * factor).fold(f64::INFINITY, f64::min);
    let places = (0..9).find(|places| is_whole(step * 10f64.powi(*places))).unwrap_or(0) as usize;
    let sign = match form {
        NumberFormat::Plain => "",
        NumberFormat::Percent => "%",
    };
    ticks.iter().map(|tick| format!("{:.places$}{sign}", tick * factor + 0.0)).collect()
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-6 * value.abs().max(1.0)
}

/// The range an axis should show for these values: from 0 unless they are far from it, with room at the ends.
pub(super) fn range_for(values: impl IntoIterator<Item = f64>, form: NumberFormat) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return (0.0, 1.0);
    }
    let low = if low >= 0.0 && low < 0.7 * high { 0.0 } else { low };
    let room = 0.06 * if high > low { high - low } else { high.abs().max(1e-9) };
    let wide_low = if low == 0.0 { 0.0 } else { low - room };
    match form {
        NumberFormat::Plain => (wide_low, high + room),
        NumberFormat::Percent if low >= 0.0 && high <= 1.0 => (wide_low.max(0.0), (high + room).min(1.0)),
        NumberFormat::Percent => (wide_low, high + room),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_labelled_alike() {
        let scale = Scale { low: 0.0, high: 0.0743, start: 0.0, end: 100.0 };
        let ticks = scale.ticks(8);
        assert!(ticks.len() >= 3 && ticks.len() <= 8, "{ticks:?}");
        assert_eq!(tick_labels(&[0.0, 0.02, 0.04], NumberFormat::Plain), ["0.00", "0.02", "0.04"]);
        assert_eq!(tick_labels(&[0.0, 0.2, 0.4], NumberFormat::Percent), ["0%", "20%", "40%"]);
        assert_eq!(tick_labels(&[-0.5, 0.0], NumberFormat::Plain), ["-0.5", "0.0"]);
    }

    #[test]
    fn ranges_have_room() {
        assert_eq!(range_for([], NumberFormat::Plain), (0.0, 1.0));
        assert_eq!(range_for([f64::NAN, f64::INFINITY], NumberFormat::Plain), (0.0, 1.0));
        assert_eq!(range_for([0.2, 1.0], NumberFormat::Percent), (0.0, 1.0));
        let (low, high) = range_for([90.0, 100.0], NumberFormat::Plain);
        assert!(low > 80.0 && low < 90.0 && high > 100.0);
        assert!(range_for([3.0], NumberFormat::Plain).1 > 3.0);
    }
}

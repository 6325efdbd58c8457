//! Points with 95% intervals: a measure by game and player, and the effects of changes around 0.
//!
//! In: estimates and differences. Out: SVG. Never: how they were measured.

use ashta_messages::{Arg, Language, message};
use plotters::style::RGBColor;

use super::Width;
use super::axis::{Axis, range_for};
use super::canvas::{Canvas, Ink, PAPER, Point, SOFT, ThemedColour};
use super::rows::Rows;
use crate::compare::Difference;
use crate::estimate::Estimate;

/// One game, with an estimate for each series (player) that played it.
#[derive(Clone, PartialEq, Debug)]
pub struct PointsRow {
    /// The game's name.
    pub name: Arg,
    /// One estimate for each series; nothing where it was not played.
    pub points: Vec<Option<Estimate>>,
}

/// One effect.
#[derive(Clone, PartialEq, Debug)]
pub struct EffectRow {
    /// What has the effect.
    pub name: Arg,
    /// The effect.
    pub difference: Difference,
}

/// A measure by game (rows) and player (series), with 95% intervals.
#[derive(Clone, PartialEq, Debug)]
pub struct PointsFigure {
    /// What each mark stands for.
    pub series: Vec<Arg>,
    /// The rows.
    pub rows: Vec<PointsRow>,
    /// The measure.
    pub axis: Axis,
}

const LINE_HEIGHT: f64 = 15.0;

impl PointsFigure {
    pub(super) fn draw(&self, width: Width, language: Language) -> String {
        let PointsFigure { series, rows, axis } = self;
        let estimates = || rows.iter().flat_map(|row| row.points.iter().flatten());
        let values = estimates().flat_map(|e| [e.value, e.low, e.high]);
        let most_lines = rows.iter().map(|row| shown(row).len()).max().unwrap_or(0).max(1);
        let layout = Rows {
            names: rows.iter().map(|row| row.name.text(language)).collect(),
            inner_height: LINE_HEIGHT * most_lines as f64,
            range: range_for(values, axis.form),
            axis,
            legend: series.iter().map(|name| name.text(language)).collect(),
            width,
            language,
        };
        layout.draw(
            |canvas, scale, n, middle| {
                let points = shown(&rows[n]);
                let first = middle - LINE_HEIGHT * (points.len() as f64 - 1.0) / 2.0;
                for (line, (at, point)) in points.into_iter().enumerate() {
                    let y = first + LINE_HEIGHT * line as f64;
                    let ends = [point.low, point.high].map(|end| scale.at(end));
                    interval(canvas, ends, y, series_colour(at));
                    marker(canvas, at, (scale.at(point.value), y));
                }
            },
            marker,
        )
    }
}

/// Only those who played have a line.
fn shown(row: &PointsRow) -> Vec<(usize, Estimate)> {
    let finite = |point: &Estimate| point.value.is_finite();
    row.points.iter().enumerate().filter_map(|(n, point)| point.filter(finite).map(|p| (n, p))).collect()
}

/// Effects as a forest: a point and its interval around 0; hollow where the interval holds 0.
#[derive(Clone, PartialEq, Debug)]
pub struct EffectsFigure {
    rows: Vec<EffectRow>,
    axis: Axis,
}

impl EffectsFigure {
    /// These effects.
    pub fn new(rows: Vec<EffectRow>, axis: Axis) -> EffectsFigure {
        EffectsFigure { rows, axis }
    }

    pub(super) fn draw(&self, width: Width, language: Language) -> String {
        let legend = [message!("lab.effect-clear"), message!("lab.effect-unclear")];
        let ends = self.rows.iter().flat_map(|row| [row.difference.low, row.difference.high, 0.0]);
        let (low, high) = range_for(ends, self.axis.form);
        let layout = Rows {
            names: self.rows.iter().map(|row| row.name.text(language)).collect(),
            inner_height: 18.0,
            range: (low.min(-0.04 * high), high.max(-0.04 * low)),
            axis: &self.axis,
            legend: legend.iter().map(|name| name.text(language)).collect(),
            width,
            language,
        };
        layout.draw(
            |canvas, scale, n, middle| {
                let zero = scale.at(0.0);
                canvas.line(&[(zero, middle - 15.0), (zero, middle + 15.0)], Ink::new(SOFT, 1.6));
                let Difference { value, low, high, .. } = self.rows[n].difference;
                if value.is_finite() {
                    interval(canvas, [scale.at(low), scale.at(high)], middle, series_colour(0));
                    let mark = if low > 0.0 || high < 0.0 { dot } else { ring };
                    mark(canvas, (scale.at(value), middle));
                }
            },
            |canvas, n, at| if n == 0 { dot(canvas, at) } else { ring(canvas, at) },
        )
    }
}

fn dot(canvas: &Canvas<'_>, at: Point) {
    canvas.disc(at, 6.0, Ink::new(series_colour(0), 0.0));
}

fn ring(canvas: &Canvas<'_>, at: Point) {
    dot(canvas, at);
    canvas.disc(at, 4.0, Ink::new(PAPER, 0.0));
}

fn interval(canvas: &Canvas<'_>, [low, high]: [f64; 2], y: f64, colour: RGBColor) {
    let ink = Ink::new(colour, 1.8);
    canvas.line(&[(low, y), (high, y)], ink);
    // Caps only where they would not hide under the marker.
    if high - low > 10.0 {
        [low, high].iter().for_each(|x| canvas.line(&[(*x, y - 4.0), (*x, y + 4.0)], ink));
    }
}

/// Four colours of different lightness.
pub(super) const SERIES: [ThemedColour; 4] = [
    ThemedColour(RGBColor(16, 62, 110), RGBColor(116, 174, 232)),
    ThemedColour(RGBColor(214, 106, 20), RGBColor(240, 150, 74)),
    ThemedColour(RGBColor(31, 138, 112), RGBColor(52, 160, 132)),
    ThemedColour(RGBColor(150, 64, 140), RGBColor(200, 118, 190)),
];

/// The colour of a series.
pub(super) fn series_colour(n: usize) -> RGBColor {
    SERIES[n % SERIES.len()].0
}

/// The marker of a series: four shapes, then the same four hollow.
fn marker(canvas: &Canvas<'_>, n: usize, at: Point) {
    let colour = series_colour(n);
    shape(canvas, n, at, 5.6, Ink::new(colour, 0.0));
    if (n / SERIES.len()) % 2 == 1 {
        shape(canvas, n, at, 3.2, Ink::new(PAPER, 0.0));
    }
}

fn shape(canvas: &Canvas<'_>, n: usize, (x, y): Point, r: f64, ink: Ink) {
    match n % SERIES.len() {
        0 => canvas.disc((x, y), r, ink),
        1 => canvas.rectangle((x - r * 0.88, y - r * 0.88), (x + r * 0.88, y + r * 0.88), ink),
        2 => canvas
            .polygon(&[(x, y - r * 1.2), (x + r * 1.15, y + r * 0.85), (x - r * 1.15, y + r * 0.85)], ink),
        _ => {
            let r = r * 1.3;
            canvas.polygon(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)], ink);
        }
    }
}

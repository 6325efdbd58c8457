//! What happens along a game: legal moves by ply, and how long games are.
//!
//! In: sums by ply, lengths of games. Out: SVG. Never: who plays.

use ashta_messages::{Arg, Language, ToArg, message};

use super::Width;
use super::axis::{Axis, Scale};
use super::canvas::{Canvas, Ink, LabelStyle, Point, SOFT, TEXT};
use super::marks::series_colour;
use super::panels::{CurveAxes, Panels};
use crate::tally::PlyTally;

/// Legal moves at each ply of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct PlyCurve {
    /// The game's name.
    pub name: Arg,
    /// Mean and standard deviation between games, from the first ply.
    pub points: Vec<(f64, f64)>,
}

impl PlyCurve {
    /// The curve of a tally. It ends where fewer than a twentieth of the games, or fewer than ten, are still going on:
    /// beyond, the mean is that of a few strange games.
    pub fn new(name: impl ToArg, by_ply: &[PlyTally]) -> PlyCurve {
        let least = by_ply.first().map_or(0, |ply| ply.n_games.div_ceil(20).max(ply.n_games.min(10)));
        let reached = by_ply.iter().take_while(|ply| ply.n_games >= least.max(1));
        let point = |ply: &PlyTally| Some((ply.mean_moves()?, ply.deviation_of_moves().unwrap_or(0.0)));
        PlyCurve { name: name.to_arg(), points: reached.filter_map(point).collect() }
    }
}

/// Lengths of the games of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LengthSample {
    /// The game's name.
    pub name: Arg,
    /// Plies of each game.
    pub n_plies: Vec<u32>,
}

/// Legal moves by ply: the mean as a line, one standard deviation each way as a band; the other games' means in grey.
#[derive(Clone, PartialEq, Debug)]
pub struct MovesFigure {
    curves: Vec<PlyCurve>,
    axes: CurveAxes,
}

impl MovesFigure {
    /// These games' curves.
    pub fn new(curves: Vec<PlyCurve>) -> MovesFigure {
        let (x, y) = (message!("lab.ply-axis"), message!("lab.moves-axis"));
        MovesFigure { curves, axes: CurveAxes { x: Axis::plain(x), y: Axis::plain(y) } }
    }

    pub(super) fn draw(&self, width: Width, language: Language) -> String {
        let curves = &self.curves;
        let longest = curves.iter().map(|curve| curve.points.len()).max().unwrap_or(0);
        let highest =
            curves.iter().flat_map(|curve| &curve.points).map(|(mean, sd)| mean + sd).fold(1.0, f64::max);
        let panels = Panels {
            names: curves.iter().map(|curve| curve.name.text(language)).collect(),
            axes: &self.axes,
            x_range: (0.0, longest.max(2) as f64),
            y_range: (0.0, highest * 1.04),
            most_columns: 3,
            width,
            language,
        };
        panels.draw(|canvas, x, y, n| {
            let place = |(ply, value): (f64, f64)| (x.at(ply), y.at(value));
            for (_, other) in curves.iter().enumerate().filter(|(other, _)| *other != n) {
                let line: Vec<Point> =
                    thinned(&other.points, x).map(|(ply, mean, _)| place((ply, mean))).collect();
                canvas.line(&line, Ink::new(SOFT, 0.8).faded(0.35));
            }
            let points: Vec<_> = thinned(&curves[n].points, x).collect();
            let upper = points.iter().map(|(ply, mean, sd)| place((*ply, mean + sd)));
            let lower = points.iter().rev().map(|(ply, mean, sd)| place((*ply, mean - sd)));
            let colour = series_colour(0);
            canvas.polygon(&upper.chain(lower).collect::<Vec<_>>(), Ink::new(colour, 0.0).faded(0.2));
            let line: Vec<Point> = points.iter().map(|(ply, mean, _)| place((*ply, *mean))).collect();
            canvas.line(&line, Ink::new(colour, 2.2));
        })
    }
}

/// Not more points than the eye can tell apart, one in two pixels: plies that fall together are averaged.
fn thinned<'a>(points: &'a [(f64, f64)], x: &Scale) -> impl Iterator<Item = (f64, f64, f64)> + 'a {
    let n_places = ((x.end - x.start) / 2.0).max(1.0);
    let group = ((x.high - x.low) / n_places).ceil().max(1.0) as usize;
    points.chunks(group).enumerate().map(move |(n, chunk)| {
        let count = chunk.len() as f64;
        let ply = (n * group) as f64 + (count + 1.0) / 2.0;
        let sum = chunk.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        (ply, sum.0 / count, sum.1 / count)
    })
}

/// Distribution of game lengths: the share of games in each bin of plies, with the median marked.
#[derive(Clone, PartialEq, Debug)]
pub struct LengthsFigure {
    samples: Vec<LengthSample>,
    axes: CurveAxes,
}

impl LengthsFigure {
    /// The lengths of these games.
    pub fn new(samples: Vec<LengthSample>) -> LengthsFigure {
        let bin = bin_plies(longest(&samples));
        let axes = CurveAxes {
            x: Axis::plain(message!("lab.length-axis")),
            y: Axis::percent(message!("lab.length-share-axis", n = bin)),
        };
        LengthsFigure { samples, axes }
    }

    pub(super) fn draw(&self, width: Width, language: Language) -> String {
        let (samples, bin) = (&self.samples, bin_plies(longest(&self.samples)));
        let n_bins = (longest(samples) / bin + 1) as usize;
        let histograms: Vec<Vec<f64>> =
            samples.iter().map(|sample| histogram(&sample.n_plies, bin, n_bins)).collect();
        let highest = histograms.iter().flatten().copied().fold(0.0, f64::max);
        let panels = Panels {
            names: samples.iter().map(|sample| sample.name.text(language)).collect(),
            axes: &self.axes,
            x_range: (0.0, n_bins as f64 * f64::from(bin)),
            y_range: (0.0, if highest > 0.0 { (highest * 1.1).min(1.0) } else { 1.0 }),
            most_columns: 3,
            width,
            language,
        };
        panels.draw(|canvas, x, y, n| {
            draw_histogram(canvas, x, y, &histograms[n], f64::from(bin));
            if let Some(median) = median(&samples[n].n_plies) {
                draw_median(canvas, (x, y), median, language);
            }
        })
    }
}

fn draw_median(canvas: &Canvas<'_>, (x, y): (&Scale, &Scale), median: u32, language: Language) {
    let at = x.at(f64::from(median));
    canvas.dashes(&[(at, y.start), (at, y.end)], 5.0, 4.0, Ink::new(TEXT, 1.4));
    let (words, shift) = if at > (x.start + x.end) / 2.0 {
        (LabelStyle::new(12.0).ending(), -6.0)
    } else {
        (LabelStyle::new(12.0), 6.0)
    };
    let label = message!("lab.median", n = median).text(language);
    canvas.text(&label, (at + shift, y.end + 9.0), words);
}

fn longest(samples: &[LengthSample]) -> u32 {
    samples.iter().flat_map(|sample| &sample.n_plies).copied().max().unwrap_or(0)
}

fn draw_histogram(canvas: &Canvas<'_>, x: &Scale, y: &Scale, shares: &[f64], bin: f64) {
    let mut outline = vec![(x.start, y.start)];
    for (n, share) in shares.iter().enumerate() {
        let (from, to) = (x.at(n as f64 * bin), x.at((n + 1) as f64 * bin));
        outline.extend([(from, y.at(*share)), (to, y.at(*share))]);
    }
    outline.push((x.end, y.start));
    let colour = series_colour(0);
    canvas.polygon(&outline, Ink::new(colour, 0.0).faded(0.3));
    canvas.line(&outline, Ink::new(colour, 1.4));
}

/// About forty bins of a round length.
fn bin_plies(longest: u32) -> u32 {
    let wanted = longest / 40;
    [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500]
        .into_iter()
        .find(|bin| *bin >= wanted)
        .unwrap_or(wanted.max(1))
}

fn histogram(n_plies: &[u32], bin: u32, n_bins: usize) -> Vec<f64> {
    let mut counts = vec![0usize; n_bins];
    n_plies.iter().for_each(|length| counts[(length / bin) as usize] += 1);
    counts.iter().map(|count| *count as f64 / n_plies.len().max(1) as f64).collect()
}

fn median(n_plies: &[u32]) -> Option<u32> {
    let mut sorted = n_plies.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

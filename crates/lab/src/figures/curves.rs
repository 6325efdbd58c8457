//! Curves that are named at their end: what was learned, by game played.
//!
//! In: series of numbers with names, in panels. Out: SVG. Never: what the numbers mean.

use ashta_messages::{Arg, Language};

use super::Width;
use super::axis::{Scale, range_for};
use super::canvas::{Canvas, Ink, LabelStyle, Point, text_width};
use super::marks::series_colour;
use super::panels::{CurveAxes, Panels};

/// The curves of one panel.
#[derive(Clone, PartialEq, Debug)]
pub struct CurvePanel {
    /// What it shows.
    pub name: Arg,
    /// Each curve with its name: one value for each game, from the first.
    pub curves: Vec<(Arg, Vec<f64>)>,
}

/// How a curve is drawn, so that printed in grey it is told from others: its width, and dash and gap if it has them.
const STROKES: [(f64, Option<(f64, f64)>); 6] = [
    (1.8, None),
    (1.5, Some((7.0, 3.0))),
    (0.9, None),
    (1.5, Some((2.5, 2.5))),
    (2.6, Some((10.0, 4.0))),
    (2.6, None),
];
const NAME_SIZE: f64 = 11.0;
/// Between the end of a curve and its name.
const GAP: f64 = 8.0;
/// Names closer than this are moved apart.
const NAME_HEIGHT: f64 = 14.0;

/// Every panel with its curves, all to one scale.
#[derive(Clone, PartialEq, Debug)]
pub struct CurvesFigure {
    /// The panels.
    pub panels: Vec<CurvePanel>,
    /// What their axes show.
    pub axes: CurveAxes,
}

impl CurvesFigure {
    pub(super) fn draw(&self, width: Width, language: Language) -> String {
        let CurvesFigure { panels, axes } = self;
        let curves = || panels.iter().flat_map(|panel| &panel.curves);
        let longest = curves().map(|(_, values)| values.len()).max().unwrap_or(0).max(2) as f64;
        let values = curves().flat_map(|(_, values)| values.iter().copied());
        let mut sheet = Panels {
            names: panels.iter().map(|panel| panel.name.text(language)).collect(),
            axes,
            x_range: (0.0, longest),
            y_range: range_for(values, axes.y.form),
            most_columns: 2,
            width,
            language,
        };
        // The axis goes on beyond the curves, for their names.
        let names =
            curves().map(|curve| text_width(&ending(curve, language), NAME_SIZE)).fold(0.0, f64::max) + GAP;
        sheet.x_range.1 *= sheet.plot_width() / (sheet.plot_width() - names).max(sheet.plot_width() / 3.0);
        sheet.draw(|canvas, x, y, n| draw_panel(canvas, (x, y), &panels[n], language))
    }
}

fn draw_panel(canvas: &Canvas<'_>, (x, y): (&Scale, &Scale), panel: &CurvePanel, language: Language) {
    let mut names: Vec<(usize, f64, f64)> = Vec::new();
    for (n, (_, values)) in panel.curves.iter().enumerate() {
        let points: Vec<Point> = thinned(values, x, y);
        let (thick, dashed) = STROKES[n % STROKES.len()];
        let ink = Ink::new(series_colour(n), thick);
        match dashed {
            None => canvas.line(&points, ink),
            Some((dash, gap)) => canvas.dashes(&points, dash, gap, ink),
        }
        if let Some((end, height)) = points.last() {
            names.push((n, *end, *height));
        }
    }
    names.sort_by(|a, b| a.2.total_cmp(&b.2));
    let heights: Vec<f64> = names.iter().map(|(.., height)| *height).collect();
    for ((n, end, height), place) in names.into_iter().zip(apart(&heights, y)) {
        let words = LabelStyle { colour: series_colour(n), ..LabelStyle::new(NAME_SIZE) };
        canvas.line(&[(end, height), (end + GAP - 2.0, place)], Ink::new(series_colour(n), 0.6));
        canvas.text(&ending(&panel.curves[n], language), (end + GAP, place), words);
    }
}

/// What stands at the end of a curve: its name and its last value.
fn ending((name, values): &(Arg, Vec<f64>), language: Language) -> String {
    format!("{} {:.2}", name.text(language), values.last().copied().unwrap_or(f64::NAN))
}

/// Places for names that want to be at these heights, from the top: moved down until none meets another, and up again
/// until the last is above the axis.
fn apart(heights: &[f64], y: &Scale) -> Vec<f64> {
    let mut places = heights.to_vec();
    for n in 1..places.len() {
        places[n] = places[n].max(places[n - 1] + NAME_HEIGHT);
    }
    let mut lowest = y.start - NAME_HEIGHT / 2.0;
    for place in places.iter_mut().rev() {
        *place = place.min(lowest);
        lowest = *place - NAME_HEIGHT;
    }
    places
}

/// Not more points than the eye can tell apart, one in two pixels: games that fall together are averaged.
fn thinned(values: &[f64], x: &Scale, y: &Scale) -> Vec<Point> {
    let n_places = ((x.at(values.len() as f64) - x.start) / 2.0).max(1.0);
    let group = (values.len() as f64 / n_places).ceil().max(1.0) as usize;
    let chunk = |(n, chunk): (usize, &[f64])| {
        let middle = (n * group) as f64 + (chunk.len() as f64 + 1.0) / 2.0;
        (x.at(middle), y.at(chunk.iter().sum::<f64>() / chunk.len() as f64))
    };
    values.chunks(group).enumerate().map(chunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_moved_apart_and_stay_above_the_axis() {
        let y = Scale { low: 0.0, high: 1.0, start: 100.0, end: 0.0 };
        assert_eq!(apart(&[10.0, 50.0], &y), [10.0, 50.0]);
        assert_eq!(apart(&[10.0, 12.0, 13.0], &y), [10.0, 24.0, 38.0]);
        assert_eq!(apart(&[90.0, 92.0, 95.0], &y), [65.0, 79.0, 93.0]);
    }
}

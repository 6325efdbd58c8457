//! The lattice of rule changes as a graph: from the old game on the left to the new one on the right, height is the
//! measure.
//!
//! In: a lattice and a path through it. Out: SVG. Never: which path is best.
//!
//! A solid line is a change that raises the measure, a dashed one lowers it, the thicker the more; the path is thick and
//! dark. Each game is labelled with the letters of its changes; what the letters mean stands below.

use ashta_messages::{Arg, Language, Message, ToArg, message};

use super::Width;
use super::axis::{Axis, Scale, range_for, tick_labels};
use super::canvas::{Canvas, GRID, Ink, LabelStyle, PAPER, Point, SOFT, TEXT, draw, text_width, wrapped};
use super::marks::series_colour;
use crate::effects::Lattice;

/// A lattice, what it measures, and the path to show.
#[derive(Clone, PartialEq, Debug)]
pub struct LatticeFigure {
    lattice: Lattice,
    axis: Axis,
    path: Vec<usize>,
    path_name: Arg,
}

const SIZE: f64 = 14.0;
const LABEL_SIZE: f64 = 13.0;
/// More changes than this, and only the games of the path are labelled.
const MAX_LABELLED: usize = 5;

impl LatticeFigure {
    /// A lattice of this measure, with a path of changes in order (empty for none) and what the legend calls it.
    pub fn new(lattice: Lattice, axis: Axis, path: Vec<usize>, path_name: impl ToArg) -> LatticeFigure {
        LatticeFigure { lattice, axis, path, path_name: path_name.to_arg() }
    }

    pub(super) fn draw(&self, width: Width, language: Language) -> String {
        let layout = LatticeLayout::new(self, width, language);
        draw(width.pixels(), layout.height, |canvas| {
            layout.draw_axes(canvas);
            layout.draw_edges(canvas);
            layout.draw_path(canvas);
            layout.draw_nodes(canvas);
            layout.draw_legend(canvas);
            layout.draw_key(canvas);
        })
    }
}

struct LatticeLayout<'a> {
    figure: &'a LatticeFigure,
    width: Width,
    language: Language,
    x: Scale,
    y: Scale,
    key: Vec<String>,
    height: f64,
    on_path: Vec<usize>,
    largest_rise: f64,
}

impl LatticeLayout<'_> {
    fn new(figure: &LatticeFigure, width: Width, language: Language) -> LatticeLayout<'_> {
        let (k, cells) = (figure.lattice.names().len(), figure.lattice.cells());
        let (low, high) =
            tight(range_for(cells.iter().flat_map(|c| [c.low, c.high, c.value]), figure.axis.form), cells);
        let (plot, pixels) = (if width == Width::Wide { 520.0 } else { 420.0 }, width.pixels());
        let top = if width == Width::Wide { 40.0 } else { 62.0 };
        let room = match width {
            Width::Wide => text_width(&format!("{} 0.00000", letters((1 << k) - 1)), LABEL_SIZE),
            Width::Narrow => text_width(&letters((1 << k) - 1), LABEL_SIZE),
        };
        let key = key_lines(figure.lattice.names().iter().map(|name| name.text(language)), pixels - 20.0);
        let on_path = figure.path.iter().scan(0, |at, change| {
            *at |= 1 << change;
            Some(*at)
        });
        let edges = edges(k).map(|(from, to)| (cells[to].value - cells[from].value).abs());
        LatticeLayout {
            figure,
            width,
            language,
            x: Scale { low: 0.0, high: k as f64, start: 86.0, end: pixels - room - 20.0 },
            y: Scale { low, high, start: top + plot, end: top },
            height: top + plot + 66.0 + 20.0 * key.len() as f64,
            key,
            on_path: std::iter::once(0).chain(on_path).collect(),
            largest_rise: edges.filter(|rise| rise.is_finite()).fold(f64::MIN_POSITIVE, f64::max),
        }
    }

    fn told(&self, words: &Message) -> String {
        words.text(self.language)
    }

    fn at(&self, cell: usize) -> Point {
        let value = self.figure.lattice.cells()[cell].value;
        let shown = if value.is_finite() { value } else { self.y.low };
        (self.x.at(f64::from(cell.count_ones())), self.y.at(shown))
    }

    fn draw_axes(&self, canvas: &Canvas<'_>) {
        let ticks = self.y.ticks(8);
        for (tick, label) in ticks.iter().zip(tick_labels(&ticks, self.figure.axis.form)) {
            let y = self.y.at(*tick);
            canvas.line(&[(self.x.start - 8.0, y), (self.width.pixels() - 8.0, y)], Ink::new(GRID, 1.0));
            canvas.text(&label, (self.x.start - 14.0, y), LabelStyle::new(LABEL_SIZE).soft().ending());
        }
        let k = self.figure.lattice.names().len();
        for n in 0..=k {
            let at = (self.x.at(n as f64), self.y.start + 14.0);
            canvas.text(&n.to_string(), at, LabelStyle::new(LABEL_SIZE).soft().centred().below());
        }
        let middle = (self.x.start + self.x.end) / 2.0;
        let below = (middle, self.y.start + 34.0);
        canvas.text(
            &self.told(&message!("lab.lattice-changes-axis")),
            below,
            LabelStyle::new(SIZE).centred().below(),
        );
        let beside = (14.0, (self.y.start + self.y.end) / 2.0);
        canvas.text(
            &self.figure.axis.title.text(self.language),
            beside,
            LabelStyle::new(SIZE).centred().upwards(),
        );
    }

    fn draw_edges(&self, canvas: &Canvas<'_>) {
        let k = self.figure.lattice.names().len();
        let cells = self.figure.lattice.cells();
        let opacity = if k > MAX_LABELLED { 0.25 } else { 0.6 };
        for (from, to) in edges(k) {
            let rise = cells[to].value - cells[from].value;
            let width = 0.7 + 2.3 * (rise.abs() / self.largest_rise).min(1.0);
            let line = [self.at(from), self.at(to)];
            if rise < 0.0 {
                canvas.dashes(&line, 5.0, 4.0, Ink::new(series_colour(1), width).faded(opacity + 0.2));
            } else {
                canvas.line(&line, Ink::new(series_colour(0), width).faded(opacity * 0.7));
            }
        }
    }

    fn draw_path(&self, canvas: &Canvas<'_>) {
        let points: Vec<Point> = self.on_path.iter().map(|cell| self.at(*cell)).collect();
        if points.len() > 1 {
            canvas.line(&points, Ink::new(PAPER, 8.0));
            canvas.line(&points, Ink::new(TEXT, 5.0));
        }
    }

    fn draw_nodes(&self, canvas: &Canvas<'_>) {
        let (k, cells) = (self.figure.lattice.names().len(), self.figure.lattice.cells());
        let (path, others): (Vec<usize>, Vec<usize>) = (0..cells.len()).partition(|n| self.is_on_path(*n));
        for n in others.into_iter().chain(path) {
            let (cell, (x, y)) = (&cells[n], self.at(n));
            if cell.low.is_finite() && cell.high.is_finite() {
                canvas.line(&[(x, self.y.at(cell.low)), (x, self.y.at(cell.high))], Ink::new(TEXT, 1.4));
            }
            let (radius, middle) = if self.is_on_path(n) { (6.5, TEXT) } else { (4.5, PAPER) };
            canvas.disc((x, y), radius, Ink::new(TEXT, 0.0));
            canvas.disc((x, y), radius - 1.8, Ink::new(middle, 0.0));
        }
        for size in 0..=k as u32 {
            let is_shown = |n: &usize| k <= MAX_LABELLED || self.on_path.contains(n);
            let column: Vec<usize> =
                (0..cells.len()).filter(|n| n.count_ones() == size).filter(is_shown).collect();
            self.draw_labels(canvas, column);
        }
    }

    /// Labels to the right of their games, pushed apart where games are close.
    fn draw_labels(&self, canvas: &Canvas<'_>, mut column: Vec<usize>) {
        let wish = |cell: &usize| self.at(*cell).1 + self.nudge(*cell);
        column.sort_by(|a, b| wish(a).total_cmp(&wish(b)));
        let places =
            apart(&column.iter().map(wish).collect::<Vec<_>>(), LABEL_SIZE + 2.0, (self.y.end, self.y.start));
        for (cell, y) in column.iter().zip(places) {
            let (x, node_y) = self.at(*cell);
            let (label, left) = (self.label(*cell), x + 12.0);
            if (y - node_y).abs() > 14.0 {
                canvas.line(&[(x + 5.0, node_y), (left, y)], Ink::new(SOFT, 0.8));
            }
            let right = left + text_width(&label, LABEL_SIZE) * 0.94;
            canvas.rectangle((left - 1.0, y - 7.0), (right, y + 7.0), Ink::new(PAPER, 0.0).faded(0.8));
            let words = LabelStyle::new(LABEL_SIZE);
            canvas.text(&label, (left, y), if self.is_on_path(*cell) { words.bold() } else { words });
        }
    }

    fn is_on_path(&self, cell: usize) -> bool {
        self.on_path.len() > 1 && self.on_path.contains(&cell)
    }

    /// A label on the path steps aside, away from where the path goes on.
    fn nudge(&self, cell: usize) -> f64 {
        let next = self.on_path.iter().skip_while(|at| **at != cell).nth(1);
        match next.map(|next| self.at(*next).1 <= self.at(cell).1) {
            Some(true) => 12.0,
            Some(false) => -12.0,
            None => 0.0,
        }
    }

    fn label(&self, cell: usize) -> String {
        let letters = if cell == 0 { self.told(&message!("lab.lattice-no-change")) } else { letters(cell) };
        let estimate = &self.figure.lattice.cells()[cell];
        match self.width {
            Width::Wide if estimate.value.is_finite() => {
                let text = tick_labels(&[estimate.value], self.figure.axis.form);
                let percent = text.first().is_some_and(|label| label.ends_with('%'));
                let (value, sign) =
                    if percent { (estimate.value * 100.0, "%") } else { (estimate.value, "") };
                let places = if percent { 1 } else { estimate.n_decimals().min(4) };
                format!("{letters} {value:.places$}{sign}")
            }
            Width::Wide | Width::Narrow => letters,
        }
    }

    fn draw_legend(&self, canvas: &Canvas<'_>) {
        let (mut x, mut y) = (self.x.start - 8.0, 18.0);
        let [raises, lowers] =
            [message!("lab.lattice-raises"), message!("lab.lattice-lowers")].map(|words| self.told(&words));
        let path = self.figure.path_name.text(self.language);
        let n_entries = if self.on_path.len() > 1 { 3 } else { 2 };
        for (kind, name) in [raises, lowers, path].into_iter().enumerate().take(n_entries) {
            let step = 46.0 + text_width(&name, SIZE) + 16.0;
            if x + step > self.width.pixels() && x > self.x.start {
                (x, y) = (self.x.start - 8.0, y + 24.0);
            }
            let line = [(x, y), (x + 36.0, y)];
            match kind {
                0 => canvas.line(&line, Ink::new(series_colour(0), 2.0).faded(0.6)),
                1 => canvas.dashes(&line, 5.0, 4.0, Ink::new(series_colour(1), 2.0)),
                _ => canvas.line(&line, Ink::new(TEXT, 5.0)),
            }
            canvas.text(&name, (x + 44.0, y), LabelStyle::new(SIZE));
            x += step;
        }
    }

    fn draw_key(&self, canvas: &Canvas<'_>) {
        for (n, line) in self.key.iter().enumerate() {
            canvas.text(line, (10.0, self.y.start + 68.0 + 20.0 * n as f64), LabelStyle::new(LABEL_SIZE));
        }
    }
}

/// All pairs of cells of which the second has one change more.
fn edges(k: usize) -> impl Iterator<Item = (usize, usize)> {
    let changes = move |cell: usize| (0..k).map(move |change| (cell, cell | 1 << change));
    (0..1usize << k).flat_map(changes).filter(|(from, to)| from != to)
}

/// The letters of a cell's changes: cell 5 is `ac`.
fn letters(cell: usize) -> String {
    ('a'..='h').enumerate().filter(|(change, _)| cell >> change & 1 == 1).map(|(_, letter)| letter).collect()
}

/// Heights matter here, not ratios: the axis begins near the lowest game.
fn tight((low, high): (f64, f64), cells: &[crate::estimate::Estimate]) -> (f64, f64) {
    let least = cells.iter().flat_map(|c| [c.low, c.value]).filter(|v| v.is_finite()).fold(high, f64::min);
    let room = 0.05 * (high - least);
    if room > 0.0 { ((least - room).max(low), high) } else { (low, high) }
}

fn key_lines(names: impl Iterator<Item = String>, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (letter, name) in ('a'..='h').zip(names) {
        let entry = format!("{letter}: {name}");
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line}  ·  {entry}"), LABEL_SIZE) <= width => {
                line.push_str(&format!("  ·  {entry}"));
            }
            _ => lines.extend(wrapped(&entry, width, LABEL_SIZE)),
        }
    }
    lines
}

/// Places near the wanted ones (sorted), at least `gap` from each other and within the limits if they fit.
fn apart(wanted: &[f64], gap: f64, (first, last): (f64, f64)) -> Vec<f64> {
    // Clusters of places that touch; each is centred on the mean of what its members want.
    let mut clusters: Vec<(f64, usize)> = Vec::new();
    for place in wanted {
        let (mut centre, mut count) = (*place, 1);
        while let Some((before, n_before)) = clusters.last().copied() {
            if centre - gap * count as f64 / 2.0 >= before + gap * n_before as f64 / 2.0 {
                break;
            }
            centre = (before * n_before as f64 + centre * count as f64) / (n_before + count) as f64;
            count += n_before;
            clusters.pop();
        }
        let half = gap * (count - 1) as f64 / 2.0;
        clusters.push((centre.min(last - half).max(first + half), count));
    }
    let spread = |(centre, count): (f64, usize)| {
        (0..count).map(move |n| centre + gap * (n as f64 - (count - 1) as f64 / 2.0))
    };
    clusters.into_iter().flat_map(spread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance() {
        let places = apart(&[10.0, 11.0, 12.0, 40.0, 99.0, 100.0], 10.0, (0.0, 100.0));
        assert_eq!(places.len(), 6);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] > 9.99), "{places:?}");
        assert_eq!(places[3], 40.0);
        assert!(places[5] <= 100.0);
    }

    #[test]
    fn cells_are_named_by_letters() {
        assert_eq!(letters(0b10101), "ace");
        assert_eq!(edges(3).count(), 12);
    }
}

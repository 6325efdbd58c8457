//! Figures of rows: a name for each, values across, one axis below. Shared by points, effects and bars.
//!
//! In: names, how many lines each row needs, an axis. Out: a sheet with bands, names, grid, axis and legend on it.
//! Never: what stands in the rows.

use ashta_messages::Language;

use super::Width;
use super::axis::{Axis, Scale, tick_labels};
use super::canvas::{BAND, Canvas, GRID, Ink, LabelStyle, PAPER, Point, SOFT, draw, text_width, wrapped};

const NAME_SIZE: f64 = 14.0;
const TICK_SIZE: f64 = 13.0;
const LEGEND_LINE: f64 = 24.0;
const LEGEND_MARK: f64 = 28.0;

/// What a figure of rows needs to know before anything is drawn.
pub(super) struct Rows<'a> {
    pub names: Vec<String>,
    /// Height of what stands in a row.
    pub inner_height: f64,
    pub range: (f64, f64),
    pub axis: &'a Axis,
    pub legend: Vec<String>,
    pub width: Width,
    pub language: Language,
}

/// Where things are.
pub(super) struct Layout {
    pub scale: Scale,
    names: Vec<Vec<String>>,
    tops: Vec<f64>,
    bottom: f64,
    legend: Vec<Point>,
    height: f64,
    width: f64,
}

impl Rows<'_> {
    /// Draws the frame, then each row by `row(canvas, scale, index, y of its middle)`, then the legend's marks by
    /// `mark(canvas, index, middle)`.
    pub fn draw(
        &self,
        row: impl Fn(&Canvas<'_>, &Scale, usize, f64),
        mark: impl Fn(&Canvas<'_>, usize, Point),
    ) -> String {
        let layout = self.layout();
        draw(layout.width, layout.height, |canvas| {
            self.draw_frame(canvas, &layout);
            for (n, top) in layout.tops.iter().enumerate() {
                row(canvas, &layout.scale, n, self.middle(&layout, n, *top));
            }
            for (n, (at, name)) in layout.legend.iter().zip(&self.legend).enumerate() {
                mark(canvas, n, (at.0 + 9.0, at.1));
                canvas.text(name, (at.0 + LEGEND_MARK - 6.0, at.1), LabelStyle::new(NAME_SIZE));
            }
        })
    }

    fn layout(&self) -> Layout {
        let width = self.width.pixels();
        let widest = self.names.iter().map(|name| text_width(name, NAME_SIZE)).fold(0.0, f64::max);
        let (gutter, name_width) = match self.width {
            Width::Wide => (widest.min(340.0) + 24.0, 340.0),
            Width::Narrow => (22.0, width - 20.0),
        };
        let names: Vec<_> = self.names.iter().map(|name| wrapped(name, name_width, NAME_SIZE)).collect();
        let legend = self.legend_places(width);
        let mut y = legend.last().map_or(8.0, |at| at.1 + LEGEND_LINE / 2.0 + 6.0);
        let mut tops = Vec::new();
        for lines in &names {
            tops.push(y);
            y += self.row_height(lines.len());
        }
        let scale = Scale { low: self.range.0, high: self.range.1, start: gutter, end: width - 26.0 };
        let n_title_lines =
            wrapped(&self.axis.title.text(self.language), width - 20.0, NAME_SIZE).len() as f64;
        Layout { scale, names, tops, bottom: y, legend, height: y + 34.0 + 19.0 * n_title_lines, width }
    }

    fn row_height(&self, n_name_lines: usize) -> f64 {
        let names = n_name_lines as f64 * (NAME_SIZE + 4.0);
        match self.width {
            Width::Wide => self.inner_height.max(names) + 12.0,
            Width::Narrow => self.inner_height + names + 14.0,
        }
    }

    fn middle(&self, layout: &Layout, n: usize, top: f64) -> f64 {
        let height = self.row_height(layout.names[n].len());
        match self.width {
            Width::Wide => top + height / 2.0,
            Width::Narrow => top + height - 6.0 - self.inner_height / 2.0,
        }
    }

    fn legend_places(&self, width: f64) -> Vec<Point> {
        let (mut x, mut y) = (10.0, 18.0);
        let mut places = Vec::new();
        for name in &self.legend {
            let step = LEGEND_MARK + text_width(name, NAME_SIZE) + 14.0;
            if x > 10.0 && x + step > width {
                (x, y) = (10.0, y + LEGEND_LINE);
            }
            places.push((x, y));
            x += step;
        }
        places
    }

    fn draw_frame(&self, canvas: &Canvas<'_>, layout: &Layout) {
        let (top, scale) = (layout.tops.first().copied().unwrap_or(8.0), &layout.scale);
        for (n, lines) in layout.names.iter().enumerate().filter(|(n, _)| n.is_multiple_of(2)) {
            let row_top = layout.tops[n];
            let to = (layout.width, row_top + self.row_height(lines.len()));
            canvas.rectangle((0.0, row_top), to, Ink::new(BAND, 0.0));
        }
        let ticks = scale.ticks(if self.width == Width::Wide { 9 } else { 5 });
        for (tick, label) in ticks.iter().zip(tick_labels(&ticks, self.axis.form)) {
            let x = scale.at(*tick);
            canvas.line(&[(x, top), (x, layout.bottom)], Ink::new(GRID, 1.0));
            canvas.line(&[(x, layout.bottom), (x, layout.bottom + 5.0)], Ink::new(SOFT, 1.0));
            canvas.text(
                &label,
                (x, layout.bottom + 10.0),
                LabelStyle::new(TICK_SIZE).soft().centred().below(),
            );
        }
        canvas.line(&[(scale.start, layout.bottom), (scale.end, layout.bottom)], Ink::new(SOFT, 1.0));
        let middle = match self.width {
            Width::Wide => (scale.start + scale.end) / 2.0,
            Width::Narrow => layout.width / 2.0,
        };
        for (n, line) in
            wrapped(&self.axis.title.text(self.language), layout.width - 20.0, NAME_SIZE).iter().enumerate()
        {
            let at = (middle, layout.bottom + 32.0 + 19.0 * n as f64);
            canvas.text(line.trim_end(), at, LabelStyle::new(NAME_SIZE).centred().below());
        }
        for n in 0..layout.names.len() {
            self.draw_name(canvas, layout, n);
        }
    }

    fn draw_name(&self, canvas: &Canvas<'_>, layout: &Layout, n: usize) {
        let (lines, top, step) = (&layout.names[n], layout.tops[n], NAME_SIZE + 4.0);
        let words = LabelStyle::new(NAME_SIZE);
        if self.width == Width::Narrow {
            // The grid stops under a name that stands on it.
            let colour = if n.is_multiple_of(2) { BAND } else { PAPER };
            let to = (layout.width, top + 6.0 + step * lines.len() as f64);
            canvas.rectangle((0.0, top), to, Ink::new(colour, 0.0));
        }
        for (at, line) in lines.iter().enumerate() {
            let down = at as f64 * step;
            match self.width {
                Width::Wide => {
                    let middle = top + self.row_height(lines.len()) / 2.0;
                    let first = middle - (lines.len() - 1) as f64 * step / 2.0;
                    canvas.text(line, (layout.scale.start - 14.0, first + down), words.ending());
                }
                Width::Narrow => canvas.text(line, (10.0, top + 14.0 + down), words),
            }
        }
    }
}

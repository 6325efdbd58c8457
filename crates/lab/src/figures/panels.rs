//! Small panels with the same axes, one for each game: many curves that can still be read.
//!
//! In: names, ranges, titles. Out: a sheet of panels with grid and ticks. Never: what the curves are.

use ashta_messages::Language;

use super::Width;
use super::axis::{Axis, NumberFormat, Scale, tick_labels};
use super::canvas::{Canvas, GRID, Ink, LabelStyle, SOFT, draw, wrapped};

const NAME_SIZE: f64 = 14.0;
const TICK_SIZE: f64 = 12.0;

/// What the axes of curves show.
#[derive(Clone, PartialEq, Debug)]
pub struct CurveAxes {
    /// Along the bottom.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
}

/// What a sheet of panels needs to know.
pub(super) struct Panels<'a> {
    pub names: Vec<String>,
    pub axes: &'a CurveAxes,
    pub x_range: (f64, f64),
    pub y_range: (f64, f64),
    /// At most so many side by side.
    pub most_columns: usize,
    pub width: Width,
    pub language: Language,
}

impl Panels<'_> {
    /// Draws the panels, each by `panel(canvas, x scale, y scale, index)`.
    pub fn draw(&self, panel: impl Fn(&Canvas<'_>, &Scale, &Scale, usize)) -> String {
        let width = self.width.pixels();
        let n_columns = self.n_columns();
        let n_rows = self.names.len().div_ceil(n_columns).max(1);
        let (side, head) = self.margins();
        let column = self.column_width();
        let names: Vec<_> = self.names.iter().map(|name| wrapped(name, column - 16.0, NAME_SIZE)).collect();
        let name_height = 8.0 + 18.0 * names.iter().map(Vec::len).max().unwrap_or(1) as f64;
        let (plot_height, row) = (self.plot_height(), self.plot_height() + name_height + 26.0);
        let height = head + row * n_rows as f64 + 40.0;
        draw(width, height, |canvas| {
            for (n, lines) in names.iter().enumerate() {
                let left = side + column * (n % n_columns) as f64;
                let top = head + row * (n / n_columns) as f64 + name_height;
                let x = Scale {
                    low: self.x_range.0,
                    high: self.x_range.1,
                    start: left,
                    end: left + self.plot_width(),
                };
                let y =
                    Scale { low: self.y_range.0, high: self.y_range.1, start: top + plot_height, end: top };
                self.draw_frame(canvas, &x, &y, n % n_columns);
                for (at, line) in lines.iter().enumerate() {
                    let down = top - 14.0 - 18.0 * (lines.len() - 1 - at) as f64;
                    canvas.text(line, (left, down), LabelStyle::new(NAME_SIZE).bold());
                }
                panel(canvas, &x, &y, n);
            }
            let below = ((side + width - 22.0) / 2.0, height - 26.0);
            canvas.text(
                &self.axes.x.title.text(self.language),
                below,
                LabelStyle::new(NAME_SIZE).centred().below(),
            );
            self.draw_y_title(canvas, (name_height + row * n_rows as f64 - 26.0) / 2.0);
        })
    }

    fn column_width(&self) -> f64 {
        (self.width.pixels() - self.margins().0 - 22.0) / self.n_columns() as f64
    }

    /// How wide each plot is.
    pub fn plot_width(&self) -> f64 {
        self.column_width() - 20.0
    }

    /// Room on the left for tick labels, and above for the title of the upright axis where a column is long.
    fn margins(&self) -> (f64, f64) {
        match self.width {
            Width::Wide => (64.0, 0.0),
            Width::Narrow => (46.0, 22.0),
        }
    }

    fn draw_y_title(&self, canvas: &Canvas<'_>, middle: f64) {
        let (words, title) = (LabelStyle::new(NAME_SIZE), self.axes.y.title.text(self.language));
        match self.width {
            Width::Wide => canvas.text(&title, (14.0, middle), words.centred().upwards()),
            Width::Narrow => canvas.text(&format!("↑ {title}"), (8.0, 14.0), words),
        }
    }

    fn n_columns(&self) -> usize {
        match (self.width, self.names.len()) {
            (Width::Narrow, _) | (_, 0 | 1) => 1,
            (Width::Wide, 2 | 4) => 2.min(self.most_columns),
            (Width::Wide, _) => 3.min(self.most_columns),
        }
    }

    fn plot_height(&self) -> f64 {
        match (self.width, self.n_columns()) {
            (Width::Narrow, _) => 130.0,
            (Width::Wide, 1) => 340.0,
            (Width::Wide, 2) => 240.0,
            (Width::Wide, _) => 170.0,
        }
    }

    fn draw_frame(&self, canvas: &Canvas<'_>, x: &Scale, y: &Scale, column: usize) {
        let (bottom, top) = (y.start, y.end);
        let y_ticks = y.ticks(5);
        for (tick, label) in y_ticks.iter().zip(tick_labels(&y_ticks, self.axes.y.form)) {
            let at = y.at(*tick);
            canvas.line(&[(x.start, at), (x.end, at)], Ink::new(GRID, 1.0));
            if column == 0 {
                canvas.text(&label, (x.start - 8.0, at), LabelStyle::new(TICK_SIZE).soft().ending());
            }
        }
        let x_ticks = x.ticks(if x.end - x.start > 500.0 { 9 } else { 5 });
        for (tick, label) in x_ticks.iter().zip(tick_labels(&x_ticks, NumberFormat::Plain)) {
            let at = x.at(*tick);
            canvas.line(&[(at, top), (at, bottom)], Ink::new(GRID, 1.0));
            canvas.line(&[(at, bottom), (at, bottom + 4.0)], Ink::new(SOFT, 1.0));
            canvas.text(&label, (at, bottom + 8.0), LabelStyle::new(TICK_SIZE).soft().centred().below());
        }
        canvas.line(&[(x.start, bottom), (x.end, bottom)], Ink::new(SOFT, 1.0));
    }
}

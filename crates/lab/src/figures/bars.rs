//! Why games ended: one bar of shares for each game, told apart by colour and by hatching.
//!
//! In: counts of endings. Out: SVG. Never: who won.

use ashta_messages::{Arg, Language, ToArg, message};
use ashta_position::Reason;
use plotters::style::RGBColor;

use super::Width;
use super::axis::{Axis, Scale};
use super::canvas::{Canvas, Ink, LabelStyle, PAPER, Point, TEXT, ThemedColour, text_width};
use super::marks::SERIES;
use super::rows::Rows;

/// How the games of one game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndingsRow {
    /// The game's name, and its players if there are several.
    pub name: Arg,
    /// Number of games for each reason; reasons that never occurred may be left out.
    pub counts: Vec<(Reason, usize)>,
}

const BAR_HEIGHT: f64 = 26.0;

impl EndingsRow {
    fn count_of(&self, reason: Reason) -> usize {
        self.counts.iter().filter(|(found, _)| *found == reason).map(|(_, count)| count).sum()
    }
}

/// Shares of the reasons that games ended, in the order of [`Reason::ALL`].
#[derive(Clone, PartialEq, Debug)]
pub struct EndingsFigure {
    rows: Vec<EndingsRow>,
    /// Those that occur.
    reasons: Vec<Reason>,
    axis: Axis,
}

impl EndingsFigure {
    /// How these games ended.
    pub fn new(rows: Vec<EndingsRow>) -> EndingsFigure {
        let occurs = |reason: &Reason| rows.iter().any(|row| row.count_of(*reason) > 0);
        let reasons = Reason::ALL.into_iter().filter(occurs).collect();
        EndingsFigure { rows, reasons, axis: Axis::percent(message!("lab.endings-axis")) }
    }

    pub(super) fn draw(&self, width: Width, language: Language) -> String {
        let layout = Rows {
            names: self.rows.iter().map(|row| row.name.text(language)).collect(),
            inner_height: BAR_HEIGHT,
            range: (0.0, 1.0),
            axis: &self.axis,
            legend: self.reasons.iter().map(|reason| reason.to_arg().text(language)).collect(),
            width,
            language,
        };
        layout.draw(
            |canvas, scale, n, middle| self.draw_bar(canvas, scale, &self.rows[n], middle),
            |canvas, n, (x, y)| patch(canvas, self.reasons[n], (x - 9.0, y - 8.0), (x + 8.0, y + 8.0)),
        )
    }

    fn draw_bar(&self, canvas: &Canvas<'_>, scale: &Scale, row: &EndingsRow, middle: f64) {
        let total: usize = self.reasons.iter().map(|reason| row.count_of(*reason)).sum();
        let mut before = 0;
        for reason in &self.reasons {
            let count = row.count_of(*reason);
            let [from, to] = [before, before + count].map(|sum| scale.at(sum as f64 / total.max(1) as f64));
            if count > 0 {
                let half = BAR_HEIGHT / 2.0;
                patch(canvas, *reason, (from, middle - half), (to, middle + half));
                share_label(canvas, count as f64 / total as f64, (from, to), middle);
            }
            before += count;
        }
    }
}

/// The share, written on the bar where there is room.
fn share_label(canvas: &Canvas<'_>, share: f64, (from, to): (f64, f64), y: f64) {
    let label = format!("{:.0}%", share * 100.0);
    let needed = text_width(&label, 13.0) + 6.0;
    if to - from > needed + 8.0 {
        let middle = (from + to) / 2.0;
        let (left, right) = (middle - needed / 2.0, middle + needed / 2.0);
        canvas.rectangle((left, y - 9.0), (right, y + 9.0), Ink::new(PAPER, 0.0).faded(0.88));
        canvas.text(&label, (middle, y), LabelStyle::new(13.0).centred());
    }
}

#[derive(Clone, Copy)]
pub(super) enum Hatch {
    None,
    Rising,
    Falling,
    Crossed,
    Level,
    Upright,
}

/// Won games are plain and strong, drawn ones pale and hatched.
pub(super) fn reason_style(reason: Reason) -> (ThemedColour, Hatch) {
    match reason {
        Reason::Checkmate => (SERIES[0], Hatch::None),
        Reason::Stalemate => (ThemedColour(RGBColor(236, 160, 84), RGBColor(150, 92, 34)), Hatch::Rising),
        Reason::RoyalCaptured => (ThemedColour(RGBColor(60, 120, 176), RGBColor(66, 122, 178)), Hatch::None),
        Reason::Bare => (SERIES[2], Hatch::Level),
        Reason::BothBare => (ThemedColour(RGBColor(196, 226, 206), RGBColor(58, 88, 68)), Hatch::Crossed),
        Reason::Repetition => (ThemedColour(RGBColor(220, 226, 234), RGBColor(68, 76, 88)), Hatch::Rising),
        Reason::PerpetualCheck => (SERIES[3], Hatch::Upright),
        Reason::PerpetualAttack => (SERIES[3], Hatch::Crossed),
        Reason::Quiet => (ThemedColour(RGBColor(250, 226, 170), RGBColor(104, 86, 38)), Hatch::Upright),
        Reason::PlyCap => (ThemedColour(RGBColor(238, 238, 238), RGBColor(58, 60, 64)), Hatch::Falling),
        Reason::Insufficient => (ThemedColour(RGBColor(240, 208, 222), RGBColor(104, 62, 82)), Hatch::Level),
        Reason::Impasse => (ThemedColour(RGBColor(120, 176, 200), RGBColor(48, 98, 122)), Hatch::Crossed),
        Reason::Goal => (SERIES[1], Hatch::None),
        Reason::Extinction => (SERIES[2], Hatch::Rising),
        Reason::Checks => (SERIES[3], Hatch::Falling),
        Reason::Passes => (ThemedColour(RGBColor(226, 214, 240), RGBColor(78, 66, 98)), Hatch::Falling),
        Reason::Facing => (ThemedColour(RGBColor(226, 214, 240), RGBColor(78, 66, 98)), Hatch::Level),
        Reason::Count => (ThemedColour(RGBColor(240, 208, 222), RGBColor(104, 62, 82)), Hatch::Falling),
    }
}

fn patch(canvas: &Canvas<'_>, reason: Reason, from: Point, to: Point) {
    let (ThemedColour(colour, _), hatch) = reason_style(reason);
    canvas.rectangle(from, to, Ink::new(colour, 0.0));
    let slopes: &[(f64, f64)] = match hatch {
        Hatch::None => &[],
        Hatch::Rising => &[(1.0, 1.0)],
        Hatch::Falling => &[(1.0, -1.0)],
        Hatch::Crossed => &[(1.0, 1.0), (1.0, -1.0)],
        Hatch::Level => &[(0.0, 1.0)],
        Hatch::Upright => &[(1.0, 0.0)],
    };
    slopes.iter().for_each(|slope| hatching(canvas, *slope, from, to));
    canvas.frame(from, to, Ink::new(TEXT, 0.8).faded(0.7));
}

/// Lines `a x + b y = c` for every seventh c, cut off at the patch.
fn hatching(canvas: &Canvas<'_>, (a, b): (f64, f64), (x0, y0): Point, (x1, y1): Point) {
    const GAP: f64 = 7.0;
    let ink = Ink::new(TEXT, 0.8).faded(0.55);
    let corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)].map(|(x, y)| a * x + b * y);
    let (least, most) =
        corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), c| (l.min(*c), m.max(*c)));
    let mut c = (least / GAP).ceil() * GAP;
    while c <= most {
        let line = match (a == 0.0, b == 0.0) {
            (true, _) => [(x0, c / b), (x1, c / b)],
            (_, true) => [(c / a, y0), (c / a, y1)],
            _ => {
                // x where the line meets the upper and the lower edge, held within the patch.
                let x_at = |y: f64| ((c - b * y) / a).clamp(x0, x1);
                [x_at(y0), x_at(y1)].map(|x| (x, (c - a * x) / b))
            }
        };
        canvas.line(&line, ink);
        c += GAP;
    }
}

//! Pictures of measurements, as SVG.
//!
//! In: plain numbers and names. Out: SVG text, the same bytes for the same numbers. Never: a file, a font, a colour that
//! alone carries a meaning: every series has its own marker, pattern or panel, so that a grey print says the same.

mod axis;
mod bars;
mod canvas;
mod curves;
mod dark;
mod lattice;
mod marks;
mod panels;
mod plies;
mod rows;

pub use axis::{Axis, Form};
pub use bars::{EndingsRow, draw_endings};
pub use curves::{CurveAxes, CurvePanel, draw_curves};
pub use dark::{on_dark, repainting};
pub use lattice::{LatticeFigure, draw_lattice};
pub use marks::{EffectRow, PointsRow, draw_effects, draw_points};
pub use plies::{LengthSample, PlyCurve, draw_lengths, draw_moves_by_ply};

/// The width a figure is drawn for; text has the same size on both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// For screens and print: 960 pixels.
    Wide,
    /// For telephones: 370 pixels.
    Narrow,
}

impl Width {
    pub(crate) fn pixels(self) -> f64 {
        match self {
            Width::Wide => 960.0,
            Width::Narrow => 370.0,
        }
    }
}

/// A figure drawn for both widths, with what it shows in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// SVG for screens and print.
    pub wide: String,
    /// SVG for telephones.
    pub narrow: String,
    /// What it shows: the caption, and what a screen reader says.
    pub caption: String,
}

impl Picture {
    /// Draws a figure for both widths.
    pub fn new(caption: impl Into<String>, draw: impl Fn(Width) -> String) -> Picture {
        Picture { wide: draw(Width::Wide), narrow: draw(Width::Narrow), caption: caption.into() }
    }
}

#[cfg(test)]
mod tests;

//! Pictures of measurements, as SVG.
//!
//! In: plain numbers and names. Out: SVG text, the same bytes for the same numbers. Never: a file, a font, a colour that
//! alone carries a meaning: every series has its own marker, pattern or panel, so that a grey print says the same.
//!
//! A [`Figure`] holds every word that will stand on it as a message and is drawn last, in either language.

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

pub use axis::{Axis, NumberFormat};
pub use bars::{EndingsFigure, EndingsRow};
pub use curves::{CurvePanel, CurvesFigure};
pub use dark::{on_dark, repainting};
pub use lattice::LatticeFigure;
pub use marks::{EffectRow, EffectsFigure, PointsFigure, PointsRow};
pub use panels::CurveAxes;
pub use plies::{LengthSample, LengthsFigure, MovesFigure, PlyCurve};

use ashta_messages::{Arg, Language, ToArg};

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

/// A figure: its numbers, and every word that stands on it.
#[derive(Clone, PartialEq, Debug)]
pub enum Figure {
    /// A measure by game and player.
    Points(PointsFigure),
    /// Why games ended.
    Endings(EndingsFigure),
    /// Legal moves by ply.
    Moves(MovesFigure),
    /// How long games are.
    Lengths(LengthsFigure),
    /// Games between an old one and a new one.
    Lattice(LatticeFigure),
    /// What changes do.
    Effects(EffectsFigure),
    /// What was learned.
    Curves(CurvesFigure),
}

impl Figure {
    /// Its SVG for a width, in a language.
    pub fn draw(&self, width: Width, language: Language) -> String {
        match self {
            Figure::Points(figure) => figure.draw(width, language),
            Figure::Endings(figure) => figure.draw(width, language),
            Figure::Moves(figure) => figure.draw(width, language),
            Figure::Lengths(figure) => figure.draw(width, language),
            Figure::Lattice(figure) => figure.draw(width, language),
            Figure::Effects(figure) => figure.draw(width, language),
            Figure::Curves(figure) => figure.draw(width, language),
        }
    }
}

/// A figure with what it shows in words.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The figure.
    pub figure: Figure,
    /// What it shows: the caption, and what a screen reader says.
    pub caption: Arg,
}

impl Picture {
    /// A figure under its caption.
    pub fn new(caption: impl ToArg, figure: Figure) -> Picture {
        Picture { figure, caption: caption.to_arg() }
    }
}

#[cfg(test)]
mod tests;

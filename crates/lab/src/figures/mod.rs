//! Pictures of measurements, as SVG.
//!
//! In: plain numbers and names. Out: SVG text, the same bytes for the same numbers. Never: a file, a font, a colour that
//! alone carries a meaning: every series has its own marker, pattern or panel, so that a grey print says the same.
//!
//! A [`Figure`] holds every word that will stand on it and is drawn last, so that it can be told in another language.

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
pub use curves::{CurveAxes, CurvePanel, CurvesFigure};
pub use dark::{on_dark, repainting};
pub use lattice::LatticeFigure;
pub use marks::{EffectRow, EffectsFigure, PointsFigure, PointsRow};
pub use plies::{LengthSample, LengthsFigure, MovesFigure, PlyCurve};

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
    /// Its SVG for a width.
    pub fn draw(&self, width: Width) -> String {
        match self {
            Figure::Points(figure) => figure.draw(width),
            Figure::Endings(figure) => figure.draw(width),
            Figure::Moves(figure) => figure.draw(width),
            Figure::Lengths(figure) => figure.draw(width),
            Figure::Lattice(figure) => figure.draw(width),
            Figure::Effects(figure) => figure.draw(width),
            Figure::Curves(figure) => figure.draw(width),
        }
    }

    /// Every word on it.
    pub fn texts_mut(&mut self) -> Vec<&mut String> {
        match self {
            Figure::Points(figure) => figure.texts_mut(),
            Figure::Endings(figure) => figure.texts_mut(),
            Figure::Moves(figure) => figure.texts_mut(),
            Figure::Lengths(figure) => figure.texts_mut(),
            Figure::Lattice(figure) => figure.texts_mut(),
            Figure::Effects(figure) => figure.texts_mut(),
            Figure::Curves(figure) => figure.texts_mut(),
        }
    }
}

/// A figure with what it shows in words.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The figure.
    pub figure: Figure,
    /// What it shows: the caption, and what a screen reader says.
    pub caption: String,
}

impl Picture {
    /// A figure under its caption.
    pub fn new(caption: impl Into<String>, figure: Figure) -> Picture {
        Picture { figure, caption: caption.into() }
    }
}

#[cfg(test)]
mod tests;

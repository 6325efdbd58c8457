//! What the colours of figures become on dark paper.
//!
//! In: nothing. Out: lines of a style sheet, by the colours that are written in the drawings. Never: a drawing of its own;
//! one SVG serves light and dark, and by itself it is light.

use ashta_position::Reason;
use plotters::style::RGBColor;

use super::bars::look;
use super::canvas::{BAND, GRID, PAPER, SOFT, TEXT, Twin};
use super::marks::SERIES;

/// The ground of the drawings and what is written on it.
const GROUND: [Twin; 5] = [
    Twin(TEXT, RGBColor(230, 233, 237)),
    Twin(SOFT, RGBColor(163, 172, 184)),
    Twin(GRID, RGBColor(58, 65, 75)),
    Twin(BAND, RGBColor(34, 39, 46)),
    Twin(PAPER, RGBColor(28, 32, 38)),
];

/// Every colour of the figures as it is written in them, with its twin for dark paper; each once.
pub(super) fn twins() -> Vec<(String, String)> {
    let endings = Reason::ALL.iter().map(|reason| look(*reason).0);
    let all = GROUND.into_iter().chain(SERIES).chain(endings);
    let mut all: Vec<(String, String)> = all.map(|Twin(light, dark)| (hex(light), hex(dark))).collect();
    all.sort();
    all.dedup();
    all
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("{red:02X}{green:02X}{blue:02X}")
}

/// Rules that let a page say what the colours of its figures are.
pub fn repainting() -> String {
    let rules = |(light, _): (String, String)| {
        let rule =
            |what| format!("figure [{what}=\"#{light}\"] {{ {what}: var(--on-{light}, #{light}); }}\n");
        ["fill", "stroke"].map(rule).concat()
    };
    twins().into_iter().map(rules).collect()
}

/// What a dark page says they are.
pub fn on_dark() -> String {
    twins().into_iter().map(|(light, dark)| format!("--on-{light}: #{dark}; ")).collect()
}

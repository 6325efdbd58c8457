//! Colours of figures in the dark theme.
//!
//! In: nothing. Out: lines of a style sheet, by the colours that are written in the drawings. Never: a drawing of its own;
//! one SVG serves light and dark, and by itself it is light.

use ashta_position::Reason;
use plotters::style::RGBColor;

use super::bars::reason_style;
use super::canvas::{BAND, GRID, PAPER, SOFT, TEXT, ThemedColour};
use super::marks::SERIES;

/// The ground of the drawings and what is written on it.
const GROUND: [ThemedColour; 5] = [
    ThemedColour(TEXT, RGBColor(230, 233, 237)),
    ThemedColour(SOFT, RGBColor(163, 172, 184)),
    ThemedColour(GRID, RGBColor(58, 65, 75)),
    ThemedColour(BAND, RGBColor(34, 39, 46)),
    ThemedColour(PAPER, RGBColor(28, 32, 38)),
];

/// Every colour of the figures as it is written in them, with its twin for dark paper; each once.
pub(super) fn themed_colours() -> Vec<(String, String)> {
    let endings = Reason::ALL.iter().map(|reason| reason_style(*reason).0);
    let all = GROUND.into_iter().chain(SERIES).chain(endings);
    let mut all: Vec<(String, String)> =
        all.map(|ThemedColour(light, dark)| (hex(light), hex(dark))).collect();
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
    themed_colours().into_iter().map(rules).collect()
}

/// What a dark page says they are.
pub fn on_dark() -> String {
    themed_colours().into_iter().map(|(light, dark)| format!("--on-{light}: #{dark}; ")).collect()
}

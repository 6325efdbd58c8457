//! A canvas with fractional pixels: a thin layer over plotters' SVG back end.
//!
//! In: shapes and words. Out: the text of an SVG. Never: what the shapes mean.
//!
//! Plotters draws on whole pixels and with whole stroke widths. The sheet is drawn [`FINE`] times too large and shown at
//! its true size, so curves are smooth and hairlines thin.

use plotters::coord::Shift;
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontFamily, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle,
};

const FINE: f64 = 4.0;
/// Plotters divides the size of SVG text by this.
const SVG_FONT_FACTOR: f64 = 1.24;
const IN_MEMORY: &str = "drawing into a string cannot fail";

/// Dark enough to read, softer than black.
pub(super) const TEXT: RGBColor = RGBColor(32, 36, 42);
/// For what is secondary: tick labels, notes.
pub(super) const SOFT: RGBColor = RGBColor(84, 92, 102);
/// Lines that guide the eye.
pub(super) const GRID: RGBColor = RGBColor(218, 222, 228);
/// Every second row.
pub(super) const BAND: RGBColor = RGBColor(246, 247, 249);
/// Paper.
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// A colour, and what it is on dark paper.
#[derive(Clone, Copy)]
pub(super) struct ThemedColour(pub RGBColor, pub RGBColor);

/// A place, in pixels from the top left.
pub(super) type Point = (f64, f64);

/// A line's colour, opacity and width in pixels.
#[derive(Clone, Copy)]
pub(super) struct Ink {
    pub colour: RGBColor,
    pub opacity: f64,
    pub width: f64,
}

impl Ink {
    pub fn new(colour: RGBColor, width: f64) -> Ink {
        Ink { colour, opacity: 1.0, width }
    }

    pub fn faded(self, opacity: f64) -> Ink {
        Ink { opacity, ..self }
    }

    fn stroke(self) -> ShapeStyle {
        ShapeStyle {
            color: self.colour.mix(self.opacity),
            filled: false,
            stroke_width: (self.width * FINE).round().max(1.0) as u32,
        }
    }

    fn fill(self) -> ShapeStyle {
        ShapeStyle { filled: true, ..self.stroke() }
    }
}

/// How words stand at their place.
#[derive(Clone, Copy)]
pub(super) struct LabelStyle {
    pub size: f64,
    pub colour: RGBColor,
    pub across: HPos,
    pub down: VPos,
    pub bold: bool,
    pub upwards: bool,
}

impl LabelStyle {
    /// Starting at the place, centred on its height.
    pub fn new(size: f64) -> LabelStyle {
        LabelStyle { size, colour: TEXT, across: HPos::Left, down: VPos::Center, bold: false, upwards: false }
    }

    pub fn soft(self) -> LabelStyle {
        LabelStyle { colour: SOFT, ..self }
    }

    pub fn bold(self) -> LabelStyle {
        LabelStyle { bold: true, ..self }
    }

    pub fn centred(self) -> LabelStyle {
        LabelStyle { across: HPos::Center, ..self }
    }

    pub fn ending(self) -> LabelStyle {
        LabelStyle { across: HPos::Right, ..self }
    }

    pub fn below(self) -> LabelStyle {
        LabelStyle { down: VPos::Top, ..self }
    }

    pub fn upwards(self) -> LabelStyle {
        LabelStyle { upwards: true, ..self }
    }
}

/// The sheet.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Draws a sheet of this width and height and gives its SVG.
pub(super) fn draw(width: f64, height: f64, paint: impl FnOnce(&Canvas<'_>)) -> String {
    let (fine_width, fine_height) = (fine(width) as u32, fine(height) as u32);
    let mut svg = String::new();
    {
        let canvas =
            Canvas { area: SVGBackend::with_string(&mut svg, (fine_width, fine_height)).into_drawing_area() };
        canvas.rectangle((0.0, 0.0), (width, height), Ink::new(PAPER, 0.0));
        paint(&canvas);
        canvas.area.present().expect(IN_MEMORY);
    }
    let drawn = format!(r#"width="{fine_width}" height="{fine_height}""#);
    svg.replacen(&drawn, &format!(r#"width="{}" height="{}""#, width.round(), height.round()), 1)
}

impl Canvas<'_> {
    pub fn line(&self, points: &[Point], ink: Ink) {
        self.area.draw(&PathElement::new(all_fine(points), ink.stroke())).expect(IN_MEMORY);
    }

    /// A line of dashes: `dash` pixels drawn, `gap` left out.
    pub fn dashes(&self, points: &[Point], dash: f64, gap: f64, ink: Ink) {
        let dashed = DashedPathElement::new(all_fine(points), fine(dash), fine(gap), ink.stroke());
        self.area.draw(&dashed).expect(IN_MEMORY);
    }

    pub fn polygon(&self, points: &[Point], ink: Ink) {
        self.area.draw(&Polygon::new(all_fine(points), ink.fill())).expect(IN_MEMORY);
    }

    pub fn rectangle(&self, from: Point, to: Point, ink: Ink) {
        self.area.draw(&Rectangle::new([fine_point(from), fine_point(to)], ink.fill())).expect(IN_MEMORY);
    }

    pub fn frame(&self, from: Point, to: Point, ink: Ink) {
        self.area.draw(&Rectangle::new([fine_point(from), fine_point(to)], ink.stroke())).expect(IN_MEMORY);
    }

    pub fn disc(&self, at: Point, radius: f64, ink: Ink) {
        self.area.draw(&Circle::new(fine_point(at), fine(radius), ink.fill())).expect(IN_MEMORY);
    }

    pub fn text(&self, text: &str, at: Point, words: LabelStyle) {
        let style = if words.bold { FontStyle::Bold } else { FontStyle::Normal };
        let size = words.size * FINE * SVG_FONT_FACTOR;
        let transform = if words.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let font = (FontFamily::SansSerif, size, style).into_font().transform(transform);
        let style = TextStyle::from(font).color(&words.colour).pos(Pos::new(words.across, words.down));
        self.area.draw(&Text::new(text.to_string(), fine_point(at), style)).expect(IN_MEMORY);
    }
}

/// How wide words are likely to be: no font is at hand to measure with, so rather too wide than too narrow.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'l' | 'j' | 't' | 'f' | ' ' | '.' | ',' | '\'' | ':' | '(' | ')' => 0.36,
        'm' | 'w' | 'M' | 'W' | '%' | '+' => 0.9,
        c if (c as u32) < 0x1100 => 0.62,
        _ => 1.0,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// Breaks a name into lines that fit, after `+`, `-`, `,` or a space where it can, and anywhere among Japanese letters
/// but before a sign that closes.
pub(super) fn wrapped(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in unbroken(text) {
        let last = lines.last().map_or("", String::as_str);
        if !last.is_empty() && text_width(&format!("{last}{}", part.trim_end()), size) > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(part);
        }
    }
    lines
}

/// The parts of a text between which a line may break.
fn unbroken(text: &str) -> Vec<&str> {
    let is_japanese = |c: char| ('\u{3000}'..='\u{9fff}').contains(&c) || c >= '\u{ff00}';
    let may_break = |before: char, after: char| {
        matches!(before, '+' | '-' | ' ' | ',')
            || ((is_japanese(before) || is_japanese(after))
                && !"、。，：）」ーっゃゅょッャュョ".contains(after)
                && !"（「".contains(before))
    };
    let (mut parts, mut from) = (Vec::new(), 0);
    for ((_, before), (at, after)) in text.char_indices().zip(text.char_indices().skip(1)) {
        if may_break(before, after) {
            parts.push(&text[from..at]);
            from = at;
        }
    }
    parts.push(&text[from..]);
    parts
}

fn fine(length: f64) -> i32 {
    (length * FINE).round() as i32
}

fn fine_point((x, y): Point) -> (i32, i32) {
    (fine(x), fine(y))
}

fn all_fine(points: &[Point]) -> Vec<(i32, i32)> {
    points.iter().map(|point| fine_point(*point)).collect()
}

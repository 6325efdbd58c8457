//! How a kind of piece moves, as a diagram: the squares around it and what it can do to each.

use ashta_rules::{Diagram, KindId, Reach, Rules, diagram_radius};
use serde::Serialize;
use utoipa::ToSchema;

/// How a kind moves: part of a board with the piece of the first side on it, alone.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct PieceDiagram {
    /// Which kind, by its place in the descriptor's `kinds`.
    pub kind: u8,
    /// Squares from left to right.
    pub n_files: i16,
    /// Squares from top to bottom.
    pub n_ranks: i16,
    /// Where the piece stands: squares from the left and from the top, from 0.
    pub at: [i16; 2],
    /// Where it can go.
    pub targets: Vec<MoveTarget>,
}

/// A square that a piece can go to.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct MoveTarget {
    /// From the left, from 0.
    pub x: i16,
    /// From the top, from 0.
    pub y: i16,
    /// How it comes there.
    pub how: How,
    /// When it may.
    pub when: When,
    /// The step of a slide or of a repeated leap: squares to the right and up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<[i8; 2]>,
    /// Whether it may go on beyond the diagram.
    pub goes_on: bool,
    /// Whether it may capture here on its way and make a second step, or go back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub captures_on_way: bool,
}

/// How a piece comes to a square.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// To a square beside it.
    Step,
    /// Along a line of empty squares.
    Slide,
    /// Over any pieces between.
    Leap,
    /// The same leap again and again, over empty squares.
    Ride,
    /// A lame leap: blocked by a piece on the way.
    Lame,
    /// Over exactly one piece.
    Hop,
}

/// When a piece may go to a square.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// Whether it captures or not.
    Both,
    /// Only to an empty square.
    Move,
    /// Only to capture.
    Capture,
    /// Only with its first move.
    First,
    /// To an empty square along the line, or to capture over a piece.
    Screen,
}

impl PieceDiagram {
    /// The diagram of a kind.
    pub fn of(kind: KindId, rules: &Rules) -> PieceDiagram {
        let radius = diagram_radius(&[kind], rules);
        let diagram = Diagram::of(kind, radius, rules);
        let on_board = |over: i16, up: i16| diagram.square(over, up).is_some();
        let within = |far: &dyn Fn(i16) -> bool| (1..=radius).take_while(|n| far(*n)).count() as i16;
        let left = within(&|n| on_board(-n, 0));
        let right = within(&|n| on_board(n, 0));
        let above = within(&|n| on_board(0, n));
        let below = within(&|n| on_board(0, -n));
        let mut targets = Vec::new();
        for up in (-below..=above).rev() {
            for over in -left..=right {
                let reach = diagram.square(over, up).map(|square| diagram.reach(square)).unwrap_or_default();
                if reach.any() && (over, up) != (0, 0) {
                    targets.push(MoveTarget::of(reach, [over, up], [left + over, above - up]));
                }
            }
        }
        let (n_files, n_ranks) = (left + 1 + right, above + 1 + below);
        PieceDiagram { kind: kind.0, n_files, n_ranks, at: [left, above], targets }
    }
}

impl MoveTarget {
    fn of(reach: Reach, [over, up]: [i16; 2], [x, y]: [i16; 2]) -> MoveTarget {
        let is_near = over.abs().max(up.abs()) == 1;
        let how = match reach.line {
            _ if !(reach.moves || reach.captures || reach.first_move) => How::Hop,
            Some(step) if step.file.abs().max(step.rank.abs()) > 1 => How::Ride,
            Some(_) => How::Slide,
            None if reach.lame => How::Lame,
            None if is_near => How::Step,
            None if reach.ends_line => How::Slide,
            None => How::Leap,
        };
        let when = match (reach.moves, reach.captures) {
            (true, true) => When::Both,
            (true, false) if reach.hop_captures => When::Screen,
            (true, false) => When::Move,
            (false, true) => When::Capture,
            (false, false) if reach.first_move => When::First,
            (false, false) => When::Both,
        };
        let step = reach.line.map(|step| [step.file, step.rank]);
        MoveTarget { x, y, how, when, step, goes_on: reach.goes_on, captures_on_way: reach.captures_on_way }
    }
}

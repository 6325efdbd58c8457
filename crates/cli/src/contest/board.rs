//! The board of a contest, in the sides' colours.

use ashta_messages::message;
use ashta_position::{Contest, Stage, Turn};
use ashta_rules::{Rules, Side, Square, piece_text};
use ashta_search::SearchWord;

use crate::draw::{right, side_name};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// By colour and letter.
    On,
    /// By letter alone.
    Off,
}

#[derive(Clone, Copy, Debug)]
pub struct ContestStyle {
    pub colours: Colours,
}

/// Codes for sides that are named after a colour, then for others by seat.
const NAMED: [(&str, &str); 6] =
    [("red", "31"), ("green", "32"), ("yellow", "33"), ("black", "90"), ("blue", "34"), ("white", "97")];
const BY_SEAT: [&str; 4] = ["31", "32", "33", "34"];

impl ContestStyle {
    /// A text in a side's colour.
    pub fn paint(self, text: &str, side: Side, rules: &Rules) -> String {
        let name = side_name(side, rules).to_lowercase();
        let code = NAMED.iter().find(|(colour, _)| *colour == name).map(|(_, code)| *code);
        match self.colours {
            Colours::Off => text.to_string(),
            Colours::On => format!("\x1b[1;{}m{text}\x1b[0m", code.unwrap_or(BY_SEAT[side.index() & 3])),
        }
    }
}

/// The board with coordinates; squares of the last turn in brackets.
pub fn contest_board<W: SearchWord>(
    contest: &Contest<W>,
    last: Option<Turn>,
    style: ContestStyle,
) -> Vec<String> {
    let rules = contest.rules();
    let grid = rules.grid();
    let cell = rules.kinds().iter().map(|kind| kind.letter.len() + 1).max().unwrap_or(2) + 2;
    let touched: Vec<Square> = last.map_or_else(Vec::new, |turn| {
        [turn.first, turn.second].iter().flat_map(|mv| [mv.from(), mv.to()]).flatten().collect()
    });
    let square_text = |square: Square| {
        let (open, close) = if touched.contains(&square) { ("[", "]") } else { (" ", " ") };
        let (text, side) = match contest.piece(square) {
            Some((side, kind)) => (piece_text(side, kind, rules), Some(side)),
            None => (".".to_string(), None),
        };
        let padded = right(&format!("{open}{text}{close}"), cell);
        match side {
            Some(side) => padded.replacen(&text, &style.paint(&text, side, rules), 1),
            None => padded,
        }
    };
    let edge = format!("   +{}+", "-".repeat(cell * grid.files() as usize));
    let mut lines = vec![edge.clone()];
    for rank in (0..grid.ranks()).rev() {
        let squares = (0..grid.files()).map(|file| grid.at(i16::from(file), i16::from(rank)));
        let hole = || " ".repeat(cell);
        let row: String = squares.map(|square| square.map_or_else(hole, square_text)).collect();
        lines.push(format!("{} |{row}|", right(&grid.rank_name(rank), 2)));
    }
    lines.push(edge);
    let names: String =
        (0..grid.files()).map(|file| right(&format!("{} ", grid.file_name(file)), cell)).collect();
    lines.push(format!("    {}", names.trim_end()));
    lines
}

/// Status: side to move, roll, eliminated sides.
pub fn status<W: SearchWord>(contest: &Contest<W>, style: ContestStyle) -> Vec<String> {
    let rules = contest.rules();
    let painted = |side: Side| style.paint(side_name(side, rules), side, rules);
    let mut lines = Vec::new();
    for side in (0..rules.sides().len() as u8).map(Side) {
        if contest.is_returning(side) {
            lines.push(message!("cli.contest-returning", side = painted(side)).to_string());
        } else if let Some(holder) = contest.turn_state().holder(side) {
            lines.push(
                message!("cli.contest-out", side = painted(side), holder = painted(holder)).to_string(),
            );
        }
    }
    if let Some(outcome) = contest.outcome() {
        lines.push(format!("{}", outcome.words(rules)));
        return lines;
    }
    let side = painted(contest.turn());
    let stage = match (contest.stage(), contest.turn_state().roll()) {
        (Stage::Throw, _) => message!("cli.contest-throw", side),
        (Stage::Exchange(asked), _) => message!("cli.contest-exchange", side = painted(asked)),
        (Stage::Turn, Some(roll)) => message!("cli.contest-to-move-thrown", side, roll = roll.to_string()),
        (Stage::Turn, None) => message!("cli.contest-to-move", side),
    };
    lines.push(stage.to_string());
    lines
}

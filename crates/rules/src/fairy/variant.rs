//! What the parts of the translation of a variants.ini share.
//!
//! In: settings and their places. Out: a game file in the making, sets of pieces and squares. Never: single keys.

use std::fmt::Write as _;

use ashta_messages::message;

use super::settings::Settings;
use super::start::StartFen;
use crate::betza::Movement;
use crate::grid::{Grid, Side, Square};
use crate::problem::Place;
use crate::region::SquareSet;

/// A game file in the making.
pub struct GameText {
    pub text: String,
    /// For each line, the key that it comes from.
    pub places: Vec<Place>,
}

impl GameText {
    /// Adds a line, or several.
    pub fn line(&mut self, place: &Place, text: &str) {
        for line in text.split('\n') {
            _ = writeln!(self.text, "{line}");
            self.places.push(place.clone());
        }
    }
}

/// What the parts of the translation share.
pub struct Variant<'a> {
    pub settings: &'a mut Settings,
    pub grid: Grid,
    pub start: StartFen,
    /// Named regions: what each side calls so.
    pub regions: Vec<(String, Sides, Place)>,
    pub pieces: Vec<Piece>,
    /// Kinds that are another piece to the variant: what pieces become, with the piece that they are then.
    pub promoted: Vec<(String, String)>,
}

/// A set of squares for each side.
pub type Sides = [SquareSet; 2];

/// Lines of a game file with their places.
pub type Lines = Vec<(Place, String)>;

/// A type of piece of a variant.
#[derive(Clone)]
pub struct Piece {
    /// As the game file calls it: `fers-alfil`, `custom-1`.
    pub name: String,
    /// The key that makes it: `fersAlfil`, `customPiece1`.
    pub fairy: String,
    /// `P`.
    pub letter: String,
    pub movements: Vec<Movement>,
    /// Whether its loss loses the game.
    pub royal: bool,
    pub place: Place,
}

/// What hands are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandKind {
    None,
    Captures,
    SetUp,
}

impl HandKind {
    /// As game files say it.
    pub fn word(self) -> Option<&'static str> {
        match self {
            HandKind::None => None,
            HandKind::Captures => Some("captures"),
            HandKind::SetUp => Some("set-up"),
        }
    }
}

impl Variant<'_> {
    /// The squares that the second side calls by the names that the first has for these.
    pub fn turned(&self, set: &SquareSet) -> SquareSet {
        set.iter().map(|square| self.grid.turned(square, 2)).collect()
    }

    /// A name for a region, which is made if there is none.
    pub fn region(&mut self, wanted: &str, sides: Sides, key: &str) -> String {
        if let Some((name, ..)) = self.regions.iter().find(|(_, known, _)| *known == sides) {
            return name.clone();
        }
        let is_taken = |name: &str| self.regions.iter().any(|(other, ..)| other == name);
        let mut name = wanted.to_string();
        while is_taken(&name) {
            name.push_str("-too");
        }
        let place = self.settings.place_of(key);
        if sides.iter().any(SquareSet::is_empty) {
            self.settings.report(key, message!("rules.ini-one-sided", key));
        }
        self.regions.push((name.clone(), sides, place));
        name
    }

    /// The squares of a pair of keys, `...White` and `...Black`, each with its default.
    pub fn sides(&mut self, key: &str, default: Sides) -> Sides {
        let [white, black] = ["White", "Black"].map(|side| format!("{key}{side}"));
        let grid = self.grid;
        [
            self.settings.squares(&white, grid).unwrap_or(default[0]),
            self.settings.squares(&black, grid).unwrap_or(default[1]),
        ]
    }

    /// Some pieces with the kinds that are the same to the variant.
    pub fn with_promoted(&self, names: Vec<String>) -> Vec<String> {
        let same =
            self.promoted.iter().filter(|(_, like)| names.contains(like)).map(|(kind, _)| kind.clone());
        let same: Vec<String> = same.collect();
        names.into_iter().chain(same).collect()
    }

    /// The names of the pieces that a key lists, by the types that it lists if it is not set. `None` stands for all.
    pub fn piece_set(&mut self, key: &str, default: &[&str]) -> Option<Vec<String>> {
        let Some(text) = self.settings.text(key).map(str::to_string) else {
            let has = |name: &&&str| self.pieces.iter().any(|piece| piece.fairy == **name);
            return Some(default.iter().filter(has).map(|name| self.name_of(name)).collect());
        };
        let mut names = Vec::new();
        for letter in text.chars().filter(|c| !c.is_whitespace() && *c != '-') {
            if letter == '*' {
                return None;
            }
            match self.pieces.iter().find(|piece| piece.letter == letter.to_ascii_uppercase().to_string()) {
                Some(piece) => names.push(piece.name.clone()),
                None => self.settings.report(key, message!("rules.ini-piece", key, letter)),
            }
        }
        Some(names)
    }

    /// The same for both sides, which must agree.
    pub fn piece_set_of_both(&mut self, key: &str, default: &[&str]) -> Option<Vec<String>> {
        let [white, black] = ["White", "Black"].map(|side| format!("{key}{side}"));
        let (first, second) = (self.piece_set(&white, default), self.piece_set(&black, default));
        if first != second {
            self.settings.refuse(&black);
        }
        first
    }

    pub fn name_of(&self, fairy: &str) -> String {
        self.pieces
            .iter()
            .find(|piece| piece.fairy == fairy)
            .map(|piece| piece.name.clone())
            .unwrap_or_default()
    }

    /// Squares on which a side's pieces of a letter start.
    pub fn starts_of(&self, letter: &str, side: Side) -> SquareSet {
        let stands = |square: &Square| {
            self.start.board[square.index()].as_ref().is_some_and(|(s, l)| *s == side && l == letter)
        };
        self.grid.squares().filter(stands).collect()
    }
}

/// A string of TOML.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out + "\""
}

/// A list of strings.
pub fn list(names: &[String]) -> String {
    match names {
        [name] => quoted(name),
        names => format!("[{}]", names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")),
    }
}

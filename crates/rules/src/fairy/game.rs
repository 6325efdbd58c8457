//! The text of a game file that says what a variant of a variants.ini says.
//!
//! In: the settings of a variant. Out: TOML whose every line knows the key that it comes from. Never: a rule left out in
//! silence: keys that cannot be said are problems of [`Settings`].

use std::fmt::Write as _;

use ashta_messages::message;

use super::settings::Settings;
use super::start::{self, StartFen};
use super::{castling, effects, ends, hands, pieces, squares};
use crate::grid::{Grid, Side, Square};
use crate::problem::Place;
use crate::region::SquareSet;
use crate::setup_board::holes_in_text;

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
    pub pieces: Vec<pieces::Piece>,
    /// Kinds that are another piece to the variant: what pieces become, with the piece that they are then.
    pub promoted: Vec<(String, String)>,
}

/// A set of squares for each side.
pub type Sides = [SquareSet; 2];

/// Writes the game file of a variant. The rest is not judged if the board is wrong.
pub fn write(name: &str, settings: &mut Settings) -> Option<GameText> {
    settings.refuse_what_we_cannot_say();
    let fen = settings.text("startFen").unwrap_or(CHESS).to_string();
    let grid = settings.grid()?;
    let grid = grid.with_holes(holes_in_text(grid, &fen, 2));
    let start = match start::read(&fen, grid) {
        Ok(start) => start,
        Err(what) => {
            settings.report("startFen", what);
            return None;
        }
    };
    let mut variant =
        Variant { settings, grid, start, regions: Vec::new(), pieces: Vec::new(), promoted: Vec::new() };
    variant.pieces = pieces::read(&mut variant);
    let hand = hands::kind_of_hand(&mut variant);
    let pieces = pieces::write(&mut variant, hand);
    let castling = castling::write(&mut variant);
    let explosion = effects::write_explosion(&mut variant);
    let ends = ends::write(&mut variant);
    let mut out = GameText { text: String::new(), places: Vec::new() };
    variant.write_head(name, hand, &mut out);
    variant.write_regions(&mut out);
    for part in [pieces, castling, explosion, ends] {
        part.iter().for_each(|(place, text)| out.line(place, text));
    }
    Some(out)
}

const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Lines of a game file with their places.
pub type Lines = Vec<(Place, String)>;

impl Variant<'_> {
    fn write_head(&mut self, name: &str, hand: hands::HandKind, out: &mut GameText) {
        let place = self.settings.place.clone();
        out.line(&place, &format!("name = {}", quoted(name)));
        out.line(&place, &format!("about = {}", quoted(&format!("{name}, from a variants.ini."))));
        if let Some(word) = hand.word() {
            out.line(&self.settings.place_of("pieceDrops"), &format!("hand = \"{word}\""));
        }
        ends::write_turns(self, out);
        effects::write(self, out);
        out.line(&place, "\n[board]");
        out.line(&self.settings.place_of("maxFile"), &format!("files = {}", self.grid.files()));
        out.line(&self.settings.place_of("maxRank"), &format!("ranks = {}", self.grid.ranks()));
        let start = self.start_text(hand);
        out.line(&self.settings.place_of("startFen"), &format!("start = {}", quoted(&start)));
    }

    /// The start as our positions are written.
    fn start_text(&mut self, hand: hands::HandKind) -> String {
        let hands = match (hand.word(), &self.start.hands) {
            (Some(_), hands) => format!("[{}]", hands.as_deref().unwrap_or_default()),
            (None, _) => String::new(),
        };
        let rights = castling::rights(self);
        let checks = match (self.settings.truth("checkCounting", false), self.start.checks) {
            (true, Some((first, second))) => format!(" {first}+{second}"),
            (true, None) | (false, _) => String::new(),
        };
        format!("{}{hands} {} {rights} -{checks} 0 1", self.start.board_text, self.start.turn)
    }

    fn write_regions(&self, out: &mut GameText) {
        if self.regions.is_empty() {
            return;
        }
        out.line(&self.settings.place, "\n[regions]");
        for (name, [first, second], place) in &self.regions {
            let [ours, theirs] = [first, second].map(|set| quoted(&squares::in_game_file(set, self.grid)));
            let text = match self.turned(first) == *second {
                true => ours,
                false => format!("[{ours}, {theirs}]"),
            };
            out.line(place, &format!("{name} = {text}"));
        }
    }

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

//! A recorded game: tags, moves, result, annotations.
//!
//! In: what a parser found. Out: a value for writers and collections. Never: an illegal move.

use std::borrow::Cow;
use std::collections::HashMap;

use ashta_position::{CompiledRules, Game, Move, PositionError, PositionTextError, SetupUse};
use ashta_rules::{Rules, Setup, Side};

use crate::annotations::Annotations;
pub use crate::date::date_number;

/// Plies of a posting are 16-bit numbers.
pub const MAX_PLIES: usize = 60_000;

/// A recorded game. Its moves are legal; only parsers and collections create it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameRecord {
    /// Names as in [`tag`], others as in the file.
    pub tags: Tags,
    /// The first position as text, unless it is the start of the game.
    pub start: Option<String>,
    pub moves: Vec<Move>,
    pub result: GameResult,
    pub annotations: Annotations,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    #[default]
    Unknown,
    Draw,
    Won(Side),
}

impl GameResult {
    /// A small number below the number of sides plus two.
    pub fn code(self) -> u8 {
        match self {
            GameResult::Unknown => 0,
            GameResult::Draw => 1,
            GameResult::Won(side) => 2 + side.0,
        }
    }

    pub fn from_code(code: u8) -> GameResult {
        match code {
            0 => GameResult::Unknown,
            1 => GameResult::Draw,
            won => GameResult::Won(Side(won - 2)),
        }
    }

    /// As in PGN; the winner's number for games of more than two sides.
    pub fn text(self) -> String {
        match self {
            GameResult::Unknown => "*".into(),
            GameResult::Draw => "1/2-1/2".into(),
            GameResult::Won(Side::FIRST) => "1-0".into(),
            GameResult::Won(Side::SECOND) => "0-1".into(),
            GameResult::Won(side) => format!("side {}", side.0 + 1),
        }
    }
}

/// Names of tags, as collections store them.
pub mod tag {
    /// In order of moving.
    pub const PLAYERS: [&str; 4] = ["First", "Second", "Third", "Fourth"];
    pub const RATINGS: [&str; 4] = ["FirstRating", "SecondRating", "ThirdRating", "FourthRating"];
    pub const EVENT: &str = "Event";
    pub const SITE: &str = "Site";
    /// `1971.08.12`, with question marks for unknown parts.
    pub const DATE: &str = "Date";
    pub const ROUND: &str = "Round";
    pub const OPENING: &str = "Opening";
    /// The code of the Encyclopaedia of Chess Openings.
    pub const ECO: &str = "ECO";
    /// `resigns`, `checkmate`.
    pub const TERMINATION: &str = "Termination";
}

/// The tags of a game in file order. Names and values are non-empty single lines.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    entries: Vec<(String, String)>,
    /// Name to entry, once there are many: a hostile file may have any number.
    index: HashMap<String, usize>,
}

/// Up to this many tags are searched linearly.
const FEW_TAGS: usize = 32;

impl PartialEq for Tags {
    fn eq(&self, other: &Tags) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Tags {}

impl Tags {
    /// Sets a value; an empty one (`?`, `-`) changes nothing.
    pub fn set(&mut self, name: &str, value: impl AsRef<str>) {
        let (name, value) = (one_line(name), one_line(value.as_ref()));
        if name.is_empty() || value.chars().all(|c| matches!(c, '?' | '.' | '-' | ' ')) {
            return;
        }
        match self.index_of(&name) {
            // A file may have several dates; a time of day must not replace a date.
            Some(index_of) if name == tag::DATE && is_date(&self.entries[index_of].1) && !is_date(&value) => {
            }
            Some(index_of) => self.entries[index_of].1 = value.into_owned(),
            None => self.push(name.into_owned(), value.into_owned()),
        }
    }

    fn push(&mut self, name: String, value: String) {
        self.entries.push((name, value));
        let n_noted = self.index.len();
        if self.entries.len() > FEW_TAGS {
            let new = self.entries.iter().enumerate().skip(n_noted);
            self.index.extend(new.map(|(index_of, (name, _))| (name.clone(), index_of)));
        }
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        if self.index.is_empty() {
            self.entries.iter().position(|(known, _)| known == name)
        } else {
            self.index.get(name).copied()
        }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.index_of(name).map(|index_of| self.entries[index_of].1.as_str())
    }

    /// The opening's code and name.
    pub fn opening(&self) -> Option<String> {
        let known: Vec<&str> =
            [tag::ECO, tag::OPENING].into_iter().filter_map(|name| self.get(name)).collect();
        (!known.is_empty()).then(|| known.join(" "))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn is_date(text: &str) -> bool {
    date_number(text).is_some()
}

/// Removes control characters and surrounding space.
fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.contains(char::is_control) {
        Cow::Owned(text.replace(char::is_control, " ").trim().to_string())
    } else {
        Cow::Borrowed(text)
    }
}

/// A game from a position and what the position is for: a game if possible, else a problem or study without royal
/// pieces, else a diagram.
pub fn begin_from(rules: &CompiledRules, setup: &Setup) -> Result<(Game, SetupUse), PositionError> {
    let uses = [SetupUse::Game, SetupUse::Problem, SetupUse::Study, SetupUse::Diagram];
    let begin = |setup_use| Ok((Game::for_use(rules, setup, setup_use)?, setup_use));
    uses.into_iter().map(begin).find(Result::is_ok).unwrap_or(Err(PositionError::OtherGame))
}

pub fn begin_from_text(rules: &CompiledRules, text: &str) -> Result<(Game, SetupUse), PositionTextError> {
    match text.trim() {
        "startpos" | "start" => Ok((Game::start(rules), SetupUse::Game)),
        text => Ok(begin_from(rules, &Setup::read(text, rules.rules())?)?),
    }
}

impl GameRecord {
    pub fn begin(&self, rules: &CompiledRules) -> Result<Game, PositionTextError> {
        match &self.start {
            None => Ok(Game::start(rules)),
            Some(text) => Ok(begin_from_text(rules, text)?.0),
        }
    }

    /// Why the record is a study or a diagram: what its first position lacks.
    pub fn lack(&self, rules: &CompiledRules) -> Option<PositionError> {
        let setup = self.start.as_deref().and_then(|text| Setup::read(text, rules.rules()).ok())?;
        let error = Game::from_setup(rules, &setup).err()?;
        Game::of_problem(rules, &setup).is_err().then_some(error)
    }

    /// Stores a first position, unless it is the start of the game.
    pub fn set_start(&mut self, game: &Game) {
        let text = game.text();
        self.start = (text != game.rules().start().write(game.rules())).then_some(text);
    }

    pub fn player(&self, side: Side) -> Option<&str> {
        tag::PLAYERS.get(side.index()).and_then(|name| self.tags.get(name))
    }

    pub fn opponent(rules: &Rules, side: Side) -> Option<Side> {
        (rules.sides().len() == 2).then_some(Side(1 - side.0.min(1)))
    }
}

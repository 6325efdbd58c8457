//! One recorded game: who, when, what was played, who won.
//!
//! In: what a reader found in a text. Out: a value that writers and collections take. Never: an illegal move.

use std::borrow::Cow;
use std::collections::HashMap;

use ashta_position::{CompiledRules, Game, Move, PositionError, PositionTextError, SetupUse};
use ashta_rules::{Rules, Setup, Side};

use crate::annotations::Annotations;
pub use crate::date::date_number;

/// Most plies of a recorded game: postings count them in sixteen bits.
pub const MAX_PLIES: usize = 60_000;

/// A recorded game. Its moves are legal one after another: only readers and collections make it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameRecord {
    /// Who, when, where; names as in the list of [`tag`], others as the file had them.
    pub tags: Tags,
    /// The position it starts from as text, unless it is the start of the game.
    pub start: Option<String>,
    /// What was played.
    pub moves: Vec<Move>,
    /// Who won.
    pub result: GameResult,
    /// What is said beside the moves: comments, glyphs, times, variations.
    pub annotations: Annotations,
}

/// How a recorded game ended, as far as the record says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// The record does not say.
    #[default]
    Unknown,
    /// Nobody won.
    Draw,
    /// This side won.
    Won(Side),
}

impl GameResult {
    /// As a small number: how many results there are is the number of sides and two.
    pub fn code(self) -> u8 {
        match self {
            GameResult::Unknown => 0,
            GameResult::Draw => 1,
            GameResult::Won(side) => 2 + side.0,
        }
    }

    /// From [`GameResult::code`].
    pub fn from_code(code: u8) -> GameResult {
        match code {
            0 => GameResult::Unknown,
            1 => GameResult::Draw,
            won => GameResult::Won(Side(won - 2)),
        }
    }

    /// As PGN has it; games of more than two sides have the winner's number.
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

/// Names of what is known of a game, as collections keep them.
pub mod tag {
    /// The players, in order of moving.
    pub const PLAYERS: [&str; 4] = ["First", "Second", "Third", "Fourth"];
    /// Their ratings.
    pub const RATINGS: [&str; 4] = ["FirstRating", "SecondRating", "ThirdRating", "FourthRating"];
    /// The tournament or match.
    pub const EVENT: &str = "Event";
    /// Where.
    pub const SITE: &str = "Site";
    /// When: `1971.08.12`, question marks for what is not known.
    pub const DATE: &str = "Date";
    /// The round of the event.
    pub const ROUND: &str = "Round";
    /// The opening's name.
    pub const OPENING: &str = "Opening";
    /// Its code in the encyclopaedia of chess openings.
    pub const ECO: &str = "ECO";
    /// Why it ended: `resigns`, `checkmate`.
    pub const TERMINATION: &str = "Termination";
}

/// What is known of a game, in the order of the record. Names and values are one line each, and say something.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    entries: Vec<(String, String)>,
    /// Where each name is, once there are many: a file may have as many as it likes.
    index: HashMap<String, usize>,
}

/// Tags among which a name is looked for one by one.
const FEW_TAGS: usize = 32;

impl PartialEq for Tags {
    fn eq(&self, other: &Tags) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Tags {}

impl Tags {
    /// Sets a value; one that says nothing (`?`, `-`) leaves what is there.
    pub fn set(&mut self, name: &str, value: impl AsRef<str>) {
        let (name, value) = (one_line(name), one_line(value.as_ref()));
        if name.is_empty() || value.chars().all(|c| matches!(c, '?' | '.' | '-' | ' ')) {
            return;
        }
        match self.index_of(&name) {
            // A file may say when a game was played in several ways; a time of day says less than a date.
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

    /// A value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.index_of(name).map(|index_of| self.entries[index_of].1.as_str())
    }

    /// The opening's code and name, as far as they are known.
    pub fn opening(&self) -> Option<String> {
        let known: Vec<&str> =
            [tag::ECO, tag::OPENING].into_iter().filter_map(|name| self.get(name)).collect();
        (!known.is_empty()).then(|| known.join(" "))
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn is_date(text: &str) -> bool {
    date_number(text).is_some()
}

/// A text without control characters and without space around it.
fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.contains(char::is_control) {
        Cow::Owned(text.replace(char::is_control, " ").trim().to_string())
    } else {
        Cow::Borrowed(text)
    }
}

/// A playing from a position, and what that is: a game if it can be one, else a problem or a study that lacks royal pieces,
/// else a diagram.
pub fn begin_from(rules: &CompiledRules, setup: &Setup) -> Result<(Game, SetupUse), PositionError> {
    let uses = [SetupUse::Game, SetupUse::Problem, SetupUse::Study, SetupUse::Diagram];
    let begin = |setup_use| Ok((Game::for_use(rules, setup, setup_use)?, setup_use));
    uses.into_iter().map(begin).find(Result::is_ok).unwrap_or(Err(PositionError::OtherGame))
}

/// The same from a position as text.
pub fn begin_from_text(rules: &CompiledRules, text: &str) -> Result<(Game, SetupUse), PositionTextError> {
    match text.trim() {
        "startpos" | "start" => Ok((Game::start(rules), SetupUse::Game)),
        text => Ok(begin_from(rules, &Setup::read(text, rules.rules())?)?),
    }
}

impl GameRecord {
    /// A playing of the record's game from its first position.
    pub fn begin(&self, rules: &CompiledRules) -> Result<Game, PositionTextError> {
        match &self.start {
            None => Ok(Game::start(rules)),
            Some(text) => Ok(begin_from_text(rules, text)?.0),
        }
    }

    /// Why the record is a study or a diagram, not a game or a problem: what its first position lacks.
    pub fn lack(&self, rules: &CompiledRules) -> Option<PositionError> {
        let setup = self.start.as_deref().and_then(|text| Setup::read(text, rules.rules()).ok())?;
        let error = Game::from_setup(rules, &setup).err()?;
        Game::of_problem(rules, &setup).is_err().then_some(error)
    }

    /// Keeps a first position, unless it is where the game starts anyway.
    pub fn set_start(&mut self, game: &Game) {
        let text = game.text();
        self.start = (text != game.rules().start().write(game.rules())).then_some(text);
    }

    /// The name of a player, if it is known.
    pub fn player(&self, side: Side) -> Option<&str> {
        tag::PLAYERS.get(side.index()).and_then(|name| self.tags.get(name))
    }

    /// A side other than `side`, where there are two.
    pub fn opponent(rules: &Rules, side: Side) -> Option<Side> {
        (rules.sides().len() == 2).then_some(Side(1 - side.0.min(1)))
    }
}

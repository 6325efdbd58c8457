//! One recorded game: who, when, what was played, who won.
//!
//! In: what a reader found in a text. Out: a value that writers and collections take. Never: an illegal move.

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

/// What is known of a game, in the order of the record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Sets a value; an empty one is nothing known, and leaves what is there.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if value.is_empty() {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| known == name) {
            // A file may say when a game was played in several ways; a time of day says less than a date.
            Some((_, old))
                if name == tag::DATE && date_number(old).is_some() && date_number(&value).is_none() => {}
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_string(), value)),
        }
    }

    /// A value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The opening's code and name, as far as they are known.
    pub fn opening(&self) -> Option<String> {
        let known: Vec<&str> =
            [tag::ECO, tag::OPENING].into_iter().filter_map(|name| self.get(name)).collect();
        (!known.is_empty()).then(|| known.join(" "))
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
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

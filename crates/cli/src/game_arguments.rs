//! The arguments GAME, --position and --moves, which most commands share.
//!
//! In: arguments. Out: rules, and a game at a position. Never: output.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use ashta_messages::{Message, message};
use ashta_position::notation::MoveTextError;
pub use ashta_position::notation::{promotions, read_move};
use ashta_position::{CompiledRules, Game, PositionTextError};
use ashta_rules::{Rules, game_names, load, load_text, load_variant, nearest};
use clap::Args;

use crate::cli_error::{ArgumentSpan, CliError, ErrorMessage, did_you_mean};
use crate::draw::{self, Style};

/// A game and a position of it.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// A name from `ashta games` or a path to a .toml file, with `+change`s, or variants.ini:NAME
    pub game: String,
    /// Start from this position, as FEN or SFEN
    #[arg(long, short, value_name = "FEN")]
    pub position: Option<String>,
    /// Play these moves first, as coordinates or SAN
    #[arg(long, short, value_name = "MOVES")]
    pub moves: Option<String>,
}

/// What [`PositionArgs`] name.
pub enum GameOrContest {
    Game(Box<Game>),
    Contest(CompiledRules),
}

/// How pictures are drawn.
#[derive(Args, Debug)]
pub struct StyleArgs {
    /// Draw pieces as letters, in plain ASCII
    #[arg(long)]
    pub ascii: bool,
}

impl StyleArgs {
    /// The style for a game.
    pub fn style(&self, rules: &Rules) -> Style {
        if self.ascii { Style::Letters } else { Style::of(rules) }
    }
}

impl PositionArgs {
    /// The game, or the rules of a contest, which has positions of its own.
    pub fn open_any(&self) -> Result<GameOrContest, CliError> {
        let rules = CompiledRules::new(read_rules(&self.game)?);
        match (rules.rules().contest(), &self.moves) {
            (None, _) => self.open_in(&rules).map(|game| GameOrContest::Game(Box::new(game))),
            (Some(_), None) => Ok(GameOrContest::Contest(rules)),
            (Some(_), Some(_)) => {
                let message = ErrorMessage::new(message!("cli.contest-moves", game = self.game));
                Err(message.hint(message!("cli.contest-moves.hint")).into())
            }
        }
    }

    /// The game at the position asked for, after the moves asked for.
    pub fn open(&self) -> Result<Game, CliError> {
        self.open_in(&CompiledRules::new(read_rules(&self.game)?))
    }

    /// The same with rules that are loaded already.
    pub fn open_in(&self, rules: &CompiledRules) -> Result<Game, CliError> {
        let mut game = match &self.position {
            None => Game::start(rules),
            Some(text) => Game::from_text(rules, text).map_err(|error| position_error(error, text, rules))?,
        };
        let moves = self.moves.as_deref().unwrap_or_default();
        for (offset, word) in words(moves) {
            let mv = read_move(&game, word).map_err(|error| self.move_error(error, &game, offset))?;
            game.play_unchecked(mv);
        }
        Ok(game)
    }

    /// The error for the illegal move at `offset`.
    fn move_error(&self, error: MoveTextError, game: &Game, offset: usize) -> ErrorMessage {
        let moves = self.moves.as_deref().unwrap_or_default();
        let place = ArgumentSpan { option: "--moves", text: moves.to_string(), offset };
        if let Some(outcome) = game.outcome() {
            let what = message!("cli.game-over-before-move", outcome = outcome.words(game.rules()));
            let hint = message!("cli.game-over-before-move.hint", typed = self.so_far(offset));
            return ErrorMessage::new(what).at(place).hint(hint);
        }
        let (MoveTextError::Illegal { text } | MoveTextError::Explained { text, .. }) = &error else {
            return ErrorMessage::new(error).at(place);
        };
        let (promotions, said) = promotions(game, text);
        match (promotions.as_slice(), said.is_empty()) {
            ([], _) => {
                let hint = message!("cli.illegal-move.hint", typed = self.so_far(offset));
                ErrorMessage::new(error).at(place).hint(hint)
            }
            (ways, true) => {
                let ways = draw::list(ways, "or");
                ErrorMessage::new(message!("cli.must-promote", text, ways)).at(place)
            }
            (ways, false) => {
                let hint = message!("cli.promotions.hint", ways = draw::list(ways, "or"));
                ErrorMessage::new(error).at(place).hint(hint)
            }
        }
    }

    /// The game, the position and the moves before `offset`, as they may be typed again.
    fn so_far(&self, offset: usize) -> String {
        let quoted = |option: &str, text: &str| match text.trim() {
            "" => String::new(),
            text => format!(" {option} \"{text}\""),
        };
        let position = quoted("--position", self.position.as_deref().unwrap_or_default());
        let before = quoted("--moves", &self.moves.as_deref().unwrap_or_default()[..offset]);
        format!("{}{position}{before}", self.game)
    }
}

/// GAME as typed, without its changes.
pub fn without_changes(typed: &str) -> &str {
    match GameSpec::read(typed) {
        GameSpec::Name { name, .. } => name,
        GameSpec::File { path, .. } => path,
        GameSpec::Variant { .. } => typed,
    }
}

enum GameSpec<'a> {
    /// A game of the library.
    Name { name: &'a str, changes: Vec<&'a str> },
    /// A file.
    File { path: &'a str, changes: Vec<&'a str> },
    /// A variant of a variants.ini, by its name unless it is the only one.
    Variant { path: &'a str, section: Option<&'a str> },
}

impl GameSpec<'_> {
    fn read(typed: &str) -> GameSpec<'_> {
        const ENDING: &str = ".toml";
        if let Some((path, section)) = variant_file(typed) {
            return GameSpec::Variant { path, section };
        }
        let is_path = typed.contains(std::path::is_separator);
        let ending = typed.rfind(ENDING).map(|at| at + ENDING.len());
        match ending.map(|end| typed.split_at(end)) {
            Some((path, "")) => GameSpec::File { path, changes: Vec::new() },
            Some((path, rest)) if rest.starts_with('+') => {
                GameSpec::File { path, changes: rest[1..].split('+').collect() }
            }
            _ if is_path => GameSpec::File { path: typed, changes: Vec::new() },
            _ => {
                let mut parts = typed.split('+');
                GameSpec::Name { name: parts.next().unwrap_or(""), changes: parts.collect() }
            }
        }
    }
}

/// `variants.ini:section`, or `variants.ini`.
pub fn variant_file(typed: &str) -> Option<(&str, Option<&str>)> {
    const ENDING: &str = ".ini";
    let end = typed.rfind(ENDING)? + ENDING.len();
    match typed.split_at(end) {
        (path, "") => Some((path, None)),
        (path, rest) => Some((path, Some(rest.strip_prefix(':')?))),
    }
}

/// The rules of a GAME as typed.
pub fn read_rules(typed: &str) -> Result<Rules, CliError> {
    match GameSpec::read(typed) {
        GameSpec::Name { name, changes } => {
            if !game_names().contains(&name) {
                return Err(unknown_game(name).into());
            }
            with_changes(name, &changes, &|changes| load(&[&[name], changes].concat().join("+")))
        }
        GameSpec::File { path, changes } => {
            let text = read_game_file(Path::new(path))?;
            with_changes(path, &changes, &|changes| load_text(path, &text, changes))
        }
        GameSpec::Variant { path, section } => {
            let text = read_game_file(Path::new(path))?;
            load_variant(path, &text, section).map_err(CliError::Problems)
        }
    }
}

/// The rules of a command's games, each loaded once.
#[derive(Default)]
pub struct LoadedRules(HashMap<String, Rules>);

impl LoadedRules {
    /// The rules of a GAME as typed.
    pub fn read(&mut self, typed: &str) -> Result<Rules, CliError> {
        Ok(match self.0.entry(typed.to_string()) {
            Entry::Occupied(entry) => entry.get().clone(),
            Entry::Vacant(entry) => entry.insert(read_rules(typed)?).clone(),
        })
    }
}

/// Refuses games that the engine and the solvers do not know how to play.
pub fn require_two_sides(rules: &Rules, typed: &str) -> Result<(), ErrorMessage> {
    match rules.is_two_sided() {
        true => Ok(()),
        false => Err(ErrorMessage::new(message!("cli.two-sides", game = typed))),
    }
}

fn unknown_game(name: &str) -> ErrorMessage {
    let hint = match nearest(name, game_names()) {
        Some(near) => message!("cli.did-you-mean-game.hint", name = near),
        None => message!("cli.unknown-game.hint"),
    };
    ErrorMessage::new(message!("cli.unknown-game", name)).hint(hint)
}

type Load<'a> = &'a dyn Fn(&[&str]) -> Result<Rules, ashta_rules::Problems>;

/// Loads with changes; one that is not offered was mistyped here, not in the file.
fn with_changes(game: &str, changes: &[&str], load: Load) -> Result<Rules, CliError> {
    let loaded = load(changes);
    if loaded.is_err() && !changes.is_empty() {
        let base = load(&[]).map_err(CliError::Problems)?;
        let offered: Vec<&str> = base.changes().iter().map(|change| change.name.as_str()).collect();
        if let Some(unknown) = changes.iter().find(|change| !offered.contains(change)) {
            let hint = match (nearest(unknown, offered.iter().copied()), offered.is_empty()) {
                (Some(near), _) => did_you_mean(near),
                (None, true) => message!("cli.no-changes.hint"),
                (None, false) => message!("cli.changes.hint", changes = offered),
            };
            let what = message!("cli.unknown-change", game, change = unknown);
            return Err(ErrorMessage::new(what).hint(hint).into());
        }
    }
    loaded.map_err(CliError::Problems)
}

/// Bytes of the largest file that is read: forty times the largest game of the library.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a game file.
pub fn read_game_file(path: &Path) -> Result<String, ErrorMessage> {
    read_text_file(path).map_err(|message| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if game_names().contains(&stem) && !path.exists() {
            message.hint(message!("cli.library-game.hint", name = stem))
        } else {
            message
        }
    })
}

/// The text of a small file.
pub fn read_text_file(path: &Path) -> Result<String, ErrorMessage> {
    let unreadable =
        |error: std::io::Error| ErrorMessage::new(message!("cli.cannot-read", path, error = reason(&error)));
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if length > MAX_BYTES {
        return Err(ErrorMessage::new(message!("cli.file-too-large", path, n = length, most = MAX_BYTES)));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        ErrorMessage::new(message!("cli.not-utf8", path, at = place + 1))
    })
}

fn reason(error: &std::io::Error) -> Message {
    match error.kind() {
        std::io::ErrorKind::NotFound => message!("cli.no-such-file"),
        std::io::ErrorKind::PermissionDenied => message!("cli.permission-denied"),
        std::io::ErrorKind::IsADirectory => message!("cli.is-a-folder"),
        _ => message!("cli.system-error", error),
    }
}

pub fn position_error(error: PositionTextError, text: &str, rules: &CompiledRules) -> CliError {
    let message = match error {
        PositionTextError::Text(error) => {
            let place = ArgumentSpan { option: "--position", text: text.to_string(), offset: error.offset };
            ErrorMessage::new(error.what).at(place)
        }
        PositionTextError::Position(error) => ErrorMessage::new(message!("cli.unplayable-position", error)),
    };
    message.hint(message!("cli.start-position.hint", position = Game::start(rules).text())).into()
}

/// The words of a text with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(|c: char| !c.is_whitespace())?;
        at = start + text[start..].find(char::is_whitespace).unwrap_or(text.len() - start);
        Some((start, &text[start..at]))
    })
}

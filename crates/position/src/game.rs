//! One playing of any game: the typed line behind a face that does not show its word.
//!
//! In: rules, positions, moves. Out: the same of every board size. Never: inner loops; those take a [`Line`] through
//! [`with_line!`](crate::with_line).

use std::sync::Arc;

use ashta_messages::Tell;
use ashta_rules::{KindId, Rules, Setup, SetupError, Side, Square};

use crate::dispatch::Tables;
use crate::line::Line;
use crate::moves::Move;
use crate::position::{Position, PositionError, SetupUse};
use crate::reason::Outcome;
use crate::word::Wide;

/// Rules compiled for the smallest word that holds their board.
#[derive(Clone, Debug)]
pub enum CompiledRules {
    /// Up to 64 squares.
    W64(Arc<Tables<u64>>),
    /// Up to 128 squares.
    W128(Arc<Tables<u128>>),
    /// Up to 256 squares.
    W256(Arc<Tables<Wide<4>>>),
}

impl CompiledRules {
    /// Compiles rules.
    pub fn new(rules: Rules) -> CompiledRules {
        let rules = Arc::new(rules);
        match rules.grid().n_squares() {
            0..=64 => CompiledRules::W64(Arc::new(Tables::new(rules))),
            65..=128 => CompiledRules::W128(Arc::new(Tables::new(rules))),
            _ => CompiledRules::W256(Arc::new(Tables::new(rules))),
        }
    }

    pub fn rules(&self) -> &Arc<Rules> {
        match self {
            CompiledRules::W64(tables) => &tables.rules,
            CompiledRules::W128(tables) => &tables.rules,
            CompiledRules::W256(tables) => &tables.rules,
        }
    }
}

/// One playing of a game.
///
/// ```
/// use ashta_position::notation::{read_move, write_san};
/// use ashta_position::{CompiledRules, Game};
///
/// let rules = CompiledRules::new(ashta_rules::load("chess").unwrap());
/// let mut game = Game::start(&rules);
/// assert_eq!(game.legal_moves().len(), 20);
/// for word in ["f3", "e5", "g4"] {
///     let mv = read_move(&game, word).unwrap();
///     game.play(mv).unwrap();
/// }
/// let mate = read_move(&game, "d8h4").unwrap();
/// assert_eq!(write_san(&game, mate), "Qh4#");
/// game.play(mate).unwrap();
/// assert!(game.outcome().is_some_and(|outcome| outcome.winner.is_some()));
/// assert_eq!(game.take_back(), Some(mate));
/// assert!(game.outcome().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Game(pub(crate) AnyLine);

/// A line of any word.
#[expect(
    clippy::large_enum_variant,
    reason = "a game is one value that is not moved about: a box would buy nothing"
)]
#[derive(Clone, Debug)]
pub enum AnyLine {
    /// Up to 64 squares.
    W64(Line<u64>),
    /// Up to 128 squares.
    W128(Line<u128>),
    /// Up to 256 squares.
    W256(Line<Wide<4>>),
}

/// Runs an expression on the typed line of a game: `with_line!(game.line_mut(), line => perft(line, 3))`.
#[macro_export]
macro_rules! with_line {
    ($any:expr, $line:ident => $body:expr) => {
        match $any {
            $crate::AnyLine::W64($line) => $body,
            $crate::AnyLine::W128($line) => $body,
            $crate::AnyLine::W256($line) => $body,
        }
    };
}

/// Runs an expression on the typed tables of a game: `with_tables!(rules, tables => Contest::start(tables.clone()))`.
#[macro_export]
macro_rules! with_tables {
    ($rules:expr, $tables:ident => $body:expr) => {
        match $rules {
            $crate::CompiledRules::W64($tables) => $body,
            $crate::CompiledRules::W128($tables) => $body,
            $crate::CompiledRules::W256($tables) => $body,
        }
    };
}

/// Why a text is not a position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum PositionTextError {
    /// The text cannot be read.
    #[code(transparent)]
    Text(#[from] SetupError),
    /// What it says cannot be played from.
    #[code(transparent)]
    Position(#[from] PositionError),
}

/// A move that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
#[code("position.illegal-move")]
pub struct IllegalMove;

impl Game {
    /// A game from its start.
    pub fn start(rules: &CompiledRules) -> Game {
        Game(match rules {
            CompiledRules::W64(tables) => AnyLine::W64(Line::new(Position::start(tables.clone()))),
            CompiledRules::W128(tables) => AnyLine::W128(Line::new(Position::start(tables.clone()))),
            CompiledRules::W256(tables) => AnyLine::W256(Line::new(Position::start(tables.clone()))),
        })
    }

    /// A game from a position.
    #[inline]
    pub fn from_setup(rules: &CompiledRules, setup: &Setup) -> Result<Game, PositionError> {
        Game::for_use(rules, setup, SetupUse::Game)
    }

    /// A game from the position of a problem: the side to move, which is to mate, need not have a royal piece.
    #[inline]
    pub fn of_problem(rules: &CompiledRules, setup: &Setup) -> Result<Game, PositionError> {
        Game::for_use(rules, setup, SetupUse::Problem)
    }

    /// A game from a position that has what its use demands.
    pub fn for_use(rules: &CompiledRules, setup: &Setup, setup_use: SetupUse) -> Result<Game, PositionError> {
        Ok(Game(match rules {
            CompiledRules::W64(tables) => {
                AnyLine::W64(Line::new(Position::for_use(tables.clone(), setup, setup_use)?))
            }
            CompiledRules::W128(tables) => {
                AnyLine::W128(Line::new(Position::for_use(tables.clone(), setup, setup_use)?))
            }
            CompiledRules::W256(tables) => {
                AnyLine::W256(Line::new(Position::for_use(tables.clone(), setup, setup_use)?))
            }
        }))
    }

    /// A game from a position as text: SFEN or FEN, or `startpos`.
    ///
    /// ```
    /// use ashta_position::{CompiledRules, Game};
    ///
    /// let rules = CompiledRules::new(ashta_rules::load("shogi").unwrap());
    /// let game = Game::from_text(&rules, "4k4/9/4P4/9/9/9/9/9/4K4 b G2p 1").unwrap();
    /// assert_eq!(game.text(), "4k4/9/4P4/9/9/9/9/9/4K4 b G2p 1");
    /// // A position that cannot be played is an error that says why.
    /// assert!(Game::from_text(&rules, "9/9/4P4/9/9/9/9/9/4K4 b - 1").is_err());
    /// ```
    pub fn from_text(rules: &CompiledRules, text: &str) -> Result<Game, PositionTextError> {
        if matches!(text.trim(), "startpos" | "start") {
            return Ok(Game::start(rules));
        }
        let setup = Setup::read(text, rules.rules())?;
        Ok(Game::from_setup(rules, &setup)?)
    }

    /// The typed line, for inner loops.
    #[inline]
    pub fn line(&self) -> &AnyLine {
        &self.0
    }

    /// The typed line, for inner loops.
    #[inline]
    pub fn line_mut(&mut self) -> &mut AnyLine {
        &mut self.0
    }

    pub fn rules(&self) -> &Rules {
        with_line!(&self.0, line => line.position().rules())
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        with_line!(&self.0, line => line.position().turn())
    }

    /// What stands on a square.
    pub fn piece(&self, square: Square) -> Option<(Side, KindId)> {
        with_line!(&self.0, line => line.position().piece(square))
    }

    /// How many pieces of a kind a side holds.
    pub fn in_hand(&self, side: Side, kind: KindId) -> u8 {
        with_line!(&self.0, line => line.position().in_hand(side, kind))
    }

    /// The position's key.
    pub fn key(&self) -> u64 {
        with_line!(&self.0, line => line.position().key())
    }

    /// Whether the side to move has one royal piece left and it is attacked.
    pub fn is_in_check(&self) -> bool {
        with_line!(&self.0, line => line.position().is_in_check())
    }

    /// The legal moves, in the order of generation. They are the same whether or not the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        with_line!(&self.0, line => line.position().legal_moves())
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        with_line!(&self.0, line => line.position().is_legal(mv))
    }

    /// Plays a move if it is legal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self.is_legal(mv) {
            true => {
                self.play_unchecked(mv);
                Ok(())
            }
            false => Err(IllegalMove),
        }
    }

    /// Plays a move that is known to be legal; another leaves a position that means nothing.
    pub fn play_unchecked(&mut self, mv: Move) {
        with_line!(&mut self.0, line => line.play_unchecked(mv));
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self) -> Option<Move> {
        with_line!(&mut self.0, line => line.take_back())
    }

    /// The moves played.
    pub fn moves(&self) -> Vec<Move> {
        with_line!(&self.0, line => line.moves().collect())
    }

    /// How often the present position has occurred.
    pub fn occurrences(&self) -> u32 {
        with_line!(&self.0, line => line.occurrences())
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        with_line!(&self.0, line => line.outcome())
    }

    /// The position as a setup.
    pub fn setup(&self) -> Setup {
        with_line!(&self.0, line => line.position().setup())
    }

    /// The position as text: SFEN or FEN.
    pub fn text(&self) -> String {
        with_line!(&self.0, line => line.position().text())
    }

    /// How many sequences of `depth` legal moves follow.
    ///
    /// ```
    /// use ashta_position::{CompiledRules, Game};
    ///
    /// let rules = CompiledRules::new(ashta_rules::load("chess").unwrap());
    /// assert_eq!(Game::start(&rules).perft(3), 8902);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        with_line!(&self.0, line => crate::perft::perft(&mut line.position().clone(), depth))
    }

    /// The same, move by move of the first ply.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        with_line!(&self.0, line => crate::perft::divide(&mut line.position().clone(), depth))
    }
}

//! Rules of contests: games of several sides and teams, whose turns may depend on dice.
//!
//! In: a game file's `[contest]`, `[dice]`, `[throne]`, `[block]` and `[captives]`. Out: parts that can be put together.
//! Never: how a single piece moves; that is the same in all games.

use crate::ends::Verdict;
use crate::rule_parts::{KindId, Region};

/// What makes a game a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestRules {
    /// Dice thrown before every turn; without them a turn is one move of any piece.
    pub dice: Option<Dice>,
    /// What of one's partner may be captured.
    pub partner: PartnerCapture,
    /// What the game is played for.
    pub goal: Goal,
    /// Which royal piece a side must not lose.
    pub royals: RoyalsNeeded,
    /// What standing on a partner's throne gives.
    pub throne: Option<Throne>,
    /// Blocks of squares that capture when they are full.
    pub block: Option<Block>,
    /// How captured royal pieces come back.
    pub captives: Captives,
    /// Who must be bare for the rule of bare royal pieces, and what it means between partners.
    pub bare: ContestBare,
}

/// Dice and what may be done with a throw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dice {
    /// How many are thrown: 1 or 2.
    pub count: u8,
    /// The numbers on each, all equally likely; at most eight.
    pub faces: Vec<u8>,
    /// In which order two numbers may be used.
    pub order: DiceOrder,
    /// What two equal numbers move.
    pub double: DoubleMoves,
    /// Whether a piece that moves twice may come back to where it was.
    pub back: ComeBack,
    /// Whether two numbers may be used as one, their sum.
    pub sum: SumOfDice,
}

/// In which order two numbers may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiceOrder {
    /// As they were thrown: the first die's piece moves first.
    Thrown,
    /// The lower number's piece moves first.
    Rising,
    /// As the player likes; a turn is told by the order of its moves.
    Any,
    /// As the player likes; the same two moves in the other order are the same turn.
    Set,
}

/// What two equal numbers move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DoubleMoves {
    /// One piece, twice.
    SamePiece,
    /// Any two pieces of that number, or one twice.
    AnyPiece,
}

/// Whether a piece that moves twice may come back to where it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComeBack {
    /// Only if it captured on the way.
    AfterCapture,
    /// It may.
    Always,
}

/// Whether two numbers may be used as their sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumOfDice {
    /// They may, where some piece has that number.
    Allowed,
    /// They may not.
    No,
}

/// What of one's partner may be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartnerCapture {
    /// Everything.
    All,
    /// Everything but royal pieces, until the other teams are beaten; then those too.
    RoyalLast,
    /// Nothing, until the other teams are beaten; then everything.
    Last,
}

/// What a contest is played for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To be the last with a royal piece: when one team is left, its partners fight each other.
    LastRoyal,
    /// To beat the other teams.
    LastTeam,
    /// To have captured most, counted by the values of pieces, when one royal piece is left.
    Points,
}

/// Which royal piece a side must not lose, if it has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoyalsNeeded {
    /// The last.
    Last,
    /// The first: with it all others are gone.
    First,
}

/// What a royal piece on its partner's throne (where the partner's royal piece began) may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Throne {
    /// The throne of each side.
    pub squares: Region,
    /// For how long it commands the partner's pieces too.
    pub command: Command,
    /// What a royal piece is worth that is taken by another on its own throne.
    pub fallen: FallenOnThrone,
}

/// What a royal piece is worth that is taken by another royal piece on its own throne.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FallenOnThrone {
    /// Its points.
    CountsOnce,
    /// Twice its points.
    CountsTwice,
}

/// For how long a royal piece commands its partner's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// While it stands there.
    WhileThere,
    /// From then on.
    FromThenOn,
}

/// A block of squares: whoever moves a piece of these kinds to its last free square captures all the others in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Which kinds.
    pub kinds: Vec<KindId>,
    /// Squares of its sides.
    pub files: u8,
    /// Squares of its other sides.
    pub ranks: u8,
}

/// How captured royal pieces come back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Captives {
    /// When.
    pub freed: Freed,
    /// Where the piece is put, for each side; the square must be empty.
    pub place: Region,
}

/// When a captured royal piece comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freed {
    /// Never.
    Never,
    /// When two sides are left, enemies, and each holds the other's partner: once by agreement; a piece taken for the
    /// first time may be demanded for one taken for the second; two taken twice stay.
    ByExchange(Asked),
    /// As soon as its owner's partner captures an enemy's royal piece.
    ByCapture,
    /// When its owner's partner has captured the royal pieces of all enemies.
    ByCapturingAll,
}

/// When sides are asked whether they want an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Once, when the exchange has become possible.
    Once,
    /// Before each turn, as long as it is possible.
    EachTurn,
}

/// The rule of bare royal pieces in a contest; its verdict while teams fight is that of the game's ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContestBare {
    /// Who must be bare.
    pub who: WhoIsBare,
    /// What it means for a side that fights its own partner.
    pub between_partners: Verdict,
}

/// Who must be bare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhoIsBare {
    /// One living side.
    Any,
    /// All of them.
    All,
}

//! The parts that rules are made of: kinds of pieces, promotions, drops, castling, ends.
//!
//! In: nothing. Out: data types. Never: what they do on a board.

use crate::betza::Movement;
use crate::grid::{Side, Square};
use crate::region::SquareSet;

/// Most kinds of piece in a game: a kind and a flag share a byte of a move.
pub const MAX_KINDS: usize = 63;

/// Most kinds of piece that may be in hand: a set of them is a word of 32 bits.
pub const MAX_HAND_KINDS: usize = 30;

/// A kind of piece, in the order of the game file. A promoted piece is a kind of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KindId(pub u8);

impl KindId {
    /// As an index into tables by kind.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares for each side, seen from its own edge of the board.
pub type Region = Vec<SquareSet>;

/// One kind of piece.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// `pawn`.
    pub name: String,
    /// As positions are written, for the first side: `P`, `+P`.
    pub letter: String,
    /// One character for each side, for boards.
    pub symbols: Option<Vec<String>>,
    /// The character on a shogi or xiangqi piece, for each side.
    pub kanji: Option<Vec<String>>,
    /// Its name in Japanese records, where it is not one of shogi's: `猛豹`.
    pub kif: Option<String>,
    /// What Western notation writes for it, if not its letter: `FL`.
    pub abbreviation: Option<String>,
    /// Whether losing it (or having it mated) loses the game.
    pub royal: bool,
    /// Every way of moving.
    pub moves: Vec<Part>,
    /// What it may become.
    pub promotion: Option<Promotion>,
    /// What it is in the hand of its captor.
    pub demoted: KindId,
    /// How it may be dropped from the hand.
    pub drop: Option<DropRule>,
    /// Enemy kinds that end its right to a first move by moving to where they would attack it on an empty board.
    pub first_move_lost_to: Vec<KindId>,
    /// The number on a die that moves it.
    pub number: Option<u8>,
    /// What it is worth, if known.
    pub value: Option<f64>,
}

impl Kind {
    /// As moves are written: a piece that positions mark as promoted, `Q~`, is a `Q` there.
    #[inline]
    pub fn move_letter(&self) -> &str {
        self.letter.strip_suffix('~').unwrap_or(&self.letter)
    }
}

/// A movement and the limits put on it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Part {
    /// How it moves.
    pub movement: Movement,
    /// From where, for each side; every square if `None`.
    pub from: Option<Region>,
    /// Over and onto which squares, for each side; every square if `None`.
    pub within: Option<Region>,
    /// Kinds that it cannot hop over.
    pub not_over: Vec<KindId>,
    /// Kinds that it cannot capture.
    pub not_onto: Vec<KindId>,
    /// Whether it may be made in check.
    pub in_check: InCheck,
}

/// Whether a movement may be made while the side's royal piece is in check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum InCheck {
    /// It may.
    Allowed,
    /// It may not.
    Forbidden,
}

/// How a kind promotes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Promotion {
    /// What it may become on each square (one list for all squares, or by file of the first side's view).
    pub to: Targets,
    /// Where, for each side.
    pub zone: Region,
    /// Which moves promote; one that meets any of these does.
    pub on: Vec<PromotesOn>,
    /// Whether it may stay as it is.
    pub choice: Choice,
    /// How many pieces of the target a side may have.
    pub supply: Supply,
    /// What else a side may have, for some targets.
    pub company: Vec<Company>,
    /// What becomes of a piece that arrives before it may promote.
    pub waiting: Waiting,
    /// Whether such pieces count in the conditions.
    pub waiting_count: CountOfWaiting,
}

impl Promotion {
    /// Whether it is made by standing still, not by a move.
    pub fn is_in_place(&self) -> bool {
        self.on.contains(&PromotesOn::Stay)
    }
}

/// What a piece may become.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Targets {
    /// One of these, anywhere.
    Kinds(Vec<KindId>),
    /// One kind for each file as the side sees the board; `None` where it cannot promote.
    ByFile(Vec<Option<KindId>>),
}

/// Which moves promote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PromotesOn {
    /// Moves that end in the zone.
    End,
    /// Moves that start or end in the zone.
    StartOrEnd,
    /// Moves that enter the zone from outside.
    Enter,
    /// Captures that start or end in the zone.
    Capture,
    /// Moves that end on the last rank.
    LastRank,
    /// A turn spent in the zone, without moving.
    Stay,
}

/// Whether a piece may stay as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// It must promote.
    Must,
    /// It may stay, even where it can never move again.
    May,
    /// It may stay, unless it could never move again.
    MayUnlessStuck,
}

/// How many pieces of a target kind a side may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Supply {
    /// Any number.
    Unlimited,
    /// No more than at the start: only lost pieces come back. A piece that cannot promote may not enter the zone.
    Lost,
    /// At most so many.
    AtMost(u8),
}

/// How a piece may be dropped.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DropRule {
    /// Where, for each side.
    pub region: Region,
    /// Most pieces of this kind a side may have on one file, by dropping.
    pub per_file: Option<u8>,
    /// Whether the drop may mate.
    pub mate: DropMate,
    /// Whether it may land where it could never move.
    pub stuck: StuckDrop,
    /// Which of its faces it may show.
    pub face: DropFace,
}

/// Which face a dropped piece shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DropFace {
    /// Its own.
    Own,
    /// Its own, or that of a kind that is this piece in hand.
    Either,
}

/// Whether a drop may mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DropMate {
    /// It may.
    Allowed,
    /// It may not.
    Forbidden,
}

/// Whether a piece may be dropped where it could never move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StuckDrop {
    /// It may.
    Allowed,
    /// It may not.
    Forbidden,
}

/// What happens to captured pieces, and what hands are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hand {
    /// Captured pieces are gone and hands are empty.
    None,
    /// Captured pieces join the captor's hand, demoted.
    Captures,
    /// Hands are full at the start and must be emptied before anything moves.
    SetUp,
}

/// Whether a side may pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// Never.
    No,
    /// Whenever its royal piece is not left in check.
    Allowed,
    /// When it has no other move.
    WhenStuck,
}

/// What a royal piece in check may do itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoyalInCheck {
    /// Move as always.
    Moves,
    /// Only take the piece that gives check, if there is but one.
    OnlyTakes,
}

/// Whether two royal pieces may look at each other along an empty file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facing {
    /// They may.
    Allowed,
    /// They may not: each attacks the other along the file.
    Forbidden,
    /// They may; the next move must change that, or be a pass, which draws.
    Draws,
}

/// Whether a side that can capture must.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureDuty {
    /// It may make any move.
    Free,
    /// It must make one of its captures.
    Obligatory,
}

/// Whether a move may give check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivingCheck {
    /// It may.
    Allowed,
    /// It may not.
    Forbidden,
}

/// Captures that remove more than they capture: the capturing piece and every piece of any side within one king step of where
/// it arrives. No side may so remove its own last royal piece; who removes the other's need not mind a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explosion {
    /// Kinds that stay where they stand, unless they capture or are captured.
    pub spares: Vec<KindId>,
}

/// A castling move of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castling {
    pub side: Side,
    /// As positions are written: `K`, `q`.
    pub letter: char,
    /// The royal piece's way.
    pub royal: (Square, Square),
    /// The other piece's way.
    pub partner: (Square, Square),
    /// The number of the right that stands for it in positions.
    pub right: u8,
    /// The square that names it together with the royal piece's: where that ends or, where castlings start from any file, where
    /// the partner stands.
    pub target: Square,
}

/// Where castlings start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingStarts {
    /// Where the rules say.
    Fixed,
    /// On any two files of the rank, the partner being of this kind: the position says which.
    AnyFile { partner: KindId },
}

/// A capture that may not be made. A move with such a capture is illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ban {
    /// `counter-strike`.
    pub name: String,
    /// Kinds that may not capture so.
    pub by: Vec<KindId>,
    /// Kinds that may not be captured so.
    pub of: Vec<KindId>,
    /// Only pieces more king steps away than this are protected.
    pub farther_than: u8,
    /// Which of these pieces are protected.
    pub protects: Protects,
    /// Not if the same move also captures one of these kinds.
    pub unless_also_takes: Vec<KindId>,
    /// Kinds that guard even where the same move captures them first.
    pub guards_though_taken: Vec<KindId>,
    /// Only right after the other side has captured so.
    pub after: Option<CaptureBy>,
    /// Where the ban does not hold.
    pub except: BanExcept,
    /// Which captures of a move with two legs it speaks of.
    pub legs: BanLegs,
}

/// A capture of some kinds by some kinds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaptureBy {
    /// Who captures.
    pub by: Vec<KindId>,
    /// What is captured.
    pub of: Vec<KindId>,
}

/// Which pieces a ban protects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protects {
    /// All of them.
    Always,
    /// Those that their own side attacks once the capturing piece is lifted from its square.
    Guarded,
}

/// Where a ban does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BanExcept {
    /// It holds everywhere.
    Nowhere,
    /// On the square of the capture that it follows.
    SameSquare,
}

/// Which captures of a move with two legs a ban speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BanLegs {
    /// Both.
    All,
    /// The one where the move ends.
    Last,
}

/// A condition on a promotion: how many pieces of some kinds a side may have at most, the promoting piece included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Company {
    /// What the piece would become.
    pub target: KindId,
    /// Kinds, and how many of each at most.
    pub most: Vec<(KindId, u8)>,
}

/// What becomes of a piece that arrives where it may promote only later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Waiting {
    /// It waits there and promotes as soon as it may.
    Promotes,
    /// It stays what it is.
    Stays,
}

/// Whether pieces that wait to promote are counted by conditions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountOfWaiting {
    /// They are.
    Counted,
    /// They are not, but for the piece itself.
    Ignored,
}

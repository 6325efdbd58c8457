//! Rules compiled for one word: what depends on the rules alone is a table, and the hot loops index.
//!
//! In: [`Rules`]. Out: [`Tables`]. Never: anything of a position.

mod attacks;
mod between;
mod compile;
mod contest;
mod danger;
mod files;
mod gait;
mod geometry;
mod group;
mod needs;
mod promotion;
mod reach;
mod slide;
mod units;
mod zobrist;

use std::sync::{Arc, OnceLock};

use ashta_rules::{Rules, Target};

pub use contest::{ContestTables, NO_KIND, Promoting};
pub use danger::Dangers;
pub use files::Files;
pub use gait::Gait;
pub use geometry::{PartView, stuck};
pub use group::Group;
pub use promotion::{Promotion, View};
pub use reach::Reach;
pub use slide::{Method, Slide, method as slide_method};
pub use zobrist::Zobrist;

use crate::dispatch::Generators;
use crate::word::{PerSquare, ROW, Word};

/// Generators compiled apart: code that a game does not need costs it nothing.
pub mod features {
    /// Steps, leaps, rides; one royal piece a side under the rule of check; plain promotions; castling; en passant.
    pub const PLAIN: u8 = 0;
    /// And hands to drop from.
    pub const DROPS: u8 = 1;
    /// And everything else: lame leapers, hoppers, bent riders, limited promotions, several royals, four sides...
    pub const EVERYTHING: u8 = 3;
}

/// Rules compiled for one word.
#[derive(Debug)]
pub struct Tables<W> {
    /// What was compiled.
    pub rules: Arc<Rules>,
    /// What the game needs of a generator.
    pub features: u8,
    /// The generators that serve.
    pub generators: Generators<W>,
    /// All squares.
    pub board: W,
    /// Files, as sets.
    pub files: Files<W>,
    /// By kind.
    pub kinds: Box<[KindTable; 64]>,
    /// By side.
    pub sides: Vec<SideTables<W>>,
    /// Squares between two squares, a table for each family of paths.
    pub between: Vec<Between<W>>,
    /// Keys.
    pub zobrist: Zobrist,
    /// Rights lost when a piece leaves or enters a square.
    pub lost_rights: PerSquare<u32>,
    /// Whether there are rights at all.
    pub has_rights: bool,
    /// Squares of the first-move rights, with their bits.
    pub first_move_rights: Vec<(u32, W)>,
    /// Whether some piece may be captured in passing.
    pub has_en_passant: bool,
    /// Whether the last royal piece may not be left attacked.
    pub guards_royals: bool,
    /// Whether a man may become royal.
    pub promotes_to_royal: bool,
    /// Kinds, as bits, of all material with which nobody can win.
    pub insufficient_kinds: u64,
    /// Whether captured pieces join their captor's hand.
    pub captures_to_hand: bool,
    /// Kinds in hand, by slot.
    pub hand_kinds: Vec<u8>,
    /// What else a contest needs.
    pub contest: Option<ContestTables<W>>,
    /// What each piece attacks; made when somebody asks.
    pub(crate) reach: OnceLock<Reach<W>>,
}

/// What a kind needs while moving.
#[derive(Clone, Debug)]
pub struct KindTable {
    /// The first two groups it belongs to; most kinds have no more.
    pub groups: [Group; 2],
    /// The others.
    pub more_groups: Vec<Group>,
    /// Its slot in its captor's hand, or `NO_SLOT`.
    pub slot: u8,
    /// Whether its moves are progress.
    pub progress: bool,
}

impl Default for KindTable {
    fn default() -> KindTable {
        KindTable { groups: [Group::TRASH; 2], more_groups: Vec::new(), slot: NO_SLOT, progress: false }
    }
}

/// The slot of kinds that are never in hand.
pub const NO_SLOT: u8 = 31;

/// Squares between two squares.
#[derive(Debug)]
pub struct Between<W>(Box<[[W; ROW]; 256]>);

impl<W: Word> Between<W> {
    /// The squares that must be empty, or hold the one hurdle, for a piece on `from` to reach `to`.
    #[inline(always)]
    pub fn at(&self, to: u8, from: u8) -> W {
        self.0[to as usize][from as usize]
    }
}

/// What is common to all units: who moves so, onto what, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Unit<W> {
    /// Who moves so.
    pub group: Group,
    /// Onto what.
    pub target: Target,
    /// What becomes of it.
    pub promotion: Option<Promotion<W>>,
    /// Whether only pieces with a first-move right move so.
    pub first_move: bool,
    /// Pieces that it cannot capture.
    pub spares: Group,
}

/// Steps of many pieces at once, in one direction.
#[derive(Debug)]
pub struct Steps<W> {
    /// Who and onto what.
    pub unit: Unit<W>,
    /// The direction.
    pub step: Step<W>,
}

/// One direction of a set-wise step.
#[derive(Debug)]
pub struct Step<W> {
    /// By how many squares.
    pub by: i32,
    /// By how many squares lies the square that must be empty; 0 if none must.
    pub over: i32,
    /// From where.
    pub from: W,
}

impl<W: Word> Step<W> {
    /// Where it may lead.
    pub fn ends(&self) -> W {
        self.from.moved(self.by)
    }
}

/// Leaps of one piece: a table by square.
#[derive(Debug)]
pub struct Leaps<W> {
    /// Who and onto what.
    pub unit: Unit<W>,
    /// Where to.
    pub to: PerSquare<W>,
}

/// Rides along lines.
#[derive(Debug)]
pub struct Rides<W> {
    /// Who and onto what.
    pub unit: Unit<W>,
    /// The lines.
    pub slide: Arc<Slide<W>>,
    /// Whether these only attack (royal pieces that may not face each other).
    pub only_attacks: bool,
}

/// Lame leaps: each end with the squares that must be empty.
#[derive(Debug)]
pub struct Lames<W> {
    /// Who and onto what.
    pub unit: Unit<W>,
    /// By start: squares that must be empty, and ends that this opens.
    pub ways: PerSquare<Vec<(W, W)>>,
}

/// Hops over one piece.
#[derive(Debug)]
pub struct Hops<W> {
    /// Who and onto what.
    pub unit: Unit<W>,
    /// By start: each end with the squares between, of which one must be occupied.
    pub ways: PerSquare<Vec<(u8, W)>>,
    /// Kinds that it cannot hop over.
    pub not_over: u64,
}

/// Bent rides: one step, then on along lines that lead outward.
#[derive(Debug)]
pub struct Bents<W> {
    /// Who and onto what.
    pub unit: Unit<W>,
    /// By start: the first square, and the rays after it in order of distance.
    pub ways: PerSquare<Vec<BentWay>>,
}

/// The first square of a bent ride and the rays after it.
#[derive(Clone, Debug, Default)]
pub struct BentWay {
    /// The first square.
    pub hinge: u8,
    /// Squares of each ray, nearest first.
    pub rays: Vec<Vec<u8>>,
}

/// Every way of moving of a side's men, or of its royal pieces.
#[derive(Debug)]
pub struct Units<W> {
    /// Set-wise steps.
    pub steps: Vec<Steps<W>>,
    /// Leaps.
    pub leaps: Vec<Leaps<W>>,
    /// Rides.
    pub rides: Vec<Rides<W>>,
    /// Lame leaps.
    pub lames: Vec<Lames<W>>,
    /// Hops.
    pub hops: Vec<Hops<W>>,
    /// Bent rides.
    pub bents: Vec<Bents<W>>,
    /// Kinds whose movements overlap.
    pub mixed: Vec<Mixed<W>>,
}

/// All movements of a kind in which two may lead to the same square: their ends are united, so that no move is given
/// twice.
#[derive(Debug)]
pub struct Mixed<W> {
    /// Who; its target does not matter.
    pub unit: Unit<W>,
    /// How.
    pub units: Units<W>,
}

/// Attacks that nothing can block, seen from the attacked square.
#[derive(Debug)]
pub struct Direct<W> {
    /// Who attacks so.
    pub group: Group,
    /// From where.
    pub from: PerSquare<W>,
    /// Whether only pieces with a first-move right attack so.
    pub first_move: bool,
}

/// Attacks along a path, seen from the attacked square.
#[derive(Debug)]
pub struct Distant<W> {
    /// Who attacks so.
    pub group: Group,
    /// From where, on an empty board.
    pub from: PerSquare<W>,
    /// Which table of `Tables::between` has the path.
    pub between: usize,
    /// For hoppers: kinds that they cannot hop over.
    pub not_over: u64,
    /// Whether only pieces with a first-move right attack so.
    pub first_move: bool,
}

/// What a side's pieces do.
#[derive(Debug)]
pub struct SideTables<W> {
    /// How men move.
    pub men: Units<W>,
    /// How royal pieces move.
    pub royals: Units<W>,
    /// Royal pieces.
    pub royal_group: Group,
    /// What it endangers, all pieces at once.
    pub dangers: Dangers<W>,
    /// How it attacks without a path.
    pub direct: Vec<Direct<W>>,
    /// How it attacks along empty paths.
    pub distant: Vec<Distant<W>>,
    /// How it attacks over one piece.
    pub hoppers: Vec<Distant<W>>,
    /// Castlings.
    pub castlings: Vec<CastlingTable<W>>,
    /// Captures in passing.
    pub passing: Vec<Passing<W>>,
    /// By start: the end of a double step and the square it passes.
    pub double_steps: PerSquare<(u8, u8)>,
    /// Kinds that make double steps.
    pub double_steppers: u64,
    /// Squares where a kind in hand may be dropped, by group of slots.
    pub drops: Vec<DropTable<W>>,
    /// Promotions made by standing still.
    pub in_place: Vec<(Group, Promotion<W>)>,
    /// Rights of all castlings.
    pub castling_rights: u32,
    /// The side that moves next.
    pub next: u8,
    /// Forward, as a difference of square numbers.
    pub forward: i32,
    /// Sides whose pieces it may capture.
    pub captures: Vec<usize>,
    /// In a contest: how it moves, by number of the dice and by kind.
    pub contest: Option<ContestUnits<W>>,
}

/// How a side moves in a contest.
#[derive(Debug)]
pub struct ContestUnits<W> {
    /// The pieces of each number, all at once where they can.
    pub by_number: Vec<Units<W>>,
    /// Each kind, piece by piece.
    pub by_kind: Vec<Units<W>>,
    /// Each kind's bitboard.
    pub kinds: Vec<Group>,
    /// Kinds that fill blocks.
    pub block: Group,
}

/// A castling.
#[derive(Debug)]
pub struct CastlingTable<W> {
    /// Its right.
    pub right: u32,
    /// The royal piece's way.
    pub royal: (u8, u8),
    /// The partner's way.
    pub partner: (u8, u8),
    /// Squares that must be empty.
    pub empty: W,
    /// Squares that must not be attacked, besides the royal piece's own.
    pub safe: W,
    /// Whether an attacker may hide behind the partner and show itself only when both have moved.
    pub may_uncover: bool,
}

/// Captures in passing of some classes.
#[derive(Debug)]
pub struct Passing<W> {
    /// Who.
    pub group: Group,
    /// By the passed square: from where.
    pub from: PerSquare<W>,
}

/// Where kinds in hand may be dropped; kinds with the same squares share a table.
#[derive(Debug)]
pub struct DropTable<W> {
    /// Which slots.
    pub slots: u32,
    /// Where.
    pub squares: W,
    /// Most pieces of the group on a file by dropping, with the group.
    pub per_file: Option<(u8, Group)>,
    /// For a kind that may not mate by being dropped.
    pub no_mate: Option<NoMate<W>>,
}

/// A kind that may not mate by being dropped.
#[derive(Debug)]
pub struct NoMate<W> {
    /// The kind.
    pub kind: u8,
    /// By the square of the royal piece: where the kind might attack it from.
    pub checks: PerSquare<W>,
}

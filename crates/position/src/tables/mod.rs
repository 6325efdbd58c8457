//! Rules compiled for one word: what depends on the rules alone is a table, and the hot loops index.
//!
//! In: [`Rules`]. Out: [`RuleTables`]. Never: anything of a position.

mod aims;
mod attack_table;
mod attacks;
mod bans;
mod between;
pub(crate) mod compile;
mod contest;
pub mod features;
mod file_masks;
mod geometry;
pub(crate) mod kind_group;
mod merged_leaps;
mod move_class;
mod packed_line;
mod pext_table;
mod promotion;
mod royal_danger;
mod slide;
mod zobrist;

use std::sync::Arc;

use ashta_rules::{KindId, Rules, Side, Square, Target};

pub use attack_table::AttackTable;
pub use bans::{BanTable, CaptureMasks};
pub use contest::{ContestTables, Promoting};
pub use file_masks::FileMasks;
pub use geometry::{PartView, stuck};
pub use kind_group::KindGroup;
pub use merged_leaps::MergedLeaps;
pub use pext_table::{Method, PextTable};
pub(crate) use promotion::Masks;
pub use promotion::PromotionTable;
pub use royal_danger::RoyalDanger;
pub use slide::{SlideTable, method as slide_method};
pub use zobrist::Zobrist;

use crate::word::{PerSquare, ROW, Word};

/// Rules compiled for one word.
#[derive(Debug)]
pub struct RuleTables<W> {
    /// What was compiled.
    pub rules: Arc<Rules>,
    /// What the game needs of a generator.
    pub features: u8,
    /// All squares.
    pub board: W,
    /// Files, as sets.
    pub files: FileMasks<W>,
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
    /// Whether castlings start from any file: then those that start where the royal piece stands are picked, and its move
    /// loses all rights.
    pub castles_from_any_file: bool,
    /// Squares of the first-move rights, with their bits.
    pub first_move_rights: Vec<(u32, W)>,
    /// Squares where a piece can never move again, by side and kind, where a bare-king rule asks; else empty.
    pub dead_squares: Vec<Vec<W>>,
    /// Captures that a position remembers for one turn.
    pub remembered_capture: Option<CaptureMasks>,
    /// Whether some piece may be captured in passing.
    pub has_en_passant: bool,
    /// Whether the last royal piece may not be left attacked.
    pub guards_royals: bool,
    /// Whether a piece may become royal.
    pub promotes_to_royal: bool,
    /// Kinds, as bits, of all material with which nobody can win.
    pub insufficient_kinds: u64,
    /// Whether a position can end the game by a goal, extinction or counted checks.
    pub ends_specially: bool,
    /// Whether the last moves can end the game, other than by repetition.
    pub ends_by_history: bool,
    /// Whether a move has effects that [`State`](crate::State) alone does not know: counted checks, explosions, lost rights,
    /// counts.
    pub has_effects: bool,
    /// Whether moves that piece by piece are legal are looked at again, all of them: see `generate::effects`.
    pub filters_moves: bool,
    /// What captures remove besides.
    pub explosion: Option<ExplosionTable<W>>,
    /// Whether checks are counted.
    pub counts_checks: bool,
    /// First-move rights that an enemy piece ends by aiming at their piece.
    pub aims: Vec<Aim<W>>,
    /// The limits of counts, in plies, as positions number them.
    pub count_limits: Vec<u16>,
    /// Whether check, or facing royal pieces, limit more than where they end.
    pub binds_in_check: bool,
    /// Whether captured pieces join their captor's hand.
    pub captures_to_hand: bool,
    /// Kinds in hand, by slot.
    pub hand_kinds: Vec<KindId>,
    /// Slots of royal pieces, which wait in hand where a game begins with setting them up.
    pub royal_slots: u32,
    /// What else a contest needs.
    pub contest: Option<ContestTables<W>>,
}

/// What captures remove besides.
#[derive(Debug)]
pub struct ExplosionTable<W> {
    /// By square: those within one king step, without itself.
    pub near: PerSquare<W>,
    /// Pieces that stay.
    pub spared: KindGroup,
}

impl<W: Word> ExplosionTable<W> {
    /// Everything that a capture which ends on `to` removes, the capturing piece too.
    #[inline]
    pub fn removed(&self, occupied: W, spared: W, to: Square) -> W {
        *self.near.at(to) & occupied & !spared | W::bit(to)
    }
}

/// What a kind needs while moving.
#[derive(Clone, Debug)]
pub struct KindTable {
    /// The first two groups it belongs to; most kinds have no more.
    pub groups: [KindGroup; 2],
    /// The others.
    pub more_groups: Vec<KindGroup>,
    /// Its slot in its captor's hand, or `NO_SLOT`.
    pub slot: u8,
    /// Whether its moves are progress.
    pub progress: bool,
    /// Whether its moves may leave something that holds for one turn: a square passed by a double step, or a remembered
    /// capture.
    pub leaves_marks: bool,
    /// Whether its moves lose all castlings of its side, from wherever they start; then it leaves marks too.
    pub loses_castlings: bool,
}

impl Default for KindTable {
    fn default() -> KindTable {
        KindTable {
            groups: [KindGroup::TRASH; 2],
            more_groups: Vec::new(),
            slot: NO_SLOT,
            progress: false,
            leaves_marks: false,
            loses_castlings: false,
        }
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
    pub fn at(&self, to: Square, from: Square) -> W {
        self.0[to.index()][from.index()]
    }
}

/// What is common to all move classes: who moves so, onto what, and what becomes of it.
#[derive(Clone, Debug)]
pub struct MoveClass<W> {
    /// Who moves so.
    pub group: KindGroup,
    /// Onto what.
    pub target: Target,
    /// What becomes of it.
    pub promotion: Option<PromotionTable<W>>,
    /// Whether only pieces with a first-move right move so.
    pub first_move: bool,
    /// Whether it is not made in check.
    pub calm: bool,
    /// Pieces that it cannot capture.
    pub spares: KindGroup,
    /// Whether none of these three limits it: one question for all.
    pub is_plain: bool,
}

impl<W> MoveClass<W> {
    /// Whether only some pieces of its group move so, or only at times.
    #[inline(always)]
    pub(crate) fn is_limited(&self) -> bool {
        self.first_move | self.calm
    }
}

/// Steps of many pieces at once, in one direction.
#[derive(Debug)]
pub struct StepClass<W> {
    /// Who and onto what.
    pub class: MoveClass<W>,
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
    #[inline]
    pub fn targets(&self) -> W {
        self.from.moved(self.by)
    }
}

/// Leaps of one piece: a table by square.
#[derive(Debug)]
pub struct LeapClass<W> {
    /// Who and onto what.
    pub class: MoveClass<W>,
    /// Where to.
    pub to: PerSquare<W>,
}

/// Rides along lines.
#[derive(Debug)]
pub struct RideClass<W> {
    /// Who and onto what.
    pub class: MoveClass<W>,
    /// The lines.
    pub slide: Arc<SlideTable<W>>,
    /// Whether these only attack (royal pieces that may not face each other).
    pub only_attacks: bool,
}

/// Lame leaps: each end with the squares that must be empty.
#[derive(Debug)]
pub struct LameLeapClass<W> {
    /// Who and onto what.
    pub class: MoveClass<W>,
    /// By start: squares that must be empty, and targets that this opens.
    pub ways: PerSquare<Vec<(W, W)>>,
    /// The same as a table.
    pub packed: Arc<PextTable<W>>,
}

/// Hops over one piece.
#[derive(Debug)]
pub struct HopClass<W> {
    /// Who and onto what.
    pub class: MoveClass<W>,
    /// By start: each end with the squares between, of which one must be occupied.
    pub ways: PerSquare<Vec<(Square, W)>>,
    /// The same as a table.
    pub packed: Arc<PextTable<W>>,
    /// Kinds that it cannot hop over.
    pub not_over: u64,
    pub not_over_group: KindGroup,
}

/// Bent rides: one step, then on along lines that lead outward.
#[derive(Debug)]
pub struct BentRideClass<W> {
    /// Who and onto what.
    pub class: MoveClass<W>,
    /// By start: the first square, and the rays after it in order of distance.
    pub ways: PerSquare<Vec<BentPath>>,
}

/// The first square of a bent ride and the rays after it.
#[derive(Clone, Debug)]
pub struct BentPath {
    /// The first square.
    pub hinge: Square,
    /// Squares of each ray, nearest first.
    pub rays: Vec<Vec<Square>>,
}

/// Moves of two legs: a capture, then another step.
#[derive(Debug)]
pub struct TwoLegClass<W> {
    /// Who, and onto what the second leg.
    pub class: MoveClass<W>,
    /// By start: the first square, and the ends after it, the start among them where the piece may return.
    pub ways: PerSquare<Vec<(Square, W)>>,
    /// By start: all first squares.
    pub middles: PerSquare<W>,
}

/// Passes of pieces that step out and back.
#[derive(Debug)]
pub struct OutAndBackClass<W> {
    /// Who.
    pub class: MoveClass<W>,
    /// By start: squares of which one must be empty.
    pub to: PerSquare<W>,
}

/// The move classes of a side's non-royal pieces, or of its royal pieces.
#[derive(Debug)]
pub struct MoveClasses<W> {
    /// Set-wise steps.
    pub steps: Vec<StepClass<W>>,
    /// Leaps.
    pub leaps: Vec<LeapClass<W>>,
    /// Rides.
    pub rides: Vec<RideClass<W>>,
    /// Lame leaps.
    pub lame_leaps: Vec<LameLeapClass<W>>,
    /// Hops.
    pub hops: Vec<HopClass<W>>,
    /// Bent rides.
    pub bent_rides: Vec<BentRideClass<W>>,
    /// Moves of two legs, by kind: two parts of one kind may make the same move.
    pub two_legs: Vec<Vec<TwoLegClass<W>>>,
    /// Passes by stepping out and back.
    pub out_and_back: Vec<OutAndBackClass<W>>,
    /// Kinds whose movements overlap.
    pub overlapping: Vec<OverlappingClass<W>>,
}

impl<W> MoveClasses<W> {
    /// The one table of leaps, if nothing else moves, nothing promotes and any piece may be captured at any time.
    #[inline]
    pub fn only_leaps(&self) -> Option<&LeapClass<W>> {
        let [leaps] = self.leaps.as_slice() else { return None };
        let others = self.steps.len() + self.lame_leaps.len() + self.hops.len() + self.bent_rides.len();
        let others = others + self.two_legs.len() + self.out_and_back.len();
        let alone = others + self.overlapping.len() == 0 && self.rides.iter().all(|rides| rides.only_attacks);
        (alone && leaps.class.promotion.is_none() && !leaps.class.is_limited()).then_some(leaps)
    }
}

/// All movements of a kind in which two may lead to the same square: their targets are united, so that no move is given
/// twice.
#[derive(Debug)]
pub struct OverlappingClass<W> {
    /// Who; its target does not matter.
    pub class: MoveClass<W>,
    pub classes: MoveClasses<W>,
}

/// Attacks that nothing can block, seen from the attacked square.
#[derive(Debug)]
pub struct LeapAttack<W> {
    /// Who attacks so.
    pub group: KindGroup,
    /// From where.
    pub from: PerSquare<W>,
    /// Whether only pieces with a first-move right attack so.
    pub first_move: bool,
}

/// Attacks along a path, seen from the attacked square.
#[derive(Debug)]
pub struct PathAttack<W> {
    /// Who attacks so.
    pub group: KindGroup,
    /// From where, on an empty board.
    pub from: PerSquare<W>,
    /// Which table of `RuleTables::between` has the path.
    pub between: usize,
    /// For hoppers: kinds that they cannot hop over.
    pub not_over: u64,
    /// Whether only pieces with a first-move right attack so.
    pub first_move: bool,
}

/// What a side's pieces do.
#[derive(Debug)]
pub struct SideTables<W> {
    /// Move classes of non-royal pieces.
    pub movers: MoveClasses<W>,
    /// All leaps of non-royal pieces in one table, where they can be merged.
    pub merged_leaps: Option<MergedLeaps<W>>,
    /// How royal pieces move.
    pub royals: MoveClasses<W>,
    /// Royal pieces.
    pub royal_group: KindGroup,
    /// Pieces with movements that capture no royal piece: attack tables, which are asked about royal pieces, lack these.
    pub spares_royals: KindGroup,
    /// Whether it loses without one: it has one at the start.
    pub needs_royal: bool,
    /// What it endangers, all pieces at once.
    pub royal_danger: RoyalDanger<W>,
    /// How it attacks without a path.
    pub leap_attacks: Vec<LeapAttack<W>>,
    /// How it attacks along empty paths.
    pub path_attacks: Vec<PathAttack<W>>,
    /// How it attacks over one piece.
    pub hoppers: Vec<PathAttack<W>>,
    /// Whether some pieces move in two legs, or pass by stepping out and back.
    pub has_two_legs: bool,
    /// Captures that it may not make.
    pub bans: Vec<BanTable>,
    /// Castlings.
    pub castlings: Vec<CastlingTable<W>>,
    /// Captures in passing.
    pub passing: Vec<EnPassantTable<W>>,
    /// By start: the end of a double step and the square it passes.
    pub double_steps: PerSquare<(Square, Square)>,
    /// Kinds that make double steps.
    pub double_steppers: u64,
    /// Squares where a kind in hand may be dropped, by group of slots.
    pub drops: Vec<DropTable<W>>,
    /// Promotions made by standing still.
    pub in_place: Vec<(KindGroup, PromotionTable<W>)>,
    /// Rights of all castlings.
    pub castling_rights: u32,
    /// The side that moves next.
    pub next: Side,
    /// Forward, as a difference of square numbers.
    pub forward: i32,
    /// Sides whose pieces it may capture.
    pub captures: Vec<Side>,
    /// In a contest: how it moves, by number of the dice and by kind.
    pub contest: Option<ContestClasses<W>>,
}

/// How a side moves in a contest.
#[derive(Debug)]
pub struct ContestClasses<W> {
    /// The pieces of each number, all at once where they can.
    pub by_number: Vec<MoveClasses<W>>,
    /// Each kind, piece by piece.
    pub by_kind: Vec<MoveClasses<W>>,
    /// Each kind's bitboard.
    pub kinds: Vec<KindGroup>,
    /// Kinds that fill blocks.
    pub block: KindGroup,
}

/// A castling.
#[derive(Debug)]
pub struct CastlingTable<W> {
    /// Its right.
    pub right: u32,
    /// The square that names it.
    pub target: Square,
    /// The royal piece's way.
    pub royal: (Square, Square),
    /// The partner's way.
    pub partner: (Square, Square),
    /// Squares that must be empty.
    pub empty: W,
    /// Squares that must not be attacked, besides the royal piece's own.
    pub safe: W,
    /// Whether an attacker may hide behind the partner and show itself only when both have moved.
    pub may_uncover: bool,
}

/// Captures in passing of some classes.
#[derive(Debug)]
pub struct EnPassantTable<W> {
    pub group: KindGroup,
    /// By the passed square: from where.
    pub from: PerSquare<W>,
}

/// Where kinds in hand may be dropped; kinds with the same squares share a table.
#[derive(Debug)]
pub struct DropTable<W> {
    /// Which slots.
    pub slots: u32,
    /// For each slot the kind that lands, where that is another face of what is in hand.
    pub turned: Option<Vec<KindId>>,
    pub squares: W,
    /// Most pieces of the group on a file by dropping, with the group.
    pub per_file: Option<(u8, KindGroup)>,
    /// For a kind that may not mate by being dropped.
    pub mate_ban: Option<DropMateBan<W>>,
}

impl<W> DropTable<W> {
    /// Whether only squares limit the drops.
    pub(crate) fn is_plain(&self) -> bool {
        self.per_file.is_none() && self.mate_ban.is_none() && self.turned.is_none()
    }
}

impl<W: Word> RuleTables<W> {
    /// The squares between two squares of one file.
    pub(crate) fn way_along_file(&self, one: Square, other: Square) -> Option<W> {
        let grid = self.rules.grid();
        let (low, high) = (one.0.min(other.0), one.0.max(other.0));
        // Squares are numbered file by file.
        (grid.file(one) == grid.file(other))
            .then(|| (low + 1..high).fold(W::ZERO, |way, square| way | W::bit(Square(square))))
    }

    /// Squares from which a piece sees another along a file, where only these squares are occupied.
    pub(crate) fn sees_along_file(&self, other: Square, occupied: W) -> W {
        let sees = |from: &Square| {
            let way = self.way_along_file(*from, other).filter(|_| *from != other);
            way.is_some_and(|way| (way & occupied).is_empty())
        };
        self.rules.grid().squares().filter(sees).fold(W::ZERO, |all, from| all | W::bit(from))
    }
}

/// A first-move right that enemy pieces end by moving to certain squares.
#[derive(Debug)]
pub struct Aim<W> {
    /// The bit of the right.
    pub right: u32,
    /// Which enemy kinds, and where.
    pub by: Vec<(KindId, W)>,
}

/// A kind that may not mate by being dropped.
#[derive(Debug)]
pub struct DropMateBan<W> {
    pub kind: KindId,
    /// By the square of the royal piece: where the kind might attack it from.
    pub checks: PerSquare<W>,
}

//! Checked rules: what a game is, in numbers and sets, with no name left to look up.
//!
//! In: a [`Definition`]. Out: [`Rules`], through the one door [`Rules::check`]. Never: positions or moves.

use std::sync::Arc;

use crate::betza::Path;
use crate::contest::ContestRules;
use crate::ends::{Ends, RoyalLoss};
use crate::grid::{Grid, Side, Square};
use crate::node::ChangeName;
use crate::region::SquareSet;
use crate::rule_parts::{
    Ban, CaptureBy, CaptureDuty, Castling, CastlingStarts, DropFace, DropRule, Explosion, Facing,
    GivingCheck, Hand, Kind, KindId, Part, Pass, RoyalInCheck,
};
use crate::setup::Setup;

#[cfg(doc)]
use crate::definition::Definition;

/// The rules of one game.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) descends: Option<String>,
    pub(crate) kif: Option<String>,
    pub(crate) pgn_variants: Vec<String>,
    pub(crate) sources: Vec<String>,
    pub(crate) digest: u64,
    pub(crate) changes: Arc<[ChangeName]>,
    pub(crate) grid: Grid,
    pub(crate) sides: Vec<SideRules>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) castlings: Vec<Castling>,
    pub(crate) castling_starts: CastlingStarts,
    pub(crate) first_move_squares: Vec<Square>,
    pub(crate) hand: Hand,
    pub(crate) pass: Pass,
    pub(crate) facing: Facing,
    pub(crate) capture_duty: CaptureDuty,
    pub(crate) giving_check: GivingCheck,
    pub(crate) explosion: Option<Explosion>,
    pub(crate) royal_in_check: RoyalInCheck,
    pub(crate) bans: Vec<Ban>,
    pub(crate) ends: Ends,
    pub(crate) contest: Option<ContestRules>,
    pub(crate) start: Setup,
}

/// A side's name and place at the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideRules {
    /// `White`.
    pub name: String,
    /// `w`, as positions are written.
    pub letter: char,
    /// Sides with the same number play together.
    pub team: u8,
    /// Right angles by which the side's board is turned, clockwise.
    pub quarters: u8,
}

impl Rules {
    /// How the game is called for: `shatranj+double-step`.
    #[inline]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The game's name.
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The game in a sentence.
    #[inline]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The game it came from, if the file says so.
    #[inline]
    pub fn descends(&self) -> Option<&str> {
        self.descends.as_deref()
    }

    /// What Japanese records call the game in their head.
    pub fn kif_name(&self) -> Option<&str> {
        self.kif.as_deref()
    }

    /// What PGN calls the game in its tag `Variant`, the usual name first.
    #[inline]
    pub fn pgn_variants(&self) -> &[String] {
        &self.pgn_variants
    }

    /// Where the rules come from: manuscripts, books, programs.
    #[inline]
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// A digest of the definition: two games with one digest have the same rules.
    #[inline]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The changes that may be switched on.
    #[inline]
    pub fn changes(&self) -> &[ChangeName] {
        &self.changes
    }

    /// The board's shape.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The sides, in order of moving.
    #[inline]
    pub fn sides(&self) -> &[SideRules] {
        &self.sides
    }

    /// The kinds of piece.
    #[inline]
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// One kind of piece.
    #[inline]
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// The limits on dropping a kind, for kinds that are never in hand those of what they are there.
    pub fn drop_rule(&self, kind: KindId) -> Option<&DropRule> {
        let in_hand = self.kind(kind).demoted;
        let rule = self.kind(in_hand).drop.as_ref();
        rule.filter(|rule| kind == in_hand || rule.face == DropFace::Either)
    }

    /// Every kind's number.
    #[inline]
    pub fn kind_ids(&self) -> impl Iterator<Item = KindId> + use<> {
        (0..self.kinds.len() as u8).map(KindId)
    }

    /// The sides, in order of moving.
    pub fn side_ids(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.sides.len() as u8).map(Side)
    }

    /// The castling moves.
    #[inline]
    pub fn castlings(&self) -> &[Castling] {
        &self.castlings
    }

    /// Where castlings start.
    #[inline]
    pub fn castling_starts(&self) -> CastlingStarts {
        self.castling_starts
    }

    /// How many rights of a position stand for castlings: one for each or, where they start from any file, one for each square
    /// of a partner.
    pub fn n_castling_rights(&self) -> usize {
        self.castlings.iter().map(|castling| usize::from(castling.right) + 1).max().unwrap_or(0)
    }

    /// Whether the pieces of a castling stand where it starts.
    pub fn stand_to_castle(&self, castling: &Castling, setup: &Setup) -> bool {
        let on = |square: Square| setup.board.get(square.index()).copied().flatten();
        match self.castling_starts {
            CastlingStarts::Fixed => [castling.royal.0, castling.partner.0].into_iter().all(|square| {
                let start = self.start.board.get(square.index()).copied().flatten();
                start.is_some() && on(square) == start
            }),
            CastlingStarts::AnyFile { partner } => {
                let is_royal = |(side, kind): (Side, KindId)| side == castling.side && self.kind(kind).royal;
                on(castling.royal.0).is_some_and(is_royal)
                    && on(castling.partner.0) == Some((castling.side, partner))
            }
        }
    }

    /// The castling that is named by the royal piece's square and another.
    pub fn castling_of(&self, side: Side, from: Square, target: Square) -> Option<&Castling> {
        let named = |castling: &&Castling| (castling.royal.0, castling.target) == (from, target);
        self.castlings.iter().filter(|castling| castling.side == side).find(named)
    }

    /// Squares whose piece has a first-move right that the position must remember.
    #[inline]
    pub fn first_move_squares(&self) -> &[Square] {
        &self.first_move_squares
    }

    /// Whether a first move of this kind may pass over a square on which it can then be captured.
    pub fn can_be_taken_in_passing(&self, kind: KindId) -> bool {
        let captures_so = self.kinds.iter().flat_map(|kind| &kind.moves).any(|part| part.movement.en_passant);
        let passes_over = |part: &Part| {
            part.movement.first_move_only && matches!(part.movement.path, Path::Lame | Path::Ride { .. })
        };
        captures_so && self.kind(kind).moves.iter().any(passes_over)
    }

    /// What hands are for.
    #[inline]
    pub fn hand(&self) -> Hand {
        self.hand
    }

    /// Whether a side may pass.
    #[inline]
    pub fn pass(&self) -> Pass {
        self.pass
    }

    /// Whether royal pieces may face each other.
    #[inline]
    pub fn facing(&self) -> Facing {
        self.facing
    }

    /// Whether a side that can capture must.
    #[inline]
    pub fn capture_duty(&self) -> CaptureDuty {
        self.capture_duty
    }

    /// Whether a move may give check.
    #[inline]
    pub fn giving_check(&self) -> GivingCheck {
        self.giving_check
    }

    /// What captures remove besides, if they do.
    #[inline]
    pub fn explosion(&self) -> Option<&Explosion> {
        self.explosion.as_ref()
    }

    /// What a royal piece in check may do itself.
    #[inline]
    pub fn royal_in_check(&self) -> RoyalInCheck {
        self.royal_in_check
    }

    /// Captures that may not be made.
    #[inline]
    pub fn bans(&self) -> &[Ban] {
        &self.bans
    }

    /// The captures that a position must remember for one turn, because a ban follows them.
    pub fn remembered_capture(&self) -> Option<&CaptureBy> {
        self.bans.iter().find_map(|ban| ban.after.as_ref())
    }

    /// The rank farthest from a side.
    pub fn last_rank(&self, side: Side) -> SquareSet {
        let (grid, quarters) = (self.grid, self.sides[side.index()].quarters);
        let is_last = |square: &Square| grid.rank(grid.turned(*square, 4 - quarters)) == grid.ranks() - 1;
        grid.squares().filter(is_last).collect()
    }

    /// The rights of a position that stand for the checks which a side must still give to win, one for each. They are
    /// the last of a position's rights, so that they do not depend on how many others there are.
    pub fn check_rights(&self, side: Side) -> u32 {
        let n = u32::from(self.ends.checks.unwrap_or(0));
        let lowest = 32 - n * (u32::from(side.0) + 1);
        if n == 0 { 0 } else { ((1u32 << n) - 1) << lowest }
    }

    /// Whether a side has a royal piece at the start, on the board or in hand.
    pub fn has_royal_at_start(&self, side: Side) -> bool {
        let start = self.start();
        let on_board = start.board.iter().flatten().any(|(s, kind)| *s == side && self.kind(*kind).royal);
        let is_held = |kind: KindId| self.kind(kind).royal && start.hands[side.index()][kind.index()] > 0;
        on_board || self.kind_ids().any(is_held)
    }

    /// Whether some side can be mated: it has a royal piece, checks are allowed, and where royal pieces are captured, they
    /// are not blown up as well.
    pub fn has_mates(&self) -> bool {
        (self.ends.royal_loss == RoyalLoss::Checkmate || self.explosion.is_none())
            && self.giving_check == GivingCheck::Allowed
            && self.side_ids().any(|side| self.has_royal_at_start(side))
    }

    /// How games end.
    #[inline]
    pub fn ends(&self) -> &Ends {
        &self.ends
    }

    /// Whether the game is for two sides that move in turn, without the rules of a contest.
    pub fn is_two_sided(&self) -> bool {
        self.sides.len() == 2 && self.contest.is_none()
    }

    /// What makes the game a contest, if it is one.
    #[inline]
    pub fn contest(&self) -> Option<&ContestRules> {
        self.contest.as_ref()
    }

    /// Where the game starts.
    #[inline]
    pub fn start(&self) -> &Setup {
        &self.start
    }

    /// Whether a first-move-only movement of this kind can be told from the square alone: pieces that only ever
    /// go forward cannot come back to where they started.
    #[inline]
    pub fn only_goes_forward(kind: &Kind) -> bool {
        kind.moves.iter().all(|part| part.movement.steps.iter().all(|step| step.rank > 0))
    }
}

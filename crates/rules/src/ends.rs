//! How games of two sides end, as checked rules say it.
//!
//! In: nothing. Out: data types. Never: what they mean for a position.

use crate::rule_parts::{KindId, Region};

/// How games end.
#[derive(Clone, PartialEq, Debug)]
pub struct Ends {
    /// How a royal piece is lost.
    pub royal_loss: RoyalLoss,
    /// What no legal move means for the side to move, when it is not mated.
    pub stalemate: Verdict,
    /// What being left with royal pieces alone means.
    pub bare: Option<Bare>,
    /// What returning to the same position means.
    pub repetition: Option<Repetition>,
    /// What a long time without progress means.
    pub quiet: Option<Quiet>,
    /// After how many plies the game is drawn.
    pub ply_cap: Option<u32>,
    /// Material with which nobody can win.
    pub insufficient: Vec<Material>,
    /// Entering kings: a win by points.
    pub impasse: Option<Impasse>,
    /// What reaching certain squares means.
    pub goal: Option<RegionGoal>,
    /// What having too few pieces means.
    pub extinction: Option<Extinction>,
    /// After how many checks the side that gave them wins.
    pub checks: Option<u8>,
    /// After how many passes in a row the game ends.
    pub passes: Option<u32>,
    /// Ends that points decide.
    pub points: Option<Points>,
    /// How long a side that is ahead has to win.
    pub counting: Option<Counting>,
}

/// How a royal piece is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoyalLoss {
    /// The last one may not be left under attack; mate ends the game.
    Checkmate,
    /// By capture; moves into attack are legal.
    Capture,
}

/// A result, for the side that the rule speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It wins.
    Win,
    /// It loses.
    Loss,
    /// Nobody wins.
    Draw,
}

/// The bare-king rule: a side has one royal piece and nothing else that counts, the other side has more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bare {
    /// What it means for the bared side.
    pub verdict: Verdict,
    /// Whether it may save itself at once.
    pub reply: BareReply,
    /// Kinds that do not count.
    pub uncounted: Vec<KindId>,
    /// Whether pieces count that can never move again.
    pub dead: DeadPieces,
    /// How much the other side must have besides its royal piece.
    pub against: BareAgainst,
    /// What the rule waits for.
    pub waits: Vec<BareWait>,
}

/// Whether pieces count that can never move again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadPieces {
    Counted,
    Uncounted,
}

/// How many counted pieces the other side must have besides its royal piece, for a bare side to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BareAgainst {
    /// One or more.
    Some,
    /// Exactly one.
    One,
}

/// While one of these holds, the bare-king rule waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BareWait {
    /// The bare royal piece attacks one of the other side.
    Check,
    /// The bare royal piece attacks the only other piece that counts.
    Retake,
}

/// What the bared side may do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BareReply {
    /// Nothing.
    None,
    /// Bare the other side with its next move.
    BareBack,
}

/// The repetition rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// Which occurrence of a position ends the game.
    pub fold: u8,
    /// What it means for the side that it speaks of.
    pub verdict: Verdict,
    /// Which side the verdict speaks of.
    pub judged: JudgedSide,
    /// Whether a side all of whose moves since the first occurrence gave check loses instead.
    pub checker: Checker,
    /// Whether a side all of whose moves since the first occurrence attacked something loses instead.
    pub attacker: Attacker,
    /// How many plies must lie between the first occurrence and this one.
    pub plies: u32,
    /// Whether a side that chased one piece with every move since the first occurrence loses instead.
    pub chaser: Chaser,
}

/// What perpetual chase means: since the first occurrence a side attacked one and the same unguarded piece with every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chaser {
    /// Nothing of its own.
    Ignored,
    /// The chasing side loses, if the other does not chase as well. Sets of kinds are bits: who chases, and what is chased.
    Loses { by: u64, of: u64 },
}

/// Which side a verdict on a repetition speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgedSide {
    /// The one that is to move.
    ToMove,
    /// The one that began the game.
    First,
}

/// What it means that a piece reaches certain squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionGoal {
    /// Which pieces.
    pub pieces: Vec<KindId>,
    /// Where, for each side.
    pub squares: Region,
    /// For the side that reaches it: a win or a draw.
    pub verdict: Verdict,
    /// Whether the second side may still answer the first.
    pub reply: GoalReply,
    /// Whether a piece that can be captured there has reached its goal.
    pub safety: GoalSafety,
}

/// Whether the second side may still reach its goal when the first has reached it, for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalReply {
    /// It may not.
    None,
    /// With its next move: both sides then have had as many turns.
    EqualTurns,
    /// Either side may: a goal is reached once the piece is still there after one move of the other side.
    OneMove,
}

/// Whether a piece that can be captured has reached its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalSafety {
    /// It has.
    Any,
    /// Only once it has not been captured.
    Unattacked,
}

/// What it means that a side has too few pieces, on the board and in hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extinction {
    /// For that side.
    pub verdict: Verdict,
    /// Which kinds are counted.
    pub of: Vec<KindId>,
    /// It has fewer than this number of them.
    pub below: u32,
    /// Whether the kinds are counted as one.
    pub counted: CountedKinds,
}

/// Whether several kinds are counted as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedKinds {
    /// Pieces of any of them.
    Together,
    /// Too few of any one are enough.
    Each,
}

/// Counting pieces at the end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Points {
    /// Half points of each kind.
    pub half_points: Vec<u32>,
    /// Half points that each side has without any piece.
    pub extra_half_points: Vec<u32>,
    /// Which ends are decided by points; they are draws otherwise, and with equal points.
    pub decides: Vec<DecidedByPoints>,
}

/// An end that points may decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedByPoints {
    /// Passes in a row.
    Passes,
    /// Royal pieces that are left facing each other.
    Facing,
    /// The longest length of a game.
    Plies,
    /// A long time without progress.
    Quiet,
    /// Returning to the same position, unless perpetual check or attack decides it.
    Repetition,
}

/// Counting moves against a side that should win by now: the game is drawn when a count runs out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counting {
    /// Kinds that must have left the board before a count begins.
    pub without: Vec<KindId>,
    /// The count of a side that still has more than royal pieces.
    pub others: Option<CountForOthers>,
    /// The count of a bare side.
    pub bare: CountForBare,
}

/// A count that begins on the turn of a side that has more than one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountForOthers {
    /// How many moves of each side it allows.
    pub moves: u8,
    /// How many pieces that side has at most.
    pub pieces: u32,
    /// Whether it waits for the kinds that must have left the board.
    pub waits: CountWaits,
}

/// Whether a count waits until some kinds have left the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountWaits {
    Waits,
    DoesNotWait,
}

/// A count that begins, or begins anew, when a side is bare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountForBare {
    /// By what the other side has; the first that fits.
    pub limits: Vec<CountLimit>,
    /// With anything else; no count if `None`.
    pub otherwise: Option<u8>,
    /// Where it begins.
    pub from: CountFrom,
}

/// A count by material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountLimit {
    /// What the side has at least, sorted, a kind as often as it must have it.
    pub has: Vec<KindId>,
    /// How many moves of each side the count allows.
    pub moves: u8,
}

/// Where a count begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountFrom {
    /// At nothing.
    Zero,
    /// At the number of all pieces on the board, as full moves.
    Men,
}

impl Counting {
    /// Every limit that a count may have, in plies, each once and in order.
    pub fn limits_in_plies(&self) -> Vec<u16> {
        let others = self.others.iter().map(|others| others.moves);
        let bare = self.bare.limits.iter().map(|limit| limit.moves).chain(self.bare.otherwise);
        let mut limits: Vec<u16> = others.chain(bare).map(|moves| 2 * u16::from(moves)).collect();
        limits.sort_unstable();
        limits.dedup();
        limits
    }
}

/// What perpetual check means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checker {
    /// Nothing of its own.
    Ignored,
    /// The checking side loses.
    Loses,
}

/// What perpetual attack means: a check counts, and so does a moved piece that attacks something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attacker {
    /// Nothing of its own.
    Ignored,
    /// The attacking side loses, if the other does not attack as well.
    Loses,
}

/// The rule for games without progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quiet {
    /// After how many plies without progress.
    pub plies: u32,
    /// For the side to move.
    pub verdict: Verdict,
    /// Kinds whose moves are progress; captures always are.
    pub progress: Vec<KindId>,
}

/// Pieces of two sides, royal pieces included, with which nobody can win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Material {
    /// One side and the other.
    pub sides: [SideMaterial; 2],
    /// Whether every piece but the royal ones must stand on squares of one colour.
    pub one_colour: bool,
}

/// What one side has left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideMaterial {
    /// Pieces that it has, sorted, a kind as often as it has pieces of it.
    pub kinds: Vec<KindId>,
    /// Kinds of which it may have any number besides.
    pub any_number_of: Vec<KindId>,
}

impl SideMaterial {
    /// Whether a side with these pieces, sorted, has this material.
    pub fn is_met_by(&self, pieces: &[KindId]) -> bool {
        let counted = |kind: &&KindId| !self.any_number_of.contains(kind);
        pieces.iter().filter(counted).eq(&self.kinds)
    }
}

/// Winning by entering: a declaration that counts as made as soon as it may be.
#[derive(Clone, PartialEq, Debug)]
pub struct Impasse {
    /// Where the royal piece and the men must be, for each side.
    pub zone: Region,
    /// Men needed in the zone besides the royal piece.
    pub n_pieces: u32,
    /// Points needed, for each side.
    pub points: Vec<u32>,
    /// Points of each kind.
    pub worth: Vec<u32>,
}

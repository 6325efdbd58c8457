//! Why a game is over, and who won.
//!
//! In: nothing. Out: the list of reasons, each with its code and number. Never: when a game is over.

use ashta_messages::{Message, Tell, message};
use ashta_rules::{Rules, Side, Verdict};

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub reason: Reason,
}

/// Why a game is over. Codes are part of the API and numbers are stored in journals: neither ever changes its meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Tell)]
#[repr(u8)]
pub enum Reason {
    /// The last royal piece is attacked and cannot be saved.
    #[code("position.end-checkmate")]
    Checkmate = 1,
    /// The side to move has no legal move, and is not mated.
    #[code("position.end-stalemate")]
    Stalemate = 2,
    /// The last royal piece was captured.
    #[code("position.end-royal-captured")]
    RoyalCaptured = 3,
    /// One side has nothing but royal pieces.
    #[code("position.end-bare")]
    Bare = 4,
    /// Both sides have nothing but royal pieces.
    #[code("position.end-both-bare")]
    BothBare = 5,
    /// A position occurred too often.
    #[code("position.end-repetition")]
    Repetition = 6,
    /// A position occurred too often while one side gave check with every move.
    #[code("position.end-perpetual-check")]
    PerpetualCheck = 7,
    /// Nothing was captured or advanced for too long.
    #[code("position.end-quiet")]
    Quiet = 8,
    /// The game reached its longest length.
    #[code("position.end-ply-cap")]
    PlyCap = 9,
    /// Nobody has the material to win.
    #[code("position.end-insufficient")]
    Insufficient = 10,
    /// A side's royal piece and other pieces have entered, with enough points.
    #[code("position.end-impasse")]
    Impasse = 11,
    /// A position occurred too often while one side attacked with every move.
    #[code("position.end-perpetual-attack")]
    PerpetualAttack = 12,
    /// A piece has reached its goal.
    #[code("position.end-goal")]
    Goal = 13,
    /// A side has too few pieces of some kinds.
    #[code("position.end-extinction")]
    Extinction = 14,
    /// A side has given as many checks as it needs.
    #[code("position.end-checks")]
    Checks = 15,
    /// Both sides have passed.
    #[code("position.end-passes")]
    Passes = 16,
    /// The royal pieces were left facing each other.
    #[code("position.end-facing")]
    Facing = 17,
    /// A count of moves has run out.
    #[code("position.end-count")]
    Count = 18,
}

impl Reason {
    /// Every reason, in the order of this list.
    pub const ALL: [Reason; 18] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::RoyalCaptured,
        Reason::Bare,
        Reason::BothBare,
        Reason::Repetition,
        Reason::PerpetualCheck,
        Reason::Quiet,
        Reason::PlyCap,
        Reason::Insufficient,
        Reason::Impasse,
        Reason::PerpetualAttack,
        Reason::Goal,
        Reason::Extinction,
        Reason::Checks,
        Reason::Passes,
        Reason::Facing,
        Reason::Count,
    ];

    /// A word for programs: `checkmate`.
    pub fn code(self) -> &'static str {
        let code = self.message().code();
        code.strip_prefix("position.end-").unwrap_or(code)
    }

    /// The number that journals store.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The reason with this number.
    pub fn from_number(number: u8) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.number() == number)
    }
}

impl Outcome {
    /// What a verdict on one of two sides makes of the game.
    pub(crate) fn of(verdict: Verdict, side: Side, reason: Reason) -> Outcome {
        let winner = match verdict {
            Verdict::Win => Some(side),
            Verdict::Loss => Some(side.other()),
            Verdict::Draw => None,
        };
        Outcome { winner, reason }
    }

    /// Who won and why.
    pub fn words(self, rules: &Rules) -> Message {
        let reason = self.reason;
        match self.winner {
            Some(side) => message!("position.won", side = rules.side_message(side), reason),
            None => message!("position.drawn", reason),
        }
    }
}

//! What the text of a position says besides pieces, hands and the side to move: for an editor of positions.

use ashta_rules::{Castling, CastlingStarts, ContestRules, Freed, Goal, Roll, Rules, Square};
use serde::Serialize;
use utoipa::ToSchema;

/// The further fields of a position: rights, a square passed over, counters, the state of a contest.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct PositionFields {
    /// Castlings, in the order in which rights are written.
    pub castlings: Vec<CastlingBody>,
    /// The kind that castles with the royal piece from any file, where castlings do not start on squares of their own.
    pub castling_partner: Option<u8>,
    /// Squares whose piece has a right to a first move that the position remembers, in the order in which they are written.
    pub first_moves: Vec<String>,
    /// Whether a piece can be captured in passing.
    pub en_passant: bool,
    /// The checks that win, where the game counts them.
    pub checks: Option<u8>,
    /// Whether moves may be counted in which a side must be mated.
    pub counts: bool,
    /// The state of a contest.
    pub contest: Option<ContestFields>,
}

/// A castling.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct CastlingBody {
    /// As positions are written: `K`, `q`.
    pub letter: String,
    pub side: u8,
    /// Where the royal piece goes from and to.
    pub royal: [String; 2],
    /// Where its partner goes from and to.
    pub partner: [String; 2],
}

/// What the position of a contest may say.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct ContestFields {
    /// Every throw of the dice; none without dice.
    pub rolls: Vec<String>,
    /// Whether captured royal pieces come back.
    pub returns: bool,
    /// Whether sides are asked about an exchange of royal pieces.
    pub exchanges: bool,
    /// Whether a side may command its partner's pieces for good.
    pub commands: bool,
    /// Whether points decide.
    pub points: bool,
}

impl PositionFields {
    /// Of a game.
    pub fn of(rules: &Rules) -> PositionFields {
        let name = |square: Square| rules.grid().name(square).to_string();
        let castling = |castling: &Castling| CastlingBody {
            letter: castling.letter.to_string(),
            side: castling.side.0,
            royal: [name(castling.royal.0), name(castling.royal.1)],
            partner: [name(castling.partner.0), name(castling.partner.1)],
        };
        PositionFields {
            castlings: rules.castlings().iter().map(castling).collect(),
            castling_partner: match rules.castling_starts() {
                CastlingStarts::AnyFile { partner } => Some(partner.0),
                CastlingStarts::Fixed => None,
            },
            checks: rules.ends().checks,
            counts: rules.ends().counting.is_some(),
            first_moves: rules.first_move_squares().iter().map(|square| name(*square)).collect(),
            en_passant: rules.kind_ids().any(|kind| rules.can_be_taken_in_passing(kind)),
            contest: rules.contest().map(ContestFields::of),
        }
    }
}

impl ContestFields {
    fn of(contest: &ContestRules) -> ContestFields {
        ContestFields {
            rolls: Roll::all(contest).iter().map(Roll::to_string).collect(),
            returns: contest.captives.freed != Freed::Never,
            exchanges: matches!(contest.captives.freed, Freed::ByExchange(_)),
            commands: contest
                .throne
                .as_ref()
                .is_some_and(|throne| throne.command == ashta_rules::Command::FromThenOn),
            points: contest.goal == Goal::Points,
        }
    }
}

//! Why a move may not be played, in English.

use std::fmt;

use ashta_rules::{KindId, Rules, Square};

use super::Illegal;

impl Illegal {
    /// The reason in words, with the names of pieces, squares and sides.
    pub fn words<'a>(&'a self, rules: &'a Rules) -> IllegalWords<'a> {
        IllegalWords { why: self, rules }
    }
}

/// A reason as text.
pub struct IllegalWords<'a> {
    why: &'a Illegal,
    rules: &'a Rules,
}

impl IllegalWords<'_> {
    fn at(&self, square: Square) -> String {
        self.rules.grid().name(square).to_string()
    }

    fn kind(&self, kind: KindId) -> &str {
        self.rules.kinds().get(kind.index()).map_or("piece", |kind| &kind.name)
    }
}

impl fmt::Display for IllegalWords<'_> {
    // One sentence for each reason: a table, and so as long as it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, kind) = (|square: Square| self.at(square), |kind: KindId| self.kind(kind));
        match *self.why {
            Illegal::NothingThere { square } => write!(f, "there is nothing on {}", at(square)),
            Illegal::NotYours { piece, side } => write!(
                f,
                "the {} on {} is {}'s",
                kind(piece.kind),
                at(piece.square),
                self.rules.sides()[side.index()].name
            ),
            Illegal::StaysPut { piece } => {
                write!(f, "the {} on {} must go to another square", kind(piece.kind), at(piece.square))
            }
            Illegal::PlaceFirst => write!(f, "all pieces in hand are placed first"),
            Illegal::NotItsMove { piece, to } => {
                write!(f, "the {} on {} does not move to {}", kind(piece.kind), at(piece.square), at(to))
            }
            Illegal::OutOfBounds { piece, to } => write!(
                f,
                "the {} on {} may not go to {}: it is bound to its region",
                kind(piece.kind),
                at(piece.square),
                at(to)
            ),
            Illegal::HasMoved { piece, to } => write!(
                f,
                "the {} on {} may not go to {}: it has moved before",
                kind(piece.kind),
                at(piece.square),
                at(to)
            ),
            Illegal::Blocked { piece, to, by } => write!(
                f,
                "the way of the {} on {} to {} is blocked on {}",
                kind(piece.kind),
                at(piece.square),
                at(to),
                at(by)
            ),
            Illegal::NeedsHurdle { piece, to } => write!(
                f,
                "the {} on {} must hop over exactly one piece on its way to {}",
                kind(piece.kind),
                at(piece.square),
                at(to)
            ),
            Illegal::NoSuchHurdle { piece, over } => write!(
                f,
                "the {} on {} may not hop over the {} on {}",
                kind(piece.kind),
                at(piece.square),
                kind(over.kind),
                at(over.square)
            ),
            Illegal::OnlyMoves { piece, to } => {
                write!(f, "the {} on {} does not capture on {}", kind(piece.kind), at(piece.square), at(to))
            }
            Illegal::OnlyCaptures { piece, to } => write!(
                f,
                "the {} on {} goes to {} only to capture",
                kind(piece.kind),
                at(piece.square),
                at(to)
            ),
            Illegal::NotCaptured { piece, victim } => write!(
                f,
                "the {} on {} may not capture the {} on {}",
                kind(piece.kind),
                at(piece.square),
                kind(victim.kind),
                at(victim.square)
            ),
            Illegal::OwnPiece { piece, own } => write!(
                f,
                "the {} on {} cannot go where its own {} on {} stands",
                kind(piece.kind),
                at(piece.square),
                kind(own.kind),
                at(own.square)
            ),
            Illegal::MustPromote { piece, to } => {
                write!(f, "the {} on {} must promote on {}", kind(piece.kind), at(piece.square), at(to))
            }
            Illegal::NoPromotion { piece, to } => write!(
                f,
                "the {} on {} does not promote on its way to {}",
                kind(piece.kind),
                at(piece.square),
                at(to)
            ),
            Illegal::BecomesOther { piece, to, becomes } => write!(
                f,
                "the {} on {} does not become a {} on {}",
                kind(piece.kind),
                at(piece.square),
                kind(becomes),
                at(to)
            ),
            Illegal::NothingToBecome { piece, to } => write!(
                f,
                "the {} on {} may not go to {}: there is nothing left that it could become",
                kind(piece.kind),
                at(piece.square),
                at(to)
            ),
            Illegal::CastlingLost { royal } => write!(
                f,
                "the {} on {} may not castle: it or its partner has moved",
                kind(royal.kind),
                at(royal.square)
            ),
            Illegal::CastlingBlocked { royal, by } => write!(
                f,
                "the {} on {} may not castle: {} is occupied",
                kind(royal.kind),
                at(royal.square),
                at(by)
            ),
            Illegal::CastlingInCheck { royal, by } => write!(
                f,
                "the {} on {} may not castle out of check from the {} on {}",
                kind(royal.kind),
                at(royal.square),
                kind(by.kind),
                at(by.square)
            ),
            Illegal::CastlingThrough { royal, crossed, by } => write!(
                f,
                "the {} on {} may not castle over {}, which the {} on {} attacks",
                kind(royal.kind),
                at(royal.square),
                at(crossed),
                kind(by.kind),
                at(by.square)
            ),
            Illegal::StillInCheck { royal, by } => write!(
                f,
                "the {} on {} would still be in check from the {} on {}",
                kind(royal.kind),
                at(royal.square),
                kind(by.kind),
                at(by.square)
            ),
            Illegal::IntoCheck { royal, to, by } => write!(
                f,
                "the {} on {} would be in check on {} from the {} on {}",
                kind(royal.kind),
                at(royal.square),
                at(to),
                kind(by.kind),
                at(by.square)
            ),
            Illegal::Pinned { piece, by } => write!(
                f,
                "the {} on {} is pinned by the {} on {}",
                kind(piece.kind),
                at(piece.square),
                kind(by.kind),
                at(by.square)
            ),
            Illegal::Exposes { royal, by } => write!(
                f,
                "this would expose the {} on {} to check from the {} on {}",
                kind(royal.kind),
                at(royal.square),
                kind(by.kind),
                at(by.square)
            ),
            Illegal::NeverDropped { kind: what } => write!(f, "a {} is never dropped", kind(what)),
            Illegal::NotInHand { kind: what } => write!(f, "there is no {} in hand", kind(what)),
            Illegal::Occupied { on } => write!(
                f,
                "pieces are dropped on empty squares, not on the {} on {}",
                kind(on.kind),
                at(on.square)
            ),
            Illegal::NotDroppedThere { kind: what, to } => {
                write!(f, "a {} may not be dropped on {}", kind(what), at(to))
            }
            Illegal::FileIsFull { kind: what, to, limit } => write!(
                f,
                "a {} may not be dropped on {}: its side has {} on this file",
                kind(what),
                at(to),
                limit
            ),
            Illegal::CouldNeverMove { kind: what, to } => {
                write!(f, "a {} dropped on {} could never move", kind(what), at(to))
            }
            Illegal::DropMates { kind: what } => {
                write!(f, "a {} may not be dropped to give mate", kind(what))
            }
            Illegal::MayNotPass => write!(f, "passing is not allowed here"),
            Illegal::NotThrown { piece, number } => write!(
                f,
                "the {} on {} moves with a {}, which was not thrown",
                kind(piece.kind),
                at(piece.square),
                number
            ),
            Illegal::NotTogether { piece, to } => write!(
                f,
                "the {} on {} may go to {}, but not together with the other move",
                kind(piece.kind),
                at(piece.square),
                at(to)
            ),
            Illegal::Partners { victim } => {
                write!(f, "the {} on {} is the partner's", kind(victim.kind), at(victim.square))
            }
            Illegal::NoSuchPiece { kind: what } => write!(f, "there is no {} to move", kind(what)),
            Illegal::NoneReaches { kind: what, to } => write!(f, "no {} can go to {}", kind(what), at(to)),
        }
    }
}

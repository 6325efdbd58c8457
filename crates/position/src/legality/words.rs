//! Why a move may not be played, as a message.

use ashta_messages::{Message, message};
use ashta_rules::{KindId, Rules, Square};

use super::{Illegal, PieceOn};

impl Illegal {
    /// The reason, with the names of pieces, squares and sides.
    // One sentence for each reason: a table, and so as long as it is.
    pub fn words(&self, rules: &Rules) -> Message {
        let at = |square: Square| rules.grid().name(square).to_string();
        let name = |kind: KindId| rules.kinds().get(kind.index());
        let piece_on = |piece: PieceOn| piece.words(rules);
        match *self {
            Illegal::NothingThere { square } => message!("position.nothing-there", square = at(square)),
            Illegal::NotYours { piece, side } => {
                message!("position.not-yours", piece = piece_on(piece), side = rules.side_message(side))
            }
            Illegal::StaysPut { piece } => message!("position.stays-put", piece = piece_on(piece)),
            Illegal::PlaceFirst => message!("position.place-first"),
            Illegal::NotItsMove { piece, to } => {
                message!("position.not-its-move", piece = piece_on(piece), to = at(to))
            }
            Illegal::OutOfBounds { piece, to } => {
                message!("position.out-of-bounds", piece = piece_on(piece), to = at(to))
            }
            Illegal::HasMoved { piece, to } => {
                message!("position.has-moved", piece = piece_on(piece), to = at(to))
            }
            Illegal::Blocked { piece, to, by } => {
                message!("position.blocked", piece = piece_on(piece), to = at(to), by = at(by))
            }
            Illegal::NeedsHurdle { piece, to } => {
                message!("position.needs-hurdle", piece = piece_on(piece), to = at(to))
            }
            Illegal::NoSuchHurdle { piece, over } => {
                message!("position.no-such-hurdle", piece = piece_on(piece), over = piece_on(over))
            }
            Illegal::OnlyMoves { piece, to } => {
                message!("position.only-moves", piece = piece_on(piece), to = at(to))
            }
            Illegal::OnlyCaptures { piece, to } => {
                message!("position.only-captures", piece = piece_on(piece), to = at(to))
            }
            Illegal::NotCaptured { piece, victim } => {
                message!("position.not-captured", piece = piece_on(piece), victim = piece_on(victim))
            }
            Illegal::BannedCapture { piece, victim } => {
                message!("position.banned-capture", piece = piece_on(piece), victim = piece_on(victim))
            }
            Illegal::OwnPiece { piece, own } => {
                message!("position.own-piece", piece = piece_on(piece), own = piece_on(own))
            }
            Illegal::MustPromote { piece, to } => {
                message!("position.must-promote", piece = piece_on(piece), to = at(to))
            }
            Illegal::NoPromotion { piece, to } => {
                message!("position.no-promotion", piece = piece_on(piece), to = at(to))
            }
            Illegal::BecomesOther { piece, to, becomes } => {
                message!(
                    "position.becomes-other",
                    piece = piece_on(piece),
                    to = at(to),
                    becomes = name(becomes)
                )
            }
            Illegal::NothingToBecome { piece, to } => {
                message!("position.nothing-to-become", piece = piece_on(piece), to = at(to))
            }
            Illegal::CastlingLost { royal } => message!("position.castling-lost", royal = piece_on(royal)),
            Illegal::CastlingBlocked { royal, by } => {
                message!("position.castling-blocked", royal = piece_on(royal), by = at(by))
            }
            Illegal::CastlingInCheck { royal, by } => {
                message!("position.castling-in-check", royal = piece_on(royal), by = piece_on(by))
            }
            Illegal::CastlingThrough { royal, crossed, by } => message!(
                "position.castling-through-check",
                royal = piece_on(royal),
                crossed = at(crossed),
                by = piece_on(by)
            ),
            Illegal::StillInCheck { royal, by } => {
                message!("position.still-in-check", royal = piece_on(royal), by = piece_on(by))
            }
            Illegal::IntoCheck { royal, to, by } => {
                message!("position.into-check", royal = piece_on(royal), to = at(to), by = piece_on(by))
            }
            Illegal::Pinned { piece, by } => {
                message!("position.pinned", piece = piece_on(piece), by = piece_on(by))
            }
            Illegal::Exposes { royal, by } => {
                message!("position.exposes", royal = piece_on(royal), by = piece_on(by))
            }
            Illegal::MustCapture { piece, victim } => {
                message!("position.must-capture", piece = piece_on(piece), victim = piece_on(victim))
            }
            Illegal::ExplodesOwn { royal } => message!("position.explodes-own", royal = piece_on(royal)),
            Illegal::GivesCheck { royal } => message!("position.gives-check", royal = piece_on(royal)),
            Illegal::StillFaces { royal, other } => {
                message!("position.still-faces", royal = piece_on(royal), other = piece_on(other))
            }
            Illegal::OnlyTakes { royal } => message!("position.only-takes", royal = piece_on(royal)),
            Illegal::NotInCheck { piece, to } => {
                message!("position.not-in-check", piece = piece_on(piece), to = at(to))
            }
            Illegal::NeverDropped { kind } => message!("position.never-dropped", kind = name(kind)),
            Illegal::NotInHand { kind } => message!("position.not-in-hand", kind = name(kind)),
            Illegal::Occupied { on } => message!("position.occupied", on = piece_on(on)),
            Illegal::NotDroppedThere { kind, to } => {
                message!("position.not-dropped-there", kind = name(kind), to = at(to))
            }
            Illegal::FileIsFull { kind, to, limit } => {
                message!("position.file-is-full", kind = name(kind), to = at(to), limit)
            }
            Illegal::CouldNeverMove { kind, to } => {
                message!("position.could-never-move", kind = name(kind), to = at(to))
            }
            Illegal::DropMates { kind } => message!("position.drop-mates", kind = name(kind)),
            Illegal::MayNotPass => message!("position.may-not-pass"),
            Illegal::NotThrown { piece, number } => {
                message!("position.not-thrown", piece = piece_on(piece), number)
            }
            Illegal::NotTogether { piece, to } => {
                message!("position.not-together", piece = piece_on(piece), to = at(to))
            }
            Illegal::Partners { victim } => message!("position.partners", victim = piece_on(victim)),
            Illegal::NoSuchPiece { kind } => message!("position.no-such-piece", kind = name(kind)),
            Illegal::NoneReaches { kind, to } => {
                message!("position.none-reaches", kind = name(kind), to = at(to))
            }
        }
    }
}

impl PieceOn {
    /// `the rook on a1`.
    pub(crate) fn words(self, rules: &Rules) -> Message {
        let square = rules.grid().name(self.square).to_string();
        message!("position.piece-on", kind = rules.kinds().get(self.kind.index()), square)
    }
}

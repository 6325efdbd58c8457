//! Why a move may not be played.
//!
//! In: a position and a move that somebody wants to play. Out: nothing if it is legal, else the reason with its squares and
//! pieces. Never: inner loops; the generator knows only legal moves, and this explains the others from the rules.
//!
//! `movement` asks how the piece moves, `castling` and `drops` what their names say, `safety` what becomes of the royal
//! piece; `words` writes it.

mod castling;
mod drops;
mod effects;
mod movement;
mod promotion;
mod safety;
mod words;

use ashta_rules::{Hand, KindId, Pass, Side, Square};

pub(crate) use movement::Movement;

use crate::game::Game;
use crate::moves::{Action, Move};
use crate::position::Position;
use crate::with_line;
use crate::word::{Word, end_of};

/// A move that somebody wants to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// A piece goes from one square to another, and becomes another kind if that is said.
    Go {
        from: Square,
        to: Square,
        /// What it is to become.
        becomes: Option<KindId>,
    },
    /// A piece comes from the hand.
    Drop { kind: KindId, to: Square },
    /// Nothing moves.
    Pass,
}

/// A piece and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceOn {
    pub kind: KindId,
    pub square: Square,
}

/// Why a move may not be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// No piece stands where the move starts.
    NothingThere { square: Square },
    /// The piece belongs to another side.
    NotYours { piece: PieceOn, side: Side },
    /// Its target is its origin.
    StaysPut { piece: PieceOn },
    /// Pieces in hand are placed before any other moves.
    PlaceFirst,
    /// The piece does not move like that.
    NotItsMove { piece: PieceOn, to: Square },
    /// It moves like that, but not to or from these squares.
    OutOfBounds { piece: PieceOn, to: Square },
    /// Only a piece that has not moved moves like that.
    HasMoved { piece: PieceOn, to: Square },
    /// Something stands in the way.
    Blocked { piece: PieceOn, to: Square, by: Square },
    /// It must hop over exactly one piece.
    NeedsHurdle { piece: PieceOn, to: Square },
    /// It may not hop over this piece.
    NoSuchHurdle { piece: PieceOn, over: PieceOn },
    /// It moves like that, but does not capture so.
    OnlyMoves { piece: PieceOn, to: Square },
    /// It moves like that only to capture.
    OnlyCaptures { piece: PieceOn, to: Square },
    /// It may not capture this piece.
    NotCaptured { piece: PieceOn, victim: PieceOn },
    /// The rules ban this capture.
    BannedCapture { piece: PieceOn, victim: PieceOn },
    /// A piece of the same side stands on the target.
    OwnPiece { piece: PieceOn, own: PieceOn },
    /// It must become another kind.
    MustPromote { piece: PieceOn, to: Square },
    /// It does not become another kind with this move.
    NoPromotion { piece: PieceOn, to: Square },
    /// It becomes something else with this move.
    BecomesOther { piece: PieceOn, to: Square, becomes: KindId },
    /// It would have to become something of which the side may have no more.
    NothingToBecome { piece: PieceOn, to: Square },
    /// The royal piece or its partner has moved.
    CastlingLost { royal: PieceOn },
    /// Something stands between the two, or on their ways.
    CastlingBlocked { royal: PieceOn, by: Square },
    /// The royal piece is in check.
    CastlingInCheck { royal: PieceOn, by: PieceOn },
    /// The royal piece would cross an attacked square.
    CastlingThrough { royal: PieceOn, crossed: Square, by: PieceOn },
    /// The royal piece is in check and stays so.
    StillInCheck { royal: PieceOn, by: PieceOn },
    /// The royal piece would be in check where it goes.
    IntoCheck { royal: PieceOn, to: Square, by: PieceOn },
    /// The piece stands between its royal piece and an attacker.
    Pinned { piece: PieceOn, by: PieceOn },
    /// Where it goes it makes an attack on its own royal piece possible.
    Exposes { royal: PieceOn, by: PieceOn },
    /// A piece can capture, and then one must.
    MustCapture { piece: PieceOn, victim: PieceOn },
    /// The capture would blow up its own side's last royal piece.
    ExplodesOwn { royal: PieceOn },
    /// The move would give check, which is forbidden.
    GivesCheck { royal: PieceOn },
    /// The royal pieces face each other, and the move leaves them so.
    StillFaces { royal: PieceOn, other: PieceOn },
    /// A royal piece in check may only take what gives it.
    OnlyTakes { royal: PieceOn },
    /// The piece does not move so in check.
    NotInCheck { piece: PieceOn, to: Square },
    /// Pieces of this kind are never dropped.
    NeverDropped { kind: KindId },
    /// There is none in hand.
    NotInHand { kind: KindId },
    /// Drops end on empty squares.
    Occupied { on: PieceOn },
    /// It is not dropped there.
    NotDroppedThere { kind: KindId, to: Square },
    /// The file has as many of this kind as it may.
    FileIsFull { kind: KindId, to: Square, limit: u8 },
    /// It could never move from there.
    CouldNeverMove { kind: KindId, to: Square },
    /// The drop would mate.
    DropMates { kind: KindId },
    /// A side must move.
    MayNotPass,
    /// The dice do not let this piece move.
    NotThrown { piece: PieceOn, number: u8 },
    /// The piece that has moved first does not let the second move follow.
    NotTogether { piece: PieceOn, to: Square },
    /// A partner's piece is not captured.
    Partners { victim: PieceOn },
    /// No piece of this kind is on the board, where the text names only a kind.
    NoSuchPiece { kind: KindId },
    /// There are several pieces of this kind, and none can go there.
    NoneReaches { kind: KindId, to: Square },
}

/// Why a move may not be played; nothing if it is legal.
pub fn why_illegal(game: &Game, attempt: Attempt) -> Option<Illegal> {
    with_line!(game.line(), line => Explanation { position: line.position() }.why(attempt))
}

/// Explains moves of one position.
struct Explanation<'a, W> {
    position: &'a Position<W>,
}

impl<W: Word> Explanation<'_, W> {
    fn why(&self, attempt: Attempt) -> Option<Illegal> {
        let legal = self.position.legal_moves();
        match attempt {
            Attempt::Go { from, to, becomes } => self.why_not_go(from, to, becomes, &legal),
            Attempt::Drop { kind, to } => {
                let is_it = |mv: &&Move| mv.action() == Action::Drop { kind, to };
                legal.iter().find(is_it).is_none().then(|| self.why_not_drop(kind, to))
            }
            Attempt::Pass => (!legal.contains(&Move::PASS)).then(|| self.why_not_pass()),
        }
    }

    fn turn(&self) -> Side {
        self.position.turn()
    }

    fn is_placing(&self) -> bool {
        let rules = self.position.rules();
        let holds = |kind: KindId| self.position.in_hand(self.turn(), kind) > 0;
        rules.hand() == Hand::SetUp && rules.kind_ids().any(holds)
    }

    fn why_not_go(
        &self,
        from: Square,
        to: Square,
        becomes: Option<KindId>,
        legal: &[Move],
    ) -> Option<Illegal> {
        let goes_there = |mv: &Move| !mv.is_two_legs() && (mv.from(), mv.to()) == (Some(from), Some(to));
        let ways: Vec<Move> = legal.iter().copied().filter(goes_there).collect();
        if ways.iter().any(|mv| mv.becomes() == becomes) {
            return None;
        }
        if self.is_placing() {
            return Some(Illegal::PlaceFirst);
        }
        let Some((side, kind)) = self.position.piece(from) else {
            return Some(Illegal::NothingThere { square: from });
        };
        let piece = PieceOn { kind, square: from };
        if side != self.turn() {
            return Some(Illegal::NotYours { piece, side });
        }
        Some(match (ways.as_slice(), becomes) {
            ([], _) => self.why_no_way(piece, to),
            (_, None) => Illegal::MustPromote { piece, to },
            ([only], Some(_)) if only.becomes().is_none() => Illegal::NoPromotion { piece, to },
            (_, Some(becomes)) => Illegal::BecomesOther { piece, to, becomes },
        })
    }

    /// Why a piece may not go to a square, whatever it becomes there.
    fn why_no_way(&self, piece: PieceOn, to: Square) -> Illegal {
        let moved = match self.movement(piece, to) {
            Ok(mv) => mv,
            Err(why) => return self.why_not_castle(piece, to).unwrap_or(why),
        };
        if self.forms(piece, to).is_empty() {
            return Illegal::NothingToBecome { piece, to };
        }
        // What moves as it may and may not be played leaves the royal piece to be captured, or captures what a ban protects.
        let danger = self.explodes_own(moved).or_else(|| self.danger_after(moved, piece));
        let danger =
            danger.or_else(|| self.why_not_by_effect(moved)).or_else(|| self.bond_broken(moved, piece));
        danger.unwrap_or_else(|| match self.standing(moved.raw_to()) {
            Some(victim) => Illegal::BannedCapture { piece, victim },
            None => Illegal::NotItsMove { piece, to },
        })
    }

    /// The move that leads there, or what stands against it.
    fn movement(&self, piece: PieceOn, to: Square) -> Result<Move, Illegal> {
        if piece.square == to {
            return match self.may_promote_in_place(piece) {
                true => Ok(Move::go(to, to)),
                false => Err(Illegal::StaysPut { piece }),
            };
        }
        let (sides, turn) = (self.position.rules().sides(), self.turn());
        let movement = Movement {
            rules: self.position.rules(),
            side: turn,
            piece: &|square| self.position.piece(square),
            rights: self.position.state().rights(),
            passed: self.passed(),
            spared: &|side| sides[side.index()].team == sides[turn.index()].team,
        };
        match movement.find(piece, to) {
            Ok(mv) if self.is_calm_in_check(&movement, piece, to) => {
                Err(Illegal::NotInCheck { piece, to: mv.raw_to() })
            }
            found => found,
        }
    }

    /// The square that has just been passed over, and the piece that did so: it stands right beyond.
    fn passed(&self) -> Option<(Square, Square)> {
        let tables = self.position.tables();
        let before = (self.turn().index() + tables.sides.len() - 1) % tables.sides.len();
        let passed = self.position.state().en_passant()?;
        Some((passed, end_of(passed, tables.sides[before].forward)?))
    }

    fn standing(&self, square: Square) -> Option<PieceOn> {
        self.position.piece(square).map(|(_, kind)| PieceOn { kind, square })
    }

    fn why_not_pass(&self) -> Illegal {
        if self.is_placing() {
            return Illegal::PlaceFirst;
        }
        match self.position.rules().pass() {
            Pass::Allowed => self.check_now().unwrap_or(Illegal::MayNotPass),
            Pass::No | Pass::WhenStuck => Illegal::MayNotPass,
        }
    }
}

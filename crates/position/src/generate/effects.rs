//! Moves that are legal or not by what they bring about: explosions, forbidden checks, obligatory captures.
//!
//! In: all moves of a position; where captures explode, also those that leave the royal piece attacked. Out: the legal ones.
//! Never: games without such rules.

use ashta_rules::{CaptureDuty, GivingCheck, KindId, Side, Square};

use crate::attack::AttackView;
use crate::moves::{Action, Move};
use crate::sink::MoveList;
use crate::state::State;
use crate::tables::{ExplosionTable, RuleTables, features};
use crate::word::Word;

/// Keeps the legal moves of a list.
#[cold]
pub fn keep_legal<W: Word>(tables: &RuleTables<W>, state: &State<W>, list: &mut MoveList) {
    if let Some(explosion) = &tables.explosion {
        let effects = Explosions { tables, explosion, state };
        list.retain(|mv| effects.is_legal(mv));
    }
    if tables.rules.giving_check() == GivingCheck::Forbidden {
        list.retain(|mv| !gives_check(tables, state, mv));
    }
    if tables.rules.capture_duty() == CaptureDuty::Obligatory && list.iter().any(|mv| state.is_capture(*mv)) {
        list.retain(|mv| state.is_capture(mv));
    }
}

/// Whether a move attacks the only royal piece of the other side.
fn gives_check<W: Word>(tables: &RuleTables<W>, state: &State<W>, mv: Move) -> bool {
    let (me, them) = (state.turn(), state.turn().other());
    let mut after = *state;
    let undo = after.play_unchecked(tables, mv);
    if undo.is_capture() && tables.explosion.is_some() {
        after.explode(tables, mv, |_, _| {});
    }
    let royals_of = |side: Side| tables.sides[side.index()].royal_group.pieces(&after) & after.side(side);
    let royals = royals_of(them);
    if royals.is_empty() || !royals.is_single() || touch(tables, royals, royals_of(me)) {
        return false;
    }
    let view = AttackView { tables, state: &after, occupied: after.occupied(), attackers: after.side(me) };
    view.is_attacked::<{ features::EVERYTHING }>(&tables.sides[me.index()], royals.lowest())
}

/// Whether a royal piece is next to one of the other side where captures explode: neither is then in check, for neither
/// side can capture the other's without losing its own.
pub fn touch<W: Word>(tables: &RuleTables<W>, royals: W, others: W) -> bool {
    let Some(explosion) = &tables.explosion else { return false };
    royals.squares().any(|royal| (*explosion.near.at(royal) & others).any())
}

/// Explosions of one position.
struct Explosions<'a, W> {
    tables: &'a RuleTables<W>,
    explosion: &'a ExplosionTable<W>,
    state: &'a State<W>,
}

/// A board after a move, as far as the safety of royal pieces goes.
struct After<W> {
    occupied: W,
    /// The mover's royal pieces, and the other side's.
    royals: [W; 2],
    /// The moved piece, where the state does not show it, if it is still there.
    moved: Option<(KindId, Square)>,
}

impl<W: Word> Explosions<'_, W> {
    fn is_legal(&self, mv: Move) -> bool {
        if mv.is_castle() {
            return self.is_castling_legal(mv);
        }
        let (me, them) = (self.state.turn(), self.state.turn().other());
        let after = self.after(mv);
        let [ours, theirs] = after.royals;
        if ours.is_empty() {
            return self.royals(me).is_empty();
        }
        let wins = theirs.is_empty() && self.royals(them).any();
        wins || !self.is_in_check(&after)
    }

    fn royals(&self, side: Side) -> W {
        self.tables.sides[side.index()].royal_group.pieces(self.state) & self.state.side(side)
    }

    fn after(&self, mv: Move) -> After<W> {
        let (state, me) = (self.state, self.state.turn());
        let (mut ours, mut theirs) = (self.royals(me), self.royals(me.other()));
        let (mut occupied, mut removed) = (state.occupied(), W::ZERO);
        let mut moved = None;
        if let Some(to) = mv.to() {
            let (from, kind) = match mv.action() {
                Action::Drop { kind, .. } => (W::ZERO, kind),
                _ => (W::bit(mv.raw_from()), mv.becomes().unwrap_or(state.kind_on(mv.raw_from()))),
            };
            if state.is_capture(mv) {
                removed = self.explosion.removed(state.occupied(), self.explosion.spared.pieces(state), to);
                theirs &= !W::bit(to);
                if let Action::EnPassant { victim, .. } = mv.action() {
                    removed |= W::bit(victim);
                }
            } else {
                moved = Some((kind, to));
            }
            occupied = (occupied & !from | W::bit(to)) & !removed;
            ours &= !from;
            if self.tables.rules.kind(kind).royal {
                ours |= W::bit(to);
            }
        }
        After { occupied, royals: [ours & !removed, theirs & !removed], moved }
    }

    fn is_in_check(&self, after: &After<W>) -> bool {
        let [ours, theirs] = after.royals;
        self.tables.guards_royals && ours.is_single() && !touch(self.tables, ours, theirs) && {
            self.is_attacked(ours.lowest(), after.occupied, after.moved)
        }
    }

    fn is_attacked(&self, square: Square, occupied: W, moved: Option<(KindId, Square)>) -> bool {
        let them = self.state.turn().other();
        let arrived = moved.map_or(W::ZERO, |(_, to)| W::bit(to));
        let attackers = self.state.side(them) & occupied & !arrived;
        let view = AttackView { tables: self.tables, state: self.state, occupied, attackers };
        let by = &self.tables.sides[them.index()];
        view.is_attacked_plainly::<{ features::EVERYTHING }>(by, square)
            || view.is_hopped_onto(by, square, moved)
    }

    /// A royal piece may castle out of an attack and through attacked squares where it touches the other side's.
    fn is_castling_legal(&self, mv: Move) -> bool {
        let (state, me) = (self.state, self.state.turn());
        let castling = &self.tables.sides[me.index()].castlings[mv.castling_index()];
        let royals = self.royals(me);
        if !self.tables.guards_royals || !royals.is_single() {
            return true;
        }
        let theirs = self.royals(me.other());
        let lifted = state.occupied() & !W::bit(castling.royal.0);
        let way = castling.safe | W::bit(castling.royal.0);
        let is_safe = |square: Square, occupied: W| {
            touch(self.tables, W::bit(square), theirs) || !self.is_attacked(square, occupied, None)
        };
        let landed = lifted & !W::bit(castling.partner.0);
        let landed = landed | W::bit(castling.royal.1) | W::bit(castling.partner.1);
        let before_end = way & !W::bit(castling.royal.1) | W::bit(castling.royal.0);
        before_end.squares().all(|square| is_safe(square, lifted)) && is_safe(castling.royal.1, landed)
    }
}

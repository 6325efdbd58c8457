//! Who can capture what with one turn.

use ashta_rules::{DiceOrder, KindId, Side, Square};

use super::view::View;
use super::{Contest, Turns};
use crate::attack::AttackView;
use crate::generate::PseudoLegalBoard;
use crate::moves::Move;
use crate::sink::MoveList;
use crate::tables::features;
use crate::word::Word;

/// How much of a turn is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Legs {
    /// Its first move alone.
    First,
    /// The whole turn.
    Whole,
}

impl<W: Word> Contest<W> {
    pub(super) fn attacks_generic(&self, by: Side, square: Square) -> bool {
        let attackers = self.state.side(by);
        self.attacks_on(by, square, self.state.occupied(), attackers)
            || self.commanded_partner(by).is_some_and(|partner| {
                self.attacks_on(partner, square, self.state.occupied(), self.state.side(partner))
            })
    }

    #[inline(always)]
    fn attacks_on(&self, by: Side, square: Square, occupied: W, attackers: W) -> bool {
        let view = AttackView { tables: &self.tables, state: &self.state, occupied, attackers };
        let side = &self.tables.sides[by.index() & 3];
        match self.contest_tables().features {
            features::PLAIN => view.is_attacked::<{ features::PLAIN }>(side, square),
            _ => view.is_attacked::<{ features::EVERYTHING }>(side, square),
        }
    }

    pub(super) fn can_take_generic(
        &self,
        victim: Side,
        legs: Legs,
        turns: &mut Turns<W>,
        firsts: &mut MoveList,
    ) -> bool {
        let royals = self.royals(victim);
        let me = self.turn();
        if royals.is_empty() || self.is_returning(me) {
            return false;
        }
        let view = View::new(self);
        if (view.spared() & royals).any() {
            return false;
        }
        let royal = royals.lowest();
        if royals.is_single() && self.attacks_generic(me, royal) {
            return true;
        }
        if legs == Legs::First || !turns.has_pairs() {
            return false;
        }
        match royals.is_single() && view.spared_by_one_army().is_some() && turns.is_ordinary() {
            true => self.can_take_with_two(&view, royal, firsts),
            false => self.can_take_by_listing(victim, turns),
        }
    }

    pub(super) fn might_take_generic(&self, by: Side, victim: Side, legs: Legs) -> bool {
        let royals = self.royals(victim);
        if self.is_returning(by) || royals.is_empty() {
            return false;
        }
        if self.commanded_partner(by).is_some() || !royals.is_single() || self.waits_to_promote(by) {
            return true;
        }
        let Some(units) = &self.tables.sides[by.index() & 3].contest else { return true };
        let (tables, state) = (&*self.tables, &self.state);
        // Every square may be gone to, and whatever is captured on is there.
        let board = |occupied: W| PseudoLegalBoard { tables, state, occupied, spared: W::ZERO };
        let reach = |kind: KindId, from: Square| {
            let units = &units.by_kind[kind.index()];
            board(W::ZERO).targets::<{ features::EVERYTHING }, false>(units, from)
                | board(tables.board).targets::<{ features::EVERYTHING }, false>(units, from)
        };
        let royal = royals.lowest();
        units.kinds.iter().enumerate().any(|(kind, group)| {
            let kind = KindId(kind as u8);
            let pieces = group.pieces(state) & state.side(by);
            pieces.squares().any(|from| {
                let ends = reach(kind, from);
                ends.has(royal) || legs == Legs::Whole && ends.squares().any(|to| reach(kind, to).has(royal))
            })
        })
    }

    /// Whether a piece gets there with two moves, or moves out of the way of another.
    fn can_take_with_two(&self, view: &View<W>, royal: Square, firsts: &mut MoveList) -> bool {
        let (me, own) = (self.state.turn(), self.state.side(self.state.turn()));
        let mut opener = None;
        for class in 0..self.contest_tables().numbers.len() {
            firsts.clear();
            view.give_slowly(class, firsts);
            for mv in firsts.iter() {
                let from = mv.raw_from();
                let after = view.after(*mv);
                if after.ends_after_slowly(*mv).has(royal) {
                    return true;
                }
                // Asked once for a piece: with it gone altogether, is the royal piece attacked?
                let opens = match opener {
                    Some((square, opens)) if square == from => opens,
                    _ => {
                        let gone = W::bit(from);
                        self.attacks_on(me, royal, self.state.occupied() & !gone, own & !gone)
                    }
                };
                opener = Some((from, opens));
                if opens && self.attacks_after(*mv, royal, class) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a piece of another class, which may move second, attacks a square after a first move.
    fn attacks_after(&self, first: Move, square: Square, class: usize) -> bool {
        let (from, to) = (W::bit(first.raw_from()), W::bit(first.raw_to()));
        let occupied = self.state.occupied() & !from | to;
        let me = self.state.turn();
        let tables = self.contest_tables();
        let is_rising =
            self.contest_rules().dice.as_ref().is_some_and(|dice| dice.order == DiceOrder::Rising);
        let may_follow = |of: usize| if is_rising { of > class } else { of != class };
        let idle =
            (0..64).map(KindId).filter(|kind| !may_follow(tables.class_of_kind[kind.index()] as usize));
        let units = self.tables.sides[me.index() & 3].contest.as_ref();
        let n_kinds = units.map_or(0, |units| units.kinds.len());
        let others =
            idle.filter(|kind| kind.index() < n_kinds).fold(W::ZERO, |all, kind| all | self.kind(me, kind));
        self.attacks_on(me, square, occupied, self.state.side(me) & !others)
    }

    /// The slow way: plays every turn.
    fn can_take_by_listing(&self, victim: Side, turns: &mut Turns<W>) -> bool {
        let mut list = Vec::new();
        turns.look_generic(self);
        turns.list_all_rolls_generic(self, &mut list);
        let mut played = self.clone();
        list.into_iter().any(|turn| {
            let mark = played.play_generic(turn);
            let taken =
                played.turn_state.n_taken[victim.index() & 3] > self.turn_state.n_taken[victim.index() & 3];
            played.take_back(mark);
            taken
        })
    }
}

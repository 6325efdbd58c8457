//! What a move brings about besides its own effect: counted checks, lost rights to a first move, counts of moves.

use ashta_rules::{Count, CountFrom, CountWaits, Counting, KindId, Setup, Side, Square, Target};

use super::{Twin, TwinMove};

impl Twin<'_> {
    /// A check takes one of those that its side must still give: the highest bit of them.
    pub(super) fn count_check(&mut self) {
        let left = self.now.rights & self.rules.check_rights(self.previous());
        if left != 0 && self.is_in_check() {
            self.now.rights &= !(1 << (31 - left.leading_zeros()));
        }
    }

    /// A piece that ends its move where it would attack an unmoved one on an empty board may end that one's right.
    pub(super) fn lose_aimed_rights(&mut self, mv: &TwinMove) {
        let to = match *mv {
            TwinMove::Walk { to, .. } | TwinMove::TwoLegs { to, .. } | TwinMove::Drop { to, .. } => to,
            TwinMove::Castle(n) => self.rules.castlings()[n].royal.1,
            TwinMove::Pass => return,
        };
        let Some((mover, kind)) = self.at(to) else { return };
        for (n, home) in self.rules.first_move_squares().iter().enumerate() {
            let Some((owner, unmoved)) = self.rules.start().board[home.0 as usize] else { continue };
            let is_lost_to = self.rules.kind(unmoved).first_move_lost_to.contains(&kind);
            if is_lost_to && owner != mover && self.aims_on_empty_board(to, mover, kind, *home) {
                self.now.rights &= !(1 << (self.rules.castlings().len() + n));
            }
        }
    }

    fn aims_on_empty_board(&self, from: Square, side: Side, kind: KindId, target: Square) -> bool {
        let mut alone = self.clone();
        alone.now.board.fill(None);
        alone.now.board[from.0 as usize] = Some((side, kind));
        let parts = alone.usable_parts(from, side, kind);
        let mut capturing = parts.filter(|part| part.movement.target != Target::Empty);
        capturing.any(|part| alone.landings(part, side, from).contains(&target))
    }

    /// The count after a move, as Fairy-Stockfish keeps it.
    pub(super) fn keep_count(&mut self, mv: &TwinMove, before: &Setup) {
        let Some(counting) = self.rules.ends().counting.clone() else { return };
        self.now.counting = before.counting.map(|count| Count { plies: count.plies + 1, ..count });
        let (next, mover) = (self.turn(), self.previous());
        let men = self.pieces().count() as u32;
        let count_before = before.board.iter().flatten().count() as u32;
        let captured = men < count_before;
        let of_without = |setup: &Setup| {
            setup.board.iter().flatten().filter(|(_, kind)| counting.without.contains(kind)).count()
        };
        let promotes = matches!(mv, TwinMove::Walk { promotes: Some(_), .. });
        let took_one = captured && !promotes && of_without(&self.now) < of_without(before);
        if took_one && counting.bare.from == CountFrom::Men && self.n_men(mover) == 1 {
            self.begin(self.count_for(&counting, mover), 2 * men - 1);
        }
        let is_alone = self.n_men(next) == 1;
        if self.now.counting.is_none() || is_alone && (captured || promotes) {
            let from = if is_alone && counting.bare.from == CountFrom::Men { 2 * men } else { 0 };
            self.begin(self.count_for(&counting, next), from);
        }
        if self.now.counting.is_some() {
            self.now.quiet = 0;
        }
    }

    fn begin(&mut self, moves: Option<u8>, plies: u32) {
        if let Some(moves) = moves {
            self.now.counting = Some(Count { limit: 2 * u16::from(moves), plies });
        }
    }

    fn n_men(&self, side: Side) -> usize {
        self.pieces().filter(|(_, owner, _)| *owner == side).count()
    }

    fn count_for(&self, counting: &Counting, side: Side) -> Option<u8> {
        let is_full = self.pieces().any(|(.., kind)| counting.without.contains(&kind));
        let other = Side(1 - side.0);
        match (self.n_men(side), self.n_men(other)) {
            (_, 1) => None,
            (1, _) if is_full => None,
            (1, _) => {
                let has = |has: &[KindId]| {
                    has.iter()
                        .all(|kind| self.count(other, *kind) >= has.iter().filter(|k| *k == kind).count())
                };
                let limit = counting.bare.limits.iter().find(|limit| has(&limit.has));
                limit.map(|limit| limit.moves).or(counting.bare.otherwise)
            }
            (men, _) => {
                let others = counting.others.as_ref()?;
                let may = others.waits == CountWaits::DoesNotWait || !is_full;
                (may && men as u32 <= others.pieces).then_some(others.moves)
            }
        }
    }
}

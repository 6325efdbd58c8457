//! Promotions when a turn has ended: of pieces that arrived, and of those that waited.

use ashta_rules::{Choice, CountOfWaiting, KindId, Side, Square, Waiting};

use super::Contest;
use crate::tables::Promoting;
use crate::word::Word;

impl<W: Word> Contest<W> {
    /// Promotes every piece that must; `since` is where the turn began in the log.
    #[inline]
    pub(super) fn promote(&mut self, since: usize) {
        let tables = self.contest_tables();
        let waits = |promoting: &Promoting<W>| {
            tables.sides().fold(W::ZERO, |all, side| all | self.in_zone(promoting, side)).any()
        };
        if tables.promoting.iter().any(waits) {
            self.promote_waiting(since);
        }
    }

    fn promote_waiting(&mut self, since: usize) {
        let tables = self.tables.clone();
        let Some(contest) = &tables.contest else { return };
        for promoting in contest.promoting.iter().filter(|p| p.choice == Choice::Must) {
            self.promote_kind(promoting, since);
        }
    }

    #[inline(always)]
    fn in_zone(&self, promoting: &Promoting<W>, side: Side) -> W {
        let of_kind = self.kind(side, promoting.kind);
        of_kind & promoting.zones[side.index() & 3]
    }

    /// Whether a piece of a side may be waiting to promote.
    #[inline]
    pub(super) fn waits_to_promote(&self, side: Side) -> bool {
        self.contest_tables().promoting.iter().any(|promoting| self.in_zone(promoting, side).any())
    }

    /// A side's pieces of a kind.
    #[inline(always)]
    pub(super) fn kind(&self, side: Side, kind: KindId) -> W {
        let units = self.tables.sides[side.index() & 3].contest.as_ref();
        let group = units.map(|units| units.kinds[kind.index()].pieces(&self.state));
        group.unwrap_or(W::ZERO) & self.state.side(side)
    }

    /// Until nobody may promote any more: one promotion can make another possible.
    fn promote_kind(&mut self, promoting: &Promoting<W>, since: usize) {
        let sides = self.contest_tables().sides();
        let arrived =
            |contest: &Contest<W>, square: Square| contest.log[since..].iter().any(|(s, _)| *s == square);
        loop {
            let ready = sides.clone().flat_map(|side| self.in_zone(promoting, side).squares());
            let ready = ready.into_iter().find(|square| {
                let in_time = promoting.waiting == Waiting::Promotes || arrived(self, *square);
                in_time && self.target(promoting, *square).is_some()
            });
            let Some((square, kind)) = ready.and_then(|s| Some((s, self.target(promoting, s)?))) else {
                return;
            };
            self.set(square, Some(self.state.piece_on(square).promoted(kind)));
        }
    }

    /// What a piece that stands on a square may become now.
    fn target(&self, promoting: &Promoting<W>, square: Square) -> Option<KindId> {
        let side = self.state.piece_on(square).side();
        self.target_of(promoting, side, square, self.in_zone(promoting, side) & !W::bit(square))
    }

    /// The same for a piece that is about to arrive: `waiting` are the others that wait.
    fn target_of(&self, promoting: &Promoting<W>, side: Side, square: Square, waiting: W) -> Option<KindId> {
        let kind = (*promoting.targets[side.index() & 3].at(square))?;
        // A second royal piece is for a side that has a first: the beaten do not come back by promotion.
        let revives = self.contest_tables().royal_kinds >> kind.0 & 1 == 1 && self.royals(side).is_empty();
        if revives {
            return None;
        }
        let ignored = match promoting.waiting_count {
            CountOfWaiting::Counted => 0,
            CountOfWaiting::Ignored => waiting.count(),
        };
        let count = |of: KindId| {
            let all = self.kind(side, of).count();
            if of == promoting.kind { all - ignored } else { all }
        };
        let conditions = promoting.most.iter().filter(|(target, _)| *target == kind);
        let allowed = conditions.flat_map(|(_, most)| most).all(|(of, most)| count(*of) <= u32::from(*most));
        allowed.then_some(kind)
    }

    /// What a piece may choose to become by moving to a square, where that is its choice.
    pub(super) fn chosen_target(&self, from: Square, to: Square) -> Option<KindId> {
        let piece = self.state.piece(from)?;
        let (side, kind) = (piece.side(), piece.kind());
        let contest = self.contest_tables();
        let promoting = contest.promoting.iter().find(|p| p.kind == kind && p.choice != Choice::Must)?;
        if !promoting.zones[side.index() & 3].has(to) {
            return None;
        }
        self.target_of(promoting, side, to, self.in_zone(promoting, side) & !W::bit(from))
    }
}

//! Candidates: every move that the rules allow, but for leaving one's own royal piece under attack.

use ashta_rules::{
    Castling, CastlingStarts, Choice, Delta, DropFace, DropMate, DropRule, Hand, InCheck, KindId, Part, Pass,
    Path, PromotesOn, Promotion, RoyalLoss, Square, StuckDrop, Supply, Target, Targets, is_straight,
};

use super::{Twin, TwinMove};

impl Twin<'_> {
    pub(super) fn candidates(&self) -> Vec<TwinMove> {
        let hand = &self.now.hands[self.turn().index()];
        if self.rules.hand() == Hand::SetUp && hand.iter().any(|count| *count > 0) {
            return self.drops();
        }
        let mut moves = self.walks();
        moves.extend(self.promotions_in_place());
        moves.extend(self.castlings());
        if self.rules.hand() == Hand::Captures {
            moves.extend(self.drops());
        }
        moves.extend(self.two_leg_moves());
        moves.retain(|mv| !self.is_banned(mv));
        if self.rules.pass() == Pass::Allowed || self.out_and_back().next().is_some() {
            moves.push(TwinMove::Pass);
        }
        moves
    }

    fn walks(&self) -> Vec<TwinMove> {
        let mut moves = Vec::new();
        for (from, side, kind) in self.pieces().filter(|(_, side, _)| *side == self.turn()) {
            for part in self.usable_parts(from, side, kind).filter(|part| self.is_timely(part)) {
                for to in self.landings(part, side, from) {
                    let Some(captures) = self.arrival(part, to) else { continue };
                    let steps_over = self.stepped_over(part, from, to);
                    for promotes in self.forms(kind, from, to) {
                        add(&mut moves, TwinMove::Walk { from, to, captures, promotes, steps_over });
                    }
                }
            }
        }
        moves
    }

    /// Whether a movement may be made now, in check or not.
    fn is_timely(&self, part: &Part) -> bool {
        part.in_check == InCheck::Allowed || !self.is_in_check()
    }

    /// `None` if the movement cannot end there; else the square of the piece it captures, if it captures.
    fn arrival(&self, part: &Part, to: Square) -> Option<Option<Square>> {
        match self.at(to) {
            Some((owner, kind)) => {
                let captures = part.movement.target != Target::Empty
                    && self.are_enemies(owner, self.turn())
                    && !part.not_onto.contains(&kind);
                captures.then_some(Some(to))
            }
            None if part.movement.en_passant && self.now.en_passant == Some(to) => {
                self.victim_in_passing(part, to).map(Some)
            }
            None => (part.movement.target != Target::Capture).then_some(None),
        }
    }

    /// The piece that has just stepped over a square: the first one beyond it, as its own side looks.
    fn victim_in_passing(&self, part: &Part, square: Square) -> Option<Square> {
        let stepper = self.previous();
        let forward = self.turned(Delta::new(0, 1), stepper);
        let mut at = self.rules.grid().step(square, forward)?;
        while self.at(at).is_none() {
            at = self.rules.grid().step(at, forward)?;
        }
        self.at(at).filter(|(owner, kind)| *owner == stepper && !part.not_onto.contains(kind)).map(|_| at)
    }

    /// Whether a piece of the side to move reaches an empty square by a movement that captures in passing.
    pub(super) fn can_capture_in_passing(&self, square: Square) -> bool {
        self.at(square).is_none()
            && self.pieces().filter(|(_, side, _)| *side == self.turn()).any(|(from, side, kind)| {
                self.usable_parts(from, side, kind).any(|part| {
                    part.movement.en_passant
                        && self.victim_in_passing(part, square).is_some()
                        && self.landings(part, side, from).contains(&square)
                })
            })
    }

    /// The square that a forward double step crosses; longer steps are not captured in passing.
    fn stepped_over(&self, part: &Part, from: Square, to: Square) -> Option<Square> {
        let crosses = match part.movement.path {
            Path::Lame | Path::Ride { .. } => part.movement.first_move_only,
            Path::Leap | Path::Hop { .. } | Path::Bent { .. } => false,
            Path::TwoLegs { .. } | Path::OutAndBack => false,
        };
        let by = self.delta(from, to);
        let forward = self.turned(Delta::new(0, 1), self.turn());
        let is_forward =
            is_straight(by) && (by.file.signum(), by.rank.signum()) == (forward.file, forward.rank);
        let way = self.between(from, to).filter(|way| crosses && is_forward && way.len() == 1)?;
        way.first().copied()
    }

    /// What a piece may be after its move; `None` is as it was. Empty if it may not make the move at all.
    fn forms(&self, kind: KindId, from: Square, to: Square) -> Vec<Option<KindId>> {
        let Some(promotion) = &self.rules.kind(kind).promotion else { return vec![None] };
        let zone = &promotion.zone[self.turn().index()];
        let (grid, quarters) = (self.rules.grid(), self.rules.sides()[self.turn().index()].quarters);
        let promotes = |on: &PromotesOn| match on {
            PromotesOn::End => zone.has(to),
            PromotesOn::StartOrEnd => zone.has(from) || zone.has(to),
            PromotesOn::Enter => !zone.has(from) && zone.has(to),
            PromotesOn::Capture => (zone.has(from) || zone.has(to)) && self.at(to).is_some(),
            PromotesOn::LastRank => grid.rank(grid.turned(to, 4 - quarters)) == grid.ranks() - 1,
            PromotesOn::Stay => false,
        };
        if !promotion.on.iter().any(promotes) {
            return vec![None];
        }
        let may_stay = match promotion.choice {
            Choice::Must => false,
            Choice::May => true,
            Choice::MayUnlessStuck => !self.is_stuck(self.turn(), kind, to),
        };
        let promoted = self.available_targets(promotion, to).into_iter().map(Some);
        may_stay.then_some(None).into_iter().chain(promoted).collect()
    }

    fn promotions_in_place(&self) -> Vec<TwinMove> {
        let mut moves = Vec::new();
        for (square, side, kind) in self.pieces().filter(|(_, side, _)| *side == self.turn()) {
            let promotion = self.rules.kind(kind).promotion.as_ref();
            let Some(promotion) = promotion.filter(|promotion| promotion.on == [PromotesOn::Stay]) else {
                continue;
            };
            if !promotion.zone[side.index()].has(square) {
                continue;
            }
            for target in self.available_targets(promotion, square) {
                let promotes = Some(target);
                let (captures, steps_over) = (None, None);
                moves.push(TwinMove::Walk { from: square, to: square, captures, promotes, steps_over });
            }
        }
        moves
    }

    fn available_targets(&self, promotion: &Promotion, to: Square) -> Vec<KindId> {
        let side = self.turn();
        let named: Vec<KindId> = match &promotion.to {
            Targets::Kinds(kinds) => kinds.clone(),
            Targets::ByFile(kinds) => kinds[self.file_for_promotion(to)].into_iter().collect(),
        };
        let at_start = |kind: KindId| {
            self.rules.start().board.iter().filter(|piece| **piece == Some((side, kind))).count()
        };
        let is_available = |kind: &KindId| match promotion.supply {
            Supply::Unlimited => true,
            Supply::Lost => self.count(side, *kind) < at_start(*kind),
            Supply::AtMost(limit) => self.count(side, *kind) < limit as usize,
        };
        named.into_iter().filter(is_available).collect()
    }

    /// The file as the side sees the board.
    fn file_for_promotion(&self, square: Square) -> usize {
        let grid = self.rules.grid();
        let quarters = self.rules.sides()[self.turn().index()].quarters;
        grid.file(grid.turned(square, 4 - quarters)) as usize
    }

    fn castlings(&self) -> Vec<TwinMove> {
        let castlings = self.rules.castlings().iter().enumerate();
        castlings
            .filter(|(_, c)| self.has_right(usize::from(c.right)) && self.can_castle(c))
            .map(|(n, _)| TwinMove::Castle(n))
            .collect()
    }

    /// The royal piece's landing square is looked at like that of any other move.
    fn can_castle(&self, castling: &Castling) -> bool {
        let (royal, partner) = (castling.royal, castling.partner);
        let start = &self.rules.start().board;
        let stands = |home: Square| match self.rules.castling_starts() {
            CastlingStarts::Fixed => self.at(home).is_some() && self.at(home) == start[home.0 as usize],
            CastlingStarts::AnyFile { partner: kind } => self.at(home).is_some_and(|(side, k)| {
                let suits = if home == partner.0 { k == kind } else { self.rules.kind(k).royal };
                side == castling.side && suits
            }),
        };
        let is_free = |square: Square| square == royal.0 || square == partner.0 || self.at(square).is_none();
        let between = self.crossed_by((royal.0, partner.0));
        let ways =
            [self.crossed_by(royal), vec![royal.1], self.crossed_by(partner), vec![partner.1]].concat();
        castling.side == self.turn()
            && stands(royal.0)
            && stands(partner.0)
            && ways.into_iter().chain(between).all(is_free)
            && (self.rules.ends().royal_loss == RoyalLoss::Capture
                || self.at(royal.0).is_some_and(|(_, kind)| !self.rules.kind(kind).royal)
                || self.is_castling_safe(royal))
    }

    fn is_castling_safe(&self, royal: (Square, Square)) -> bool {
        let crossed = self.crossed_by(royal);
        !self.is_in_check() && !crossed.into_iter().any(|square| self.is_attacked_on_the_way(royal.0, square))
    }

    fn crossed_by(&self, way: (Square, Square)) -> Vec<Square> {
        if is_straight(self.delta(way.0, way.1)) {
            self.between(way.0, way.1).unwrap_or_default()
        } else {
            Vec::new()
        }
    }

    /// Whether the royal piece would be in check on a square that it passes, its partner still at home.
    fn is_attacked_on_the_way(&self, home: Square, square: Square) -> bool {
        let mut there = self.clone();
        let royal = there.now.board[home.0 as usize].take();
        there.now.board[square.0 as usize] = royal;
        there.is_in_check()
    }

    fn drops(&self) -> Vec<TwinMove> {
        let mut moves = Vec::new();
        for kind in self.rules.kind_ids() {
            let held = self.now.hands[self.turn().index()][kind.index()];
            let Some(rule) = self.rules.kind(kind).drop.as_ref().filter(|_| held > 0) else { continue };
            for face in self.rules.kind_ids().filter(|face| self.may_show(rule, kind, *face)) {
                let squares = self.rules.grid().squares().filter(|to| self.may_drop(rule, face, *to));
                moves.extend(squares.map(|to| TwinMove::Drop { kind: face, to }));
            }
        }
        moves
    }

    /// Whether a kind in hand may land as another.
    fn may_show(&self, rule: &DropRule, kind: KindId, face: KindId) -> bool {
        let is_other_side = rule.face == DropFace::Either && self.rules.kind(face).demoted == kind;
        face == kind || is_other_side
    }

    fn may_drop(&self, rule: &DropRule, kind: KindId, to: Square) -> bool {
        let side = self.turn();
        let file = |square: Square| self.rules.grid().file(square);
        let on_file =
            self.pieces().filter(|(at, s, k)| (*s, *k) == (side, kind) && file(*at) == file(to)).count();
        let mates = || {
            let after = self.after(&TwinMove::Drop { kind, to });
            after.is_in_check() && after.legal_moves().is_empty()
        };
        self.at(to).is_none()
            && rule.region[side.index()].has(to)
            && rule.per_file.is_none_or(|limit| on_file < limit as usize)
            && (rule.stuck == StuckDrop::Allowed || !self.is_stuck(side, kind, to))
            && (rule.mate == DropMate::Allowed || !mates())
    }
}

/// Two movements of a piece can lead to one place: that is one move, which does whatever either does.
fn add(moves: &mut Vec<TwinMove>, new: TwinMove) {
    let TwinMove::Walk { from, to, captures, promotes, steps_over } = new else { return moves.push(new) };
    let twin = moves.iter_mut().find_map(|mv| match mv {
        TwinMove::Walk { from: f, to: t, promotes: p, captures, steps_over }
            if (*f, *t, *p) == (from, to, promotes) =>
        {
            Some((captures, steps_over))
        }
        _ => None,
    });
    match twin {
        Some((captured, stepped)) => {
            *captured = captured.or(captures);
            *stepped = stepped.or(steps_over);
        }
        None => moves.push(new),
    }
}

//! Captures that the rules ban.

use ashta_rules::{Ban, BanExcept, BanLegs, KindId, Protects, Side, Square, Target};

use super::{Twin, TwinMove};

/// A capture: where the mover stood, what it takes, what the same move took before, whether it ends there.
type Capture = (Square, Square, Option<Square>, bool);

impl Twin<'_> {
    fn captures(&self, mv: &TwinMove) -> Vec<Capture> {
        match *mv {
            TwinMove::Walk { from, captures: Some(victim), .. } => vec![(from, victim, None, true)],
            TwinMove::TwoLegs { from, middle, to } => {
                let mut captures = vec![(from, middle, None, false)];
                if from != to && self.at(to).is_some() {
                    captures.push((from, to, Some(middle), true));
                }
                captures
            }
            TwinMove::Walk { .. } | TwinMove::Castle(_) | TwinMove::Drop { .. } | TwinMove::Pass => {
                Vec::new()
            }
        }
    }

    fn kind_at(&self, square: Square) -> KindId {
        self.at(square).expect("a capture has a captor and a victim").1
    }

    pub(super) fn is_banned(&self, mv: &TwinMove) -> bool {
        let captures = self.captures(mv);
        self.rules.bans().iter().any(|ban| captures.iter().any(|capture| self.forbids(ban, *capture)))
    }

    fn forbids(&self, ban: &Ban, (from, victim, on_way, is_last): Capture) -> bool {
        if !ban.by.contains(&self.kind_at(from)) || !ban.of.contains(&self.kind_at(victim)) {
            return false;
        }
        if ban.after.is_some() && self.now.remembered_capture.is_none() {
            return false;
        }
        if ban.except == BanExcept::SameSquare && self.now.remembered_capture == Some(victim) {
            return false;
        }
        if ban.legs == BanLegs::Last && !is_last {
            return false;
        }
        let by = self.nearest_delta(from, victim);
        if by.file.unsigned_abs().max(by.rank.unsigned_abs()) <= ban.farther_than {
            return false;
        }
        if on_way.is_some_and(|square| ban.unless_also_takes.contains(&self.kind_at(square))) {
            return false;
        }
        ban.protects == Protects::Always || self.is_guarded(ban, from, victim, on_way)
    }

    fn is_guarded(&self, ban: &Ban, from: Square, victim: Square, on_way: Option<Square>) -> bool {
        let (side, _) = self.at(victim).expect("a victim");
        let mut board = self.clone();
        board.now.board[from.0 as usize] = None;
        let taken = on_way.map(|square| (square, self.kind_at(square)));
        if let Some((square, kind)) = taken {
            board.now.board[square.0 as usize] = None;
            if ban.guards_though_taken.contains(&kind) && board.reaches(square, side, kind, victim) {
                return true;
            }
        }
        board.pieces().any(|(at, owner, kind)| owner == side && board.reaches(at, owner, kind, victim))
    }

    /// Whether a piece of a side could capture on a square, whoever stands there.
    fn reaches(&self, from: Square, side: Side, kind: KindId, square: Square) -> bool {
        self.usable_parts(from, side, kind).any(|part| {
            let spares_royals = part.not_onto.iter().any(|kind| self.rules.kind(*kind).royal);
            part.movement.target != Target::Empty
                && !spares_royals
                && self.landings(part, side, from).contains(&square)
        })
    }

    /// The square of a capture that the rules remember after a move; of two, the second.
    pub(super) fn remembered_after(&self, mv: &TwinMove) -> Option<Square> {
        let remembered = self.rules.remembered_capture()?;
        let is_such = |capture: &Capture| {
            remembered.by.contains(&self.kind_at(capture.0))
                && remembered.of.contains(&self.kind_at(capture.1))
        };
        self.captures(mv).into_iter().rev().find(is_such).map(|capture| capture.1)
    }
}

//! Which squares are attacked, and what stands between a royal piece and its attackers.
//!
//! In: a state, possibly with some squares seen as empty or some pieces as gone. Out: attackers, checks, pins, the map
//! of dangerous squares. Never: moves.

use ashta_rules::{KindId, Square};

use crate::state::State;
use crate::tables::{PathAttack, RuleTables, SideTables, features};
use crate::word::Word;

/// A view of the board for questions about attacks.
#[derive(Clone, Copy)]
pub struct AttackView<'a, W> {
    pub tables: &'a RuleTables<W>,
    pub state: &'a State<W>,
    /// Squares that block.
    pub occupied: W,
    /// Pieces that may attack.
    pub attackers: W,
}

/// Checks and pins of one royal piece.
pub struct Threats<W> {
    /// Pieces that give check along an empty path or without one.
    pub checkers: W,
    /// Where a piece must go to stop every check: onto the checker or between. Bent paths may meet before the royal piece.
    pub evasions: W,
    /// Pinned pieces: they may not leave their line.
    pub pinned: W,
    /// What the leapers near the royal piece attack or guard, where that was found on the way.
    pub leaps_near: Option<W>,
}

/// How leapers near the royal piece are looked at: first for checks and later for squares that they guard, which is
/// quicker where royal pieces seldom can move; or for both in one loop, whose end is mispredicted only once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LeaperScan {
    ChecksFirst,
    Together,
}

impl<W: Word> AttackView<'_, W> {
    /// Squares of pieces that still have their first-move right.
    fn unmoved(&self) -> W {
        unmoved(self.tables, self.state)
    }

    /// Whether a side's attackers attack a square.
    #[inline(always)]
    pub fn is_attacked<const F: u8>(&self, by: &SideTables<W>, square: Square) -> bool {
        self.is_attacked_plainly::<F>(by, square)
            || F == features::EVERYTHING && self.is_hopped_onto(by, square, None)
    }

    /// The same without hoppers.
    #[inline(always)]
    pub fn is_attacked_plainly<const F: u8>(&self, by: &SideTables<W>, square: Square) -> bool {
        for leap_attacks in &by.leap_attacks {
            let mut attackers =
                *leap_attacks.from.at(square) & leap_attacks.group.pieces(self.state) & self.attackers;
            if F == features::EVERYTHING && leap_attacks.first_move {
                attackers &= self.unmoved();
            }
            if attackers.any() {
                return true;
            }
        }
        for path_attacks in &by.path_attacks {
            let between = &self.tables.between[path_attacks.between];
            let candidates = self.candidates::<F>(path_attacks, square);
            for from in candidates.squares() {
                if (between.at(square, from) & self.occupied).is_empty() {
                    return true;
                }
            }
        }
        false
    }

    /// Every piece of a side's attackers that attacks a square.
    #[inline(always)]
    pub fn attackers_of<const F: u8>(&self, by: &SideTables<W>, square: Square) -> W {
        let mut found = self.direct_attackers::<F>(by, square);
        for path_attacks in &by.path_attacks {
            let between = &self.tables.between[path_attacks.between];
            for from in self.candidates::<F>(path_attacks, square).squares() {
                if (between.at(square, from) & self.occupied).is_empty() {
                    found |= W::bit(from);
                }
            }
        }
        if F == features::EVERYTHING {
            for hopper in &by.hoppers {
                for from in self.candidates::<F>(hopper, square).squares() {
                    if self.hops(hopper, square, from, None) {
                        found |= W::bit(from);
                    }
                }
            }
        }
        found
    }

    /// Pieces that attack a square if their way there is as it must be.
    #[inline(always)]
    pub fn candidates<const F: u8>(&self, path_attacks: &PathAttack<W>, square: Square) -> W {
        let candidates =
            *path_attacks.from.at(square) & path_attacks.group.pieces(self.state) & self.attackers;
        match F == features::EVERYTHING && path_attacks.first_move {
            true => candidates & self.unmoved(),
            false => candidates,
        }
    }

    /// Whether a hopper attacks a square. `moved` is a kind and its square, where the board does not show it yet.
    pub fn is_hopped_onto(
        &self,
        by: &SideTables<W>,
        square: Square,
        moved: Option<(KindId, Square)>,
    ) -> bool {
        by.hoppers.iter().any(|hopper| {
            let candidates = self.candidates::<{ features::EVERYTHING }>(hopper, square);
            candidates.squares().any(|from| self.hops(hopper, square, from, moved))
        })
    }

    pub fn hops(
        &self,
        hopper: &PathAttack<W>,
        to: Square,
        from: Square,
        moved: Option<(KindId, Square)>,
    ) -> bool {
        let hurdles = self.tables.between[hopper.between].at(to, from) & self.occupied;
        if hurdles.is_empty() || !hurdles.is_single() {
            return false;
        }
        let hurdle = hurdles.lowest();
        let kind = match moved {
            Some((kind, square)) if square == hurdle => kind,
            _ => self.state.piece_on(hurdle).kind(),
        };
        hopper.not_over >> kind.0 & 1 == 0
    }

    /// Checks and pins of the royal piece on `royal`; `own` are the pieces of its side.
    #[inline(always)]
    pub fn threats<const F: u8>(
        &self,
        by: &SideTables<W>,
        royal: Square,
        own: W,
        scan: LeaperScan,
    ) -> Threats<W> {
        let (checkers, leaps_near) = match (F, scan) {
            (features::EVERYTHING, _) if !by.royal_danger.has_all_leaps => {
                (self.direct_attackers::<F>(by, royal), None)
            }
            (features::EVERYTHING, _) | (_, LeaperScan::ChecksFirst) => {
                (self.checking_leapers(by, royal), None)
            }
            (_, LeaperScan::Together) => {
                let (checkers, attacked) = self.leapers_near(by, royal);
                (checkers, Some(attacked))
            }
        };
        let mut threats = Threats { checkers, evasions: W::ALL, pinned: W::ZERO, leaps_near };
        // Nothing stands between: only capturing answers, and never two at once.
        if threats.checkers.any() {
            threats.evasions = if threats.checkers.is_single() { threats.checkers } else { W::ZERO };
        }
        if F == features::EVERYTHING && !self.may_aim_along_paths(by, royal) {
            return threats;
        }
        for path_attacks in &by.path_attacks {
            for from in self.candidates::<F>(path_attacks, royal).squares() {
                let way = self.tables.between[path_attacks.between].at(royal, from);
                let blockers = way & self.occupied;
                if blockers.is_empty() {
                    threats.checkers |= W::bit(from);
                    threats.evasions &= way | W::bit(from);
                } else if blockers.is_single() {
                    threats.pinned |= blockers & own;
                }
            }
        }
        threats
    }

    /// Whether somebody stands where a path to the royal piece begins. Lame leapers have many paths, and mostly nobody does.
    #[inline(always)]
    fn may_aim_along_paths(&self, by: &SideTables<W>, royal: Square) -> bool {
        let Some((movers, from)) = &by.royal_danger.path_starts else { return true };
        (movers.pieces(self.state) & self.attackers & *from.at(royal)).any()
    }

    /// Leapers that give check. Nearly always none stands where one could.
    #[inline(always)]
    fn checking_leapers(&self, by: &SideTables<W>, royal: Square) -> W {
        let danger = &by.royal_danger;
        let close = danger.leapers.pieces(self.state) & self.attackers & *danger.checks.at(royal);
        let mut checkers = W::ZERO;
        for from in close.squares() {
            if danger.leaps_of(self.state.kind_on(from), from).has(royal) {
                checkers |= W::bit(from);
            }
        }
        checkers
    }

    /// Leapers that give check, and what all leapers near a royal piece attack or guard, in one loop.
    #[inline(always)]
    fn leapers_near(&self, by: &SideTables<W>, royal: Square) -> (W, W) {
        let danger = &by.royal_danger;
        let near = danger.leapers.pieces(self.state) & self.attackers & *danger.near.at(royal);
        let (mut checkers, mut attacked) = (W::ZERO, W::ZERO);
        for from in near.squares() {
            let targets = danger.leaps_of(self.state.kind_on(from), from);
            attacked |= targets;
            checkers |= if targets.has(royal) { W::bit(from) } else { W::ZERO };
        }
        (checkers, attacked)
    }

    /// What the leapers near a royal piece attack or guard.
    #[inline(always)]
    fn attacks_near(&self, by: &SideTables<W>, royal: Square) -> W {
        let danger = &by.royal_danger;
        let near = danger.leapers.pieces(self.state) & self.attackers & *danger.near.at(royal);
        let attacks_from = |from: Square| danger.leaps_of(self.state.kind_on(from), from);
        near.squares().fold(W::ZERO, |all, from| all | attacks_from(from))
    }

    /// Pieces that attack a square without a path.
    #[inline(always)]
    pub fn direct_attackers<const F: u8>(&self, by: &SideTables<W>, square: Square) -> W {
        let mut found = W::ZERO;
        for leap_attacks in &by.leap_attacks {
            let attackers =
                *leap_attacks.from.at(square) & leap_attacks.group.pieces(self.state) & self.attackers;
            found |= match F == features::EVERYTHING && leap_attacks.first_move {
                true => attackers & self.unmoved(),
                false => attackers,
            };
        }
        found
    }

    /// Where a pinned piece may go: along every line on which it alone shields the royal piece.
    pub fn pinned_line<const F: u8>(&self, by: &SideTables<W>, royal: Square, man: Square) -> W {
        let mut allowed = W::ALL;
        for path_attacks in &by.path_attacks {
            let between = &self.tables.between[path_attacks.between];
            let candidates = self.candidates::<F>(path_attacks, royal);
            for from in candidates.squares() {
                let way = between.at(royal, from);
                if way & self.occupied == W::bit(man) {
                    allowed &= way | W::bit(from);
                }
            }
        }
        allowed
    }

    /// What a side attacks, as far as the royal piece may go (by castling too); beyond, some attacks are missing.
    #[inline(always)]
    pub fn attacked_near<const F: u8, const PEXT: bool>(
        &self,
        by: &SideTables<W>,
        royal: Square,
        leaps_near: Option<W>,
    ) -> W {
        let mut attacked = leaps_near.unwrap_or_else(|| self.attacks_near(by, royal));
        for ride in &by.royal_danger.rides {
            let riders = ride.group.pieces(self.state) & self.attackers & *ride.near.at(royal);
            attacked |= ride.slide.reach_of_all::<PEXT>(riders, self.occupied);
        }
        if F == features::EVERYTHING {
            attacked |= self.attacked_along_paths::<PEXT>(by, royal);
        }
        attacked
    }

    /// What lame leapers and hoppers near a royal piece attack.
    #[inline(always)]
    fn attacked_along_paths<const PEXT: bool>(&self, by: &SideTables<W>, royal: Square) -> W {
        let mut attacked = W::ZERO;
        for path in &by.royal_danger.paths {
            let near = path.group.pieces(self.state) & self.attackers & *path.near.at(royal);
            for from in near.squares() {
                let hurdles = self.occupied & !path.not_over.pieces(self.state);
                attacked |= path.packed.targets::<PEXT>(from, self.occupied, || W::ZERO)
                    & path.packed.targets::<PEXT>(from, hurdles, || W::ZERO);
            }
        }
        attacked
    }

    /// Those of some squares that a side attacks, in any game.
    pub fn attacked_of_any<const F: u8>(&self, by: &SideTables<W>, squares: W) -> W {
        let attacked = squares.squares().filter(|square| self.is_attacked::<F>(by, *square));
        attacked.fold(W::ZERO, |all, square| all | W::bit(square))
    }
}

/// Squares of pieces that still have their first-move right.
pub fn unmoved<W: Word>(tables: &RuleTables<W>, state: &State<W>) -> W {
    let rights = state.rights();
    let kept = tables.first_move_rights.iter().filter(|(right, _)| rights & right != 0);
    kept.fold(W::ZERO, |set, (_, square)| set | *square)
}

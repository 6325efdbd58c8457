//! Which squares are attacked, and what stands between a royal piece and its attackers.
//!
//! In: a state, possibly with some squares seen as empty or some pieces as gone. Out: attackers, checks, pins, the map
//! of dangerous squares. Never: moves.

use crate::state::{State, kind_of};
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
    /// Where a man must go to stop every check: onto the checker or between. Bent paths may meet before the royal piece.
    pub evasions: W,
    /// Men that may not leave their line.
    pub pinned: W,
    /// What leapers near the royal piece attack or guard; in games that need everything this is not looked at.
    pub leaper_attacks: W,
}

impl<W: Word> AttackView<'_, W> {
    /// Squares of pieces that still have their first-move right.
    fn unmoved(&self) -> W {
        unmoved(self.tables, self.state)
    }

    /// Whether a side's attackers attack a square.
    #[inline(always)]
    pub fn is_attacked<const F: u8>(&self, by: &SideTables<W>, square: u8) -> bool {
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
        F == features::EVERYTHING && self.is_hopped_onto(by, square, None)
    }

    /// Every piece of a side's attackers that attacks a square.
    #[inline(always)]
    pub fn attackers_of<const F: u8>(&self, by: &SideTables<W>, square: u8) -> W {
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
    pub fn candidates<const F: u8>(&self, path_attacks: &PathAttack<W>, square: u8) -> W {
        let candidates =
            *path_attacks.from.at(square) & path_attacks.group.pieces(self.state) & self.attackers;
        match F == features::EVERYTHING && path_attacks.first_move {
            true => candidates & self.unmoved(),
            false => candidates,
        }
    }

    /// Whether a hopper attacks a square. `moved` is a kind and its square, where the board does not show it yet.
    pub fn is_hopped_onto(&self, by: &SideTables<W>, square: u8, moved: Option<(u8, u8)>) -> bool {
        by.hoppers.iter().any(|hopper| {
            let candidates = self.candidates::<{ features::EVERYTHING }>(hopper, square);
            candidates.squares().any(|from| self.hops(hopper, square, from, moved))
        })
    }

    fn hops(&self, hopper: &PathAttack<W>, to: u8, from: u8, moved: Option<(u8, u8)>) -> bool {
        let hurdles = self.tables.between[hopper.between].at(to, from) & self.occupied;
        if hurdles.is_empty() || !hurdles.is_single() {
            return false;
        }
        let hurdle = hurdles.lowest();
        let kind = match moved {
            Some((kind, square)) if square == hurdle => kind,
            _ => kind_of(self.state.piece(hurdle)),
        };
        hopper.not_over >> kind & 1 == 0
    }

    /// Checks and pins of the royal piece on `royal`; `own` are the pieces of its side.
    #[inline(always)]
    pub fn threats<const F: u8>(&self, by: &SideTables<W>, royal: u8, own: W) -> Threats<W> {
        let (checkers, leaper_attacks) = match F {
            features::EVERYTHING => (self.direct_attackers::<F>(by, royal), W::ZERO),
            _ => self.leapers_near(by, royal),
        };
        let mut threats = Threats { checkers, evasions: W::ALL, pinned: W::ZERO, leaper_attacks };
        // Nothing stands between: only capturing answers, and never two at once.
        if threats.checkers.any() {
            threats.evasions = if threats.checkers.is_single() { threats.checkers } else { W::ZERO };
        }
        for path_attacks in &by.path_attacks {
            let between = &self.tables.between[path_attacks.between];
            let candidates = self.candidates::<F>(path_attacks, royal);
            for from in candidates.squares() {
                let way = between.at(royal, from);
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

    /// Leapers that give check, and all that those near the royal piece attack.
    #[inline(always)]
    fn leapers_near(&self, by: &SideTables<W>, royal: u8) -> (W, W) {
        let royal_danger = &by.royal_danger;
        let near = royal_danger.leapers.pieces(self.state) & self.attackers & *royal_danger.near.at(royal);
        let (mut checkers, mut leaper_attacks, bit) = (W::ZERO, W::ZERO, W::bit(royal));
        for from in near.squares() {
            let targets = royal_danger.leaps_of(self.state.kind_on(from), from);
            leaper_attacks |= targets;
            if (targets & bit).any() {
                checkers |= W::bit(from);
            }
        }
        (checkers, leaper_attacks)
    }

    /// Pieces that attack a square without a path.
    #[inline(always)]
    fn direct_attackers<const F: u8>(&self, by: &SideTables<W>, square: u8) -> W {
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

    /// Where a pinned man may go: along every line on which it alone shields the royal piece.
    pub fn pinned_line<const F: u8>(&self, by: &SideTables<W>, royal: u8, man: u8) -> W {
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

    /// Those of some squares, all within reach of the royal piece (by castling too), that a side attacks; what its leapers
    /// do is known.
    #[inline(always)]
    pub fn attacked_of<const PEXT: bool>(&self, by: &SideTables<W>, squares: W, leaper_attacks: W) -> W {
        let mut attacked = squares & leaper_attacks;
        let asked = squares & !leaper_attacks;
        for (group, slide) in &by.royal_danger.rides {
            let riders = group.pieces(self.state) & self.attackers;
            attacked |= slide.reach_of_all::<PEXT>(riders, self.occupied, asked);
        }
        attacked
    }

    /// The same, in any game.
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

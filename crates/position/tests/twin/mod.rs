//! The slow twin: moves of any game found square by square, to check the fast generator against.
//!
//! In: rules and a position as written. Out: strictly legal moves and the positions after them.
//! Never: bitboards, tables made beforehand, or anything of the crate under test; two programs that share code share
//! its mistakes.

mod bans;
mod counts;
mod moves;
mod paths;
mod play;
mod two_legs;

use ashta_rules::{
    CaptureDuty, Coordinates, Delta, Facing, GivingCheck, KindId, RoyalInCheck, RoyalLoss, Rules, Setup,
    Side, Square, Target,
};

/// A position: the rules and a [`Setup`] whose en passant square, if any, can really be captured on.
#[derive(Clone)]
pub struct Twin<'r> {
    rules: &'r Rules,
    now: Setup,
}

/// A move, with everything that playing it needs to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TwinMove {
    /// A piece goes from one square to another, or promotes where it stands (`from` = `to`).
    Walk {
        /// Where it stood.
        from: Square,
        /// Where it stands.
        to: Square,
        /// Where the captured piece stood: `to`, or another square when captured in passing.
        captures: Option<Square>,
        /// What it becomes.
        promotes: Option<KindId>,
        /// The square it stepped over, where it may be captured in passing.
        steps_over: Option<Square>,
    },
    /// A piece captures on the middle square and goes on.
    TwoLegs {
        /// Where it stood.
        from: Square,
        /// Where it captures first.
        middle: Square,
        /// Where it stands; it captures there too, if an enemy does.
        to: Square,
    },
    /// The castling with this number in the rules.
    Castle(usize),
    /// A piece comes from the hand.
    Drop {
        /// Which.
        kind: KindId,
        /// Where it lands.
        to: Square,
    },
    /// Nothing moves.
    Pass,
}

fn is_capture(mv: &TwinMove) -> bool {
    match mv {
        TwinMove::Walk { captures, .. } => captures.is_some(),
        TwinMove::TwoLegs { .. } => true,
        TwinMove::Castle(_) | TwinMove::Drop { .. } | TwinMove::Pass => false,
    }
}

impl<'r> Twin<'r> {
    /// A position as written; an en passant square on which nothing can capture is forgotten.
    pub fn new(rules: &'r Rules, setup: &Setup) -> Twin<'r> {
        let mut twin = Twin { rules, now: setup.clone() };
        twin.now.en_passant = setup.en_passant.filter(|square| twin.can_capture_in_passing(*square));
        twin
    }

    /// The position as written.
    pub fn setup(&self) -> Setup {
        self.now.clone()
    }

    /// Every legal move, once.
    pub fn legal_moves(&self) -> Vec<TwinMove> {
        let safe: Vec<TwinMove> = self.candidates().into_iter().filter(|mv| self.is_legal(mv)).collect();
        let must_capture =
            self.rules.capture_duty() == CaptureDuty::Obligatory && safe.iter().any(is_capture);
        safe.into_iter().filter(|mv| !must_capture || is_capture(mv)).collect()
    }

    /// Every move that the rules allow, but for leaving one's own royal piece under attack.
    pub fn pseudo_legal_moves(&self) -> Vec<TwinMove> {
        self.candidates()
    }

    /// Whether the only royal piece of the side to move is attacked.
    pub fn is_in_check(&self) -> bool {
        self.is_only_royal_attacked(self.turn())
    }

    /// How many ways of playing `depth` plies there are.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }

    /// A move in coordinates: `e2e4`, `e7e8q`, `2b3c+`, `P*7f`, `P@e4`, `0000`.
    pub fn text(&self, mv: &TwinMove) -> String {
        let grid = self.rules.grid();
        match mv {
            TwinMove::Walk { from, to, promotes, .. } => {
                let suffix = promotes.map_or(String::new(), |target| self.promotion_text(*from, target));
                format!("{}{}{suffix}", grid.name(*from), grid.name(*to))
            }
            TwinMove::Castle(n) => {
                let castling = &self.rules.castlings()[*n];
                format!("{}{}", grid.name(castling.royal.0), grid.name(castling.target))
            }
            TwinMove::Drop { kind, to } => {
                let mark = match grid.coordinates() {
                    Coordinates::Letters => '@',
                    Coordinates::Numbers => '*',
                };
                format!("{}{mark}{}", self.rules.kind(*kind).letter, grid.name(*to))
            }
            TwinMove::TwoLegs { from, middle, to } => {
                format!("{}{}{}", grid.name(*from), grid.name(*middle), grid.name(*to))
            }
            TwinMove::Pass => self.pass_text(),
        }
    }

    fn promotion_text(&self, from: Square, target: KindId) -> String {
        let letter = &self.rules.kind(target).letter;
        let mover = self.at(from).map_or("", |(_, kind)| &self.rules.kind(kind).letter);
        match (letter.strip_prefix('+'), mover.strip_prefix('+')) {
            (Some(plain), _) if plain == mover => "+".to_string(),
            (_, Some(plain)) if plain == letter => "-".to_string(),
            _ => self.rules.kind(target).move_letter().to_ascii_lowercase(),
        }
    }

    /// Whether a candidate leaves the mover's last royal piece safe, and gives no check where that is forbidden.
    fn is_legal(&self, mv: &TwinMove) -> bool {
        let after = self.after(mv);
        let (me, them) = (self.turn(), after.turn());
        if self.rules.giving_check() == GivingCheck::Forbidden && after.is_only_royal_attacked(them) {
            return false;
        }
        if self.rules.explosion().is_some() {
            let had = |side: Side| !self.royals(side).is_empty();
            let has = |side: Side| !after.royals(side).is_empty();
            if had(me) && !has(me) {
                return false;
            }
            if had(them) && !has(them) {
                return true;
            }
        }
        match self.rules.ends().royal_loss {
            RoyalLoss::Capture => true,
            RoyalLoss::Checkmate if self.must_end_facing() && *mv == TwinMove::Pass => true,
            RoyalLoss::Checkmate => {
                !self.leaves_royal_attacked(mv)
                    && self.keeps_to_checkers(mv)
                    && !(self.must_end_facing() && self.after(mv).do_royals_face())
            }
        }
    }

    fn leaves_royal_attacked(&self, mv: &TwinMove) -> bool {
        self.after(mv).is_only_royal_attacked(self.turn())
    }

    /// Whether a royal piece in check takes what gives it, or does not move, where it must.
    fn keeps_to_checkers(&self, mv: &TwinMove) -> bool {
        if self.rules.royal_in_check() == RoyalInCheck::Moves || !self.is_in_check() {
            return true;
        }
        let (TwinMove::Walk { from, to, .. } | TwinMove::TwoLegs { from, to, .. }) = *mv else { return true };
        let is_royal = self.at(from).is_some_and(|(_, kind)| self.rules.kind(kind).royal);
        let checks = |(at, side, kind): (Square, Side, KindId)| {
            self.are_enemies(side, self.turn())
                && (self.strikes(at, side, kind, from) || self.faces(at, kind, from))
        };
        let checkers: Vec<Square> = self.pieces().filter(|piece| checks(*piece)).map(|(at, ..)| at).collect();
        !is_royal || checkers == [to]
    }

    /// Whether the royal pieces, one of each side, see each other along a file, and the next move must end that.
    fn must_end_facing(&self) -> bool {
        self.rules.facing() == Facing::Draws && self.do_royals_face()
    }

    fn do_royals_face(&self) -> bool {
        let royals = |side: Side| -> Vec<Square> {
            let own = self.pieces().filter(|(_, s, kind)| *s == side && self.rules.kind(*kind).royal);
            own.map(|(at, ..)| at).collect()
        };
        let ([one], [other]) = (&royals(Side(0))[..], &royals(Side(1))[..]) else { return false };
        self.rules.grid().file(*one) == self.rules.grid().file(*other)
            && self
                .between(*one, *other)
                .is_some_and(|between| between.iter().all(|at| self.at(*at).is_none()))
    }

    fn after(&self, mv: &TwinMove) -> Twin<'r> {
        let mut after = self.clone();
        after.play(mv);
        after
    }

    /// A side with no royal piece on the board, or with one to spare, is never in check; nor is any where royal pieces
    /// are lost by capture.
    fn is_only_royal_attacked(&self, side: Side) -> bool {
        match self.royals(side)[..] {
            [royal] if self.touches_royal(royal, side) => false,
            [royal] if self.rules.ends().royal_loss == RoyalLoss::Checkmate => self.is_attacked(royal, side),
            _ => false,
        }
    }

    fn royals(&self, side: Side) -> Vec<Square> {
        let own = self.pieces().filter(|(_, s, kind)| *s == side && self.rules.kind(*kind).royal);
        own.map(|(at, ..)| at).collect()
    }

    /// Whether a royal piece of another side is next to a square, where captures explode.
    fn touches_royal(&self, square: Square, side: Side) -> bool {
        let others =
            self.rules.side_ids().filter(|other| *other != side).flat_map(|other| self.royals(other));
        self.rules.explosion().is_some() && others.into_iter().any(|other| self.are_neighbours(square, other))
    }

    fn are_neighbours(&self, one: Square, other: Square) -> bool {
        let by = self.delta(one, other);
        by.file.unsigned_abs().max(by.rank.unsigned_abs()) == 1
    }

    /// Whether a piece of `side` that stands on `square` could be captured there by another team.
    fn is_attacked(&self, square: Square, side: Side) -> bool {
        self.pieces().any(|(from, attacker, kind)| {
            self.are_enemies(attacker, side)
                && (self.strikes(from, attacker, kind, square) || self.faces(from, kind, square))
        })
    }

    /// Whether the piece on `from` has a movement that captures what stands on `square`.
    fn strikes(&self, from: Square, side: Side, kind: KindId, square: Square) -> bool {
        self.usable_parts(from, side, kind).any(|part| {
            part.movement.target != Target::Empty
                && self.at(square).is_none_or(|(_, victim)| !part.not_onto.contains(&victim))
                && self.landings(part, side, from).contains(&square)
        })
    }

    /// Whether two royal pieces stand on one file with nothing between them, where that counts as an attack.
    fn faces(&self, from: Square, kind: KindId, square: Square) -> bool {
        let is_royal = |kind: KindId| self.rules.kind(kind).royal;
        self.rules.facing() == Facing::Forbidden
            && is_royal(kind)
            && self.at(square).is_some_and(|(_, other)| is_royal(other))
            && self.rules.grid().file(from) == self.rules.grid().file(square)
            && self.between(from, square).is_some_and(|way| way.iter().all(|at| self.at(*at).is_none()))
    }

    fn turn(&self) -> Side {
        Side(self.now.turn)
    }

    /// The side that moved last.
    fn previous(&self) -> Side {
        let n_sides = self.rules.sides().len();
        Side(((self.turn().index() + n_sides - 1) % n_sides) as u8)
    }

    fn are_enemies(&self, a: Side, b: Side) -> bool {
        self.rules.sides()[a.index()].team != self.rules.sides()[b.index()].team
    }

    fn at(&self, square: Square) -> Option<(Side, KindId)> {
        self.now.board[square.0 as usize]
    }

    /// A first side's step as `side` makes it.
    fn turned(&self, step: Delta, side: Side) -> Delta {
        step.turned(self.rules.sides()[side.index()].quarters)
    }

    /// Every piece on the board, of all sides.
    fn pieces(&self) -> impl Iterator<Item = (Square, Side, KindId)> + '_ {
        self.rules
            .grid()
            .squares()
            .filter_map(|square| self.at(square).map(|(side, kind)| (square, side, kind)))
    }

    /// How many pieces of a kind a side has on the board.
    fn count(&self, side: Side, kind: KindId) -> usize {
        self.pieces().filter(|(_, s, k)| (*s, *k) == (side, kind)).count()
    }
}

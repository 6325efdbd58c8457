//! Whether a game is over, and why.
//!
//! In: a line of play. Out: nothing while it goes on, then the winner and the reason. Never: who plays, or an end that
//! players agree on.

use ashta_rules::{
    Attacker, Bare, BareAgainst, BareReply, BareWait, Chaser, Checker, DeadPieces, DecidedByPoints, Impasse,
    JudgedSide, KindId, Material, Repetition, Side, Square, Verdict,
};

use crate::line::Line;
use crate::position::Position;
use crate::reason::{Outcome, Reason};
use crate::state::State;
use crate::word::Word;

impl<W: Word> Line<W> {
    /// How the game ended, if it has; `has_move` says whether there is a legal move, which callers often know.
    #[inline]
    pub fn outcome_knowing(&self, has_move: bool) -> Option<Outcome> {
        let position = self.position();
        if let Some(outcome) = position.end_of_play(has_move) {
            return Some(outcome);
        }
        if position.tables().ends_by_history
            && let Some(outcome) = self.end_by_history()
        {
            return Some(outcome);
        }
        let rules = position.rules();
        if rules.sides().len() != 2 {
            return None;
        }
        let ends = rules.ends();
        if let Some(repetition) = ends.repetition.filter(|repetition| self.is_repeated(*repetition)) {
            return Some(self.repetition_outcome(repetition));
        }
        position.end_of_count().or_else(|| match ends.ply_cap {
            Some(cap) if position.state().ply() >= cap => {
                Some(position.draw_or_points(DecidedByPoints::Plies, Reason::PlyCap))
            }
            _ => None,
        })
    }

    /// What the repetition of the present position means by the rules, however often it has occurred.
    pub fn repetition_outcome(&self, repetition: Repetition) -> Outcome {
        let (loser, reason) = match (repetition.checker, repetition.attacker) {
            (Checker::Ignored, Attacker::Ignored) => (None, Reason::Repetition),
            (Checker::Loses, Attacker::Ignored) => (self.perpetual_checker(), Reason::PerpetualCheck),
            (_, Attacker::Loses) => (self.perpetual_attacker(), Reason::PerpetualAttack),
        };
        let chaser = || match repetition.chaser {
            Chaser::Ignored => None,
            Chaser::Loses { by, of } => self.perpetual_chaser(by, of),
        };
        match loser.map(|side| (side, reason)).or_else(|| Some((chaser()?, Reason::PerpetualAttack))) {
            Some((side, reason)) => Outcome::of(Verdict::Loss, side, reason),
            None if repetition.verdict == Verdict::Draw => {
                self.position().draw_or_points(DecidedByPoints::Repetition, Reason::Repetition)
            }
            None => {
                let judged = match repetition.judged {
                    JudgedSide::ToMove => self.position().turn(),
                    JudgedSide::First => Side::FIRST,
                };
                Outcome::of(repetition.verdict, judged, Reason::Repetition)
            }
        }
    }

    fn is_repeated(&self, repetition: Repetition) -> bool {
        self.occurrences() >= u32::from(repetition.fold)
            && (repetition.plies == 0 || self.plies_since_first() >= repetition.plies)
    }

    /// How the game ended, if it has.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_knowing(self.position().has_legal_move())
    }
}

impl<W: Word> Position<W> {
    /// How the game ended, as far as the position alone shows: everything but repetition and length.
    #[inline]
    pub fn end_knowing(&self, has_move: bool) -> Option<Outcome> {
        self.end_of_play(has_move).or_else(|| self.end_of_count())
    }

    /// Ends that come before repetition: royal pieces lost, nothing to play, too little material.
    #[inline(always)]
    fn end_of_play(&self, has_move: bool) -> Option<Outcome> {
        let (rules, me) = (self.rules(), self.state().turn());
        let ends = rules.ends();
        if rules.sides().len() != 2 {
            return self.last_team();
        }
        if let Some(loser) = self.without_royal() {
            return Some(Outcome::of(Verdict::Loss, loser, Reason::RoyalCaptured));
        }
        if self.tables().ends_specially
            && let Some(outcome) = self.special_end()
        {
            return Some(outcome);
        }
        if !has_move {
            return Some(match self.is_in_check() {
                true => Outcome::of(Verdict::Loss, me, Reason::Checkmate),
                false => Outcome::of(ends.stalemate, me, Reason::Stalemate),
            });
        }
        if let Some(outcome) = ends.bare.as_ref().and_then(|bare| self.bare(bare, me)) {
            return Some(outcome);
        }
        let insufficient = self.is_insufficient(&ends.insufficient);
        insufficient.then(|| Outcome::of(Verdict::Draw, me, Reason::Insufficient))
    }

    /// Ends that come after repetition: too long without progress, impasse.
    #[inline(always)]
    fn end_of_count(&self) -> Option<Outcome> {
        let (ends, me) = (self.rules().ends(), self.state().turn());
        match &ends.quiet {
            Some(quiet) if self.state().quiet() >= quiet.plies && quiet.verdict == Verdict::Draw => {
                return Some(self.draw_or_points(DecidedByPoints::Quiet, Reason::Quiet));
            }
            Some(quiet) if self.state().quiet() >= quiet.plies => {
                return Some(Outcome::of(quiet.verdict, me, Reason::Quiet));
            }
            _ => {}
        }
        if let Some((limit, plies)) = self.state().count()
            && let Some(limit) = self.tables().count_limits.get(usize::from(limit))
            && plies > u32::from(*limit)
        {
            return Some(Outcome::of(Verdict::Draw, me, Reason::Count));
        }
        let winner = ends.impasse.as_ref().and_then(|impasse| self.impasse_winner(impasse));
        winner.map(|side| Outcome::of(Verdict::Win, side, Reason::Impasse))
    }

    /// With more than two sides: the team that alone has royal pieces left.
    fn last_team(&self) -> Option<Outcome> {
        let sides = self.rules().sides();
        let mut alive = (0..sides.len() as u8).map(Side).filter(|side| self.royals(*side).any());
        let first = alive.next()?;
        let one_team = alive.all(|side| sides[side.index()].team == sides[first.index()].team);
        one_team.then_some(Outcome { winner: Some(first), reason: Reason::RoyalCaptured })
    }

    #[inline(always)]
    pub(crate) fn without_royal(&self) -> Option<Side> {
        let state = self.state();
        let lacks = |side: Side| {
            self.royals(side).is_empty()
                && state.held(side) & self.tables().royal_slots == 0
                && self.tables().sides[side.index()].needs_royal
        };
        [Side::FIRST, Side::SECOND].into_iter().find(|side| lacks(*side))
    }

    /// Whether a side has nothing but royal pieces, on the board and in hand.
    #[inline(always)]
    pub fn is_bare(&self, side: Side) -> bool {
        let state = self.state();
        (state.side(side) & !self.royals(side)).is_empty() && state.held(side) == 0
    }

    /// Whether a side has one royal piece and nothing else that counts.
    #[inline(always)]
    fn is_bare_by(&self, bare: &Bare, side: Side) -> bool {
        let counts_all = bare.uncounted.is_empty() && bare.dead == DeadPieces::Counted;
        match counts_all {
            true => self.is_bare(side),
            false => self.royals(side).is_single() && self.counted(bare, side).next().is_none(),
        }
    }

    /// The pieces of a side, without royal ones, that can still move, or all where a bare-king rule does not ask.
    fn live(&self, side: Side) -> impl Iterator<Item = Square> {
        let state = self.state();
        let dead = self.tables().dead_squares.get(side.index());
        let is_dead = move |square: Square| {
            let squares = dead.and_then(|by_kind| by_kind.get(state.kind_on(square).index()));
            squares.is_some_and(|squares| squares.has(square))
        };
        let others = state.side(side) & !self.royals(side);
        others.squares().filter(move |square| !is_dead(*square))
    }

    /// Those of them that a bare-king rule counts.
    fn counted(&self, bare: &Bare, side: Side) -> impl Iterator<Item = Square> {
        let state = self.state();
        self.live(side).filter(|square| !bare.uncounted.contains(&state.kind_on(*square)))
    }

    fn counted_pieces(&self, bare: &Bare, side: Side) -> W {
        self.counted(bare, side).fold(W::ZERO, |all, square| all | W::bit(square))
    }

    /// Whether a bare-king rule waits, `side` being bare.
    fn waits(&self, bare: &Bare, side: Side) -> bool {
        let (royals, them) = (self.royals(side), side.other());
        let others = self.counted_pieces(bare, them);
        let attacks = |targets: W| {
            royals.any() && targets.squares().any(|to| (self.attackers_of(to, side) & royals).any())
        };
        bare.waits.iter().any(|wait| match wait {
            BareWait::Check => attacks(self.royals(them)),
            BareWait::Retake => others.any() && others.is_single() && attacks(others),
        })
    }

    fn attackers_of(&self, square: Square, by: Side) -> W {
        self.attackers(square, by, self.state().occupied())
    }

    #[inline(always)]
    fn bare(&self, bare: &Bare, me: Side) -> Option<Outcome> {
        let loses = |side: Side| {
            let against = self.counted_pieces(bare, side.other());
            let is_enough = bare.against == BareAgainst::Some || against.is_single();
            let winner = (bare.verdict == Verdict::Loss).then_some(side.other());
            let holds = is_enough && !self.waits(bare, side);
            holds.then_some(Outcome { winner, reason: Reason::Bare })
        };
        match (self.is_bare_by(bare, me), self.is_bare_by(bare, me.other())) {
            (false, false) => None,
            (true, true) if self.waits(bare, me) => None,
            // Pieces that do not count may still play.
            (true, true) if [me, me.other()].iter().any(|side| self.live(*side).next().is_some()) => None,
            (true, true) => Some(Outcome { winner: None, reason: Reason::BothBare }),
            // The other side had its reply and is still bare.
            (false, true) => loses(me.other()),
            (true, false) => match bare.reply {
                BareReply::None => loses(me),
                BareReply::BareBack => None,
            },
        }
    }

    #[inline(always)]
    fn is_insufficient(&self, materials: &[Material]) -> bool {
        let state = self.state();
        // Nearly always one of the first pieces is of a kind that no such material has.
        let listed = self.tables().insufficient_kinds;
        let is_other = |square: Square| listed >> state.kind_on(square).0 & 1 == 0;
        if listed == 0
            || state.occupied().squares().any(is_other)
            || state.held(Side::FIRST) != 0
            || state.held(Side::SECOND) != 0
        {
            return false;
        }
        self.has_one_of(materials)
    }

    #[cold]
    fn has_one_of(&self, materials: &[Material]) -> bool {
        let [first, second] = [kinds_of(self.state(), Side::FIRST), kinds_of(self.state(), Side::SECOND)];
        materials.iter().any(|material| {
            let [a, b] = &material.sides;
            let is_met =
                a.is_met_by(&first) && b.is_met_by(&second) || b.is_met_by(&first) && a.is_met_by(&second);
            is_met && (!material.one_colour || self.stand_on_one_colour())
        })
    }

    /// Whether all pieces but the royal ones stand on squares of one colour.
    fn stand_on_one_colour(&self) -> bool {
        let (position, grid) = (self, self.rules().grid());
        let royals = position.royals(Side::FIRST) | position.royals(Side::SECOND);
        let non_royals = position.state().occupied() & !royals;
        let mut colours = non_royals.squares().map(|s| (grid.file(s) + grid.rank(s)) % 2);
        let first = colours.next();
        colours.all(|colour| Some(colour) == first)
    }

    /// The side to move declares as soon as it may: its royal piece and enough others in the zone, enough points.
    fn impasse_winner(&self, impasse: &Impasse) -> Option<Side> {
        let (position, state) = (self, self.state());
        let me = state.turn();
        let zone = W::from_set(&impasse.zone[me.index()]);
        let royals = position.royals(me);
        if (royals & zone).is_empty() || (royals & !zone).any() || position.is_in_check() {
            return None;
        }
        let entered = state.side(me) & zone & !royals;
        let worth = |kind: KindId| impasse.worth[kind.index()];
        let on_board: u32 = entered.squares().map(|square| worth(state.piece_on(square).kind())).sum();
        let hand_kinds = position.tables().hand_kinds.iter().enumerate();
        let in_hand: u32 =
            hand_kinds.map(|(n, kind)| u32::from(state.in_hand(me, n as u8)) * worth(*kind)).sum();
        (entered.count() >= impasse.n_pieces && on_board + in_hand >= impasse.points[me.index()])
            .then_some(me)
    }
}

fn kinds_of<W: Word>(state: &State<W>, side: Side) -> Vec<KindId> {
    let mut kinds: Vec<KindId> = state.side(side).squares().map(|s| state.piece_on(s).kind()).collect();
    kinds.sort_unstable();
    kinds
}

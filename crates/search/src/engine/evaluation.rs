//! Static evaluation from the side to move, built from the rules alone.
//!
//! In: a position and its incremental score. Out: centipawns. Never: captures in progress, which quiescence resolves.
//!
//! Tapered terms beyond material and piece-square tables: mobility, king safety, passed pawns, mop-up, tempo.

use ashta_position::{Move, Position, Word};
use ashta_rules::{CaptureDuty, Delta, Hand, KindId, Rules, Side, Square, Verdict, Wraps};

use super::incremental::{IncrementalScore, MaterialTables};
use super::piece_square::{TaperedScore, is_pawn_like};
use super::piece_values::EngineValues;
use crate::values::Values;

/// The evaluation function of a game.
#[derive(Clone, Debug)]
pub struct Evaluation {
    values: EngineValues,
    tables: MaterialTables,
    /// By kind.
    kinds: Vec<KindTerms>,
    /// By square: the square and its neighbours.
    king_zone: Vec<[u64; 4]>,
    /// By side and square: the squares in front on this and the adjacent files.
    front_span: Vec<[u64; 4]>,
    /// By side and square: bonus of a passed pawn, in thousandths of its gain by promotion.
    passed: Vec<i32>,
    /// Non-pawn material at the start.
    full_phase: i32,
    has_drops: bool,
    n_squares: usize,
    quiet_plies: Option<u32>,
    /// Whether pieces are a burden: a side that has too few of them wins.
    wins_by_losing: bool,
    /// Whether a side that can capture must.
    must_capture: bool,
}

#[derive(Clone, Copy, Default, Debug)]
struct KindTerms {
    /// Score of each attacked square beyond the mean.
    mobility: i32,
    /// Mean number of attacked squares, in hundredths.
    mean: i32,
    /// Weight of each attacked square of the enemy king zone.
    king_attack: i32,
    is_pawn_like: bool,
    is_royal: bool,
    /// Gain by promotion.
    gain: i32,
}

/// Bound of the static evaluation, well below mate scores.
const MAX_EVAL: i32 = 20_000;
/// Bonus of the side to move.
const TEMPO: i32 = 12;
/// Mobility score of a square, times the mean number of attacks in hundredths: knights get 4, queens less than 2.
const MOBILITY: i32 = 2_000;
/// King danger squared, divided by this, is its penalty.
const DANGER_DIVISOR: i32 = 24;
/// The same in games with drops, where attackers arrive at once.
const DANGER_DIVISOR_WITH_DROPS: i32 = 9;
const MAX_DANGER: i32 = 120;

/// Terms of one side's pieces.
#[derive(Clone, Copy, Default, Debug)]
struct SideTerms {
    score: TaperedScore,
    /// Weighted attacks on the enemy king zone.
    king_attack: i32,
    n_attackers: i32,
    /// Attacks on the own king zone.
    king_defence: i32,
}

impl Evaluation {
    /// For a game of two sides; `learned` values replace those of the game file.
    pub fn new(rules: &Rules, learned: Option<&Values>) -> Evaluation {
        let values = EngineValues::new(rules, learned);
        let tables = MaterialTables::new(rules, &values, learned);
        let has_drops = rules.hand() == Hand::Captures;
        let terms = |kind: KindId| kind_terms(rules, &values, kind, has_drops);
        let on_board = rules.start().board.iter().flatten().map(|(_, kind)| *kind);
        let held =
            rules.start().hands.iter().flat_map(|hand| {
                rules.kind_ids().flat_map(|kind| vec![kind; usize::from(hand[kind.index()])])
            });
        let counts = |kind: &KindId| !rules.kind(*kind).royal && !is_pawn_like(rules, &values, *kind);
        let full_phase: i32 =
            on_board.chain(held).filter(counts).map(|kind| values.on_board(kind.index())).sum();
        Evaluation {
            kinds: rules.kind_ids().map(terms).collect(),
            king_zone: rules.grid().places().map(|square| neighbourhood(rules, square)).collect(),
            front_span: per_side(rules, front_span),
            passed: per_side(rules, passed_share),
            full_phase: full_phase.max(1),
            n_squares: rules.grid().n_squares(),
            quiet_plies: rules.ends().quiet.as_ref().map(|quiet| quiet.plies),
            wins_by_losing: rules.ends().extinction.as_ref().is_some_and(|end| end.verdict == Verdict::Win),
            must_capture: rules.capture_duty() == CaptureDuty::Obligatory,
            has_drops,
            values,
            tables,
        }
    }

    /// Whether a side that can capture must: then nobody can stand pat or pass, and what loses material may be forced.
    #[inline(always)]
    pub(super) fn must_capture(&self) -> bool {
        self.must_capture
    }

    pub fn values(&self) -> &EngineValues {
        &self.values
    }

    #[inline(always)]
    pub(super) fn is_pawn_like(&self, kind: usize) -> bool {
        self.kinds[kind].is_pawn_like
    }

    /// The value of a position for the side to move.
    pub fn value<W: Word>(&self, position: &Position<W>) -> i32 {
        self.value_with(position, self.score(position))
    }

    pub(super) fn score<W: Word>(&self, position: &Position<W>) -> IncrementalScore {
        self.tables.score(position)
    }

    #[inline(always)]
    pub(super) fn after<W: Word>(
        &self,
        position: &Position<W>,
        mv: Move,
        score: IncrementalScore,
    ) -> IncrementalScore {
        self.tables.after(position, mv, score)
    }

    pub(super) fn value_with<W: Word>(&self, position: &Position<W>, score: IncrementalScore) -> i32 {
        let sides = [Side::FIRST, Side::SECOND];
        let pawns = sides.map(|side| self.pawns(position, side));
        let mut terms = sides.map(|side| self.side_terms(position, side, pawns[side.other().index()]));
        for side in sides {
            let penalty = self.king_danger(position, side, &terms);
            terms[side.index()].score = terms[side.index()].score - penalty;
        }
        let mut tapered = score.tapered;
        tapered += terms[0].score - terms[1].score;
        let phase = score.phase.clamp(0, self.full_phase);
        let midgame = i64::from(tapered.midgame) * i64::from(phase);
        let endgame = i64::from(tapered.endgame) * i64::from(self.full_phase - phase);
        let mut value = ((midgame + endgame) / i64::from(self.full_phase)) as i32;
        if phase * 3 < self.full_phase {
            value += self.mop_up(position, value);
        }
        let value = self.scaled_by_quiet_plies(position, value);
        let is_mine = (position.turn() == Side::FIRST) != self.wins_by_losing;
        let mine = if is_mine { value } else { -value };
        (mine + TEMPO).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Pawn-like pieces of a side; none in games with drops, which have no passed pawns.
    fn pawns<W: Word>(&self, position: &Position<W>, side: Side) -> W {
        if self.has_drops {
            return W::ZERO;
        }
        let state = position.state();
        let is_pawn_like = |square: &Square| self.kinds[state.kind_on(*square).index()].is_pawn_like;
        state.side(side).squares().filter(is_pawn_like).fold(W::ZERO, |set, square| set | W::bit(square))
    }

    /// Mobility, king attack and passed pawns of a side, in one pass over its pieces.
    fn side_terms<W: Word>(&self, position: &Position<W>, side: Side, enemy_pawns: W) -> SideTerms {
        let (state, reach) = (position.state(), position.piece_attacks());
        let (own, occupied) = (state.side(side), state.occupied());
        let (own_zone, enemy_zone) = (self.king_zone(position, side), self.king_zone(position, side.other()));
        let mut sum = SideTerms::default();
        for square in own.squares() {
            let kind = state.kind_on(square);
            let terms = &self.kinds[kind.index()];
            let attacks = reach.attacks(state, side, kind, square, occupied);
            if terms.mobility > 0 {
                let beyond = (attacks & !own).count() as i32 * 100 - terms.mean;
                sum.score += TaperedScore::both(beyond * terms.mobility / 100);
            }
            let n_attacked = (attacks & enemy_zone).count() as i32;
            if n_attacked > 0 && !terms.is_royal {
                sum.king_attack += terms.king_attack * n_attacked.min(4);
                sum.n_attackers += 1;
            }
            sum.king_defence += if terms.is_royal { 0 } else { (attacks & own_zone).count() as i32 };
            if terms.is_pawn_like && !self.has_drops {
                sum.score += self.passed_pawn(side, square, terms.gain, enemy_pawns);
            }
        }
        sum
    }

    /// The squares of and around a side's royal pieces.
    #[inline(always)]
    fn king_zone<W: Word>(&self, position: &Position<W>, side: Side) -> W {
        let royals = position.royals(side).squares();
        royals.fold(W::ZERO, |all, royal| all | W::from_words(self.king_zone[royal.index()]))
    }

    /// Bonus of a pawn that no enemy pawn can stop.
    #[inline(always)]
    fn passed_pawn<W: Word>(&self, side: Side, square: Square, gain: i32, enemy_pawns: W) -> TaperedScore {
        let at = side.index() * self.n_squares + square.index();
        if (W::from_words(self.front_span[at]) & enemy_pawns).any() {
            return TaperedScore::default();
        }
        let bonus = gain * self.passed[at] / 1000;
        TaperedScore { midgame: bonus / 2, endgame: bonus }
    }

    /// King safety: the penalty of a side whose king zone is attacked.
    fn king_danger<W: Word>(
        &self,
        position: &Position<W>,
        side: Side,
        terms: &[SideTerms; 2],
    ) -> TaperedScore {
        let them = &terms[side.other().index()];
        let mut attack = them.king_attack;
        let mut n_attackers = them.n_attackers;
        if self.has_drops {
            let held = position.state().held(side.other()).count_ones() as i32;
            attack += held.min(6) * 4;
            n_attackers += held.min(2);
        }
        if n_attackers < 2 {
            return TaperedScore::default();
        }
        let defence = terms[side.index()].king_defence;
        let danger = (attack + 2 * n_attackers - defence).clamp(0, MAX_DANGER);
        let divisor = if self.has_drops { DANGER_DIVISOR_WITH_DROPS } else { DANGER_DIVISOR };
        let penalty = danger * danger / divisor;
        TaperedScore { midgame: penalty, endgame: penalty / 8 }
    }

    /// Mop-up: with little material left, the stronger side brings the kings together and drives the other to the edge.
    fn mop_up<W: Word>(&self, position: &Position<W>, value: i32) -> i32 {
        let royals = [Side::FIRST, Side::SECOND].map(|side| position.royals(side));
        if value.abs() < 250 || royals.iter().any(|royals| royals.is_empty()) {
            return 0;
        }
        let grid = position.rules().grid();
        let [a, b] = royals.map(|royals| royals.lowest());
        let distance = i32::from(grid.files_apart(a, b).max(grid.rank(a).abs_diff(grid.rank(b))));
        let weak = if value > 0 { b } else { a };
        let off = |at: u8, n: u8| (2 * i32::from(at) - i32::from(n) + 1).abs();
        let edge_of_files = match grid.wraps() {
            Wraps::No => off(grid.file(weak), grid.files()),
            Wraps::Files => 0,
        };
        let edge = edge_of_files + off(grid.rank(weak), grid.ranks());
        (4 * edge - 5 * distance) * value.signum()
    }

    /// Scales a value down as the game approaches a draw by quiet plies.
    fn scaled_by_quiet_plies<W: Word>(&self, position: &Position<W>, value: i32) -> i32 {
        match self.quiet_plies {
            Some(plies) if plies > 0 => {
                let quiet = position.state().quiet().min(plies) as i32;
                value - value * quiet / (plies as i32 * 2)
            }
            _ => value,
        }
    }
}

fn kind_terms(rules: &Rules, values: &EngineValues, kind: KindId, has_drops: bool) -> KindTerms {
    let (is_royal, is_pawn_like) = (rules.kind(kind).royal, is_pawn_like(rules, values, kind));
    let mean = values.attacks(kind.index());
    let full = (MOBILITY / mean.max(1)).clamp(1, 5);
    let mobility = match values.per_attack() {
        _ if is_royal => 0,
        Some(learned) => learned,
        None if is_pawn_like => 0,
        None if has_drops => full / 2,
        None => full,
    };
    let king_attack = (2 + values.on_board(kind.index()) / 150).clamp(2, 8);
    let gain = values.promotion_gain(rules, kind);
    KindTerms { mobility, mean, king_attack, is_pawn_like, is_royal, gain }
}

fn neighbourhood(rules: &Rules, square: Square) -> [u64; 4] {
    let grid = rules.grid();
    let near = (-1..=1).flat_map(|file| (-1..=1).map(move |rank| Delta::new(file, rank)));
    set(near.filter_map(|step| grid.step(square, step)))
}

fn set(squares: impl Iterator<Item = Square>) -> [u64; 4] {
    let mut words = [0; 4];
    squares.for_each(|square| words[usize::from(square.0) / 64] |= 1 << (square.0 % 64));
    words
}

/// A table by side and square.
fn per_side<T>(rules: &Rules, make: impl Fn(&Rules, Side, Square) -> T) -> Vec<T> {
    let sides = (0..rules.sides().len() as u8).map(Side);
    sides
        .flat_map(|side| rules.grid().places().map(move |square| (side, square)))
        .map(|(side, square)| make(rules, side, square))
        .collect()
}

fn front_span(rules: &Rules, side: Side, square: Square) -> [u64; 4] {
    let (grid, turns) = (rules.grid(), rules.sides()[side.index()].quarters % 4);
    let seen = |square| grid.turned(square, (4 - turns) % 4);
    let here = seen(square);
    let is_in_front = |other: &Square| {
        let other = seen(*other);
        grid.files_apart(other, here) <= 1 && grid.rank(other) > grid.rank(here)
    };
    set(grid.squares().filter(is_in_front))
}

/// Bonus of a passed pawn by its advancement, in thousandths of its gain.
fn passed_share(rules: &Rules, side: Side, square: Square) -> i32 {
    let (grid, turns) = (rules.grid(), rules.sides()[side.index()].quarters % 4);
    let rank = i32::from(grid.rank(grid.turned(square, (4 - turns) % 4)));
    let last = i32::from(grid.ranks()) - 1;
    let way = rank * 100 / last.max(1);
    way * way * 14 / 1000
}

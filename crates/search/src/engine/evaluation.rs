//! How a position stands for the side to move, by what the rules tell of its pieces.
//!
//! In: a position and its balance. Out: hundredths of a man. Never: the future: what captures lead to is looked at, not
//! guessed.
//!
//! Beyond the balance: how many squares pieces attack, how the royal pieces are beset and guarded, men that nothing stops
//! on their way to promotion, royal pieces brought near when little is left.

use ashta_position::{Move, Position, Word};
use ashta_rules::{Hand, KindId, Rules, Side, Square};

use super::balance::{Balance, Scales};
use super::places::{Pair, is_foot};
use super::worth::Worths;
use crate::values::Values;

/// The evaluation of a game.
#[derive(Clone, Debug)]
pub struct Evaluation {
    worths: Worths,
    scales: Scales,
    /// By kind.
    kinds: Vec<KindTerms>,
    /// By square: it and those around it.
    around: Vec<[u64; 4]>,
    /// By side and square: squares before it, on its file and those beside it.
    before: Vec<[u64; 4]>,
    /// By side and square: how a passed man there is paid, in hundredths of what it gains.
    passed: Vec<i32>,
    /// What officers are worth at the start.
    all_in_play: i32,
    returns: bool,
    n_squares: usize,
    quiet_plies: Option<u32>,
}

#[derive(Clone, Copy, Default, Debug)]
struct KindTerms {
    /// For each square attacked beyond the mean.
    mobility: i32,
    /// Hundredths of squares attacked on the mean.
    mean: i32,
    /// For each square attacked around the other royal piece.
    threat: i32,
    is_foot: bool,
    is_royal: bool,
    /// What it gains by promotion.
    gain: i32,
}

/// No position is worth more than this: beyond are won games.
const MOST_POINTS: i32 = 20_000;
/// Whose turn it is.
const TURN: i32 = 12;
/// A square of mobility of a piece that attacks so many, in hundredths: knights get 4, queens less than 2.
const MOBILITY: i32 = 2_000;
/// Pressure on a royal piece squared, divided by this, is what it costs.
const PRESSURE: i32 = 24;
/// The same where what was captured is dropped next to it.
const PRESSURE_WITH_DROPS: i32 = 9;
const MOST_PRESSURE: i32 = 120;

/// What one side's pieces do.
#[derive(Clone, Copy, Default, Debug)]
struct Deeds {
    worth: Pair,
    /// Weighted attacks around the other side's royal piece.
    pressure: i32,
    n_attackers: i32,
    /// Squares around its own royal piece that it guards.
    guards: i32,
}

impl Evaluation {
    /// Of a game of two sides; `learned` are values in place of the file's.
    pub fn new(rules: &Rules, learned: Option<&Values>) -> Evaluation {
        let worths = Worths::new(rules, learned);
        let scales = Scales::new(rules, &worths, learned);
        let returns = rules.hand() == Hand::Captures;
        let terms = |kind: KindId| kind_terms(rules, &worths, kind, returns);
        let officers = rules.start().board.iter().flatten().map(|(_, kind)| *kind);
        let held =
            rules.start().hands.iter().flat_map(|hand| {
                rules.kind_ids().flat_map(|kind| vec![kind; usize::from(hand[kind.index()])])
            });
        let is_officer = |kind: &KindId| !rules.kind(*kind).royal && !is_foot(rules, &worths, *kind);
        let all = officers.chain(held).filter(is_officer).map(|kind| worths.of(kind.index())).sum::<i32>();
        Evaluation {
            kinds: rules.kind_ids().map(terms).collect(),
            around: rules.grid().squares().map(|square| around(rules, square)).collect(),
            before: per_side(rules, before),
            passed: per_side(rules, passed_share),
            all_in_play: all.max(1),
            n_squares: rules.grid().n_squares(),
            quiet_plies: rules.ends().quiet.as_ref().map(|quiet| quiet.plies),
            returns,
            worths,
            scales,
        }
    }

    /// What pieces are worth.
    pub fn worths(&self) -> &Worths {
        &self.worths
    }

    /// Whether a kind is the game's foot.
    #[inline(always)]
    pub(super) fn is_foot(&self, kind: usize) -> bool {
        self.kinds[kind].is_foot
    }

    /// The value of a position for the side to move.
    pub fn value<W: Word>(&self, position: &Position<W>) -> i32 {
        self.value_with(position, self.balance(position))
    }

    pub(super) fn balance<W: Word>(&self, position: &Position<W>) -> Balance {
        self.scales.balance(position)
    }

    #[inline(always)]
    pub(super) fn after<W: Word>(&self, position: &Position<W>, mv: Move, balance: Balance) -> Balance {
        self.scales.after(position, mv, balance)
    }

    pub(super) fn value_with<W: Word>(&self, position: &Position<W>, balance: Balance) -> i32 {
        let feet = [self.feet(position, 0), self.feet(position, 1)];
        let mut deeds = [0, 1].map(|side| self.deeds(position, side, feet[1 - usize::from(side)]));
        let mut worth = balance.worth;
        for side in [0, 1] {
            let cost = self.cost_of_pressure(position, side as u8, &deeds);
            deeds[side].worth = deeds[side].worth - cost;
        }
        worth += deeds[0].worth - deeds[1].worth;
        let in_play = balance.in_play.clamp(0, self.all_in_play);
        let early = i64::from(worth.early) * i64::from(in_play);
        let late = i64::from(worth.late) * i64::from(self.all_in_play - in_play);
        let mut value = ((early + late) / i64::from(self.all_in_play)) as i32;
        if in_play * 3 < self.all_in_play {
            value += self.nearness(position, value);
        }
        let value = self.fading(position, value);
        let mine = if position.turn() == Side::FIRST { value } else { -value };
        (mine + TURN).clamp(-MOST_POINTS, MOST_POINTS)
    }

    fn feet<W: Word>(&self, position: &Position<W>, side: u8) -> W {
        let state = position.state();
        match self.returns {
            true => W::ZERO,
            false => {
                let is_foot = |square: &u8| self.kinds[state.kind_on(*square)].is_foot;
                state.side(side).squares().filter(is_foot).fold(W::ZERO, |set, square| set | W::bit(square))
            }
        }
    }

    /// Everything that a side's pieces do, in one walk over them.
    fn deeds<W: Word>(&self, position: &Position<W>, side: u8, their_feet: W) -> Deeds {
        let (state, reach) = (position.state(), position.reach());
        let (own, occupied) = (state.side(side), state.occupied());
        let (home, goal) = (self.zone(position, side), self.zone(position, 1 - side));
        let mut deeds = Deeds::default();
        for square in own.squares() {
            let kind = state.kind_on(square);
            let terms = &self.kinds[kind];
            let attacks = reach.attacks(state, side, kind, square, occupied);
            if terms.mobility > 0 {
                let beyond = (attacks & !own).count() as i32 * 100 - terms.mean;
                deeds.worth += Pair::both(beyond * terms.mobility / 100);
            }
            let beset = (attacks & goal).count() as i32;
            if beset > 0 && !terms.is_royal {
                deeds.pressure += terms.threat * beset.min(4);
                deeds.n_attackers += 1;
            }
            deeds.guards += if terms.is_royal { 0 } else { (attacks & home).count() as i32 };
            if terms.is_foot && !self.returns {
                deeds.worth += self.passing(side, square, terms.gain, their_feet);
            }
        }
        deeds
    }

    /// The squares around a side's royal pieces.
    #[inline(always)]
    fn zone<W: Word>(&self, position: &Position<W>, side: u8) -> W {
        let royals = position.royals(Side(side)).squares();
        royals.fold(W::ZERO, |all, royal| all | W::from_words(self.around[usize::from(royal)]))
    }

    /// What a man on its way to promotion is paid if nothing can stop it on the way.
    #[inline(always)]
    fn passing<W: Word>(&self, side: u8, square: u8, gain: i32, their_feet: W) -> Pair {
        let at = usize::from(side) * self.n_squares + usize::from(square);
        let way = W::from_words(self.before[at]);
        if (way & their_feet).any() {
            return Pair::default();
        }
        let paid = gain * self.passed[at] / 1000;
        Pair { early: paid / 2, late: paid }
    }

    /// What the pressure on a side's royal piece costs it.
    fn cost_of_pressure<W: Word>(&self, position: &Position<W>, side: u8, deeds: &[Deeds; 2]) -> Pair {
        let them = &deeds[1 - usize::from(side)];
        let mut pressure = them.pressure;
        let mut n_attackers = them.n_attackers;
        if self.returns {
            let held = position.state().held(1 - side).count_ones() as i32;
            pressure += held.min(6) * 4;
            n_attackers += held.min(2);
        }
        if n_attackers < 2 {
            return Pair::default();
        }
        let guards = deeds[usize::from(side)].guards;
        let pressure = (pressure + 2 * n_attackers - guards).clamp(0, MOST_PRESSURE);
        let cost = pressure * pressure / if self.returns { PRESSURE_WITH_DROPS } else { PRESSURE };
        Pair { early: cost, late: cost / 8 }
    }

    /// When little is left, who is better off brings the royal pieces together and drives the other to the edge.
    fn nearness<W: Word>(&self, position: &Position<W>, value: i32) -> i32 {
        let royals = [0, 1].map(|side| position.royals(Side(side)));
        if value.abs() < 250 || royals.iter().any(|royals| royals.is_empty()) {
            return 0;
        }
        let grid = position.rules().grid();
        let [a, b] = royals.map(|royals| Square(royals.lowest()));
        let apart = |x: u8, y: u8| i32::from(x.abs_diff(y));
        let distance = apart(grid.file(a), grid.file(b)).max(apart(grid.rank(a), grid.rank(b)));
        let weak = if value > 0 { b } else { a };
        let off = |at: u8, n: u8| (2 * i32::from(at) - i32::from(n) + 1).abs();
        let edge = off(grid.file(weak), grid.files()) + off(grid.rank(weak), grid.ranks());
        (4 * edge - 5 * distance) * value.signum()
    }

    /// The nearer the end of a count of plies without progress, the less a value means.
    fn fading<W: Word>(&self, position: &Position<W>, value: i32) -> i32 {
        match self.quiet_plies {
            Some(plies) if plies > 0 => {
                let quiet = position.state().quiet().min(plies) as i32;
                value - value * quiet / (plies as i32 * 2)
            }
            _ => value,
        }
    }
}

fn kind_terms(rules: &Rules, worths: &Worths, kind: KindId, returns: bool) -> KindTerms {
    let (is_royal, is_foot) = (rules.kind(kind).royal, is_foot(rules, worths, kind));
    let mean = worths.attacks(kind.index());
    let full = (MOBILITY / mean.max(1)).clamp(1, 5);
    let mobility = match worths.of_square() {
        _ if is_royal => 0,
        Some(learned) => learned,
        None if is_foot => 0,
        None if returns => full / 2,
        None => full,
    };
    let threat = (2 + worths.of(kind.index()) / 150).clamp(2, 8);
    KindTerms { mobility, mean, threat, is_foot, is_royal, gain: worths.promotion_gain(rules, kind) }
}

fn around(rules: &Rules, square: Square) -> [u64; 4] {
    let grid = rules.grid();
    let (file, rank) = (i16::from(grid.file(square)), i16::from(grid.rank(square)));
    let near = (-1..=1).flat_map(|df| (-1..=1).map(move |dr| (df, dr)));
    set(near.filter_map(|(df, dr)| grid.at(file + df, rank + dr)))
}

fn set(squares: impl Iterator<Item = Square>) -> [u64; 4] {
    let mut words = [0; 4];
    squares.for_each(|square| words[usize::from(square.0) / 64] |= 1 << (square.0 % 64));
    words
}

/// A table by side and square, made from what the first side sees.
fn per_side<T>(rules: &Rules, make: impl Fn(&Rules, Side, Square) -> T) -> Vec<T> {
    let sides = (0..rules.sides().len() as u8).map(Side);
    sides
        .flat_map(|side| rules.grid().squares().map(move |square| (side, square)))
        .map(|(side, square)| make(rules, side, square))
        .collect()
}

fn before(rules: &Rules, side: Side, square: Square) -> [u64; 4] {
    let (grid, turns) = (rules.grid(), rules.sides()[side.index()].quarters % 4);
    let seen = |square| grid.turned(square, (4 - turns) % 4);
    let here = seen(square);
    let is_before = |other: &Square| {
        let other = seen(*other);
        grid.file(other).abs_diff(grid.file(here)) <= 1 && grid.rank(other) > grid.rank(here)
    };
    set(grid.squares().filter(is_before))
}

/// Thousandths of its gain that a man is paid for having only so far to go.
fn passed_share(rules: &Rules, side: Side, square: Square) -> i32 {
    let (grid, turns) = (rules.grid(), rules.sides()[side.index()].quarters % 4);
    let rank = i32::from(grid.rank(grid.turned(square, (4 - turns) % 4)));
    let last = i32::from(grid.ranks()) - 1;
    let way = rank * 100 / last.max(1);
    way * way * 14 / 1000
}

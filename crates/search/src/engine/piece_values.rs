//! Piece values of the engine, in hundredths of the most common piece (centipawns).
//!
//! In: rules, learned values if any. Out: whole numbers by kind. Never: positions.
//!
//! Where the game file gives no values they are made from mobility on crowded boards, after Ralph Betza: on an empty board
//! a hopper would be worth as much as a rider.

use ashta_position::{PieceAttacks, Wide, Word};
use ashta_rules::{Hand, KindId, Rules, Targets};

use crate::exchange::ExchangeValues;
use crate::values::Values;

/// Values by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineValues {
    on_board: Vec<i32>,
    in_hand: Vec<i32>,
    /// What a capture changes: the value lost and the value that the captor gains in hand.
    exchanged: Vec<i32>,
    /// Mean number of squares attacked on a crowded board, in hundredths.
    attacks: Vec<i32>,
    /// Learned value of one attacked square.
    per_attack: Option<i32>,
}

/// Value of one reachable square on a crowded board: makes a knight 270 and a rook 400.
const VALUE_PER_SQUARE: f64 = 60.0;
/// The share of its gain by promotion that a piece is worth before promoting.
const PROMOTION_SHARE: f64 = 0.08;
/// A royal piece in an exchange: more than everything else.
const ROYAL_EXCHANGED: i32 = 20_000;
/// Crowded boards on which mobility is counted, and how many of ten squares are occupied there (Betza: three).
const N_CROWDS: u64 = 24;
const OCCUPIED_OF_TEN: u64 = 3;

impl EngineValues {
    /// From the given values, or those of the game file, or else from mobility.
    pub fn new(rules: &Rules, values: Option<&Values>) -> EngineValues {
        let crowd = Crowd::new(rules);
        let given = values.cloned().or_else(|| Values::given(rules));
        let (mut on_board, mut in_hand) = match &given {
            Some(values) => scaled(rules, values),
            None => {
                let derived = derived(rules, &crowd);
                (derived.clone(), derived)
            }
        };
        for kind in rules.kind_ids().filter(|kind| rules.kind(*kind).royal) {
            // Mostly both sides have one; where a side may have two, the second is worth its mobility.
            on_board[kind.index()] = (VALUE_PER_SQUARE * crowd.mobility(kind)) as i32;
            in_hand[kind.index()] = on_board[kind.index()];
        }
        let exchanged = |kind: KindId| match (rules.kind(kind).royal, rules.hand()) {
            (true, _) => ROYAL_EXCHANGED,
            (false, Hand::Captures) => on_board[kind.index()] + in_hand[rules.kind(kind).demoted.index()],
            (false, Hand::None | Hand::SetUp) => on_board[kind.index()],
        };
        let exchanged = rules.kind_ids().map(exchanged).collect();
        let attacks = rules.kind_ids().map(|kind| (crowd.attacks[kind.index()] * 100.0) as i32).collect();
        let per_attack = given.as_ref().and_then(|values| value_per_attack(rules, values));
        EngineValues { on_board, in_hand, exchanged, attacks, per_attack }
    }

    #[inline(always)]
    pub fn on_board(&self, kind: usize) -> i32 {
        self.on_board[kind]
    }

    #[inline(always)]
    pub fn in_hand(&self, kind: usize) -> i32 {
        self.in_hand[kind]
    }

    /// What a capture of this kind changes: the loss and what the captor gains in hand.
    #[inline(always)]
    pub fn exchanged(&self, kind: usize) -> i32 {
        self.exchanged[kind]
    }

    /// Mean number of squares attacked on a crowded board, in hundredths.
    pub fn attacks(&self, kind: usize) -> i32 {
        self.attacks[kind]
    }

    /// Learned value of one attacked square.
    pub fn per_attack(&self) -> Option<i32> {
        self.per_attack
    }

    /// Gain of the best promotion.
    pub fn promotion_gain(&self, rules: &Rules, kind: KindId) -> i32 {
        let best = targets(rules, kind).map(|target| self.on_board(target.index())).max();
        best.map_or(0, |best| (best - self.on_board(kind.index())).max(0))
    }
}

impl ExchangeValues for EngineValues {
    #[inline(always)]
    fn on_board(&self, kind: KindId) -> i32 {
        self.on_board[kind.index()]
    }

    #[inline(always)]
    fn captured(&self, kind: KindId) -> i32 {
        self.exchanged[kind.index()]
    }
}

/// Values scaled so that the most common kind of the start is worth 100.
fn scaled(rules: &Rules, values: &Values) -> (Vec<i32>, Vec<i32>) {
    let unit = values.of(most_common_kind(rules)).max(1);
    let hundredths = |value: i32| (i64::from(value) * 100 / i64::from(unit)).clamp(-5_000, 5_000) as i32;
    let by = |of: &dyn Fn(KindId) -> i32| rules.kind_ids().map(|kind| hundredths(of(kind))).collect();
    (by(&|kind| values.of(kind)), by(&|kind| values.in_hand(kind)))
}

/// Learned values are given for ten attacked squares.
fn value_per_attack(rules: &Rules, values: &Values) -> Option<i32> {
    let unit = i64::from(values.of(most_common_kind(rules)).max(1));
    let value = (i64::from(values.mobility()) * 10 / unit).clamp(-50, 50) as i32;
    (values.mobility() != 0).then_some(value)
}

/// The most frequent kind at the start; of equals the one defined first, which is the weaker.
pub(super) fn most_common_kind(rules: &Rules) -> KindId {
    let count = |kind: KindId| {
        let start = rules.start();
        let on_board = start.board.iter().flatten().filter(|(_, other)| *other == kind).count();
        on_board + start.hands.iter().map(|hand| usize::from(hand[kind.index()])).sum::<usize>()
    };
    let pieces = rules.kind_ids().filter(|kind| !rules.kind(*kind).royal);
    pieces.max_by_key(|kind| (count(*kind), std::cmp::Reverse(*kind))).unwrap_or(KindId(0))
}

fn derived(rules: &Rules, crowd: &Crowd) -> Vec<i32> {
    let plain = |kind: KindId| VALUE_PER_SQUARE * crowd.mobility(kind);
    let value = |kind: KindId| {
        let best = targets(rules, kind).map(plain).fold(plain(kind), f64::max);
        (plain(kind) + PROMOTION_SHARE * (best - plain(kind))) as i32
    };
    rules.kind_ids().map(value).collect()
}

fn targets(rules: &Rules, kind: KindId) -> impl Iterator<Item = KindId> {
    let targets = rules.kind(kind).promotion.as_ref().map(|promotion| match &promotion.to {
        Targets::Kinds(kinds) => kinds.clone(),
        Targets::ByFile(kinds) => kinds.iter().flatten().copied().collect(),
    });
    targets.unwrap_or_default().into_iter()
}

/// Mean mobility on crowded boards.
struct Crowd {
    attacks: Vec<f64>,
    quiet: Vec<f64>,
}

impl Crowd {
    fn new(rules: &Rules) -> Crowd {
        let reach = PieceAttacks::<Wide<4>>::new(rules);
        let boards: Vec<Wide<4>> = (0..N_CROWDS).map(|seed| crowd(rules, seed)).collect();
        let mut found = Crowd { attacks: Vec::new(), quiet: Vec::new() };
        for kind in rules.kind_ids() {
            let (mut n_squares, mut sums) = (0, (0, 0));
            for square in rules.grid().squares() {
                let (attacks, quiet) = reach.in_a_crowd(kind, square, Wide::ZERO);
                let can_stand_here = attacks.any() || quiet.any();
                if !can_stand_here {
                    continue;
                }
                n_squares += N_CROWDS;
                for occupied in &boards {
                    let (attacks, quiet) = reach.in_a_crowd(kind, square, *occupied & !Wide::bit(square));
                    sums = (sums.0 + attacks.count(), sums.1 + quiet.count());
                }
            }
            let mean = |sum: u32| f64::from(sum) / (n_squares.max(1) as f64);
            found.attacks.push(mean(sums.0));
            found.quiet.push(mean(sums.1));
        }
        found
    }

    fn mobility(&self, kind: KindId) -> f64 {
        (self.attacks[kind.index()] + self.quiet[kind.index()]) / 2.0
    }
}

/// A pseudo-random occupancy that depends on the seed alone.
fn crowd(rules: &Rules, seed: u64) -> Wide<4> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let mut board = Wide::ZERO;
    for square in rules.grid().squares() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (state >> 33) % 10 < OCCUPIED_OF_TEN {
            board |= Wide::bit(square);
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(game: &str, kind: &str) -> i32 {
        let rules = ashta_rules::load(game).expect(game);
        let at = rules.kinds().iter().position(|k| k.name == kind).expect(kind);
        EngineValues::new(&rules, None).on_board(at)
    }

    #[test]
    fn values_of_the_file_are_hundredths_of_a_pawn() {
        for (game, kind, expected) in
            [("chess", "pawn", 100), ("chess", "queen", 900), ("shogi", "rook", 1040)]
        {
            assert_eq!(value(game, kind), expected, "{game} {kind}");
        }
    }

    #[test]
    fn mobility_on_crowded_boards_ranks_pieces_as_people_do() {
        let order = ["elephant", "soldier", "horse", "cannon", "chariot"];
        let values: Vec<i32> = order.iter().map(|kind| value("xiangqi", kind)).collect();
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{order:?} {values:?}");
    }
}

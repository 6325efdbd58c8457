//! What pieces are worth to the engine, in hundredths of the most common man.
//!
//! In: rules, and values if somebody knows them. Out: whole numbers by kind. Never: positions.
//!
//! Where the game's file gives no values they are made from what pieces attack and where they go on crowded boards, after
//! Ralph Betza: on an empty board a piece that hops over others would be worth as much as one that rides.

use ashta_position::{Reach, Wide, Word};
use ashta_rules::{Hand, KindId, Rules, Targets};

use crate::values::Values;

/// Worths by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Worths {
    on_board: Vec<i32>,
    in_hand: Vec<i32>,
    /// What losing it costs in an exchange: with what its captor gains in hand.
    at_stake: Vec<i32>,
    /// Mean number of squares attacked on a crowded board, in hundredths.
    attacks: Vec<i32>,
    /// Of one square attacked, if that was learned.
    of_square: Option<i32>,
}

/// One square attacked and open on a crowded board, in hundredths of a man: makes a knight 270 and a rook 400.
const BY_SQUARE: f64 = 60.0;
/// The share of what it gains by promotion that a piece is worth beforehand.
const PROMISE: f64 = 0.08;
/// A royal piece in an exchange: more than everything else.
const ROYAL_AT_STAKE: i32 = 20_000;
/// Crowded boards on which mobility is counted, and how many of ten squares are occupied there (Betza: three).
const N_CROWDS: u64 = 24;
const OCCUPIED_OF_TEN: u64 = 3;

impl Worths {
    /// From values, or those of the game's file, or else from mobility.
    pub fn new(rules: &Rules, values: Option<&Values>) -> Worths {
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
            // Both sides have one, mostly; where a side may have two, the other one is as good as any piece.
            on_board[kind.index()] = (BY_SQUARE * crowd.mobility(kind)) as i32;
            in_hand[kind.index()] = on_board[kind.index()];
        }
        let at_stake = |kind: KindId| match (rules.kind(kind).royal, rules.hand()) {
            (true, _) => ROYAL_AT_STAKE,
            (false, Hand::Captures) => on_board[kind.index()] + in_hand[rules.kind(kind).demoted.index()],
            (false, Hand::None | Hand::SetUp) => on_board[kind.index()],
        };
        let at_stake = rules.kind_ids().map(at_stake).collect();
        let attacks = rules.kind_ids().map(|kind| (crowd.attacks[kind.index()] * 100.0) as i32).collect();
        let of_square = given.as_ref().and_then(|values| square_worth(rules, values));
        Worths { on_board, in_hand, at_stake, attacks, of_square }
    }

    /// Of a kind on the board.
    #[inline(always)]
    pub fn of(&self, kind: usize) -> i32 {
        self.on_board[kind]
    }

    /// Of a kind in hand.
    #[inline(always)]
    pub fn in_hand(&self, kind: usize) -> i32 {
        self.in_hand[kind]
    }

    /// What changes when one of a kind is captured: the loss and what its captor holds then.
    #[inline(always)]
    pub fn at_stake(&self, kind: usize) -> i32 {
        self.at_stake[kind]
    }

    /// Mean number of squares attacked on a crowded board, in hundredths.
    pub fn attacks(&self, kind: usize) -> i32 {
        self.attacks[kind]
    }

    /// Of one square attacked, if that was learned.
    pub fn of_square(&self) -> Option<i32> {
        self.of_square
    }

    /// The most that a piece may become, compared with what it is.
    pub fn promotion_gain(&self, rules: &Rules, kind: KindId) -> i32 {
        let best = targets(rules, kind).map(|target| self.of(target.index())).max();
        best.map_or(0, |best| (best - self.of(kind.index())).max(0))
    }
}

/// Values in which the most common man of the start is worth 100.
fn scaled(rules: &Rules, values: &Values) -> (Vec<i32>, Vec<i32>) {
    let unit = values.of(common_man(rules)).max(1);
    let hundredths = |value: i32| (i64::from(value) * 100 / i64::from(unit)).clamp(-5_000, 5_000) as i32;
    let by = |of: &dyn Fn(KindId) -> i32| rules.kind_ids().map(|kind| hundredths(of(kind))).collect();
    (by(&|kind| values.of(kind)), by(&|kind| values.in_hand(kind)))
}

/// One square of the ten that values tell the worth of.
fn square_worth(rules: &Rules, values: &Values) -> Option<i32> {
    let unit = i64::from(values.of(common_man(rules)).max(1));
    let worth = (i64::from(values.mobility()) * 10 / unit).clamp(-50, 50) as i32;
    (values.mobility() != 0).then_some(worth)
}

/// The kind of which there are most at the start; of two, the one named first, which is the weaker.
pub(super) fn common_man(rules: &Rules) -> KindId {
    let count = |kind: KindId| {
        let start = rules.start();
        let on_board = start.board.iter().flatten().filter(|(_, other)| *other == kind).count();
        on_board + start.hands.iter().map(|hand| usize::from(hand[kind.index()])).sum::<usize>()
    };
    let men = rules.kind_ids().filter(|kind| !rules.kind(*kind).royal);
    men.max_by_key(|kind| (count(*kind), std::cmp::Reverse(*kind))).unwrap_or(KindId(0))
}

fn derived(rules: &Rules, crowd: &Crowd) -> Vec<i32> {
    let plain = |kind: KindId| BY_SQUARE * crowd.mobility(kind);
    let worth = |kind: KindId| {
        let best = targets(rules, kind).map(plain).fold(plain(kind), f64::max);
        (plain(kind) + PROMISE * (best - plain(kind))) as i32
    };
    rules.kind_ids().map(worth).collect()
}

fn targets(rules: &Rules, kind: KindId) -> impl Iterator<Item = KindId> {
    let targets = rules.kind(kind).promotion.as_ref().map(|promotion| match &promotion.to {
        Targets::Kinds(kinds) => kinds.clone(),
        Targets::ByFile(kinds) => kinds.iter().flatten().copied().collect(),
    });
    targets.unwrap_or_default().into_iter()
}

/// How pieces move on crowded boards.
struct Crowd {
    attacks: Vec<f64>,
    quiet: Vec<f64>,
}

impl Crowd {
    fn new(rules: &Rules) -> Crowd {
        let reach = Reach::<Wide<4>>::new(rules);
        let boards: Vec<Wide<4>> = (0..N_CROWDS).map(|seed| crowd(rules, seed)).collect();
        let mut found = Crowd { attacks: Vec::new(), quiet: Vec::new() };
        for kind in rules.kind_ids().map(KindId::index) {
            let (mut n_squares, mut sums) = (0, (0, 0));
            for square in rules.grid().squares().map(|square| square.0) {
                let (attacks, quiet) = reach.in_a_crowd(kind, square, Wide::ZERO);
                let is_ever_here = attacks.any() || quiet.any();
                if !is_ever_here {
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

/// A board on which each square is occupied with the same chance, the same for a seed everywhere.
fn crowd(rules: &Rules, seed: u64) -> Wide<4> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let mut board = Wide::ZERO;
    for square in rules.grid().squares() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (state >> 33) % 10 < OCCUPIED_OF_TEN {
            board |= Wide::bit(square.0);
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(game: &str, kind: &str) -> i32 {
        let rules = ashta_rules::load(game).expect(game);
        let at = rules.kinds().iter().position(|k| k.name == kind).expect(kind);
        Worths::new(&rules, None).of(at)
    }

    #[test]
    fn values_of_the_file_are_hundredths_of_a_pawn() {
        for (game, kind, expected) in
            [("chess", "pawn", 100), ("chess", "queen", 900), ("shogi", "rook", 1040)]
        {
            assert_eq!(worth(game, kind), expected, "{game} {kind}");
        }
    }

    #[test]
    fn mobility_on_crowded_boards_ranks_pieces_as_people_do() {
        let order = ["elephant", "soldier", "horse", "cannon", "chariot"];
        let worths: Vec<i32> = order.iter().map(|kind| worth("xiangqi", kind)).collect();
        assert!(worths.windows(2).all(|pair| pair[0] < pair[1]), "{order:?} {worths:?}");
    }
}

//! Tallies of games: integers only, so that sums are exact in any order.
//!
//! In: finished games, ply by ply. Out: tallies that merge. Never: an average, an interval, a file.

use ashta_position::Reason;

use crate::estimate::Estimate;

/// One game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRow {
    pub n_plies: u32,
    /// Legal moves, summed over the positions in which a move was made.
    pub n_moves: u64,
    /// Index of the side that won; nobody in a draw.
    pub winner: Option<u8>,
    pub reason: Reason,
    pub n_captures: u32,
    pub n_checks: u32,
    /// How often the lead in material passed from one side to another.
    pub n_lead_changes: u32,
    /// Keys of the positions after [`OPENING_PLIES`] plies; 0 if the game was shorter.
    pub openings: [u64; 2],
}

/// After how many plies the opening of a game is remembered.
pub const OPENING_PLIES: [u32; 2] = [4, 8];

impl GameRow {
    /// A game that has not begun; a game that nothing else ends is as long as it may be.
    pub const NEW: GameRow = GameRow {
        n_plies: 0,
        n_moves: 0,
        winner: None,
        reason: Reason::PlyCap,
        n_captures: 0,
        n_checks: 0,
        n_lead_changes: 0,
        openings: [0; 2],
    };

    pub fn is_drawn(&self) -> bool {
        self.winner.is_none()
    }

    /// The game's own mean number of legal moves; 0 for a game that was over before it began.
    pub fn mean_moves(&self) -> f64 {
        if self.n_plies == 0 { 0.0 } else { self.n_moves as f64 / f64::from(self.n_plies) }
    }
}

/// One ply over many games; the first ply has index 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlyTally {
    /// Games in which this ply was played.
    pub n_games: u64,
    /// Legal moves before it, summed over games.
    pub moves_sum: u64,
    /// Squares of the numbers of legal moves, summed over games.
    pub moves_squared_sum: u64,
    /// Games in which it captured.
    pub n_captures: u64,
    /// Games in which it gave check.
    pub n_checks: u64,
}

impl PlyTally {
    /// Mean number of legal moves; nothing if no game came this far.
    pub fn mean_moves(&self) -> Option<f64> {
        (self.n_games > 0).then(|| self.moves_sum as f64 / self.n_games as f64)
    }

    /// Standard deviation of the number of legal moves between games; nothing for fewer than two games.
    pub fn deviation_of_moves(&self) -> Option<f64> {
        if self.n_games < 2 {
            return None;
        }
        let (n, sum) = (u128::from(self.n_games), u128::from(self.moves_sum));
        // n * sum of squares - square of the sum, exact: both fit 128 bits, and the first is the larger.
        let spread = (n * u128::from(self.moves_squared_sum)).saturating_sub(sum.saturating_mul(sum));
        Some((spread as f64 / (n as f64 * (n - 1) as f64)).sqrt())
    }

    fn absorb(&mut self, other: &PlyTally) {
        add(&mut self.n_games, other.n_games);
        add(&mut self.moves_sum, other.moves_sum);
        add(&mut self.moves_squared_sum, other.moves_squared_sum);
        add(&mut self.n_captures, other.n_captures);
        add(&mut self.n_checks, other.n_checks);
    }
}

/// One kind of piece over many games; all sides together, on the board or in hand.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct KindTally {
    /// Pieces of the kind at the start, summed over games.
    pub n_at_start: u64,
    /// Pieces of the kind at the end, summed over games.
    pub n_at_end: u64,
    /// Legal moves made by pieces of the kind, summed over the plies that were sampled.
    pub n_mobile_moves: u64,
    /// Pieces of the kind that could have moved, summed over the same plies.
    pub n_mobile_pieces: u64,
    /// When its pieces appear and are captured; zeros in tallies of version 0.1.0.
    pub history: KindHistory,
}

/// When the pieces of a kind appear and are captured, over many games; all sides together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct KindHistory {
    /// Games in which there was a piece of the kind at some time.
    pub n_seen: u64,
    /// Games in which one was captured.
    pub n_lost: u64,
    /// Plies of the first captures, summed over games, and their squares.
    pub first_loss_sum: u64,
    pub first_loss_squared_sum: u64,
    /// Sides that lost a piece of the kind in games that somebody won, and those of them that won.
    pub n_losers: u64,
    pub n_losers_won: u64,
    /// Games in which none had been captured after each of [`INTACT_PLIES`], of those that were as long.
    pub n_intact: [u64; 3],
}

/// After how many plies it is asked whether a kind has lost no piece.
pub const INTACT_PLIES: [u32; 3] = [40, 80, 120];

impl KindTally {
    /// Pieces left at the end for each one at the start (more than 1 where pieces promote to the kind).
    pub fn survival(&self) -> Option<f64> {
        (self.n_at_start > 0).then(|| self.n_at_end as f64 / self.n_at_start as f64)
    }

    /// Legal moves of one piece, on average.
    pub fn mobility(&self) -> Option<f64> {
        (self.n_mobile_pieces > 0).then(|| self.n_mobile_moves as f64 / self.n_mobile_pieces as f64)
    }

    fn absorb(&mut self, other: &KindTally) {
        add(&mut self.n_at_start, other.n_at_start);
        add(&mut self.n_at_end, other.n_at_end);
        add(&mut self.n_mobile_moves, other.n_mobile_moves);
        add(&mut self.n_mobile_pieces, other.n_mobile_pieces);
        self.history.absorb(&other.history);
    }
}

impl KindHistory {
    /// Mean ply of the first capture, of the games that had one.
    pub fn first_loss(&self) -> Estimate {
        Estimate::mean_of_sums(self.n_lost, self.first_loss_sum, self.first_loss_squared_sum)
    }

    fn absorb(&mut self, other: &KindHistory) {
        add(&mut self.n_seen, other.n_seen);
        add(&mut self.n_lost, other.n_lost);
        add(&mut self.first_loss_sum, other.first_loss_sum);
        add(&mut self.first_loss_squared_sum, other.first_loss_squared_sum);
        add(&mut self.n_losers, other.n_losers);
        add(&mut self.n_losers_won, other.n_losers_won);
        self.n_intact.iter_mut().zip(other.n_intact).for_each(|(mine, its)| add(mine, its));
    }
}

/// What is remembered of one contest beside its [`GameRow`], in which plies are turns and moves are turns that
/// the dice allowed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ContestRow {
    /// Legal turns of all rolls, summed over the turns taken.
    pub n_all_rolls: u64,
    /// Twice the legal turns before the throw, summed over the turns taken.
    pub n_before_doubled: u64,
    pub n_piece_moves: u32,
    /// Turns without a move.
    pub n_passes: u32,
    /// Exchanges of royal pieces.
    pub n_exchanges: u8,
    pub n_blocks: u8,
    /// How often each side took each other's last royal piece: `takes[by][of]`.
    pub takes: [[u8; 4]; 4],
}

/// The tally of one work unit, or of many merged units.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UnitTally {
    /// One row for each game, in the order of the games.
    pub rows: Vec<GameRow>,
    /// Sums by ply.
    pub by_ply: Vec<PlyTally>,
    /// Sums by kind of piece, in the order of the rules.
    pub by_kind: Vec<KindTally>,
    /// For contests, one more row for each game.
    pub contests: Vec<ContestRow>,
}

impl UnitTally {
    /// Appends the games of `other`. Sums do not depend on the order of merging; rows do, so units are merged in the
    /// order of their numbers.
    pub fn absorb(&mut self, other: &UnitTally) {
        self.rows.extend_from_slice(&other.rows);
        self.contests.extend_from_slice(&other.contests);
        lengthen(&mut self.by_ply, other.by_ply.len());
        self.by_ply.iter_mut().zip(&other.by_ply).for_each(|(mine, its)| mine.absorb(its));
        lengthen(&mut self.by_kind, other.by_kind.len());
        self.by_kind.iter_mut().zip(&other.by_kind).for_each(|(mine, its)| mine.absorb(its));
    }

    /// All units as one, in the order given.
    pub fn merge<'a>(units: impl IntoIterator<Item = &'a UnitTally>) -> UnitTally {
        let mut all = UnitTally::default();
        units.into_iter().for_each(|unit| all.absorb(unit));
        all
    }

    /// The tally of this ply, made if it is the first to come so far.
    pub fn ply_mut(&mut self, ply: usize) -> &mut PlyTally {
        lengthen(&mut self.by_ply, ply + 1);
        &mut self.by_ply[ply]
    }
}

/// Saturates: only a forged file can overflow, and it must not cause a panic.
fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

fn lengthen<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    if list.len() < length {
        list.resize(length, T::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(n: u32, plies: u64) -> UnitTally {
        let row = GameRow {
            n_plies: n,
            n_moves: u64::from(n) * 20,
            winner: Some(0),
            reason: Reason::Checkmate,
            n_captures: 1,
            n_checks: 2,
            n_lead_changes: 3,
            openings: [u64::from(n), 0],
        };
        let ply =
            |x| PlyTally { n_games: 1, moves_sum: x, moves_squared_sum: x * x, n_captures: 1, n_checks: 0 };
        let history = KindHistory { n_seen: 1, n_lost: 1, first_loss_sum: 7, ..KindHistory::default() };
        let kind = KindTally { n_at_start: 8, n_at_end: 3, n_mobile_moves: 30, n_mobile_pieces: 10, history };
        UnitTally {
            rows: vec![row],
            by_ply: (1..=plies).map(ply).collect(),
            by_kind: vec![kind; 2],
            ..UnitTally::default()
        }
    }

    #[test]
    fn sums_do_not_depend_on_order_and_rows_keep_theirs() {
        let (a, b, c) = (unit(1, 5), unit(2, 9), unit(3, 2));
        let forth = UnitTally::merge([&a, &b, &c]);
        let back = UnitTally::merge([&c, &UnitTally::default(), &b, &a]);
        assert_eq!((&forth.by_ply, &forth.by_kind), (&back.by_ply, &back.by_kind));
        assert_eq!(forth.by_ply.len(), 9);
        assert_eq!(forth.rows.iter().map(|row| row.n_plies).collect::<Vec<_>>(), [1, 2, 3]);
        let grouped = UnitTally::merge([&a, &UnitTally::merge([&b, &c])]);
        assert_eq!(grouped, forth);
    }

    #[test]
    fn means_and_deviations_by_hand() {
        // 2, 4 and 9 legal moves: mean 5, deviation sqrt((9 + 1 + 16) / 2).
        let ply =
            PlyTally { n_games: 3, moves_sum: 15, moves_squared_sum: 4 + 16 + 81, ..PlyTally::default() };
        assert_eq!(ply.mean_moves(), Some(5.0));
        assert_eq!(ply.deviation_of_moves(), Some(13f64.sqrt()));
        assert_eq!(PlyTally::default().mean_moves(), None);
        assert_eq!(unit(1, 1).by_kind[0].survival(), Some(0.375));
        assert_eq!(unit(1, 1).by_kind[0].mobility(), Some(3.0));
        // First captures at plies 3, 5 and 10: mean 6, standard error sqrt((9 + 1 + 16) / 2 / 3).
        let history = KindHistory {
            n_lost: 3,
            first_loss_sum: 18,
            first_loss_squared_sum: 134,
            ..KindHistory::default()
        };
        let first_loss = history.first_loss();
        assert_eq!(first_loss.value, 6.0);
        assert!((first_loss.standard_error - (13.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(KindHistory::default().first_loss().n, 0);
    }
}

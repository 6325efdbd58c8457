//! When the pieces of each kind appear and are captured in one game.
//!
//! In: pieces that are there and that are captured. Out: additions to the tallies of the kinds. Never: why.

use ashta_position::Outcome;
use ashta_rules::{KindId, MAX_KINDS, Rules, Side};

use crate::tally::{INTACT_PLIES, KindTally};

/// Sets of kinds are words of 64 bits.
const _: () = assert!(MAX_KINDS <= 64);

/// What has been seen of a game.
#[derive(Clone, Copy, Debug)]
pub struct Losses {
    /// Kinds that have been on the board, and those that were there at the start.
    seen: u64,
    at_start: u64,
    /// Kinds of which each side has lost a piece.
    lost: [u64; 4],
    /// The ply of the first capture of each kind of which a piece was captured.
    first_loss: [u32; MAX_KINDS],
}

impl Default for Losses {
    fn default() -> Losses {
        Losses { seen: 0, at_start: 0, lost: [0; 4], first_loss: [0; MAX_KINDS] }
    }
}

impl Losses {
    /// The game begins with the pieces seen so far.
    pub fn begin(&mut self) {
        self.at_start = self.seen;
    }

    /// There is a piece of this kind.
    #[inline(always)]
    pub fn see(&mut self, kind: KindId) {
        self.seen |= 1 << kind.0;
    }

    /// A side loses a piece of this kind.
    #[inline(always)]
    pub fn lose(&mut self, side: Side, kind: KindId, ply: u32) {
        let bit = 1 << kind.0;
        if self.lost.iter().all(|lost| lost & bit == 0) {
            self.first_loss[kind.index()] = ply;
        }
        self.lost[side.index() & 3] |= bit;
    }

    /// Adds a finished game to the tallies of its kinds.
    pub fn add_to(&self, kinds: &mut [KindTally], n_plies: u32, outcome: Option<Outcome>, rules: &Rules) {
        let winner = outcome.and_then(|outcome| outcome.winner);
        let team = |side: Side| &rules.sides()[side.index()].team;
        for (n, kind) in kinds.iter_mut().enumerate() {
            let has = |set: u64| set >> n & 1 == 1;
            let (history, ply) = (&mut kind.history, u64::from(self.first_loss[n]));
            let is_lost = self.lost.iter().any(|lost| has(*lost));
            history.n_seen += u64::from(has(self.seen));
            if has(self.at_start) {
                for (n_intact, at) in history.n_intact.iter_mut().zip(INTACT_PLIES) {
                    *n_intact += u64::from(n_plies >= at && (!is_lost || ply > u64::from(at)));
                }
            }
            if !is_lost {
                continue;
            }
            history.n_lost += 1;
            history.first_loss_sum += ply;
            history.first_loss_squared_sum += ply * ply;
            if let Some(winner) = winner {
                let losers = rules.side_ids().filter(|side| has(self.lost[side.index() & 3]));
                for loser in losers {
                    history.n_losers += 1;
                    history.n_losers_won += u64::from(team(loser) == team(winner));
                }
            }
        }
    }
}

//! Mates by consecutive checks (tsume): the shortest, with every first move that has it.
//!
//! In: a position, a maximal length in plies. Out: the shortest mate, its first moves, its longest defence. Never: a
//! move of the attacker that gives no check.
//!
//! `proof_search` proves or disproves one length; this module chooses the lengths.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ashta_position::{Move, Position, Tables};

use super::mate::Stopped;
use super::proof_numbers::NodeKind;
use super::proof_search::ProofSearch;
use super::transposition::NEVER;
use super::tsume_moves::Futile;

/// Solves mates by checks; its tables stay valid between calls.
pub struct TsumeSolver<'s, W> {
    proofs: ProofSearch<'s, W>,
    /// Lengths up to this are tried one after another.
    pub(super) linear_plies: u16,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tsume {
    pub plies: u16,
    /// Every first move of a shortest mate.
    pub keys: Vec<Move>,
    /// The longest defence against the first key.
    pub line: Vec<Move>,
    /// At each of the attacker's moves of the line, how many moves mate as soon.
    pub choices: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TsumeAnswer {
    /// The shortest mate.
    Mate(Tsume),
    /// No mate of so many plies or fewer.
    NotWithin(u16),
    /// No mate of any length.
    Never,
}

/// Most problems are no longer.
const LINEAR_PLIES: u16 = 11;

impl<'s, W: SearchWord> TsumeSolver<'s, W> {
    /// A solver that stops when `stop` becomes true.
    pub fn new(tables: &Arc<Tables<W>>, futile: Futile, stop: &'s AtomicBool) -> TsumeSolver<'s, W> {
        TsumeSolver { proofs: ProofSearch::new(tables, futile, stop), linear_plies: LINEAR_PLIES }
    }

    /// The shortest mate of at most `max` plies.
    ///
    /// Short lengths are tried one after another. Then the longest is tried, which finds a mate if there is one, or
    /// disproves all lengths at once; a binary search finds the shortest.
    pub fn solve(&mut self, position: &mut Position<W>, max: u16) -> Result<TsumeAnswer, Stopped> {
        self.solve_with_progress(position, max, &mut |_| ())
    }

    /// The same; `progress` gets each length when its search begins.
    pub fn solve_with_progress(
        &mut self,
        position: &mut Position<W>,
        max: u16,
        progress: &mut dyn FnMut(u16),
    ) -> Result<TsumeAnswer, Stopped> {
        for plies in (1..=max.min(self.linear_plies)).step_by(2) {
            progress(plies);
            if self.proofs.is_proved(position, NodeKind::Attacker, plies)? {
                return Ok(TsumeAnswer::Mate(self.describe(position, plies)?));
            }
            if self.is_never(position, plies) {
                return Ok(TsumeAnswer::Never);
            }
        }
        // An attacker's mate has an odd number of plies.
        let (mut refuted, mut proved) = (self.linear_plies, max.div_ceil(2) * 2 - 1);
        if proved <= refuted {
            return Ok(TsumeAnswer::NotWithin(max));
        }
        progress(proved);
        if !self.proofs.is_proved(position, NodeKind::Attacker, proved)? {
            let never = self.is_never(position, proved);
            return Ok(if never { TsumeAnswer::Never } else { TsumeAnswer::NotWithin(max) });
        }
        while proved - refuted > 2 {
            let middle = (refuted + (proved - refuted) / 4 * 2).clamp(refuted + 2, proved - 2);
            progress(middle);
            if self.proofs.is_proved(position, NodeKind::Attacker, middle)? {
                proved = middle
            } else {
                refuted = middle
            }
        }
        Ok(TsumeAnswer::Mate(self.describe(position, proved)?))
    }

    fn is_never(&self, position: &Position<W>, plies: u16) -> bool {
        self.proofs.table.get(self.proofs.moves.key(position, plies)).not_within == NEVER
    }

    fn describe(&mut self, position: &mut Position<W>, plies: u16) -> Result<Tsume, Stopped> {
        let keys = self.keys(position, plies)?;
        let mut line = Vec::new();
        let mut choices = Vec::new();
        let mut played = Vec::new();
        let mut left = plies;
        while left > 0 {
            let best = self.keys(position, left)?;
            let Some(mv) = best.first().copied() else { break };
            choices.push(best.len());
            line.push(mv);
            played.push((mv, position.play_unchecked(mv)));
            let Some((reply, length)) = self.longest_defence(position, left - 1)? else { break };
            line.push(reply);
            played.push((reply, position.play_unchecked(reply)));
            left = length;
        }
        for (mv, undo) in played.into_iter().rev() {
            position.take_back(mv, undo);
        }
        Ok(Tsume { plies, keys, line, choices })
    }

    /// The checks that mate within `plies` plies.
    pub fn keys(&mut self, position: &mut Position<W>, plies: u16) -> Result<Vec<Move>, Stopped> {
        let mut keys = Vec::new();
        for mv in self.proofs.moves.checks(position) {
            let undo = position.play_unchecked(mv);
            let proved = self.proofs.is_proved(position, NodeKind::Defender, plies - 1);
            position.take_back(mv, undo);
            if proved? {
                keys.push(mv);
            }
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// The longest defence and the plies of the mate after it; `None` if it is mate.
    pub fn longest_defence(
        &mut self,
        position: &mut Position<W>,
        plies: u16,
    ) -> Result<Option<(Move, u16)>, Stopped> {
        let mut best: Option<(Move, u16)> = None;
        for mv in self.replies(position) {
            let undo = position.play_unchecked(mv);
            let length = self.shortest(position, plies.saturating_sub(1));
            position.take_back(mv, undo);
            let length = length?.unwrap_or(plies);
            if best.is_none_or(|(_, longest)| length > longest) {
                best = Some((mv, length));
            }
        }
        Ok(best)
    }

    /// The length of the shortest mate of at most `max` plies.
    pub fn shortest(&mut self, position: &mut Position<W>, max: u16) -> Result<Option<u16>, Stopped> {
        for plies in (1..=max).step_by(2) {
            if self.proofs.is_proved(position, NodeKind::Attacker, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    pub fn n_nodes(&self) -> u64 {
        self.proofs.n_nodes
    }

    /// Every legal reply that counts as a defence; none if the game is over.
    pub fn replies(&mut self, position: &mut Position<W>) -> Vec<Move> {
        self.proofs.moves.replies(position).unwrap_or_default()
    }

    /// A capture of the last royal piece of the other side, if royal pieces are captured.
    pub fn royal_captured(&mut self, position: &Position<W>) -> Option<Move> {
        self.proofs.moves.royal_captured(position)
    }

    /// The checks of the side to move, in the order of generation.
    pub fn checking_moves(&mut self, position: &mut Position<W>) -> Vec<Move> {
        self.proofs.moves.checks(position)
    }
}

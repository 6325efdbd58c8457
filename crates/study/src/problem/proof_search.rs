//! Depth-first proof-number search (df-pn) for mates by checks of a given length.
//!
//! In: a position, the plies left. Out: proved or disproved. Never: a length that was not searched for.
//!
//! The plies left are part of the node: no line repeats, a proof is a proof of that length, and the disproof of one
//! length means that the mate is longer. A disproof that was not cut off by the length holds for every length.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{Position, Tables};
use ashta_search::SearchWord;

use super::mate::Stopped;
use super::proof_numbers::{Child, NodeKind, ProofNumberTable, ProofNumbers, child_thresholds, combine};
use super::transposition::{MateTranspositionTable, NEVER};
use super::tsume_moves::{Futile, TsumeMoves};

/// Its tables stay valid between calls.
pub struct ProofSearch<'s, W> {
    pub moves: TsumeMoves<W>,
    pub table: MateTranspositionTable,
    numbers: ProofNumberTable,
    stop: &'s AtomicBool,
    pub n_nodes: u64,
    /// The length that is searched for.
    length: u16,
}

const FIRST_BITS: u32 = 14;
const MAX_BITS: u32 = 23;
/// Up to this length a new node has no estimate.
const SHORT_PLIES: u16 = 11;

impl<'s, W: SearchWord> ProofSearch<'s, W> {
    pub fn new(tables: &Arc<Tables<W>>, futile: Futile, stop: &'s AtomicBool) -> ProofSearch<'s, W> {
        ProofSearch {
            moves: TsumeMoves::new(tables, futile),
            table: MateTranspositionTable::new(FIRST_BITS, MAX_BITS),
            numbers: ProofNumberTable::new(FIRST_BITS, MAX_BITS),
            stop,
            n_nodes: 0,
            length: 0,
        }
    }

    pub fn is_proved(
        &mut self,
        position: &mut Position<W>,
        node: NodeKind,
        plies: u16,
    ) -> Result<bool, Stopped> {
        // A mate in no plies: the defender has no reply.
        if node == NodeKind::Defender && plies == 0 {
            return Ok(self.moves.is_mated(position));
        }
        self.length = plies;
        let numbers = self.search(position, node, plies, ProofNumbers::UNBOUNDED)?;
        Ok(numbers.proof == 0)
    }

    /// A solved node. A defender's length is stored plus one, since 0 stands for unknown. The turn is part of the key,
    /// so attacker and defender entries never mix.
    fn stored(&self, key: u64, node: NodeKind, plies: u16) -> Option<ProofNumbers> {
        let n = if node == NodeKind::Attacker { plies } else { plies + 1 };
        self.table.get(key).answers(n).map(ProofNumbers::solved)
    }

    fn store_solved(&mut self, key: u64, node: NodeKind, plies: u16, proved: bool) -> ProofNumbers {
        let n = if node == NodeKind::Attacker || plies == NEVER { plies } else { plies + 1 };
        self.table.store(self.table.get(key).with(n, proved));
        ProofNumbers::solved(proved)
    }

    /// df-pn: searches until the numbers of a node reach a threshold.
    fn search(
        &mut self,
        position: &mut Position<W>,
        node: NodeKind,
        plies: u16,
        thresholds: ProofNumbers,
    ) -> Result<ProofNumbers, Stopped> {
        let key = self.moves.key(position, plies);
        if let Some(solved) = self.stored(key, node, plies) {
            return Ok(solved);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        self.n_nodes += 1;
        let children = match node {
            NodeKind::Attacker => match self.moves.end(position) {
                Some(won) => return Ok(self.store_solved(key, node, if won { 1 } else { NEVER }, won)),
                None => Some(self.attacks(position, plies)),
            },
            NodeKind::Defender => self.defences(position, plies),
        };
        let Some(mut children) = children else {
            return Ok(self.store_solved(key, node, NEVER, false));
        };
        loop {
            let (numbers, best, second) = combine(node, &children);
            if numbers.proof == 0 || numbers.disproof == 0 {
                return Ok(self.conclude(position, node, plies, &children, numbers.proof == 0));
            }
            if numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof {
                self.numbers.set(key, plies, numbers);
                return Ok(numbers);
            }
            let child = &mut children[best];
            let inner = child_thresholds(node, thresholds, numbers, child.numbers, second);
            let other = if node == NodeKind::Attacker { NodeKind::Defender } else { NodeKind::Attacker };
            let undo = position.play_unchecked(child.mv);
            let found = self.search(position, other, plies - 1, inner);
            position.take_back(child.mv, undo);
            child.numbers = found?;
        }
    }

    /// Stores a solved node; a disproof that was not cut off by the length holds for every length.
    fn conclude(
        &mut self,
        position: &mut Position<W>,
        node: NodeKind,
        plies: u16,
        children: &[Child],
        proved: bool,
    ) -> ProofNumbers {
        let key = self.moves.key(position, plies);
        if proved {
            return self.store_solved(key, node, plies, true);
        }
        let mut is_never = |child: &Child| {
            let undo = position.play_unchecked(child.mv);
            let never = self.table.get(self.moves.key(position, plies - 1)).not_within == NEVER;
            position.take_back(child.mv, undo);
            never
        };
        let never = match node {
            NodeKind::Attacker => plies > 1 && children.iter().all(is_never),
            NodeKind::Defender => {
                children.iter().filter(|child| child.numbers.disproof == 0).any(&mut is_never)
            }
        };
        let never = never || (node == NodeKind::Attacker && children.is_empty());
        self.store_solved(key, node, if never { NEVER } else { plies }, false)
    }

    /// The checks with their proof numbers.
    fn attacks(&mut self, position: &mut Position<W>, plies: u16) -> Vec<Child> {
        let mut children = Vec::new();
        for mv in self.moves.checks(position) {
            let undo = position.play_unchecked(mv);
            let numbers = self.after_check(position, plies - 1);
            position.take_back(mv, undo);
            children.push(Child { mv, numbers });
            if numbers.proof == 0 {
                break;
            }
        }
        children
    }

    fn after_check(&mut self, position: &mut Position<W>, plies: u16) -> ProofNumbers {
        let key = self.moves.key(position, plies);
        if let Some(solved) = self.stored(key, NodeKind::Defender, plies) {
            return solved;
        }
        if let Some(numbers) = self.numbers.get(key, plies) {
            return numbers;
        }
        let n_replies = match plies {
            0 => Some(u32::from(!self.moves.is_mated(position))),
            _ => self.moves.replies(position).map(|replies| replies.len() as u32),
        };
        match n_replies {
            None => self.store_solved(key, NodeKind::Defender, NEVER, false),
            Some(0) => self.store_solved(key, NodeKind::Defender, 0, true),
            Some(_) if plies == 0 => ProofNumbers::solved(false),
            Some(n) => ProofNumbers { proof: n, disproof: 1 },
        }
    }

    /// A reply after which there is no check refutes at once, for every length. Any other has as many checks to refute,
    /// so df-pn tries the reply that leaves the fewest first. For short mates, counting costs more than it saves.
    fn after_reply(&mut self, position: &mut Position<W>, key: u64) -> ProofNumbers {
        if self.length <= SHORT_PLIES {
            return ProofNumbers::NEW;
        }
        match self.moves.checks(position).len() as u32 {
            0 => self.store_solved(key, NodeKind::Attacker, NEVER, false),
            n => ProofNumbers { proof: 1, disproof: n },
        }
    }

    /// The replies with their proof numbers; `None` if the defender needs none.
    fn defences(&mut self, position: &mut Position<W>, plies: u16) -> Option<Vec<Child>> {
        let mut children = Vec::new();
        for mv in self.moves.replies(position)? {
            let undo = position.play_unchecked(mv);
            let key = self.moves.key(position, plies - 1);
            let stored = self.stored(key, NodeKind::Attacker, plies - 1);
            let numbers = stored.or_else(|| self.numbers.get(key, plies - 1));
            let numbers = numbers.unwrap_or_else(|| self.after_reply(position, key));
            position.take_back(mv, undo);
            children.push(Child { mv, numbers });
            if numbers.disproof == 0 {
                break;
            }
        }
        Some(children)
    }
}

//! Mates by consecutive checks (tsume): the shortest, with every first move that has it.
//!
//! In: a position, a maximal length in plies. Out: the shortest mate, its first moves, its longest defence. Never: a
//! move of the attacker that gives no check.
//!
//! Depth-first proof-number search (df-pn) with the plies left as part of the node: no line repeats, a proof is a proof
//! of that length, and the disproof of one length means that the mate is longer. A disproof that was not cut off by the
//! length holds for every length.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{Action, Move, MoveGroups, MoveList, Position, Tables};

use super::checks::CheckTables;
use super::mate::Stopped;
use super::proof_numbers::{Child, NodeKind, ProofNumberTable, ProofNumbers, child_thresholds, combine};
use super::transposition::{MateTranspositionTable, NEVER};

/// Whether futile interpositions (無駄合) count as moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Futile {
    /// Plain rules: every legal move counts.
    #[default]
    Count,
    /// The convention of problems: an interposed drop that is captured with mate is no defence.
    Ignore,
}

/// Solves mates by checks; its tables stay valid between calls.
pub struct TsumeSolver<'s, W> {
    checks: CheckTables<W>,
    futile: Futile,
    table: MateTranspositionTable,
    numbers: ProofNumberTable,
    lists: Vec<MoveList>,
    groups: MoveGroups<W>,
    /// Lengths up to this are tried one after another.
    pub(super) linear_plies: u16,
    stop: &'s AtomicBool,
    pub n_nodes: u64,
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
const FIRST_BITS: u32 = 14;
const MAX_BITS: u32 = 23;

impl<'s, W: SearchWord> TsumeSolver<'s, W> {
    /// A solver that stops when `stop` becomes true.
    pub fn new(tables: &Arc<Tables<W>>, futile: Futile, stop: &'s AtomicBool) -> TsumeSolver<'s, W> {
        TsumeSolver {
            checks: CheckTables::new(tables),
            futile,
            table: MateTranspositionTable::new(FIRST_BITS, MAX_BITS),
            numbers: ProofNumberTable::new(FIRST_BITS, MAX_BITS),
            lists: Vec::new(),
            groups: MoveGroups::new(),
            linear_plies: LINEAR_PLIES,
            stop,
            n_nodes: 0,
        }
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
            if self.is_proved(position, NodeKind::Attacker, plies)? {
                return Ok(TsumeAnswer::Mate(self.describe(position, plies)?));
            }
            if self.table.get(position.key()).not_within == NEVER {
                return Ok(TsumeAnswer::Never);
            }
        }
        // An attacker's mate has an odd number of plies.
        let (mut refuted, mut proved) = (self.linear_plies, max.div_ceil(2) * 2 - 1);
        if proved <= refuted {
            return Ok(TsumeAnswer::NotWithin(max));
        }
        progress(proved);
        if !self.is_proved(position, NodeKind::Attacker, proved)? {
            let never = self.table.get(position.key()).not_within == NEVER;
            return Ok(if never { TsumeAnswer::Never } else { TsumeAnswer::NotWithin(max) });
        }
        while proved - refuted > 2 {
            let middle = (refuted + (proved - refuted) / 4 * 2).clamp(refuted + 2, proved - 2);
            progress(middle);
            if self.is_proved(position, NodeKind::Attacker, middle)? {
                proved = middle
            } else {
                refuted = middle
            }
        }
        Ok(TsumeAnswer::Mate(self.describe(position, proved)?))
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
        for mv in self.checking_moves(position) {
            let undo = position.play_unchecked(mv);
            let proved = self.is_proved(position, NodeKind::Defender, plies - 1);
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
            if self.is_proved(position, NodeKind::Attacker, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Every legal reply that counts as a defence.
    pub fn replies(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut list = self.take_list();
        position.generate(&mut list);
        let mut replies = list.to_vec();
        self.lists.push(list);
        if self.futile == Futile::Ignore {
            self.drop_futile(position, &mut replies);
        }
        replies
    }

    fn is_proved(&mut self, position: &mut Position<W>, node: NodeKind, plies: u16) -> Result<bool, Stopped> {
        // A mate in no plies: the defender has no reply.
        if node == NodeKind::Defender && plies == 0 {
            return Ok(self.replies(position).is_empty());
        }
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
        let key = position.key();
        if let Some(solved) = self.stored(key, node, plies) {
            return Ok(solved);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        self.n_nodes += 1;
        let mut children = match node {
            NodeKind::Attacker => self.attacks(position, plies),
            NodeKind::Defender => self.defences(position, plies),
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
        let key = position.key();
        if proved {
            return self.store_solved(key, node, plies, true);
        }
        let mut is_never = |child: &Child| {
            let undo = position.play_unchecked(child.mv);
            let never = self.table.get(position.key()).not_within == NEVER;
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
        for mv in self.checking_moves(position) {
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
        let key = position.key();
        if let Some(solved) = self.stored(key, NodeKind::Defender, plies) {
            return solved;
        }
        if let Some(numbers) = self.numbers.get(key, plies) {
            return numbers;
        }
        let n_replies = match (plies, self.futile) {
            (0, Futile::Count) => u32::from(position.has_legal_move()),
            _ => self.replies(position).len() as u32,
        };
        match n_replies {
            0 => self.store_solved(key, NodeKind::Defender, 0, true),
            _ if plies == 0 => ProofNumbers::solved(false),
            n => ProofNumbers { proof: n, disproof: 1 },
        }
    }

    /// The replies with their proof numbers.
    fn defences(&mut self, position: &mut Position<W>, plies: u16) -> Vec<Child> {
        let mut children = Vec::new();
        for mv in self.replies(position) {
            let undo = position.play_unchecked(mv);
            let key = position.key();
            let stored = self.stored(key, NodeKind::Attacker, plies - 1);
            let numbers = stored.or_else(|| self.numbers.get(key, plies - 1));
            position.take_back(mv, undo);
            children.push(Child { mv, numbers: numbers.unwrap_or(ProofNumbers::NEW) });
        }
        children
    }

    /// The checks of the side to move, in the order of generation.
    pub fn checking_moves(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut checking = Vec::new();
        self.checks.list(position, &mut self.groups, &mut checking);
        checking
    }

    /// Drops interpositions that the attacker captures with mate (by this same convention) on the square of the drop.
    fn drop_futile(&mut self, position: &mut Position<W>, replies: &mut Vec<Move>) {
        // Only where drops alone delay the mate: with any other reply, a drop may matter to what follows.
        if !replies.iter().all(|mv| matches!(mv.action(), Action::Drop { .. })) {
            return;
        }
        let all_futile = replies.iter().all(|mv| {
            let undo = position.play_unchecked(*mv);
            let futile = self.is_captured_with_mate(position, *mv);
            position.take_back(*mv, undo);
            futile
        });
        if all_futile {
            replies.clear();
        }
    }

    fn is_captured_with_mate(&mut self, position: &mut Position<W>, drop: Move) -> bool {
        let takes: Vec<Move> =
            self.checking_moves(position).into_iter().filter(|mv| mv.to() == drop.to()).collect();
        takes.into_iter().any(|mv| {
            let undo = position.play_unchecked(mv);
            let mated = self.replies(position).is_empty();
            position.take_back(mv, undo);
            mated
        })
    }

    fn take_list(&mut self) -> MoveList {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        list
    }
}

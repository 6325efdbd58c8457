//! Mates by consecutive checks, of any length: the shortest, with every first move that has it.
//!
//! In: a position, a longest length in plies. Out: the shortest mate, its first moves, its longest defence. Never: moves
//! of the attacker that give no check.
//!
//! Depth-first proof-number search (df-pn), the length left being part of the question: so no line repeats, a proof is a
//! proof of that length, and the refutation of one length says that the mate is longer. A refutation that no length cut off
//! holds for every length.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{Action, Move, MoveList, Position, Tables, Word};

use super::checks::{Check, CheckTables};
use super::mate::Stopped;
use super::memory::{Memory, NEVER};
use super::numbers::{Child, Node, Numbers, NumbersTable, child_limits, gather};

/// Whether interpositions that only delay the mate count as moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Futile {
    /// Plain rules: every legal move counts.
    #[default]
    Count,
    /// The convention of problems: a man dropped between, which the checking piece takes with mate, is no defence.
    Ignore,
}

/// A solver of mates by checks; it keeps its memory between questions.
#[derive(Debug)]
pub struct TsumeSolver<'s, W> {
    checks: CheckTables<W>,
    futile: Futile,
    memory: Memory,
    numbers: NumbersTable,
    lists: Vec<MoveList>,
    /// Lengths up to this are tried one after another.
    pub(super) stepped: u16,
    stop: &'s AtomicBool,
    /// Positions looked at.
    pub n_nodes: u64,
}

/// A mate found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tsume {
    /// Its length in plies.
    pub plies: u16,
    /// Every first move that has it.
    pub keys: Vec<Move>,
    /// The longest defence against the first of them.
    pub line: Vec<Move>,
    /// At each of the attacker's moves of the line, how many moves mate as soon.
    pub choices: Vec<usize>,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TsumeAnswer {
    /// A mate, and there is no shorter one.
    Mate(Tsume),
    /// No mate of so many plies or fewer.
    NotWithin(u16),
    /// No mate of any length.
    Never,
}

/// Most problems are no longer.
const STEPPED: u16 = 11;
const FIRST_BITS: u32 = 14;
const MOST_BITS: u32 = 23;

impl<'s, W: Word> TsumeSolver<'s, W> {
    /// A solver; it gives up when `stop` becomes true.
    pub fn new(tables: &Arc<Tables<W>>, futile: Futile, stop: &'s AtomicBool) -> TsumeSolver<'s, W> {
        TsumeSolver {
            checks: CheckTables::new(tables),
            futile,
            memory: Memory::new(FIRST_BITS, MOST_BITS),
            numbers: NumbersTable::new(FIRST_BITS, MOST_BITS),
            lists: Vec::new(),
            stepped: STEPPED,
            stop,
            n_nodes: 0,
        }
    }

    /// The shortest mate of at most `most` plies.
    ///
    /// Short lengths are tried one after another. Then the longest is, which finds a mate if there is one, or refutes all
    /// lengths at once; and the shortest between is found by halving.
    pub fn solve(&mut self, position: &mut Position<W>, most: u16) -> Result<TsumeAnswer, Stopped> {
        self.solve_watched(position, most, &mut |_| ())
    }

    /// The same; `watch` is told of each length when it begins to be looked for.
    pub fn solve_watched(
        &mut self,
        position: &mut Position<W>,
        most: u16,
        watch: &mut dyn FnMut(u16),
    ) -> Result<TsumeAnswer, Stopped> {
        for plies in (1..=most.min(self.stepped)).step_by(2) {
            watch(plies);
            if self.is_proved(position, Node::Attacker, plies)? {
                return Ok(TsumeAnswer::Mate(self.tell(position, plies)?));
            }
            if self.memory.get(position.key()).not_within == NEVER {
                return Ok(TsumeAnswer::Never);
            }
        }
        // An attacker's mate has an odd number of plies.
        let (mut refuted, mut proved) = (self.stepped, most.div_ceil(2) * 2 - 1);
        if proved <= refuted {
            return Ok(TsumeAnswer::NotWithin(most));
        }
        watch(proved);
        if !self.is_proved(position, Node::Attacker, proved)? {
            let never = self.memory.get(position.key()).not_within == NEVER;
            return Ok(if never { TsumeAnswer::Never } else { TsumeAnswer::NotWithin(most) });
        }
        while proved - refuted > 2 {
            let middle = (refuted + (proved - refuted) / 4 * 2).clamp(refuted + 2, proved - 2);
            watch(middle);
            if self.is_proved(position, Node::Attacker, middle)? { proved = middle } else { refuted = middle }
        }
        Ok(TsumeAnswer::Mate(self.tell(position, proved)?))
    }

    fn tell(&mut self, position: &mut Position<W>, plies: u16) -> Result<Tsume, Stopped> {
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
            let proved = self.is_proved(position, Node::Defender, plies - 1);
            position.take_back(mv, undo);
            if proved? {
                keys.push(mv);
            }
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// The reply that holds out longest, with the plies of the mate after it; none if it is mate.
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

    /// The length of the shortest mate of at most `most` plies.
    pub fn shortest(&mut self, position: &mut Position<W>, most: u16) -> Result<Option<u16>, Stopped> {
        for plies in (1..=most).step_by(2) {
            if self.is_proved(position, Node::Attacker, plies)? {
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
            self.leave_out_futile(position, &mut replies);
        }
        replies
    }

    fn is_proved(&mut self, position: &mut Position<W>, node: Node, plies: u16) -> Result<bool, Stopped> {
        // A mate in no plies: the defender has no reply.
        if node == Node::Defender && plies == 0 {
            return Ok(self.replies(position).is_empty());
        }
        let numbers = self.search(position, node, plies, Numbers::LIMITS)?;
        Ok(numbers.proof == 0)
    }

    /// What is settled; a defender's lengths are kept as one more, for none would be no answer. The two sorts never meet:
    /// whose turn it is is part of the key.
    fn known(&self, key: u64, node: Node, plies: u16) -> Option<Numbers> {
        let n = if node == Node::Attacker { plies } else { plies + 1 };
        self.memory.get(key).answers(n).map(Numbers::settled)
    }

    fn settle(&mut self, key: u64, node: Node, plies: u16, proved: bool) -> Numbers {
        let n = if node == Node::Attacker || plies == NEVER { plies } else { plies + 1 };
        self.memory.set(self.memory.get(key).with(n, proved));
        Numbers::settled(proved)
    }

    /// Searches until the numbers of a position reach one of the limits.
    fn search(
        &mut self,
        position: &mut Position<W>,
        node: Node,
        plies: u16,
        limits: Numbers,
    ) -> Result<Numbers, Stopped> {
        let key = position.key();
        if let Some(settled) = self.known(key, node, plies) {
            return Ok(settled);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        self.n_nodes += 1;
        let mut children = match node {
            Node::Attacker => self.attacks(position, plies),
            Node::Defender => self.defences(position, plies),
        };
        loop {
            let (numbers, best, second) = gather(node, &children);
            if numbers.proof == 0 || numbers.disproof == 0 {
                return Ok(self.conclude(position, node, plies, &children, numbers.proof == 0));
            }
            if numbers.proof >= limits.proof || numbers.disproof >= limits.disproof {
                self.numbers.set(key, plies, numbers);
                return Ok(numbers);
            }
            let child = &mut children[best];
            let inner = child_limits(node, limits, numbers, child.numbers, second);
            let other = if node == Node::Attacker { Node::Defender } else { Node::Attacker };
            let undo = position.play_unchecked(child.mv);
            let found = self.search(position, other, plies - 1, inner);
            position.take_back(child.mv, undo);
            child.numbers = found?;
        }
    }

    /// Keeps a settled answer; a refutation that no length cut off holds for all.
    fn conclude(
        &mut self,
        position: &mut Position<W>,
        node: Node,
        plies: u16,
        children: &[Child],
        proved: bool,
    ) -> Numbers {
        let key = position.key();
        if proved {
            return self.settle(key, node, plies, true);
        }
        let mut is_never = |child: &Child| {
            let undo = position.play_unchecked(child.mv);
            let never = self.memory.get(position.key()).not_within == NEVER;
            position.take_back(child.mv, undo);
            never
        };
        let never = match node {
            Node::Attacker => plies > 1 && children.iter().all(is_never),
            Node::Defender => children.iter().filter(|child| child.numbers.disproof == 0).any(&mut is_never),
        };
        let never = never || (node == Node::Attacker && children.is_empty());
        self.settle(key, node, if never { NEVER } else { plies }, false)
    }

    /// The checks, with what is known after each.
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

    fn after_check(&mut self, position: &mut Position<W>, plies: u16) -> Numbers {
        let key = position.key();
        if let Some(settled) = self.known(key, Node::Defender, plies) {
            return settled;
        }
        if let Some(numbers) = self.numbers.get(key, plies) {
            return numbers;
        }
        let n_replies = match (plies, self.futile) {
            (0, Futile::Count) => u32::from(position.has_legal_move()),
            _ => self.replies(position).len() as u32,
        };
        match n_replies {
            0 => self.settle(key, Node::Defender, 0, true),
            _ if plies == 0 => Numbers::settled(false),
            n => Numbers { proof: n, disproof: 1 },
        }
    }

    /// The replies, with what is known after each.
    fn defences(&mut self, position: &mut Position<W>, plies: u16) -> Vec<Child> {
        let mut children = Vec::new();
        for mv in self.replies(position) {
            let undo = position.play_unchecked(mv);
            let key = position.key();
            let known = self.known(key, Node::Attacker, plies - 1);
            let numbers = known.or_else(|| self.numbers.get(key, plies - 1));
            position.take_back(mv, undo);
            children.push(Child { mv, numbers: numbers.unwrap_or(Numbers::NEW) });
        }
        children
    }

    /// The side to move's checks, in the order of generation.
    pub fn checking_moves(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut list = self.take_list();
        position.generate(&mut list);
        let checks = self.checks.of(position);
        let mut checking = Vec::new();
        for mv in list.iter() {
            let is_check = match checks.check(position, *mv) {
                Check::Yes => true,
                Check::No => false,
                Check::Unsure => {
                    let undo = position.play_unchecked(*mv);
                    let is_check = position.is_in_check();
                    position.take_back(*mv, undo);
                    is_check
                }
            };
            if is_check {
                checking.push(*mv);
            }
        }
        self.lists.push(list);
        checking
    }

    /// Leaves out drops that the attacker takes with mate, by this same convention, on the square of the drop.
    fn leave_out_futile(&mut self, position: &mut Position<W>, replies: &mut Vec<Move>) {
        // A mate that only drops delay: as soon as one other reply is there, drops may matter to what it leads to.
        if !replies.iter().all(|mv| matches!(mv.action(), Action::Drop { .. })) {
            return;
        }
        let all_futile = replies.iter().all(|mv| {
            let undo = position.play_unchecked(*mv);
            let futile = self.is_taken_with_mate(position, *mv);
            position.take_back(*mv, undo);
            futile
        });
        if all_futile {
            replies.clear();
        }
    }

    fn is_taken_with_mate(&mut self, position: &mut Position<W>, drop: Move) -> bool {
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

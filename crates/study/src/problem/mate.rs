//! Mate in n: AND/OR search for every first move that forces mate against every defence.
//!
//! In: a position, a number of moves. Out: every key; answers about any position on the way. Never: a guess: a mate has
//! every defence searched, a refusal has a refutation of every move.
//!
//! Two mutually recursive questions, as in `search::Forced`: some move leaves the defender lost; every defence leaves
//! the attacker mating in one move fewer. For speed: where only mate decides a game, the last move must check
//! (`mate_in_one`); the refutation of the last move is tried before any defence is generated; checks, killers and history
//! order the others; a transposition table stores proved bounds.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_messages::Tell;
use ashta_position::{Move, MoveList, Position, Tables};
use ashta_rules::Side;
use ashta_search::EndShape;

use super::checks::{Check, CheckTables};
use super::mate_in_one::MateInOne;
use super::move_queue::MoveQueue;
use super::royal_capture::{RoyalCapture, Standing, takes};
use super::transposition::MateTranspositionTable;

/// Solves mates in n; its tables stay valid between calls.
pub struct MateSolver<'s, W> {
    checks: CheckTables<W>,
    shape: EndShape,
    royal_capture: Option<RoyalCapture<W>>,
    table: MateTranspositionTable,
    mate_in_one: MateInOne<W>,
    lists: Vec<MoveList>,
    queues: Vec<MoveQueue>,
    /// The last refuting defence, as bits.
    refutation: u32,
    /// By moves left: the last refuting defences, as bits.
    killers: Vec<[u32; 3]>,
    /// How often a defence refuted, by from and to square.
    history: Vec<u32>,
    stop: &'s AtomicBool,
    pub n_nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
#[code("study.stopped")]
pub struct Stopped;

type ProofResult = Result<bool, Stopped>;

/// Table sizes as powers of two: initial, maximal.
const FIRST_BITS: u32 = 14;
const MAX_BITS: u32 = 24;

impl<'s, W: SearchWord> MateSolver<'s, W> {
    /// A solver that stops when `stop` becomes true.
    pub fn new(tables: &Arc<Tables<W>>, stop: &'s AtomicBool) -> MateSolver<'s, W> {
        MateSolver {
            checks: CheckTables::new(tables),
            shape: EndShape::of(&tables.rules),
            royal_capture: RoyalCapture::of(tables),
            table: MateTranspositionTable::new(FIRST_BITS, MAX_BITS),
            mate_in_one: MateInOne::new(),
            lists: Vec::new(),
            queues: Vec::new(),
            refutation: 0,
            killers: vec![[0; 3]; 256],
            history: vec![0; 1 << 16],
            stop,
            n_nodes: 0,
        }
    }

    pub fn clear(&mut self) {
        self.table.clear();
        self.mate_in_one.clear();
    }

    /// The moves that win within `n` moves, sorted.
    pub fn keys(&mut self, position: &mut Position<W>, n: u16) -> Result<Vec<Move>, Stopped> {
        let mut keys = Vec::new();
        if n == 0 || self.end(position, true).is_some() {
            return Ok(keys);
        }
        for mv in self.attacks(position, 0).collect::<Vec<Move>>() {
            if self.wins_by(position, mv, n)? {
                keys.push(mv);
            }
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// Whether a legal move wins within `n` moves, itself counted.
    pub fn wins_by(&mut self, position: &mut Position<W>, mv: Move, n: u16) -> ProofResult {
        if self.royal_capture.is_some() && takes(position, mv) {
            return Ok(true);
        }
        let undo = position.play_unchecked(mv);
        let lost = self.is_lost(position, n - 1);
        position.take_back(mv, undo);
        lost
    }

    /// Whether the side to move wins within `n` moves.
    pub fn wins(&mut self, position: &mut Position<W>, n: u16) -> ProofResult {
        if n == 0 {
            return Ok(false);
        }
        self.n_nodes += 1;
        let key = self.table_key(position, n);
        if self.shape.only_mates && n == 1 {
            return Ok(self.mate_in_one.exists(&self.checks, position, key));
        }
        let bounds = self.table.get(key);
        if let Some(answer) = bounds.answers(n) {
            return Ok(answer);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        // The defender's move may have ended the game, for instance by failing to bare the other king.
        if let Some(winner) = self.end(position, true) {
            return Ok(winner == Some(position.turn()));
        }
        if self.royal_capture.as_mut().is_some_and(|royal_capture| royal_capture.can_take(position)) {
            return Ok(true);
        }
        if n > 1 && self.wins(position, 1)? {
            return Ok(true);
        }
        let found = self.find_winning(position, n, bounds.best)?;
        let mut bounds = self.table.get(key).with(n, found.is_some());
        if let Some(mv) = found {
            bounds.best = mv.to_bits();
        }
        self.table.store(bounds);
        Ok(found.is_some())
    }

    fn find_winning(
        &mut self,
        position: &mut Position<W>,
        n: u16,
        best: u32,
    ) -> Result<Option<Move>, Stopped> {
        let mut attacks = self.attacks(position, best);
        let mut answer = Ok(None);
        for mv in attacks.by_ref() {
            match self.wins_by(position, mv, n) {
                Ok(false) => {}
                Ok(true) => answer = Ok(Some(mv)),
                Err(stopped) => answer = Err(stopped),
            }
            if answer != Ok(None) {
                break;
            }
        }
        self.queues.push(attacks);
        answer
    }

    /// Whether the side to move has lost, or loses within `n` moves of the other side.
    pub fn is_lost(&mut self, position: &mut Position<W>, n: u16) -> ProofResult {
        if n == 0 {
            return Ok(self.has_lost(position));
        }
        self.n_nodes += 1;
        // One move before the end a search is faster than a lookup, and keeps the table in the cache.
        let key = (n > 1).then(|| self.table_key(position, n));
        let bounds = key.map(|key| self.table.get(key)).unwrap_or_default();
        if let Some(answer) = bounds.answers(n) {
            return Ok(answer);
        }
        let lost = !self.is_refuted_again(position, n, bounds.best)?
            && self.is_lost_to_all(position, n, bounds.best)?;
        if let Some(key) = key {
            let mut bounds = self.table.get(key).with(n, lost);
            bounds.best = if lost { 0 } else { self.refutation };
            self.table.store(bounds);
        }
        Ok(lost)
    }

    fn is_lost_to_all(&mut self, position: &mut Position<W>, n: u16, best: u32) -> ProofResult {
        if let Some(royal_capture) = &mut self.royal_capture {
            let mut replies = Vec::new();
            return match royal_capture.defend(position, &mut replies) {
                Standing::Open => self.all_lose(position, &replies, n, best),
                Standing::Lost => Ok(true),
                Standing::Saved => Ok(false),
            };
        }
        let mut replies = self.take_list();
        position.generate(&mut replies);
        let lost = match self.end(position, !replies.is_empty()) {
            Some(winner) => Ok(winner.is_some_and(|winner| winner != position.turn())),
            None => self.all_lose(position, &replies, n, best),
        };
        self.lists.push(replies);
        lost
    }

    /// Whether a refutation known before anything is generated works: the one that worked here for fewer moves, or, one
    /// move before the end, the one that worked last, which nearly always works again.
    fn is_refuted_again(&mut self, position: &mut Position<W>, n: u16, best: u32) -> ProofResult {
        let bits = match best {
            0 if n == 1 => self.killers[1][0],
            best => best,
        };
        let mv = Move::from_bits(bits);
        if bits == 0 || !position.is_legal(mv) || self.end(position, true).is_some() {
            return Ok(false);
        }
        let refutes = self.survives(position, mv, n)?;
        if refutes {
            self.remember_refutation(mv, n);
        }
        Ok(refutes)
    }

    /// Whether the attacker wins within `n` moves after every reply; stores the refutation otherwise.
    fn all_lose(&mut self, position: &mut Position<W>, replies: &[Move], n: u16, best: u32) -> ProofResult {
        let mut defences = self.defences(position, replies, n, best);
        let mut answer = Ok(true);
        for mv in defences.by_ref() {
            let undo = position.play_unchecked(mv);
            let wins = self.wins(position, n);
            position.take_back(mv, undo);
            match wins {
                Ok(true) => {}
                Ok(false) => {
                    self.remember_refutation(mv, n);
                    answer = Ok(false);
                    break;
                }
                Err(stopped) => {
                    answer = Err(stopped);
                    break;
                }
            }
        }
        self.queues.push(defences);
        answer
    }

    /// Whether the defender survives `n` moves after a reply. A captured royal piece ends the game.
    fn survives(&mut self, position: &mut Position<W>, reply: Move, n: u16) -> ProofResult {
        if self.royal_capture.is_some() && takes(position, reply) {
            return Ok(true);
        }
        let undo = position.play_unchecked(reply);
        let wins = self.wins(position, n);
        position.take_back(reply, undo);
        Ok(!wins?)
    }

    /// Every defence that survives `n` moves.
    pub fn refutations(&mut self, position: &mut Position<W>, n: u16) -> Result<Vec<Move>, Stopped> {
        let replies = match &mut self.royal_capture {
            Some(royal_capture) => royal_capture.survivors(position),
            None => position.legal_moves(),
        };
        let mut found = Vec::new();
        for mv in replies {
            if self.survives(position, mv, n)? {
                found.push(mv);
            }
        }
        Ok(found)
    }

    /// Every legal reply; where royal pieces are captured, those of `RoyalCapture::defend`.
    pub fn replies(&mut self, position: &mut Position<W>) -> Vec<Move> {
        match &mut self.royal_capture {
            None => position.legal_moves(),
            Some(royal_capture) => royal_capture.replies(position),
        }
    }

    /// Whether the side to move is in check.
    pub fn is_in_check(&mut self, position: &mut Position<W>) -> bool {
        match &mut self.royal_capture {
            None => position.is_in_check(),
            Some(royal_capture) => royal_capture.is_in_check(position),
        }
    }

    /// The number of moves, at most `max`, within which the side to move wins.
    pub fn shortest(&mut self, position: &mut Position<W>, max: u16) -> Result<Option<u16>, Stopped> {
        for n in 1..=max {
            if self.wins(position, n)? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The position key, mixed with the count of quiet plies where that count may end the game within `n` moves.
    fn table_key(&self, position: &Position<W>, n: u16) -> u64 {
        let quiet = position.state().quiet();
        match self.shape.quiet_plies {
            Some(max) if quiet + 2 * u32::from(n) >= max => {
                position.key() ^ u64::from(quiet + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            }
            _ => position.key(),
        }
    }

    /// The winner, if any, if the game is over. A problem's attacker without a royal piece has not lost.
    fn end(&self, position: &Position<W>, has_move: bool) -> Option<Option<Side>> {
        if let Some(royal_capture) = &self.royal_capture {
            return royal_capture.end(position);
        }
        let lacks = |side: Side| position.royals(side).is_empty();
        if lacks(Side::FIRST) || lacks(Side::SECOND) {
            let mated = !has_move && position.is_in_check();
            return (!has_move).then(|| mated.then(|| Side(1 - position.turn().0)));
        }
        position.end_knowing(has_move).map(|outcome| outcome.winner)
    }

    #[inline(always)]
    fn has_lost(&mut self, position: &mut Position<W>) -> bool {
        if self.shape.only_mates {
            return position.is_in_check() && !position.has_legal_move();
        }
        if let Some(royal_capture) = &mut self.royal_capture {
            return royal_capture.is_mated(position);
        }
        self.end(position, position.has_legal_move()) == Some(Some(Side(1 - position.turn().0)))
    }

    /// The attacker's moves: hash move, checks, captures, the rest.
    fn attacks(&mut self, position: &Position<W>, best: u32) -> MoveQueue {
        let mut moves = self.take_list();
        position.generate(&mut moves);
        let mut queue = self.take_queue();
        let checks = self.checks.of(position);
        queue.extend(moves.iter().map(|mv| {
            let score = match checks.check(position, *mv) {
                _ if mv.to_bits() == best && best != 0 => 3,
                Check::Yes | Check::Unsure => 2,
                Check::No => u32::from(position.victim(*mv).is_some()),
            };
            (score, *mv)
        }));
        self.lists.push(moves);
        queue
    }

    /// Defences: hash move, checks, killers, history. A check leaves the attacker few moves, so that it is refuted or
    /// refutes at little cost: mates in 4 take a third of the time.
    fn defences(&mut self, position: &Position<W>, replies: &[Move], n: u16, best: u32) -> MoveQueue {
        let killers = self.killers[usize::from(n).min(255)];
        let mut queue = self.take_queue();
        let history = &self.history;
        let checks = (n > 1).then(|| self.checks.of(position));
        let is_check = |mv: Move| checks.is_some_and(|checks| checks.check(position, mv) == Check::Yes);
        queue.extend(replies.iter().map(|mv| {
            let bits = mv.to_bits();
            let score = match killers.iter().position(|killer| *killer == bits) {
                _ if bits == best => u32::MAX,
                _ if is_check(*mv) => u32::MAX - 1,
                Some(place) => u32::MAX - 2 - place as u32,
                None => {
                    let victim = u32::from(position.victim(*mv).is_some()) * 8;
                    history[mv.from_to_index()].saturating_add(victim)
                }
            };
            (score, *mv)
        }));
        queue
    }

    fn remember_refutation(&mut self, mv: Move, n: u16) {
        let bits = mv.to_bits();
        self.refutation = bits;
        let killers = &mut self.killers[usize::from(n).min(255)];
        if killers[0] != bits {
            let at = killers.iter().position(|killer| *killer == bits).unwrap_or(2);
            killers[..=at].rotate_right(1);
            killers[0] = bits;
        }
        let count = &mut self.history[mv.from_to_index()];
        *count = (*count + 1).min(u32::MAX / 4);
    }

    fn take_list(&mut self) -> MoveList {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        list
    }

    fn take_queue(&mut self) -> MoveQueue {
        let mut queue = self.queues.pop().unwrap_or_default();
        queue.clear();
        queue
    }
}

//! Moves in groups that differ in their end only: enough to count them, to pick the nth and to ask for captures.
//!
//! In: what the generator gives. Out: numbers of moves and single moves. Never: positions.

use ashta_rules::{KindId, Square};

use crate::bmi2::{Pext, has_pext};
use crate::moves::{Move, MovePattern, PatternMover};
use crate::promotion_choices::PromotionChoices;
use crate::sink::{Sink, TargetsOf};
use crate::state::State;
use crate::tables::{PromotionTable, features};
use crate::word::Word;

/// Moves in groups, enough to count them and to pick the nth.
pub struct MoveGroups<W> {
    /// Longer than the list: room for the next groups.
    groups: Vec<MoveGroup<W>>,
    /// Number of moves in each group and all before it; as long as `groups`. Apart from them, so that `pick` compares
    /// several at once.
    until: Vec<u32>,
    length: usize,
    total: u32,
    has_pext: bool,
    is_check: Option<bool>,
}

/// Moves that differ in their end only.
#[derive(Clone, Copy)]
struct MoveGroup<W> {
    targets: W,
    /// Number of moves in all groups before it: `until` of the group before, here so that `pick` waits for one load, not two.
    before: u32,
    pattern: MovePattern,
}

/// Which moves of a group capture or promote.
enum Exchanging {
    All,
    OnVictims,
    None,
}

impl<W: Word> MoveGroup<W> {
    #[inline(always)]
    fn for_each(&self, targets: W, emit: &mut impl FnMut(Move)) {
        for to in targets.squares() {
            emit(self.pattern.to(to));
        }
    }

    #[inline(always)]
    fn tactical(&self) -> Exchanging {
        let mv = self.pattern.sample();
        match () {
            () if mv.is_drop() || mv.is_castle() => Exchanging::None,
            () if !mv.is_plain() || mv.raw_kind().is_some() => Exchanging::All,
            // A single plain move has its end in itself, not in the set: it is judged by whoever receives it.
            () if self.pattern.is_single() => Exchanging::All,
            () => Exchanging::OnVictims,
        }
    }
}

/// Groups that `pick` looks at together.
const BLOCK: usize = 16;

impl<W: Word> MoveGroups<W> {
    /// No moves.
    pub fn new() -> MoveGroups<W> {
        MoveGroups {
            groups: Vec::new(),
            until: Vec::new(),
            length: 0,
            total: 0,
            has_pext: false,
            is_check: None,
        }
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
        self.total = 0;
        self.is_check = None;
    }

    /// Whether the side to move is in check, if whoever generated found that out.
    #[inline(always)]
    pub fn is_check(&self) -> Option<bool> {
        self.is_check
    }

    /// How many moves there are.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.total
    }

    /// Whether there is no move.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The nth move, counted from 0; a pass if there are not so many.
    #[inline(always)]
    pub fn pick(&self, n: u32) -> Move {
        let at = self.group_of(n);
        let Some(group) = self.groups[..self.length].get(at) else { return Move::PASS };
        group.pattern.to(self.nth_target(group.targets, n - group.before))
    }

    /// The number of the group that has the nth move.
    ///
    /// All groups of a block are compared: where the search would end is a branch that nobody can predict.
    #[inline(always)]
    fn group_of(&self, n: u32) -> usize {
        let mut at = 0;
        for (block, start) in self.until.chunks_exact(BLOCK).zip((0..self.length).step_by(BLOCK)) {
            let n_used = (self.length - start).min(BLOCK);
            for (place, until) in block.iter().enumerate() {
                at += u32::from(place < n_used && *until <= n);
            }
        }
        at as usize
    }

    /// Whether a move is among them.
    #[inline]
    pub fn contains(&self, mv: Move) -> bool {
        let to = mv.raw_to();
        self.groups[..self.length]
            .iter()
            .any(|group| (group.pattern.is_single() || group.targets.has(to)) && group.pattern.to(to) == mv)
    }

    /// Gives the moves that capture, where these squares are what may be captured, and those that promote.
    #[inline]
    pub fn for_each_tactical(&self, victims: W, mut emit: impl FnMut(Move)) {
        for group in &self.groups[..self.length] {
            match group.tactical() {
                Exchanging::All => group.for_each(group.targets, &mut emit),
                Exchanging::OnVictims => group.for_each(group.targets & victims, &mut emit),
                Exchanging::None => {}
            }
        }
    }

    /// Gives all other moves.
    #[inline]
    pub fn for_each_quiet(&self, victims: W, mut emit: impl FnMut(Move)) {
        for group in &self.groups[..self.length] {
            match group.tactical() {
                Exchanging::All => {}
                Exchanging::OnVictims => group.for_each(group.targets & !victims, &mut emit),
                Exchanging::None => group.for_each(group.targets, &mut emit),
            }
        }
    }

    /// Gives the moves that end on wanted squares. `wanted` is asked what those are, group by group.
    #[inline]
    pub fn for_each_to(&self, wanted: impl Fn(PatternMover) -> W, mut emit: impl FnMut(Move)) {
        for group in &self.groups[..self.length] {
            group.for_each(group.targets & wanted(group.pattern.mover()), &mut emit);
        }
    }

    #[inline(always)]
    fn nth_target(&self, targets: W, n: u32) -> Square {
        #[cfg(target_arch = "x86_64")]
        if self.has_pext {
            // SAFETY: `has_pext` is true only if the processor has BMI2. It saves a loop whose length nobody can
            // predict: a tenth of a random game of chess.
            #[expect(unsafe_code, reason = "see SAFETY")]
            return unsafe { nth_target_bmi2(targets, n) };
        }
        targets.nth(n).lowest()
    }

    #[inline(always)]
    fn add(&mut self, targets: W, pattern: MovePattern) {
        self.push(MoveGroup { targets, before: self.total, pattern }, targets.count());
    }

    /// Room for `count` more groups and their numbers.
    #[inline(always)]
    fn room(&mut self, count: u32) -> (&mut [MoveGroup<W>], &mut [u32]) {
        let end = self.length + count as usize;
        if end > self.groups.len() || end > self.until.len() {
            self.grow(end);
        }
        let room = (&mut self.groups[self.length..end], &mut self.until[self.length..end]);
        self.length = end;
        room
    }

    /// An empty group is pushed too: `pick` passes over it, and whether a piece can move is a hard branch to predict.
    #[inline(always)]
    fn push(&mut self, group: MoveGroup<W>, n_moves: u32) {
        let total = self.total + n_moves;
        let (groups, until) = self.room(1);
        (groups[0], until[0]) = (group, total);
        self.total = total;
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        let none = MoveGroup { targets: W::ZERO, before: 0, pattern: MovePattern::PASS };
        let length = end.next_power_of_two().max(256);
        self.groups.resize(length, none);
        self.until.resize(length, 0);
        self.has_pext = has_pext();
    }

    #[inline(always)]
    fn add_promoted(
        &mut self,
        targets: W,
        view: &PromotionChoices<W>,
        pattern: impl Fn(KindId) -> MovePattern,
    ) {
        let targets = targets & view.become_other;
        if targets.is_empty() {
            return;
        }
        match view.only_kind() {
            Some(kind) => self.add(targets, pattern(kind)),
            None => {
                for to in targets.squares() {
                    for kind in view.kinds(to) {
                        self.add(W::bit(to), pattern(kind));
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn nth_target_bmi2<W: Word>(targets: W, n: u32) -> Square {
    // SAFETY: called only where `has_pext` is true.
    #[expect(unsafe_code, reason = "see SAFETY")]
    let pext = unsafe { Pext::assume() };
    targets.nth_pdep(n, pext).lowest()
}

impl<W: Word> Default for MoveGroups<W> {
    fn default() -> MoveGroups<W> {
        MoveGroups::new()
    }
}

impl<W: Word> Sink<W> for MoveGroups<W> {
    #[inline(always)]
    fn on_check(&mut self, is_check: bool) {
        self.is_check = Some(is_check);
    }
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: W) {
        self.add(targets, MovePattern::going(from));
    }
    #[inline(always)]
    fn moves_of_each(&mut self, pieces: W, targets_of: &impl TargetsOf<W>) {
        let (mut total, mut left) = (self.total, pieces);
        let (groups, until) = self.room(pieces.count());
        for (group, until) in groups.iter_mut().zip(until) {
            let Some(from) = left.pop_counted() else { break };
            let targets = targets_of.of(from);
            *group = MoveGroup { targets, before: total, pattern: MovePattern::going(from) };
            total += targets.count();
            *until = total;
        }
        self.total = total;
    }
    #[inline(always)]
    fn promoting_of_each(
        &mut self,
        pieces: W,
        targets_of: &impl TargetsOf<W>,
        promotion: &PromotionTable<W>,
        state: &State<W>,
    ) {
        let Some(kind) = promotion.only_kind() else {
            for from in pieces.squares() {
                self.promoting(
                    from,
                    targets_of.of(from),
                    &promotion.view::<{ features::PLAIN }>(from, state),
                );
            }
            return;
        };
        // Two groups for each piece, though the second is often empty: no branch asks.
        let (mut total, mut left) = (self.total, pieces);
        let (groups, until) = self.room(2 * pieces.count());
        for (pair, until) in groups.as_chunks_mut::<2>().0.iter_mut().zip(until.as_chunks_mut::<2>().0) {
            let Some(from) = left.pop_counted() else { break };
            let (targets, view) = (targets_of.of(from), promotion.view::<{ features::PLAIN }>(from, state));
            let (stay, other) = (targets & view.stay, targets & view.become_other);
            let between = total + stay.count();
            pair[0] = MoveGroup { targets: stay, before: total, pattern: MovePattern::going(from) };
            let pattern = MovePattern::promoting(from, kind);
            pair[1] = MoveGroup { targets: other, before: between, pattern };
            total = between + other.count();
            *until = [between, total];
        }
        self.total = total;
    }
    #[inline(always)]
    fn promoting(&mut self, from: Square, targets: W, view: &PromotionChoices<W>) {
        self.add(targets & view.stay, MovePattern::going(from));
        self.add_promoted(targets, view, |kind| MovePattern::promoting(from, kind));
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, targets: W) {
        self.add(targets, MovePattern::shifted(by));
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, targets: W, view: &PromotionChoices<W>) {
        self.add(targets & view.stay, MovePattern::shifted(by));
        self.add_promoted(targets, view, |kind| MovePattern::shifted_promoting(by, kind));
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, kinds: &[KindId], targets: W) {
        let mut slots = slots;
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize;
            let kind = kinds.get(slot).copied().unwrap_or(KindId(0));
            self.add(targets, MovePattern::dropping(kind));
            slots &= slots - 1;
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.push(
            MoveGroup { targets: W::bit(Square(0)), before: self.total, pattern: MovePattern::single(mv) },
            1,
        );
    }
}

/// Captures and promotions alone, in groups.
pub struct TacticalMoves<W> {
    groups: MoveGroups<W>,
    victims: W,
}

impl<W: Word> Default for TacticalMoves<W> {
    fn default() -> TacticalMoves<W> {
        TacticalMoves { groups: MoveGroups::new(), victims: W::ZERO }
    }
}

impl<W: Word> TacticalMoves<W> {
    /// Forgets all moves; what stands on these squares may be captured.
    pub fn begin(&mut self, victims: W) {
        self.groups.clear();
        self.victims = victims;
    }

    /// Whether there is no move.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Gives every move. Where the processor lacks instructions some may be neither: whoever receives them judges.
    #[inline]
    pub fn for_each(&self, emit: impl FnMut(Move)) {
        self.groups.for_each_tactical(self.victims, emit);
    }

    #[inline(always)]
    fn add(&mut self, targets: W, pattern: MovePattern) {
        if targets.any() {
            self.groups.add(targets, pattern);
        }
    }
}

impl<W: Word> Sink<W> for TacticalMoves<W> {
    const ONLY_TACTICAL: bool = true;
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: W) {
        self.add(targets & self.victims, MovePattern::going(from));
    }
    #[inline(always)]
    fn promoting(&mut self, from: Square, targets: W, view: &PromotionChoices<W>) {
        self.add(targets & self.victims & view.stay, MovePattern::going(from));
        self.groups.add_promoted(targets, view, |kind| MovePattern::promoting(from, kind));
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, targets: W) {
        self.add(targets & self.victims, MovePattern::shifted(by));
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, targets: W, view: &PromotionChoices<W>) {
        if targets.is_empty() {
            return;
        }
        self.add(targets & self.victims & view.stay, MovePattern::shifted(by));
        self.groups.add_promoted(targets, view, |kind| MovePattern::shifted_promoting(by, kind));
    }
    #[inline(always)]
    fn drops(&mut self, _slots: u32, _kinds: &[KindId], _ends: W) {}
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        if !mv.is_drop() && !mv.is_castle() {
            Sink::<W>::single(&mut self.groups, mv);
        }
    }
}

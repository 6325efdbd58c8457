//! Move picker: the legal moves of a node in stages, most promising first, quiet moves listed only when needed.
//!
//! In: a position, hash move, killers, history. Out: its legal moves one by one, each once. Never: values of positions.

use ashta_position::{Move, MoveGroups, Position, TacticalMoves, Word};

use super::evaluation::Evaluation;
use super::history::{History, PieceTo};
use super::see::See;

/// The move picker of one ply; its buffers are reused.
pub struct Picker<W> {
    groups: MoveGroups<W>,
    capture_groups: TacticalMoves<W>,
    /// Captures and promotions that gain material, with their ordering scores.
    captures: Vec<(i32, Move)>,
    quiets: Vec<(i32, Move)>,
    /// Captures that lose material by SEE.
    bad_captures: Vec<Move>,
    hints: PickerHints,
    stage: Stage,
    next: usize,
}

/// Moves to try early.
#[derive(Clone, Copy, Default, Debug)]
pub struct PickerHints {
    pub hash_move: Option<Move>,
    /// Two killers and the countermove.
    pub killers: [Option<Move>; 3],
    /// Piece-to index of the previous move.
    pub previous: Option<PieceTo>,
}

/// The stages of the picker, in order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Stage {
    #[default]
    HashMove,
    /// Captures and promotions with SEE of at least 0.
    GoodCaptures,
    /// Killers and the countermove.
    Killers,
    GenerateQuiets,
    Quiets,
    /// Captures with negative SEE.
    BadCaptures,
}

/// A picked move.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    pub mv: Move,
    pub stage: Stage,
    /// History score; 0 unless the move comes from [`Stage::Quiets`].
    pub history: i32,
}

impl<W: Word> Default for Picker<W> {
    fn default() -> Picker<W> {
        Picker {
            groups: MoveGroups::new(),
            capture_groups: TacticalMoves::default(),
            captures: Vec::new(),
            quiets: Vec::new(),
            bad_captures: Vec::new(),
            hints: PickerHints::default(),
            stage: Stage::HashMove,
            next: 0,
        }
    }
}

impl<W: Word> Picker<W> {
    /// Generates the legal moves; returns whether there are any.
    #[inline]
    pub fn generate(&mut self, position: &Position<W>) -> bool {
        self.groups.clear();
        position.generate(&mut self.groups);
        !self.groups.is_empty()
    }

    /// Starts over with the generated moves.
    pub fn begin(&mut self, position: &Position<W>, evaluation: &Evaluation, hints: PickerHints) {
        (self.hints, self.stage, self.next) = (hints, Stage::HashMove, 0);
        let (captures, quiets) = (&mut self.captures, &mut self.quiets);
        captures.clear();
        quiets.clear();
        self.bad_captures.clear();
        self.groups
            .for_each_tactical(victims(position), |mv| classify(position, evaluation, mv, captures, quiets));
    }

    /// Generates captures and good promotions alone and starts with them (quiescence).
    pub fn begin_captures(
        &mut self,
        position: &Position<W>,
        evaluation: &Evaluation,
        hash_move: Option<Move>,
    ) {
        let hints = PickerHints { hash_move, ..PickerHints::default() };
        (self.hints, self.stage, self.next) = (hints, Stage::GoodCaptures, 0);
        let (captures, quiets) = (&mut self.captures, &mut self.quiets);
        captures.clear();
        quiets.clear();
        self.capture_groups.begin(victims(position));
        position.generate(&mut self.capture_groups);
        self.capture_groups.for_each(|mv| classify(position, evaluation, mv, captures, quiets));
        for (score, mv) in captures.iter_mut() {
            *score += if Some(*mv) == hash_move { 1 << 24 } else { 0 };
        }
    }

    /// The next capture or promotion, best first.
    pub fn next_capture(&mut self) -> Option<Move> {
        let found = take_best(&mut self.captures, self.next)?;
        self.next += 1;
        Some(found.1)
    }

    /// The next move.
    pub fn next_move(
        &mut self,
        position: &Position<W>,
        evaluation: &Evaluation,
        history: &History,
    ) -> Option<Picked> {
        loop {
            let stage = self.stage;
            let found = match stage {
                Stage::HashMove => {
                    self.stage = Stage::GoodCaptures;
                    self.hints.hash_move.filter(|mv| self.groups.contains(*mv)).map(|mv| (0, mv))
                }
                Stage::GoodCaptures => self.next_good_capture(position, evaluation),
                Stage::Killers => self.next_killer(position),
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, history);
                    (self.stage, self.next) = (Stage::Quiets, 0);
                    None
                }
                Stage::Quiets => self.next_quiet(),
                Stage::BadCaptures => {
                    let mv = self.bad_captures.get(self.next).copied()?;
                    self.next += 1;
                    Some((0, mv))
                }
            };
            if let Some((history, mv)) = found {
                return Some(Picked { mv, stage, history });
            }
        }
    }

    fn next_good_capture(&mut self, position: &Position<W>, evaluation: &Evaluation) -> Option<(i32, Move)> {
        while let Some(mv) = self.next_capture() {
            if Some(mv) == self.hints.hash_move {
                continue;
            }
            if See(evaluation.values()).ge(position, mv, 0) {
                return Some((0, mv));
            }
            self.bad_captures.push(mv);
        }
        (self.stage, self.next) = (Stage::Killers, 0);
        None
    }

    fn next_killer(&mut self, position: &Position<W>) -> Option<(i32, Move)> {
        while let Some(killer) = self.hints.killers.get(self.next).copied() {
            self.next += 1;
            let was_picked = |mv: Move| {
                Some(mv) == self.hints.hash_move || self.hints.killers[..self.next - 1].contains(&Some(mv))
            };
            let usable = |mv: &Move| is_quiet(position, *mv) && !was_picked(*mv) && self.groups.contains(*mv);
            if let Some(mv) = killer.filter(usable) {
                return Some((0, mv));
            }
        }
        self.stage = Stage::GenerateQuiets;
        None
    }

    fn next_quiet(&mut self) -> Option<(i32, Move)> {
        while let Some((history, mv)) = take_best(&mut self.quiets, self.next) {
            self.next += 1;
            let was_picked = Some(mv) == self.hints.hash_move || self.hints.killers.contains(&Some(mv));
            if !was_picked {
                return Some((history, mv));
            }
        }
        (self.stage, self.next) = (Stage::BadCaptures, 0);
        None
    }

    fn generate_quiets(&mut self, position: &Position<W>, history: &History) {
        let (quiets, previous, side) = (&mut self.quiets, self.hints.previous, position.turn().0);
        self.groups.for_each_quiet(victims(position), |mv| quiets.push((0, mv)));
        for (score, mv) in quiets.iter_mut() {
            *score = history.score(side, history.piece_to(position.mover(*mv), *mv), previous);
        }
        // A killer that captures here was skipped as a killer and is not among the quiet moves.
        self.hints.killers = self.hints.killers.map(|killer| killer.filter(|mv| is_quiet(position, *mv)));
    }
}

/// Selection sort, one step at a time: after a cutoff the rest is never sorted.
#[inline(always)]
fn take_best(list: &mut [(i32, Move)], next: usize) -> Option<(i32, Move)> {
    let rest = list.get_mut(next..)?;
    let mut best = 0;
    for at in 1..rest.len() {
        if rest[at].0 > rest[best].0 {
            best = at;
        }
    }
    rest.swap(0, best.min(rest.len().checked_sub(1)?));
    rest.first().copied()
}

/// Whether a move neither captures nor promotes.
#[inline(always)]
pub fn is_quiet<W: Word>(position: &Position<W>, mv: Move) -> bool {
    position.victim(mv).is_none() && mv.becomes().is_none()
}

/// Sorts captures and promotions: those that gain no material are treated as quiet.
#[inline(always)]
fn classify<W: Word>(
    position: &Position<W>,
    evaluation: &Evaluation,
    mv: Move,
    captures: &mut Vec<(i32, Move)>,
    quiets: &mut Vec<(i32, Move)>,
) {
    let values = evaluation.values();
    let victim: i32 = position.victims(mv).map(|kind| values.exchanged(kind.index())).sum();
    let mover = position.mover(mv).map_or(0, |kind| values.on_board(kind.index()));
    let promotion = mv.becomes().map_or(0, |kind| values.on_board(kind.index()) - mover);
    let gain = victim + promotion;
    if gain > 0 {
        // MVV-LVA: the most valuable victim, then the least valuable attacker.
        captures.push((gain * 16 - mover / 16, mv));
    } else {
        quiets.push((0, mv));
    }
}

/// Squares of pieces that may be captured.
#[inline(always)]
fn victims<W: Word>(position: &Position<W>) -> W {
    let state = position.state();
    state.occupied() & !state.side(state.turn())
}

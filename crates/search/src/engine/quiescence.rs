//! Quiescence search: captures and good promotions until the position is quiet.
//!
//! In: a node without depth left. Out: the better of stand pat and capturing; of all evasions when in check, and of all captures
//! where one must be made. Never: other captures that lose material by SEE.

use ashta_position::{Move, Word};

use super::incremental::IncrementalScore;
use super::limits::{MATE, MATE_THRESHOLD, MAX_PLY};
use super::see::See;
use super::selectivity::Selectivity;
use super::tree::Tree;
use crate::exchange::ExchangeValues;
use crate::transposition::{Bound, Entry};
use crate::window::Window;

/// Delta pruning: the positional gain that a capture may bring beyond its victim.
const DELTA_MARGIN: i32 = 180;

impl<W: Word> Tree<'_, W> {
    /// The quiescence value for the side to move.
    pub(super) fn quiescence(&mut self, window: Window, ply: usize, score: IncrementalScore) -> i32 {
        self.count_node(ply);
        if self.is_stopped() {
            return 0;
        }
        self.pv[ply].clear();
        let is_in_check = self.line.position().is_in_check();
        if let Some(outcome) = self.line.position().end_knowing(true) {
            // In check there may be no legal move, and mate comes before the other ends.
            if !is_in_check || self.line.position().has_legal_move() {
                return self.outcome_value(outcome, ply);
            }
        }
        if ply >= MAX_PLY {
            return self.evaluate(score);
        }
        let entry = self.entry(ply);
        if let Some(value) = entry.and_then(|entry| window.cutoff_by(&entry)) {
            return value;
        }
        let hash_move = entry.and_then(|entry| entry.best);
        if is_in_check || self.is_forced_to_capture() {
            self.search_evasions(window, ply, score, hash_move)
        } else {
            self.search_captures(window, ply, score, hash_move)
        }
    }

    /// Whether the side to move can capture where captures are obligatory: all its moves are then captures.
    fn is_forced_to_capture(&self) -> bool {
        let position = self.line.position();
        self.evaluation.must_capture()
            && position.legal_moves().first().is_some_and(|mv| position.victim(*mv).is_some())
    }

    fn search_captures(
        &mut self,
        window: Window,
        ply: usize,
        score: IncrementalScore,
        hash_move: Option<Move>,
    ) -> i32 {
        let stand_pat = self.evaluate(score);
        if stand_pat >= window.beta {
            return stand_pat;
        }
        let mut best = (stand_pat, None);
        let mut alpha = window.alpha.max(stand_pat);
        let mut picker = self.take_picker(ply);
        picker.begin_captures(self.line.position(), self.evaluation, hash_move);
        while let Some(mv) = picker.next_capture() {
            let optimistic = stand_pat + self.delta(mv);
            if optimistic <= alpha && alpha > -MATE_THRESHOLD {
                best.0 = best.0.max(optimistic);
                continue;
            }
            if !See(self.evaluation.values()).ge(self.line.position(), mv, 0) {
                continue;
            }
            let value = self.quiescence_after(mv, Window { alpha, beta: window.beta }, ply, score);
            if self.is_stopped() {
                break;
            }
            if value > best.0 {
                best = (value, Some(mv));
                alpha = alpha.max(value);
            }
            if value >= window.beta {
                break;
            }
        }
        self.pickers[ply] = Some(picker);
        self.store_quiescence(window, best, ply);
        best.0
    }

    /// All moves out of check, or all captures where one must be made.
    fn search_evasions(
        &mut self,
        window: Window,
        ply: usize,
        score: IncrementalScore,
        hash_move: Option<Move>,
    ) -> i32 {
        let mut picker = self.take_picker(ply);
        if !picker.generate(self.line.position()) {
            self.pickers[ply] = Some(picker);
            return -MATE + ply as i32;
        }
        let hints = self.hints(ply, hash_move);
        picker.begin(self.line.position(), self.evaluation, hints);
        let mut best = (-MATE, None);
        let mut alpha = window.alpha;
        while let Some(picked) = picker.next_move(self.line.position(), self.evaluation, self.history) {
            let rest = Window { alpha, beta: window.beta };
            let value = self.quiescence_after(picked.mv, rest, ply, score);
            if self.is_stopped() {
                break;
            }
            if value > best.0 {
                best = (value, Some(picked.mv));
                alpha = alpha.max(value);
            }
            if value >= window.beta {
                break;
            }
        }
        self.pickers[ply] = Some(picker);
        self.store_quiescence(window, best, ply);
        best.0
    }

    /// The most that a capture or promotion can gain.
    fn delta(&self, mv: Move) -> i32 {
        ExchangeValues::exchanged(self.evaluation.values(), self.line.position(), mv) + DELTA_MARGIN
    }

    fn quiescence_after(&mut self, mv: Move, window: Window, ply: usize, score: IncrementalScore) -> i32 {
        let after = self.evaluation.after(self.line.position(), mv, score);
        self.play(mv, ply);
        let value = -self.quiescence(window.negated(), ply + 1, after);
        self.take_back();
        value
    }

    fn store_quiescence(&mut self, window: Window, (value, best): (i32, Option<Move>), ply: usize) {
        if self.is_stopped() || self.selectivity == Selectivity::None {
            return;
        }
        let bound = if value >= window.beta { Bound::AtLeast } else { Bound::AtMost };
        self.store(ply, Entry { best, value, depth: 0, bound });
    }
}

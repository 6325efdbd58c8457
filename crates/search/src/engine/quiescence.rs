//! What captures lead to, until the position is quiet.
//!
//! In: a node without depth. Out: the value of standing still or capturing on; of all evasions when in check. Never:
//! captures that lose something.

use ashta_position::{Move, Word};

use super::balance::Balance;
use super::exchange::Exchange;
use super::limits::{DECIDED, HIGHEST, MATE};
use super::memory::Known;
use super::selectivity::Selectivity;
use super::tree::{Tree, Window};
use crate::table::Bound;

/// How much more than its victim a capture may bring by what follows.
const HOPE: i32 = 180;

impl<W: Word> Tree<'_, W> {
    /// The value of a position for the side to move, once nothing more is to be captured.
    pub(super) fn quiet_value(&mut self, window: Window, height: usize, balance: Balance) -> i32 {
        self.count_node(height);
        if self.is_stopped() {
            return 0;
        }
        self.lines[height].clear();
        let is_in_check = self.line.position().is_in_check();
        if let Some(outcome) = self.line.position().end_knowing(true) {
            // Where somebody is in check there may be no move, and mate comes before other ends.
            if !is_in_check || self.line.position().has_legal_move() {
                return self.value_of(outcome, height);
            }
        }
        if height >= HIGHEST {
            return self.evaluate(balance);
        }
        let known = self.memory.get(self.line.position().key(), height);
        if let Some(value) = known.and_then(|known| window.answered_by(&known)) {
            return value;
        }
        match is_in_check {
            true => self.evade(window, height, balance, known.and_then(|known| known.best)),
            false => self.exchange(window, height, balance, known.and_then(|known| known.best)),
        }
    }

    fn exchange(&mut self, window: Window, height: usize, balance: Balance, before: Option<Move>) -> i32 {
        let standing = self.evaluate(balance);
        if standing >= window.beta {
            return standing;
        }
        let mut best = (standing, None);
        let mut alpha = window.alpha.max(standing);
        let mut picker = self.take_picker(height);
        picker.begin_exchanges(self.line.position(), self.evaluation, before);
        while let Some(mv) = picker.next_exchange() {
            if standing + self.hope(mv) <= alpha && alpha > -DECIDED {
                best.0 = best.0.max(standing + self.hope(mv));
                continue;
            }
            if !Exchange(self.evaluation.worths()).is_sound(self.line.position(), mv) {
                continue;
            }
            let value = self.quiet_value_after(mv, Window { alpha, beta: window.beta }, height, balance);
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
        self.pickers[height] = Some(picker);
        self.remember_quiet(window, best, height);
        best.0
    }

    /// All moves out of check.
    fn evade(&mut self, window: Window, height: usize, balance: Balance, before: Option<Move>) -> i32 {
        let mut picker = self.take_picker(height);
        if !picker.generate(self.line.position()) {
            self.pickers[height] = Some(picker);
            return -MATE + height as i32;
        }
        let hints = self.hints(height, before);
        picker.begin(self.line.position(), self.evaluation, hints);
        let mut best = (-MATE, None);
        let mut alpha = window.alpha;
        while let Some(picked) = picker.next_move(self.line.position(), self.evaluation, self.history) {
            let asked = Window { alpha, beta: window.beta };
            let value = self.quiet_value_after(picked.mv, asked, height, balance);
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
        self.pickers[height] = Some(picker);
        self.remember_quiet(window, best, height);
        best.0
    }

    /// What a capture may bring at most.
    fn hope(&self, mv: Move) -> i32 {
        let (position, worths) = (self.line.position(), self.evaluation.worths());
        let victim = position.victim(mv).map_or(0, |kind| worths.at_stake(kind.index()));
        let mover = position.mover(mv).map_or(0, |kind| worths.of(kind.index()));
        victim + mv.becomes().map_or(0, |kind| worths.of(kind.index()) - mover) + HOPE
    }

    fn quiet_value_after(&mut self, mv: Move, window: Window, height: usize, balance: Balance) -> i32 {
        let after = self.evaluation.after(self.line.position(), mv, balance);
        self.play(mv, height);
        let value = -self.quiet_value(window.turned(), height + 1, after);
        self.take_back();
        value
    }

    fn remember_quiet(&mut self, window: Window, (value, best): (i32, Option<Move>), height: usize) {
        if self.is_stopped() || self.selectivity == Selectivity::None {
            return;
        }
        let bound = if value >= window.beta { Bound::AtLeast } else { Bound::AtMost };
        self.memory.set(self.line.position().key(), height, &Known { best, value, depth: 0, bound });
    }
}

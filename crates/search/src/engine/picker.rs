//! The moves of a node, most promising first, listed no sooner than they are needed.
//!
//! In: a position, what was good before. Out: its legal moves one by one, each once. Never: values of positions.

use ashta_position::{Exchanges, Groups, Move, Position, Word};

use super::evaluation::Evaluation;
use super::exchange::Exchange;
use super::history::{Deed, History};

/// The moves of a node.
pub struct Picker<W> {
    groups: Groups<W>,
    taking: Exchanges<W>,
    exchanges: Vec<(i32, Move)>,
    quiet: Vec<(i32, Move)>,
    /// Exchanges that lose something.
    unsound: Vec<Move>,
    hints: Hints,
    stage: Stage,
    next: usize,
}

/// Moves that were good before.
#[derive(Clone, Copy, Default, Debug)]
pub struct Hints {
    /// The best move of this position when it was looked at before.
    pub before: Option<Move>,
    /// What refuted sister nodes, and what answered the last move elsewhere.
    pub killers: [Option<Move>; 3],
    /// What the last move was.
    pub last: Option<Deed>,
}

/// Where a move comes from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Stage {
    /// The best move of before.
    #[default]
    Before,
    /// Captures and promotions that lose nothing.
    Sound,
    /// What refuted elsewhere.
    Killer,
    /// Quiet moves are to be listed.
    List,
    /// Quiet moves.
    Quiet,
    /// Captures that lose something.
    Unsound,
}

/// A move given.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    /// The move.
    pub mv: Move,
    /// Where it comes from.
    pub stage: Stage,
    /// How good it has been, if it is quiet.
    pub number: i32,
}

impl<W: Word> Default for Picker<W> {
    fn default() -> Picker<W> {
        Picker {
            groups: Groups::new(),
            taking: Exchanges::default(),
            exchanges: Vec::new(),
            quiet: Vec::new(),
            unsound: Vec::new(),
            hints: Hints::default(),
            stage: Stage::Before,
            next: 0,
        }
    }
}

impl<W: Word> Picker<W> {
    /// Finds the legal moves; whether there are any.
    #[inline]
    pub fn generate(&mut self, position: &Position<W>) -> bool {
        self.groups.clear();
        position.generate(&mut self.groups);
        !self.groups.is_empty()
    }

    /// Begins to give the moves that were found.
    pub fn begin(&mut self, position: &Position<W>, evaluation: &Evaluation, hints: Hints) {
        (self.hints, self.stage, self.next) = (hints, Stage::Before, 0);
        let (exchanges, quiet) = (&mut self.exchanges, &mut self.quiet);
        exchanges.clear();
        quiet.clear();
        self.unsound.clear();
        self.groups
            .for_each_exchange(victims(position), |mv| sort_out(position, evaluation, mv, exchanges, quiet));
    }

    /// Begins to give captures and good promotions alone; nothing else was found.
    pub fn begin_exchanges(&mut self, position: &Position<W>, evaluation: &Evaluation, before: Option<Move>) {
        (self.hints, self.stage, self.next) = (Hints { before, ..Hints::default() }, Stage::Sound, 0);
        let (exchanges, quiet) = (&mut self.exchanges, &mut self.quiet);
        exchanges.clear();
        quiet.clear();
        self.taking.begin(victims(position));
        position.generate(&mut self.taking);
        self.taking.for_each(|mv| sort_out(position, evaluation, mv, exchanges, quiet));
        for (score, mv) in exchanges.iter_mut() {
            *score += if Some(*mv) == before { 1 << 24 } else { 0 };
        }
    }

    /// The next capture or promotion, best first.
    pub fn next_exchange(&mut self) -> Option<Move> {
        let found = take_best(&mut self.exchanges, self.next)?;
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
                Stage::Before => {
                    self.stage = Stage::Sound;
                    self.hints.before.filter(|mv| self.groups.contains(*mv)).map(|mv| (0, mv))
                }
                Stage::Sound => self.next_sound(position, evaluation),
                Stage::Killer => self.next_killer(position),
                Stage::List => {
                    self.list_quiet(position, history);
                    (self.stage, self.next) = (Stage::Quiet, 0);
                    None
                }
                Stage::Quiet => self.next_quiet(),
                Stage::Unsound => {
                    let mv = self.unsound.get(self.next).copied()?;
                    self.next += 1;
                    Some((0, mv))
                }
            };
            if let Some((number, mv)) = found {
                return Some(Picked { mv, stage, number });
            }
        }
    }

    fn next_sound(&mut self, position: &Position<W>, evaluation: &Evaluation) -> Option<(i32, Move)> {
        while let Some(mv) = self.next_exchange() {
            if Some(mv) == self.hints.before {
                continue;
            }
            if Exchange(evaluation.worths()).is_sound(position, mv) {
                return Some((0, mv));
            }
            self.unsound.push(mv);
        }
        (self.stage, self.next) = (Stage::Killer, 0);
        None
    }

    fn next_killer(&mut self, position: &Position<W>) -> Option<(i32, Move)> {
        while let Some(killer) = self.hints.killers.get(self.next).copied() {
            self.next += 1;
            let was_given = |mv: Move| {
                Some(mv) == self.hints.before || self.hints.killers[..self.next - 1].contains(&Some(mv))
            };
            let usable = |mv: &Move| is_quiet(position, *mv) && !was_given(*mv) && self.groups.contains(*mv);
            if let Some(mv) = killer.filter(usable) {
                return Some((0, mv));
            }
        }
        self.stage = Stage::List;
        None
    }

    fn next_quiet(&mut self) -> Option<(i32, Move)> {
        while let Some((number, mv)) = take_best(&mut self.quiet, self.next) {
            self.next += 1;
            let was_given = Some(mv) == self.hints.before || self.hints.killers.contains(&Some(mv));
            if !was_given {
                return Some((number, mv));
            }
        }
        (self.stage, self.next) = (Stage::Unsound, 0);
        None
    }

    fn list_quiet(&mut self, position: &Position<W>, history: &History) {
        let (quiet, last, side) = (&mut self.quiet, self.hints.last, position.state().turn());
        self.groups.for_each_quiet(victims(position), |mv| quiet.push((0, mv)));
        for (number, mv) in quiet.iter_mut() {
            *number = history.number(side, history.deed(position.mover(*mv), *mv), last);
        }
        // Killers that are not quiet here, as something stands there now, were passed over and are not of this list.
        self.hints.killers = self.hints.killers.map(|killer| killer.filter(|mv| is_quiet(position, *mv)));
    }
}

/// Brings the highest of the rest to the front; few are asked for, so the list is never sorted whole.
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

/// Whether a move neither captures nor gains by promoting.
#[inline(always)]
pub fn is_quiet<W: Word>(position: &Position<W>, mv: Move) -> bool {
    position.victim(mv).is_none() && mv.becomes().is_none()
}

/// Puts a capture or promotion where it belongs: those that gain nothing are as good as quiet.
#[inline(always)]
fn sort_out<W: Word>(
    position: &Position<W>,
    evaluation: &Evaluation,
    mv: Move,
    exchanges: &mut Vec<(i32, Move)>,
    quiet: &mut Vec<(i32, Move)>,
) {
    let worths = evaluation.worths();
    let victim = position.victim(mv).map_or(0, |kind| worths.at_stake(kind.index()));
    let mover = position.mover(mv).map_or(0, |kind| worths.of(kind.index()));
    let promoted = mv.becomes().map_or(0, |kind| worths.of(kind.index()) - mover);
    match victim + promoted > 0 {
        true => exchanges.push(((victim + promoted) * 16 - mover / 16, mv)),
        false => quiet.push((0, mv)),
    }
}

/// Squares on which something may be captured.
#[inline(always)]
fn victims<W: Word>(position: &Position<W>) -> W {
    let state = position.state();
    state.occupied() & !state.side(state.turn())
}

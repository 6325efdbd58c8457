//! Records a game in a tally while it is played.
//!
//! In: every ply, then the outcome. Out: additions to a tally. Never: a choice of moves.

use ashta_search::SearchWord;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_play::Observer;
use ashta_position::{Line, Move, MoveList, Outcome, PlyInfo};
use ashta_search::Material;

use crate::tally::{GameRow, KindTally, OPENING_PLIES, PlyTally, UnitTally};

/// One ply in so many is looked at piece by piece: what each kind can do costs as much as generating its moves.
const MOBILITY_EVERY: u32 = 64;

/// Watches one game after another.
#[derive(Debug)]
pub struct TallyObserver<'a> {
    tally: UnitTally,
    material: &'a Material,
    cancel: &'a AtomicBool,
    row: GameRow,
    /// The first side's material minus the others'.
    balance: i32,
    /// Who led last: the sign of the balance.
    leader: i32,
    moves: MoveList,
}

impl<'a> TallyObserver<'a> {
    /// Watches a game with `n_kinds` kinds of pieces, whose lead is told by this material, until it is cancelled.
    pub fn new(material: &'a Material, n_kinds: usize, cancel: &'a AtomicBool) -> TallyObserver<'a> {
        let tally = UnitTally { by_kind: vec![KindTally::default(); n_kinds], ..UnitTally::default() };
        TallyObserver {
            tally,
            material,
            cancel,
            row: GameRow::NEW,
            balance: 0,
            leader: 0,
            moves: MoveList::new(),
        }
    }

    /// A new game begins.
    pub fn begin<W: SearchWord>(&mut self, line: &Line<W>) {
        (self.row, self.leader) = (GameRow::NEW, 0);
        self.balance = self.material.balance(line.position()) * sign_of_turn(line);
        self.count_pieces(line, |kind, count| kind.n_at_start += count);
    }

    /// A game has ended.
    pub fn finish<W: SearchWord>(&mut self, line: &Line<W>, outcome: Option<Outcome>) {
        self.record_check(line, None);
        self.record_opening(line);
        if let Some(outcome) = outcome {
            self.row.winner = outcome.winner.map(|side| side.0);
            self.row.reason = outcome.reason;
        }
        self.count_pieces(line, |kind, count| kind.n_at_end += count);
        self.tally.rows.push(self.row);
    }

    /// What was seen.
    pub fn into_tally(self) -> UnitTally {
        self.tally
    }

    /// Whether the last ply gave check; asked of the position where nobody knows yet.
    #[inline(always)]
    fn record_check<W: SearchWord>(&mut self, line: &Line<W>, known: Option<bool>) {
        if self.row.n_plies > 0 && known.unwrap_or_else(|| line.position().is_in_check()) {
            self.row.n_checks += 1;
            if let Some(ply) = self.tally.by_ply.get_mut(self.row.n_plies as usize - 1) {
                ply.n_checks += 1;
            }
        }
    }

    #[inline(always)]
    fn record_opening<W: SearchWord>(&mut self, line: &Line<W>) {
        if self.row.n_plies <= OPENING_PLIES[1]
            && let Some(at) = OPENING_PLIES.iter().position(|ply| *ply == self.row.n_plies)
        {
            self.row.openings[at] = line.position().key();
        }
    }

    #[inline(always)]
    fn record_lead<W: SearchWord>(&mut self, line: &Line<W>, mv: Move) {
        let gain = self.material.gain(line.position(), mv);
        if gain == 0 {
            return;
        }
        self.balance += gain * sign_of_turn(line);
        let leader = self.balance.signum();
        if leader != 0 && leader != self.leader {
            self.row.n_lead_changes += u32::from(self.leader != 0);
            self.leader = leader;
        }
    }

    #[cold]
    fn record_mobility<W: SearchWord>(&mut self, line: &Line<W>) {
        let position = line.position();
        self.moves.clear();
        position.generate(&mut self.moves);
        for kind in self.moves.iter().filter(|mv| mv.from().is_some()).filter_map(|mv| position.mover(*mv)) {
            self.tally.by_kind[kind.index()].n_mobile_moves += 1;
        }
        for square in position.rules().grid().squares() {
            if let Some((side, kind)) = position.piece(square)
                && side == position.turn()
            {
                self.tally.by_kind[kind.index()].n_mobile_pieces += 1;
            }
        }
    }

    fn count_pieces<W: SearchWord>(&mut self, line: &Line<W>, add: impl Fn(&mut KindTally, u64)) {
        let position = line.position();
        for (_, kind) in position.rules().grid().squares().filter_map(|square| position.piece(square)) {
            add(&mut self.tally.by_kind[kind.index()], 1);
        }
        for side in (0..position.rules().sides().len() as u8).map(ashta_rules::Side) {
            for kind in position.rules().kind_ids() {
                add(&mut self.tally.by_kind[kind.index()], position.in_hand(side, kind).into());
            }
        }
    }
}

impl<W: SearchWord> Observer<W> for TallyObserver<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn ply(&mut self, line: &Line<W>, seen: PlyInfo, mv: Move) {
        let ply = self.row.n_plies as usize;
        self.record_check(line, seen.is_check);
        self.record_opening(line);
        let is_capture = line.position().victim(mv).is_some();
        if is_capture || mv.becomes().is_some() {
            self.record_lead(line, mv);
        }
        if (self.row.n_plies + self.tally.rows.len() as u32).is_multiple_of(MOBILITY_EVERY) {
            self.record_mobility(line);
        }
        let captures = u64::from(is_capture);
        if ply == self.tally.by_ply.len() {
            self.tally.by_ply.push(PlyTally::default());
        }
        let tally = &mut self.tally.by_ply[ply];
        let n_moves = u64::from(seen.n_moves);
        tally.n_games += 1;
        tally.moves_sum += n_moves;
        tally.moves_squared_sum += n_moves * n_moves;
        tally.n_captures += captures;
        self.row.n_captures += captures as u32;
        self.row.n_moves += n_moves;
        self.row.n_plies += 1;
    }
}

/// 1 if the side to move is on the first side's team, else -1.
#[inline(always)]
fn sign_of_turn<W: SearchWord>(line: &Line<W>) -> i32 {
    let sides = line.position().rules().sides();
    if sides[line.position().turn().index()].team == sides[0].team { 1 } else { -1 }
}

//! Records a game in a tally while it is played.
//!
//! In: every turn, then the outcome. Out: additions to a tally. Never: a choice of moves.

use std::sync::atomic::{AtomicBool, Ordering};

use ashta_play::{LegalMoves, LegalTurns, Observer};
use ashta_position::{Action, Contest, Line, Move, MoveList, Outcome, State, Turn};
use ashta_rules::{KindId, Rules, Side, Square};
use ashta_search::{Material, SearchWord};

use crate::losses::Losses;
use crate::tally::{ContestRow, GameRow, KindTally, OPENING_PLIES, PlyTally, UnitTally};

/// One turn in so many is looked at piece by piece: what each kind can do costs as much as generating its moves.
const MOBILITY_EVERY: u32 = 64;

/// Watches one game after another.
#[derive(Debug)]
pub struct TallyObserver<'a> {
    tally: UnitTally,
    material: &'a Material,
    cancel: &'a AtomicBool,
    row: GameRow,
    /// The first team's material minus the others'.
    balance: i32,
    /// Who led last: the sign of the balance.
    leader: i32,
    moves: MoveList,
    losses: Losses,
    contest_row: ContestRow,
    /// The side that takes the turn of a contest under way, and its captures.
    mover: usize,
    captures: u32,
    n_taken: [u8; 4],
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
            losses: Losses::default(),
            contest_row: ContestRow::default(),
            mover: 0,
            captures: 0,
            n_taken: [0; 4],
        }
    }

    /// What was seen.
    pub fn into_tally(self) -> UnitTally {
        self.tally
    }

    fn begin_row(&mut self) {
        (self.row, self.contest_row, self.leader) = (GameRow::NEW, ContestRow::default(), 0);
    }

    fn finish_row(&mut self, rules: &Rules, outcome: Option<Outcome>) {
        self.losses.add_to(&mut self.tally.by_kind, self.row.n_plies, outcome, rules);
        if let Some(outcome) = outcome {
            self.row.winner = outcome.winner.map(|side| side.0);
            self.row.reason = outcome.reason;
        }
        self.tally.rows.push(self.row);
    }

    #[inline(always)]
    fn record_turn(&mut self, n_moves: u32, captures: u32) {
        let ply = self.row.n_plies as usize;
        if ply == self.tally.by_ply.len() {
            self.tally.by_ply.push(PlyTally::default());
        }
        let tally = &mut self.tally.by_ply[ply];
        let n_moves = u64::from(n_moves);
        tally.n_games += 1;
        tally.moves_sum += n_moves;
        tally.moves_squared_sum += n_moves * n_moves;
        tally.n_captures += u64::from(captures);
        self.row.n_captures += captures;
        self.row.n_moves += n_moves;
        self.row.n_plies += 1;
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
    fn record_opening(&mut self, key: impl FnOnce() -> u64) {
        if self.row.n_plies <= OPENING_PLIES[1]
            && let Some(at) = OPENING_PLIES.iter().position(|ply| *ply == self.row.n_plies)
        {
            self.row.openings[at] = key();
        }
    }

    #[inline(always)]
    fn record_leader(&mut self, balance: i32) {
        self.balance = balance;
        let leader = balance.signum();
        if leader != 0 && leader != self.leader {
            self.row.n_lead_changes += u32::from(self.leader != 0);
            self.leader = leader;
        }
    }

    #[inline(always)]
    fn is_mobility_due(&self) -> bool {
        (self.row.n_plies + self.tally.rows.len() as u32).is_multiple_of(MOBILITY_EVERY)
    }

    /// Moves of single pieces, by their starts, and the pieces that could have moved.
    #[cold]
    fn record_mobility<W: SearchWord>(&mut self, state: &State<W>, starts: impl Iterator<Item = Square>) {
        for from in starts {
            self.tally.by_kind[state.kind_on(from).index()].n_mobile_moves += 1;
        }
        for square in state.side(state.turn()).squares() {
            self.tally.by_kind[state.kind_on(square).index()].n_mobile_pieces += 1;
        }
    }

    fn begin_losses<W: SearchWord>(&mut self, state: &State<W>, is_held: impl Fn(KindId) -> bool) {
        self.losses = Losses::default();
        state.occupied().squares().for_each(|square| self.losses.see(state.kind_on(square)));
        let n_kinds = self.tally.by_kind.len() as u8;
        (0..n_kinds).map(KindId).filter(|kind| is_held(*kind)).for_each(|kind| self.losses.see(kind));
        self.losses.begin();
    }

    fn count_pieces<W: SearchWord>(&mut self, state: &State<W>, add: impl Fn(&mut KindTally, u64)) {
        for square in state.occupied().squares() {
            add(&mut self.tally.by_kind[state.kind_on(square).index()], 1);
        }
    }

    fn count_hands<W: SearchWord>(&mut self, line: &Line<W>, add: impl Fn(&mut KindTally, u64)) {
        let position = line.position();
        for side in (0..position.rules().sides().len() as u8).map(Side) {
            for kind in position.rules().kind_ids() {
                add(&mut self.tally.by_kind[kind.index()], position.in_hand(side, kind).into());
            }
        }
    }
}

impl<W: SearchWord> Observer<Line<W>> for TallyObserver<'_> {
    fn begin(&mut self, line: &Line<W>) {
        self.begin_row();
        self.balance =
            self.material.balance(line.position()) * sign_of(line.position().turn(), line.position().rules());
        self.count_pieces(line.position().state(), |kind, count| kind.n_at_start += count);
        self.count_hands(line, |kind, count| kind.n_at_start += count);
        self.begin_losses(line.position().state(), |kind| {
            let position = line.position();
            position.rules().side_ids().any(|side| position.in_hand(side, kind) > 0)
        });
    }

    #[inline(always)]
    fn turn(&mut self, line: &Line<W>, legal: &LegalMoves<W>, mv: Move) {
        let position = line.position();
        self.record_check(line, legal.is_check());
        let is_capture = position.victim(mv).is_some();
        if is_capture || mv.becomes().is_some() {
            let gain = self.material.gain(position, mv);
            if gain != 0 {
                self.record_leader(self.balance + gain * sign_of(position.turn(), position.rules()));
            }
            mv.becomes().into_iter().for_each(|kind| self.losses.see(kind));
            let (loser, ply) = (position.turn().other(), self.row.n_plies + 1);
            position.victims(mv).for_each(|kind| self.losses.lose(loser, kind, ply));
        } else if mv.from().is_none() {
            position.mover(mv).into_iter().for_each(|kind| self.losses.see(kind));
        }
        if self.is_mobility_due() {
            let mut moves = std::mem::take(&mut self.moves);
            moves.clear();
            position.generate(&mut moves);
            self.record_mobility(position.state(), moves.iter().filter_map(|mv| mv.from()));
            self.moves = moves;
        }
        self.record_turn(legal.n_moves(), u32::from(is_capture));
    }

    #[inline(always)]
    fn played(&mut self, line: &Line<W>) {
        self.record_opening(|| line.position().key());
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn finish(&mut self, line: &Line<W>, outcome: Option<Outcome>) {
        self.record_check(line, None);
        self.count_pieces(line.position().state(), |kind, count| kind.n_at_end += count);
        self.count_hands(line, |kind, count| kind.n_at_end += count);
        self.finish_row(line.position().rules(), outcome);
    }
}

impl<W: SearchWord> Observer<Contest<W>> for TallyObserver<'_> {
    fn begin(&mut self, contest: &Contest<W>) {
        self.begin_row();
        self.n_taken = taken(contest);
        self.count_pieces(contest.state(), |kind, count| kind.n_at_start += count);
        self.begin_losses(contest.state(), |_| false);
    }

    #[inline]
    fn turn(&mut self, contest: &Contest<W>, legal: &LegalTurns<W>, turn: Turn) {
        let turns = &legal.turns;
        if self.is_mobility_due() {
            let mut singles = Vec::new();
            turns.list_singles(&mut singles);
            self.record_mobility(contest.state(), singles.iter().filter_map(|turn| turn.first.from()));
        }
        // The second move may go where the first began, which is empty by then.
        let victims = [victim(contest, turn.first, None), victim(contest, turn.second, turn.first.from())];
        for (side, kind) in victims.into_iter().flatten() {
            self.losses.lose(side, kind, self.row.n_plies + 1);
        }
        self.captures = victims.iter().flatten().count() as u32;
        self.mover = contest.turn().index();
        self.record_turn(turns.count(contest.turn_state().roll()), self.captures);
        let row = &mut self.contest_row;
        row.n_all_rolls += u64::from(turns.count_all_rolls());
        row.n_before_doubled += u64::from(turns.count_before_doubled());
        row.n_piece_moves += turn.n_moves();
        row.n_passes += u32::from(turn == Turn::PASS);
    }

    #[inline]
    fn played(&mut self, contest: &Contest<W>) {
        self.record_opening(|| contest.key());
        if self.captures == 0 {
            return;
        }
        self.record_leader(balance(contest, self.material));
        let now = taken(contest);
        for (side, n) in now.iter().enumerate() {
            self.contest_row.takes[self.mover & 3][side] += n - self.n_taken[side];
        }
        self.n_taken = now;
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn finish(&mut self, contest: &Contest<W>, outcome: Option<Outcome>) {
        self.contest_row.n_exchanges = contest.turn_state().n_exchanges();
        self.contest_row.n_blocks = contest.turn_state().n_blocks();
        self.count_pieces(contest.state(), |kind, count| kind.n_at_end += count);
        // Promotions are settled at the end of a turn, so that a kind may only be seen when the game is over.
        let state = contest.state();
        state.occupied().squares().for_each(|square| self.losses.see(state.kind_on(square)));
        self.finish_row(contest.rules(), outcome);
        self.tally.contests.push(self.contest_row);
    }
}

/// 1 if the side is on the first side's team, else -1.
#[inline(always)]
fn sign_of(side: Side, rules: &Rules) -> i32 {
    let sides = rules.sides();
    if sides[side.index()].team == sides[0].team { 1 } else { -1 }
}

fn balance<W: SearchWord>(contest: &Contest<W>, material: &Material) -> i32 {
    let (state, rules) = (contest.state(), contest.rules());
    let value = |square| material.values().of(state.kind_on(square));
    let of_side = |side: Side| -> i32 { state.side(side).squares().map(value).sum() };
    rules.side_ids().map(|side| of_side(side) * sign_of(side, rules)).sum()
}

fn taken<W: SearchWord>(contest: &Contest<W>) -> [u8; 4] {
    std::array::from_fn(|side| contest.turn_state().n_taken(Side(side as u8)))
}

/// What stands on the square that a move goes to, unless it has just left it.
fn victim<W: SearchWord>(contest: &Contest<W>, mv: Move, left: Option<Square>) -> Option<(Side, KindId)> {
    match mv.action() {
        Action::Go { to, .. } => contest.piece(to).filter(|_| Some(to) != left),
        Action::Drop { .. }
        | Action::Castle { .. }
        | Action::EnPassant { .. }
        | Action::TwoLegs { .. }
        | Action::Pass => None,
    }
}

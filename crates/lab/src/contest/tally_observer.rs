//! Records a contest in a tally while it is played.

use ashta_search::SearchWord;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_play::ContestObserver;
use ashta_position::{Action, Contest, Move, Outcome, Turn, Turns};
use ashta_rules::Square;

use crate::tally::{ContestRow, GameRow, KindTally, OPENING_PLIES, PlyTally, UnitTally};

/// One turn in so many is looked at piece by piece.
const MOBILITY_EVERY: u32 = 64;

/// Watches one contest after another.
#[derive(Debug)]
pub struct ContestTallyObserver<'a> {
    tally: UnitTally,
    /// What each kind is worth, by which the lead is told.
    worth: Vec<i32>,
    cancel: &'a AtomicBool,
    row: GameRow,
    contest_row: ContestRow,
    /// Captures of the turn under way.
    captures: u32,
    leader: i32,
    n_taken: [u8; 4],
    mover: usize,
}

impl<'a> ContestTallyObserver<'a> {
    /// Watches a contest whose kinds are worth so much, until it is cancelled.
    pub fn new(worth: Vec<i32>, cancel: &'a AtomicBool) -> ContestTallyObserver<'a> {
        let tally = UnitTally { by_kind: vec![KindTally::default(); worth.len()], ..UnitTally::default() };
        ContestTallyObserver {
            tally,
            worth,
            cancel,
            row: GameRow::NEW,
            contest_row: ContestRow::default(),
            captures: 0,
            leader: 0,
            n_taken: [0; 4],
            mover: 0,
        }
    }

    /// A new contest begins.
    pub fn begin<W: SearchWord>(&mut self, contest: &Contest<W>) {
        (self.row, self.contest_row, self.leader) = (GameRow::NEW, ContestRow::default(), 0);
        self.n_taken = taken(contest);
        self.count_pieces(contest, |kind, count| kind.n_at_start += count);
    }

    /// A contest has ended.
    pub fn finish<W: SearchWord>(&mut self, contest: &Contest<W>, outcome: Option<Outcome>) {
        if let Some(outcome) = outcome {
            self.row.winner = outcome.winner.map(|side| side.0);
            self.row.reason = outcome.reason;
        }
        self.contest_row.n_exchanges = contest.turn_state().n_exchanges();
        self.contest_row.n_blocks = contest.turn_state().n_blocks();
        self.count_pieces(contest, |kind, count| kind.n_at_end += count);
        self.tally.rows.push(self.row);
        self.tally.contests.push(self.contest_row);
    }

    /// What was seen.
    pub fn into_tally(self) -> UnitTally {
        self.tally
    }

    fn count_pieces<W: SearchWord>(&mut self, contest: &Contest<W>, add: impl Fn(&mut KindTally, u64)) {
        let state = contest.state();
        for square in state.occupied().squares() {
            add(&mut self.tally.by_kind[state.kind_on(square)], 1);
        }
    }

    /// The lead of the first side's team, told anew after a capture.
    fn record_lead<W: SearchWord>(&mut self, contest: &Contest<W>) {
        let (state, sides) = (contest.state(), contest.rules().sides());
        let mut balance = 0;
        for (side, rules) in sides.iter().enumerate() {
            let men = state.side(side as u8).squares();
            let worth: i32 = men.map(|square| self.worth[state.kind_on(square)]).sum();
            balance += if rules.team == sides[0].team { worth } else { -worth };
        }
        let leader = balance.signum();
        if leader != 0 && leader != self.leader {
            self.row.n_lead_changes += u32::from(self.leader != 0);
            self.leader = leader;
        }
    }

    #[cold]
    fn record_mobility<W: SearchWord>(&mut self, contest: &Contest<W>, turns: &Turns<W>) {
        let mut singles = Vec::new();
        turns.list_singles(&mut singles);
        for from in singles.iter().filter_map(|turn| turn.first.from()) {
            if let Some((_, kind)) = contest.piece(from) {
                self.tally.by_kind[kind.index()].n_mobile_moves += 1;
            }
        }
        let state = contest.state();
        for square in state.side(contest.turn().0).squares() {
            self.tally.by_kind[state.kind_on(square)].n_mobile_pieces += 1;
        }
    }
}

fn taken<W: SearchWord>(contest: &Contest<W>) -> [u8; 4] {
    std::array::from_fn(|side| contest.turn_state().n_taken(side))
}

/// Whether a move goes to a square on which something else stands.
fn captures<W: SearchWord>(contest: &Contest<W>, mv: Move, left: Option<Square>) -> bool {
    match mv.action() {
        Action::Go { to, .. } => contest.piece(to).is_some() && Some(to) != left,
        Action::Drop { .. } | Action::Castle { .. } | Action::EnPassant { .. } | Action::Pass => false,
    }
}

impl<W: SearchWord> ContestObserver<W> for ContestTallyObserver<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    #[inline]
    fn turn(&mut self, contest: &Contest<W>, turns: &Turns<W>, turn: Turn) {
        let at = self.row.n_plies as usize;
        if (self.row.n_plies + self.tally.rows.len() as u32).is_multiple_of(MOBILITY_EVERY) {
            self.record_mobility(contest, turns);
        }
        // The second move may go where the first began, which is empty by then.
        let first = captures(contest, turn.first, None);
        let second = captures(contest, turn.second, turn.first.from());
        self.captures = u32::from(first) + u32::from(second);
        self.mover = contest.turn().index();
        if at == self.tally.by_ply.len() {
            self.tally.by_ply.push(PlyTally::default());
        }
        let n_turns = u64::from(turns.count(contest.turn_state().roll()));
        let ply = &mut self.tally.by_ply[at];
        ply.n_games += 1;
        ply.moves_sum += n_turns;
        ply.moves_squared_sum += n_turns * n_turns;
        ply.n_captures += u64::from(self.captures);
        self.row.n_captures += self.captures;
        self.row.n_moves += n_turns;
        self.row.n_plies += 1;
        let row = &mut self.contest_row;
        row.n_all_rolls += u64::from(turns.count_all_rolls());
        row.n_before_doubled += u64::from(turns.count_before_doubled());
        row.n_piece_moves += turn.n_moves();
        row.n_passes += u32::from(turn == Turn::PASS);
    }

    #[inline]
    fn played(&mut self, contest: &Contest<W>) {
        if let Some(at) = OPENING_PLIES.iter().position(|ply| *ply == self.row.n_plies) {
            self.row.openings[at] = contest.key();
        }
        if self.captures == 0 {
            return;
        }
        self.record_lead(contest);
        let now = taken(contest);
        for (side, n) in now.iter().enumerate() {
            self.contest_row.takes[self.mover & 3][side] += n - self.n_taken[side];
        }
        self.n_taken = now;
    }
}

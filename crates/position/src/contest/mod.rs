//! Where a contest stands: several sides, some of them beaten, dice thrown or to be thrown.
//!
//! In: compiled rules of a game with a [`ContestRules`](ashta_rules::ContestRules). Out: what comes next (a throw, a turn,
//! an answer), legal turns, play and take back, the result. Never: which turn is good, and random numbers: a throw comes
//! from outside.

mod attack;
mod captives;
mod compiled;
mod ends;
mod explain;
mod perft;
mod pick;
mod promote;
mod seconds;
mod setwise;
mod survey;
mod text;
mod turn_state;
mod turns;
mod view;

use std::sync::Arc;

use ashta_rules::{Goal, KindId, Rules, Side, Square};

use crate::dispatch::Tables;
use crate::moves::Move;
use crate::piece::Piece;
use crate::state::State;
use crate::tables::{ContestClasses, ContestTables};
use crate::word::Word;

pub use ashta_rules::{Chances, Roll, Throw};
pub use attack::Legs;
pub use captives::Answer;
pub use compiled::ContestWord;
pub use survey::Survey;
pub use text::{ContestTextError, TurnTextError};
pub use turn_state::TurnState;
pub use turns::{Turn, Turns};

/// A contest under way.
#[derive(Clone, Debug)]
pub struct Contest<W> {
    tables: Arc<Tables<W>>,
    state: State<W>,
    turn_state: TurnState,
    /// Squares that changed and what stood there before, newest last.
    log: Vec<(Square, Option<Piece>)>,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The dice are thrown.
    Throw,
    /// The side to move takes its turn.
    Turn,
    /// A side says whether it wants captured royal pieces exchanged.
    Exchange(Side),
}

/// What is needed to take a turn, a throw or an answer back.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    turn_state: TurnState,
    turn: Side,
    ply: u32,
    log: usize,
}

impl<W: Word> Contest<W> {
    /// The start of a contest; nothing if the game is none.
    pub fn start(tables: Arc<Tables<W>>) -> Option<Contest<W>> {
        let setup = tables.rules.start().clone();
        Contest::of_setup(tables, &setup, TurnState::new())
    }

    fn of_setup(
        tables: Arc<Tables<W>>,
        setup: &ashta_rules::Setup,
        turn_state: TurnState,
    ) -> Option<Contest<W>> {
        tables.contest.as_ref()?;
        let mut state = State::empty(&tables);
        for (square, piece) in setup.board.iter().enumerate() {
            if let Some((side, kind)) = piece {
                state.put(&tables, Square(square as u8), Piece::new(*side, *kind));
            }
        }
        state.set_turn(&tables, Side(setup.turn), 0, setup.ply);
        let mut contest = Contest { tables, state, turn_state, log: Vec::new() };
        contest.turn_state.living = contest.count_living();
        Some(contest)
    }

    /// Sets this contest to another of the same game, in its own memory.
    pub fn restart(&mut self, start: &Contest<W>) {
        (self.state, self.turn_state) = (start.state, start.turn_state);
        self.log.clear();
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.tables.rules
    }

    /// The compiled rules.
    #[inline]
    pub fn tables(&self) -> &Arc<Tables<W>> {
        &self.tables
    }

    #[inline(always)]
    fn contest_tables(&self) -> &ContestTables<W> {
        self.tables.contest.as_ref().expect("`Contest` is made of contests only")
    }

    fn contest_rules(&self) -> &ashta_rules::ContestRules {
        self.tables.rules.contest().expect("`Contest` is made of contests only")
    }

    /// Every throw of the dice; none without dice.
    pub fn rolls(&self) -> Vec<Roll> {
        Roll::all(self.contest_rules())
    }

    /// How a side's pieces move.
    #[inline(always)]
    fn units(&self, side: Side) -> &ContestClasses<W> {
        let units = self.tables.sides[side.index() & 3].contest.as_ref();
        units.expect("every side of a contest has its units")
    }

    /// The pieces.
    #[inline]
    pub fn state(&self) -> &State<W> {
        &self.state
    }

    /// Everything but the pieces.
    #[inline]
    pub fn turn_state(&self) -> &TurnState {
        &self.turn_state
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Side {
        self.state.turn()
    }

    /// Turns taken so far.
    #[inline]
    pub fn n_turns(&self) -> u32 {
        self.state.ply()
    }

    /// What stands on a square.
    pub fn piece(&self, square: Square) -> Option<(Side, KindId)> {
        self.state.piece(square).map(|piece| (piece.side(), piece.kind()))
    }

    /// A key of everything but the throw: equal for equal positions.
    pub fn key(&self) -> u64 {
        let points = if self.contest_rules().goal == Goal::Points { self.turn_state.points_key() } else { 0 };
        self.state.key() ^ self.turn_state.key() ^ points
    }

    /// What comes next, if the contest is not over.
    pub fn stage(&self) -> Stage {
        match (self.turn_state.asked, self.turn_state.roll) {
            (Some(side), _) => Stage::Exchange(side),
            (None, None) if self.contest_rules().dice.is_some() => Stage::Throw,
            (None, _) => Stage::Turn,
        }
    }

    /// Squares of a side's royal pieces.
    #[inline(always)]
    pub fn royals(&self, side: Side) -> W {
        self.tables.sides[side.index() & 3].royal_group.pieces(&self.state) & self.state.side(side)
    }

    /// Whether a side still plays: it has a royal piece, or one that comes back.
    #[inline(always)]
    pub fn is_living(&self, side: Side) -> bool {
        self.turn_state.is_living(side)
    }

    /// How many sides still play.
    #[inline]
    pub fn n_living(&self) -> u32 {
        u32::from(self.turn_state.living.count_ones() as u8)
    }

    /// Whether two sides are on one team, and other teams are still to be beaten.
    #[inline(always)]
    pub fn are_partners(&self, a: Side, b: Side) -> bool {
        let teams = &self.contest_tables().teams;
        a != b && teams[a.index() & 3] == teams[b.index() & 3] && !self.is_final()
    }

    /// Whether one team is left, whose partners fight each other.
    #[inline(always)]
    pub fn is_final(&self) -> bool {
        let tables = self.contest_tables();
        let living = self.turn_state.living;
        living & !tables.partners[living.trailing_zeros() as usize & 3] == 0
    }

    fn count_living(&self) -> u8 {
        let lives = |side: Side| self.royals(side).any() || self.turn_state.is_returning(side);
        let sides = self.contest_tables().sides();
        sides.fold(0, |set, side| set | u8::from(lives(side)) << side.0)
    }

    /// The sides whose pieces the side to move may move: its own and, from its partner's throne, its partner's.
    #[inline(always)]
    fn commanded(&self) -> (Side, Option<Side>) {
        let me = self.state.turn();
        (me, self.commanded_partner(me))
    }

    #[inline(always)]
    fn commanded_partner(&self, side: Side) -> Option<Side> {
        let tables = self.contest_tables();
        let royals = self.royals(side);
        let partner = tables.sides().find(|other| {
            let there = (royals & tables.thrones[other.index() & 3]).any();
            (there || self.turn_state.commanding >> side.0 & 1 == 1) && self.are_partners(side, *other)
        });
        partner.filter(|_| royals.any())
    }

    /// Where to go back to.
    pub fn mark(&self) -> Mark {
        Mark {
            turn_state: self.turn_state,
            turn: self.state.turn(),
            ply: self.state.ply(),
            log: self.log.len(),
        }
    }

    /// The dice show these numbers; asked at [`Stage::Throw`] only.
    #[inline]
    pub fn throw(&mut self, roll: Roll) -> Mark {
        let mark = self.mark();
        self.turn_state.roll = Some(roll);
        mark
    }

    fn play_generic(&mut self, turn: Turn) -> Mark {
        let mark = self.mark();
        if turn.first != Move::PASS {
            self.leg(turn.first);
        }
        if turn.second != Move::PASS {
            self.leg(turn.second);
        }
        self.finish_turn(mark.log);
        mark
    }

    /// Goes back to where a mark was made.
    #[inline]
    pub fn take_back(&mut self, mark: Mark) {
        while self.log.len() > mark.log {
            if let Some((square, piece)) = self.log.pop() {
                self.write(square, piece);
            }
        }
        self.state.set_turn(&self.tables, mark.turn, 0, mark.ply);
        self.turn_state = mark.turn_state;
    }

    fn write(&mut self, square: Square, piece: Option<Piece>) {
        if self.state.piece(square).is_some() {
            self.state.take(&self.tables, square);
        }
        if let Some(piece) = piece {
            self.state.put(&self.tables, square, piece);
        }
    }

    /// Puts a piece on a square, or nothing, and remembers what was there.
    #[inline]
    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.log.push((square, self.state.piece(square)));
        self.write(square, piece);
    }

    /// One piece's move and what it captures.
    fn leg(&mut self, mv: Move) {
        let (from, to) = (mv.raw_from(), mv.raw_to());
        if mv.is_drop() {
            let me = self.state.turn();
            self.turn_state.returning &= !(1 << me.0);
            return self.set(to, Some(Piece::new(me, mv.raw_kind().unwrap_or(KindId(0)))));
        }
        let Some(piece) = self.state.piece(from).filter(|_| from != to) else { return };
        if let Some(victim) = self.state.piece(to) {
            self.capture(to);
            self.count_fallen(piece, victim, to);
        }
        self.set(from, None);
        self.set(to, Some(mv.raw_kind().map_or(piece, |kind| piece.promoted(kind))));
        if self.contest_tables().block_kinds >> piece.kind().0 & 1 == 1 {
            self.fill_block(to);
        }
    }

    /// Takes everything else in the blocks that a piece has filled.
    fn fill_block(&mut self, to: Square) {
        let fillers = self.units(Side::FIRST).block.pieces(&self.state);
        let full = self.contest_tables().blocks.at(to).iter().filter(|block| (**block & !fillers).is_empty());
        let others = full.fold(W::ZERO, |all, block| all | *block) & !W::bit(to);
        others.squares().for_each(|square| self.capture(square));
        self.turn_state.n_blocks += u8::from(others.any());
    }

    fn capture(&mut self, square: Square) {
        let (victim, me) = (self.state.piece_on(square), self.state.turn());
        let tables = self.contest_tables();
        let is_royal = tables.royal_kinds >> victim.kind().0 & 1 == 1;
        let points = tables.points[victim.kind().index()];
        let score = &mut self.turn_state.points[me.index() & 3];
        *score = score.saturating_add(points);
        self.set(square, None);
        if is_royal {
            self.royal_captured(victim.side(), me);
        }
    }

    /// Counts a royal piece again that another takes on its own throne, where that is the rule.
    #[inline(always)]
    fn count_fallen(&mut self, taker: Piece, victim: Piece, square: Square) {
        let tables = self.contest_tables();
        let is_royal = |piece: Piece| tables.royal_kinds >> piece.kind().0 & 1 == 1;
        if tables.doubled[victim.side().index()].has(square) && is_royal(taker) && is_royal(victim) {
            let (points, me) = (tables.points[victim.kind().index()], self.state.turn());
            let score = &mut self.turn_state.points[me.index() & 3];
            *score = score.saturating_add(points);
        }
    }

    fn finish_turn(&mut self, since: usize) {
        self.promote(since);
        self.turn_state.roll = None;
        let living = self.turn_state.living;
        self.turn_state.living = self.count_living();
        if self.turn_state.living != living {
            self.free_captives(living & !self.turn_state.living);
        } else if living.count_ones() == 2 {
            self.ask_again();
        }
        self.keep_command();
        self.pass_the_turn();
    }

    /// Remembers who has stood on its partner's throne, where that gives command for good.
    fn keep_command(&mut self) {
        let rules = self.contest_rules();
        let lasts = rules.throne.as_ref().is_some_and(|t| t.command == ashta_rules::Command::FromThenOn);
        let me = self.state.turn();
        if lasts && self.commanded_partner(me).is_some() {
            self.turn_state.commanding |= 1 << me.0;
        }
    }

    #[inline]
    fn pass_the_turn(&mut self) {
        let (me, living) = (self.state.turn(), self.turn_state.living);
        // The next living side above, else the lowest.
        let above = u32::from(living) & !0 << (me.0 + 1);
        let next = match (above, living) {
            (_, 0) => me,
            (0, _) => Side(living.trailing_zeros() as u8),
            (_, _) => Side(above.trailing_zeros() as u8),
        };
        let ply = self.state.ply() + 1;
        self.state.set_turn(&self.tables, next, 0, ply);
    }
}

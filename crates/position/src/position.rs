//! A checked position of one word.
//!
//! In: a [`Setup`] that makes sense under the rules. Out: legal moves, play and take back, attacks, the setup again.
//! Never: a position in which the side that has just moved left its royal piece to be taken.

use std::sync::Arc;

use ashta_messages::{Message, Tell, message};
use ashta_rules::{Count, Hand, KindId, Rules, Setup, Side, Square};

use crate::attack::AttackView;
use crate::dispatch::{Dispatched, Tables};
use crate::exploded::Exploded;
use crate::generate::touch;
use crate::legality_query::LegalityQuery;
use crate::moves::Move;
use crate::piece::Piece;
use crate::piece_attacks::PieceAttacks;
use crate::sink::{AnyMove, MoveCount, MoveList};
use crate::state::{State, Undo};
use crate::tables::features;
use crate::word::Word;

/// A position that can be played from.
#[derive(Clone, Debug)]
pub struct Position<W> {
    tables: Arc<Tables<W>>,
    state: State<W>,
    /// What the moves so far have blown up.
    exploded: Exploded,
}

/// Why a setup is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum PositionError {
    /// A side has no royal piece.
    #[code("position.no-royal")]
    NoRoyal {
        /// Whose.
        side: Message,
    },
    /// A side has more royal pieces than the game can have.
    #[code("position.many-royals")]
    ManyRoyals {
        /// Whose.
        side: Message,
        /// How many.
        count: usize,
        /// Where.
        squares: Vec<String>,
    },
    /// The side that is not to move could be captured at once.
    #[code("position.left-in-check")]
    LeftInCheck {
        /// Whose.
        side: Message,
        /// What and where.
        piece: Message,
    },
    /// A setup made for another game.
    #[code("position.other-game")]
    OtherGame,
}

/// What a setup is for, and so what it must have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SetupUse {
    /// A game: everything that one needs.
    Game,
    /// A problem: the side to move, which is to mate, need not have a royal piece.
    Problem,
    /// A study of a part of the board: no side need have a royal piece. Moves are legal that leave none in check.
    Study,
    /// A diagram, to be looked at: any pieces. What is legal in it means nothing.
    Diagram,
}

impl<W: Word> Position<W> {
    /// The start of the game.
    pub fn start(tables: Arc<Tables<W>>) -> Position<W> {
        let setup = tables.rules.start().clone();
        Position { state: state_of(&tables, &setup), tables, exploded: Exploded::default() }
    }

    /// Checks a setup.
    #[inline]
    pub fn new(tables: Arc<Tables<W>>, setup: &Setup) -> Result<Position<W>, PositionError> {
        Position::for_use(tables, setup, SetupUse::Game)
    }

    /// Checks the setup of a problem: the side to move, which is to mate, need not have a royal piece.
    #[inline]
    pub fn of_problem(tables: Arc<Tables<W>>, setup: &Setup) -> Result<Position<W>, PositionError> {
        Position::for_use(tables, setup, SetupUse::Problem)
    }

    /// Checks that a setup has what its use demands.
    pub fn for_use(
        tables: Arc<Tables<W>>,
        setup: &Setup,
        setup_use: SetupUse,
    ) -> Result<Position<W>, PositionError> {
        if !fits(&tables.rules, setup) {
            return Err(PositionError::OtherGame);
        }
        if setup_use != SetupUse::Diagram {
            // Off a board of 256 bits there is no square for a royal piece that is not there.
            let can_lack = W::SQUARES <= 128 || tables.features == features::EVERYTHING;
            check_royals(&tables, setup, if can_lack { setup_use } else { SetupUse::Game })?;
        }
        let position = Position { state: state_of(&tables, setup), tables, exploded: Exploded::default() };
        if setup_use != SetupUse::Diagram {
            position.check_last_mover()?;
        }
        Ok(position)
    }

    /// Takes everything off the board and puts these pieces on it, one royal piece of each side among them, each on a
    /// square of its own; says whether somebody can play from there. For tables of endings, which look at millions.
    pub fn set_pieces(&mut self, pieces: &[(Square, Side, KindId)], turn: Side) -> bool {
        for square in self.state.occupied().squares() {
            self.state.take(&self.tables, square);
        }
        for (square, side, kind) in pieces {
            self.state.put(&self.tables, *square, Piece::new(*side, *kind));
        }
        self.state.set_turn(&self.tables, turn, 0, 0);
        self.state.set_rights(&self.tables, 0);
        !self.is_side_in_check(turn.other())
    }

    /// The compiled rules.
    #[inline]
    pub fn tables(&self) -> &Arc<Tables<W>> {
        &self.tables
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.tables.rules
    }

    /// The changing part.
    #[inline]
    pub fn state(&self) -> &State<W> {
        &self.state
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Side {
        self.state.turn()
    }

    /// The key: equal for positions with the same pieces, hands, turn and rights.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state.key()
    }

    /// What stands on a square.
    pub fn piece(&self, square: Square) -> Option<(Side, KindId)> {
        self.state.piece(square).map(|piece| (piece.side(), piece.kind()))
    }

    /// The kinds of all pieces that a move captures: none, one, or two.
    #[inline(always)]
    pub fn victims(&self, mv: Move) -> impl Iterator<Item = KindId> {
        let has_second = mv.is_two_legs() && mv.raw_from() != mv.raw_to();
        let second = if has_second { self.state.piece(mv.raw_to()).map(Piece::kind) } else { None };
        self.victim(mv).into_iter().chain(second)
    }

    /// The kind of the piece that a move captures; of two, that on the way.
    #[inline(always)]
    pub fn victim(&self, mv: Move) -> Option<KindId> {
        let square = match mv.is_plain() {
            true => mv.raw_to(),
            false if mv.is_drop() || mv.is_castle() => return None,
            false => mv.raw_victim(),
        };
        self.state.piece(square).filter(|_| mv.raw_from() != square).map(Piece::kind)
    }

    /// The kind of the piece that a move moves or drops; none if it passes.
    #[inline(always)]
    pub fn mover(&self, mv: Move) -> Option<KindId> {
        if mv.is_drop() {
            return mv.raw_kind();
        }
        self.state.piece(mv.raw_from()).filter(|_| mv != Move::PASS).map(Piece::kind)
    }

    /// How many pieces of a kind a side holds.
    pub fn in_hand(&self, side: Side, kind: KindId) -> u8 {
        let slot = self.tables.hand_kinds.iter().position(|k| *k == kind);
        slot.map_or(0, |slot| self.state.in_hand(side, slot as u8))
    }

    /// Gives every legal move to a sink.
    #[inline(always)]
    pub fn generate<S: Dispatched<W>>(&self, sink: &mut S) {
        sink.generate(&self.tables, &self.state);
    }

    /// Lists the legal moves; inner loops give a list of their own to [`Position::generate`] instead.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut list = MoveList::new();
        self.generate(&mut list);
        list.to_vec()
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = MoveCount::default();
        self.generate(&mut count);
        count.0
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut any = AnyMove::default();
        self.generate(&mut any);
        any.0
    }

    /// Whether a move is legal.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut wanted = LegalityQuery::new(mv, &self.tables);
        self.generate(&mut wanted);
        wanted.found
    }

    /// Plays a legal move. An illegal one leaves a position that means nothing, though memory stays sound.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) -> Undo {
        let undo = self.state.play_unchecked(&self.tables, mv);
        if self.tables.has_effects {
            self.bring_about(mv, &undo);
        }
        undo
    }

    /// What a move brings about that its undo record does not hold.
    #[cold]
    fn bring_about(&mut self, mv: Move, undo: &Undo) {
        if self.tables.explosion.is_some() && undo.is_capture() {
            self.exploded.begin();
            self.state.explode(&self.tables, mv, |square, piece| self.exploded.add(square, piece));
        }
        self.watch(mv, undo);
    }

    /// Takes rights away.
    pub(crate) fn lose_rights(&mut self, lost: u32) {
        let left = self.state.rights() & !lost;
        self.state.set_rights(&self.tables, left);
    }

    /// Lets a count run.
    pub(crate) fn set_count(&mut self, limit: u8, plies: u32) {
        self.state.set_count(limit, plies);
    }

    /// Counts leaves, with a list of moves for each ply.
    pub(crate) fn perft(&mut self, depth: u32, lists: &mut [MoveList]) -> u64 {
        self.tables.perft(&mut self.state, depth, lists)
    }

    /// Takes back the last move.
    #[inline(always)]
    pub fn take_back(&mut self, mv: Move, undo: Undo) {
        if self.tables.has_effects && self.tables.explosion.is_some() && undo.is_capture() {
            self.exploded.take_back(|square, piece| self.state.put(&self.tables, square, piece));
        }
        self.state.take_back(&self.tables, mv, undo);
    }

    /// Whether the side to move has one royal piece left and it is attacked.
    #[inline]
    pub fn is_in_check(&self) -> bool {
        self.is_side_in_check(self.state.turn())
    }

    /// Squares of a side's royal pieces.
    #[inline]
    pub fn royals(&self, side: Side) -> W {
        self.tables.sides[side.index()].royal_group.pieces(&self.state) & self.state.side(side)
    }

    fn is_side_in_check(&self, side: Side) -> bool {
        let royals = self.royals(side);
        if !self.tables.guards_royals || royals.is_empty() || !royals.is_single() {
            return false;
        }
        let touches =
            self.tables.explosion.is_some() && touch(&self.tables, royals, self.royals(side.other()));
        !touches && self.is_attacked(royals.lowest(), side.other())
    }

    /// Whether royal pieces of the two sides are next to each other where captures explode, so that no check counts.
    pub(crate) fn royals_touch(&self) -> bool {
        touch(&self.tables, self.royals(Side::FIRST), self.royals(Side::SECOND))
    }

    /// Whether captures explode.
    #[inline(always)]
    pub fn has_explosions(&self) -> bool {
        self.tables.explosion.is_some()
    }

    /// What a legal move blows up besides what it captures: the squares, as they are after the move.
    pub fn exploded(&self, mv: Move) -> W {
        let explosion = self.tables.explosion.as_ref().filter(|_| self.state.is_capture(mv));
        explosion.map_or(W::ZERO, |explosion| {
            let (occupied, spared) = (self.state.occupied(), explosion.spared.pieces(&self.state));
            explosion.removed(occupied, spared, mv.raw_to()) & !W::bit(mv.raw_from())
        })
    }

    /// Whether a side attacks a square.
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        let occupied = self.state.occupied();
        let view =
            AttackView { tables: &self.tables, state: &self.state, occupied, attackers: self.state.side(by) };
        let by = &self.tables.sides[by.index()];
        match self.tables.features {
            features::EVERYTHING => view.is_attacked::<{ features::EVERYTHING }>(by, square),
            _ => view.is_attacked::<{ features::PLAIN }>(by, square),
        }
    }

    /// Every piece of a side that attacks a square, where only these squares are occupied: pieces elsewhere are gone.
    pub fn attackers(&self, square: Square, by: Side, occupied: W) -> W {
        let attackers = self.state.side(by) & occupied;
        let view = AttackView { tables: &self.tables, state: &self.state, occupied, attackers };
        let by = &self.tables.sides[by.index()];
        match self.tables.features {
            features::EVERYTHING => view.attackers_of::<{ features::EVERYTHING }>(by, square),
            _ => view.attackers_of::<{ features::PLAIN }>(by, square),
        }
    }

    /// Whether the side that has made this move attacks a royal piece, or the moved piece attacks anything.
    pub fn has_attacked(&self, mv: Move) -> bool {
        let (mover, occupied) = (self.turn().other(), self.state.occupied());
        let moved = mv.to().map_or(W::ZERO, W::bit);
        let attacks = |target: Square, by: W| (self.attackers(target, mover, occupied) & by).any();
        let royals = self.royals(self.turn());
        royals.squares().any(|royal| attacks(royal, W::ALL))
            || self.state.side(self.turn()).squares().any(|target| attacks(target, moved))
    }

    /// What each piece attacks from where it stands; made when first asked for.
    #[inline]
    pub fn piece_attacks(&self) -> &PieceAttacks<W> {
        self.tables.piece_attacks()
    }

    fn check_last_mover(&self) -> Result<(), PositionError> {
        let rules = self.rules();
        if rules.sides().len() != 2 {
            return Ok(());
        }
        let side = self.state.turn().other();
        if !self.is_side_in_check(side) {
            return Ok(());
        }
        let square = self.royals(side).lowest();
        let kind = rules.kind(self.state.piece_on(square).kind());
        let square = rules.grid().name(square).to_string();
        let piece = message!("position.piece-on", kind, square);
        Err(PositionError::LeftInCheck { side: rules.side_message(side), piece })
    }

    /// The position as a setup.
    pub fn setup(&self) -> Setup {
        let rules = self.rules();
        let mut setup = Setup::empty(rules);
        for square in rules.grid().squares() {
            setup.board[square.index()] = self.piece(square);
        }
        for side in 0..rules.sides().len() {
            for (slot, kind) in self.tables.hand_kinds.iter().enumerate() {
                setup.hands[side][kind.index()] = self.state.in_hand(Side(side as u8), slot as u8);
            }
        }
        setup.turn = self.state.turn().0;
        setup.rights = self.state.rights();
        setup.en_passant = self.state.en_passant();
        setup.remembered_capture = self.state.remembered();
        setup.quiet = self.state.quiet();
        setup.counting = self.state.count().and_then(|(limit, plies)| {
            let limit = *self.tables.count_limits.get(usize::from(limit))?;
            Some(Count { limit, plies })
        });
        setup.ply = self.state.ply();
        setup
    }

    /// The position as text: SFEN or FEN.
    #[inline]
    pub fn text(&self) -> String {
        self.setup().write(self.rules())
    }
}

fn fits(rules: &Rules, setup: &Setup) -> bool {
    setup.board.len() == rules.grid().n_squares()
        && setup.hands.len() == rules.sides().len()
        && setup.hands.iter().all(|hand| hand.len() == rules.kinds().len())
        && (setup.turn as usize) < rules.sides().len()
        && setup
            .board
            .iter()
            .flatten()
            .all(|(side, kind)| side.index() < rules.sides().len() && kind.index() < rules.kinds().len())
        && rules.grid().holes().iter().all(|hole| setup.board[hole.index()].is_none())
}

fn check_royals<W: Word>(
    tables: &Tables<W>,
    setup: &Setup,
    setup_use: SetupUse,
) -> Result<(), PositionError> {
    let rules = &tables.rules;
    for n in 0..rules.sides().len() {
        let royal = |square: &Square| {
            setup.board[square.index()].is_some_and(|(s, kind)| s.index() == n && rules.kind(kind).royal)
        };
        let squares: Vec<Square> = rules.grid().squares().filter(royal).collect();
        let in_hand = rules.kind_ids().any(|kind| rules.kind(kind).royal && setup.hands[n][kind.index()] > 0);
        let may_lack = rules.sides().len() > 2
            || (rules.hand() == Hand::SetUp && in_hand)
            || !tables.sides[n].needs_royal
            || match setup_use {
                SetupUse::Game => false,
                SetupUse::Problem => n == usize::from(setup.turn),
                SetupUse::Study | SetupUse::Diagram => true,
            };
        if squares.is_empty() && !may_lack {
            return Err(PositionError::NoRoyal { side: rules.side_message(Side(n as u8)) });
        }
        // The generators for games with one royal piece a side rely on there being exactly one.
        if squares.len() > 1 && tables.features != features::EVERYTHING {
            let squares: Vec<String> = squares.iter().map(|s| rules.grid().name(*s).to_string()).collect();
            let side = rules.side_message(Side(n as u8));
            return Err(PositionError::ManyRoyals { side, count: squares.len(), squares });
        }
    }
    Ok(())
}

fn state_of<W: Word>(tables: &Tables<W>, setup: &Setup) -> State<W> {
    let mut state = State::empty(tables);
    for (square, piece) in setup.board.iter().enumerate() {
        if let Some((side, kind)) = piece {
            state.put(tables, Square(square as u8), Piece::new(*side, *kind));
        }
    }
    for (side, hand) in setup.hands.iter().enumerate() {
        for (slot, kind) in tables.hand_kinds.iter().enumerate() {
            if hand[kind.index()] > 0 {
                state.hold::<true>(tables, Side(side as u8), slot as u8, hand[kind.index()]);
            }
        }
    }
    state.set_turn(tables, Side(setup.turn), setup.quiet, setup.ply);
    if let Some(count) = setup.counting
        && let Some(limit) = tables.count_limits.iter().position(|limit| *limit == count.limit)
    {
        state.set_count(limit as u8, count.plies);
    }
    state.set_rights(tables, usable_rights(tables, setup));
    if let Some(square) = setup.en_passant.filter(|square| is_passable(tables, setup, *square)) {
        state.set_passed(tables, square);
    }
    if let Some(square) = setup.remembered_capture.filter(|_| tables.remembered_capture.is_some()) {
        state.remember(tables, square);
    }
    state
}

/// Rights whose pieces still stand where they must.
fn usable_rights<W>(tables: &Tables<W>, setup: &Setup) -> u32 {
    let rules = &tables.rules;
    let stands = |square: Square| {
        let start = rules.start().board[square.index()];
        start.is_some() && setup.board[square.index()] == start
    };
    let standing = rules.castlings().iter().filter(|castling| rules.stand_to_castle(castling, setup));
    let castlings = standing.fold(0, |set, castling| set | 1 << castling.right);
    let first_moves = rules.first_move_squares().iter().zip(rules.n_castling_rights()..);
    let usable = first_moves.fold(castlings, |set, (square, n)| set | u32::from(stands(*square)) << n);
    let checks = rules.side_ids().fold(0, |all, side| all | rules.check_rights(side));
    setup.rights & (usable | checks)
}

/// Whether a piece of the side that moved last stands right beyond an empty square.
fn is_passable<W>(tables: &Tables<W>, setup: &Setup, square: Square) -> bool {
    let rules = &tables.rules;
    let n_sides = rules.sides().len();
    let mover = (setup.turn as usize + n_sides - 1) % n_sides;
    let forward = ashta_rules::Delta::new(0, 1).turned(rules.sides()[mover].quarters);
    let Some(beyond) = rules.grid().step(square, forward) else { return false };
    let steps_twice = |kind: KindId| tables.sides[mover].double_steppers >> kind.0 & 1 == 1;
    setup.board[square.index()].is_none()
        && setup.board[beyond.0 as usize]
            .is_some_and(|(side, kind)| side.index() == mover && steps_twice(kind))
}

//! The changing part of a position: pieces, hands, rights, counters and the key.
//!
//! In: moves that are known to be legal. Out: the state after or before them. The key lives here, inside the only type
//! that can change pieces. Never: asks whether a move is legal.

use ashta_rules::{KindId, Side, Square};

use crate::moves::Move;
use crate::piece::{Occupant, Piece};
use crate::tables::{KindGroup, KindTable, NO_SLOT, RuleTables};
use crate::word::Word;

/// No square has just been passed.
pub const NO_SQUARE: u16 = 0xFFFF;

impl KindGroup {
    /// All pieces of the group, of all sides.
    #[inline(always)]
    pub fn pieces<W: Word>(self, state: &State<W>) -> W {
        state.groups[self.index()]
    }
}

/// What holds for one turn, in one word, so that it is saved, compared and restored at once: in the low half the square that
/// a double step has passed, in the high half that of a capture that the rules remember.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Marks(u32);

impl Marks {
    const NONE: Marks = Marks((NO_SQUARE as u32) << 16 | NO_SQUARE as u32);

    #[inline(always)]
    fn en_passant(self) -> Option<Square> {
        let square = self.0 as u16;
        (square != NO_SQUARE).then_some(Square(square as u8))
    }

    #[inline(always)]
    fn remembered(self) -> Option<Square> {
        let square = (self.0 >> 16) as u16;
        (square != NO_SQUARE).then_some(Square(square as u8))
    }

    #[inline(always)]
    fn with_en_passant(self, square: Square) -> Marks {
        Marks(self.0 & 0xFFFF_0000 | u32::from(square.0))
    }

    #[inline(always)]
    fn with_remembered(self, square: Square) -> Marks {
        Marks(self.0 & 0xFFFF | u32::from(square.0) << 16)
    }
}

/// Where the number of a count's limit begins in the word that counts quiet plies: zero if none runs.
const COUNT_SHIFT: u32 = 24;

fn count_of_quiet(quiet: u32) -> Option<(u8, u32)> {
    let limit = (quiet >> COUNT_SHIFT).checked_sub(1)?;
    Some((limit as u8, quiet & ((1 << COUNT_SHIFT) - 1)))
}

/// The changing part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State<W> {
    sides: [W; 4],
    groups: [W; KindGroup::MAX],
    board: [Occupant; 256],
    hands: [[u8; 32]; 4],
    held: [u32; 4],
    key: u64,
    rights: u32,
    quiet: u32,
    ply: u32,
    marks: Marks,
    turn: Side,
    n_sides: u8,
}

/// What a move cannot tell about the state before it.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    key: u64,
    rights: u32,
    quiet: u32,
    marks: Marks,
    /// What was captured; of two, that on the way.
    captured: Occupant,
    /// What moved; of a move of two legs, which never promotes, what it captured on its end.
    moved: Occupant,
}

impl Undo {
    /// The key before the move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The count that ran before the move.
    pub(crate) fn count(&self) -> Option<(u8, u32)> {
        count_of_quiet(self.quiet)
    }

    /// The kind that the move captured; of two, that on the way.
    pub(crate) fn captured_kind(&self) -> Option<KindId> {
        self.captured.piece().map(Piece::kind)
    }

    /// Whether the move captured something.
    #[inline]
    pub fn is_capture(&self) -> bool {
        self.captured != Occupant::NONE
    }
}

impl<W: Word> State<W> {
    /// A board without pieces, the first side to move.
    pub fn empty(tables: &RuleTables<W>) -> State<W> {
        State {
            sides: [W::ZERO; 4],
            groups: [W::ZERO; KindGroup::MAX],
            board: [Occupant::NONE; 256],
            hands: [[0; 32]; 4],
            held: [0; 4],
            key: tables.zobrist.turn(Side::FIRST),
            rights: 0,
            quiet: 0,
            ply: 0,
            marks: Marks::NONE,
            turn: Side::FIRST,
            n_sides: tables.sides.len() as u8,
        }
    }

    /// The pieces of a side.
    #[inline(always)]
    pub fn side(&self, side: Side) -> W {
        self.sides[side.index() & 3]
    }

    /// The pieces of a group, of all sides.
    #[inline(always)]
    pub fn group(&self, index: usize) -> W {
        self.groups[index]
    }

    /// Puts squares on, or takes them off, every bitboard of a kind.
    #[inline(always)]
    fn toggle(&mut self, kind: &KindTable, squares: W) {
        self.groups[kind.groups[0].index()] ^= squares;
        self.groups[kind.groups[1].index()] ^= squares;
        if !kind.more_groups.is_empty() {
            for group in &kind.more_groups {
                self.groups[group.index()] ^= squares;
            }
        }
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board[square.index()].piece()
    }

    /// The piece on an occupied square.
    #[inline(always)]
    pub(crate) fn piece_on(&self, square: Square) -> Piece {
        self.board[square.index()].piece_unchecked()
    }

    /// The kind of the piece that stands on an occupied square.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> KindId {
        self.piece_on(square).kind()
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> W {
        (self.sides[0] | self.sides[1]) | (self.sides[2] | self.sides[3])
    }

    /// How many pieces of a slot a side holds.
    #[inline(always)]
    pub fn in_hand(&self, side: Side, slot: u8) -> u8 {
        self.hands[side.index() & 3][slot as usize & 31]
    }

    /// The slots of which a side holds a piece.
    #[inline(always)]
    pub fn held(&self, side: Side) -> u32 {
        self.held[side.index() & 3]
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The position's key.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Rights not yet lost.
    #[inline(always)]
    pub fn rights(&self) -> u32 {
        self.rights
    }

    /// The square that has just been passed and may be captured on.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.marks.en_passant()
    }

    /// The square of a capture that the rules remember for one turn.
    #[inline(always)]
    pub fn remembered(&self) -> Option<Square> {
        self.marks.remembered()
    }

    /// Plies without progress; none are counted while another count runs.
    #[inline]
    pub fn quiet(&self) -> u32 {
        if self.quiet >> COUNT_SHIFT == 0 { self.quiet } else { 0 }
    }

    /// The count that runs: the number of its limit, and the plies counted.
    #[inline]
    pub fn count(&self) -> Option<(u8, u32)> {
        count_of_quiet(self.quiet)
    }

    /// Lets a count run in place of plies without progress.
    pub fn set_count(&mut self, limit: u8, plies: u32) {
        self.quiet = (u32::from(limit) + 1) << COUNT_SHIFT | plies;
    }

    /// Plies played.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// How many pieces of a kind a side has on the board.
    pub fn count_of(&self, side: Side, kind: KindId) -> u32 {
        let wanted = Piece::new(side, kind);
        self.side(side).squares().filter(|square| self.piece_on(*square) == wanted).count() as u32
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, tables: &RuleTables<W>, square: Square, piece: Piece) {
        let bit = W::bit(square);
        self.board[square.index()] = piece.into();
        self.sides[piece.side().index()] |= bit;
        self.toggle(&tables.kinds[piece.kind().index()], bit);
        self.key ^= tables.zobrist.piece(piece, square);
    }

    /// Takes the piece off an occupied square.
    pub(crate) fn take(&mut self, tables: &RuleTables<W>, square: Square) -> Piece {
        let (bit, piece) = (W::bit(square), self.piece_on(square));
        self.board[square.index()] = Occupant::NONE;
        self.sides[piece.side().index()] ^= bit;
        self.toggle(&tables.kinds[piece.kind().index()], bit);
        self.key ^= tables.zobrist.piece(piece, square);
        piece
    }

    /// Sets how many pieces of a slot a side holds. Whoever takes a move back has the key already.
    #[inline(always)]
    pub fn hold<const KEYED: bool>(&mut self, tables: &RuleTables<W>, side: Side, slot: u8, count: u8) {
        let held = &mut self.hands[side.index() & 3][slot as usize & 31];
        if KEYED {
            self.key ^= tables.zobrist.held(side, slot, *held) ^ tables.zobrist.held(side, slot, count);
        }
        *held = count;
        let bit = 1 << (slot & 31);
        let hand = &mut self.held[side.index() & 3];
        *hand = if count > 0 { *hand | bit } else { *hand & !bit };
    }

    /// Sets whose turn it is and the counters; for setting positions up.
    pub fn set_turn(&mut self, tables: &RuleTables<W>, turn: Side, quiet: u32, ply: u32) {
        self.key ^= tables.zobrist.turn(self.turn) ^ tables.zobrist.turn(turn);
        (self.turn, self.quiet, self.ply) = (turn, quiet, ply);
    }

    /// Sets the rights; for setting positions up.
    pub fn set_rights(&mut self, tables: &RuleTables<W>, rights: u32) {
        self.key ^= tables.zobrist.rights(self.rights) ^ tables.zobrist.rights(rights);
        self.rights = rights;
    }

    /// Marks a square as just passed, if some piece of the side to move can capture there in passing.
    pub fn set_passed(&mut self, tables: &RuleTables<W>, square: Square) {
        let passing = &tables.sides[self.turn.index() & 3].passing;
        let us = self.side(self.turn);
        if passing.iter().any(|p| (*p.from.at(square) & p.group.pieces(self) & us).any()) {
            self.marks = self.marks.with_en_passant(square);
            self.key ^= tables.zobrist.en_passant(square);
        }
    }

    /// Remembers the square of a capture for one turn.
    pub fn remember(&mut self, tables: &RuleTables<W>, square: Square) {
        self.marks = self.marks.with_remembered(square);
        self.key ^= tables.zobrist.remembered(square);
    }

    /// Forgets what holds for one turn only.
    #[inline(always)]
    fn forget_last_turn<const KEYED: bool>(&mut self, tables: &RuleTables<W>) {
        if KEYED {
            self.key ^= self.en_passant().map_or(0, |square| tables.zobrist.en_passant(square));
            self.key ^= self.remembered().map_or(0, |square| tables.zobrist.remembered(square));
        }
        self.marks = Marks::NONE;
    }

    #[inline(always)]
    fn next_turn<const KEYED: bool>(&mut self, tables: &RuleTables<W>) {
        let next = Side(if self.turn.0 + 1 == self.n_sides { 0 } else { self.turn.0 + 1 });
        if KEYED {
            self.key ^= tables.zobrist.turn(self.turn) ^ tables.zobrist.turn(next);
        }
        self.turn = next;
        self.ply += 1;
    }

    #[inline(always)]
    fn previous_turn(&mut self) {
        self.turn = Side(if self.turn == Side::FIRST { self.n_sides - 1 } else { self.turn.0 - 1 });
        self.ply -= 1;
    }

    /// Plays a move that is legal. What an illegal one does is not defined, but it breaks nothing outside this state.
    #[inline(always)]
    pub fn play_unchecked(&mut self, tables: &RuleTables<W>, mv: Move) -> Undo {
        self.make::<true>(tables, mv)
    }

    /// The same, with or without the key. Without, the key means nothing until the move is taken back; perft needs none.
    #[inline(always)]
    pub(crate) fn make<const KEYED: bool>(&mut self, tables: &RuleTables<W>, mv: Move) -> Undo {
        // In registers until the move is made: an `Undo` written field by field and then copied as a whole made the
        // processor wait for the stores, which took a seventh of shatranj's perft.
        let (key, rights, quiet, marks) = (self.key, self.rights, self.quiet, self.marks);
        let (mut moved, mut captured) = (Occupant::NONE, Occupant::NONE);
        if marks != Marks::NONE {
            self.forget_last_turn::<KEYED>(tables);
        }
        self.quiet += 1;
        let (from, to) = (mv.raw_from(), mv.raw_to());
        if mv.is_plain() && from != to {
            let piece = self.piece_on(from);
            (moved, captured) = (piece.into(), self.board[to.index()]);
            if let Some(captured) = captured.piece() {
                self.capture::<KEYED>(tables, to, captured);
            }
            self.shift::<KEYED>(tables, piece, from, to, mv.raw_kind());
            let kind = &tables.kinds[piece.kind().index()];
            if kind.progress {
                self.quiet = 0;
            }
            let lost = tables.lost_rights.at(from) | tables.lost_rights.at(to);
            if self.rights & lost != 0 {
                if KEYED {
                    self.key ^= tables.zobrist.rights(self.rights & lost);
                }
                self.rights &= !lost;
            }
            self.next_turn::<KEYED>(tables);
            if kind.leaves_marks {
                self.double_step(tables, piece, from, to);
                self.remember_capture(tables, piece, captured, to);
                if kind.loses_castlings {
                    self.lose_castlings(tables, piece.side());
                }
            }
        } else if mv.is_drop() {
            self.drop::<KEYED>(tables, mv.raw_kind().unwrap_or(KindId(0)), to);
            self.next_turn::<KEYED>(tables);
        } else if mv.is_two_legs() {
            [captured, moved] = self.play_two_legs(tables, mv);
            self.next_turn::<KEYED>(tables);
            let piece = self.piece_on(to);
            self.remember_capture(tables, piece, captured, mv.raw_victim());
            self.remember_capture(tables, piece, moved, to);
        } else {
            [moved, captured] = self.play_special(tables, mv);
            self.next_turn::<KEYED>(tables);
        }
        Undo { key, rights, quiet, marks, captured, moved }
    }

    /// Remembers a capture that a ban follows; of two in one move, the second.
    #[inline(always)]
    fn remember_capture(&mut self, tables: &RuleTables<W>, by: Piece, of: Occupant, square: Square) {
        let Some(capture) = &tables.remembered_capture else { return };
        if of.piece().is_some_and(|of| capture.has(by.kind(), of.kind())) {
            self.key ^= self.remembered().map_or(0, |square| tables.zobrist.remembered(square));
            self.remember(tables, square);
        }
    }

    /// A royal piece that has moved castles no more, from wherever it was.
    #[cold]
    fn lose_castlings(&mut self, tables: &RuleTables<W>, side: Side) {
        let castlings = tables.sides[side.index() & 3].castling_rights;
        self.set_rights(tables, self.rights & !castlings);
    }

    /// Marks the square that a double step has passed.
    #[inline(always)]
    fn double_step(&mut self, tables: &RuleTables<W>, piece: Piece, from: Square, to: Square) {
        let side = &tables.sides[piece.side().index() & 3];
        let (end, passed) = *side.double_steps.at(from);
        if end == to && end != passed && side.double_steppers >> piece.kind().0 & 1 == 1 {
            self.set_passed(tables, passed);
        }
    }

    /// Moves a piece, turning it into another kind on arrival if asked to.
    #[inline(always)]
    fn shift<const KEYED: bool>(
        &mut self,
        tables: &RuleTables<W>,
        piece: Piece,
        from: Square,
        to: Square,
        becomes: Option<KindId>,
    ) {
        let (start, end) = (W::bit(from), W::bit(to));
        let mover = &tables.kinds[piece.kind().index()];
        self.sides[piece.side().index()] ^= start | end;
        self.board[from.index()] = Occupant::NONE;
        let landed = match becomes {
            None => {
                self.toggle(mover, start | end);
                piece
            }
            Some(kind) => {
                self.toggle(mover, start);
                self.toggle(&tables.kinds[kind.index() & 63], end);
                piece.promoted(kind)
            }
        };
        self.board[to.index()] = landed.into();
        if KEYED {
            self.key ^= tables.zobrist.piece(piece, from) ^ tables.zobrist.piece(landed, to);
        }
    }

    /// Takes a captured piece off the board and puts it in the captor's hand, if the game has hands.
    #[inline(always)]
    fn capture<const KEYED: bool>(&mut self, tables: &RuleTables<W>, square: Square, captured: Piece) {
        let kind = &tables.kinds[captured.kind().index()];
        let bit = W::bit(square);
        self.sides[captured.side().index()] ^= bit;
        self.toggle(kind, bit);
        if KEYED {
            self.key ^= tables.zobrist.piece(captured, square);
        }
        self.quiet = 0;
        if kind.slot != NO_SLOT && tables.captures_to_hand {
            let held = self.in_hand(self.turn, kind.slot);
            self.hold::<KEYED>(tables, self.turn, kind.slot, held.saturating_add(1));
        }
    }

    /// Puts a piece from the mover's hand on an empty square.
    #[inline(always)]
    fn drop<const KEYED: bool>(&mut self, tables: &RuleTables<W>, kind: KindId, to: Square) {
        let (side, table, bit) = (self.turn, &tables.kinds[kind.index() & 63], W::bit(to));
        let held = self.in_hand(side, table.slot);
        self.hold::<KEYED>(tables, side, table.slot, held.saturating_sub(1));
        let piece = Piece::new(side, kind);
        self.board[to.index()] = piece.into();
        self.sides[side.index() & 3] ^= bit;
        self.toggle(table, bit);
        if KEYED {
            self.key ^= tables.zobrist.piece(piece, to);
        }
    }

    #[inline(always)]
    fn undrop(&mut self, tables: &RuleTables<W>, kind: KindId, to: Square) {
        let (side, table, bit) = (self.turn, &tables.kinds[kind.index() & 63], W::bit(to));
        let held = self.in_hand(side, table.slot);
        self.hold::<false>(tables, side, table.slot, held.saturating_add(1));
        self.board[to.index()] = Occupant::NONE;
        self.sides[side.index() & 3] ^= bit;
        self.toggle(table, bit);
    }

    /// Plays a castling, an en passant capture or a promotion in place. Gives the piece moved and the piece captured.
    #[inline(never)]
    fn play_special(&mut self, tables: &RuleTables<W>, mv: Move) -> [Occupant; 2] {
        let (from, to, side) = (mv.raw_from(), mv.raw_to(), self.turn);
        if mv.is_castle() {
            let castling = &tables.sides[side.index() & 3].castlings[mv.castling_index()];
            let royal = self.take(tables, castling.royal.0);
            let partner = self.take(tables, castling.partner.0);
            self.put(tables, castling.royal.1, royal);
            self.put(tables, castling.partner.1, partner);
            let lost = tables.lost_rights.at(castling.royal.0) | tables.lost_rights.at(castling.partner.0);
            self.set_rights(tables, self.rights & !lost);
            if tables.castles_from_any_file {
                self.lose_castlings(tables, side);
            }
            [Occupant::NONE; 2]
        } else if !mv.is_plain() {
            let victim = mv.raw_victim();
            let (moved, captured) = (self.piece_on(from), self.piece_on(victim));
            self.capture::<true>(tables, victim, captured);
            self.board[victim.index()] = Occupant::NONE;
            self.shift::<true>(tables, moved, from, to, None);
            [moved.into(), captured.into()]
        } else if let Some(kind) = mv.raw_kind() {
            let moved = self.take(tables, from);
            self.put(tables, to, Piece::new(side, kind));
            self.quiet = 0;
            [moved.into(), Occupant::NONE]
        } else {
            [Occupant::NONE; 2]
        }
    }

    /// Plays a capture on the way and what follows. Gives the pieces captured on the way and on the end.
    #[inline(never)]
    fn play_two_legs(&mut self, tables: &RuleTables<W>, mv: Move) -> [Occupant; 2] {
        let (from, middle, to) = (mv.raw_from(), mv.raw_victim(), mv.raw_to());
        let moved = self.take(tables, from);
        let (on_way, at_end) = (self.board[middle.index()], self.board[to.index()]);
        for (square, captured) in [(middle, on_way), (to, at_end)] {
            if let Some(captured) = captured.piece() {
                self.capture::<true>(tables, square, captured);
                self.board[square.index()] = Occupant::NONE;
            }
        }
        self.put(tables, to, moved);
        let lost =
            [from, middle, to].into_iter().fold(0, |lost, square| lost | tables.lost_rights.at(square));
        self.set_rights(tables, self.rights & !lost);
        [on_way, at_end]
    }

    #[inline(never)]
    fn take_back_two_legs(&mut self, tables: &RuleTables<W>, mv: Move, undo: Undo) {
        let (from, middle, to) = (mv.raw_from(), mv.raw_victim(), mv.raw_to());
        let moved = self.take(tables, to);
        for (square, captured) in [(middle, undo.captured), (to, undo.moved)] {
            if let Some(piece) = captured.piece() {
                self.board[square.index()] = captured;
                self.uncapture(tables, square, piece);
            }
        }
        self.put(tables, from, moved);
    }

    /// Whether a legal move captures.
    #[inline]
    pub(crate) fn is_capture(&self, mv: Move) -> bool {
        match mv.is_plain() {
            true => mv.raw_from() != mv.raw_to() && self.piece(mv.raw_to()).is_some(),
            false => !mv.is_drop() && !mv.is_castle(),
        }
    }

    /// Removes all that the capture which has just been made blows up, and tells what that was.
    pub(crate) fn explode(&mut self, tables: &RuleTables<W>, mv: Move, mut tell: impl FnMut(Square, Piece)) {
        let Some(explosion) = &tables.explosion else { return };
        let mut lost = 0;
        for square in explosion.removed(self.occupied(), explosion.spared.pieces(self), mv.raw_to()).squares()
        {
            tell(square, self.take(tables, square));
            lost |= tables.lost_rights.at(square);
        }
        self.set_rights(tables, self.rights & !lost);
    }

    /// Takes back the move that gave `undo`.
    #[inline(always)]
    pub fn take_back(&mut self, tables: &RuleTables<W>, mv: Move, undo: Undo) {
        self.previous_turn();
        let (from, to) = (mv.raw_from(), mv.raw_to());
        if mv.is_plain() && from != to {
            let piece = undo.moved.piece_unchecked();
            let (start, end) = (W::bit(from), W::bit(to));
            let mover = &tables.kinds[piece.kind().index()];
            self.sides[piece.side().index()] ^= start | end;
            match mv.raw_kind() {
                None => self.toggle(mover, start | end),
                Some(kind) => {
                    self.toggle(mover, start);
                    self.toggle(&tables.kinds[kind.index() & 63], end);
                }
            }
            self.board[from.index()] = undo.moved;
            self.board[to.index()] = undo.captured;
            if let Some(captured) = undo.captured.piece() {
                self.uncapture(tables, to, captured);
            }
        } else if mv.is_drop() {
            self.undrop(tables, mv.raw_kind().unwrap_or(KindId(0)), to);
        } else if mv.is_two_legs() {
            self.take_back_two_legs(tables, mv, undo);
        } else {
            self.take_back_special(tables, mv, undo);
        }
        self.key = undo.key;
        self.rights = undo.rights;
        self.quiet = undo.quiet;
        self.marks = undo.marks;
    }

    #[inline(always)]
    fn uncapture(&mut self, tables: &RuleTables<W>, square: Square, captured: Piece) {
        let kind = &tables.kinds[captured.kind().index()];
        let bit = W::bit(square);
        self.sides[captured.side().index()] ^= bit;
        self.toggle(kind, bit);
        if kind.slot != NO_SLOT && tables.captures_to_hand {
            let held = self.in_hand(self.turn, kind.slot);
            self.hold::<false>(tables, self.turn, kind.slot, held.saturating_sub(1));
        }
    }

    #[inline(never)]
    fn take_back_special(&mut self, tables: &RuleTables<W>, mv: Move, undo: Undo) {
        let (from, to, side) = (mv.raw_from(), mv.raw_to(), self.turn);
        if mv.is_castle() {
            let castling = &tables.sides[side.index() & 3].castlings[mv.castling_index()];
            let royal = self.take(tables, castling.royal.1);
            let partner = self.take(tables, castling.partner.1);
            self.put(tables, castling.royal.0, royal);
            self.put(tables, castling.partner.0, partner);
        } else if !mv.is_plain() {
            self.shift::<false>(tables, undo.moved.piece_unchecked(), to, from, None);
            self.board[mv.raw_victim().index()] = undo.captured;
            self.uncapture(tables, mv.raw_victim(), undo.captured.piece_unchecked());
        } else if mv.raw_kind().is_some() {
            self.take(tables, to);
            self.put(tables, from, undo.moved.piece_unchecked());
        }
    }
}

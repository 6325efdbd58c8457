//! Piece states, the terms of the inverted index, and the intervals in which each held in a game.
//!
//! In: rules; a position and the moves from it. Out: a number for every state; postings and the keys of every position.
//! Never: names of games or players.
//!
//! A state is a side's piece on a square, or a side holding at least so many of a kind. Numbers depend on the order of
//! kinds in the rules; a segment stores that order ([`StateSpace::shape`]) and opens with no other.

use ashta_position::{Game, Line, Move, Piece, Position, Word, with_line};
use ashta_rules::{KindId, Rules, Side, Square};

use crate::duplicates::game_key;

/// The most pieces of a kind in a hand that position text allows.
const MAX_HELD: u32 = 99;

/// The numbering of the states of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateSpace {
    n_sides: u32,
    n_kinds: u32,
    n_squares: u32,
    hand_kinds: Vec<KindId>,
    shape: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    On {
        side: Side,
        kind: KindId,
        square: Square,
    },
    /// A side holds at least `least` pieces of a kind; `least` is at least 1.
    Holds {
        side: Side,
        kind: KindId,
        least: u8,
    },
}

impl StateSpace {
    pub fn new(rules: &Rules) -> StateSpace {
        let letters: Vec<&str> = rules.kinds().iter().map(|kind| kind.letter.as_str()).collect();
        let grid = rules.grid();
        let hand_kinds: Vec<KindId> =
            rules.kind_ids().filter(|kind| rules.kind(*kind).drop.is_some()).collect();
        StateSpace {
            n_sides: rules.sides().len() as u32,
            n_kinds: rules.kinds().len() as u32,
            n_squares: grid.n_squares() as u32,
            hand_kinds,
            shape: format!(
                "{} sides, {}x{}, {}",
                rules.sides().len(),
                grid.files(),
                grid.ranks(),
                letters.join(" ")
            ),
        }
    }

    /// What the numbering depends on, as text.
    pub fn shape(&self) -> &str {
        &self.shape
    }

    fn n_on_board(&self) -> u32 {
        self.n_sides * self.n_kinds * self.n_squares
    }

    /// How many types of pieces (a side's kind) there are, and how many squares, which number the states of a type.
    pub fn n_piece_types(&self) -> (usize, usize) {
        ((self.n_sides * self.n_kinds) as usize, self.n_squares as usize)
    }

    /// The same for rules whose states are not needed.
    pub fn piece_types_of(rules: &Rules) -> (usize, usize) {
        (rules.sides().len() * rules.kinds().len(), rules.grid().n_squares())
    }

    pub fn n_states(&self) -> usize {
        (self.n_on_board() + self.n_sides * self.hand_kinds.len() as u32 * MAX_HELD) as usize
    }

    /// The number of a state; `None` if it can never hold, such as a king in hand.
    pub fn number(&self, state: State) -> Option<u32> {
        match state {
            State::On { side, kind, square } => Some(self.board_number(side.0, kind.0, square.0)),
            State::Holds { side, kind, least } => {
                let slot = self.hand_kinds.iter().position(|held| *held == kind)?;
                let fits = (1..=MAX_HELD).contains(&u32::from(least));
                fits.then(|| self.hand_number(side.0, slot, least))
            }
        }
    }

    #[inline(always)]
    fn board_number(&self, side: u8, kind: u8, square: u8) -> u32 {
        (u32::from(side) * self.n_kinds + u32::from(kind)) * self.n_squares + u32::from(square)
    }

    #[inline(always)]
    fn hand_number(&self, side: u8, slot: usize, least: u8) -> u32 {
        let hand = u32::from(side) * self.hand_kinds.len() as u32 + slot as u32;
        self.n_on_board() + hand * MAX_HELD + u32::from(least) - 1
    }

    pub fn state(&self, number: u32) -> Option<State> {
        if number < self.n_on_board() {
            let (piece, square) = (number / self.n_squares, number % self.n_squares);
            let (side, kind) = ((piece / self.n_kinds) as u8, (piece % self.n_kinds) as u8);
            return Some(State::On { side: Side(side), kind: KindId(kind), square: Square(square as u8) });
        }
        let number = number - self.n_on_board();
        let (hand, least) = (number / MAX_HELD, (number % MAX_HELD) as u8 + 1);
        let n_slots = self.hand_kinds.len() as u32;
        let kind = *self.hand_kinds.get((hand % n_slots.max(1)) as usize)?;
        let side = hand / n_slots;
        (side < self.n_sides).then_some(State::Holds { side: Side(side as u8), kind, least })
    }

    pub fn hand_kinds(&self) -> &[KindId] {
        &self.hand_kinds
    }
}

/// The number of a state, the first ply of an interval and the ply after its last.
pub type StateInterval = (u32, u16, u16);

/// What the index stores of one game.
#[derive(Clone, Default, Debug)]
pub struct IndexedGame {
    /// In no order.
    pub intervals: Vec<StateInterval>,
    /// Keys of all positions, the first and the last included.
    pub keys: Vec<u64>,
}

impl IndexedGame {
    /// The key of the game with these moves, by `game_key`.
    pub fn game_key(&self, moves: &[Move]) -> u64 {
        game_key(self.keys.first().copied().unwrap_or(0), moves.iter().copied())
    }
}

/// Takes a game back to its first position and collects the intervals of every state. Whoever reads a record has played
/// its moves, so nothing is played again.
pub fn index_game(space: &StateSpace, mut game: Game) -> IndexedGame {
    with_line!(game.line_mut(), line => StateTracker::new(space).index_line(line))
}

/// The keys of the positions of a game.
pub fn position_keys(game: &Game, moves: impl Iterator<Item = Move>, keys: &mut Vec<u64>) {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        keys.push(position.key());
        for mv in moves {
            position.play_unchecked(mv);
            keys.push(position.key());
        }
    });
}

/// The states of a game, from the last position to the first.
struct StateTracker<'a> {
    space: &'a StateSpace,
    /// The piece on each square, and the ply after its last there.
    board: Vec<(Option<Piece>, u16)>,
    /// Pieces of each kind in each hand.
    hands: Vec<u8>,
    /// The ply after the last at which a side holds at least so many, by hand state.
    held_until: Vec<u16>,
    found: IndexedGame,
}

impl<'a> StateTracker<'a> {
    fn new(space: &'a StateSpace) -> StateTracker<'a> {
        let n_hands = space.n_sides as usize * space.hand_kinds.len();
        StateTracker {
            space,
            board: vec![(None, 0); space.n_squares as usize],
            hands: vec![0; n_hands],
            held_until: vec![0; n_hands * MAX_HELD as usize],
            found: IndexedGame::default(),
        }
    }

    fn index_line<W: Word>(mut self, line: &mut Line<W>) -> IndexedGame {
        let mut ply = line.moves().len() as u16;
        self.record_position(line.position(), ply + 1);
        while line.take_back().is_some() {
            self.record_position(line.position(), ply);
            ply -= 1;
        }
        self.finish()
    }

    /// Compares the position with the one at `next` ply, so that any side effect of a move is seen.
    fn record_position<W: Word>(&mut self, position: &Position<W>, next: u16) {
        self.found.keys.push(position.key());
        let state = position.state();
        for (square, (old, until)) in self.board.iter_mut().enumerate() {
            let new = state.piece(Square(square as u8));
            if new != *old {
                if let Some(old) = old {
                    let number = self.space.board_number(old.side().0, old.kind().0, square as u8);
                    self.found.intervals.push((number, next, *until));
                }
                (*old, *until) = (new, next);
            }
        }
        let n_slots = self.space.hand_kinds.len();
        for hand in 0..self.hands.len() {
            let (side, slot) = (hand / n_slots, hand % n_slots);
            let count = state.in_hand(Side(side as u8), slot as u8);
            if count != self.hands[hand] {
                self.change_hand(hand, side as u8, slot, count, next);
            }
        }
    }

    fn change_hand(&mut self, hand: usize, side: u8, slot: usize, count: u8, next: u16) {
        let old = self.hands[hand];
        let until = hand * MAX_HELD as usize;
        for least in count + 1..=old {
            let number = self.space.hand_number(side, slot, least);
            self.found.intervals.push((number, next, self.held_until[until + least as usize - 1]));
        }
        for least in old + 1..=count {
            self.held_until[until + least as usize - 1] = next;
        }
        self.hands[hand] = count;
    }

    fn finish(mut self) -> IndexedGame {
        for (square, (piece, until)) in self.board.iter().enumerate() {
            if let Some(piece) = piece {
                let number = self.space.board_number(piece.side().0, piece.kind().0, square as u8);
                self.found.intervals.push((number, 0, *until));
            }
        }
        let n_slots = self.space.hand_kinds.len();
        for hand in 0..self.hands.len() {
            self.change_hand(hand, (hand / n_slots) as u8, hand % n_slots, 0, 0);
        }
        self.found.keys.reverse();
        self.found
    }
}

//! A line of play: a position and what led to it.
//!
//! In: legal moves. Out: the position after them, how often it has occurred, the moves played. Never: who plays.

use ashta_rules::Side;

use crate::moves::Move;
use crate::position::Position;
use crate::repetition::Repetitions;
use crate::state::Undo;
use crate::word::Word;

/// A position and the moves that led to it.
#[derive(Clone, Debug)]
pub struct Line<W> {
    position: Position<W>,
    played: Vec<(Move, Undo)>,
    seen: Repetitions,
}

impl<W: Word> Line<W> {
    /// A line of no moves.
    pub fn new(position: Position<W>) -> Line<W> {
        let mut seen = Repetitions::default();
        seen.push(position.key());
        Line { position, played: Vec::new(), seen }
    }

    /// Starts anew from a position, keeping the memory.
    pub fn restart(&mut self, position: &Position<W>) {
        self.position.clone_from(position);
        self.played.clear();
        self.seen.clear();
        self.seen.push(position.key());
    }

    /// Where the line stands.
    #[inline(always)]
    pub fn position(&self) -> &Position<W> {
        &self.position
    }

    /// The moves played.
    #[inline]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator {
        self.played.iter().map(|(mv, _)| *mv)
    }

    /// Plays a legal move; see [`Position::play_unchecked`].
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        let undo = self.position.play_unchecked(mv);
        self.played.push((mv, undo));
        self.seen.push(self.position.key());
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self) -> Option<Move> {
        let (mv, undo) = self.played.pop()?;
        self.seen.pop(self.position.key());
        self.position.take_back(mv, undo);
        Some(mv)
    }

    /// The position before the last move.
    pub(crate) fn position_before(&self) -> Option<Position<W>> {
        let (mv, undo) = self.played.last()?;
        let mut position = self.position.clone();
        position.take_back(*mv, *undo);
        Some(position)
    }

    /// How often the present position has occurred.
    #[inline(always)]
    pub fn occurrences(&self) -> u32 {
        self.seen.count(self.position.key())
    }

    /// Plies since the first occurrence of the present position.
    pub fn plies_since_first(&self) -> u32 {
        let key = self.position.key();
        let first = self.played.iter().position(|(_, undo)| undo.key() == key);
        first.map_or(0, |first| (self.played.len() - first) as u32)
    }

    /// The side all of whose moves since the first occurrence of the present position attacked something, if the other
    /// side's did not.
    pub fn perpetual_attacker(&self) -> Option<Side> {
        match self.did_with_every_move(Position::has_attacked)? {
            [true, false] => Some(Side::FIRST),
            [false, true] => Some(Side::SECOND),
            [true, true] | [false, false] => None,
        }
    }

    /// The side all of whose moves since the first occurrence of the present position gave check, if there is one.
    pub fn perpetual_checker(&self) -> Option<Side> {
        let checks_always = self.did_with_every_move(|position, _| position.is_in_check())?;
        checks_always.iter().position(|always| *always).map(|side| Side(side as u8))
    }

    /// The moves since the first occurrence of the present position; `None` if this is the first.
    pub(crate) fn since_first(&self) -> Option<&[(Move, Undo)]> {
        let key = self.position.key();
        let first = self.played.iter().position(|(_, undo)| undo.key() == key)?;
        self.played.get(first..)
    }

    /// Whether each side did something with every move since the first occurrence of the present position; `None` if this
    /// is the first. `did` sees the position after the move.
    fn did_with_every_move(&self, did: impl Fn(&Position<W>, Move) -> bool) -> Option<[bool; 2]> {
        let mut position = self.position.clone();
        let mut always = [true; 2];
        for (mv, undo) in self.since_first()?.iter().rev() {
            let mover = position.turn().other();
            always[mover.index() & 1] &= did(&position, *mv);
            position.take_back(*mv, *undo);
        }
        Some(always)
    }
}

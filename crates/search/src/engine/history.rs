//! Killer moves, countermoves and history scores of quiet moves.
//!
//! In: quiet moves that caused a beta cutoff, and those tried before them. Out: a history score for each quiet move.
//! Never: positions.

use ashta_position::Move;
use ashta_rules::KindId;

use super::limits::MAX_PLY;

/// Bound of a history score either way.
const MAX_SCORE: i32 = 16_000;

/// Index of a kind of piece and the square that it moves to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(usize);

/// Move-ordering statistics of quiet moves.
#[derive(Debug)]
pub struct History {
    n_squares: usize,
    n_piece_to: usize,
    /// Butterfly-like history by side and piece-to index.
    main: Vec<i16>,
    /// Continuation history by the previous and the present piece-to index; empty where it would be too large.
    continuation: Vec<i16>,
    /// By the previous piece-to index.
    countermoves: Vec<Option<Move>>,
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
}

/// Largest continuation history, in entries: 16 megabytes.
const MAX_CONTINUATIONS: usize = 8 << 20;

impl History {
    /// For a game with so many kinds and squares.
    pub fn new(n_kinds: usize, n_squares: usize) -> History {
        let n_piece_to = n_kinds * n_squares;
        let n_pairs = n_piece_to * n_piece_to;
        History {
            n_squares,
            n_piece_to,
            main: vec![0; 2 * n_piece_to],
            continuation: vec![0; if n_pairs <= MAX_CONTINUATIONS { n_pairs } else { 0 }],
            countermoves: vec![None; n_piece_to],
            killers: [[None; 2]; MAX_PLY + 2],
        }
    }

    pub fn clear(&mut self) {
        self.main.fill(0);
        self.continuation.fill(0);
        self.countermoves.fill(None);
        self.killers = [[None; 2]; MAX_PLY + 2];
    }

    /// Called before each search: clears killers, which belong to plies of the old root, and halves history scores.
    pub fn age(&mut self) {
        self.killers = [[None; 2]; MAX_PLY + 2];
        self.main.iter_mut().for_each(|score| *score /= 2);
    }

    /// The piece-to index of a move by a piece of this kind.
    #[inline(always)]
    pub fn piece_to(&self, mover: Option<KindId>, mv: Move) -> Option<PieceTo> {
        let (kind, to) = (mover?, mv.to()?);
        Some(PieceTo(kind.index() * self.n_squares + usize::from(to.0)))
    }

    /// The history score of a quiet move.
    #[inline(always)]
    pub fn score(&self, side: u8, piece_to: Option<PieceTo>, previous: Option<PieceTo>) -> i32 {
        let Some(PieceTo(piece_to)) = piece_to else { return 0 };
        let main = i32::from(self.main[usize::from(side & 1) * self.n_piece_to + piece_to]);
        let continuation = previous
            .and_then(|PieceTo(previous)| self.continuation.get(previous * self.n_piece_to + piece_to));
        main + continuation.map_or(0, |score| i32::from(*score))
    }

    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    pub fn countermove(&self, previous: Option<PieceTo>) -> Option<Move> {
        previous.and_then(|PieceTo(previous)| self.countermoves[previous])
    }

    /// A quiet move caused a beta cutoff; the moves tried before it did not and are penalised.
    pub fn record_cutoff(
        &mut self,
        ply: usize,
        (mv, piece_to): (Move, Option<PieceTo>),
        tried: &[Option<PieceTo>],
        (side, previous): (u8, Option<PieceTo>),
        depth: i32,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(PieceTo(previous)) = previous {
            self.countermoves[previous] = Some(mv);
        }
        let bonus = (depth * depth * 4 + 30 * depth).min(1600);
        self.update(side, piece_to, previous, bonus);
        tried.iter().for_each(|piece_to| self.update(side, *piece_to, previous, -bonus));
    }

    fn update(&mut self, side: u8, piece_to: Option<PieceTo>, previous: Option<PieceTo>, bonus: i32) {
        let Some(PieceTo(piece_to)) = piece_to else { return };
        // History gravity: the nearer a score is to its bound, the less it changes.
        let change = |score: &mut i16| {
            let old = i32::from(*score);
            *score = (old + bonus - old * bonus.abs() / MAX_SCORE) as i16;
        };
        change(&mut self.main[usize::from(side & 1) * self.n_piece_to + piece_to]);
        let pair = previous.map(|PieceTo(previous)| previous * self.n_piece_to + piece_to);
        if let Some(score) = pair.and_then(|pair| self.continuation.get_mut(pair)) {
            change(score);
        }
    }
}

//! Quiet moves that were good elsewhere in the tree.
//!
//! In: which moves refuted and which were tried in vain. Out: a number for each quiet move. Never: positions.

use ashta_position::Move;
use ashta_rules::KindId;

use super::limits::HIGHEST;

/// Highest and lowest number of a move.
const MOST: i32 = 16_000;

/// A piece and where it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deed(usize);

/// What is remembered of quiet moves.
#[derive(Debug)]
pub struct History {
    n_squares: usize,
    n_deeds: usize,
    /// By side and deed.
    plain: Vec<i16>,
    /// By the deed before and the deed; empty where that would be too much.
    after: Vec<i16>,
    /// By the deed before: what answered it.
    answers: Vec<Option<Move>>,
    killers: [[Option<Move>; 2]; HIGHEST + 2],
}

/// Most pairs of deeds for which numbers are kept: 16 megabytes.
const MOST_PAIRS: usize = 8 << 20;

impl History {
    /// Of a game with so many kinds and squares.
    pub fn new(n_kinds: usize, n_squares: usize) -> History {
        let n_deeds = n_kinds * n_squares;
        let n_pairs = if n_deeds * n_deeds <= MOST_PAIRS { n_deeds * n_deeds } else { 0 };
        History {
            n_squares,
            n_deeds,
            plain: vec![0; 2 * n_deeds],
            after: vec![0; n_pairs],
            answers: vec![None; n_deeds],
            killers: [[None; 2]; HIGHEST + 2],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.plain.fill(0);
        self.after.fill(0);
        self.answers.fill(None);
        self.killers = [[None; 2]; HIGHEST + 2];
    }

    /// A new search begins: what refuted at some height does so no more, and numbers fade.
    pub fn fade(&mut self) {
        self.killers = [[None; 2]; HIGHEST + 2];
        self.plain.iter_mut().for_each(|number| *number /= 2);
    }

    /// The deed of a move by a piece of this kind.
    #[inline(always)]
    pub fn deed(&self, mover: Option<KindId>, mv: Move) -> Option<Deed> {
        let (kind, to) = (mover?, mv.to()?);
        Some(Deed(kind.index() * self.n_squares + usize::from(to.0)))
    }

    /// How good a move has been.
    #[inline(always)]
    pub fn number(&self, side: u8, deed: Option<Deed>, before: Option<Deed>) -> i32 {
        let Some(Deed(deed)) = deed else { return 0 };
        let plain = i32::from(self.plain[usize::from(side & 1) * self.n_deeds + deed]);
        let after = before.and_then(|Deed(before)| self.after.get(before * self.n_deeds + deed));
        plain + after.map_or(0, |number| i32::from(*number))
    }

    /// The moves that refuted sister nodes.
    pub fn killers(&self, height: usize) -> [Option<Move>; 2] {
        self.killers[height]
    }

    /// What answered the move before.
    pub fn answer(&self, before: Option<Deed>) -> Option<Move> {
        before.and_then(|Deed(before)| self.answers[before])
    }

    /// A quiet move refuted; those tried before it did not.
    pub fn refuted(
        &mut self,
        height: usize,
        (mv, deed): (Move, Option<Deed>),
        tried: &[Option<Deed>],
        (side, before): (u8, Option<Deed>),
        depth: i32,
    ) {
        let killers = &mut self.killers[height];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(Deed(before)) = before {
            self.answers[before] = Some(mv);
        }
        let by = (depth * depth * 4 + 30 * depth).min(1600);
        self.change(side, deed, before, by);
        tried.iter().for_each(|deed| self.change(side, *deed, before, -by));
    }

    fn change(&mut self, side: u8, deed: Option<Deed>, before: Option<Deed>, by: i32) {
        let Some(Deed(deed)) = deed else { return };
        // The nearer to the end of the scale, the less a number changes.
        let change = |number: &mut i16| {
            let old = i32::from(*number);
            *number = (old + by - old * by.abs() / MOST) as i16;
        };
        change(&mut self.plain[usize::from(side & 1) * self.n_deeds + deed]);
        if let Some(number) = before.and_then(|Deed(before)| self.after.get_mut(before * self.n_deeds + deed))
        {
            change(number);
        }
    }
}

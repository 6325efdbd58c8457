//! The union of many sets of stretches: few stretches are sorted, many are marked in a bit for every position.
//!
//! In: sets, one after another. Out: their union. Never: all of them in memory at once; a shape that may stand anywhere
//! has hundreds of parts of a hundred thousand stretches each.

use super::runs::unite;
use crate::index::postings::Posting;
use crate::segment::Segment;

/// Stretches that are kept as they are, for each game of the segment; sorting more takes longer than marking.
const KEPT_A_GAME: usize = 1;

/// A union as it grows.
pub struct Union<'a> {
    segment: &'a Segment,
    kept: Vec<Vec<Posting>>,
    n_kept: usize,
    /// A bit for every position of the segment, once there is much to unite.
    marks: Vec<u64>,
}

impl<'a> Union<'a> {
    /// Nothing yet.
    pub fn new(segment: &'a Segment) -> Union<'a> {
        Union { segment, kept: Vec::new(), n_kept: 0, marks: Vec::new() }
    }

    /// Adds a set.
    pub fn add(&mut self, runs: Vec<Posting>) {
        self.n_kept += runs.len();
        self.kept.push(runs);
        if self.kept.len() > 2 && self.n_kept > self.segment.n_games() * KEPT_A_GAME {
            self.mark_kept();
        }
    }

    /// The union.
    pub fn finish(mut self) -> Vec<Posting> {
        if self.marks.is_empty() {
            return unite(self.kept);
        }
        self.mark_kept();
        let mut runs = Vec::new();
        let mut next = 0;
        for game in 0..self.segment.n_games() as u32 {
            let (begin, end) = (self.segment.base(game), self.segment.base(game + 1));
            next = next.max(begin);
            while let Some(from) = self.find(next, end, 0) {
                next = self.find(from, end, u64::MAX).unwrap_or(end);
                runs.push(Posting { game, from: (from - begin) as u16, to: (next - begin) as u16 });
            }
        }
        runs
    }

    fn mark_kept(&mut self) {
        self.marks.resize(self.segment.n_positions().div_ceil(64), 0);
        let mut last = (u32::MAX, 0);
        for run in std::mem::take(&mut self.kept).iter().flatten() {
            if last.0 != run.game {
                last = (run.game, self.segment.base(run.game));
            }
            self.mark(last.1 + usize::from(run.from), last.1 + usize::from(run.to));
        }
        self.n_kept = 0;
    }

    fn mark(&mut self, from: usize, to: usize) {
        let (first, last) = (from / 64, (to - 1) / 64);
        let (head, tail) = (u64::MAX << (from % 64), u64::MAX >> (63 - (to - 1) % 64));
        match self.marks.get_mut(first..=last) {
            Some([word]) => *word |= head & tail,
            Some([begin, middle @ .., end]) => {
                *begin |= head;
                middle.fill(u64::MAX);
                *end |= tail;
            }
            _ => {}
        }
    }

    /// The first position from `at` that is marked, or that is not if `flip` is all ones.
    fn find(&self, at: usize, end: usize, flip: u64) -> Option<usize> {
        let mut mask = u64::MAX << (at % 64);
        for index in at / 64..end.div_ceil(64) {
            let word = (self.marks.get(index).copied().unwrap_or(0) ^ flip) & mask;
            if word != 0 {
                return Some(index * 64 + word.trailing_zeros() as usize).filter(|found| *found < end);
            }
            mask = u64::MAX;
        }
        None
    }
}

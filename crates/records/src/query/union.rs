//! The union of many interval sets: few intervals are sorted, many go into a position bitmap.
//!
//! In: sets, one after another. Out: their union. Never: all sets in memory at once; a shifted pattern has hundreds of
//! a hundred thousand intervals each.

use super::interval_set::unite;
use crate::index::postings::Posting;
use crate::segment::Segment;

/// Intervals per game that are kept for sorting; beyond this a bitmap is faster.
const PENDING_PER_GAME: usize = 1;

pub struct Union<'a> {
    segment: &'a Segment,
    pending: Vec<Vec<Posting>>,
    n_pending: usize,
    /// A bit for every position of the segment, once there are many intervals.
    bitmap: Vec<u64>,
}

impl<'a> Union<'a> {
    pub fn new(segment: &'a Segment) -> Union<'a> {
        Union { segment, pending: Vec::new(), n_pending: 0, bitmap: Vec::new() }
    }

    pub fn add(&mut self, intervals: Vec<Posting>) {
        self.n_pending += intervals.len();
        self.pending.push(intervals);
        if self.pending.len() > 2 && self.n_pending > self.segment.n_games() * PENDING_PER_GAME {
            self.flush_to_bitmap();
        }
    }

    pub fn finish(mut self) -> Vec<Posting> {
        if self.bitmap.is_empty() {
            return unite(self.pending);
        }
        self.flush_to_bitmap();
        let mut intervals = Vec::new();
        let mut next = 0;
        for game in 0..self.segment.n_games() as u32 {
            let (begin, end) = (self.segment.base(game), self.segment.base(game + 1));
            next = next.max(begin);
            while let Some(from) = self.find(next, end, 0) {
                next = self.find(from, end, u64::MAX).unwrap_or(end);
                intervals.push(Posting { game, from: (from - begin) as u16, to: (next - begin) as u16 });
            }
        }
        intervals
    }

    fn flush_to_bitmap(&mut self) {
        self.bitmap.resize(self.segment.n_positions().div_ceil(64), 0);
        let mut last = (u32::MAX, 0);
        for interval in std::mem::take(&mut self.pending).iter().flatten() {
            if last.0 != interval.game {
                last = (interval.game, self.segment.base(interval.game));
            }
            self.set_range(last.1 + usize::from(interval.from), last.1 + usize::from(interval.to));
        }
        self.n_pending = 0;
    }

    fn set_range(&mut self, from: usize, to: usize) {
        let (first, last) = (from / 64, (to - 1) / 64);
        let (head, tail) = (u64::MAX << (from % 64), u64::MAX >> (63 - (to - 1) % 64));
        match self.bitmap.get_mut(first..=last) {
            Some([word]) => *word |= head & tail,
            Some([begin, middle @ .., end]) => {
                *begin |= head;
                middle.fill(u64::MAX);
                *end |= tail;
            }
            _ => {}
        }
    }

    /// The first set bit at or after `at`, or the first clear one if `flip` is all ones.
    fn find(&self, at: usize, end: usize, flip: u64) -> Option<usize> {
        let mut mask = u64::MAX << (at % 64);
        for index in at / 64..end.div_ceil(64) {
            let word = (self.bitmap.get(index).copied().unwrap_or(0) ^ flip) & mask;
            if word != 0 {
                return Some(index * 64 + word.trailing_zeros() as usize).filter(|found| *found < end);
            }
            mask = u64::MAX;
        }
        None
    }
}

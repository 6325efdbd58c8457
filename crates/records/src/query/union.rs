//! The union of many interval sets: few intervals are sorted, many go into position bitmaps.
//!
//! In: sets, one after another. Out: their union. Never: all sets in memory at once; a shifted pattern has hundreds of
//! a hundred thousand intervals each.

use std::ops::Range;

use rayon::prelude::*;

use super::bit_ranges::find;
use super::interval_set::unite;
use crate::index::postings::Posting;
use crate::segment::Segment;

/// Intervals per game that are kept for sorting; beyond this a bitmap is faster.
const PENDING_PER_GAME: usize = 1;
/// Games per bitmap: each is filled and read by one thread.
const GAMES: usize = 1 << 15;

pub struct Union<'a> {
    segment: &'a Segment,
    pending: Vec<Vec<Posting>>,
    n_pending: usize,
    /// All games, once there are many intervals.
    bitmaps: Vec<GamesBitmap>,
}

/// A bit for every position of some neighbouring games.
struct GamesBitmap {
    games: Range<u32>,
    bits: Vec<u64>,
}

impl<'a> Union<'a> {
    pub fn new(segment: &'a Segment) -> Union<'a> {
        Union { segment, pending: Vec::new(), n_pending: 0, bitmaps: Vec::new() }
    }

    pub fn add(&mut self, intervals: Vec<Posting>) {
        self.n_pending += intervals.len();
        self.pending.push(intervals);
        if self.pending.len() > 2 && self.n_pending > self.segment.n_games() * PENDING_PER_GAME {
            self.flush_to_bitmaps();
        }
    }

    pub fn finish(mut self) -> Vec<Posting> {
        if self.bitmaps.is_empty() {
            return unite(self.pending);
        }
        self.flush_to_bitmaps();
        let found: Vec<Vec<Posting>> =
            self.bitmaps.par_iter().map(|bitmap| bitmap.intervals(self.segment)).collect();
        found.concat()
    }

    fn flush_to_bitmaps(&mut self) {
        let (segment, n_games) = (self.segment, self.segment.n_games());
        if self.bitmaps.is_empty() {
            let firsts = (0..n_games).step_by(GAMES);
            let games = firsts.map(|first| first as u32..n_games.min(first + GAMES) as u32);
            self.bitmaps = games.map(|games| GamesBitmap::new(segment, games)).collect();
        }
        let pending = std::mem::take(&mut self.pending);
        self.bitmaps.par_iter_mut().for_each(|bitmap| {
            pending.iter().for_each(|intervals| bitmap.add(segment, intervals));
        });
        self.n_pending = 0;
    }
}

impl GamesBitmap {
    fn new(segment: &Segment, games: Range<u32>) -> GamesBitmap {
        let n_positions = segment.base(games.end) - segment.base(games.start);
        GamesBitmap { games, bits: vec![0; n_positions.div_ceil(64)] }
    }

    /// Adds the intervals of its games.
    fn add(&mut self, segment: &Segment, intervals: &[Posting]) {
        let first = intervals.partition_point(|interval| interval.game < self.games.start);
        let (start, end) = (segment.base(self.games.start), self.games.end);
        let own = intervals[first..].iter().take_while(|interval| interval.game < end);
        let mut last = (u32::MAX, 0);
        for interval in own {
            if last.0 != interval.game {
                last = (interval.game, segment.base(interval.game) - start);
            }
            self.set_range(last.1 + usize::from(interval.from), last.1 + usize::from(interval.to));
        }
    }

    fn set_range(&mut self, from: usize, to: usize) {
        let (first, last) = (from / 64, (to - 1) / 64);
        let (head, tail) = (u64::MAX << (from % 64), u64::MAX >> (63 - (to - 1) % 64));
        match self.bits.get_mut(first..=last) {
            Some([word]) => *word |= head & tail,
            Some([begin, middle @ .., end]) => {
                *begin |= head;
                middle.fill(u64::MAX);
                *end |= tail;
            }
            _ => {}
        }
    }

    fn intervals(&self, segment: &Segment) -> Vec<Posting> {
        let mut intervals = Vec::new();
        list_intervals(segment, self.games.clone(), &self.bits, &mut intervals);
        intervals
    }
}

/// Lists the runs of set bits in a bitmap of neighbouring games.
pub fn list_intervals(segment: &Segment, games: Range<u32>, bits: &[u64], intervals: &mut Vec<Posting>) {
    let start = segment.base(games.start);
    let mut begin = 0;
    for game in games {
        let (end, mut next) = (segment.base(game + 1) - start, begin);
        while let Some(from) = find(bits, next..end, 0) {
            next = find(bits, from..end, u64::MAX).unwrap_or(end);
            intervals.push(Posting { game, from: (from - begin) as u16, to: (next - begin) as u16 });
        }
        begin = end;
    }
}

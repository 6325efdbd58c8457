//! A bitmap of the first 256 plies of a game, from which the gaps of several states are cleared.
//!
//! In: a span, gaps in any order. Out: intervals, emitted or counted. Never: an unpredictable branch: a misprediction
//! costs more than the work.

use super::tally::Sink;
use crate::index::postings::Posting;

const WORDS: usize = 4;

/// A bit for each ply below 256.
#[derive(Clone, Copy, Default)]
pub struct PlyBitmap([u64; WORDS]);

/// Prefix masks: with this table a range of plies is a few instructions.
static BEFORE: [[u64; WORDS]; WORDS * 64 + 1] = all_before();

const fn all_before() -> [[u64; WORDS]; WORDS * 64 + 1] {
    let mut before = [[0; WORDS]; WORDS * 64 + 1];
    let mut ply = 1;
    while ply < before.len() {
        before[ply] = before[ply - 1];
        before[ply][(ply - 1) / 64] |= 1 << ((ply - 1) % 64);
        ply += 1;
    }
    before
}

#[inline(always)]
fn before(ply: u16) -> &'static [u64; WORDS] {
    &BEFORE[usize::from(ply).min(WORDS * 64)]
}

impl PlyBitmap {
    #[inline(always)]
    pub fn of(from: u16, to: u16) -> PlyBitmap {
        let (from, to) = (before(from), before(to));
        PlyBitmap(std::array::from_fn(|word| to[word] & !from[word]))
    }

    #[inline(always)]
    pub fn clear(&mut self, from: u16, to: u16) {
        let (from, to) = (before(from), before(to));
        for (word, bits) in self.0.iter_mut().enumerate() {
            *bits &= from[word] | !to[word];
        }
    }

    /// Counts the remaining positions and intervals.
    #[inline(always)]
    pub fn count(&self, out: &mut impl Sink) {
        let (mut n_positions, mut n_intervals, mut last) = (0, 0, 0);
        for bits in self.0 {
            n_positions += bits.count_ones();
            n_intervals += (bits & !(bits << 1 | last)).count_ones();
            last = bits >> 63;
        }
        out.count(usize::from(n_positions > 0), n_positions as usize, n_intervals as usize);
    }

    /// Emits the remaining intervals.
    pub fn emit(&self, game: u32, out: &mut impl Sink) {
        let mut next = 0;
        while let Some(from) = self.find(next, 0) {
            next = self.find(from, u64::MAX).unwrap_or(WORDS * 64);
            out.push(Posting { game, from: from as u16, to: next as u16 });
        }
    }

    /// The first set bit at or after a ply, or the first clear one if `flip` is all ones.
    fn find(&self, ply: usize, flip: u64) -> Option<usize> {
        let mut mask = u64::MAX << (ply % 64);
        for word in ply / 64..WORDS {
            let bits = (self.0[word] ^ flip) & mask;
            if bits != 0 {
                return Some(word * 64 + bits.trailing_zeros() as usize);
            }
            mask = u64::MAX;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tally::Tally;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_left_is_neither_outside_nor_in_a_gap(
            span in (0u16..255, 0u16..255),
            gaps in prop::collection::vec((0u16..300, 1u16..80), 0..6),
        ) {
            let mut plies = PlyBitmap::of(span.0, span.1);
            gaps.iter().for_each(|(from, length)| plies.clear(*from, from + length));
            let is_left = |ply: &u16| !gaps.iter().any(|(from, length)| (*from..from + length).contains(ply));
            let left: Vec<u16> = (span.0..span.1).filter(is_left).collect();
            let mut emitted = Vec::new();
            plies.emit(7, &mut emitted);
            let each: Vec<u16> = emitted.iter().flat_map(|interval| interval.from..interval.to).collect();
            prop_assert_eq!(&each, &left);
            prop_assert!(emitted.windows(2).all(|two| two[0].to < two[1].from));
            let mut tally = Tally::default();
            plies.count(&mut tally);
            let counts = (tally.n_games, tally.n_positions, tally.n_intervals);
            prop_assert_eq!(counts, (usize::from(!left.is_empty()), left.len(), emitted.len()));
        }
    }
}

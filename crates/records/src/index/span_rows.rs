//! Spans of a row of 4,096 neighbouring games, a byte per ply number, unpacked eight games at a time.
//!
//! In: a posting list with a dense game set. Out: for every game of the row its first ply, the ply after its last, and
//! whether it has several intervals. Never: a span that is too short: plies beyond a byte saturate at 254 and 255.
//!
//! Packed numbers are in order of pairs, a row is in order of games. Both steps, from bits to bytes and from pairs to
//! games, are one PDEP each.

use super::bits::{Ones, RankBitmap};
use super::pdep::{LANES, Pdep};
use super::postings::{Patched, StateList};

/// Games per row.
pub const ROW: usize = 4096;

/// Words of a bitmap of a row.
pub const ROW_WORDS: usize = ROW / 64;

/// An end that does not fit a byte: the span ends here or later.
pub const SATURATED: u8 = u8::MAX;

/// The lowest bit of every second byte of a word.
const WIDE_LANES: u64 = 0x0001_0001_0001_0001;

/// The widest numbers of which an unaligned word always holds four.
const MAX_FOUR_LANE_WIDTH: u32 = 14;

/// Spans of a row, in reused memory.
pub struct SpanRow {
    /// First plies; undefined for games without the state.
    pub starts: [u8; ROW],
    /// Games with more than one interval.
    pub multi: [u64; ROW_WORDS],
    /// How many games with more than one interval come before each word.
    pub n_multi: [u32; ROW_WORDS],
    pub all_from_zero: bool,
}

impl Default for SpanRow {
    fn default() -> SpanRow {
        let (multi, n_multi) = ([0; ROW_WORDS], [0; ROW_WORDS]);
        SpanRow { starts: [0; ROW], multi, n_multi, all_from_zero: false }
    }
}

impl SpanRow {
    /// Unpacks the spans of the games from `first` on, a multiple of [`ROW`], of a list whose game set is `bits`. Ends
    /// go to `ends`; those of games without the state are undefined.
    #[inline(always)]
    pub fn unpack(
        &mut self,
        list: &StateList,
        bits: &RankBitmap,
        first: usize,
        ends: &mut [u8; ROW],
        pdep: impl Pdep,
    ) {
        let first_pair = if list.has_every_game() { first } else { bits.rank(first) };
        let mut own = [0; ROW_WORDS];
        for (n, own) in own.iter_mut().enumerate() {
            *own = bits.word(first / 64 + n);
        }
        let (starts, lengths) = (&list.starts, &list.lengths);
        if starts.is_zero() {
            if !self.all_from_zero {
                (self.all_from_zero, self.starts) = (true, [0; ROW]);
            }
            unpack_bytes(lengths, &own, first_pair, ends, pdep);
            for end in ends.iter_mut() {
                *end = end.saturating_add(1);
            }
        } else {
            self.all_from_zero = false;
            match starts.packed.width().max(lengths.packed.width()) {
                0..=8 => unpack_both([starts, lengths], &own, first_pair, [&mut self.starts, ends], pdep),
                _ => {
                    unpack_bytes(starts, &own, first_pair, &mut self.starts, pdep);
                    unpack_bytes(lengths, &own, first_pair, ends, pdep);
                }
            }
            for (end, start) in ends.iter_mut().zip(&mut self.starts) {
                *end = end.saturating_add(*start).saturating_add(1);
                *start = (*start).min(SATURATED - 1);
            }
        }
        if let Some(extras) = &list.extras {
            let (mut pair, mut n_multi) = (first_pair, extras.multi.rank(first_pair) as u32);
            for (n, own) in own.iter().enumerate() {
                self.multi[n] = pdep.pdep(extras.multi.word_from(pair), *own);
                self.n_multi[n] = n_multi;
                n_multi += self.multi[n].count_ones();
                pair += own.count_ones() as usize;
            }
        }
    }
}

/// Unpacks the numbers of a row's pairs into the bytes of their games.
#[inline(always)]
fn unpack_bytes(
    numbers: &Patched,
    own: &[u64; ROW_WORDS],
    first_pair: usize,
    out: &mut [u8; ROW],
    pdep: impl Pdep,
) {
    let width = numbers.packed.width();
    if width > 8 {
        return unpack_wide(numbers, own, first_pair, out, pdep);
    }
    let mut pair = first_pair;
    let each = LANES * ((1u64 << width) - 1);
    let (eights, _) = out.as_chunks_mut::<8>();
    if *own == [u64::MAX; ROW_WORDS] {
        for (n, eight) in eights.iter_mut().enumerate() {
            *eight = pdep.pdep(numbers.packed.word_from(first_pair + n * 8), each).to_le_bytes();
        }
    } else {
        for (n, eight) in eights.iter_mut().enumerate() {
            let (lanes, n_pairs) = lanes(own, n, pdep);
            *eight = pdep.pdep(numbers.packed.word_from(pair), lanes & each).to_le_bytes();
            pair += n_pairs;
        }
    }
    patch(numbers, own, first_pair, out, pdep);
}

/// The same for numbers of more than eight bits, four games at a time.
#[inline(always)]
fn unpack_wide(
    numbers: &Patched,
    own: &[u64; ROW_WORDS],
    first_pair: usize,
    out: &mut [u8; ROW],
    pdep: impl Pdep,
) {
    let width = numbers.packed.width();
    let mut pair = first_pair;
    if width > MAX_FOUR_LANE_WIDTH {
        for (word, own) in own.iter().enumerate() {
            for bit in Ones(*own) {
                out[word * 64 + bit] = numbers.get(pair).min(u32::from(SATURATED)) as u8;
                pair += 1;
            }
        }
        return;
    }
    let each = WIDE_LANES * ((1u64 << width) - 1);
    let mut wide = [0u8; 2 * ROW];
    let (fours, _) = wide.as_chunks_mut::<8>();
    for (n, four) in fours.iter_mut().enumerate() {
        let some = (own[n / 16] >> (n % 16 * 4)) & 0xF;
        let lanes = pdep.pdep(some, WIDE_LANES);
        let lanes = (lanes << 16).wrapping_sub(lanes);
        *four = pdep.pdep(numbers.packed.word_from(pair), lanes & each).to_le_bytes();
        pair += some.count_ones() as usize;
    }
    let (twos, _) = wide.as_chunks::<2>();
    for (out, two) in out.iter_mut().zip(twos) {
        *out = u16::from_le_bytes(*two).min(u16::from(SATURATED)) as u8;
    }
    patch(numbers, own, first_pair, out, pdep);
}

/// The same for two arrays of at most eight bits: the game masks are computed once.
#[inline(always)]
fn unpack_both(
    numbers: [&Patched; 2],
    own: &[u64; ROW_WORDS],
    first_pair: usize,
    [first, second]: [&mut [u8; ROW]; 2],
    pdep: impl Pdep,
) {
    let each = numbers.map(|numbers| LANES * ((1u64 << numbers.packed.width()) - 1));
    let mut pair = first_pair;
    let (firsts, _) = first.as_chunks_mut::<8>();
    let (seconds, _) = second.as_chunks_mut::<8>();
    for n in 0..ROW / 8 {
        let (lanes, n_pairs) = lanes(own, n, pdep);
        firsts[n] = pdep.pdep(numbers[0].packed.word_from(pair), lanes & each[0]).to_le_bytes();
        seconds[n] = pdep.pdep(numbers[1].packed.word_from(pair), lanes & each[1]).to_le_bytes();
        pair += n_pairs;
    }
    patch(numbers[0], own, first_pair, first, pdep);
    patch(numbers[1], own, first_pair, second, pdep);
}

/// The byte mask of the games that have pairs among the `n`th eight, and how many they are.
#[inline(always)]
fn lanes(own: &[u64; ROW_WORDS], n: usize, pdep: impl Pdep) -> (u64, usize) {
    let some = (own[n / 8] >> (n % 8 * 8)) & 0xFF;
    let lanes = pdep.pdep(some, LANES);
    ((lanes << 8).wrapping_sub(lanes), some.count_ones() as usize)
}

/// Writes the exceptions.
#[inline(always)]
fn patch(numbers: &Patched, own: &[u64; ROW_WORDS], first_pair: usize, out: &mut [u8; ROW], pdep: impl Pdep) {
    let (mut word, mut before) = (0, first_pair);
    let mut n_pairs = 0;
    for own in own {
        n_pairs += own.count_ones() as usize;
    }
    numbers.each_exception(first_pair..first_pair + n_pairs, |index, value| {
        while before + own[word].count_ones() as usize <= index {
            before += own[word].count_ones() as usize;
            word += 1;
        }
        out[word * 64 + pdep.nth_one(own[word], index - before)] = value.min(u32::from(SATURATED)) as u8;
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::pdep::{Bmi2Pdep, PortablePdep};
    use crate::index::postings::{Posting, encode};
    use proptest::prelude::*;

    fn check(list: &StateList, n_games: usize, pdep: impl Pdep) {
        let bits = list.bits().expect("many games");
        let (mut row, mut ends) = (SpanRow::default(), [0; ROW]);
        let mut n_multi = 0;
        for first in (0..n_games).step_by(ROW) {
            row.unpack(list, &bits, first, &mut ends, pdep);
            for game in first..n_games.min(first + ROW) {
                let Some(pair) = list.pair_of(game as u32) else { continue };
                let ((from, to), at) = (list.span(pair), game - first);
                assert_eq!((u16::from(row.starts[at]), u16::from(ends[at])), (from.min(254), to.min(255)));
                let (word, below) = (row.multi[at / 64], (1 << (at % 64)) - 1);
                assert_eq!(word >> (at % 64) & 1 == 1, list.is_multi(pair));
                assert_eq!(row.n_multi[at / 64] + (word & below).count_ones(), n_multi);
                n_multi += u32::from(list.is_multi(pair));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn rows_are_spans(seed in any::<u64>(), one_in in 1u64..6, least in 0u64..2, most in prop_oneof![1u64..9, 1u64..300, 1u64..2000]) {
            let mut state = seed;
            let mut below = |n: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % n
            };
            let n_games = 5000;
            let mut postings = Vec::new();
            for game in 0..n_games as u32 {
                if below(one_in) == 0 {
                    let from = (below(most) * least) as u16;
                    let longest = if below(50) == 0 { 2000 } else { most };
                    let to = from + 1 + below(longest) as u16;
                    postings.push(Posting { game, from, to });
                    if below(7) == 0 {
                        postings.push(Posting { game, from: to + 3, to: to + 5 });
                    }
                }
            }
            let bytes = encode(&postings, n_games);
            let list = StateList::read(&bytes).expect("whole");
            check(&list, n_games, PortablePdep);
            #[cfg(target_arch = "x86_64")]
            if let Some(pdep) = Bmi2Pdep::detect() {
                check(&list, n_games, pdep);
            }
        }
    }
}

//! Sequential scan of a posting list over a range of games.
//!
//! In: a posting list and a range of games. Out: every interval, emitted in order. Never: an allocated list.

use std::ops::Range;

use super::bits::Ones;
use super::postings::{Games, StateList, emit_intervals};

impl StateList<'_> {
    /// Emits every interval (game, from, to) of a range of games that begins at a multiple of 64.
    pub fn each_interval(&self, games: Range<u32>, mut emit: impl FnMut(u32, u16, u16)) {
        let mut pairs = self.pairs_from(games.start, &mut emit);
        match self.games {
            Games::Dense(bits) => {
                let end = (games.end as usize).div_ceil(64).min(bits.n_words());
                for index in games.start as usize / 64..end {
                    for bit in Ones(bits.word(index) & within_mask(&games, index)) {
                        pairs.next((index * 64 + bit) as u32);
                    }
                }
            }
            Games::Sparse(elias_fano) => elias_fano.each_from(games.start, |game| {
                let is_within = game < games.end;
                if is_within {
                    pairs.next(game);
                }
                is_within
            }),
        }
    }

    /// The same for the games whose bit is set. The first bit is that of the range's first game, down to a multiple of 64.
    pub fn each_interval_among(&self, games: Range<u32>, among: &[u64], mut emit: impl FnMut(u32, u16, u16)) {
        let first = games.start as usize / 64;
        let is_among = |game: u32| among[game as usize / 64 - first] >> (game % 64) & 1 == 1;
        match self.games {
            Games::Dense(bits) => {
                let mut pair = bits.rank(first * 64);
                for index in first..(games.end as usize).div_ceil(64).min(bits.n_words()) {
                    let word = bits.word(index);
                    for bit in Ones(word & among[index - first]) {
                        let before = (word & ((1 << bit) - 1)).count_ones() as usize;
                        self.each_of_pair(pair + before, |from, to| {
                            emit((index * 64 + bit) as u32, from, to)
                        });
                    }
                    pair += word.count_ones() as usize;
                }
            }
            Games::Sparse(elias_fano) => {
                let mut pair = elias_fano.n_below(games.start);
                elias_fano.each_from(games.start, |game| {
                    let is_within = game < games.end;
                    if is_within && is_among(game) {
                        self.each_of_pair(pair, |from, to| emit(game, from, to));
                    }
                    pair += 1;
                    is_within
                })
            }
        }
    }

    #[inline(always)]
    fn each_of_pair(&self, pair: usize, mut emit: impl FnMut(u16, u16)) {
        let span = self.span(pair);
        let Some(extras) = self.extras.filter(|extras| extras.multi.has(pair)) else {
            return emit(span.0, span.1);
        };
        let nth = extras.multi.rank(pair);
        let first = extras.firsts.select(nth).unwrap_or(0);
        let after = extras.firsts.next_one(first + 1).unwrap_or(self.n_extra);
        emit_intervals(&extras, (first, after), span, |from, to| {
            emit(from, to);
            true
        });
    }

    /// Sets the bits of the games of a range that have the state; bits as for [`StateList::each_interval_among`].
    pub fn add_games(&self, games: Range<u32>, among: &mut [u64]) {
        let first = games.start as usize / 64;
        match self.games {
            Games::Dense(bits) => {
                for index in first..(games.end as usize).div_ceil(64).min(bits.n_words()) {
                    among[index - first] |= bits.word(index) & within_mask(&games, index);
                }
            }
            Games::Sparse(elias_fano) => elias_fano.each_from(games.start, |game| {
                let is_within = game < games.end;
                if is_within {
                    among[game as usize / 64 - first] |= 1 << (game % 64);
                }
                is_within
            }),
        }
    }

    fn pairs_from<'l, F: FnMut(u32, u16, u16)>(&'l self, game: u32, emit: &'l mut F) -> NextPairs<'l, F> {
        let pair = match self.games {
            Games::Dense(_) if self.has_every_game() => game as usize,
            Games::Dense(bits) => bits.rank(game as usize),
            Games::Sparse(elias_fano) => elias_fano.n_below(game),
        };
        let nth = self.extras.map_or(0, |extras| extras.multi.rank(pair));
        let extra = self.extras.and_then(|extras| extras.firsts.select(nth)).unwrap_or(self.n_extra);
        NextPairs { list: self, pair, extra, emit }
    }
}

/// The bits of a word whose games are in the range; the word has at least one of them.
fn within_mask(games: &Range<u32>, index: usize) -> u64 {
    let first = (games.start as usize).saturating_sub(index * 64);
    let beyond = ((index + 1) * 64).saturating_sub(games.end as usize);
    u64::MAX << first & u64::MAX >> beyond
}

/// Visits consecutive pairs; the extras of one begin where those of the last end.
struct NextPairs<'l, F> {
    list: &'l StateList<'l>,
    pair: usize,
    extra: usize,
    emit: &'l mut F,
}

impl<F: FnMut(u32, u16, u16)> NextPairs<'_, F> {
    #[inline(always)]
    fn next(&mut self, game: u32) {
        let span = self.list.span(self.pair);
        match self.list.extras.filter(|extras| extras.multi.has(self.pair)) {
            Some(extras) => {
                let after = extras.firsts.next_one(self.extra + 1).unwrap_or(self.list.n_extra);
                emit_intervals(&extras, (self.extra, after), span, |from, to| {
                    (self.emit)(game, from, to);
                    true
                });
                self.extra = after;
            }
            None => (self.emit)(game, span.0, span.1),
        }
        self.pair += 1;
    }
}

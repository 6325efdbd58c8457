//! Exact-position index: from a position's key to all its occurrences, in about four bytes per position.
//!
//! In: position keys in order of position numbers. Out: bytes, and views that yield candidates for a key. Never: a
//! verified match: a candidate agrees in directory bits and fingerprint, and the caller compares the position itself.
//!
//! ```text
//! directory: for every value of a key's first bits the number of its first entry, u32
//! entry:     u32 = fingerprint (more bits of the key) | repeated? 1 bit | location
//! groups:    heap offset of each repeated position (Elias-Fano)
//! heap:      occurrences n, games (varints) | if n is 32 or more: next moves with results | positions as deltas
//! ```
//!
//! Four positions in five occur once: the location is then the position number itself, else a group number. A frequent
//! position stores counts of its next moves, so that the opening explorer does not visit every game.

use std::ops::Range;

use super::bits::{Cursor, put_varint, u32_at, width_of};
use super::elias_fano::{EliasFano, put_elias_fano};

/// Positions with at least this many occurrences store counts of their next moves.
pub const COUNTED_FROM: usize = 32;

/// Average entries per directory bucket, at least.
const ENTRIES_PER_BUCKET: usize = 10;

/// The move code after the last position of a game.
pub const NO_MOVE: u16 = u16::MAX;

/// Upper bounds for prefetching checked bytes: a position of a group, and (nearly always) the counts of its next moves.
const MAX_VARINT: usize = 5;
const MAX_COUNTS: usize = 1 << 16;

/// What the index builder needs to know about a position besides its key.
pub trait PositionSource: Sync {
    fn game_of(&self, position: u32) -> u32;
    /// The code of the next move, or [`NO_MOVE`].
    fn next_move(&self, position: u32) -> u16;
    fn result(&self, game: u32) -> u8;
    fn n_results(&self) -> usize;
}

/// Key bits for a directory of so many positions.
pub fn directory_bits(n_positions: usize) -> u32 {
    width_of((n_positions / ENTRIES_PER_BUCKET) as u64).saturating_sub(1).clamp(1, 30)
}

/// Builds the index in order of keys.
#[derive(Debug)]
pub struct ExactBuilder {
    bits: u32,
    bytes: ExactBytes,
    n_buckets_begun: u64,
    /// Heap offset of each group.
    groups: Vec<u32>,
}

impl ExactBuilder {
    pub fn new(n_positions: usize) -> ExactBuilder {
        let location_width = width_of(n_positions as u64).clamp(1, 30);
        ExactBuilder {
            bits: directory_bits(n_positions),
            bytes: ExactBytes { location_width, ..ExactBytes::default() },
            n_buckets_begun: 0,
            groups: Vec::new(),
        }
    }

    /// Adds occurrences sorted by key and position. Keys must not decrease between calls.
    pub fn add(&mut self, sorted: &[(u64, u32)], of: &impl PositionSource) {
        let fingerprint_width = 31 - self.bytes.location_width;
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            let (key, first) = group[0];
            self.begin_buckets((key >> (64 - self.bits)) + 1);
            let (repeated, location) = match group.len() {
                1 => (0, first),
                _ => (1, self.groups.len() as u32),
            };
            if repeated == 1 {
                self.groups.push(self.bytes.heap.len() as u32);
                put_group(&mut self.bytes.heap, group, of);
            }
            let fingerprint = fingerprint_of(key, self.bits, fingerprint_width);
            let entry = (fingerprint << 1 | repeated) << self.bytes.location_width | location;
            self.bytes.entries.extend(entry.to_le_bytes());
        }
    }

    fn begin_buckets(&mut self, n_begun: u64) {
        while self.n_buckets_begun < n_begun {
            let next = (self.bytes.entries.len() / 4) as u32;
            self.bytes.directory.extend(next.to_le_bytes());
            self.n_buckets_begun += 1;
        }
    }

    pub fn finish(mut self) -> ExactBytes {
        self.begin_buckets((1 << self.bits) + 1);
        self.bytes.n_groups = self.groups.len();
        put_elias_fano(&mut self.bytes.groups, self.bytes.heap.len(), &self.groups);
        self.bytes
    }
}

fn put_group(heap: &mut Vec<u8>, group: &[(u64, u32)], of: &impl PositionSource) {
    let games: Vec<u32> = group.iter().map(|(_, position)| of.game_of(*position)).collect();
    let n_games = 1 + games.windows(2).filter(|two| two[0] != two[1]).count();
    put_varint(heap, group.len() as u64);
    put_varint(heap, n_games as u64);
    if group.len() >= COUNTED_FROM {
        let next = group.iter().zip(&games).map(|((_, at), game)| (of.next_move(*at), of.result(*game)));
        put_counts(heap, next, of.n_results());
    }
    let mut last = 0;
    for (_, position) in group {
        put_varint(heap, u64::from(*position - last));
        last = *position;
    }
}

/// The key bits that an entry stores: those after the directory bits.
fn fingerprint_of(key: u64, bits: u32, fingerprint_width: u32) -> u32 {
    ((key << bits) >> 32 >> (32 - fingerprint_width)) as u32 & ((1 << fingerprint_width) - 1)
}

/// The sections of the index.
#[derive(Default, Debug)]
pub struct ExactBytes {
    pub directory: Vec<u8>,
    pub entries: Vec<u8>,
    pub groups: Vec<u8>,
    pub n_groups: usize,
    pub heap: Vec<u8>,
    /// Bits of an entry for the location.
    pub location_width: u32,
}

fn put_counts(heap: &mut Vec<u8>, next: impl Iterator<Item = (u16, u8)>, n_results: usize) {
    let mut counts: std::collections::BTreeMap<u16, Vec<u64>> = std::collections::BTreeMap::new();
    for (mv, result) in next {
        let by_result = counts.entry(mv).or_insert_with(|| vec![0; n_results]);
        by_result[usize::from(result).min(n_results - 1)] += 1;
    }
    put_varint(heap, counts.len() as u64);
    for (mv, by_result) in counts {
        put_varint(heap, u64::from(mv));
        by_result.iter().for_each(|count| put_varint(heap, *count));
    }
}

/// A view of the index.
#[derive(Clone, Copy)]
pub struct ExactIndex<'a> {
    pub directory: &'a [u8],
    pub entries: &'a [u8],
    pub groups: EliasFano<'a>,
    pub heap: &'a [u8],
    pub location_width: u32,
}

/// An entry whose key may be the one looked up.
#[derive(Clone, Copy)]
pub enum Candidate<'a> {
    /// It occurs once: the position number.
    Once(u32),
    Repeated(OccurrenceGroup<'a>),
}

/// How often each move follows a position, by result.
pub type NextCounts = Vec<(u16, Vec<u64>)>;

/// The occurrences of a repeated position.
#[derive(Clone, Copy)]
pub struct OccurrenceGroup<'a> {
    pub n_positions: usize,
    pub n_games: usize,
    /// Heap offset.
    pub location: usize,
    bytes: &'a [u8],
}

impl<'a> ExactIndex<'a> {
    fn bits(&self) -> u32 {
        let n_buckets = (self.directory.len() / 4).saturating_sub(1);
        width_of(n_buckets as u64).saturating_sub(1).max(1)
    }

    /// Bytes of the directory that a lookup reads.
    pub fn directory_range(&self, key: u64) -> Range<usize> {
        let bucket = (key >> (64 - self.bits())) as usize;
        bucket * 4..bucket * 4 + 8
    }

    /// Bytes of the entries that a lookup reads.
    pub fn entries_range(&self, key: u64) -> Range<usize> {
        let at = self.directory_range(key).start;
        let first = u32_at(self.directory, at) as usize * 4;
        let after = u32_at(self.directory, at + 4) as usize * 4;
        first..after.clamp(first, first.max(self.entries.len()))
    }

    /// Entries whose directory bits and fingerprint agree with the key.
    pub fn candidates(&self, key: u64) -> impl Iterator<Item = Candidate<'a>> + use<'a> {
        let this = *self;
        let fingerprint = fingerprint_of(key, self.bits(), 31 - self.location_width.min(30));
        let location = self.entries_range(key);
        (location.start / 4..location.end / 4).filter_map(move |index| {
            let entry = u32_at(this.entries, index * 4);
            let location = entry & ((1 << this.location_width) - 1);
            let rest = entry >> this.location_width;
            if rest >> 1 != fingerprint {
                return None;
            }
            match rest & 1 {
                0 => Some(Candidate::Once(location)),
                _ => this.group(location as usize).map(Candidate::Repeated),
            }
        })
    }

    fn group(&self, group: usize) -> Option<OccurrenceGroup<'a>> {
        let begin = self.groups.get(group)? as usize;
        let mut from = Cursor(self.heap.get(begin..)?);
        let (n_positions, n_games) = (from.size()?, from.size()?);
        Some(OccurrenceGroup { n_positions, n_games, location: begin, bytes: from.0 })
    }
}

impl<'a> OccurrenceGroup<'a> {
    /// An upper bound of its bytes in the heap.
    pub fn heap_range(&self) -> Range<usize> {
        let length = self.n_positions.saturating_mul(MAX_VARINT).saturating_add(MAX_COUNTS);
        self.location..self.location.saturating_add(length)
    }

    /// Counts of next moves by result, if they are stored.
    pub fn counts(&self, n_results: usize) -> Option<NextCounts> {
        if self.n_positions < COUNTED_FROM {
            return None;
        }
        let mut from = Cursor(self.bytes);
        Some(read_counts(&mut from, n_results).unwrap_or_default())
    }

    pub fn positions(&self, n_results: usize) -> impl Iterator<Item = u32> + use<'a> {
        let mut from = Cursor(self.bytes);
        if self.n_positions >= COUNTED_FROM {
            skip_counts(&mut from, n_results);
        }
        let mut last = 0u32;
        (0..self.n_positions).map_while(move |_| {
            last = last.wrapping_add(from.varint()? as u32);
            Some(last)
        })
    }

    pub fn first(&self, n_results: usize) -> Option<u32> {
        self.positions(n_results).next()
    }
}

fn read_counts(from: &mut Cursor, n_results: usize) -> Option<NextCounts> {
    let n_moves = from.size()?;
    let one = |from: &mut Cursor| {
        let mv = from.varint()? as u16;
        let by_result: Option<Vec<u64>> = (0..n_results).map(|_| from.varint()).collect();
        Some((mv, by_result?))
    };
    (0..n_moves).map(|_| one(from)).collect()
}

fn skip_counts(from: &mut Cursor, n_results: usize) {
    let n_numbers = from.size().unwrap_or(0).saturating_mul(1 + n_results);
    for _ in 0..n_numbers {
        if from.varint().is_none() {
            return;
        }
    }
}

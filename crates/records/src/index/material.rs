//! Material timelines: when the number of pieces of each type on the board changed in a game, in about a byte a change.
//!
//! In: the posting lists of the board states. Out: bytes; a view that yields the changes of each game in order. Never:
//! squares.
//!
//! ```text
//! n_types u16 | n_squares u16 | counts u16 of each type | starts of blocks u32 | blocks
//! block: 64 games, each: bytes (varint) | changes
//! change: type and plies since the last change, in one byte
//! ```
//!
//! A *type* is a side's kind. Every game begins with the counts of the segment's first game; another beginning differs by
//! changes at ply 0. A change is the loss of a piece. The number after the last type means a gain, of the type in the next
//! byte. If the plies do not fit into the bits that the type leaves, all of these are set and the rest follows as a varint.

use rayon::prelude::*;

use super::bits::{Cursor, put_varint, u16_at, u32_at, width_of};
use super::postings::StateList;

/// Games per entry of the directory.
const BLOCK: usize = 64;
/// Games counted at a time: two bytes for every type and position stay in the L2 cache.
const GAMES: usize = 4 * BLOCK;
const HEADER: usize = 4;

/// Encodes the material of games; `base` gives the number of a game's first position, also of the game after the last.
/// `None` if there are more types than a byte can name.
pub fn encode(
    lists: &[(u32, StateList)],
    (n_types, n_squares): (usize, usize),
    n_games: usize,
    base: &(impl Fn(usize) -> usize + Sync),
) -> Option<Vec<u8>> {
    let layout = Layout::new(n_types)?;
    let first = Changes::new(lists, (n_types, n_squares), 0..n_games.min(GAMES), base);
    let counts: Vec<u16> = (0..n_types).map(|piece| first.at(piece, 0) as u16).collect();
    let chunks: Vec<usize> = (0..n_games).step_by(GAMES).collect();
    let encoded: Vec<(Vec<usize>, Vec<u8>)> = chunks
        .into_par_iter()
        .map(|first| {
            let games = first..n_games.min(first + GAMES);
            let changes = Changes::new(lists, (n_types, n_squares), games.clone(), base);
            let (mut starts, mut out) = (Vec::new(), Vec::new());
            for game in games {
                if game.is_multiple_of(BLOCK) {
                    starts.push(out.len());
                }
                let own = base(game) - base(first)..base(game + 1) - base(first);
                put_game(&mut out, layout, &changes, own, &counts);
            }
            (starts, out)
        })
        .collect();
    let mut out = [n_types as u16, n_squares as u16].map(u16::to_le_bytes).concat();
    out.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    let mut before = 0;
    for (starts, bytes) in &encoded {
        out.extend(starts.iter().flat_map(|start| ((before + start) as u32).to_le_bytes()));
        before += bytes.len();
    }
    out.extend(encoded.into_iter().flat_map(|(_, bytes)| bytes));
    Some(out)
}

/// How a type and a number of plies share a byte.
#[derive(Clone, Copy)]
struct Layout {
    n_types: usize,
    ply_bits: u32,
    ply_mask: u8,
}

impl Layout {
    fn new(n_types: usize) -> Option<Layout> {
        let ply_bits = 8u32.checked_sub(width_of(n_types as u64))?;
        Some(Layout { n_types, ply_bits, ply_mask: ((1u32 << ply_bits) - 1) as u8 })
    }

    fn put(self, out: &mut Vec<u8>, piece: usize, plies: usize) {
        let short = plies.min(usize::from(self.ply_mask));
        out.push(((piece as u32) << self.ply_bits) as u8 | short as u8);
        if short == usize::from(self.ply_mask) {
            put_varint(out, (plies - short) as u64);
        }
    }
}

/// Difference arrays of some games: by type and position, the change of the count. A game's last position is followed by the
/// first of the next; what ends with a game is not a change.
struct Changes {
    by_position: Vec<i16>,
    n_types: usize,
}

impl Changes {
    fn new(
        lists: &[(u32, StateList)],
        (n_types, n_squares): (usize, usize),
        games: std::ops::Range<usize>,
        base: &impl Fn(usize) -> usize,
    ) -> Changes {
        let begin = base(games.start);
        let n_positions = base(games.end) - begin;
        let mut by_position = vec![0i16; n_types * n_positions];
        for (state, list) in lists {
            let piece = *state as usize / n_squares;
            list.each_interval(games.start as u32..games.end as u32, |game, from, to| {
                let (first, next) = (base(game as usize) - begin, base(game as usize + 1) - begin);
                let (from, to) = (first + usize::from(from), first + usize::from(to));
                if let Some(change) = by_position.get_mut(from * n_types + piece) {
                    *change = change.wrapping_add(1);
                }
                if to < next {
                    by_position[to * n_types + piece] = by_position[to * n_types + piece].wrapping_sub(1);
                }
            });
        }
        Changes { by_position, n_types }
    }

    fn at(&self, piece: usize, position: usize) -> i16 {
        self.by_position.get(position * self.n_types + piece).copied().unwrap_or(0)
    }

    /// The changes at a position, by type.
    fn of(&self, position: usize) -> &[i16] {
        &self.by_position[position * self.n_types..(position + 1) * self.n_types]
    }
}

fn put_game(
    out: &mut Vec<u8>,
    layout: Layout,
    changes: &Changes,
    positions: std::ops::Range<usize>,
    counts: &[u16],
) {
    let (mut bytes, mut last) = (Vec::new(), positions.start);
    for position in positions.clone() {
        let own = changes.of(position);
        if position > positions.start && own.iter().all(|change| *change == 0) {
            continue;
        }
        for (piece, change) in own.iter().enumerate() {
            let usual = if position == positions.start { counts[piece] as i16 } else { 0 };
            let change = change - usual;
            for _ in 0..change.unsigned_abs() {
                let number = if change < 0 { piece } else { layout.n_types };
                layout.put(&mut bytes, number, position - last);
                if change > 0 {
                    bytes.push(piece as u8);
                }
                last = position;
            }
        }
    }
    put_varint(out, bytes.len() as u64);
    out.extend(bytes);
}

/// A view of encoded material.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    layout: Layout,
    n_squares: usize,
    counts: &'a [u8],
    starts: &'a [u8],
    blocks: &'a [u8],
}

impl<'a> Material<'a> {
    /// A view of encoded bytes; `None` if [`encode`] did not write them.
    pub fn read(bytes: &'a [u8], n_games: usize) -> Option<Material<'a>> {
        let (n_types, n_squares) = (usize::from(u16_at(bytes, 0)), usize::from(u16_at(bytes, 2)));
        let (counts, rest) = bytes.get(HEADER..)?.split_at_checked(n_types * 2)?;
        let (starts, blocks) = rest.split_at_checked(n_games.div_ceil(BLOCK) * 4)?;
        (n_squares > 0).then_some(())?;
        Some(Material { layout: Layout::new(n_types)?, n_squares, counts, starts, blocks })
    }

    pub fn n_types(&self) -> usize {
        self.layout.n_types
    }

    /// The type of the piece of a board state.
    pub fn type_of(&self, state: u32) -> usize {
        state as usize / self.n_squares
    }

    /// How many pieces of a type a game begins with, before its own changes.
    pub fn initial_count(&self, piece: usize) -> u16 {
        u16_at(self.counts, piece * 2)
    }

    /// A cursor for the changes of games.
    pub fn timelines(&self) -> Timelines<'a> {
        Timelines { material: *self, next: 0, rest: Cursor(self.blocks) }
    }
}

/// Reads the timelines of increasing games.
pub struct Timelines<'a> {
    material: Material<'a>,
    /// The game whose bytes come next.
    next: usize,
    rest: Cursor<'a>,
}

impl<'a> Timelines<'a> {
    /// The changes of a game. Games must increase between calls.
    #[inline(always)]
    pub fn of(&mut self, game: u32) -> Timeline<'a> {
        let game = game as usize;
        if game / BLOCK != self.next / BLOCK || self.next == 0 {
            let start = u32_at(self.material.starts, game / BLOCK * 4) as usize;
            self.rest = Cursor(self.material.blocks.get(start..).unwrap_or_default());
            self.next = game / BLOCK * BLOCK;
        }
        let mut bytes = [].as_slice();
        while self.next <= game {
            bytes = self.rest.size().and_then(|size| self.rest.take(size)).unwrap_or_default();
            self.next += 1;
        }
        Timeline { layout: self.material.layout, rest: Cursor(bytes) }
    }
}

/// The changes of one game.
pub struct Timeline<'a> {
    layout: Layout,
    rest: Cursor<'a>,
}

/// A piece more or less, so many plies after the last change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialChange {
    pub plies: u16,
    pub piece: u8,
    pub is_gain: bool,
}

impl Iterator for Timeline<'_> {
    type Item = MaterialChange;

    #[inline(always)]
    fn next(&mut self) -> Option<MaterialChange> {
        let byte = self.rest.byte()?;
        let mut plies = u16::from(byte & self.layout.ply_mask);
        if byte & self.layout.ply_mask == self.layout.ply_mask {
            plies = plies.wrapping_add(self.rest.varint()? as u16);
        }
        let piece = (u32::from(byte) >> self.layout.ply_bits) as u8;
        match usize::from(piece) == self.layout.n_types {
            true => Some(MaterialChange { plies, piece: self.rest.byte()?, is_gain: true }),
            false => Some(MaterialChange { plies, piece, is_gain: false }),
        }
    }
}

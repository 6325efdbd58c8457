//! Builds a segment from games in memory.
//!
//! In: indexed records, in order. Out: one file. Never: more positions than an entry of the exact-position index can
//! number.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::file::{FileVersion, SegmentError, SegmentFileWriter};
use super::meta::MetaBuilder;
use super::notes::NotesBuilder;
use super::section::Section;
use crate::index::exact::{ExactBuilder, ExactBytes, NO_MOVE, PositionSource};
use crate::index::material;
use crate::index::postings::{Posting, StateList, encode};
use crate::index::states::{IndexedGame, StateSpace};
use crate::record::GameRecord;

/// 25 bits, which leave a six-bit fingerprint in an entry of the exact-position index.
pub const MAX_POSITIONS: usize = (1 << 25) - 1;

const MAX_TEXT: usize = 1 << 30;

const MAX_MOVES: usize = NO_MOVE as usize;

/// Moves, metadata and annotations of a segment being built.
#[derive(Default, Debug)]
pub struct GamesBuilder {
    codes: HashMap<u32, u16>,
    dictionary: Vec<u32>,
    moves: Vec<u16>,
    bases: Vec<u32>,
    pub meta: MetaBuilder,
    pub notes: NotesBuilder,
}

impl GamesBuilder {
    pub fn n_games(&self) -> usize {
        self.bases.len()
    }

    pub fn n_positions(&self) -> usize {
        self.moves.len()
    }

    /// Whether a game of so many plies still fits.
    pub fn has_room(&self, n_plies: usize) -> bool {
        self.moves.len() + n_plies < MAX_POSITIONS
            && self.dictionary.len() + n_plies < MAX_MOVES
            && self.meta.n_bytes() < MAX_TEXT
            && self.notes.n_bytes() < MAX_TEXT
    }

    /// Adds a game without its annotations.
    pub fn push(&mut self, record: &GameRecord, key: u64) {
        self.bases.push(self.moves.len() as u32);
        for mv in &record.moves {
            let next = self.dictionary.len() as u16;
            let code = *self.codes.entry(mv.to_bits()).or_insert(next);
            if code == next && usize::from(code) == self.dictionary.len() {
                self.dictionary.push(mv.to_bits());
            }
            self.moves.push(code);
        }
        self.moves.push(NO_MOVE);
        self.meta.push(record, key);
    }
}

pub struct InMemory<'a> {
    pub games: &'a GamesBuilder,
    pub n_sides: usize,
}

impl PositionSource for InMemory<'_> {
    fn game_of(&self, position: u32) -> u32 {
        self.games.bases.partition_point(|base| *base <= position) as u32 - 1
    }

    fn next_move(&self, position: u32) -> u16 {
        self.games.moves[position as usize]
    }

    fn result(&self, game: u32) -> u8 {
        self.games.meta.results()[game as usize]
    }

    fn n_results(&self) -> usize {
        self.n_sides + 2
    }
}

#[derive(Debug)]
pub struct SegmentBuilder {
    space: StateSpace,
    n_sides: usize,
    games: GamesBuilder,
    postings: Vec<(u32, Posting)>,
    keys: Vec<u64>,
}

impl SegmentBuilder {
    pub fn new(space: StateSpace, n_sides: usize) -> SegmentBuilder {
        SegmentBuilder {
            space,
            n_sides,
            games: GamesBuilder::default(),
            postings: Vec::new(),
            keys: Vec::new(),
        }
    }

    pub fn n_games(&self) -> usize {
        self.games.n_games()
    }

    pub fn n_positions(&self) -> usize {
        self.games.n_positions()
    }

    /// Whether a game of so many plies still fits.
    pub fn has_room(&self, n_plies: usize) -> bool {
        self.games.has_room(n_plies)
    }

    pub fn push(&mut self, record: &GameRecord, indexed: &IndexedGame) {
        let game = self.games.n_games() as u32;
        self.games.push(record, indexed.game_key(&record.moves));
        self.games.notes.push(game, &record.annotations);
        self.keys.extend(&indexed.keys);
        let posting = |(state, from, to): &(u32, u16, u16)| (*state, Posting { game, from: *from, to: *to });
        self.postings.extend(indexed.intervals.iter().map(posting));
    }

    /// Writes the segment. Returns the file's length.
    pub fn write(mut self, path: &Path) -> Result<u64, SegmentError> {
        let n_games = self.games.n_games();
        self.postings.par_sort_unstable();
        let by_state: Vec<&[(u32, Posting)]> = self.postings.chunk_by(|a, b| a.0 == b.0).collect();
        let states = by_state.into_par_iter().map(|chunk| {
            let postings: Vec<Posting> = chunk.iter().map(|(_, posting)| *posting).collect();
            (chunk[0].0, encode(&postings, n_games))
        });
        let states = states.collect();
        let mut pairs: Vec<(u64, u32)> = self.keys.iter().copied().zip(0..).collect();
        pairs.par_sort_unstable();
        let mut exact = ExactBuilder::new(pairs.len());
        exact.add(&pairs, &InMemory { games: &self.games, n_sides: self.n_sides });
        write_segment(path, &self.space, &self.games, states, exact.finish())
    }
}

pub fn write_segment(
    path: &Path,
    space: &StateSpace,
    games: &GamesBuilder,
    states: Vec<(u32, Vec<u8>)>,
    exact: ExactBytes,
) -> Result<u64, SegmentError> {
    // Older programs would lose annotations in a merge, so they must not open a segment that has some.
    let version = if games.notes.is_empty() { FileVersion::Games } else { FileVersion::Notes };
    let mut out = SegmentFileWriter::create(path, version)?;
    out.section(Section::Shape, space.shape().as_bytes())?;
    out.section(Section::Bases, &little_endian_u32(&games.bases))?;
    games.meta.write(&mut out)?;
    games.notes.write(&mut out)?;
    out.section(Section::MoveDictionary, &little_endian_u32(&games.dictionary))?;
    let moves: Vec<u8> = games.moves.iter().flat_map(|code| code.to_le_bytes()).collect();
    out.section(Section::Moves, &moves)?;
    let (mut table, mut end) = (Vec::new(), 0u64);
    for (state, bytes) in &states {
        table.extend(state.to_le_bytes());
        table.extend(end.to_le_bytes());
        end += bytes.len() as u64;
    }
    out.section(Section::States, &table)?;
    out.section_of(Section::Postings, states.iter().map(|(_, bytes)| bytes.as_slice()))?;
    let numbers = [u64::from(exact.location_width), exact.n_groups as u64, exact.heap.len() as u64];
    let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    out.section(Section::Exact, &numbers)?;
    out.section(Section::ExactDirectory, &exact.directory)?;
    out.section(Section::ExactEntries, &exact.entries)?;
    out.section(Section::ExactGroups, &exact.groups)?;
    out.section(Section::ExactHeap, &exact.heap)?;
    if let Some(material) = material_of(&states, games, space) {
        out.section(Section::Material, &material)?;
    }
    out.finish()
}

/// Material timelines, where they are short: drops and captures that change hands would make them longer than the lists.
fn material_of(states: &[(u32, Vec<u8>)], games: &GamesBuilder, space: &StateSpace) -> Option<Vec<u8>> {
    if !space.hand_kinds().is_empty() {
        return None;
    }
    let lists: Option<Vec<(u32, StateList)>> =
        states.iter().map(|(state, bytes)| Some((*state, StateList::read(bytes)?))).collect();
    let base = |game: usize| games.bases.get(game).map_or(games.n_positions(), |base| *base as usize);
    material::encode(&lists?, space.n_piece_types(), games.n_games(), &base)
}

fn little_endian_u32(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

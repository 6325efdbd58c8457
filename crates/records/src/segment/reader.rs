//! An open segment: its games, the posting lists of its states, the occurrences of a position.
//!
//! In: a file and the states of its game. Out: records, posting lists, positions. Never: a change.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use ashta_messages::message;
use ashta_position::{CompiledRules, Game, Move};

use super::file::{SegmentError, SegmentFile};
use super::meta::{Column, Meta};
use super::notes;
use super::section::Section;
use crate::annotations::Annotations;
use crate::duplicates::{GameIdentity, game_key};
use crate::index::bits::{Cursor, u32_at, u64_at};
use crate::index::elias_fano::EliasFano;
use crate::index::exact::{Candidate, ExactIndex, NO_MOVE};
use crate::index::material::Material;
use crate::index::postings::StateList;
use crate::index::states::{StateSpace, position_keys};
use crate::record::{GameRecord, GameResult, begin_from_text};

/// Bytes per state in the state table.
const STATE_ENTRY: usize = 12;

#[derive(Debug)]
pub struct Segment {
    file: SegmentFile,
    n_games: usize,
    n_positions: usize,
    dictionary: Vec<u32>,
    exact_numbers: [usize; 3],
    n_results: usize,
    new_dates: OnceLock<Vec<u8>>,
}

/// Whether games begin one after another within the positions, none longer than plies are counted.
fn are_bases(bases: &[u8], n_positions: usize) -> bool {
    let (games, rest) = bases.as_chunks::<4>();
    let ends = games.iter().map(|base| u32::from_le_bytes(*base) as usize).chain([n_positions]);
    rest.is_empty() && ends.is_sorted_by(|one, next| one < next && next - one <= usize::from(u16::MAX) + 1)
}

impl Segment {
    pub fn open(path: &Path, space: &StateSpace, n_sides: usize) -> Result<Segment, SegmentError> {
        let file = SegmentFile::open(path)?;
        let shape = file.section(Section::Shape)?;
        if shape != space.shape().as_bytes() {
            let what = message!(
                "records.other-shape",
                found = String::from_utf8_lossy(shape).into_owned(),
                wanted = space.shape()
            );
            return Err(SegmentError::Damaged { path: path.to_path_buf(), what });
        }
        let bases = file.section(Section::Bases)?;
        let (n_games, n_positions) = (bases.len() / 4, file.section_length(Section::Moves) / 2);
        if !are_bases(bases, n_positions) {
            let what = message!("records.bad-bases");
            return Err(SegmentError::Damaged { path: path.to_path_buf(), what });
        }
        let dictionary = file.section(Section::MoveDictionary)?;
        let dictionary = (0..dictionary.len() / 4).map(|n| u32_at(dictionary, n * 4)).collect();
        file.section(Section::Results)?;
        file.section(Section::States)?;
        let exact = file.section(Section::Exact)?;
        let exact_numbers = [0, 8, 16].map(|at| u64_at(exact, at) as usize);
        let n_results = n_sides + 2;
        Ok(Segment {
            file,
            n_games,
            n_positions,
            dictionary,
            exact_numbers,
            n_results,
            new_dates: OnceLock::new(),
        })
    }

    pub fn file(&self) -> &SegmentFile {
        &self.file
    }

    pub fn n_games(&self) -> usize {
        self.n_games
    }

    pub fn n_positions(&self) -> usize {
        self.n_positions
    }

    pub fn meta(&self) -> Meta<'_> {
        Meta { file: &self.file, n_games: self.n_games, new_dates: &self.new_dates }
    }

    /// The number of a game's first position.
    pub fn base(&self, game: u32) -> usize {
        if (game as usize) < self.n_games {
            u32_at(self.file.unchecked(Section::Bases), game as usize * 4) as usize
        } else {
            self.n_positions
        }
    }

    pub fn game_and_ply(&self, position: u32) -> (u32, u16) {
        let bases = self.file.unchecked(Section::Bases);
        let (mut low, mut high) = (0, self.n_games);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if u32_at(bases, middle * 4) <= position { low = middle } else { high = middle }
        }
        (low as u32, position.saturating_sub(u32_at(bases, low * 4)) as u16)
    }

    pub fn n_plies(&self, game: u32) -> usize {
        (self.base(game + 1) - self.base(game)).saturating_sub(1)
    }

    pub fn result(&self, game: u32) -> GameResult {
        GameResult::from_code(self.file.unchecked(Section::Results).get(game as usize).copied().unwrap_or(0))
    }

    pub fn moves(&self, game: u32) -> Result<impl Iterator<Item = Move> + '_, SegmentError> {
        let range = self.base(game) * 2..self.base(game + 1) * 2;
        let bytes = self.file.part(Section::Moves, range)?;
        let codes = bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        Ok(codes.filter_map(|code| self.move_of(code)))
    }

    /// The codes of the moves of consecutive games, each game closed by [`NO_MOVE`].
    pub fn codes(&self, games: Range<u32>) -> Result<&[[u8; 2]], SegmentError> {
        let range = self.base(games.start) * 2..self.base(games.end) * 2;
        Ok(self.file.part(Section::Moves, range)?.as_chunks().0)
    }

    /// All distinct moves, by their codes.
    pub fn dictionary(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.dictionary.iter().copied().map(Move::from_bits)
    }

    /// The move with a code; `None` for [`NO_MOVE`].
    pub fn move_of(&self, code: u16) -> Option<Move> {
        self.dictionary.get(usize::from(code)).copied().map(Move::from_bits)
    }

    /// The code of the move after a position.
    pub fn next_code(&self, position: u32) -> Result<u16, SegmentError> {
        let at = position as usize * 2;
        let bytes = self.file.part(Section::Moves, at..at + 2)?;
        Ok(bytes.first_chunk().map_or(NO_MOVE, |two| u16::from_le_bytes(*two)))
    }

    /// The keys of all games, by `game_key`; computed from the moves where an earlier version wrote the segment.
    pub fn game_keys(&self, rules: &CompiledRules) -> Result<Vec<u64>, SegmentError> {
        if let Some(bytes) = self.meta().game_keys()? {
            return Ok((0..self.n_games).map(|game| u64_at(bytes, game * 8)).collect());
        }
        let usual = Game::start(rules).key();
        let key = |game: u32| {
            let start = match self.meta().named(Column::Start, game)? {
                None => usual,
                Some(_) => self.begin(rules, game)?.key(),
            };
            Ok(game_key(start, self.moves(game)?))
        };
        (0..self.n_games as u32).map(key).collect()
    }

    /// Players and date, for duplicate detection.
    pub fn identity(&self, game: u32) -> Result<GameIdentity<'_>, SegmentError> {
        let meta = self.meta();
        let mut players = [None; 4];
        for (side, player) in players.iter_mut().enumerate() {
            *player = meta.named(Column::Player(side), game)?;
        }
        Ok(GameIdentity { players, date: meta.date(game)? })
    }

    /// The game at its first position.
    pub fn begin(&self, rules: &CompiledRules, game: u32) -> Result<Game, SegmentError> {
        match self.meta().named(Column::Start, game)? {
            None => Ok(Game::start(rules)),
            Some(text) => {
                begin_from_text(rules, text).map(|(game, _)| game).map_err(|error| SegmentError::Damaged {
                    path: self.file.path().to_path_buf(),
                    what: message!("records.bad-start", game, error),
                })
            }
        }
    }

    pub fn record(&self, game: u32) -> Result<GameRecord, SegmentError> {
        Ok(GameRecord { annotations: self.annotations(game)?, ..self.bare_record(game)? })
    }

    pub fn annotations(&self, game: u32) -> Result<Annotations, SegmentError> {
        notes::read(&self.file, game)
    }

    /// The numbers of the annotated games.
    pub fn annotated(&self) -> Result<impl Iterator<Item = u32> + '_, SegmentError> {
        notes::games(&self.file)
    }

    /// A record without its annotations.
    pub fn bare_record(&self, game: u32) -> Result<GameRecord, SegmentError> {
        let meta = self.meta();
        Ok(GameRecord {
            tags: meta.tags(game)?,
            start: meta.named(Column::Start, game)?.map(str::to_string),
            moves: self.moves(game)?.collect(),
            result: self.result(game),
            ..GameRecord::default()
        })
    }

    /// The numbers of all states that occur.
    pub fn states(&self) -> impl Iterator<Item = u32> + '_ {
        let table = self.file.unchecked(Section::States);
        (0..table.len() / STATE_ENTRY).map(|n| u32_at(table, n * STATE_ENTRY))
    }

    /// The posting list of a state; `None` if it never holds.
    pub fn list(&self, state: u32) -> Result<Option<StateList<'_>>, SegmentError> {
        let table = self.file.unchecked(Section::States);
        let n_states = table.len() / STATE_ENTRY;
        let (mut low, mut high) = (0, n_states);
        while low < high {
            let middle = (low + high) / 2;
            if u32_at(table, middle * STATE_ENTRY) < state { low = middle + 1 } else { high = middle }
        }
        if low == n_states || u32_at(table, low * STATE_ENTRY) != state {
            return Ok(None);
        }
        let begin = u64_at(table, low * STATE_ENTRY + 4) as usize;
        let end = if low + 1 < n_states {
            u64_at(table, (low + 1) * STATE_ENTRY + 4) as usize
        } else {
            self.file.section_length(Section::Postings)
        };
        let bytes = self.file.part(Section::Postings, begin..end.max(begin))?;
        let damaged = || SegmentError::Damaged {
            path: self.file.path().to_path_buf(),
            what: message!("records.bad-postings", state),
        };
        StateList::read(bytes).map(Some).ok_or_else(damaged)
    }

    /// The material timelines; `None` in games with drops and in segments of earlier versions.
    pub fn material(&self) -> Result<Option<Material<'_>>, SegmentError> {
        Ok(Material::read(self.file.section(Section::Material)?, self.n_games))
    }

    pub fn n_results(&self) -> usize {
        self.n_results
    }

    /// The occurrences of the position with this key: the one candidate whose position really has the key.
    pub fn find_key(&self, rules: &CompiledRules, key: u64) -> Result<Option<Candidate<'_>>, SegmentError> {
        let Some(index) = self.exact()? else { return Ok(None) };
        // Lookups read scattered bytes: only the pages they touch are verified.
        self.file.part(Section::ExactDirectory, index.directory_range(key))?;
        self.file.part(Section::ExactEntries, index.entries_range(key))?;
        for candidate in index.candidates(key) {
            let first = match candidate {
                Candidate::Once(position) => Some(position),
                Candidate::Repeated(group) => {
                    self.file.part(Section::ExactHeap, group.heap_range())?;
                    group.first(self.n_results)
                }
            };
            if let Some(first) = first
                && self.key_at(rules, first)? == Some(key)
            {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    fn exact(&self) -> Result<Option<ExactIndex<'_>>, SegmentError> {
        let [location_width, n_groups, heap_length] = self.exact_numbers;
        let groups =
            EliasFano::read(&mut Cursor(self.file.section(Section::ExactGroups)?), heap_length, n_groups);
        let groups = groups.filter(|_| (1..=30).contains(&location_width));
        Ok(groups.map(|groups| ExactIndex {
            directory: self.file.unchecked(Section::ExactDirectory),
            entries: self.file.unchecked(Section::ExactEntries),
            groups,
            heap: self.file.unchecked(Section::ExactHeap),
            location_width: location_width as u32,
        }))
    }

    fn key_at(&self, rules: &CompiledRules, position: u32) -> Result<Option<u64>, SegmentError> {
        if position as usize >= self.n_positions {
            return Ok(None);
        }
        let (game, ply) = self.game_and_ply(position);
        let mut keys = Vec::with_capacity(usize::from(ply) + 1);
        position_keys(&self.begin(rules, game)?, self.moves(game)?.take(usize::from(ply)), &mut keys);
        Ok(keys.last().copied())
    }
}

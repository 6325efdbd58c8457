//! Annotations of a segment's games, in two optional sections.
//!
//! In: annotations. Out: sections of a segment, and a view of them. Never: a byte for a game without annotations.
//!
//! ```text
//! notegame: for each annotated game its number u32 and the end of its notes u32
//! notes:    per game: the number of plies with notes, and for each
//!           plies since the last | flags: 1 comment, 2 glyphs, 4 time, 8 variations | each of them
//!           comment and glyphs: length, bytes; time: milliseconds; variations: their number, each: the number of moves,
//!           the moves as `Move::to_bits`, and its own notes, as those of a game
//! ```
//!
//! Numbers in `notes` are varints.

use ashta_messages::message;
use ashta_position::Move;

use super::file::{SegmentError, SegmentFile, SegmentFileWriter};
use super::section::Section;
use crate::annotations::{Annotations, MAX_NESTING, Note, Variation};
use crate::index::bits::{Cursor, put_varint, u32_at};

/// Bytes of [`Section::AnnotatedGames`] per game.
const ENTRY: usize = 8;

const WORDS: u8 = 1;
const GLYPHS: u8 = 2;
const TIME: u8 = 4;
const VARIATIONS: u8 = 8;

#[derive(Default, Debug)]
pub struct NotesBuilder {
    games: Vec<u8>,
    notes: Vec<u8>,
}

impl NotesBuilder {
    pub fn n_bytes(&self) -> usize {
        self.notes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Games must come in increasing order.
    pub fn push(&mut self, game: u32, annotations: &Annotations) {
        if !annotations.is_empty() {
            put_line(&mut self.notes, annotations);
            self.end_game(game);
        }
    }

    /// Copies the encoded annotations of another segment's game.
    pub fn push_bytes(&mut self, game: u32, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.notes.extend(bytes);
            self.end_game(game);
        }
    }

    fn end_game(&mut self, game: u32) {
        self.games.extend(game.to_le_bytes());
        self.games.extend((self.notes.len() as u32).to_le_bytes());
    }

    pub fn write(&self, out: &mut SegmentFileWriter) -> Result<(), SegmentError> {
        if self.is_empty() {
            return Ok(());
        }
        out.section(Section::AnnotatedGames, &self.games)?;
        out.section(Section::Notes, &self.notes)
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend(bytes);
}

fn put_line(out: &mut Vec<u8>, notes: &Annotations) {
    put_varint(out, notes.len() as u64);
    let mut last = 0;
    for (ply, note) in notes.iter() {
        put_varint(out, (ply - last) as u64);
        last = ply;
        let Note { comment, glyphs, spent_ms, variations } = note;
        let parts = [!comment.is_empty(), !glyphs.is_empty(), spent_ms.is_some(), !variations.is_empty()];
        let flags = [WORDS, GLYPHS, TIME, VARIATIONS].into_iter().zip(parts);
        out.push(flags.filter(|(_, is_there)| *is_there).map(|(flag, _)| flag).sum());
        if !comment.is_empty() {
            put_bytes(out, comment.as_bytes());
        }
        if !glyphs.is_empty() {
            put_bytes(out, glyphs);
        }
        spent_ms.iter().for_each(|spent_ms| put_varint(out, *spent_ms));
        if !variations.is_empty() {
            put_varint(out, variations.len() as u64);
            variations.iter().for_each(|variation| put_variation(out, variation));
        }
    }
}

fn put_variation(out: &mut Vec<u8>, variation: &Variation) {
    put_varint(out, variation.moves.len() as u64);
    variation.moves.iter().for_each(|mv| put_varint(out, u64::from(mv.to_bits())));
    put_line(out, &variation.notes);
}

/// The encoded annotations of a game; empty if it has none.
pub fn bytes_of(file: &SegmentFile, game: u32) -> Result<&[u8], SegmentError> {
    let games = file.section(Section::AnnotatedGames)?;
    let n_games = games.len() / ENTRY;
    let (mut low, mut high) = (0, n_games);
    while low < high {
        let middle = (low + high) / 2;
        if u32_at(games, middle * ENTRY) < game { low = middle + 1 } else { high = middle }
    }
    if low == n_games || u32_at(games, low * ENTRY) != game {
        return Ok(&[]);
    }
    let begin = if low == 0 { 0 } else { u32_at(games, low * ENTRY - 4) as usize };
    let end = u32_at(games, low * ENTRY + 4) as usize;
    file.part(Section::Notes, begin..end.max(begin))
}

/// The numbers of the annotated games.
pub fn games(file: &SegmentFile) -> Result<impl Iterator<Item = u32> + '_, SegmentError> {
    let games = file.section(Section::AnnotatedGames)?;
    Ok((0..games.len() / ENTRY).map(|n| u32_at(games, n * ENTRY)))
}

pub fn read(file: &SegmentFile, game: u32) -> Result<Annotations, SegmentError> {
    let bytes = bytes_of(file, game)?;
    if bytes.is_empty() {
        return Ok(Annotations::default());
    }
    read_line(&mut Cursor(bytes), 0).ok_or_else(|| SegmentError::Damaged {
        path: file.path().to_path_buf(),
        what: message!("records.bad-annotations", game),
    })
}

fn read_line(from: &mut Cursor, depth: usize) -> Option<Annotations> {
    let mut notes = Annotations::default();
    let mut ply = 0usize;
    for _ in 0..from.size()? {
        ply = ply.checked_add(from.size()?)?;
        notes.put(ply, read_note(from, depth)?);
    }
    Some(notes)
}

fn read_note(from: &mut Cursor, depth: usize) -> Option<Note> {
    let mut note = Note::default();
    let flags = from.byte()?;
    if flags & WORDS != 0 {
        let length = from.size()?;
        note.comment = std::str::from_utf8(from.take(length)?).ok()?.to_string();
    }
    if flags & GLYPHS != 0 {
        let length = from.size()?;
        note.glyphs = from.take(length)?.to_vec();
    }
    if flags & TIME != 0 {
        note.spent_ms = Some(from.varint()?);
    }
    if flags & VARIATIONS != 0 {
        if depth >= MAX_NESTING {
            return None;
        }
        for _ in 0..from.size()? {
            note.variations.push(read_variation(from, depth + 1)?);
        }
    }
    Some(note)
}

fn read_variation(from: &mut Cursor, depth: usize) -> Option<Variation> {
    let mut variation = Variation::default();
    for _ in 0..from.size()? {
        variation.moves.push(Move::from_bits(u32::try_from(from.varint()?).ok()?));
    }
    variation.notes = read_line(from, depth)?;
    Some(variation)
}

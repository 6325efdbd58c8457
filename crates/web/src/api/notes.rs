//! What is said beside the moves of a game, as the page and scripts are told it, and as they send it back.

use std::convert::Infallible;

use ashta_position::notation::read_coordinates;
use ashta_position::{Game, Move};
use ashta_records::annotations::{MOST_NESTED, ToldLine, tell};
use ashta_records::{Annotations, GameRecord, Note, Variation};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::standing::WrittenMove;
use crate::failure::Refusal;

/// What is said after so many plies of a line.
#[derive(Clone, Serialize, Deserialize, ToSchema, Default, Debug)]
pub struct NoteBody {
    /// Plies from where the line begins; what is said before its first move is after none.
    pub ply: usize,
    /// Words; they may have several lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What is thought of the move that led here, as PGN numbers it: 1 is `!`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
    /// Time that the move took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// Lines that could have been played from here instead of what was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    pub variations: Vec<VariationBody>,
}

/// A line that was not played.
#[derive(Clone, Serialize, Deserialize, ToSchema, Default, Debug)]
pub struct VariationBody {
    /// Its moves; of what is sent back only `text` is read.
    pub moves: Vec<WrittenMove>,
    /// What is said of it.
    #[serde(default)]
    #[schema(no_recursion)]
    pub notes: Vec<NoteBody>,
}

/// The moves of a record and of its variations, numbered from the start of the game.
pub fn written_line<'r>(record: &'r GameRecord, game: &mut Game) -> ToldLine<'r, WrittenMove> {
    let mut write = |game: &Game, mv| Ok::<_, Infallible>(WrittenMove::of(game, mv, 0));
    let Ok(mut line) = tell(game, &record.moves, &record.annotations, &mut write);
    number(&mut line, 0);
    line
}

fn number(line: &mut ToldLine<WrittenMove>, from: usize) {
    for (n, mv) in line.moves.iter_mut().enumerate() {
        mv.text.ply = (from + n + 1) as u32;
        mv.instead.iter_mut().for_each(|line| number(line, from + n));
    }
    let end = from + line.moves.len();
    line.onward.iter_mut().for_each(|line| number(line, end));
}

/// What is said on a line.
pub fn notes_of(line: &ToldLine<WrittenMove>) -> Vec<NoteBody> {
    let variation = |line: &ToldLine<WrittenMove>| {
        let moves = line.moves.iter().map(|mv| mv.text.clone()).collect();
        VariationBody { moves, notes: notes_of(line) }
    };
    let body = |(ply, note, beside): (usize, Option<&Note>, &[ToldLine<WrittenMove>])| {
        let Note { comment, glyphs, spent_ms, .. } = note.cloned().unwrap_or_default();
        NoteBody { ply, comment, glyphs, spent_ms, variations: beside.iter().map(variation).collect() }
    };
    line.notes().map(body).collect()
}

/// Reads what is said of a line; the game stands where the line begins, and comes back there.
pub fn read_notes(game: &mut Game, moves: &[Move], notes: &[NoteBody]) -> Result<Annotations, Refusal> {
    Reading { depth: 0 }.line(game, moves, notes)
}

struct Reading {
    depth: usize,
}

impl Reading {
    fn line(&self, game: &mut Game, moves: &[Move], notes: &[NoteBody]) -> Result<Annotations, Refusal> {
        if self.depth > MOST_NESTED {
            return Err(Refusal::wrong(format!("variations are nested more than {MOST_NESTED} deep")));
        }
        let mut read = Annotations::default();
        let mut sorted: Vec<&NoteBody> = notes.iter().filter(|note| note.ply <= moves.len()).collect();
        sorted.sort_by_key(|note| note.ply);
        let mut at = 0;
        for note in sorted {
            moves[at..note.ply].iter().for_each(|mv| game.play_unchecked(*mv));
            at = note.ply;
            read.say(at, &note.comment);
            note.glyphs.iter().for_each(|glyph| read.mark(at, *glyph));
            note.spent_ms.iter().for_each(|spent_ms| read.spend(at, *spent_ms));
            for variation in &note.variations {
                let variation = self.variation(game, variation)?;
                read.vary(at, variation);
            }
        }
        (0..at).for_each(|_| _ = game.take_back());
        Ok(read)
    }

    fn variation(&self, game: &mut Game, body: &VariationBody) -> Result<Variation, Refusal> {
        let mut moves = Vec::with_capacity(body.moves.len());
        for written in &body.moves {
            let mv = read_coordinates(game, &written.text)
                .map_err(|error| Refusal::wrong(format!("a variation: {error}")))?;
            moves.push(mv);
            game.play_unchecked(mv);
        }
        moves.iter().for_each(|_| _ = game.take_back());
        if moves.is_empty() {
            return Err(Refusal::wrong("a variation has no moves"));
        }
        let notes = Reading { depth: self.depth + 1 }.line(game, &moves, &body.notes)?;
        Ok(Variation { moves, notes })
    }
}

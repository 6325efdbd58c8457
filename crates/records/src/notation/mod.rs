//! Game-record formats: PGN, USI lines, tables, CSA, KIF, KI2, JKF.
//!
//! In: bytes of a file, or a record. Out: records, or for each bad one the line and the reason; text. Never: an illegal
//! move, a panic, or more memory than one record needs.
//!
//! Reading has two steps, so that the second runs in parallel: [`Splitter`] splits a stream into the texts of single
//! games, and [`parse`] parses one. Comments, glyphs, times and variations are kept; what cannot be parsed of them is
//! kept as text.

mod csa;
mod encoding;
mod glyphs;
mod japanese_start;
mod jkf;
mod kif;
mod kif_headers;
mod moves;
mod pgn;
mod pgn_lexer;
mod record_builder;
mod splitter;
mod tag_names;
mod usi;
mod write;

use std::path::Path;

use ashta_messages::{Message, Tell, message};
use ashta_position::{CompiledRules, Game};
use ashta_rules::{KindId, Side};

use crate::record::{GameRecord, GameResult};

use record_builder::RecordBuilder;

pub use encoding::TextEncoding;
pub use glyphs::{clock_text, glyph_text};
pub use moves::MoveReader;
pub(crate) use pgn::name_in_pgn;
pub use splitter::{RawGame, Splitter};
pub use write::{WriteError, write_record};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    Pgn,
    /// A game per line: `startpos moves 7g7f 3c3d`, `sfen ... moves ...`.
    Usi,
    /// Tab-separated values, with USI moves in the last field.
    Table,
    Csa,
    /// Japanese records with a move per line and its origin.
    Kif,
    /// Japanese records as in books, without origins.
    Ki2,
    Jkf,
}

/// Formats with their names and extensions.
const FORMATS: [(Format, &str, &[&str]); 7] = [
    (Format::Pgn, "pgn", &["pgn"]),
    (Format::Usi, "usi", &["usi", "sfen"]),
    (Format::Table, "tsv", &["tsv"]),
    (Format::Csa, "csa", &["csa", "csa1", "csa2"]),
    (Format::Kif, "kif", &["kif", "kifu"]),
    (Format::Ki2, "ki2", &["ki2", "ki2u"]),
    (Format::Jkf, "jkf", &["jkf", "json"]),
];

impl Format {
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|(format, ..)| *format == self).map_or("", |(_, name, _)| name)
    }

    pub fn named(name: &str) -> Option<Format> {
        FORMATS.iter().find(|(_, known, _)| *known == name).map(|(format, ..)| *format)
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|(_, name, _)| *name)
    }

    pub fn written_names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().filter(|(format, ..)| format.is_written()).map(|(_, name, _)| *name)
    }

    /// Whether records can be written in it.
    pub fn is_written(self) -> bool {
        match self {
            Format::Pgn | Format::Usi | Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf => true,
            Format::Table => false,
        }
    }

    /// The format of a file's extension; `.zst` and `.gz` are ignored.
    pub fn of_path(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".zst").or_else(|| name.strip_suffix(".gz")).unwrap_or(&name);
        let ending = name.rsplit_once('.')?.1;
        FORMATS.iter().find(|(_, _, endings)| endings.contains(&ending)).map(|(format, ..)| *format)
    }

    /// Detects the format of a text.
    ///
    /// ```
    /// use ashta_records::Format;
    ///
    /// assert_eq!(Format::of_text("[Event \"?\"]\n\n1. e4 e5 *\n"), Some(Format::Pgn));
    /// assert_eq!(Format::of_text("V2.2\nPI\n+\n+7776FU\n"), Some(Format::Csa));
    /// ```
    pub fn of_text(text: &str) -> Option<Format> {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        let starts = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        if line.starts_with('[') && line.ends_with(']') && line.contains('"') {
            Some(Format::Pgn)
        } else if starts(&["{", "[{"]) {
            Some(Format::Jkf)
        } else if starts(&["position ", "startpos", "sfen ", "fen "]) {
            Some(Format::Usi)
        } else if starts(&["V2", "V1", "V3", "'", "N+", "N-", "PI", "P1"]) {
            Some(Format::Csa)
        } else if text.contains('▲') || text.contains('△') {
            Some(Format::Ki2)
        } else if text.contains("手数----") || text.contains("手合割") || text.contains("# KIF") {
            Some(Format::Kif)
        } else if line.contains('\t') {
            Some(Format::Table)
        } else {
            None
        }
    }

    /// The game of records that do not name one.
    pub fn default_game(self) -> &'static str {
        match self {
            Format::Pgn => "chess",
            Format::Usi | Format::Table | Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf => "shogi",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("records.at-line")]
pub struct RecordError {
    /// From 1.
    pub line: usize,
    pub what: Message,
}

impl RecordError {
    fn new(line: usize, what: Message) -> RecordError {
        RecordError { line, what }
    }
}

/// Parses the text of one game.
pub fn parse(
    format: Format,
    raw: &RawGame,
    rules: &CompiledRules,
    reader: &mut MoveReader,
) -> Result<GameRecord, RecordError> {
    parse_played(format, raw, rules, reader).map(|(record, _)| record)
}

/// The same, with the game as it stands after the moves of the record.
pub fn parse_played(
    format: Format,
    raw: &RawGame,
    rules: &CompiledRules,
    reader: &mut MoveReader,
) -> Result<(GameRecord, Game), RecordError> {
    if let Some(limit) = raw.limit_passed {
        return Err(RecordError::new(raw.line, message!("records.too-long", limit)));
    }
    let mut parsed = match format {
        Format::Pgn => pgn::parse(raw, rules, reader),
        Format::Usi => usi::parse_line(raw, rules, reader),
        Format::Table => usi::parse_row(raw, rules, reader),
        Format::Csa => csa::parse(raw, rules, reader),
        Format::Kif => kif::parse_kif(raw, rules, reader),
        Format::Ki2 => kif::parse_ki2(raw, rules, reader),
        Format::Jkf => jkf::parse(raw, rules, reader),
    }?;
    parsed.finish();
    parsed.settle_foul(format)?;
    if parsed.record.result == GameResult::Unknown && !parsed.is_diagram() {
        let is_problem = parsed.record.start.is_some()
            && parsed.record.begin(rules).is_ok_and(|start| !every_side_has_royal(&start));
        parsed.record.result =
            if is_problem { result_of_problem(&parsed.game) } else { result_on_board(&parsed.game) };
    }
    Ok((parsed.record, parsed.game))
}

fn every_side_has_royal(game: &Game) -> bool {
    let (rules, board) = (game.rules(), game.setup().board);
    let is_royal_of = |side: u8, (owner, kind): &(Side, KindId)| owner.0 == side && rules.kind(*kind).royal;
    (0..rules.sides().len() as u8).all(|side| board.iter().flatten().any(|piece| is_royal_of(side, piece)))
}

/// The result by the final position, if it decides the game.
fn result_on_board(end: &Game) -> GameResult {
    let won = |winner: Option<Side>| winner.map_or(GameResult::Draw, GameResult::Won);
    end.outcome().map_or(GameResult::Unknown, |outcome| won(outcome.winner))
}

/// The same for a problem: the attacker has no royal piece, and has not lost for that.
fn result_of_problem(end: &Game) -> GameResult {
    if end.is_in_check() && end.legal_moves().is_empty() {
        GameRecord::opponent(end.rules(), end.turn()).map_or(GameResult::Unknown, GameResult::Won)
    } else {
        GameResult::Unknown
    }
}

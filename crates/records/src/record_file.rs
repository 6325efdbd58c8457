//! An open record file: decompressed, decoded, split into games.
//!
//! In: a path or bytes. Out: the texts of its games, one after another. Never: the whole file in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use encoding_rs_io::DecodeReaderBytes;

use crate::limits::{Limits, decompress};
use crate::notation::{Format, Splitter, TextEncoding};

/// Bytes from which the encoding and the format are detected.
const SNIFFED: usize = 1 << 16;

pub struct RecordFile {
    pub format: Format,
    pub games: Splitter<Box<dyn BufRead>>,
}

impl RecordFile {
    /// Opens a file; `None` if its format is not recognised.
    pub fn open(path: &Path, format: Option<Format>, limits: Limits) -> io::Result<Option<RecordFile>> {
        let input = decompress(File::open(path)?, limits)?;
        RecordFile::of_input(input, format.or_else(|| Format::of_path(path)), limits)
    }

    /// Reads from memory; the name helps to detect the format.
    pub fn of_bytes(name: &str, bytes: Vec<u8>, limits: Limits) -> io::Result<Option<RecordFile>> {
        RecordFile::of_input(Box::new(Cursor::new(bytes)), Format::of_path(Path::new(name)), limits)
    }

    /// The game named in the first record, if the library has it; else the usual one of the format.
    pub fn default_game(mut self) -> String {
        let named = self.games.next().and_then(Result::ok).and_then(|raw| raw.game_named(self.format));
        let known = named.and_then(|name| match ashta_rules::load(&name) {
            Ok(_) => Some(name),
            Err(_) => ashta_rules::game_of_pgn_variant(&name).map(str::to_string),
        });
        known.unwrap_or_else(|| self.format.default_game().to_string())
    }

    fn of_input(
        mut input: Box<dyn BufRead>,
        said: Option<Format>,
        limits: Limits,
    ) -> io::Result<Option<RecordFile>> {
        let mut start = Vec::new();
        input.by_ref().take(SNIFFED as u64).read_to_end(&mut start)?;
        if start.starts_with(&[0xFF, 0xFE]) || start.starts_with(&[0xFE, 0xFF]) {
            // UTF-16 with a BOM: it must be decoded before it can be split into lines.
            let whole = DecodeReaderBytes::new(Cursor::new(start).chain(input));
            return RecordFile::of_input(Box::new(BufReader::with_capacity(SNIFFED, whole)), said, limits);
        }
        let encoding = TextEncoding::guess(&start, said);
        let mut text = String::new();
        encoding.decode_into(&start, &mut text);
        let Some(format) = said.or_else(|| Format::of_text(&text)) else { return Ok(None) };
        let whole: Box<dyn BufRead> = Box::new(Cursor::new(start).chain(input));
        let games = Splitter::new(whole, format, encoding).with_limit(limits.record_bytes);
        Ok(Some(RecordFile { format, games }))
    }
}

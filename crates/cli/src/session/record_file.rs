//! Saving and loading of game records.

use std::fs;
use std::path::Path;

use ashta_messages::{Message, Tell, message};
use ashta_position::CompiledRules;
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Format, GameRecord, write_record};

use ashta_records::write_atomic;

/// Writes a record; the extension decides the format.
pub fn save(path: &Path, record: &GameRecord, rules: &CompiledRules) -> Result<(), Message> {
    let format = record_format(path)?;
    let mut text = String::new();
    write_record(format, record, rules, &mut text).map_err(|error| error.message())?;
    write_atomic(path, text).map_err(|error| message!("cli.cannot-write", path, error))
}

/// Reads the first game of a file.
pub fn load(path: &Path, rules: &CompiledRules) -> Result<GameRecord, Message> {
    let format = record_format(path)?;
    let bytes = fs::read(path).map_err(|error| message!("cli.cannot-read", path, error))?;
    let encoding = TextEncoding::guess(&bytes, Some(format));
    let mut games = Splitter::new(bytes.as_slice(), format, encoding);
    let raw = games.next().ok_or_else(|| message!("cli.no-game-in-file", path))?;
    let raw = raw.map_err(|error| message!("cli.cannot-read", path, error = error.to_string()))?;
    let record = parse(format, &raw, rules, &mut MoveReader::new(rules.rules()));
    let record = record.map_err(|error| {
        message!("cli.record-line", path, line = error.line, what = error.what.to_string())
    })?;
    match record.lack(rules) {
        Some(why) => Err(message!("cli.record-unplayable", path, why = why.to_string())),
        None => Ok(record),
    }
}

fn record_format(path: &Path) -> Result<Format, Message> {
    Format::of_path(path).ok_or_else(|| {
        let formats = Format::written_names().collect::<Vec<_>>().join(", .");
        message!("cli.record-format", path, formats)
    })
}

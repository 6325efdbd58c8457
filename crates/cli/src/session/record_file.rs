//! Saving and loading of game records.

use std::fs;
use std::path::Path;

use ashta_position::CompiledRules;
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Format, GameRecord, write_record};

use ashta_records::write_atomic;

/// Writes a record; the extension decides the format.
pub fn save(path: &Path, record: &GameRecord, rules: &CompiledRules) -> Result<(), String> {
    let format = record_format(path)?;
    let mut text = String::new();
    write_record(format, record, rules, &mut text).map_err(|error| error.to_string())?;
    write_atomic(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Reads the first game of a file.
pub fn load(path: &Path, rules: &CompiledRules) -> Result<GameRecord, String> {
    let format = record_format(path)?;
    let bytes = fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let encoding = TextEncoding::guess(&bytes, Some(format));
    let mut games = Splitter::new(bytes.as_slice(), format, encoding);
    let raw = games.next().ok_or_else(|| format!("there is no game in {}", path.display()))?;
    let raw = raw.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let record = parse(format, &raw, rules, &mut MoveReader::new(rules.rules()));
    let record =
        record.map_err(|error| format!("{}, line {}: {}", path.display(), error.line, error.what))?;
    match record.lack(rules) {
        Some(lack) => Err(format!("nobody can play on from the position of {}: {lack}", path.display())),
        None => Ok(record),
    }
}

fn record_format(path: &Path) -> Result<Format, String> {
    Format::of_path(path).ok_or_else(|| {
        format!(
            "cannot tell the form of {}: a name ending in .{} is wanted",
            path.display(),
            Format::written_names().collect::<Vec<_>>().join(", .")
        )
    })
}

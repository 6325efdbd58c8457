//! Repairs a damaged book: every intact line is kept.
//!
//! In: a file, and what its damaged header no longer says. Out: an intact file, a backup of the damaged one, and a list
//! of what was lost. Never: a lost file; a guessed line.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ashta_messages::{Message, Tell, message};
use ashta_position::CompiledRules;
use ashta_records::write_atomic;

use super::book::{Book, Edit, Import};
use super::checksummed_lines::{Version, first_line, verified, version_of, with_checksums};
use super::edit_history::{History, HistoryEntry, entry_text, head_text};
use super::journal::{lock, sync_folder_of};
use super::journal_reader::{JournalError, JournalHeader, JournalReader, OnDamage};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepairReport {
    /// Lost lines with their reasons, in order.
    pub lost: Vec<(usize, Message)>,
    /// The backup of the damaged file; `None` if there was no damage.
    pub damaged: Option<PathBuf>,
}

/// The game named in a damaged book, if that line is intact.
pub fn game_of_damaged(path: &Path) -> Result<Option<String>, JournalError> {
    let bytes = fs::read(path).map_err(|error| JournalError::File { path: path.into(), error })?;
    Ok(head_of(path, &bytes)?.game.map(str::to_string))
}

/// Repairs a book. `game` names the game of the rules; `start` is where the book starts, if its file no longer says so.
pub fn repair(
    path: &Path,
    rules: &CompiledRules,
    game: &str,
    start: Option<&str>,
) -> Result<RepairReport, JournalError> {
    let failed = |error| JournalError::File { path: path.into(), error };
    let mut file = lock(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let mut head = head_of(path, &bytes)?;
    let mut lost = lost_of_head(path, &mut head, start)?;
    let start = head.start.map(str::to_string);
    let empty = head.empty_book(path, rules)?;
    let mut reading = JournalReader::new(path, head, &empty, OnDamage::Note(Vec::new()));
    let mut history = reading.history()?;
    if let OnDamage::Note(more) = reading.on_damage {
        lost.extend(more);
    }
    let root = empty.root();
    leave_out_impossible(&mut history, empty, &mut lost);
    if lost.is_empty() {
        return Ok(RepairReport::default());
    }
    lost.sort_by_key(|(line, _)| *line);
    let mut text = head_text(game, start.as_deref());
    history.done.iter().for_each(|kept| text += &entry_text(&root, &kept.edit));
    // Undone edits are done and undone once more, so that redo finds them in order.
    history.undone.iter().rev().for_each(|kept| text += &entry_text(&root, &kept.edit));
    text += &"undo\n".repeat(history.undone.len());
    let damaged = keep_beside(path).map_err(failed)?;
    write_atomic(path, first_line() + &with_checksums(&text)).map_err(failed)?;
    Ok(RepairReport { lost, damaged: Some(damaged) })
}

/// The header of a file whose first line may be damaged: the format is detected from the rest.
fn head_of<'t>(path: &Path, bytes: &'t [u8]) -> Result<JournalHeader<'t>, JournalError> {
    let is_sealed = || bytes.split(|byte| *byte == b'\n').skip(1).any(|line| verified(line).is_some());
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match version_of(first) {
        Err(_) if is_sealed() => Ok(JournalHeader::of_version(Version::Checksummed, bytes)),
        _ => JournalHeader::read(path, bytes),
    }
}

/// Damage in the header; `start` is used if its line is lost.
fn lost_of_head<'t>(
    path: &Path,
    head: &mut JournalHeader<'t>,
    start: Option<&'t str>,
) -> Result<Vec<(usize, Message)>, JournalError> {
    let mut lost = Vec::new();
    let first = head.lines.first().map_or(&[][..], |line| line.raw);
    if version_of(first).is_err() {
        lost.push((1, message!("study.book-first-line")));
    }
    if head.game.is_none() {
        lost.push((2, message!("study.book-no-game")));
    }
    let Some(third) = head.lines.get(2).filter(|line| line.text.is_none()) else { return Ok(lost) };
    if start.is_some() {
        (head.start, head.n_lines) = (start, 3);
        lost.push((3, message!("study.book-no-start")));
    } else if third.raw.windows(6).take(20).any(|words| words == b"start ") {
        let what = message!("study.book-damaged-start");
        return Err(JournalError::Line { path: path.into(), line: 3, what });
    }
    Ok(lost)
}

/// Edits that depend on lost ones become empty imports, so that `undo` still counts them.
fn leave_out_impossible(history: &mut History, empty: Book, lost: &mut Vec<(usize, Message)>) {
    let mut book = empty;
    for kept in &mut history.done {
        if let Err(error) = book.apply(&kept.edit) {
            lost.push((kept.line, error.message()));
            let source = format!("line {} was lost", kept.line);
            *kept =
                HistoryEntry { line: kept.line, edit: Edit::Import(Import { source, steps: Vec::new() }) };
        }
    }
}

/// Makes a backup under an unused name; the lock excludes races.
fn keep_beside(path: &Path) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".damaged-{number}"));
        let beside = PathBuf::from(name);
        if beside.exists() {
            number += 1;
            continue;
        }
        // Not every file system has hard links.
        fs::hard_link(path, &beside).or_else(|_| fs::copy(path, &beside).map(|_| ()))?;
        return sync_folder_of(path).map(|()| beside);
    }
}

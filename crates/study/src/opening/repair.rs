//! A damaged book, mended: every line that is whole is kept.
//!
//! In: a file, and what its damaged head no longer says. Out: a whole file, the damaged one beside it, and what was lost.
//! Never: a file that is gone; a line that was guessed.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ashta_position::CompiledRules;
use ashta_records::write_atomic;

use super::book::{Book, Edit, Import};
use super::entries::{History, Kept, entry_text, head_text};
use super::journal::{JournalError, lock, sync_folder_of};
use super::lines::{Version, first_line, sealed, unsealed, version_of};
use super::reading::{Head, OnDamage, Reading};

/// What came of mending a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepairReport {
    /// Lines that were lost, each with the reason, in their order.
    pub lost: Vec<(usize, String)>,
    /// Where the damaged file is now; nothing if there was nothing to mend.
    pub damaged: Option<PathBuf>,
}

/// The game that a damaged book names, if that line is whole.
pub fn game_of_damaged(path: &Path) -> Result<Option<String>, JournalError> {
    let bytes = fs::read(path).map_err(|error| JournalError::File { path: path.into(), error })?;
    Ok(head_of(path, &bytes)?.game.map(str::to_string))
}

/// Mends a book. `game` names the game of the rules; `start` is where the book starts, if its file no longer says so.
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
    let mut reading = Reading::new(path, head, &empty, OnDamage::Note(Vec::new()));
    let mut history = reading.history()?;
    if let OnDamage::Note(more) = reading.on_damage {
        lost.extend(more);
    }
    let root = empty.root();
    leave_out_impossible(&mut history, empty, &mut lost);
    if lost.is_empty() {
        return Ok(RepairReport::default());
    }
    lost.sort();
    let mut text = head_text(game, start.as_deref());
    history.done.iter().for_each(|kept| text += &entry_text(&root, &kept.edit));
    // What was taken back is done once more and taken back again: the next to be made again is the last of them.
    history.undone.iter().rev().for_each(|kept| text += &entry_text(&root, &kept.edit));
    text += &"undo\n".repeat(history.undone.len());
    let damaged = keep_beside(path).map_err(failed)?;
    write_atomic(path, first_line() + &sealed(&text)).map_err(failed)?;
    Ok(RepairReport { lost, damaged: Some(damaged) })
}

/// The head of a file whose first line may be damaged: what follows tells how it is written.
fn head_of<'t>(path: &Path, bytes: &'t [u8]) -> Result<Head<'t>, JournalError> {
    let is_sealed = || bytes.split(|byte| *byte == b'\n').skip(1).any(|line| unsealed(line).is_some());
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match version_of(first) {
        Err(_) if is_sealed() => Ok(Head::of_version(Version::Sealed, bytes)),
        _ => Head::read(path, bytes),
    }
}

/// What is damaged before the edits; where the book starts is taken from `start` if its line is lost.
fn lost_of_head<'t>(
    path: &Path,
    head: &mut Head<'t>,
    start: Option<&'t str>,
) -> Result<Vec<(usize, String)>, JournalError> {
    let mut lost = Vec::new();
    let first = head.lines.first().map_or(&[][..], |line| line.raw);
    if version_of(first).is_err() {
        lost.push((1, "it is not the first line of a book".to_string()));
    }
    if head.game.is_none() {
        lost.push((2, "it does not name the game".to_string()));
    }
    let Some(third) = head.lines.get(2).filter(|line| line.text.is_none()) else { return Ok(lost) };
    if start.is_some() {
        (head.start, head.n_lines) = (start, 3);
        lost.push((3, "it does not say where the book starts".to_string()));
    } else if third.raw.windows(6).take(20).any(|words| words == b"start ") {
        let what = "it says where the book starts, and is damaged".to_string();
        return Err(JournalError::Line { path: path.into(), line: 3, what });
    }
    Ok(lost)
}

/// Edits that need what was lost become imports of nothing, so that `undo` still counts them.
fn leave_out_impossible(history: &mut History, empty: Book, lost: &mut Vec<(usize, String)>) {
    let mut book = empty;
    for kept in &mut history.done {
        if let Err(error) = book.apply(&kept.edit) {
            lost.push((kept.line, error.to_string()));
            let source = format!("line {} was lost", kept.line);
            *kept = Kept { line: kept.line, edit: Edit::Import(Import { source, steps: Vec::new() }) };
        }
    }
}

/// Gives the file a second name, which nothing has yet; nobody else does so, as the file is locked.
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
        // Not every file system has second names.
        fs::hard_link(path, &beside).or_else(|_| fs::copy(path, &beside).map(|_| ()))?;
        return sync_folder_of(path).map(|()| beside);
    }
}

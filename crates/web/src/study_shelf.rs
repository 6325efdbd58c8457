//! Endings and books that are open: each table is read once, each book has one writer at a time.
//!
//! In: names and rules. Out: tables that are ready, a book under its lock. Never: two writers of one book; a book in memory
//! that is not what the file says.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ashta_position::CompiledRules;
use ashta_study::ending::{Endings, Material};
use ashta_study::opening::{Journal, JournalError, game_of};

use crate::data_folder::Name;
use crate::failure::Refusal;
use crate::laboratory::Laboratory;
use crate::study_json::{self, EndingJson};

/// Endings that are kept in memory: the largest have some twenty million bytes.
const MOST_ENDINGS: usize = 6;
/// Books that are kept in memory.
const MOST_BOOKS: usize = 32;

/// Endings and books that are open.
#[derive(Debug, Default)]
pub struct StudyShelf {
    /// By digest of the rules and material, the last used last.
    endings: Mutex<Vec<(u64, Material, Arc<ReadyEnding>)>>,
    books: Mutex<HashMap<Name, Slot>>,
}

/// Tables of a material, and what is told of the whole: to count millions takes a second.
#[derive(Debug)]
pub struct ReadyEnding {
    /// The tables.
    pub endings: Endings,
    told: OnceLock<Option<EndingJson>>,
}

impl ReadyEnding {
    /// What is told of the whole, counted once.
    pub fn told(&self, material: &Material) -> Option<EndingJson> {
        let count = || self.endings.table(material).map(|table| study_json::ending(&self.endings, table));
        self.told.get_or_init(count).clone()
    }
}

/// A book that is open, or was.
type Slot = Arc<Mutex<Option<Journal>>>;

impl StudyShelf {
    /// Tables of a material that are ready.
    pub fn endings(&self, rules: &CompiledRules, material: &Material) -> Option<Arc<ReadyEnding>> {
        let mut shelf = self.endings.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = rules.rules().digest();
        let place = shelf.iter().position(|(known, of, _)| *known == digest && of == material)?;
        let found = shelf.remove(place);
        let endings = found.2.clone();
        shelf.push(found);
        Some(endings)
    }

    /// Keeps tables that are ready; the ones that were not used for longest go.
    pub fn keep_endings(&self, material: &Material, endings: Endings) -> Arc<ReadyEnding> {
        let digest = endings.rules().rules().digest();
        let endings = Arc::new(ReadyEnding { endings, told: OnceLock::new() });
        let mut shelf = self.endings.lock().unwrap_or_else(PoisonError::into_inner);
        if shelf.len() >= MOST_ENDINGS {
            shelf.remove(0);
        }
        shelf.push((digest, material.clone(), endings.clone()));
        endings
    }

    /// Does something with a book, alone: whoever else wants it waits.
    pub fn with_book<T>(
        &self,
        laboratory: &Laboratory,
        name: &Name,
        work: impl FnOnce(&mut Journal) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let slot = self.slot(name);
        let mut open = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let path = book_path(laboratory, name);
        if !path.exists() {
            return Err(no_book(name));
        }
        // The terminal may have written to it since, or have put a book of another game in its place.
        let current = open.take().and_then(|mut journal| journal.refresh().is_ok().then_some(journal));
        let mut journal = match current {
            Some(journal) => journal,
            None => read_book(laboratory, &path)?,
        };
        // What fails half-way is read anew next time: the file is what counts.
        let done = work(&mut journal)?;
        *open = Some(journal);
        Ok(done)
    }

    /// Does something with the file of a book while nobody has it open.
    pub fn with_closed_book<T>(&self, name: &Name, work: impl FnOnce() -> T) -> T {
        let slot = self.slot(name);
        let mut open = slot.lock().unwrap_or_else(PoisonError::into_inner);
        *open = None;
        work()
    }

    fn slot(&self, name: &Name) -> Slot {
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        if books.len() >= MOST_BOOKS {
            // A slot that somebody holds stays: two of one name would let two write.
            books.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        books.entry(name.clone()).or_default().clone()
    }
}

/// The file of a book.
pub fn book_path(laboratory: &Laboratory, name: &Name) -> PathBuf {
    laboratory.folder.books().join(format!("{name}.book"))
}

/// What to say of a name that no book has.
fn no_book(name: &Name) -> Refusal {
    Refusal::missing(format!("there is no book named `{name}`"))
        .hint("Study lists them, as GET /api/books does")
}

fn read_book(laboratory: &Laboratory, path: &Path) -> Result<Journal, Refusal> {
    let game = game_of(path).map_err(journal_refusal)?;
    Journal::open(path, &laboratory.rules(&game)?).map_err(journal_refusal)
}

/// What to say of a book that does not do as it is told.
pub fn journal_refusal(error: JournalError) -> Refusal {
    // Where the folder is, is nobody's business who asks from elsewhere.
    match &error {
        JournalError::File { error, .. } => {
            Refusal::of_io(format!("the book cannot be used: {error}"), error)
        }
        JournalError::NotABook { .. } => Refusal::conflict("the file of the book is not an opening book"),
        JournalError::Format { found, .. } => {
            Refusal::conflict(format!("the book has format {found}, which this program does not read"))
                .hint("a later program wrote it")
        }
        JournalError::Line { line, what, .. } => {
            Refusal::conflict(format!("line {line} of the book: {what}"))
                .hint("`ashta opening FILE repair` keeps every whole line, and the damaged file beside it")
        }
        JournalError::Edit(error) => Refusal::wrong(error.to_string()),
        JournalError::Nothing(_) => Refusal::conflict(error.to_string()),
    }
}

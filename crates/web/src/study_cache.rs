//! The cache of endgame tables and opening books: each table is read once, each book has one writer at a time.
//!
//! In: names and rules. Out: loaded tables, a locked book. Never: two writers of one book; a book in memory that differs from
//! its file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ashta_messages::message;
use ashta_position::CompiledRules;
use ashta_study::ending::{EndingMaterial, Endings};
use ashta_study::opening::{Journal, JournalError, game_of};

use crate::api_error::ApiError;
use crate::data_folder::Name;
use crate::library::Library;
use crate::study_json::{self, EndingJson};

/// The largest have some 20 MB.
const MAX_ENDINGS: usize = 6;
const MAX_BOOKS: usize = 32;

#[derive(Debug, Default)]
pub struct StudyCache {
    /// By digest of the rules and material; least recently used first.
    endings: Mutex<Vec<(u64, EndingMaterial, Arc<ReadyEnding>)>>,
    books: Mutex<HashMap<Name, Slot>>,
}

/// The tables of a material; their summary is cached, for counting millions of positions takes a second.
#[derive(Debug)]
pub struct ReadyEnding {
    pub endings: Endings,
    summary: OnceLock<Option<EndingJson>>,
}

impl ReadyEnding {
    pub fn summary(&self, material: &EndingMaterial) -> Option<EndingJson> {
        let count = || self.endings.table(material).map(|table| study_json::ending(&self.endings, table));
        self.summary.get_or_init(count).clone()
    }
}

/// A book; `None` while it is closed.
type Slot = Arc<Mutex<Option<Journal>>>;

impl StudyCache {
    pub fn endings(&self, rules: &CompiledRules, material: &EndingMaterial) -> Option<Arc<ReadyEnding>> {
        let mut cached = self.endings.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = rules.rules().digest();
        let place = cached.iter().position(|(known, of, _)| *known == digest && of == material)?;
        let found = cached.remove(place);
        let endings = found.2.clone();
        cached.push(found);
        Some(endings)
    }

    /// Caches tables; evicts the least recently used.
    pub fn keep_endings(&self, material: &EndingMaterial, endings: Endings) -> Arc<ReadyEnding> {
        let digest = endings.rules().rules().digest();
        let endings = Arc::new(ReadyEnding { endings, summary: OnceLock::new() });
        let mut cached = self.endings.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.len() >= MAX_ENDINGS {
            cached.remove(0);
        }
        cached.push((digest, material.clone(), endings.clone()));
        endings
    }

    /// Runs `work` on a book under its lock.
    pub fn with_book<T>(
        &self,
        library: &Library,
        name: &Name,
        work: impl FnOnce(&mut Journal) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let slot = self.slot(name);
        let mut open = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let path = book_path(library, name);
        if !path.exists() {
            return Err(no_book(name));
        }
        // The command line may have edited or replaced the file.
        let current = open.take().and_then(|mut journal| journal.refresh().is_ok().then_some(journal));
        let mut journal = match current {
            Some(journal) => journal,
            None => read_book(library, &path)?,
        };
        // After a failure the book is read again: the file is authoritative.
        let done = work(&mut journal)?;
        *open = Some(journal);
        Ok(done)
    }

    /// Runs `work` on the file of a book while the book is closed.
    pub fn with_closed_book<T>(&self, name: &Name, work: impl FnOnce() -> T) -> T {
        let slot = self.slot(name);
        let mut open = slot.lock().unwrap_or_else(PoisonError::into_inner);
        *open = None;
        work()
    }

    fn slot(&self, name: &Name) -> Slot {
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        if books.len() >= MAX_BOOKS {
            // A slot in use stays: a second one for the same name would allow two writers.
            books.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        books.entry(name.clone()).or_default().clone()
    }
}

pub fn book_path(library: &Library, name: &Name) -> PathBuf {
    library.folder.books().join(format!("{name}.book"))
}

fn no_book(name: &Name) -> ApiError {
    ApiError::not_found(message!("web.no-book", name)).hint(message!("web.no-book.hint"))
}

fn read_book(library: &Library, path: &Path) -> Result<Journal, ApiError> {
    let game = game_of(path).map_err(journal_error)?;
    Journal::open(path, &library.rules(&game)?).map_err(journal_error)
}

pub fn journal_error(error: JournalError) -> ApiError {
    // Without the path: clients on other machines must not learn it.
    match &error {
        JournalError::File { error, .. } => ApiError::from_io(message!("web.book-unusable", error), error),
        JournalError::NotABook { .. } => ApiError::conflict(message!("web.not-a-book")),
        JournalError::Format { found, .. } => {
            ApiError::conflict(message!("web.book-version", found)).hint(message!("web.book-version.hint"))
        }
        JournalError::Line { line, what, .. } => {
            ApiError::conflict(message!("web.book-line", line, what)).hint(message!("web.book-line.hint"))
        }
        JournalError::Edit(error) => ApiError::bad_request(error),
        JournalError::NothingToUndo | JournalError::NothingToRedo => ApiError::conflict(error),
    }
}

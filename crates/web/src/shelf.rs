//! Collections of records that are open, and who may search and import at once.
//!
//! In: the name of a collection. Out: the collection as the disk has it now. Never: more searches at once than there are
//! processors, nor one that goes on for long.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use ashta_records::segment::SegmentError;
use ashta_records::{Collection, CollectionError, Manifest, QueryRunError};
use tokio::sync::{Semaphore, watch};

use crate::data_folder::Name;
use crate::failure::Refusal;
use crate::laboratory::{Laboratory, StopWhenDropped};

/// Collections that are kept open; the shelf is emptied when it is full.
const MOST_OPEN: usize = 64;
/// Longest search.
const LONGEST: Duration = Duration::from_secs(10);
/// Imports that are watched or under way; those that nobody watches are forgotten beyond.
const MOST_IMPORTS: usize = 256;

/// Collections that are open.
#[derive(Debug)]
pub struct Shelf {
    open: Mutex<HashMap<Name, Arc<Opened>>>,
    searchers: Arc<Semaphore>,
    /// One search for shapes that may stand anywhere at a time: it may take seconds, and others would wait behind it.
    shape_searchers: Arc<Semaphore>,
    /// Two files at a time go into collections: each takes every core while it is read.
    pub importers: Arc<Semaphore>,
    /// Four files at a time are written for somebody; whoever reads slowly does not keep imports waiting.
    pub exporters: Arc<Semaphore>,
    /// One survey at a time: it takes every core and some memory.
    pub surveyors: Arc<Semaphore>,
    imports: Mutex<HashMap<Name, watch::Sender<ImportProgress>>>,
    /// Sample collections that are being played.
    pub playing: Mutex<Vec<SamplePlay>>,
    /// Held while kept queries are changed.
    pub queries: Mutex<()>,
}

/// A collection that is open.
#[derive(Debug)]
pub struct Opened {
    /// The collection.
    pub collection: Collection,
    /// Its survey as JSON, once somebody asked for it.
    pub survey: OnceLock<Arc<str>>,
}

/// A sample collection that is being played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SamplePlay {
    /// What it will be called.
    pub name: Name,
    /// The game.
    pub game: String,
    /// Games played.
    pub n_done: usize,
    /// Games to play.
    pub n_games: usize,
}

/// How far an import is.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct ImportProgress {
    /// What is done now.
    pub stage: ImportStage,
    /// The file.
    pub file: String,
    /// Bytes that have come.
    pub bytes: u64,
    /// Bytes that will come, if that was said.
    pub of_bytes: Option<u64>,
    /// Games that went in.
    pub added: usize,
    /// Games that were there already.
    pub known: usize,
    /// Records that were refused.
    pub refused: usize,
}

/// What an import does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportStage {
    /// Nothing is being imported.
    #[default]
    Idle,
    /// Waits until others are done.
    Waiting,
    /// The file is on its way.
    Receiving,
    /// Records are read.
    Reading,
    /// Files are put together, so that searches are quick.
    Merging,
}

impl Shelf {
    /// Nothing is open yet; as many search at once as are said.
    pub fn new(n_searchers: usize) -> Shelf {
        Shelf {
            open: Mutex::default(),
            searchers: Arc::new(Semaphore::new(n_searchers.max(2))),
            shape_searchers: Arc::new(Semaphore::new(1)),
            importers: Arc::new(Semaphore::new(2)),
            exporters: Arc::new(Semaphore::new(4)),
            surveyors: Arc::new(Semaphore::new(1)),
            imports: Mutex::default(),
            playing: Mutex::default(),
            queries: Mutex::default(),
        }
    }

    /// Where the progress of imports into a collection is told.
    pub fn imports(&self, name: &Name) -> watch::Sender<ImportProgress> {
        let mut imports = self.imports.lock().unwrap_or_else(PoisonError::into_inner);
        if imports.len() >= MOST_IMPORTS {
            imports.retain(|_, told| told.receiver_count() > 0 || told.borrow().stage != ImportStage::Idle);
        }
        imports.entry(name.clone()).or_default().clone()
    }

    /// Forgets a collection.
    pub fn forget(&self, name: &Name) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }
}

impl Laboratory {
    /// A collection as it is on the disk now; one that is open and has not changed is given again.
    pub fn collection(&self, name: &Name) -> Result<Arc<Opened>, Refusal> {
        let folder = self.folder.collections().join(name.as_str());
        let manifest = Manifest::read(&folder).map_err(|error| collection_refusal(name, &error))?;
        let rules = self.rules(&manifest.game)?;
        let shelf = &self.shelf.open;
        let known = shelf.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let is_same = |opened: &Arc<Opened>| {
            *opened.collection.manifest() == manifest
                && Arc::ptr_eq(opened.collection.rules().rules(), rules.rules())
        };
        if let Some(opened) = known.filter(is_same) {
            return Ok(opened);
        }
        let collection =
            Collection::open(&folder, &rules).map_err(|error| collection_refusal(name, &error))?;
        let opened = Arc::new(Opened { collection, survey: OnceLock::new() });
        let mut open = shelf.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        open.insert(name.clone(), opened.clone());
        Ok(opened)
    }

    /// Answers a query on a thread; one for shapes that may stand anywhere waits for others of its sort.
    pub async fn search_for<T: Send + 'static>(
        self: &Arc<Laboratory>,
        name: &str,
        query: &str,
        work: impl FnOnce(&Opened, &AtomicBool) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        if !query.contains("anywhere") {
            return self.search(name, work).await;
        }
        let closing = |_| Refusal::unable("the laboratory is closing");
        let free = self.shelf.shape_searchers.clone().acquire_owned();
        let busy = |_| {
            let refusal = Refusal::conflict("too many search for shapes that may stand anywhere");
            refusal.hint("ask again in a moment")
        };
        let permit = tokio::time::timeout(LONGEST, free).await.map_err(busy)?.map_err(closing)?;
        let work = move |opened: &Opened, stop: &AtomicBool| {
            let _searching = permit;
            work(opened, stop)
        };
        self.search(name, work).await
    }

    /// Searches a collection on a thread, when one is free; a search that takes too long is stopped.
    pub async fn search<T: Send + 'static>(
        self: &Arc<Laboratory>,
        name: &str,
        work: impl FnOnce(&Opened, &AtomicBool) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let name = Name::read(name)?;
        let closing = |_| Refusal::unable("the laboratory is closing");
        let permit = self.shelf.searchers.clone().acquire_owned().await.map_err(closing)?;
        let stop = Arc::new(AtomicBool::new(false));
        let _left = StopWhenDropped(stop.clone());
        let laboratory = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            // The thread is taken until the work has ended, whoever waits for it.
            let _searching = permit;
            work(&*laboratory.collection(&name)?, &stop)
        });
        match tokio::time::timeout(LONGEST, done).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(Refusal::unable("this request met a mistake of the program")
                .hint("other requests go on; please report what you asked for")),
            Err(_) => {
                let what =
                    format!("the search took longer than {} seconds and was stopped", LONGEST.as_secs());
                Err(Refusal::wrong(what).hint(
                    "ask for less: more pieces, fewer shapes that may stand anywhere, or conditions on games",
                ))
            }
        }
    }
}

/// What to say of a collection that cannot be used.
pub fn collection_refusal(name: &Name, error: &CollectionError) -> Refusal {
    match error {
        CollectionError::None { .. } => Refusal::missing(format!("no collection is named `{name}`"))
            .hint("Records lists them, as GET /api/collections does"),
        CollectionError::NotACollection { .. } => {
            Refusal::conflict(format!("`{name}` is a folder of other files, not a collection"))
                .hint("choose another name")
        }
        CollectionError::InUse { .. } => Refusal::conflict(format!("games are being added to `{name}`"))
            .hint("wait until that is done; searching works meanwhile"),
        CollectionError::AnotherGame { found, wanted, .. } => {
            Refusal::conflict(format!("`{name}` holds games of {found}, not of {wanted}"))
                .hint("a collection holds one game; choose another name")
        }
        // Where the folder is, is nobody's business who asks from elsewhere.
        CollectionError::Io { source, .. } | CollectionError::Segment(SegmentError::Io { source, .. }) => {
            Refusal::of_io(format!("the collection `{name}` cannot be used: {source}"), source)
        }
        CollectionError::DamagedManifest { .. } | CollectionError::Segment(_) => {
            Refusal::unable(error.to_string()).hint("import the records again under another name")
        }
    }
}

impl From<QueryRunError> for Refusal {
    fn from(error: QueryRunError) -> Refusal {
        match error {
            QueryRunError::Position(_) | QueryRunError::Stopped => Refusal::wrong(error.to_string()),
            QueryRunError::TooLarge { .. } => {
                Refusal::wrong(error.to_string()).hint("a shape within a shape is rarely meant")
            }
            QueryRunError::Segment(error) => error.into(),
        }
    }
}

impl From<SegmentError> for Refusal {
    fn from(error: SegmentError) -> Refusal {
        match &error {
            SegmentError::Io { source, .. } => {
                Refusal::of_io(format!("the collection cannot be used: {source}"), source)
            }
            _ => Refusal::unable(error.to_string()).hint("import the records again under another name"),
        }
    }
}

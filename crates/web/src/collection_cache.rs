//! The cache of open collections, and the limits on concurrent searches, imports, exports and surveys.
//!
//! In: the name of a collection. Out: the collection as it is on disk. Never: a stale one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ashta_messages::message;
use ashta_records::segment::SegmentError;
use ashta_records::{Collection, CollectionError, Manifest, QueryRunError};
use tokio::sync::{Semaphore, watch};

use crate::api_error::ApiError;
use crate::data_folder::Name;
use crate::library::Library;

/// Collections that are kept open; a full cache is cleared.
const MAX_OPEN: usize = 64;
/// Progress channels of imports; beyond, those that are idle and not watched are dropped.
const MAX_IMPORTS: usize = 256;

#[derive(Debug)]
pub struct CollectionCache {
    open: Mutex<HashMap<Name, Arc<OpenCollection>>>,
    pub searchers: Arc<Semaphore>,
    /// One: a search for shapes anywhere on the board takes seconds, and others would wait behind it.
    pub shape_searchers: Arc<Semaphore>,
    /// Two: an import uses every core.
    pub importers: Arc<Semaphore>,
    /// Separate from imports: a slow reader must not block them.
    pub exporters: Arc<Semaphore>,
    /// One: a survey uses every core and much memory.
    pub surveyors: Arc<Semaphore>,
    imports: Mutex<HashMap<Name, watch::Sender<ImportProgress>>>,
    /// Sample collections that are being played.
    pub playing: Mutex<Vec<SampleProgress>>,
    /// Locks the file of saved queries.
    pub queries: Mutex<()>,
}

#[derive(Debug)]
pub struct OpenCollection {
    pub collection: Collection,
    /// Its survey as JSON, made on the first request.
    pub survey: OnceLock<Arc<str>>,
}

/// A sample collection that is being played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleProgress {
    /// What it will be called.
    pub name: Name,
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
    pub file: String,
    /// Bytes that have come.
    pub bytes: u64,
    /// Bytes that will come, if that was said.
    pub of_bytes: Option<u64>,
    /// Imported games.
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

impl CollectionCache {
    pub fn new(n_searchers: usize) -> CollectionCache {
        CollectionCache {
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

    /// The progress channel of imports into a collection.
    pub fn imports(&self, name: &Name) -> watch::Sender<ImportProgress> {
        let mut imports = self.imports.lock().unwrap_or_else(PoisonError::into_inner);
        if imports.len() >= MAX_IMPORTS {
            imports.retain(|_, sender| {
                sender.receiver_count() > 0 || sender.borrow().stage != ImportStage::Idle
            });
        }
        imports.entry(name.clone()).or_default().clone()
    }

    pub fn forget(&self, name: &Name) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// A collection as it is on disk now; an open one is reused while its manifest and rules are unchanged.
    pub fn get(&self, library: &Library, name: &Name) -> Result<Arc<OpenCollection>, ApiError> {
        let folder = library.folder.collections().join(name.as_str());
        let manifest = Manifest::read(&folder).map_err(|error| collection_error(name, &error))?;
        let rules = library.rules(&manifest.game)?;
        let cached = self.open.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let is_same = |opened: &Arc<OpenCollection>| {
            *opened.collection.manifest() == manifest
                && Arc::ptr_eq(opened.collection.rules().rules(), rules.rules())
        };
        if let Some(opened) = cached.filter(is_same) {
            return Ok(opened);
        }
        let collection = Collection::open(&folder, &rules).map_err(|error| collection_error(name, &error))?;
        let opened = Arc::new(OpenCollection { collection, survey: OnceLock::new() });
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        open.insert(name.clone(), opened.clone());
        Ok(opened)
    }
}

pub fn collection_error(name: &Name, error: &CollectionError) -> ApiError {
    match error {
        CollectionError::None { .. } => {
            ApiError::not_found(message!("web.no-collection", name)).hint(message!("web.no-collection.hint"))
        }
        CollectionError::NotACollection { .. } => {
            ApiError::conflict(message!("web.not-a-collection", name)).hint(message!("web.choose-name"))
        }
        CollectionError::InUse { .. } => ApiError::conflict(message!("web.collection-in-use", name))
            .hint(message!("web.collection-in-use.hint")),
        CollectionError::AnotherGame { found, wanted, .. } => {
            ApiError::conflict(message!("web.collection-of-other-game", name, found, wanted))
                .hint(message!("web.collection-of-other-game.hint"))
        }
        // Without the path: clients on other machines must not learn it.
        CollectionError::Io { source, .. } | CollectionError::Segment(SegmentError::Io { source, .. }) => {
            ApiError::from_io(message!("web.collection-unusable", name, error = source), source)
        }
        CollectionError::DamagedManifest { .. } | CollectionError::Segment(_) => {
            ApiError::internal(error).hint(message!("web.damaged-collection.hint"))
        }
    }
}

impl From<QueryRunError> for ApiError {
    fn from(error: QueryRunError) -> ApiError {
        match error {
            QueryRunError::Position(_) | QueryRunError::Stopped => ApiError::bad_request(error),
            QueryRunError::TooLarge { .. } => {
                ApiError::bad_request(error).hint(message!("web.nested-shapes.hint"))
            }
            QueryRunError::Segment(error) => error.into(),
        }
    }
}

impl From<SegmentError> for ApiError {
    fn from(error: SegmentError) -> ApiError {
        match &error {
            SegmentError::Io { source, .. } => {
                ApiError::from_io(message!("web.segment-unusable", source), source)
            }
            _ => ApiError::internal(error).hint(message!("web.damaged-collection.hint")),
        }
    }
}

//! Game records as data: parsers of every common format, collections on disk, an inverted index of piece states,
//! queries.
//!
//! In: record files, folders, queries. Out: crash-safe collections, and query results. Never: the terminal, the clock,
//! which move is good.

pub mod annotations;
mod atomic_file;
pub mod collection;
pub mod date;
mod duplicate_lookup;
mod duplicates;
pub mod explore;
pub mod import;
mod import_batch;
mod import_plan;
pub mod index;
mod limits;
mod manifest;
pub mod notation;
pub mod players;
pub mod query;
pub mod record;
mod record_file;
pub mod segment;
pub mod survey;
mod termination;

pub use annotations::{Annotations, Note, Variation};
pub use atomic_file::{AtomicFile, remove_stale_temporaries, write_atomic, write_private};
pub use collection::{
    Collection, CollectionError, CollectionWriter, Manifest, clean_collection, remove_collection,
};
pub use explore::{Explored, NextMove};
pub use import::{DuplicatePolicy, ImportObserver, ImportPlan, ImportReport, Rejection, files_below, import};
pub use limits::{Limits, read_error};
pub use notation::{Format, RecordError, write_record};
pub use players::{Player, PlayerScore};
pub use query::{
    Content, GameFilter, Hit, Query, QueryError, QueryResult, QueryRunError, TimeBudget, read_query,
    write_query,
};
pub use record::{GameRecord, GameResult, Tags, tag};
pub use survey::{Survey, survey};
pub use termination::Termination;

//! Opening books: edited by a person, grown from games, exchanged with other programs, drilled.
//!
//! In: moves, records, PGN, Polyglot books. Out: a graph of positions, stored in an append-only text file. Never: an
//! illegal move; an edit that cannot be undone.

mod book;
mod checksummed_lines;
mod drill;
mod edit_history;
mod grow;
mod journal;
mod journal_reader;
mod mark;
mod pgn;
mod polyglot;
mod repair;
mod survey;

pub use book::{Book, BookMove, BookNode, Edit, EditError, Import, MoveStats, Step, Visited};
pub use drill::{Drill, choose};
pub use grow::{GrowPlan, GrowReport, Growth};
pub use journal::{Journal, game_of};
pub use journal_reader::JournalError;
pub use mark::Mark;
pub use pgn::write_pgn;
pub use polyglot::{PolyglotError, key as polyglot_key, read_polyglot, write_polyglot};
pub use repair::{RepairReport, game_of_damaged, repair};
pub use survey::BookSurvey;

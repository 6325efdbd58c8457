//! Openings: a book that a person edits, grows from games, exchanges with other programs, and is asked about.
//!
//! In: moves, records, PGN, Polyglot books. Out: a tree whose lines join where they meet, kept in a text file that only
//! grows. Never: a move that is not legal; an edit that cannot be taken back.

mod book;
mod drill;
mod entries;
mod grow;
mod journal;
mod lines;
mod mark;
mod pgn;
mod polyglot;
mod reading;
mod repair;
mod survey;

pub use book::{Book, BookMove, Edit, EditError, Import, Node, Step, Tally, Visited};
pub use drill::{Drill, choose};
pub use grow::{GrowPlan, GrowReport, Growth};
pub use journal::{Journal, JournalError, game_of};
pub use mark::Mark;
pub use pgn::write_pgn;
pub use polyglot::{PolyglotError, key as polyglot_key, read_polyglot, write_polyglot};
pub use repair::{RepairReport, game_of_damaged, repair};
pub use survey::BookSurvey;

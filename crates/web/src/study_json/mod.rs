//! What study says, as JSON: the terminal writes it with `--json`, the API answers with it.
//!
//! In: solutions, tables, books. Out: types that are written as JSON and described in the API. Never: an address.

mod endings;
mod openings;
mod problems;

pub use endings::{EndingJson, ProbeJson, WorthJson, ending, probe};
pub use openings::{BookMoveJson, BookNodeJson};
pub use problems::{AttackJson, MateJson, SolvedJson, TryJson, TsumeJson, mate, solved, tsume};

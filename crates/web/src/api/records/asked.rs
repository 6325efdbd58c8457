//! A query as it is asked: text, read with the rules of the collection's game.

use ashta_records::{Query, read_query};
use ashta_rules::Rules;

use crate::failure::Refusal;

/// Most bytes of a query.
pub const MOST_BYTES: usize = 10_000;

/// Reads a query; nothing said is every position of every game.
pub fn asked(text: &str, rules: &Rules) -> Result<Query, Refusal> {
    if text.len() > MOST_BYTES {
        let what = format!("a query has at most {MOST_BYTES} bytes, and this one has {}", text.len());
        return Err(Refusal::wrong(what).hint("split it into several"));
    }
    if text.trim().is_empty() {
        return Ok(Query::All(Vec::new()));
    }
    read_query(text, rules).map_err(|error| {
        let offset = text.get(..error.offset).map_or(0, |before| before.chars().count());
        let hint = error.hint.unwrap_or("docs/queries.md tells how queries are written".into());
        Refusal::wrong(error.what).at(offset).hint(hint)
    })
}

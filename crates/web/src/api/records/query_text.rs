//! Parsing of queries, with the rules of the collection's game.

use ashta_messages::message;
use ashta_records::{Query, read_query};
use ashta_rules::Rules;

use crate::api_error::ApiError;

/// Most bytes of a query.
pub const MAX_BYTES: usize = 10_000;

/// Parses a query; an empty one matches every position.
pub fn parse_query(text: &str, rules: &Rules) -> Result<Query, ApiError> {
    if text.len() > MAX_BYTES {
        let what = message!("web.query-too-long", max = MAX_BYTES, n = text.len());
        return Err(ApiError::bad_request(what).hint(message!("web.query-too-long.hint")));
    }
    if text.trim().is_empty() {
        return Ok(Query::All(Vec::new()));
    }
    read_query(text, rules).map_err(|error| {
        let offset = text.get(..error.offset).map_or(0, |before| before.chars().count());
        let hint = error.hint.unwrap_or_else(|| message!("web.query.hint"));
        ApiError::bad_request(error.what).at(offset).hint(hint)
    })
}

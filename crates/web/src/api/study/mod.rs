//! Study: problems, endings, openings.

mod book_exchange;
mod book_page;
mod book_practice;
mod endings;
mod event_stream;
mod examples;
mod openings;
mod problem_file;
mod problems;

use ashta_messages::{ToArg, message};
use ashta_position::{CompiledRules, Move};
use ashta_study::opening::Book;

use crate::api::router::ApiRouter;
use crate::api_error::ApiError;
use crate::app_state::AppState;

/// Routes of study.
pub fn routes() -> ApiRouter {
    ApiRouter::default()
        .merge(problems::routes())
        .merge(problem_file::routes())
        .merge(examples::routes())
        .merge(endings::routes())
        .merge(openings::routes())
        .merge(book_exchange::routes())
        .merge(book_practice::routes())
}

/// The rules of a game of two sides without dice; there is nothing to study of others.
fn two_sides(state: &AppState, game: &str) -> Result<CompiledRules, ApiError> {
    let rules = state.rules(game)?;
    if !rules.rules().is_two_sided() {
        return Err(
            ApiError::bad_request(message!("web.two-sides", game)).hint(message!("web.two-sides.hint"))
        );
    }
    Ok(rules)
}

/// A number out of its bounds.
fn within<T: PartialOrd + ToArg + Copy>(what: &str, value: T, least: T, most: T) -> Result<T, ApiError> {
    if value >= least && value <= most {
        Ok(value)
    } else {
        Err(ApiError::bad_request(message!("web.out-of-range", what, value, least, most)))
    }
}

/// Most bytes of a line of moves.
const MAX_LINE: usize = 8_192;
/// Most plies of a line of a book.
const MAX_PLIES: usize = 400;

/// The moves of a line.
fn read_line(book: &Book, text: &str) -> Result<Vec<Move>, ApiError> {
    if text.len() > MAX_LINE {
        return Err(ApiError::bad_request(message!("web.line-too-long", max = MAX_LINE)));
    }
    let line = book.read_line(text).map_err(ApiError::bad_request)?;
    if line.len() > MAX_PLIES {
        Err(ApiError::bad_request(message!("web.line-moves", max = MAX_PLIES)))
    } else {
        Ok(line)
    }
}

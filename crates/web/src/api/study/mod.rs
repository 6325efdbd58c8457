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
use ashta_position::CompiledRules;

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

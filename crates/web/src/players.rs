//! Players by name, for requests: those that are a part of this program.

use ashta_play::{PlayerError, PlayerPlan};

use crate::api_error::ApiError;

/// Reads a player's name; other programs are refused.
pub fn read_player(text: &str) -> Result<PlayerPlan, ApiError> {
    match text.parse::<PlayerPlan>() {
        Ok(PlayerPlan::External(_)) => {
            Err(ApiError::forbidden("other programs are not started from the page")
                .hint("`ashta match` in a terminal plays against them"))
        }
        Ok(plan) => Ok(plan),
        Err(error) => Err(unknown(&error)),
    }
}

fn unknown(error: &PlayerError) -> ApiError {
    let api_error = ApiError::bad_request(error.to_string());
    match &error.nearest {
        Some(near) => api_error.hint(format!("did you mean `{near}`?")),
        None => {
            api_error.hint("players are `level:1` to `level:10`, `engine:500ms`, `P2`, `A3(2)` and others")
        }
    }
}

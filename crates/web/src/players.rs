//! Players by name, for requests: those that are a part of this program.

use ashta_messages::message;
use ashta_play::{PlayerError, PlayerPlan};

use crate::api_error::ApiError;

/// Reads a player's name; other programs are refused.
pub fn read_player(text: &str) -> Result<PlayerPlan, ApiError> {
    match text.parse::<PlayerPlan>() {
        Ok(PlayerPlan::External(_)) => {
            Err(ApiError::forbidden(message!("web.external-player"))
                .hint(message!("web.external-player.hint")))
        }
        Ok(plan) => Ok(plan),
        Err(error) => Err(unknown(error)),
    }
}

fn unknown(error: PlayerError) -> ApiError {
    let is_near = error.nearest.is_some();
    let api_error = ApiError::bad_request(error);
    if is_near { api_error } else { api_error.hint(message!("web.players.hint")) }
}

//! Contests at the terminal: a board in the sides' colours, dice, turns typed by people and chosen by players.
//!
//! In: a contest, its players, lines of text. Out: lines of text. Never: rules.

mod board;
mod listing;
mod session;
mod yes_no;

pub use board::{Colours, ContestStyle};
pub use listing::{count, list, show};
pub use session::{ContestSession, SeatPlan};

use ashta_messages::message;
use ashta_position::{Contest, ContestTextError, Tables};
use ashta_search::SearchWord;
use std::sync::Arc;

use crate::cli_error::{CliError, ErrorMessage};

/// A contest from its start or from a text.
pub fn open_contest<W: SearchWord>(
    tables: &Arc<Tables<W>>,
    text: Option<&str>,
) -> Result<Contest<W>, CliError> {
    let game = tables.rules.id().to_string();
    let opened = match text {
        None => Contest::start(tables.clone()).ok_or(ContestTextError::NoContest { game }),
        Some(text) => Contest::read(tables.clone(), text),
    };
    opened.map_err(|error| {
        let hint = message!("cli.contest-position.hint");
        ErrorMessage::new(message!("cli.contest-position", error)).hint(hint).into()
    })
}

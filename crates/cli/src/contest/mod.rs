//! Contests at the terminal: a board in the sides' colours, dice, turns typed by people and chosen by players.
//!
//! In: a contest, its players, lines of text. Out: lines of text. Never: rules.

mod board;
mod listing;
mod session;
mod yes_no;

pub use board::{Colours, ContestStyle};
pub use listing::{Count, List, Show};
pub use session::{ContestSession, SeatPlan};

use ashta_messages::message;
use ashta_position::{CompiledRules, Contest, ContestTextError, Tables};
use ashta_search::SearchWord;
use std::sync::Arc;

use crate::cli_error::{CliError, ErrorMessage};

/// A task that is generic over the word size of the board.
pub trait WithContest {
    type Output;
    fn with<W: SearchWord>(self, tables: &Arc<Tables<W>>) -> Self::Output;
}

/// Runs a task with the word size of the game's board.
pub fn with_contest<T: WithContest>(rules: &CompiledRules, task: T) -> T::Output {
    match rules {
        CompiledRules::W64(tables) => task.with(tables),
        CompiledRules::W128(tables) => task.with(tables),
        CompiledRules::W256(tables) => task.with(tables),
    }
}

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

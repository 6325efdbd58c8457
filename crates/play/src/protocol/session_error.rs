//! Why a session refuses a command. Protocols are English: a session writes these as they display.

use ashta_messages::Tell;
use ashta_position::PositionTextError;
use ashta_position::notation::MoveTextError;
use ashta_search::ValuesError;

#[derive(Debug, Tell)]
pub enum SessionError {
    #[code("play.session-no-game")]
    NoGame { name: String },
    #[code("play.session-not-two-sides")]
    NotTwoSides { name: String },
    #[code("play.session-position")]
    Position { error: PositionTextError },
    #[code("play.session-move")]
    Move { error: MoveTextError },
    #[code("play.session-not-a-number")]
    NotANumber { text: String },
    #[code("play.session-no-such-option")]
    NoSuchOption { name: String },
    /// The same in XBoard, which adds the name itself.
    #[code("play.session-unknown-option")]
    UnknownOption,
    #[code("play.session-unknown-command")]
    UnknownCommand { line: String },
    /// What the host says of a file that it cannot read.
    #[code("play.session-file")]
    File { text: String },
    #[code(transparent)]
    Values(#[from] ValuesError),
}

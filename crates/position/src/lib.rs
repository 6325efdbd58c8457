//! Where a chess-like game stands and what may follow.
//!
//! In: checked [`ashta_rules::Rules`]. Out: positions, strictly legal moves, results, notation, perft. Never: which
//! move is good, files, the terminal, the clock.

mod attack;
mod contest;
mod dispatch;
mod empty_board;
mod game;
mod generate;
mod groups;
mod legality;
mod line;
mod moves;
pub mod notation;
mod outcome;
mod perft;
mod playout;
mod position;
mod repetition;
mod sink;
mod state;
mod tables;
mod wanted;
mod ways;
mod word;

pub use contest::{
    Answer, Chances, Contest, ContestTextError, Fate, Legs, Mark, Roll, Stage, Survey, Throw, Turn,
    TurnTextError, Turns,
};
pub use empty_board::moves_on_empty_board;
pub use game::{AnyLine, CompiledRules, Game, IllegalMove, PositionTextError};
pub use groups::{Exchanges, Groups};
pub use legality::{Attempt, Illegal, IllegalWords, PieceOn, why_illegal};
pub use line::Line;
pub use moves::{Action, Move};
pub use outcome::{Outcome, OutcomeWords, Reason};
pub use perft::{divide, perft};
pub use playout::{Seen, play_randomly};
pub use position::{Position, PositionError, SetupUse};
pub use repetition::Repetitions;
pub use sink::{Any, Count, MoveList, Sink};
pub use state::{State, Undo};
pub use tables::{Reach, Tables};
pub use ways::{Way, ways};
pub use word::{Wide, Word};

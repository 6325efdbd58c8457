//! Where a chess-like game stands and what may follow.
//!
//! In: checked [`ashta_rules::Rules`]. Out: positions, strictly legal moves, results, notation, perft. Never: which
//! move is good, files, the terminal, the clock.

mod attack;
mod bmi2;
mod chase;
mod compile_per_word;
mod contest;
mod dispatch;
mod empty_board;
mod exploded;
mod game;
mod generate;
mod legality;
mod legality_query;
mod line;
mod move_groups;
mod moves;
pub mod notation;
mod outcome;
mod perft;
mod perft_tree;
mod piece;
mod piece_attacks;
mod position;
mod promotion_choices;
mod reason;
mod repetition;
mod sink;
mod special_ends;
mod state;
mod tables;
mod watch;
mod ways;
mod word;

pub use contest::{
    Answer, Chances, Contest, ContestTextError, ContestWord, Legs, Mark, Roll, Stage, Survey, Throw, Turn,
    TurnState, TurnTextError, Turns,
};
pub use dispatch::{Dispatched, Tables};
pub use empty_board::moves_on_empty_board;
pub use game::{AnyLine, CompiledRules, Game, IllegalMove, PositionTextError};
pub use legality::{Attempt, Illegal, PieceOn, why_illegal};
pub use line::Line;
pub use move_groups::{MoveGroups, TacticalMoves};
pub use moves::{Action, Move, PatternMover};
pub use perft::{divide, perft};
pub use piece::Piece;
pub use piece_attacks::PieceAttacks;
pub use position::{Position, PositionError, SetupUse};
pub use reason::{Outcome, Reason};
pub use repetition::Repetitions;
pub use sink::{AnyMove, MoveCount, MoveList, Sink};
pub use state::{State, Undo};
pub use ways::{Way, ways};
pub use word::{Wide, Word};

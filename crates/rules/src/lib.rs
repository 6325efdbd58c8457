//! What a chess-like game is: game files in, checked rules out.
//!
//! In: TOML texts, from the library of games or from a user's file. Out: [`Rules`], or every problem of the text with
//! its line and column. Never: positions, moves, files or the terminal.

mod betza;
mod betza_text;
mod betza_xboard;
mod castling_text;
mod changes;
mod check;
mod contest;
mod count_text;
mod definition;
mod diagram;
mod ends;
mod fairy;
mod fields;
mod grid;
mod library;
mod node;
mod problem;
mod region;
mod roll;
mod rule_parts;
mod rules;
mod setup;
mod setup_board;
mod setup_text;
mod square_set;
pub mod words;

pub use betza::{
    BetzaError, Movement, Path, Target, crossed, is_outward, is_straight, read_betza, turned_by_eighths,
};
pub use betza_text::{Dialect, write_betza};
pub use betza_xboard::read_xboard_betza;
pub use contest::{
    Asked, Block, Captives, ComeBack, Command, ContestBare, ContestRules, Dice, DiceOrder, DoubleMoves,
    FallenOnThrone, Freed, Goal, PartnerCapture, RoyalsNeeded, SumOfDice, Throne, WhoIsBare,
};
pub use definition::Definition;
pub use diagram::{Diagram, Reach, diagram_radius};
pub use ends::{
    Attacker, Bare, BareAgainst, BareReply, BareWait, Chaser, Checker, CountForBare, CountForOthers,
    CountFrom, CountLimit, CountWaits, CountedKinds, Counting, DeadPieces, DecidedByPoints, Ends, Extinction,
    GoalReply, GoalSafety, Impasse, JudgedSide, Material, Points, Quiet, RegionGoal, Repetition, RoyalLoss,
    SideMaterial, Verdict,
};
pub use fairy::{
    GameFile, Unwritten, built_in_variant, built_in_variants, load_variant, read_variant, variant_names,
    write_variant,
};
pub use grid::{Coordinates, Delta, Grid, MAX_LENGTH, Side, Square, SquareName, Wraps};
pub use library::{check_text, game_names, game_of_pgn_variant, game_source, load, load_text};
pub use node::ChangeName;
pub use problem::{Place, Problem, Problems, Source, nearest};
pub use region::SquareSet;
pub use roll::{Chances, Roll, Throw};
pub use rule_parts::{
    Ban, BanExcept, BanLegs, CaptureBy, CaptureDuty, Castling, CastlingStarts, Choice, DropFace, DropMate,
    DropRule, Explosion, Facing, GivingCheck, Hand, InCheck, Kind, KindId, MAX_KINDS, Part, Pass, PromotesOn,
    Promotion, Protects, Region, RoyalInCheck, StuckDrop, Supply, Targets,
};
pub use rule_parts::{Company, CountOfWaiting, Waiting};
pub use rules::{Rules, SideRules};
pub use setup::{Count, Setup};
pub use setup_text::{SetupError, piece_text};

//! External engines as players, over UCI, USI, XBoard or the older text protocol of GNU Shogi.
//!
//! In: a command line, a game. Out: legal moves, or an error. Never: a wait without a timeout.

mod engine;
mod handshake;
mod plan;
mod probe;
mod process;

pub use engine::{ExternalEngine, ExternalEngineError};
pub use plan::{EngineProtocol, ExternalEnginePlan};

//! Piece values learned by TD(lambda) from self-play (Sasaki, about 2004; paper 004 of `docs/papers.md`).
//!
//! In: a [`LearnPlan`]: games, lambdas, independent runs, settings. Out: the weights after every game, kept in a journal,
//! the same for any number of threads. Never: a clock, a seed made here, statistics, which belong to [`summary`].

mod chunk;
mod game;
mod plan;
mod published;
mod rate;
mod rule;
mod run;
pub mod summary;

pub use chunk::{Chunk, GameLearned};
pub use plan::{
    Bared, FeatureName, LearnCell, LearnError, LearnGame, LearnPlan, Learning, Mode, ReportOptions,
};
pub use published::{Printed, PublishedLearning, Role, learning_names, published_learning};
pub use rate::{Rate, RateError};
pub use rule::{EligibilityTrace, Next, probability};
pub use run::{Curves, LearnEnd, LearnProgress, learn};

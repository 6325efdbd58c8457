//! Matches of two competitors: pairs of games with sides exchanged, Elo difference, SPRT.
//!
//! In: a [`MatchPlan`]. Out: pairs of games kept in a journal, the score with its Elo difference, the same for any number
//! of threads. Never: files.
//!
//! Games come in pairs from one opening with the sides exchanged, so that the advantage of an opening cancels out.

mod competitor;
mod pair;
mod plan;
mod published;
mod run;
mod score;

pub use competitor::{Competitor, CompetitorError, CompetitorPlan, TableText, value_table_names};
pub use pair::play_pair;
pub use plan::{Match, MatchError, MatchGame, MatchLog, MatchPlan};
pub use published::{PrintedMatch, PublishedMatch, match_names, published_match};
pub use run::{MatchEnd, MatchProgress, run_match};
pub use score::{PairPlayed, Score, Sprt, SprtDecision, SprtError};

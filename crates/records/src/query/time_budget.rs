//! How long somebody waits for an answer.
//!
//! In: a question whether it was long enough. Out: what a search asks. Never: the clock.

/// How long somebody waits for an answer; what takes longer is looked for in the first games only.
pub struct TimeBudget<'a> {
    /// Work that is done whole, in intervals that must be looked at: a moment that nobody notices.
    pub cheap_work: usize,
    /// Games that each core looks at before the next question.
    pub chunk_games: usize,
    /// Whether it was long enough.
    pub is_over: &'a dyn Fn() -> bool,
}

impl<'a> TimeBudget<'a> {
    /// The patience of somebody at a screen.
    pub fn until(is_over: &'a dyn Fn() -> bool) -> TimeBudget<'a> {
        // Even a shape with marks, anywhere on a board of shogi, is looked for in 512 games in ten milliseconds.
        TimeBudget { cheap_work: 2_000_000, chunk_games: 512, is_over }
    }
}

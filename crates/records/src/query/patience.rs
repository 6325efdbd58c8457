//! How long somebody waits for an answer.
//!
//! In: a question whether it was long enough. Out: what a search asks. Never: the clock.

/// How long somebody waits for an answer; what takes longer is looked for in the first games only.
pub struct Patience<'a> {
    /// Work that is done whole, in stretches that must be looked at: a moment that nobody notices.
    pub little_work: usize,
    /// Games that each core looks at before the next question.
    pub games_at_a_time: usize,
    /// Whether it was long enough.
    pub is_over: &'a dyn Fn() -> bool,
}

impl<'a> Patience<'a> {
    /// The patience of somebody at a screen.
    pub fn until(is_over: &'a dyn Fn() -> bool) -> Patience<'a> {
        // Even a shape with marks, anywhere on a board of shogi, is looked for in 512 games in ten milliseconds.
        Patience { little_work: 2_000_000, games_at_a_time: 512, is_over }
    }
}

//! Time budget of an interactive query.
//!
//! In: a closure that reads a clock. Out: limits that an execution checks. Never: the clock itself.

/// What an interactive query may cost; an expensive one is executed on the first games only.
pub struct TimeBudget<'a> {
    /// Plans of at most so many intervals are executed completely: it takes an unnoticeable moment.
    pub cheap_work: usize,
    /// Games per thread between two checks.
    pub chunk_games: usize,
    /// Whether the budget is spent.
    pub is_spent: &'a dyn Fn() -> bool,
}

impl<'a> TimeBudget<'a> {
    /// A budget for a person at a screen.
    pub fn until(is_spent: &'a dyn Fn() -> bool) -> TimeBudget<'a> {
        // Even a pattern shifted over a shogi board takes ten milliseconds for 512 games.
        TimeBudget { cheap_work: 2_000_000, chunk_games: 512, is_spent }
    }
}

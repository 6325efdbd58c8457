//! How selective the search is: reductions and margins by depth.

/// How much the search prunes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Selectivity {
    /// Pruning, reductions, extensions and quiescence.
    #[default]
    Full,
    /// Plain minimax to the given depth.
    None,
}

/// Late-move reductions in plies, by depth and move number.
#[derive(Clone, Debug)]
pub(super) struct Reductions([[u8; 64]; 64]);

impl Reductions {
    pub fn new() -> Reductions {
        let of = |depth: usize, number: usize| match (depth, number) {
            (0, _) | (_, 0) => 0,
            _ => (0.6 + (depth as f64).ln() * (number as f64).ln() / 2.3) as u8,
        };
        Reductions(std::array::from_fn(|depth| std::array::from_fn(|number| of(depth, number))))
    }

    /// The reduction of the move of this number, counted from 0.
    #[inline(always)]
    pub fn of(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// Margin of futility pruning, reverse futility pruning and razoring.
pub(super) fn futility_margin(depth: i32) -> i32 {
    85 * depth
}

/// Late-move pruning: quiet moves after this many are skipped.
pub(super) fn lmp_count(depth: i32, is_improving: bool) -> usize {
    let count = 4 + (depth * depth) as usize;
    if is_improving { count * 3 / 2 } else { count }
}

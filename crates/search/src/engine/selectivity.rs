//! Which parts of the tree are left out, and where it is looked at more closely.

/// How much is left out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Selectivity {
    /// Unlikely moves are looked at less deeply or not at all, forced lines more deeply.
    #[default]
    Full,
    /// Nothing is: the value is that of plain minimax to the depth.
    None,
}

/// Reductions by depth and number of the move, in plies.
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

    /// For the move of this number, counted from 0.
    #[inline(always)]
    pub fn of(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// How much better than asked a position must stand to be left alone, by depth.
pub(super) fn margin(depth: i32) -> i32 {
    85 * depth
}

/// How many quiet moves are looked at when so little depth is left.
pub(super) fn most_quiet(depth: i32, is_improving: bool) -> usize {
    let most = 4 + (depth * depth) as usize;
    if is_improving { most * 3 / 2 } else { most }
}

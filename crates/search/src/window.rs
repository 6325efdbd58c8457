//! Alpha-beta windows.
//!
//! In: values. Out: windows of parents and children, how a value bounds the true one. Never: positions.

use crate::transposition::{Bound, Entry};

/// An alpha-beta window.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    pub fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window that asks whether a value is above this one.
    pub fn null_above(value: i32) -> Window {
        Window { alpha: value, beta: value + 1 }
    }

    /// The null window that asks whether a value reaches this one.
    pub fn null_below(value: i32) -> Window {
        Window { alpha: value - 1, beta: value }
    }

    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// How the value that a search of this window returned bounds the true one.
    pub fn bound_of(self, value: i32) -> Bound {
        match value {
            value if value >= self.beta => Bound::AtLeast,
            value if value > self.alpha => Bound::Exact,
            _ => Bound::AtMost,
        }
    }

    /// The value of a table entry whose bound decides this window.
    pub fn cutoff_by(self, entry: &Entry) -> Option<i32> {
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => entry.value >= self.beta,
            Bound::AtMost => entry.value <= self.alpha,
        };
        decides.then_some(entry.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_cuts_only_windows_that_its_bound_decides() {
        for (bound, (alpha, beta), answer) in [
            (Bound::Exact, (0, 5), Some(10)),
            (Bound::AtLeast, (0, 10), Some(10)),
            (Bound::AtLeast, (0, 11), None),
            (Bound::AtMost, (10, 20), Some(10)),
            (Bound::AtMost, (9, 20), None),
        ] {
            let entry = Entry { value: 10, bound, depth: 3, best: None };
            assert_eq!(Window { alpha, beta }.cutoff_by(&entry), answer, "{bound:?} {alpha} {beta}");
        }
    }
}

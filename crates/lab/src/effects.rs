//! What each rule change does: a lattice of all subsets of k named changes, with one measurement for each.
//!
//! In: 2^k estimates of one measure. Out: main effects, interactions of pairs, paths from no change to all of them.
//! Never: which games the cells are, or how they were measured.
//!
//! Cell `s` holds the game with the changes whose bits are set in `s`. With cells measured on different games, a sum of
//! signed cells has as variance the sum of their variances.
//!
//! *Main effect* of j: the mean over all 2^(k-1) pairs of cells that differ only in j of "with j" minus "without".
//! *Interaction* of i and j: the mean over all 2^(k-2) settings of the others of
//! "both - only i - only j + neither", that is, how much more j does where i is there already.

use ashta_messages::{Arg, Tell, ToArg, message};

use crate::compare::{Difference, difference};
use crate::estimate::Estimate;

/// The most changes a lattice may have: 2^8 = 256 games.
pub const MAX_CHANGES: usize = 8;

/// One measure of every game between an old one and a new one.
#[derive(Clone, PartialEq, Debug)]
pub struct Lattice {
    names: Vec<Arg>,
    cells: Vec<Estimate>,
}

/// Why a lattice cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
pub enum LatticeError {
    /// No changes, or too many.
    #[code("lab.lattice-changes")]
    Changes {
        /// How many were given.
        n_changes: usize,
        /// How many may be.
        most: usize,
    },
    /// Not one cell for each subset.
    #[code("lab.lattice-cells")]
    Cells {
        /// How many changes there are.
        n_changes: usize,
        /// How many subsets they have.
        n_subsets: usize,
        /// How many cells were given.
        n_cells: usize,
    },
}

/// What a change, or a pair of changes, does.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// Index of the change, or of both.
    pub changes: Vec<usize>,
    /// Its name, or both.
    pub name: Arg,
    /// How much it adds to the measure, with interval and p-value.
    pub difference: Difference,
}

/// A way from no change to all changes, one at a time.
#[derive(Clone, PartialEq, Debug)]
pub struct LatticePath {
    /// The changes in order, each with what it adds.
    pub steps: Vec<PathStep>,
}

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PathStep {
    /// Index of the change that is made.
    pub change: usize,
    /// The cell that it leads to.
    pub to: usize,
    /// How much it adds to the measure.
    pub difference: Difference,
}

impl LatticePath {
    /// The smallest step: how steadily the path climbs.
    pub fn smallest_step(&self) -> f64 {
        self.steps.iter().map(|step| step.difference.value).fold(f64::INFINITY, f64::min)
    }

    /// The changes in the order they are made.
    pub fn order(&self) -> Vec<usize> {
        self.steps.iter().map(|step| step.change).collect()
    }
}

impl Lattice {
    /// A lattice of named changes; cell `s` is the subset whose bits are set in `s`.
    pub fn new(names: Vec<Arg>, cells: Vec<Estimate>) -> Result<Lattice, LatticeError> {
        let (n_changes, n_cells) = (names.len(), cells.len());
        if n_changes == 0 || n_changes > MAX_CHANGES {
            return Err(LatticeError::Changes { n_changes, most: MAX_CHANGES });
        }
        let n_subsets = 1 << n_changes;
        if n_cells != n_subsets {
            return Err(LatticeError::Cells { n_changes, n_subsets, n_cells });
        }
        Ok(Lattice { names, cells })
    }

    /// The names of the changes.
    pub fn names(&self) -> &[Arg] {
        &self.names
    }

    /// The measurement of every subset.
    pub fn cells(&self) -> &[Estimate] {
        &self.cells
    }

    /// The main effect of each change, in their order.
    pub fn main_effects(&self) -> Vec<Effect> {
        let sign = |change: usize| move |cell: usize| if has(cell, change) { 1.0 } else { -1.0 };
        let effect = |change: usize| Effect {
            changes: vec![change],
            name: self.names[change].clone(),
            difference: self.contrast(sign(change), self.cells.len() / 2),
        };
        (0..self.names.len()).map(effect).collect()
    }

    /// The interaction of each pair of changes, in their order.
    pub fn interactions(&self) -> Vec<Effect> {
        let sign =
            |i: usize, j: usize| move |cell: usize| if has(cell, i) == has(cell, j) { 1.0 } else { -1.0 };
        let effect = |i: usize, j: usize| Effect {
            changes: vec![i, j],
            name: message!("lab.interaction", first = self.names[i], second = self.names[j]).to_arg(),
            difference: self.contrast(sign(i, j), self.cells.len() / 4),
        };
        let k = self.names.len();
        (0..k).flat_map(|i| (i + 1..k).map(move |j| effect(i, j))).collect()
    }

    fn contrast(&self, sign: impl Fn(usize) -> f64, n_terms: usize) -> Difference {
        let sum: f64 = self.cells.iter().enumerate().map(|(n, cell)| sign(n) * cell.value).sum();
        let variance: f64 = self.cells.iter().map(|cell| cell.standard_error.powi(2)).sum();
        Difference::new(sum / n_terms as f64, variance.sqrt() / n_terms as f64)
    }

    /// The path that takes at every step the change that adds most; of equals the first.
    pub fn steepest_path(&self) -> LatticePath {
        self.path(|_, _| true)
    }

    /// The path that climbs most steadily: its smallest step is the largest possible. Where several paths share that
    /// smallest step, each step of the one chosen is the steepest that does not spoil it.
    pub fn steadiest_path(&self) -> LatticePath {
        let reach = self.best_smallest_steps();
        let target = reach[0];
        self.path(|from, to| self.rise(from, to) >= target && reach[to] >= target)
    }

    /// For each cell, the largest smallest step on any way from it to the last one.
    fn best_smallest_steps(&self) -> Vec<f64> {
        let mut best = vec![f64::INFINITY; self.cells.len()];
        for from in (0..self.cells.len() - 1).rev() {
            let through = |change: usize| self.rise(from, from | 1 << change).min(best[from | 1 << change]);
            best[from] = self.open_changes(from).map(through).fold(f64::NEG_INFINITY, f64::max);
        }
        best
    }

    fn path(&self, allowed: impl Fn(usize, usize) -> bool) -> LatticePath {
        let mut steps = Vec::new();
        let mut from = 0;
        while from != self.cells.len() - 1 {
            let steeper = |a: &usize, b: &usize| {
                self.rise(from, from | 1 << a).total_cmp(&self.rise(from, from | 1 << b)).then(b.cmp(a))
            };
            // Cells without a number allow nothing: then any change will do, so that every path arrives.
            let allowed_change =
                self.open_changes(from).filter(|c| allowed(from, from | 1 << c)).max_by(steeper);
            let Some(change) = allowed_change.or_else(|| self.open_changes(from).next()) else { break };
            let to = from | 1 << change;
            steps.push(PathStep { change, to, difference: difference(&self.cells[to], &self.cells[from]) });
            from = to;
        }
        LatticePath { steps }
    }

    fn open_changes(&self, cell: usize) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(move |change| !has(cell, *change))
    }

    fn rise(&self, from: usize, to: usize) -> f64 {
        self.cells[to].value - self.cells[from].value
    }
}

fn has(cell: usize, change: usize) -> bool {
    cell >> change & 1 == 1
}

#[cfg(test)]
mod tests {
    use ashta_messages::Language;

    use super::*;

    fn lattice(values: &[f64], standard_error: f64) -> Lattice {
        let cell = |value: &f64| Estimate {
            value: *value,
            low: value - 2.0 * standard_error,
            high: value + 2.0 * standard_error,
            standard_error,
            n: 100,
        };
        let k = values.len().ilog2() as usize;
        let names = "abcdefgh".chars().take(k).map(|letter| letter.to_arg()).collect();
        Lattice::new(names, values.iter().map(cell).collect()).expect("a cell for each subset")
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }

    #[test]
    fn effects_by_hand() {
        // none 1, a 3, b 4, ab 10.
        let lattice = lattice(&[1.0, 3.0, 4.0, 10.0], 0.5);
        let effects = lattice.main_effects();
        near(effects[0].difference.value, (2.0 + 6.0) / 2.0);
        near(effects[1].difference.value, (3.0 + 7.0) / 2.0);
        // Four cells of variance 1/4: standard error 1 / 2.
        near(effects[0].difference.z, 4.0 / 0.5);
        let interactions = lattice.interactions();
        assert_eq!(
            (interactions.len(), interactions[0].name.text(Language::English)),
            (1, "a x b".to_string())
        );
        near(interactions[0].difference.value, 4.0);
        near(interactions[0].difference.z, 4.0);
    }

    #[test]
    fn a_sum_of_parts_has_no_interactions() {
        let parts = [0.5, -1.0, 2.0, 0.25, 3.0, -0.125, 1.0, 7.0];
        let value = |cell: usize| (0..8).filter(|c| has(cell, *c)).map(|c| parts[c]).sum::<f64>();
        let lattice = lattice(&(0..256).map(value).collect::<Vec<_>>(), 0.1);
        lattice
            .main_effects()
            .iter()
            .zip(parts)
            .for_each(|(effect, part)| near(effect.difference.value, part));
        assert_eq!(lattice.interactions().len(), 28);
        lattice.interactions().iter().for_each(|effect| near(effect.difference.value, 0.0));
        assert_eq!(lattice.steepest_path().order(), [7, 4, 2, 6, 0, 3, 5, 1]);
        assert_eq!(lattice.steadiest_path().order(), [7, 4, 2, 6, 0, 3, 5, 1]);
    }

    #[test]
    fn the_steadiest_path_is_not_the_steepest() {
        // a leaps to 5 and then sinks to 4; b climbs 0 -> 2 -> 4.
        let lattice = lattice(&[0.0, 5.0, 2.0, 4.0], 0.1);
        assert_eq!(lattice.steepest_path().order(), [0, 1]);
        assert_eq!(lattice.steepest_path().smallest_step(), -1.0);
        assert_eq!(lattice.steadiest_path().order(), [1, 0]);
        assert_eq!(lattice.steadiest_path().smallest_step(), 2.0);
    }

    #[test]
    fn the_steadiest_path_against_all_orders() {
        fn orders(left: Vec<usize>) -> Vec<Vec<usize>> {
            if left.is_empty() {
                return vec![vec![]];
            }
            let with_first = |first: &usize| {
                let rest: Vec<usize> = left.iter().copied().filter(|c| c != first).collect();
                orders(rest).into_iter().map(|order| [vec![*first], order].concat()).collect::<Vec<_>>()
            };
            left.iter().flat_map(with_first).collect()
        }
        let mut random = 3u64;
        for _ in 0..50 {
            let mut draw = |_| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((random >> 33) % 20) as f64
            };
            let values: Vec<f64> = (0..32).map(&mut draw).collect();
            let lattice = lattice(&values, 0.1);
            let smallest = |order: &Vec<usize>| {
                let (mut at, mut least) = (0, f64::INFINITY);
                for change in order {
                    least = least.min(values[at | 1 << change] - values[at]);
                    at |= 1 << change;
                }
                least
            };
            let best = orders((0..5).collect()).iter().map(smallest).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(lattice.steadiest_path().smallest_step(), best);
            assert_eq!(smallest(&lattice.steadiest_path().order()), best);
        }
    }

    #[test]
    fn refusals_and_cells_without_a_number() {
        let says = |k: usize, n| {
            Lattice::new(vec!["x".to_arg(); k], vec![Estimate::UNKNOWN; n])
                .expect_err("it is refused")
                .to_string()
        };
        assert_eq!(says(0, 1), "a lattice has 1 to 8 changes, not 0");
        assert_eq!(says(3, 7), "3 changes have 8 subsets, but there are 7 cells");
        let unknown =
            Lattice::new(vec!["x".to_arg(); 3], vec![Estimate::UNKNOWN; 8]).expect("a cell for each subset");
        assert_eq!(unknown.steadiest_path().steps.len(), 3);
        assert_eq!(unknown.steepest_path().steps.len(), 3);
    }
}

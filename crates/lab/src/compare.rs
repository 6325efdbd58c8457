//! Whether two numbers differ: two measurements, two shares, or ours and a published one.
//!
//! In: estimates and counts. Out: differences with intervals and p-values, degrees of agreement. Never: which of two
//! numbers is right.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::estimate::{Estimate, Z95, wilson};

/// The difference between two independent measurements.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The first minus the second.
    pub value: f64,
    /// Lower end of the 95% interval.
    pub low: f64,
    /// Upper end of the 95% interval.
    pub high: f64,
    /// Chance of a difference as large as this in either direction if there were none.
    pub p_value: f64,
    /// The difference in standard errors.
    pub z: f64,
}

impl Difference {
    /// A difference with this standard error, by the normal distribution.
    pub fn new(value: f64, standard_error: f64) -> Difference {
        let z = in_errors(value, standard_error);
        let reach = Z95 * standard_error;
        Difference { value, low: value - reach, high: value + reach, p_value: two_sided(z), z }
    }

    /// Whether chance alone would give such a difference less often than one time in twenty.
    pub fn is_significant(&self) -> bool {
        self.p_value < 0.05
    }
}

/// `a` minus `b`, two measurements made of different games.
pub fn difference(a: &Estimate, b: &Estimate) -> Difference {
    Difference::new(a.value - b.value, a.standard_error.hypot(b.standard_error))
}

/// `n_hits` of `n` games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proportion {
    /// Games that have it.
    pub n_hits: usize,
    /// All games.
    pub n: usize,
}

impl Proportion {
    /// The share.
    pub fn share(self) -> f64 {
        self.n_hits as f64 / self.n as f64
    }
}

/// Whether two shares differ: the test pools them, the interval is Newcombe's (from both Wilson intervals).
pub fn difference_of_shares(a: Proportion, b: Proportion) -> Difference {
    let (p, q) = (a.share(), b.share());
    let (n, m) = (a.n as f64, b.n as f64);
    let z = in_errors(p - q, pooled_error(p, n, q, m));
    let ((p_low, p_high), (q_low, q_high)) = (wilson(p, n), wilson(q, m));
    let value = p - q;
    Difference {
        value,
        low: value - (p - p_low).hypot(q_high - q),
        high: value + (p_high - p).hypot(q - q_low),
        p_value: two_sided(z),
        z,
    }
}

/// A figure as it was published.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Published {
    /// The figure; shares as shares, not percent.
    pub value: f64,
    /// Half a unit of its last digit: 0.005 for 22.26.
    pub half_digit: f64,
    /// How many games it was measured on.
    pub n_games: usize,
}

impl Published {
    /// A figure printed with this many decimals.
    pub fn new(value: f64, n_decimals: i32, n_games: usize) -> Published {
        Published { value, half_digit: 0.5 * 10f64.powi(-n_decimals), n_games }
    }

    /// A percentage printed with this many decimals, as a share.
    pub fn percent(value: f64, n_decimals: i32, n_games: usize) -> Published {
        Published::new(value / 100.0, n_decimals + 2, n_games)
    }

    /// The figure as an estimate, with the spread per game that ours have.
    pub fn as_estimate(&self, ours: &Estimate) -> Estimate {
        let standard_error = ours.deviation_per_game() / (self.n_games as f64).sqrt();
        let reach = Z95 * standard_error;
        let (low, high) = (self.value - reach, self.value + reach);
        Estimate { value: self.value, low, high, standard_error, n: self.n_games }
    }

    /// The standard error of the difference from ours: theirs is taken to have our spread per game.
    fn joint_error(&self, ours: &Estimate) -> f64 {
        ours.standard_error.hypot(ours.deviation_per_game() / (self.n_games as f64).sqrt())
    }

    /// How far ours is from it beyond what rounding explains.
    fn beyond_rounding(&self, ours: f64) -> f64 {
        let apart = ours - self.value;
        // A relative nudge: 22.265 - 22.26 must not exceed 0.005 by a rounding of binary fractions.
        let rounded_away = self.half_digit * (1.0 + 1e-9);
        apart.signum() * (apart.abs() - rounded_away).max(0.0)
    }
}

/// Whether ours and a published figure may be the same number, measured twice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Agreement {
    /// They differ by less than 1.96 standard errors (of both) and the rounding of the published one.
    Agrees {
        /// How many standard errors they differ by.
        z: f64,
    },
    /// They differ by more.
    Differs {
        /// How many standard errors they differ by: positive if ours is larger.
        z: f64,
    },
    /// Too few games of ours to say.
    Unknown,
}

impl Agreement {
    fn from_z(z: f64) -> Agreement {
        match z.abs() {
            off if off <= Z95 => Agreement::Agrees { z },
            off if off > Z95 => Agreement::Differs { z },
            _ => Agreement::Unknown,
        }
    }

    /// Whether they agree.
    pub fn agrees(self) -> bool {
        matches!(self, Agreement::Agrees { .. })
    }
}

/// Whether our mean (or function of means) agrees with a published one.
pub fn agreement(ours: &Estimate, published: Published) -> Agreement {
    if ours.n < 2 || !ours.standard_error.is_finite() {
        return Agreement::Unknown;
    }
    Agreement::from_z(in_errors(published.beyond_rounding(ours.value), published.joint_error(ours)))
}

/// Whether our share agrees with a published one; the variance is that of the pooled share, so 0% and 100% work.
pub fn agreement_of_shares(ours: Proportion, published: Published) -> Agreement {
    if ours.n == 0 || published.n_games == 0 {
        return Agreement::Unknown;
    }
    let error = pooled_error(ours.share(), ours.n as f64, published.value, published.n_games as f64);
    Agreement::from_z(in_errors(published.beyond_rounding(ours.share()), error))
}

/// Holm's correction: p-values of several tests made at once, raised so that one in twenty *reports* claims a
/// difference where there is none, not one in twenty tests.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut highest: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        highest = highest.max(p_values[at] * (p_values.len() - rank) as f64).min(1.0);
        corrected[at] = highest;
    }
    corrected
}

fn pooled_error(p: f64, n: f64, q: f64, m: f64) -> f64 {
    let pooled = ((p * n + q * m) / (n + m)).clamp(0.0, 1.0);
    (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt()
}

fn in_errors(value: f64, standard_error: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value / standard_error }
}

/// The chance of a standard normal number at least this far from 0.
fn two_sided(z: f64) -> f64 {
    if z.is_nan() { f64::NAN } else { (2.0 * Normal::standard().cdf(-z.abs())).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn estimate(value: f64, standard_error: f64, n: usize) -> Estimate {
        let reach = Z95 * standard_error;
        Estimate { value, low: value - reach, high: value + reach, standard_error, n }
    }

    #[test]
    fn differences_by_hand() {
        let apart = difference(&estimate(5.0, 0.3, 100), &estimate(4.0, 0.4, 100));
        near(apart.z, 2.0, 1e-12);
        near(apart.p_value, 0.045_500_3, 1e-6);
        near(apart.low, 1.0 - 0.979_982, 1e-5);
        assert!(apart.is_significant());
        let same = difference(&estimate(5.0, 0.0, 9), &estimate(5.0, 0.0, 9));
        assert_eq!((same.z, same.p_value), (0.0, 1.0));
        let certain = difference(&estimate(5.0, 0.0, 9), &estimate(6.0, 0.0, 9));
        assert_eq!((certain.z, certain.p_value), (f64::NEG_INFINITY, 0.0));
        assert!(!difference(&Estimate::UNKNOWN, &estimate(6.0, 0.0, 9)).is_significant());
    }

    #[test]
    fn shares_by_the_book() {
        // Newcombe 1998, example a: 56/70 - 48/80, method 10: 0.0524 to 0.3339.
        let apart = difference_of_shares(Proportion { n_hits: 56, n: 70 }, Proportion { n_hits: 48, n: 80 });
        near(apart.value, 0.2, 1e-12);
        near(apart.low, 0.0524, 5e-5);
        near(apart.high, 0.3339, 5e-5);
        // Pooled 104/150: error sqrt(0.69333 * 0.30667 * (1/70 + 1/80)).
        near(apart.z, 0.2 / 0.075_466, 1e-3);
        let none = difference_of_shares(Proportion { n_hits: 0, n: 70 }, Proportion { n_hits: 0, n: 80 });
        assert_eq!((none.z, none.p_value), (0.0, 1.0));
    }

    #[test]
    fn agreement_with_print() {
        // Ours: 10,000 games, 0.02 each way; theirs 100 games: error 0.2, joint 0.200998.
        let ours = estimate(22.5, 0.02, 10_000);
        let Agreement::Agrees { z } = agreement(&ours, Published::new(22.26, 2, 100)) else { panic!() };
        near(z, (0.24 - 0.005) / 0.200_998, 1e-3);
        let Agreement::Differs { z } = agreement(&ours, Published::new(23.5, 1, 100)) else { panic!() };
        near(z, -(1.0 - 0.05) / 0.200_998, 1e-3);
        // Rounding alone: a constant that is published as 22.5 may be 22.46.
        assert!(agreement(&estimate(22.46, 0.0, 9), Published::new(22.5, 1, 100)).agrees());
        assert!(!agreement(&estimate(22.44, 0.0, 9), Published::new(22.5, 1, 100)).agrees());
        assert_eq!(agreement(&estimate(22.44, 0.0, 1), Published::new(22.5, 1, 100)), Agreement::Unknown);
    }

    #[test]
    fn agreement_of_percentages() {
        let agrees = |n_hits, n, percent| {
            agreement_of_shares(Proportion { n_hits, n }, Published::percent(percent, 0, 100)).agrees()
        };
        assert!(agrees(0, 1000, 0.0) && agrees(1000, 1000, 100.0));
        assert!(agrees(15, 1000, 0.0) && agrees(870, 1000, 84.0));
        assert!(!agrees(100, 1000, 0.0) && !agrees(700, 1000, 84.0));
    }

    #[test]
    fn many_tests_at_once() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        corrected.iter().zip([0.03, 0.06, 0.06, 0.02]).for_each(|(a, b)| near(*a, b, 1e-12));
        assert!(holm(&[]).is_empty());
    }
}

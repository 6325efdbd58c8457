//! A number with its 95% interval, and the three ways in which ours are made.
//!
//! In: one value for each game, or a count. Out: [`Estimate`]. Never: which measure of a game it is.
//!
//! *Means and functions of means* (the delta method): a measure f of the means of several things counted in each game
//! has for game i the influence `u_i = sum over k of df/dmean_k * (x_ki - mean_k)`. Then
//! `standard error = sqrt(sum u_i^2 / (n - 1) / n)`, which holds the covariances without writing them down, and the
//! interval is `value ± t * standard error` with Student's t of n - 1 degrees.
//!
//! Of fewer than five games such an interval may be wider than the value itself (Student's t of one degree is 12.7), or
//! have no width because two games were alike. It then says nothing, and there is none: see [`Estimate::has_interval`].
//!
//! *Shares*: Wilson's interval, which is right for 0 of n too. *Quantiles*: the order statistics whose ranks are
//! `n q ± 1.96 sqrt(n q (1 - q))`.
//!
//! Sums run in the order of the slice, so the same games in the same order give the same bits.

use std::fmt;

use ashta_messages::{Arg, Language, ToArg, message};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The normal quantile of a two-sided 95% interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// From so many games on an interval is given, however wide it is.
const ENOUGH: usize = 5;

/// A value, how well it is known, and from how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The best guess; not a number if nothing was measured.
    pub value: f64,
    /// Lower end of the 95% interval; minus infinity if too few games were measured.
    pub low: f64,
    /// Upper end of the 95% interval.
    pub high: f64,
    /// Standard error of the value.
    pub standard_error: f64,
    /// How many games it is made from.
    pub n: usize,
}

impl Estimate {
    /// What is known when nothing was measured.
    pub const UNKNOWN: Estimate = Estimate {
        value: f64::NAN,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        standard_error: f64::INFINITY,
        n: 0,
    };

    /// A value whose games have these influences (see the head of this file).
    pub fn from_influences(value: f64, influences: impl ExactSizeIterator<Item = f64>) -> Estimate {
        let n = influences.len();
        if n == 0 {
            return Estimate::UNKNOWN;
        }
        if n == 1 {
            return Estimate { value, n, ..Estimate::UNKNOWN };
        }
        Estimate::from_squares(value, n, influences.map(|u| u * u).sum())
    }

    /// A mean of `n` numbers, of which only the sum and the sum of their squares are known.
    pub fn mean_of_sums(n: u64, sum: u64, squared_sum: u64) -> Estimate {
        let value = sum as f64 / n as f64;
        // n * squares - sum * sum, exact: both fit 128 bits, and the first is the larger unless the sums are forged.
        let (squares, sum) = (u128::from(n) * u128::from(squared_sum), u128::from(sum));
        let spread = squares.saturating_sub(sum.saturating_mul(sum)) as f64 / n as f64;
        match n {
            0 => Estimate::UNKNOWN,
            1 => Estimate { value, n: 1, ..Estimate::UNKNOWN },
            _ => Estimate::from_squares(value, n as usize, spread),
        }
    }

    /// A value of at least two games, from the sum of the squares of their influences.
    fn from_squares(value: f64, n: usize, squares: f64) -> Estimate {
        let standard_error = (squares / (n - 1) as f64 / n as f64).sqrt();
        let reach = student_95(n - 1) * standard_error;
        let says_something = reach > 0.0 && reach <= value.abs() / 2.0;
        if n >= ENOUGH || says_something {
            Estimate { value, low: value - reach, high: value + reach, standard_error, n }
        } else {
            Estimate { value, n, standard_error, ..Estimate::UNKNOWN }
        }
    }

    /// The same with an interval that keeps within the values that there can be.
    pub fn within(self, lowest: f64, highest: f64) -> Estimate {
        if self.has_interval() {
            Estimate { low: self.low.max(lowest), high: self.high.min(highest), ..self }
        } else {
            self
        }
    }

    /// Whether enough was measured for an interval that says something.
    pub fn has_interval(&self) -> bool {
        self.reach().is_finite()
    }

    /// The mean of one number for each game.
    ///
    /// ```
    /// use ashta_lab::Estimate;
    ///
    /// let mean = Estimate::mean(&[40.0, 52.0, 47.0, 61.0, 50.0, 44.0]);
    /// assert_eq!(mean.value, 49.0);
    /// assert!(mean.low < 49.0 && 49.0 < mean.high);
    /// ```
    pub fn mean(values: &[f64]) -> Estimate {
        let mean = mean(values);
        Estimate::from_influences(mean, values.iter().map(|x| x - mean))
    }

    /// The share of games that have something: `n_hits` of `n`, with Wilson's interval.
    ///
    /// ```
    /// use ashta_lab::Estimate;
    ///
    /// // An interval of a share never leaves 0 to 1, and has a width even if nothing was seen.
    /// let draws = Estimate::share(0, 50);
    /// assert_eq!((draws.value, draws.low), (0.0, 0.0));
    /// assert!(0.0 < draws.high && draws.high < 0.1);
    /// ```
    pub fn share(n_hits: usize, n: usize) -> Estimate {
        if n == 0 {
            return Estimate { low: 0.0, high: 1.0, ..Estimate::UNKNOWN };
        }
        let (games, share) = (n as f64, n_hits as f64 / n as f64);
        let (low, high) = wilson(share, games);
        Estimate { value: share, low, high, standard_error: (share * (1.0 - share) / games).sqrt(), n }
    }

    /// A quantile of sorted values; `q` lies between 0 and 1.
    pub fn quantile(sorted: &[f64], q: f64) -> Estimate {
        let n = sorted.len();
        let Some(last) = n.checked_sub(1) else { return Estimate::UNKNOWN };
        // The q-quantile is the smallest value that has at least the share q of all values at or below it.
        let at = |rank: f64| sorted[(rank.ceil().max(1.0) as usize - 1).min(last)];
        let (middle, reach) = (n as f64 * q, Z95 * (n as f64 * q * (1.0 - q)).sqrt());
        let (low, high) = (at(middle - reach), at(middle + reach + 1.0));
        Estimate { value: at(middle), low, high, standard_error: (high - low) / (2.0 * Z95), n }
    }

    /// The same in another unit, or from another zero: `value * factor + offset`.
    pub fn rescaled(&self, factor: f64, offset: f64) -> Estimate {
        let ends = [self.low * factor + offset, self.high * factor + offset];
        Estimate {
            value: self.value * factor + offset,
            low: ends[0].min(ends[1]),
            high: ends[0].max(ends[1]),
            standard_error: self.standard_error * factor.abs(),
            n: self.n,
        }
    }

    /// Half the width of the interval.
    pub fn reach(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The standard deviation of what one game contributes.
    pub fn deviation_per_game(&self) -> f64 {
        self.standard_error * (self.n as f64).sqrt()
    }

    /// Decimal places at which the interval still has two figures that count.
    pub fn n_decimals(&self) -> usize {
        match self.reach() {
            reach if reach > 0.0 && reach.is_finite() => {
                (1.0 - reach.log10().floor()).clamp(0.0, 9.0) as usize
            }
            // Three figures that count.
            reach if !reach.is_finite() && self.value.is_normal() => {
                (2.0 - self.value.abs().log10().floor()).clamp(0.0, 9.0) as usize
            }
            _ => 3,
        }
    }
}

impl Estimate {
    /// The value and its reach with so many decimals: `0.0712 ± 0.0003`.
    pub fn with_decimals(&self, n: usize) -> Arg {
        let (value, reach) = (self.value, self.reach());
        match (value.is_finite(), reach.is_finite()) {
            (true, true) => format!("{value:.n$} ± {reach:.n$}").to_arg(),
            (true, false) => message!("lab.too-few-games", value = format!("{value:.n$}")).to_arg(),
            (false, _) if value.is_infinite() && self.low.is_finite() => {
                format!("> {:.0}", self.low).to_arg()
            }
            (false, _) => "–".to_arg(),
        }
    }
}

/// With as many decimals as mean something.
impl ToArg for Estimate {
    fn to_arg(&self) -> Arg {
        self.with_decimals(self.n_decimals())
    }
}

/// In English.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_decimals = f.precision().unwrap_or(self.n_decimals());
        f.write_str(&self.with_decimals(n_decimals).text(Language::English))
    }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Wilson's score interval for a share seen in `n` games.
pub(crate) fn wilson(share: f64, n: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let reach = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // At 0 and 1 the ends are exact, but for rounding.
    let low = if share <= 0.0 { 0.0 } else { (centre - reach).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + reach).min(1.0) };
    (low, high)
}

fn student_95(n_degrees: usize) -> f64 {
    StudentsT::new(0.0, 1.0, n_degrees as f64).map_or(Z95, |t| t.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn a_mean_by_hand() {
        // 11, 12, 13, 14: deviation sqrt(5/3), standard error 0.645497, t of 3 degrees 3.182446.
        let mean = Estimate::mean(&[11.0, 12.0, 13.0, 14.0]);
        assert_eq!((mean.value, mean.n), (12.5, 4));
        near(mean.standard_error, 0.645_497_2, 1e-6);
        near(mean.high - mean.value, 3.182_446 * 0.645_497_2, 1e-5);
        near(mean.deviation_per_game(), (5f64 / 3.0).sqrt(), 1e-12);
    }

    #[test]
    fn shares_by_the_book() {
        // Wilson 1927, as worked in Newcombe 1998: 81 of 263 is 0.2553 to 0.3662; 0 of 20 is 0 to 0.1611.
        let share = Estimate::share(81, 263);
        near(share.low, 0.2553, 5e-5);
        near(share.high, 0.3662, 5e-5);
        assert_eq!(Estimate::share(0, 20).low, 0.0);
        near(Estimate::share(0, 20).high, 0.1611, 5e-5);
        assert_eq!(Estimate::share(29, 29).high, 1.0);
        near(Estimate::share(29, 29).low, 0.8830, 5e-5);
    }

    #[test]
    fn quantiles_by_hand() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let median = Estimate::quantile(&values, 0.5);
        // Ranks 50 ± 9.8: the 41st and the 61st, as tables for the median of 100 give.
        assert_eq!((median.value, median.low, median.high), (50.0, 41.0, 61.0));
        assert_eq!(Estimate::quantile(&[7.0], 0.95).value, 7.0);
        assert!(Estimate::quantile(&[], 0.5).value.is_nan());
    }

    #[test]
    fn little_is_known_from_little() {
        assert!(Estimate::mean(&[]).value.is_nan());
        let one = Estimate::mean(&[4.0]);
        assert_eq!((one.value, one.high), (4.0, f64::INFINITY));
        assert_eq!(one.to_string(), "4.00 (too few games)");
        assert_eq!(Estimate::UNKNOWN.to_string(), "–");
        // Two pairs of games, one won and one drawn: 75% and no interval; nor is there one of two that are alike.
        let score = Estimate::mean(&[1.0, 0.5]).rescaled(100.0, 0.0);
        assert!(!score.has_interval() && !Estimate::mean(&[0.5, 0.5]).has_interval());
        assert_eq!(format!("{score:.1}"), "75.0 (too few games)");
        // Two lengths that are near each other do tell something, and so do five games, whatever they are.
        assert_eq!(Estimate::mean(&[60.0, 61.0]).to_string(), "60.5 ± 6.4");
        assert!(Estimate::mean(&[0.0, 1.0, 0.0, 1.0, 0.0]).has_interval());
        let bounded = Estimate::mean(&[0.0, 1.0, 1.0, 1.0, 1.0]).within(0.0, 1.0);
        assert_eq!(bounded.high, 1.0);
    }

    #[test]
    fn shown_with_the_places_that_count() {
        let shown = |value, reach| {
            let (low, high) = (value - reach, value + reach);
            Estimate { value, low, high, standard_error: reach / 2.0, n: 9 }.to_string()
        };
        assert_eq!(shown(0.071_234, 0.000_31), "0.07123 ± 0.00031");
        assert_eq!(shown(421.59, 12.3), "422 ± 12");
        assert_eq!(shown(22.26, 1.05), "22.3 ± 1.1");
    }
}

//! Score of a match: wins, draws, losses, Elo difference with its interval, SPRT.
//!
//! In: results of pairs. Out: estimates. Never: games.
//!
//! A pair's score is the mean of its two games; pairs are independent, the two games of one are not. So the standard error
//! is that of the pairs' scores (the pentanomial count: 0, 1/2, 1, 3/2 or 2 points of 2), and draws and openings narrow it
//! as they should. Elo = -400 log10(1/score - 1); its interval is the score's, turned into Elo.

use std::fmt;
use std::str::FromStr;

use ashta_messages::Tell;
use serde::{Deserialize, Serialize};

use crate::byte_reader::TallyError;
use crate::estimate::Estimate;
use crate::journal::JournalRecord;

/// What a pair of games came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairPlayed {
    /// Half points of the first competitor: as the side that moves first, and as the other.
    pub points: [u8; 2],
    /// How long each game was.
    pub n_plies: [u32; 2],
}

impl JournalRecord for PairPlayed {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.points);
        self.n_plies.iter().for_each(|n| bytes.extend_from_slice(&n.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Result<PairPlayed, TallyError> {
        let [first, second, rest @ ..] = bytes else { return Err(TallyError::Short { at: bytes.len() }) };
        let ([one, two], after) = rest.as_chunks::<4>() else {
            return Err(TallyError::Short { at: bytes.len() });
        };
        if !after.is_empty() {
            return Err(TallyError::Long { n_left: after.len() });
        }
        if let Some(code) = [*first, *second].into_iter().find(|points| *points > 2) {
            return Err(TallyError::Winner { code });
        }
        Ok(PairPlayed {
            points: [*first, *second],
            n_plies: [u32::from_le_bytes(*one), u32::from_le_bytes(*two)],
        })
    }
}

/// The score of the first competitor.
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    /// Wins, draws and losses as the side that moves first.
    pub moving_first: [u32; 3],
    /// Wins, draws and losses as the side that moves second.
    pub moving_second: [u32; 3],
    /// Pairs by their points: 0, 1/2, 1, 3/2, 2.
    pub pentanomial: [u32; 5],
    /// The mean score of a game, with its interval.
    pub mean: Estimate,
    /// Plies of all games.
    pub n_plies: u64,
}

impl Score {
    /// Of some pairs.
    pub fn of(pairs: &[PairPlayed]) -> Score {
        let (mut moving_first, mut moving_second, mut pentanomial) = ([0; 3], [0; 3], [0; 5]);
        for pair in pairs {
            moving_first[usize::from(2 - pair.points[0].min(2))] += 1;
            moving_second[usize::from(2 - pair.points[1].min(2))] += 1;
            pentanomial[usize::from(pair.points[0].min(2) + pair.points[1].min(2))] += 1;
        }
        let scores: Vec<f64> =
            pairs.iter().map(|pair| f64::from(pair.points[0] + pair.points[1]) / 4.0).collect();
        let n_plies = pairs.iter().flat_map(|pair| pair.n_plies).map(u64::from).sum();
        let mean = Estimate::mean(&scores).within(0.0, 1.0);
        Score { moving_first, moving_second, pentanomial, mean, n_plies }
    }

    /// The Elo difference, positive if the first competitor is stronger.
    pub fn elo(&self) -> Estimate {
        let [value, low, high] = [self.mean.value, self.mean.low, self.mean.high].map(elo_of);
        let slope = 400.0 / std::f64::consts::LN_10 / (self.mean.value * (1.0 - self.mean.value));
        Estimate { value, low, high, standard_error: self.mean.standard_error * slope, n: self.mean.n }
    }

    /// The logarithm of how much likelier the pairs are under the second hypothesis than under the first, by the normal
    /// distribution with the pairs' own variance.
    pub fn log_likelihood_ratio(&self, sprt: &Sprt) -> f64 {
        let (low, high) = (score_of(sprt.elo0), score_of(sprt.elo1));
        if self.mean.n < LEAST_PAIRS {
            return 0.0;
        }
        // What never happened is counted as all but never, so that a clean sweep has a variance.
        let counts = self.pentanomial.map(|count| f64::from(count).max(ALL_BUT_NEVER));
        let n: f64 = counts.iter().sum();
        let weighted = |of: &dyn Fn(f64) -> f64| -> f64 {
            counts.iter().enumerate().map(|(points, count)| count * of(points as f64 / 4.0)).sum::<f64>() / n
        };
        let mean = weighted(&|score| score);
        let variance = weighted(&|score| (score - mean).powi(2));
        n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }
}

/// Pairs of an outcome that was not seen.
const ALL_BUT_NEVER: f64 = 1e-3;
/// Before so many pairs a variance means little, and nothing is decided.
const LEAST_PAIRS: usize = 10;

/// The Elo difference that gives a score.
pub fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential test: stop when it is clear whether the difference is `elo0` or `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sprt {
    /// The difference if nothing is gained.
    pub elo0: f64,
    /// The difference that would be worth having.
    pub elo1: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtDecision {
    /// The first hypothesis.
    Lower,
    /// The second.
    Upper,
    /// Not yet.
    Open,
}

/// Both errors that the test may make.
const ERROR: f64 = 0.05;

impl Sprt {
    /// Where the log-likelihood ratio decides, each way.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// What it says of a score.
    pub fn decision(&self, score: &Score) -> SprtDecision {
        match score.log_likelihood_ratio(self) {
            ratio if ratio >= Sprt::bound() => SprtDecision::Upper,
            ratio if ratio <= -Sprt::bound() => SprtDecision::Lower,
            _ => SprtDecision::Open,
        }
    }
}

/// Text that is no sequential test.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("lab.sprt")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let wrong = || SprtError(text.chars().take(40).collect());
        let (elo0, elo1) = text.split_once(':').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 2000.0);
        match (number(elo0), number(elo1)) {
            (Some(elo0), Some(elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.elo0, self.elo1)
    }
}

impl TryFrom<String> for Sprt {
    type Error = SprtError;

    fn try_from(text: String) -> Result<Sprt, SprtError> {
        text.parse()
    }
}

impl From<Sprt> for String {
    fn from(sprt: Sprt) -> String {
        sprt.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_then_read_is_the_same_and_other_bytes_are_refused() {
        let pair = PairPlayed { points: [2, 1], n_plies: [7, 1000] };
        let mut bytes = Vec::new();
        pair.write(&mut bytes);
        assert_eq!(PairPlayed::read(&bytes), Ok(pair));
        assert!((0..bytes.len()).all(|length| PairPlayed::read(&bytes[..length]).is_err()));
        bytes[0] = 3;
        assert_eq!(PairPlayed::read(&bytes), Err(TallyError::Winner { code: 3 }));
    }

    fn pairs(points: &[[u8; 2]], times: usize) -> Vec<PairPlayed> {
        let one = points.iter().map(|points| PairPlayed { points: *points, n_plies: [10, 20] });
        std::iter::repeat_n(one.collect::<Vec<_>>(), times).flatten().collect()
    }

    #[test]
    fn counts_by_colour_and_by_pair() {
        let score = Score::of(&pairs(&[[2, 0], [1, 1], [2, 2], [0, 1]], 1));
        assert_eq!((score.moving_first, score.moving_second), ([2, 1, 1], [1, 2, 1]));
        assert_eq!((score.pentanomial, score.n_plies), ([0, 1, 2, 0, 1], 120));
        assert_eq!(score.mean.value, 0.5625);
    }

    #[test]
    fn elo_by_the_book() {
        // A score of 10/11 is 400 points, three quarters are 190.85.
        assert!((elo_of(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((elo_of(0.75) - 190.848_5).abs() < 1e-3);
        assert_eq!(elo_of(0.5), 0.0);
        assert_eq!((elo_of(1.0), elo_of(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
        let even = Score::of(&pairs(&[[2, 0], [0, 2]], 50)).elo();
        assert_eq!((even.value, even.standard_error), (0.0, 0.0));
    }

    #[test]
    fn the_test_decides_when_it_is_clear() {
        let sprt: Sprt = "0:30".parse().expect("a pair of differences");
        assert_eq!(sprt.decision(&Score::of(&pairs(&[[2, 0], [2, 1]], 200))), SprtDecision::Upper);
        assert_eq!(sprt.decision(&Score::of(&pairs(&[[2, 0], [0, 1], [0, 2]], 200))), SprtDecision::Lower);
        assert_eq!(sprt.decision(&Score::of(&pairs(&[[2, 0], [2, 1]], 2))), SprtDecision::Open);
        assert_eq!(sprt.decision(&Score::of(&pairs(&[[2, 2]], 20))), SprtDecision::Upper, "a clean sweep");
        for wrong in ["", "5", "5:5", "20:0", "x:1"] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }
}

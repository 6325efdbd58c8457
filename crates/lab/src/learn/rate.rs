//! The learning rate by game: `0.05:0.002@3000`.
//!
//! In: text. Out: the rate of each game, or what was wrong. Never: weights.

use std::fmt;
use std::str::FromStr;

use ashta_messages::Tell;
use serde::{Deserialize, Serialize};

/// A rate that shrinks evenly after every game until it is reached, and stays.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate {
    /// Of the first game.
    pub first: f64,
    /// Of the last.
    pub last: f64,
    /// From which game on it is the last.
    pub until: u32,
}

/// Text that is no rate.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("lab.rate")]
pub struct RateError(String);

impl Rate {
    /// Of a game, counted from 0.
    pub fn of_game(&self, game: u32) -> f64 {
        if game >= self.until {
            return self.last;
        }
        self.first + (self.last - self.first) * f64::from(game) / f64::from(self.until)
    }
}

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Rate, RateError> {
        let wrong = || RateError(text.chars().take(40).collect());
        let number = |text: &str| {
            let number: Option<f64> = text.trim().parse().ok();
            number.filter(|number| (0.0..=10.0).contains(number)).ok_or_else(wrong)
        };
        match text.split_once(':') {
            None => Ok(Rate { first: number(text)?, last: number(text)?, until: 0 }),
            Some((first, rest)) => {
                let (last, until) = rest.split_once('@').ok_or_else(wrong)?;
                let until = until.trim().parse().map_err(|_| wrong())?;
                Ok(Rate { first: number(first)?, last: number(last)?, until })
            }
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.until {
            0 => write!(f, "{}", self.last),
            until => write!(f, "{}:{}@{until}", self.first, self.last),
        }
    }
}

impl TryFrom<String> for Rate {
    type Error = RateError;

    fn try_from(text: String) -> Result<Rate, RateError> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> String {
        rate.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_rate() {
        let rate: Rate = "0.05:0.002@3000".parse().expect("it is the paper's");
        assert_eq!((rate.of_game(0), rate.of_game(3000), rate.of_game(9999)), (0.05, 0.002, 0.002));
        assert!((rate.of_game(1500) - 0.026).abs() < 1e-12);
        assert_eq!(rate.to_string(), "0.05:0.002@3000");
        assert_eq!("0.01".parse::<Rate>().expect("plain").of_game(7), 0.01);
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        for text in ["", "x", "0.05:0.002", "-1", "0.05:0.002@x", "11", "NaN"] {
            let error = text.parse::<Rate>().expect_err(text);
            assert!(error.to_string().starts_with(&format!("`{text}` is not a learning rate")), "{error}");
        }
    }
}

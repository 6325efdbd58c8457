//! Every measure of a game, from the rows of the games played.
//!
//! In: rows and the conventions of an experiment. Out: [`Measures`], each with its interval. Never: how games are played.
//!
//! B is the branching factor (legal moves), D the length (plies). For game i with m_i legal moves in d_i plies:
//!
//! | measure | value | influence of game i |
//! |---|---|---|
//! | B over games | mean of `m_i / d_i` | `b_i = m_i / d_i - B` |
//! | B over plies | `sum m_i / sum d_i` | `b_i = (m_i - B d_i) / D` |
//! | D | mean of `d_i` | `l_i = d_i - D` |
//! | E = sqrt(B) / D | | `E (b_i / 2B - l_i / D)` |
//! | B / D | | `b_i / D - B l_i / D^2` |
//! | B D | | `D b_i + B l_i` |
//! | log10 B^D = D log10 B | | `l_i log10 B + D b_i / (B ln 10)` |
//! | x per ply (captures, checks) | `R = sum x_i / sum d_i` | `(x_i - R d_i) / D` |

use ashta_messages::{Arg, Message, ToArg, message};
use ashta_position::Reason;
use serde::{Deserialize, Serialize};

use crate::estimate::{Estimate, mean};
use crate::openings::effective_openings;
use crate::tally::GameRow;

/// How B is averaged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Average {
    /// The mean over games of each game's own mean.
    Games,
    /// All legal moves divided by all plies: long games weigh more.
    Plies,
}

/// What becomes of drawn games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drawn {
    /// They count like any other.
    Counted,
    /// They do not count in what is measured along the game; results and openings always count all games.
    LeftOut,
}

/// What published experiments leave open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Conventions {
    /// How B is averaged.
    pub branching: Average,
    /// Whether drawn games count.
    pub drawn: Drawn,
}

impl Conventions {
    /// The conventions as sentences for a report.
    pub fn words(self) -> [Message; 2] {
        let branching = match self.branching {
            Average::Games => message!("lab.convention-mean-over-games"),
            Average::Plies => message!("lab.convention-mean-over-plies"),
        };
        let drawn = match self.drawn {
            Drawn::Counted => message!("lab.convention-draws-counted"),
            Drawn::LeftOut => message!("lab.convention-draws-left-out"),
        };
        [branching, drawn]
    }
}

/// The quantiles of game length that are reported.
pub const LENGTH_QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// All that is measured of one game under one set of players.
#[derive(Clone, PartialEq, Debug)]
pub struct Measures {
    /// Games played.
    pub n_games: usize,
    /// Games that count under the conventions.
    pub n_counted: usize,
    /// B, mean number of legal moves.
    pub branching: Estimate,
    /// D, mean length in plies.
    pub length: Estimate,
    /// E = sqrt(B) / D.
    pub complexity: Estimate,
    /// B / D.
    pub ratio: Estimate,
    /// B D.
    pub product: Estimate,
    /// log10 of B^D: the size of the game tree.
    pub tree_size: Estimate,
    /// Share of games drawn.
    pub draws: Estimate,
    /// Share of games won, by side.
    pub wins: Vec<Estimate>,
    /// Share of games that somebody won.
    pub decisiveness: Estimate,
    /// The first side's mean score (a win 1, a draw 1 / sides) minus its fair share, 1 / sides.
    pub first_side_advantage: Estimate,
    /// Share of games that ended for each reason, in the order of [`Reason::ALL`].
    pub reasons: Vec<(Reason, Estimate)>,
    /// Effective number of openings after each of [`crate::OPENING_PLIES`].
    pub openings: [Estimate; 2],
    /// Lead changes in a game.
    pub lead_changes: Estimate,
    pub captures: Estimate,
    pub checks: Estimate,
    /// Game length at each of [`LENGTH_QUANTILES`].
    pub length_quantiles: [Estimate; 5],
}

impl Measures {
    /// Measures games of `n_sides` sides, in the order of the rows.
    pub fn of(rows: &[GameRow], n_sides: usize, conventions: Conventions) -> Measures {
        let counts = |row: &&GameRow| conventions.drawn == Drawn::Counted || !row.is_drawn();
        let counted: Vec<GameRow> = rows.iter().filter(counts).copied().collect();
        let series = BranchingAndLength::of(&counted, conventions.branching);
        let n_drawn = rows.iter().filter(|row| row.is_drawn()).count();
        let ended = |reason| rows.iter().filter(|row| row.reason == reason).count();
        Measures {
            n_games: rows.len(),
            n_counted: counted.len(),
            branching: series.branching(),
            length: series.length(),
            complexity: series.complexity(),
            ratio: series.ratio(),
            product: series.product(),
            tree_size: series.tree_size(),
            draws: Estimate::share(n_drawn, rows.len()),
            wins: (0..n_sides).map(|side| Estimate::share(n_won(rows, side), rows.len())).collect(),
            decisiveness: Estimate::share(rows.len() - n_drawn, rows.len()),
            first_side_advantage: first_side_advantage(rows, n_sides),
            reasons: Reason::ALL.map(|reason| (reason, Estimate::share(ended(reason), rows.len()))).to_vec(),
            openings: [0, 1].map(|at| effective_openings(rows.iter().map(|row| row.openings[at]))),
            lead_changes: Estimate::mean(&column(&counted, |row| f64::from(row.n_lead_changes))),
            captures: series.per_ply(&column(&counted, |row| f64::from(row.n_captures))),
            checks: series.per_ply(&column(&counted, |row| f64::from(row.n_checks))),
            length_quantiles: series.length_quantiles(),
        }
    }

    pub fn get(&self, measure: Measure) -> &Estimate {
        match measure {
            Measure::Complexity => &self.complexity,
            Measure::Branching => &self.branching,
            Measure::Length => &self.length,
            Measure::Ratio => &self.ratio,
            Measure::Product => &self.product,
            Measure::TreeSize => &self.tree_size,
            Measure::Draws => &self.draws,
            Measure::Decisiveness => &self.decisiveness,
            Measure::FirstSideAdvantage => &self.first_side_advantage,
            Measure::LeadChanges => &self.lead_changes,
            Measure::Captures => &self.captures,
            Measure::Checks => &self.checks,
        }
    }
}

/// A measure that is one number: the one list of their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// E = sqrt(B) / D.
    Complexity,
    Branching,
    Length,
    /// B / D.
    Ratio,
    /// B D.
    Product,
    /// log10 of B^D.
    TreeSize,
    /// Share of games drawn.
    Draws,
    /// Share of games that somebody won.
    Decisiveness,
    /// The first side's score above its fair share.
    FirstSideAdvantage,
    /// Lead changes in a game.
    LeadChanges,
    Captures,
    Checks,
}

impl Measure {
    /// Every measure, in the order of this list.
    pub const ALL: [Measure; 12] = [
        Measure::Complexity,
        Measure::Branching,
        Measure::Length,
        Measure::Ratio,
        Measure::Product,
        Measure::TreeSize,
        Measure::Draws,
        Measure::Decisiveness,
        Measure::FirstSideAdvantage,
        Measure::LeadChanges,
        Measure::Captures,
        Measure::Checks,
    ];

    /// Its short name, as written in a command.
    pub fn symbol(self) -> &'static str {
        match self {
            Measure::Complexity => "E",
            Measure::Branching => "B",
            Measure::Length => "D",
            Measure::Ratio => "B/D",
            Measure::Product => "BxD",
            Measure::TreeSize => "log10(B^D)",
            Measure::Draws => "draws",
            Measure::Decisiveness => "decisive",
            Measure::FirstSideAdvantage => "first-side",
            Measure::LeadChanges => "lead-changes",
            Measure::Captures => "captures",
            Measure::Checks => "checks",
        }
    }

    /// Its short name in a report.
    pub fn short_name(self) -> Arg {
        match self {
            Measure::Complexity
            | Measure::Branching
            | Measure::Length
            | Measure::Ratio
            | Measure::TreeSize => self.symbol().to_arg(),
            Measure::Product => message!("lab.symbol-product").to_arg(),
            Measure::Draws => message!("lab.symbol-draws").to_arg(),
            Measure::Decisiveness => message!("lab.symbol-decisiveness").to_arg(),
            Measure::FirstSideAdvantage => message!("lab.symbol-first-side-advantage").to_arg(),
            Measure::LeadChanges => message!("lab.symbol-lead-changes").to_arg(),
            Measure::Captures => message!("lab.symbol-captures").to_arg(),
            Measure::Checks => message!("lab.symbol-checks").to_arg(),
        }
    }

    /// What it is, in words, with its unit.
    pub fn words(self) -> Message {
        match self {
            Measure::Complexity => message!("lab.measure-complexity"),
            Measure::Branching => message!("lab.measure-branching"),
            Measure::Length => message!("lab.measure-length"),
            Measure::Ratio => message!("lab.measure-ratio"),
            Measure::Product => message!("lab.measure-product"),
            Measure::TreeSize => message!("lab.measure-tree-size"),
            Measure::Draws => message!("lab.measure-draws"),
            Measure::Decisiveness => message!("lab.measure-decisiveness"),
            Measure::FirstSideAdvantage => message!("lab.measure-first-side-advantage"),
            Measure::LeadChanges => message!("lab.measure-lead-changes"),
            Measure::Captures => message!("lab.measure-captures"),
            Measure::Checks => message!("lab.measure-checks"),
        }
    }

    /// Whether it is a share of games, best shown in percent.
    pub fn is_share(self) -> bool {
        matches!(self, Measure::Draws | Measure::Decisiveness | Measure::FirstSideAdvantage)
    }
}

/// What is measured along the game: lengths, and each game's influence on B and on D.
struct BranchingAndLength {
    b: f64,
    d: f64,
    lengths: Vec<f64>,
    b_influences: Vec<f64>,
    d_influences: Vec<f64>,
}

impl BranchingAndLength {
    fn of(rows: &[GameRow], average: Average) -> BranchingAndLength {
        let lengths = column(rows, |row| f64::from(row.n_plies));
        let d = mean(&lengths);
        let (b, b_influences) = match average {
            Average::Games => {
                let means = column(rows, GameRow::mean_moves);
                let b = mean(&means);
                (b, means.iter().map(|x| x - b).collect())
            }
            Average::Plies => {
                let moves = column(rows, |row| row.n_moves as f64);
                let b = mean(&moves) / d;
                (b, moves.iter().zip(&lengths).map(|(m, l)| (m - b * l) / d).collect())
            }
        };
        let d_influences = lengths.iter().map(|l| l - d).collect();
        BranchingAndLength { b, d, lengths, b_influences, d_influences }
    }

    fn estimate(&self, value: f64, by_b: f64, by_d: f64) -> Estimate {
        let pairs = self.b_influences.iter().zip(&self.d_influences);
        Estimate::from_influences(value, pairs.map(|(b, d)| by_b * b + by_d * d))
    }

    fn branching(&self) -> Estimate {
        self.estimate(self.b, 1.0, 0.0)
    }

    fn length(&self) -> Estimate {
        self.estimate(self.d, 0.0, 1.0)
    }

    fn complexity(&self) -> Estimate {
        let e = self.b.sqrt() / self.d;
        self.estimate(e, e / (2.0 * self.b), -e / self.d)
    }

    fn ratio(&self) -> Estimate {
        self.estimate(self.b / self.d, 1.0 / self.d, -self.b / (self.d * self.d))
    }

    fn product(&self) -> Estimate {
        self.estimate(self.b * self.d, self.d, self.b)
    }

    fn tree_size(&self) -> Estimate {
        let log = self.b.log10();
        self.estimate(self.d * log, self.d / (self.b * std::f64::consts::LN_10), log)
    }

    fn per_ply(&self, counts: &[f64]) -> Estimate {
        let rate = mean(counts) / self.d;
        let influence = |(x, l): (&f64, &f64)| (x - rate * l) / self.d;
        Estimate::from_influences(rate, counts.iter().zip(&self.lengths).map(influence))
    }

    fn length_quantiles(&self) -> [Estimate; 5] {
        let mut sorted = self.lengths.clone();
        sorted.sort_by(f64::total_cmp);
        LENGTH_QUANTILES.map(|q| Estimate::quantile(&sorted, q))
    }
}

fn column(rows: &[GameRow], value: impl Fn(&GameRow) -> f64) -> Vec<f64> {
    rows.iter().map(value).collect()
}

fn n_won(rows: &[GameRow], side: usize) -> usize {
    rows.iter().filter(|row| row.winner.is_some_and(|winner| usize::from(winner) == side)).count()
}

fn first_side_advantage(rows: &[GameRow], n_sides: usize) -> Estimate {
    let fair = 1.0 / n_sides as f64;
    let score = |row: &GameRow| match row.winner {
        Some(0) => 1.0,
        Some(_) => 0.0,
        None => fair,
    };
    Estimate::mean(&column(rows, |row| score(row) - fair))
}

#[cfg(test)]
#[path = "measures_tests.rs"]
mod tests;

//! The progress protocol of jobs: lines of JSON from the command to the server.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Progress of a job and its results so far.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
pub struct JobProgress {
    /// Games that are done.
    pub done: u64,
    /// Games that there will be, if that is known.
    pub of: Option<u64>,
    /// Estimates so far, one for each game and set of players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellProgress>,
    /// Curves of weights so far, one for each run of a learner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<CurveProgress>,
    /// Scores so far, one for each game of a match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<ScoreProgress>,
    /// Positions that were counted so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<CountProgress>,
}

/// The last line of a job that fails with a message.
#[derive(Serialize, Deserialize, Debug)]
pub struct JobFailure {
    /// Stable code of the message.
    pub code: String,
}

/// A game measured under one set of players.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct CellProgress {
    /// As it was named.
    pub name: String,
    /// The game with its changes.
    pub game: String,
    /// One for each side.
    pub players: Vec<String>,
    /// Games played.
    pub n_games: usize,
    /// Every measure that is one number.
    pub estimates: Vec<MeasureProgress>,
    /// Share of games won, by side.
    pub wins: Vec<f64>,
}

/// A measure and its 95% interval.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct MeasureProgress {
    /// `E`, `B`, `D`, `draws`...
    pub measure: String,
    /// `null` without measurements.
    pub value: Option<f64>,
    /// Lower end of the interval, if it has one.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl MeasureProgress {
    /// Numbers that are not finite are left out: JSON has none.
    pub fn new(measure: &str, value: f64, low: f64, high: f64) -> MeasureProgress {
        let finite = |number: f64| number.is_finite().then_some(number);
        MeasureProgress {
            measure: measure.to_string(),
            value: finite(value),
            low: finite(low),
            high: finite(high),
        }
    }
}

/// One run of a learner.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct CurveProgress {
    pub name: String,
    /// How far the past counts.
    pub lambda: f64,
    /// From 1.
    pub run: u32,
    /// After how many games each of the values below was so; at most a few hundred.
    pub n_games: Vec<u32>,
    /// The weights.
    pub series: Vec<Series>,
}

/// One weight after several numbers of games.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Series {
    /// Of which piece.
    pub name: String,
    /// One for each of `n_games`.
    pub values: Vec<f64>,
}

/// The score of a match in one game.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct ScoreProgress {
    pub name: String,
    /// The two.
    pub players: Vec<String>,
    /// Games played.
    pub n_games: u32,
    /// The first one's Elo above the second one's.
    pub elo: MeasureProgress,
}

/// A position whose sequences of moves were counted.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct CountProgress {
    pub game: String,
    /// How many plies.
    pub depth: u32,
    /// The position, or `startpos`.
    pub position: String,
    /// Sequences of legal moves.
    pub n_nodes: u64,
    /// How long it took.
    pub elapsed_ms: f64,
}

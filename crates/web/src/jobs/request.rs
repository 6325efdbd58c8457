//! Job requests.
//!
//! In: JSON of a request. Out: what it names, unchecked; `command` checks it. Never: a file or a program of this machine.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A job.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum JobRequest {
    /// Games played by the thousand and measured.
    Analyze(Analyze),
    /// A published experiment, repeated.
    Reproduce(Reproduce),
    /// Every game between an old one and a new one.
    Evolve(Evolve),
    /// What pieces are worth, learned.
    Learn(Learn),
    /// Two players or tables of values against each other.
    Match(MatchOf),
    /// The experiment of a report, once more.
    Rerun(Rerun),
    /// Parts of an experiment, joined to the report that one run would have written.
    Merge(Merge),
    /// A part that was played elsewhere; it comes with its journal, at `/api/jobs/parts`.
    Part,
    /// A fixed list of positions, counted: a signature of the move generator, and its speed.
    Bench,
}

/// How many games, from which seed, and what becomes of them.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Playing {
    /// Games for each game and player.
    pub n_games: Option<u32>,
    /// Play until an interval is this narrow, instead: `E±2%`.
    pub until: Option<String>,
    /// Most games of `until`.
    pub most: Option<u32>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// Only this part of the work, for several machines: `3/8`; `merge` joins the parts.
    pub shard: Option<String>,
    /// Keep the games as records: `pgn`, `usi` or `csa`.
    pub keep: Option<String>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// Games played by the thousand and measured.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Analyze {
    /// `shogi`, `shatranj+double-step`.
    pub games: Vec<String>,
    /// `P0`, `level:2`, or one for each side: `P3/P0`.
    pub players: Vec<String>,
    /// Conventions: `plain`, `paper-000`...
    pub preset: Option<String>,
    /// Plies after which a game is a draw.
    pub max_plies: Option<u32>,
    /// A table of values that was learned or written here.
    pub values: Option<String>,
    /// How many games.
    #[serde(flatten)]
    pub playing: Playing,
}

/// A published experiment, repeated.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Reproduce {
    /// `000-table7`.
    pub name: String,
    /// How P'i is read: `next`, `captures`, `promoted`, several with commas between them, or `all`.
    pub reading: Option<String>,
    /// Piece values of A3: a saved table, or `job:12` for the weights that a job learned, game by game.
    pub values: Option<String>,
    /// How many games, instead of the paper's number.
    #[serde(flatten)]
    pub playing: Playing,
}

/// Every game between an old one and a new one.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Evolve {
    /// `shatranj-to-chess`; nothing where `text` is given.
    pub name: String,
    /// An evolution of one's own: the text of its file.
    pub text: Option<String>,
    /// Who plays, instead of the file's player.
    pub player: Option<String>,
    /// How many games of each.
    #[serde(flatten)]
    pub playing: Playing,
}

/// What pieces are worth, learned.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Learn {
    /// `heian-shogi`.
    pub games: Vec<String>,
    /// How far the past counts, from 0 to 1; several are compared.
    pub lambdas: Vec<f64>,
    /// Games of each run.
    pub n_games: Option<u32>,
    /// Independent runs.
    pub n_runs: Option<u32>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// `0.05:0.002@3000`.
    pub alpha: Option<String>,
    /// Plies in full width.
    pub depth: Option<u8>,
    /// Depth at which captures are looked at no further.
    pub quiescence: Option<u8>,
    /// Plies within which a mate by consecutive checks is looked for first.
    pub mate: Option<u8>,
    /// Plies after which a game is a draw.
    pub max_plies: Option<u32>,
    /// Random plies at the start of each game, from which nothing is learned.
    pub opening: Option<u32>,
    /// A bare side that the rules let play on: `plays-on`, `breaks-off`, `draws` or `loses`.
    pub bared: Option<String>,
    /// Games over which the report averages: `5501-6000`.
    pub span: Option<String>,
    /// Weights beyond those of kinds: `hand`, `squares`.
    pub features: Vec<String>,
    /// Games played at once before the weights change.
    pub batch: Option<u32>,
    /// The piece that is worth 1.
    pub unit: Option<String>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// Two players or tables of values against each other.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct MatchOf {
    /// `chess`.
    pub games: Vec<String>,
    /// Players (`level:3`), tables (`yss`, or one that was learned here), or both: `A3(3)@mine`.
    pub players: [String; 2],
    /// Pairs of games, the sides exchanged.
    pub n_pairs: Option<u32>,
    /// Random plies before the two play.
    pub opening: Option<u32>,
    /// Stop as soon as it is clear which of two Elo differences is true: `0:20`.
    pub sprt: Option<String>,
    /// Plies in full width of a table alone.
    pub depth: Option<u8>,
    /// Depth at which it looks at captures no further.
    pub quiescence: Option<u8>,
    /// Plies within which it looks for a mate by consecutive checks first.
    pub mate: Option<u8>,
    /// Plies after which a game is a draw.
    pub max_plies: Option<u32>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// The experiment of a report, once more: the same bytes come out.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Rerun {
    /// The `plan` of a report.json.
    #[schema(value_type = Object)]
    pub plan: serde_json::Value,
    /// Only this part of the work: `3/8`.
    pub shard: Option<String>,
    /// Keep the games as records: `pgn`, `usi` or `csa`.
    pub keep: Option<String>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// Parts of an experiment, joined.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Merge {
    /// The numbers of the jobs that played the parts, or that brought them in.
    pub jobs: Vec<u32>,
    /// Keep the games as records: `pgn`, `usi` or `csa`.
    pub keep: Option<String>,
}

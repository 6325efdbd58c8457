//! Arguments that all experiments share.

use std::path::PathBuf;

use ashta_lab::{Measure, Shard, Stop};
use ashta_messages::message;
use clap::Args;

use super::{OutputFormat, WHOLE};

/// How an experiment is carried out; nothing here changes what it finds.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Threads [default: all processors]
    #[arg(long, short, value_name = "N")]
    threads: Option<usize>,
    /// Folder for the journal and the report
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Run only this shard of the work; `ashta merge` merges shards
    #[arg(long, value_name = "I/N", value_parser = read_shard)]
    shard: Option<Shard>,
    /// Write the games to this file: .pgn, .usi or .csa
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub output_format: OutputFormatArgs,
}

/// In which form the main table goes to the output.
#[derive(Args, Clone, Debug)]
pub struct OutputFormatArgs {
    /// Write the main table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write the report as JSON
    #[arg(long)]
    json: bool,
}

impl OutputFormatArgs {
    /// The form asked for.
    pub fn output_format(&self) -> OutputFormat {
        match (self.json, self.csv) {
            (true, _) => OutputFormat::Json,
            (_, true) => OutputFormat::Csv,
            (false, false) => OutputFormat::Text,
        }
    }
}

impl RunArgs {
    /// How many threads.
    pub fn n_threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all).clamp(1, 256)
    }

    /// Whether only a part of the work is asked for.
    pub fn is_sharded(&self) -> bool {
        self.shard.is_some()
    }

    /// Which part of the work.
    pub fn shard(&self) -> Shard {
        self.shard.unwrap_or(WHOLE)
    }
}

fn read_shard(text: &str) -> Result<Shard, String> {
    let wrong = || message!("cli.expected-shard").to_string();
    let (index, of) = text.split_once('/').ok_or_else(wrong)?;
    let (index, of): (u32, u32) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
    if index == 0 || index > of || of > 10_000 {
        return Err(wrong());
    }
    Ok(Shard { index: index - 1, of })
}

/// How many games.
#[derive(Args, Debug)]
pub struct GameCountArgs {
    /// Games per game and player
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub games: Option<u32>,
    /// Stop when the interval of a measure is this narrow: E±2%
    #[arg(long, value_name = "MEASURE±PERCENT", value_parser = read_until, conflicts_with_all = ["games", "shard"])]
    pub until: Option<StopTarget>,
    /// Maximum number of games with --until
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "until", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub most: u32,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// A measure and half the width of its interval, in percent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StopTarget {
    measure: Measure,
    percent: f64,
}

impl GameCountArgs {
    /// When a cell has enough games.
    pub fn stop(&self, default_games: u32) -> Stop {
        match self.until {
            None => Stop::Games(self.games.unwrap_or(default_games)),
            Some(StopTarget { measure, percent }) => Stop::Until { measure, percent, most_games: self.most },
        }
    }

    /// The same as arguments, for the command in a report.
    pub fn arguments_text(&self, default_games: u32) -> String {
        let games = match self.stop(default_games) {
            Stop::Games(n) => format!("--games {n}"),
            Stop::Until { measure, percent, most_games } => {
                let until = format!("{}±{percent}%", measure.symbol());
                let until = if until.contains('(') { format!("\"{until}\"") } else { until };
                format!("--until {until} --most {most_games}")
            }
        };
        format!("{games} --seed {}", self.seed)
    }
}

fn read_until(text: &str) -> Result<StopTarget, String> {
    let wrong = || {
        let names: Vec<&str> = Measure::ALL.iter().map(|measure| measure.symbol()).collect();
        message!("cli.expected-until", names).to_string()
    };
    let (name, percent) =
        ["±", "+-", "+/-", ":"].iter().find_map(|sign| text.split_once(sign)).ok_or_else(wrong)?;
    let measure = Measure::ALL.into_iter().find(|measure| measure.symbol() == name).ok_or_else(wrong)?;
    let percent: f64 = percent.trim_end_matches('%').parse().map_err(|_| wrong())?;
    if !(0.01..=100.0).contains(&percent) {
        return Err(message!("cli.expected-percent").to_string());
    }
    Ok(StopTarget { measure, percent })
}

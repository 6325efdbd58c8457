//! `ashta match`: two players or tables of values against each other.

use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_lab::digest_text;
use ashta_lab::matches::{CompetitorPlan, MatchGame, MatchPlan, Sprt};
use ashta_rules::Rules;
use clap::Args;

use super::analyze::MAX_PLIES;
use crate::cli_error::{CliError, Status};
use crate::experiments::{MatchOptions, OutputFormatArgs, RunArgs, VERSION, play_match};
use crate::game_arguments::{LoadedRules, read_text_file};
use crate::weights::weights_in;

/// Play a match between two players or tables of values and estimate the Elo difference
#[derive(Args, Debug)]
#[command(name = "match", after_help = include_str!("../help/match.txt"))]
pub struct MatchArgs {
    /// A name from `ashta games` or a path to a .toml file, with `+change`s, or variants.ini:NAME; separate several by commas
    #[arg(value_name = "GAME")]
    game: String,
    /// A player, a table of values, or both: A3(3), yss, A3(3)@learned.values
    #[arg(value_name = "FIRST")]
    first: String,
    /// The opponent, in the same form
    #[arg(value_name = "SECOND")]
    second: String,
    #[command(flatten)]
    pub settings: MatchSettings,
}

/// How a match is played.
#[derive(Args, Debug)]
pub struct MatchSettings {
    /// Pairs of games with sides exchanged
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub pairs: u32,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Random plies at the start, the same in both games of a pair
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=200))]
    pub opening: u32,
    /// Stop by SPRT of two Elo differences, such as 0:20
    #[arg(long, value_name = "ELO:ELO", value_parser = read_sprt)]
    pub sprt: Option<Sprt>,
    /// Search depth in full width of a competitor that is only a table of values
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=12))]
    pub depth: u8,
    /// Depth limit of its quiescence search
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=30))]
    pub quiescence: u8,
    /// Depth of its preceding search for mates by consecutive checks, in plies
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=15))]
    pub mate: u8,
    /// Length in plies at which a game is a draw
    #[arg(long, value_name = "N", default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_plies: u32,
    /// Threads [default: all processors]
    #[arg(long, short, value_name = "N")]
    threads: Option<usize>,
    /// Folder for the journal and the report
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    #[command(flatten)]
    pub output_format: OutputFormatArgs,
}

fn read_sprt(text: &str) -> Result<Sprt, String> {
    text.parse().map_err(|error: ashta_lab::matches::SprtError| error.to_string())
}

impl MatchSettings {
    /// The settings of 004 (Sasaki, about 2004), run as `run_args` says.
    pub fn default(pairs: u32, seed: u64, run_args: &RunArgs) -> MatchSettings {
        MatchSettings {
            pairs,
            seed,
            opening: 0,
            sprt: None,
            depth: 3,
            quiescence: 6,
            mate: 3,
            max_plies: MAX_PLIES,
            threads: Some(run_args.n_threads()),
            folder: run_args.folder.clone(),
            output_format: run_args.output_format.clone(),
        }
    }

    /// How many threads.
    pub fn n_threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all).clamp(1, 256)
    }

    /// The plan of a match between these.
    pub fn plan(&self, command: &str, games: Vec<MatchGame>) -> MatchPlan {
        let mut words = vec![
            command.to_string(),
            format!("--pairs {} --seed {} --opening {}", self.pairs, self.seed, self.opening),
            format!("--depth {} --quiescence {} --mate {}", self.depth, self.quiescence, self.mate),
            format!("--max-plies {}", self.max_plies),
        ];
        words.extend(self.sprt.map(|sprt| format!("--sprt {sprt}")));
        MatchPlan {
            command: words.join(" "),
            version: VERSION.to_string(),
            seed: self.seed,
            games,
            n_pairs: self.pairs,
            n_opening_plies: self.opening,
            max_plies: self.max_plies,
            depths: (self.depth, self.quiescence, self.mate),
            sprt: self.sprt,
        }
    }
}

pub fn run(args: &MatchArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let (mut loaded, mut games) = (LoadedRules::default(), Vec::new());
    for game in args.game.split(',') {
        let rules = loaded.read(game)?;
        let digest = digest_text(&rules);
        let competitors = [competitor(&args.first, &rules)?, competitor(&args.second, &rules)?];
        games.push(MatchGame { name: game.to_string(), game: game.to_string(), digest, competitors });
    }
    let quoted =
        |text: &str| if text.contains(['\'', '(', ' ']) { format!("\"{text}\"") } else { text.to_string() };
    let command = format!("ashta match {} {} {}", args.game, quoted(&args.first), quoted(&args.second));
    let run_args = MatchOptions {
        n_threads: args.settings.n_threads(),
        folder: args.settings.folder.clone(),
        default_name: "match".into(),
        output_format: args.settings.output_format.output_format(),
        printed: Vec::new(),
    };
    play_match(args.settings.plan(&command, games), &mut loaded, &run_args, out)
}

/// A competitor; a folder of `ashta learn` stands for the first weight file in it that is of the game.
pub fn competitor(text: &str, rules: &Rules) -> Result<CompetitorPlan, CliError> {
    CompetitorPlan::read(text, |path| {
        let path = Path::new(path);
        let file = if path.is_dir() { weights_in(path, rules)? } else { path.to_path_buf() };
        let may_be_path = file.exists() || path.components().count() > 1 || path.extension().is_some();
        may_be_path.then(|| read_text_file(&file).map_err(CliError::from))
    })
}

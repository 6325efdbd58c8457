//! `ashta learn`: what pieces are worth, found out by playing.

use std::io::Write;
use std::path::PathBuf;

use ashta_lab::digest_text;
use ashta_lab::learn::summary::Span;
use ashta_lab::learn::{Bared, FeatureName, LearnGame, LearnPlan, Mode, Rate, ReportOptions};
use ashta_messages::message;
use clap::Args;

use super::analyze::MAX_PLIES;
use crate::cli_error::{CliError, ErrorMessage, Status, did_you_mean};
use crate::experiments::{LearnOptions, OutputFormatArgs, RunArgs, VERSION, learn_from};
use crate::game_arguments::LoadedRules;

/// Learn piece values from self-play by TD(lambda)
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/learn.txt"))]
pub struct LearnArgs {
    /// Names from `ashta games` or paths to .toml files, with `+change`s, or variants.ini:NAME
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    /// Lambda of TD(lambda), from 0 to 1; several, separated by commas, are compared
    #[arg(long, value_name = "L", default_value = "0.8", value_delimiter = ',', value_parser = read_lambda)]
    lambda: Vec<f64>,
    #[command(flatten)]
    settings: LearnSettings,
}

/// How is learned; the same for one's own games and for published ones.
#[derive(Args, Debug)]
pub struct LearnSettings {
    /// Games of each run
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: Option<u32>,
    /// Independent runs of each game and lambda: their spread is the error bar
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: Option<u32>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Learning rate: one number, or first:last@game for one that decreases with every game
    #[arg(long, value_name = "RATE", default_value = "0.05:0.002@3000", value_parser = read_rate)]
    alpha: Rate,
    /// Search depth in full width, in plies
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=12))]
    depth: u8,
    /// Depth limit of the quiescence search
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=30))]
    quiescence: u8,
    /// Depth of the preceding search for mates by consecutive checks, in plies
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=15))]
    mate: u8,
    /// Length in plies at which a game is a draw
    #[arg(long, value_name = "N", default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_plies: u32,
    /// Random plies at the start of each game, from which nothing is learned
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=200))]
    opening: u32,
    /// What happens to a bare side that may play on: plays-on, breaks-off, draws or loses
    #[arg(long, value_name = "HOW", value_parser = read_bared)]
    bared: Option<Bared>,
    /// Additional features: hand, squares, mobility
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_feature)]
    features: Vec<FeatureName>,
    /// Games played in parallel between weight updates; without it weights change after every move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    batch: Option<u32>,
    /// Piece whose value is 1 in the report [default: the game's first]
    #[arg(long, value_name = "PIECE")]
    unit: Option<String>,
    /// Games that the report averages, such as 5501-6000
    #[arg(long, value_name = "FROM-TO", value_parser = read_span)]
    span: Option<Span>,
    /// Threads [default: all processors]
    #[arg(long, short, value_name = "N")]
    threads: Option<usize>,
    /// Folder for the journal, the weights and the report
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    output_format: OutputFormatArgs,
}

/// What a folder of learning is called, before its digest.
pub const DEFAULT_NAME: &str = "learn";
/// Games of a run unless more are asked for: the paper's.
const DEFAULT_GAMES: u32 = 10_000;

fn read_lambda(text: &str) -> Result<f64, String> {
    let lambda: Option<f64> = text.trim().parse().ok();
    lambda
        .filter(|lambda| (0.0..=1.0).contains(lambda))
        .ok_or_else(|| message!("cli.expected-lambda").to_string())
}

fn read_rate(text: &str) -> Result<Rate, String> {
    text.parse().map_err(|error: ashta_lab::learn::RateError| error.to_string())
}

fn read_bared(text: &str) -> Result<Bared, String> {
    named(text, &Bared::ALL)
}

fn read_feature(text: &str) -> Result<FeatureName, String> {
    named(text, &FeatureName::ALL)
}

fn named<T: Copy>(text: &str, all: &[(T, &'static str)]) -> Result<T, String> {
    let names = || all.iter().map(|(_, name)| *name);
    let found = all.iter().find(|(_, name)| *name == text).map(|(value, _)| *value);
    found.ok_or_else(|| match ashta_rules::nearest(text, names()) {
        Some(near) => message!("cli.did-you-mean", name = near).to_string(),
        None => message!("cli.expected-one-of", names = names().collect::<Vec<_>>().join(" | ")).to_string(),
    })
}

fn read_span(text: &str) -> Result<Span, String> {
    let wrong = || message!("cli.expected-span").to_string();
    let (from, to) = text.split_once('-').ok_or_else(wrong)?;
    let span = Span { from: from.parse().map_err(|_| wrong())?, to: to.parse().map_err(|_| wrong())? };
    if span.from == 0 || span.from > span.to {
        return Err(wrong());
    }
    Ok(span)
}

pub fn run(args: &LearnArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let (mut rules, mut games) = (LoadedRules::default(), Vec::new());
    for game in &args.game {
        let digest = digest_text(&rules.read(game)?);
        games.push(LearnGame { name: game.clone(), game: game.clone(), digest });
    }
    let planned = Planned {
        command: format!("ashta learn {} --lambda {}", args.game.join(" "), joined(&args.lambda)),
        default_name: DEFAULT_NAME.into(),
        games,
        rules,
        lambdas: args.lambda.clone(),
        n_games: args.settings.games.unwrap_or(DEFAULT_GAMES),
        n_runs: args.settings.runs.unwrap_or(1),
        bared: args.settings.bared.unwrap_or(Bared::PlaysOn),
        published: None,
    };
    planned.run_experiment(&args.settings, out)
}

fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
}

/// What is to be learned, before how.
pub struct Planned {
    pub command: String,
    pub default_name: String,
    pub games: Vec<LearnGame>,
    pub rules: LoadedRules,
    pub lambdas: Vec<f64>,
    pub n_games: u32,
    pub n_runs: u32,
    pub bared: Bared,
    pub published: Option<String>,
}

impl Planned {
    pub fn run_experiment(
        mut self,
        settings: &LearnSettings,
        out: &mut dyn Write,
    ) -> Result<Status, CliError> {
        // A batch is played whole, so that a run can be made longer.
        let n_games = settings.batch.map_or(self.n_games, |size| self.n_games.next_multiple_of(size));
        let span = settings.span.unwrap_or(Span::of(n_games));
        if span.to > n_games {
            let message = ErrorMessage::new(message!("cli.span", to = span.to, n = n_games));
            return Err(message.hint(message!("cli.span.hint")).into());
        }
        self.check_unit(settings.unit.as_deref())?;
        let mode = settings.batch.map_or(Mode::EveryMove, Mode::Batches);
        let plan = LearnPlan {
            command: settings.command(&self, n_games),
            version: VERSION.to_string(),
            seed: settings.seed,
            n_games,
            games: self.games,
            lambdas: self.lambdas,
            n_runs: self.n_runs,
            rate: settings.alpha,
            depth: settings.depth,
            quiescence: settings.quiescence,
            mate: settings.mate,
            max_plies: settings.max_plies,
            n_opening_plies: settings.opening,
            bared: self.bared,
            features: settings.features.clone(),
            mode,
            report_options: ReportOptions {
                span: settings.span,
                unit: settings.unit.clone(),
                published: self.published,
            },
        };
        let run_args = LearnOptions {
            n_threads: settings.n_threads(),
            folder: settings.folder.clone(),
            default_name: self.default_name,
            output_format: settings.output_format.output_format(),
        };
        learn_from(plan, &mut self.rules, &run_args, out)
    }

    fn check_unit(&mut self, unit: Option<&str>) -> Result<(), CliError> {
        let Some(unit) = unit else { return Ok(()) };
        for game in &self.games {
            let rules = self.rules.read(&game.game)?;
            let names = || rules.kinds().iter().filter(|kind| !kind.royal).map(|kind| kind.name.as_str());
            if !names().any(|name| name == unit) {
                let message = ErrorMessage::new(message!("cli.unknown-unit", game = game.name, unit));
                let hint = match ashta_rules::nearest(unit, names()) {
                    Some(near) => did_you_mean(near),
                    None => message!("cli.pieces.hint", pieces = names().collect::<Vec<_>>()),
                };
                return Err(message.hint(hint).into());
            }
        }
        Ok(())
    }
}

impl LearnSettings {
    /// The settings of 004 (Sasaki, about 2004), run as `run_args` says.
    pub fn default(seed: u64, run_args: &RunArgs) -> LearnSettings {
        LearnSettings {
            games: None,
            runs: None,
            seed,
            alpha: Rate { first: 0.05, last: 0.002, until: 3000 },
            depth: 3,
            quiescence: 6,
            mate: 3,
            max_plies: MAX_PLIES,
            opening: 0,
            bared: None,
            features: Vec::new(),
            batch: None,
            unit: None,
            span: None,
            threads: Some(run_args.n_threads()),
            folder: run_args.folder.clone(),
            output_format: run_args.output_format.clone(),
        }
    }

    fn n_threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all).clamp(1, 256)
    }

    /// The command that learns the same again.
    fn command(&self, planned: &Planned, n_games: u32) -> String {
        if planned.published.is_some() {
            return format!("{} --games {n_games} --seed {}", planned.command, self.seed);
        }
        let mut words = vec![
            planned.command.clone(),
            format!(
                "--games {n_games} --runs {} --seed {} --alpha {}",
                planned.n_runs, self.seed, self.alpha
            ),
            format!("--depth {} --quiescence {} --mate {}", self.depth, self.quiescence, self.mate),
            format!("--max-plies {} --bared {}", self.max_plies, planned.bared.name()),
        ];
        if self.opening > 0 {
            words.push(format!("--opening {}", self.opening));
        }
        if !self.features.is_empty() {
            let names: Vec<&str> = self.features.iter().map(|feature| feature.name()).collect();
            words.push(format!("--features {}", names.join(",")));
        }
        words.extend(self.batch.map(|size| format!("--batch {size}")));
        words.extend(self.unit.as_ref().map(|unit| format!("--unit {unit}")));
        words.extend(self.span.map(|span| format!("--span {}-{}", span.from, span.to)));
        words.join(" ")
    }
}

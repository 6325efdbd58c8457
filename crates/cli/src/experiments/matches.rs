//! Matches from the command line: journal, progress, report.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ashta_lab::matches::{
    CompetitorError, CompetitorPlan, Match, MatchEnd, MatchError, MatchGame, MatchPlan, MatchProgress,
    PairPlayed, PrintedMatch, Score, run_match,
};
use ashta_lab::pages::match_page;
use ashta_messages::message;
use ashta_play::{Clock, EngineLimit, ExternalEngineError, PlayerPlan};
use ashta_web::{JobProgress, MeasureProgress, ScoreProgress};
use indicatif::{ProgressBar, ProgressStyle};

use super::folder::RunFolder;
use super::{OutputFormat, cancel_on_interrupt, show};
use crate::cli_error::{CliError, ErrorMessage, Status, did_you_mean, print_notice};
use crate::game_arguments::LoadedRules;
use crate::supervision::ProgressWriter;

/// How a match is run; nothing here changes its games.
#[derive(Debug)]
pub struct MatchOptions {
    pub n_threads: usize,
    pub folder: Option<PathBuf>,
    /// Name of the default folder.
    pub default_name: String,
    pub output_format: OutputFormat,
    /// Published results.
    pub printed: Vec<PrintedMatch>,
}

impl From<CompetitorError> for CliError {
    fn from(error: CompetitorError) -> CliError {
        let message = ErrorMessage::new(&error);
        let tables = ashta_lab::matches::value_table_names();
        let hint = match error {
            CompetitorError::Unknown { nearest: Some(near), .. } => did_you_mean(&near),
            CompetitorError::Unknown { nearest: None, .. } => message!("cli.tables.hint", tables),
            CompetitorError::Values { .. } => message!("cli.values.hint"),
            CompetitorError::External { source: ExternalEngineError::NoSuchGame { .. }, .. } => {
                message!("cli.engine-variant.hint")
            }
            CompetitorError::External { .. } => message!("cli.engines.hint"),
            CompetitorError::NoClock { .. } | CompetitorError::Unfit(_) => return message.into(),
            CompetitorError::NotGiven { .. } => message!("cli.other-tables.hint", tables),
        };
        message.hint(hint).into()
    }
}

impl From<MatchError> for CliError {
    fn from(error: MatchError) -> CliError {
        match error {
            MatchError::Competitor(error) => error.into(),
            MatchError::Sides { .. } | MatchError::RulesChanged { .. } => ErrorMessage::new(error).into(),
        }
    }
}

/// Bytes that a match may need.
const SPACE: u64 = 8 << 20;

/// Runs or resumes a match and writes its report.
pub fn play_match(
    plan: MatchPlan,
    rules: &mut LoadedRules,
    run_args: &MatchOptions,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let start = Instant::now();
    let clock = Clock(Arc::new(move || start.elapsed()));
    let of = Match::with_clock(plan, Some(clock), |game| rules.read(game))?;
    let default = format!("{}-{:08x}", run_args.default_name, of.plan.digest() >> 32);
    let folder = RunFolder::with_disk_space(run_args.folder.as_deref(), &default, SPACE)?;
    let text = serde_json::to_string(&of.plan).unwrap_or_default();
    let (mut journal, contents) = folder.journal_of::<PairPlayed>(of.plan.digest(), &text)?;
    let cancel = cancel_on_interrupt();
    let bar = bar(&of, contents.units.len());
    let mut progress_writer = ProgressWriter::new();
    let last_shown = |progress: &MatchProgress<'_>| {
        bar.inc(2);
        progress_writer.write(&bar, || job_progress(&of, &bar, progress));
        if !bar.is_hidden() {
            let of_game = progress.done.iter().filter(|(id, _)| id.cell as usize == progress.game);
            let pairs: Vec<PairPlayed> = of_game.map(|(_, pair)| *pair).collect();
            let score = Score::of(&pairs);
            let (elo, name) = (score.elo(), &of.plan.games[progress.game].name);
            if score.mean.has_interval() {
                bar.set_message(format!("{name}: Elo {:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high));
            }
        }
    };
    let end = run_match(&of, &mut journal, contents.units, run_args.n_threads, &cancel, last_shown)
        .map_err(|error| ErrorMessage::new(error).hint(message!("cli.journal-kept.hint")))?;
    bar.finish_and_clear();
    report_faults_and_times(&of);
    match end {
        MatchEnd::Cancelled(n_pairs) => {
            print_notice(&message!("cli.stopped-games", n = 2 * n_pairs, folder = folder.display()));
            Ok(Status::Partial)
        }
        MatchEnd::Broken(fault) => Err(ErrorMessage::new(message!("cli.match-broken", fault))
            .hint(message!("cli.match-broken.hint"))
            .into()),
        MatchEnd::Complete(pairs) => {
            let (page, table) = match_page(&of, &pairs, &run_args.printed);
            show(&page, &table, &folder, run_args.output_format, out)
        }
    }
}

/// Progress of the match, for the server.
fn job_progress(of: &Match, bar: &ProgressBar, progress: &MatchProgress<'_>) -> JobProgress {
    let score = |(at, game): (usize, &MatchGame)| {
        let of_game = progress.done.iter().filter(|(id, _)| id.cell as usize == at);
        let pairs: Vec<PairPlayed> = of_game.map(|(_, pair)| *pair).collect();
        let elo = Score::of(&pairs).elo();
        ScoreProgress {
            name: game.name.clone(),
            players: game.competitors.iter().map(|competitor| competitor.name.clone()).collect(),
            n_games: 2 * pairs.len() as u32,
            elo: MeasureProgress::new("Elo", elo.value, elo.low, elo.high),
        }
    };
    let scores = of.plan.games.iter().enumerate().map(score).collect();
    JobProgress { done: bar.position(), of: bar.length(), scores, ..JobProgress::default() }
}

/// Prints the faults of external engines, and the times per move of players that use time.
fn report_faults_and_times(of: &Match) {
    let Ok(seen) = of.log.lock() else { return };
    for fault in seen.faults.iter().take(5) {
        print_notice(&message!("cli.match-fault", fault));
    }
    if seen.faults.len() > 5 {
        print_notice(&message!("cli.match-faults", n = seen.faults.len()));
    }
    let is_timed = |plan: &CompetitorPlan| {
        let player = plan.player.as_ref().map(|player| &player.plan);
        matches!(player, Some(PlayerPlan::External(_) | PlayerPlan::Engine(EngineLimit::Ms(_))))
    };
    if of.plan.games.iter().flat_map(|game| &game.competitors).any(is_timed) {
        let mean = |(taken, n): (Duration, u64)| taken.as_secs_f64() * 1000.0 / (n.max(1) as f64);
        let [first, second] = seen.taken.map(mean).map(|ms| format!("{ms:.0}"));
        print_notice(&message!("cli.match-times", first, second, n = seen.taken[0].1 + seen.taken[1].1));
    }
}

fn bar(of: &Match, n_pairs_done: usize) -> ProgressBar {
    let bar = ProgressBar::new(u64::from(of.plan.n_pairs) * 2 * of.rules.len() as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:24} {human_pos}/{human_len} games, {per_sec}, {eta} left  {msg}")
    {
        bar.set_style(style);
    }
    bar.set_position(2 * n_pairs_done as u64);
    bar.reset_eta();
    bar
}

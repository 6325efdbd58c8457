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
use ashta_play::{Clock, EngineLimit, ExternalEngineError, PlayerPlan};
use ashta_web::{JobProgress, MeasureProgress, ScoreProgress};
use indicatif::{ProgressBar, ProgressStyle};

use super::folder::RunFolder;
use super::{OutputFormat, cancel_on_interrupt, show};
use crate::cli_error::{CliError, ErrorMessage, Status, print_stderr};
use crate::game_arguments::read_rules;
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
        let message = ErrorMessage::new(error.to_string());
        let names = || ashta_lab::matches::value_table_names().join(", ");
        match error {
            CompetitorError::Unknown { nearest: Some(near), .. } => message.hint(format!("did you mean `{near}`?")).into(),
            CompetitorError::Unknown { nearest: None, .. } => message
                .hint(format!("tables are {} or a file of lines `piece = number`; `ashta help analyze` lists the players", names()))
                .into(),
            CompetitorError::Values { .. } => message.hint("a line is `piece = number`, with the names that `ashta show` uses").into(),
            CompetitorError::External { source: ExternalEngineError::NoSuchGame { .. }, .. } => message
                .hint("if it knows the game by another name, set that name, as in `uci:PROGRAM,UCI_Variant=NAME`")
                .into(),
            CompetitorError::External { .. } => message.hint("`uci:PROGRAM`, `usi:PROGRAM` and `xboard:PROGRAM` start another program; Debian has some in /usr/games").into(),
            CompetitorError::NoClock { .. } | CompetitorError::Unfit(_) => message.into(),
            CompetitorError::NotGiven { .. } => message.hint(format!("other tables are {}", names())).into(),
        }
    }
}

impl From<MatchError> for CliError {
    fn from(error: MatchError) -> CliError {
        match error {
            MatchError::Competitor(error) => error.into(),
            MatchError::Sides { .. } | MatchError::RulesChanged { .. } => {
                ErrorMessage::new(error.to_string()).into()
            }
        }
    }
}

/// Bytes that a match may need.
const SPACE: u64 = 8 << 20;

/// Runs or resumes a match and writes its report.
pub fn play_match(plan: MatchPlan, run_args: &MatchOptions, out: &mut dyn Write) -> Result<Status, CliError> {
    let start = Instant::now();
    let clock = Clock(Arc::new(move || start.elapsed()));
    let of = Match::with_clock(plan, Some(clock), read_rules)?;
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
    let end = run_match(&of, &mut journal, contents.units, run_args.n_threads, &cancel, last_shown).map_err(
        |error| ErrorMessage::new(error.to_string()).hint("what was finished before is kept in the journal"),
    )?;
    bar.finish_and_clear();
    report_faults_and_times(&of);
    match end {
        MatchEnd::Cancelled(n_pairs) => {
            let shown = folder.display();
            print_stderr(&format!(
                "stopped; {} games are kept in {shown}; the same command goes on",
                2 * n_pairs
            ));
            Ok(Status::Partial)
        }
        MatchEnd::Broken(fault) => Err(ErrorMessage::new(format!("match stopped: {fault}"))
            .hint(
                "its first move was a fault in both games of a pair: is it set to this game and this start?",
            )
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
        print_stderr(&format!("a game ended otherwise than by its rules: {fault}"));
    }
    if seen.faults.len() > 5 {
        print_stderr(&format!("{} games ended so in all", seen.faults.len()));
    }
    let is_timed = |plan: &CompetitorPlan| {
        let player = plan.player.as_ref().and_then(|text| text.parse::<PlayerPlan>().ok());
        matches!(player, Some(PlayerPlan::External(_) | PlayerPlan::Engine(EngineLimit::Ms(_))))
    };
    if of.plan.games.iter().flat_map(|game| &game.competitors).any(is_timed) {
        let mean = |(taken, n): (Duration, u64)| taken.as_secs_f64() * 1000.0 / (n.max(1) as f64);
        let [first, second] = seen.taken.map(mean);
        let n_moves = seen.taken[0].1 + seen.taken[1].1;
        print_stderr(&format!(
            "time for a move: {first:.0} ms and {second:.0} ms on the mean of {n_moves} moves"
        ));
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

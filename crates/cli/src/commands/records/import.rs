//! `ashta records import`: files into a collection.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_messages::message;
use ashta_position::CompiledRules;
use ashta_records::import::RecordFile;
use ashta_records::{
    CollectionError, CollectionWriter, DuplicatePolicy, Format, ImportObserver, ImportPlan, ImportReport,
    Limits, Manifest, Rejection, files_below, import,
};
use ashta_web::records_json::ImportCounts;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli_error::{CliError, ErrorMessage, Status, print_note, print_notice};
use crate::experiments::cancel_on_interrupt;
use crate::game_arguments::read_rules;
use crate::output::{grouped, write_json};

/// Import game records from files and folders into a collection, which is created if needed
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-import.txt"))]
pub struct ImportArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Files and folders: PGN, USI lines, CSA, KIF, KI2, JKF, tables; also .zst and .gz
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Game of a new collection [default: the usual game of the format]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Format of the files, if their extensions do not decide it
    #[arg(long, value_name = "FORMAT", value_parser = read_format)]
    format: Option<Format>,
    /// Store duplicates separately unless they are identical; by default their information is merged
    #[arg(long)]
    keep_both: bool,
    /// Write every rejected record to this file
    #[arg(long, value_name = "FILE")]
    refused: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A format by its name.
pub fn read_format(name: &str) -> Result<Format, String> {
    Format::named(name).ok_or_else(|| {
        let names: Vec<&str> = Format::names().collect();
        message!("cli.expected-format", names).to_string()
    })
}

/// Refusals that are told on the way; the file that --refused names has them all.
const MAX_REJECTIONS: usize = 20;

struct ImportProgress {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    n_told: usize,
    refused: Option<std::io::BufWriter<std::fs::File>>,
}

impl ImportObserver for ImportProgress {
    fn rejected(&mut self, refusal: &Rejection) {
        let game = refusal.game.map(|game| format!("game {game}: ")).unwrap_or_default();
        let text = format!("{}:{}: {game}{}", refusal.path.display(), refusal.line, refusal.what);
        if let Some(file) = &mut self.refused {
            // A full disk is told when the file is flushed at the end.
            let _ = writeln!(file, "{text}");
        }
        self.n_told += 1;
        if self.n_told <= MAX_REJECTIONS {
            self.bar.suspend(|| print_notice(&message!("cli.import-refused", text)));
        }
    }

    fn progress(&mut self, report: &ImportReport, _: u64) {
        self.bar.set_position(report.n_added as u64);
        self.bar.set_message(format!("{} files, {} refused", report.n_files, report.n_refused));
    }

    fn wants_stop(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What was imported, for programs.
#[derive(Serialize)]
struct ImportJson {
    collection: String,
    game: String,
    files: usize,
    #[serde(flatten)]
    counts: ImportCounts,
    games: usize,
}

pub fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let files = files_below(&args.paths).map_err(|error| {
        let path = args.paths.iter().find(|path| !path.exists()).unwrap_or(&args.paths[0]);
        ErrorMessage::unreadable(path, &error)
    })?;
    if files.is_empty() {
        let endings = Format::names().collect::<Vec<_>>().join(", .");
        let hint = message!("cli.no-records.hint", endings);
        return Err(ErrorMessage::new(message!("cli.no-records")).hint(hint).into());
    }
    let game = game_of(args, &files)?;
    let rules = read_rules(&game)?;
    if rules.contest().is_some() {
        let message = ErrorMessage::new(message!("cli.contest-collection", game = rules.name()));
        return Err(message.hint(message!("cli.contest-collection.hint")).into());
    }
    let rules = CompiledRules::new(rules);
    let mut writer = CollectionWriter::open(&args.collection, &rules, &game)?;
    let stop = cancel_on_interrupt();
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} games, {per_sec}  {msg}") {
        bar.set_style(style);
    }
    let refused_path = args.refused.clone().unwrap_or_default();
    let unwritable = |error: std::io::Error| ErrorMessage::unwritable(&refused_path, &error);
    let refused = args.refused.as_ref().map(std::fs::File::create).transpose();
    let refused = refused.map_err(unwritable)?;
    let mut watcher = ImportProgress {
        bar: bar.clone(),
        stop: stop.clone(),
        n_told: 0,
        refused: refused.map(std::io::BufWriter::new),
    };
    let duplicates = if args.keep_both { DuplicatePolicy::KeepBoth } else { DuplicatePolicy::Merge };
    let plan = ImportPlan { format: args.format, duplicates, ..ImportPlan::default() };
    let report = import(&mut writer, &files, plan, &mut watcher)?;
    // Everything is committed already; merging only speeds up searches, so Ctrl-C skips it.
    bar.set_message("merging");
    while !stop.load(Ordering::Relaxed) && writer.merge_step()? {}
    bar.finish_and_clear();
    if let Some(mut file) = watcher.refused {
        file.flush().map_err(unwritable)?;
    }
    if watcher.n_told > MAX_REJECTIONS {
        print_notice(&message!("cli.import-refused-more", n = watcher.n_told - MAX_REJECTIONS));
    }
    print_report(args, &game, &report, writer.manifest(), out)?;
    print_notes(&report);
    if stop.load(Ordering::Relaxed) {
        print_note(&message!("cli.import-stopped"));
        return Ok(Status::Partial);
    }
    Ok(if report.n_refused > 0 { Status::Partial } else { Status::Done })
}

/// Prints notes on imported games.
fn print_notes(report: &ImportReport) {
    let shown = |n: usize| grouped(n as u64);
    if let Some(first) = &report.first_diagram {
        let first = first.to_string();
        print_note(&message!("cli.import-diagrams", n = shown(report.n_diagrams), first));
    }
    if report.n_merged > 0 {
        print_note(&message!("cli.import-merged", n = shown(report.n_merged)));
    }
    if report.n_not_dates > 0 {
        print_note(&message!("cli.import-not-dates", n = shown(report.n_not_dates)));
    }
}

/// The game of a collection that is there, else the one typed, else what such files usually hold.
fn game_of(args: &ImportArgs, files: &[PathBuf]) -> Result<String, CliError> {
    match Manifest::read(&args.collection) {
        Ok(manifest) => return Ok(args.game.clone().unwrap_or(manifest.game)),
        Err(CollectionError::None { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    if let Some(game) = &args.game {
        return Ok(game.clone());
    }
    let mut why = None;
    for path in files {
        // What a pipe gave cannot be looked at and read again.
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            match args.format.or_else(|| Format::of_path(path)) {
                Some(format) => return Ok(format.default_game().to_string()),
                None => continue,
            }
        }
        match RecordFile::open(path, args.format, Limits::default()) {
            Ok(Some(file)) => return Ok(file.default_game()),
            Ok(None) => {}
            Err(error) => {
                why = why.or(Some(message!("cli.cannot-read", path, error)));
            }
        }
    }
    let why = why.unwrap_or_else(|| message!("cli.import-unknown-game"));
    Err(ErrorMessage::new(why).hint(message!("cli.import-unknown-game.hint")).into())
}

fn print_report(
    args: &ImportArgs,
    game: &str,
    report: &ImportReport,
    manifest: &Manifest,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let n_games: usize = manifest.n_games();
    if args.json {
        let json = ImportJson {
            collection: args.collection.display().to_string(),
            game: game.to_string(),
            files: report.n_files,
            counts: ImportCounts::of(report),
            games: n_games,
        };
        return write_json(out, &json).map(|_| ());
    }
    let number = |n: usize| grouped(n as u64);
    let said = message!(
        "cli.imported",
        game,
        n_games,
        n_added = report.n_added,
        added = number(report.n_added),
        n_positions = report.n_positions,
        positions = number(report.n_positions),
        n_files = report.n_files,
        files = number(report.n_files),
        n_known = report.n_known,
        known = number(report.n_known),
        refused = number(report.n_refused),
        games = number(n_games)
    );
    writeln!(out, "{said}")?;
    Ok(())
}

//! `ashta records survey`: positions, different and repeated, and whether repetition goes on growing.

use std::io::Write;
use std::path::PathBuf;

use ashta_messages::message;
use ashta_records::{Collection, Survey, survey};
use ashta_rules::Rules;
use ashta_web::records_json::{OccurrenceLine, SurveyCounts, WrittenMove};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::open::{game_at, open_collection, players_text, table};
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::output::{grouped, write_json, write_lines};

/// Count distinct and repeated positions, and how the share of repeated ones grows
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-survey.txt"))]
pub struct SurveyArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Frequent positions to list
    #[arg(long, default_value_t = 10)]
    frequent: usize,
    /// Write the growth curve as SVG to this file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write the growth curve as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Serialize)]
struct SurveyJson {
    #[serde(flatten)]
    counts: SurveyCounts,
    frequent: Vec<FrequentJson>,
}

#[derive(Serialize)]
struct FrequentJson {
    count: u64,
    moves: Vec<WrittenMove>,
    position: String,
}

pub fn run(args: &SurveyArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let collection = open_collection(&args.collection)?;
    let bar = ProgressBar::new(100);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}% of the positions") {
        bar.set_style(style);
    }
    let surveyed = survey(&collection, args.frequent, &mut |share| bar.set_position((share * 100.0) as u64))?;
    bar.finish_and_clear();
    if let Some(path) = &args.picture {
        std::fs::write(path, surveyed.picture()).map_err(|error| ErrorMessage::unwritable(path, &error))?;
    }
    if args.csv {
        writeln!(out, "games,positions,distinct,repeated_share")?;
        for point in &surveyed.growth {
            let share = point.repeated_share();
            writeln!(out, "{},{},{},{share:.6}", point.n_games, point.n_positions, point.n_distinct)?;
        }
        return Ok(Status::Done);
    }
    let frequent = frequent(&collection, &surveyed)?;
    if args.json {
        let times = |(times, n): (&u64, &u64)| OccurrenceLine { from: *times, to: *times, positions: *n };
        let by_occurrence = surveyed.by_occurrence.iter().map(times).collect();
        write_json(out, &SurveyJson { counts: SurveyCounts::of(&surveyed, by_occurrence), frequent })
    } else {
        print_report(&surveyed, &frequent, collection.rules().rules(), out)
    }
}

fn frequent(collection: &Collection, surveyed: &Survey) -> Result<Vec<FrequentJson>, CliError> {
    let mut listed = Vec::new();
    for position in &surveyed.frequent {
        let gone = || ErrorMessage::new(message!("cli.game-gone"));
        let reached = game_at(collection, position.game, position.ply)?.ok_or_else(gone)?;
        let mut playing = game_at(collection, position.game, 0)?.ok_or_else(gone)?;
        let mut moves = Vec::new();
        for (ply, mv) in (1..).zip(reached.moves()) {
            moves.push(WrittenMove::of(&playing, mv, ply));
            playing.play_unchecked(mv);
        }
        listed.push(FrequentJson { count: position.n, position: reached.text(), moves });
    }
    Ok(listed)
}

fn print_report(
    surveyed: &Survey,
    frequent: &[FrequentJson],
    rules: &Rules,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let number = |n: usize| grouped(n as u64);
    let repeated = surveyed.n_positions - surveyed.n_distinct;
    let mean = surveyed.n_plies as f64 / surveyed.n_games.max(1) as f64;
    let rows = vec![
        ["games".to_string(), number(surveyed.n_games)],
        ["plies".to_string(), format!("{} ({mean:.1} a game)", number(surveyed.n_plies))],
        ["positions".to_string(), number(surveyed.n_positions)],
        ["different positions".to_string(), number(surveyed.n_distinct)],
        [
            "repeated positions".to_string(),
            format!("{} ({:.1}%)", number(repeated), surveyed.repeated_share() * 100.0),
        ],
    ];
    write_lines(out, &table(rows))?;
    writeln!(out, "\nHow many different positions occur so often:")?;
    write_lines(out, &table(occurrence_rows(surveyed)))?;
    if let Some(fit) = surveyed.fit {
        writeln!(
            out,
            "\nDifferent positions grow as positions to the power {:.4} ± {:.4}: the share of repeated positions {}.\n\
             Ten times as many games would have about {:.1}% repeated.",
            fit.exponent,
            fit.exponent_half_width,
            if fit.exponent + fit.exponent_half_width < 1.0 { "goes on growing" } else { "has settled" },
            fit.repeated_share(surveyed.n_positions as f64 * 10.0) * 100.0
        )?;
    }
    writeln!(out, "\nThe most frequent positions, and moves that lead there:")?;
    let rows = frequent.iter().map(|position| {
        let moves: Vec<&str> = position.moves.iter().map(|mv| players_text(mv, rules)).collect();
        let moves = if moves.is_empty() { "(the start)".into() } else { moves.join(" ") };
        [grouped(position.count), moves]
    });
    write_lines(out, &table(rows.collect()))?;
    Ok(Status::Done)
}

/// One, two, three to four, five to eight times, and so on.
fn occurrence_rows(surveyed: &Survey) -> Vec<[String; 2]> {
    let mut rows = Vec::new();
    let (mut least, mut most) = (1u64, 1u64);
    let largest = surveyed.by_occurrence.keys().next_back().copied().unwrap_or(0);
    while least <= largest {
        let n: u64 = surveyed.by_occurrence.range(least..=most).map(|(_, n)| n).sum();
        let times =
            if least == most { least.to_string() } else { format!("{}-{}", grouped(least), grouped(most)) };
        rows.push([times, grouped(n)]);
        (least, most) = (most + 1, most * 2);
    }
    rows
}

//! `ashta ending`: tables of endings, what a position is worth, practice.

mod practice;

use std::io::Write;
use std::path::PathBuf;

use ashta_messages::message;
use ashta_position::notation::write_san;
use ashta_position::{CompiledRules, Game};
use ashta_study::ending::{BuildProgress, EndingMaterial, Endings, TablebaseValue};
use ashta_web::study_json;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::draw;
use crate::experiments::cancel_on_interrupt;
use crate::game_arguments::{StyleArgs, position_error, read_rules};
use crate::output::{grouped, write_json};

/// Study endgames of up to four pieces: statistics, the longest win, positions, practice
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/ending.txt"))]
pub struct EndingArgs {
    /// A name from `ashta games` or a path to a .toml file, with `+change`s, or variants.ini:NAME
    game: String,
    /// Material, such as KBNK [default: that of --position; lists endgames without either]
    material: Option<String>,
    /// Evaluate this position and its moves; with --practice, start from it
    #[arg(long, short, value_name = "FEN")]
    position: Option<String>,
    /// Practise a won position against the best defence
    #[arg(long, conflicts_with = "json")]
    practice: bool,
    /// With --practice: seed of the positions [default: random]
    #[arg(long)]
    seed: Option<u64>,
    /// Folder for tables, instead of the user's cache
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    #[command(flatten)]
    style: StyleArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &EndingArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let rules = CompiledRules::new(read_rules(&args.game)?);
    let read =
        |text: &String| Game::from_text(&rules, text).map_err(|error| position_error(error, text, &rules));
    let position = args.position.as_ref().map(read).transpose()?;
    let material = match (&args.material, &position) {
        (Some(named), _) => EndingMaterial::read(named, rules.rules())
            .map_err(|error| ErrorMessage::new(error).hint(message!("cli.ending-material.hint")))?,
        (None, Some(game)) => EndingMaterial::of(game),
        (None, None) => return choose(args, &rules, out),
    };
    let mut endings = Endings::new(&rules, args.cache.clone().or_else(cache_folder));
    prepare(&mut endings, &material)?;
    if let Some(game) = &position {
        check_men(args, &endings, game)?;
    }
    match (args.practice, position) {
        (true, position) => practice::run(args, &endings, &material, position, out),
        (false, Some(game)) => probe(args, &endings, &game, out),
        (false, None) => print_table(args, &endings, &material, out),
    }
}

/// Checks that the position has the material of the tables.
fn check_men(args: &EndingArgs, endings: &Endings, game: &Game) -> Result<(), CliError> {
    if endings.probe(game).is_some() {
        return Ok(());
    }
    let has = EndingMaterial::of(game).name(game.rules());
    let hint = message!("cli.ending-other-material.hint", game = args.game, material = has);
    Err(ErrorMessage::new(message!("cli.ending-other-material", material = has)).hint(hint).into())
}

/// Endings to choose from.
fn choose(args: &EndingArgs, rules: &CompiledRules, out: &mut dyn Write) -> Result<Status, CliError> {
    let all = EndingMaterial::against_a_lone_royal(rules.rules());
    let names: Vec<String> = all.iter().map(|material| material.name(rules.rules())).collect();
    if args.json {
        return write_json(out, &names);
    }
    writeln!(out, "Endings of {} against a lone royal piece:", rules.rules().name())?;
    for line in draw::wrap(&names.join(" "), draw::PAGE_WIDTH - 2) {
        writeln!(out, "  {line}")?;
    }
    if let Some(name) = names.get(1).or(names.first()) {
        writeln!(out, "Learn one: ashta ending {} {name} --practice", args.game)?;
    }
    Ok(Status::Done)
}

/// The user's cache folder.
fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("ashta").join("endings"))
}

fn prepare(endings: &mut Endings, material: &EndingMaterial) -> Result<(), CliError> {
    let bar = ProgressBar::new(1);
    if let Ok(style) = ProgressStyle::with_template("{msg:8} {bar:30} {percent}%") {
        bar.set_style(style);
    }
    let stop = cancel_on_interrupt();
    let mut watch = |progress: BuildProgress<'_>| {
        bar.set_length(progress.total);
        bar.set_message(progress.name.to_string());
        bar.set_position(progress.done);
    };
    let prepared = endings.prepare(material, &mut watch, &stop).map(|_| ());
    bar.finish_and_clear();
    Ok(prepared.map_err(ErrorMessage::new)?)
}

fn print_table(
    args: &EndingArgs,
    endings: &Endings,
    material: &EndingMaterial,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let Some(table) = endings.table(material) else { return Ok(Status::No) };
    let table_json = study_json::ending(endings, table);
    if args.json {
        return write_json(out, &table_json);
    }
    writeln!(out, "{}: {}", table_json.material, table_json.words)?;
    for side in &table_json.sides {
        let total = (side.won + side.lost + side.drawn).max(1);
        let share = |n: u64| format!("{} ({:.1}%)", grouped(n), n as f64 * 100.0 / total as f64);
        writeln!(
            out,
            "{} to move: won {}, drawn {}, lost {}",
            side.to_move,
            share(side.won),
            share(side.drawn),
            share(side.lost)
        )?;
        if let (Some(plies), Some(position)) = (side.longest_win_plies, &side.longest_win) {
            writeln!(out, "  longest win: {}, from {position}", length(plies))?;
        }
    }
    writeln!(out, "symmetric positions are counted once")?;
    Ok(Status::Done)
}

/// `10 moves (19 plies)`.
fn length(plies: u16) -> String {
    let moves = plies.div_ceil(2);
    let word = if moves == 1 { "move" } else { "moves" };
    match plies {
        1 => format!("{moves} {word}"),
        _ => format!("{moves} {word} ({plies} plies)"),
    }
}

fn worth_words(worth: TablebaseValue) -> String {
    match worth {
        TablebaseValue::Win(0) => "won".to_string(),
        TablebaseValue::Win(plies) => format!("wins in {}", length(plies)),
        TablebaseValue::Loss(0) => "lost".to_string(),
        TablebaseValue::Loss(plies) => format!("loses in {}", length(plies)),
        TablebaseValue::Draw => "draws".to_string(),
    }
}

fn probe(args: &EndingArgs, endings: &Endings, game: &Game, out: &mut dyn Write) -> Result<Status, CliError> {
    let (Some(table_json), Some(worth)) = (study_json::probe(endings, game), endings.probe(game)) else {
        return Ok(Status::No);
    };
    if args.json {
        return write_json(out, &table_json);
    }
    writeln!(out, "{} {}", draw::side_name(game.turn(), game.rules()), worth_words(worth))?;
    for (mv, worth) in endings.moves(game) {
        writeln!(out, "{}{}", draw::left(&write_san(game, mv), 10), worth_words(worth))?;
    }
    Ok(Status::Done)
}

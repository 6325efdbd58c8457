//! `ashta play`: sit down to a game.

use ashta_search::SearchWord;
use std::io::{IsTerminal, Write, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ashta_lab::PlanError;
use ashta_messages::message;
use ashta_play::{ContestPlayer, PlayerNeed, PlayerPlan, Random, UnfitPlayer};
use ashta_position::{CompiledRules, Game, Tables, with_tables};
use ashta_rules::Rules;
use ashta_search::Values;
use ashta_study::opening::{Journal, JournalError};
use clap::Args;

use super::random_seed;
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::contest::{Colours, ContestSession, ContestStyle, SeatPlan, open_contest};
use crate::draw;
use crate::game_arguments::{StyleArgs, position_error, read_rules};
use crate::session::{self, ClockPlan, GameSession, Input, Mode, SessionConfig};
use crate::weights::read_weights;

/// The level of the program where none is named.
const DEFAULT_LEVEL: u8 = 3;

/// Play a game against the program or another person, or watch
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/play.txt"))]
pub struct PlayArgs {
    /// A name from `ashta games` or a path to a .toml file, with `+change`s, or variants.ini:NAME
    game: String,
    /// Players of the sides, separated by /: human, level:5, engine:500ms, P2... [default: human/level:3, with dice human/expect:2]
    #[arg(long, short, value_name = "SEATS")]
    players: Option<String>,
    /// The program's level, 1 to 10
    #[arg(long, short, value_name = "N", conflicts_with = "players")]
    level: Option<u8>,
    /// Your side: its name, or first or second
    #[arg(long, short, value_name = "SIDE", conflicts_with = "players")]
    side: Option<String>,
    /// Start from this position, as FEN or SFEN, or as `position` and `quit` print it
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Time control: minutes per side, plus an increment in seconds: 5+3
    #[arg(long, value_name = "TIME")]
    clock: Option<String>,
    /// Opening book of the program; `ashta opening` creates one
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Piece values for the program: a file of lines `piece = number`, or a folder of `ashta learn`
    #[arg(long, value_name = "PATH")]
    values: Option<PathBuf>,
    /// Show the evaluation after every move
    #[arg(long)]
    eval: bool,
    /// Plain lines without redrawing, for scripts and screen readers
    #[arg(long)]
    plain: bool,
    /// Seed of the dice and the players [default: random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// No colours, as with NO_COLOR
    #[arg(long)]
    no_colour: bool,
    #[command(flatten)]
    style: StyleArgs,
}

pub fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let rules = read_rules(&args.game)?;
    if rules.contest().is_none() {
        return play_game(args, rules, out);
    }
    let seats = read_seats(args.players.as_deref().unwrap_or("human/expect:2"), rules.sides().len())?;
    let values = read_values(args, &rules)?;
    let rules = CompiledRules::new(rules);
    with_tables!(&rules, tables => play_contest(args, tables, &seats, values.as_ref(), out))
}

/// A game of two sides.
fn play_game(args: &PlayArgs, rules: Rules, out: &mut dyn Write) -> Result<Status, CliError> {
    let plans = read_seats(&seats_text(args, &rules)?, rules.sides().len())?;
    let style = args.style.style(&rules);
    let values = read_values(args, &rules)?;
    let rules = CompiledRules::new(rules);
    let start = match &args.position {
        None => Game::start(&rules),
        Some(text) => Game::from_text(&rules, text).map_err(|error| position_error(error, text, &rules))?,
    };
    let clock = args.clock.as_deref().map(read_clock).transpose()?;
    let sit = |plan: &SeatPlan| -> Result<session::PlayerSeat, CliError> {
        match plan {
            SeatPlan::Human => Ok(session::PlayerSeat::Human),
            SeatPlan::Player(plan) => {
                // A session has the clock that an engine limited by time needs.
                let fit = plan.check(rules.rules());
                fit.or_else(|error| if error.why == PlayerNeed::Clock { Ok(()) } else { Err(unfit(error)) })?;
                session::PlayerSeat::program(plan.clone(), &rules, values.as_ref()).map_err(unfit)
            }
        }
    };
    let [first, second] = plans.as_slice() else {
        return Err(ErrorMessage::new(message!("cli.two-sides", game = args.game)).into());
    };
    let seats = [sit(first)?, sit(second)?];
    let mode =
        if args.plain || !is_terminal_output() || !stdin().is_terminal() { Mode::Plain } else { Mode::Page };
    let config = SessionConfig {
        game_name: args.game.clone(),
        start,
        seats,
        clock,
        seed: args.seed.unwrap_or_else(random_seed),
        mode,
        style,
        shows_evaluation: args.eval,
        values: values.clone(),
        book: args.book.as_deref().map(|file| open_book(file, &rules)).transpose()?,
        rules,
    };
    let mut lines = stdin().lock();
    let input = if mode == Mode::Page { Input::editor()? } else { Input::Plain(&mut lines) };
    GameSession::new(config, input).run(out)?;
    Ok(Status::Done)
}

fn unfit(error: UnfitPlayer) -> CliError {
    PlanError::Unfit(error).into()
}

/// What pieces are worth to the program, if it is told.
fn read_values(args: &PlayArgs, rules: &Rules) -> Result<Option<Values>, CliError> {
    let Some(path) = &args.values else { return Ok(None) };
    let wrong = |source| PlanError::Values { game: args.game.clone(), source };
    Ok(Some(Values::read(&read_weights(path, rules)?, rules).map_err(wrong)?))
}

/// Seats as typed, or made of the level and the side that are wanted.
fn seats_text(args: &PlayArgs, rules: &Rules) -> Result<String, CliError> {
    if let Some(players) = &args.players {
        return Ok(players.clone());
    }
    let program = format!("level:{}", args.level.unwrap_or(DEFAULT_LEVEL));
    let names: Vec<String> = rules.sides().iter().map(|side| side.name.to_lowercase()).collect();
    let side = args.side.as_deref().unwrap_or("first").to_lowercase();
    match side.as_str() {
        "first" => Ok(format!("human/{program}")),
        "second" => Ok(format!("{program}/human")),
        name if names.first().is_some_and(|first| first == name) => Ok(format!("human/{program}")),
        name if names.get(1).is_some_and(|second| second == name) => Ok(format!("{program}/human")),
        name => {
            let message = ErrorMessage::new(message!("cli.no-side", game = args.game, name));
            Err(message.hint(message!("cli.sides.hint", sides = draw::list(&names, "and"))).into())
        }
    }
}

fn open_book(file: &Path, rules: &CompiledRules) -> Result<Journal, CliError> {
    Journal::open(file, rules).map_err(|error| match &error {
        JournalError::File { error: io, .. } if io.kind() == std::io::ErrorKind::NotFound => {
            ErrorMessage::new(error).hint(message!("cli.new-book.hint")).into()
        }
        _ => super::opening::message(&error).into(),
    })
}

fn read_clock(text: &str) -> Result<ClockPlan, CliError> {
    ClockPlan::read(text).ok_or_else(|| {
        ErrorMessage::new(message!("cli.not-a-time", text)).hint(message!("cli.not-a-time.hint")).into()
    })
}

/// One seat named for all others, or every seat named.
fn read_seats(text: &str, n_sides: usize) -> Result<Vec<SeatPlan>, CliError> {
    let read = |word: &str| -> Result<SeatPlan, CliError> {
        match word.trim() {
            "human" | "me" => Ok(SeatPlan::Human),
            word => {
                let plan = word.parse::<PlayerPlan>().map_err(PlanError::Player)?;
                Ok(SeatPlan::Player(plan))
            }
        }
    };
    let seats: Vec<SeatPlan> = text.split('/').map(read).collect::<Result<_, _>>()?;
    match (seats.as_slice(), n_sides) {
        ([one], n) => Ok(vec![one.clone(); n]),
        ([first, others], n) if n > 2 => {
            Ok(std::iter::once(first.clone()).chain(vec![others.clone(); n - 1]).collect())
        }
        (all, n) if all.len() == n => Ok(seats),
        (all, n) => {
            let what = message!("cli.number-of-seats", n = all.len(), n_sides = n);
            Err(ErrorMessage::new(what).hint(message!("cli.number-of-seats.hint")).into())
        }
    }
}

fn play_contest<W: SearchWord>(
    args: &PlayArgs,
    tables: &Arc<Tables<W>>,
    seats: &[SeatPlan],
    values: Option<&Values>,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let contest = open_contest(tables, args.position.as_deref())?;
    let sit = |seat: &SeatPlan| match seat {
        SeatPlan::Human => Ok(None),
        SeatPlan::Player(plan) => ContestPlayer::new(plan, &contest, values).map(Some),
    };
    let players = seats.iter().map(sit).collect::<Result<Vec<_>, _>>().map_err(unfit)?;
    let adviser = PlayerPlan::Expectimax { turns: 2 };
    let adviser = ContestPlayer::new(&adviser, &contest, values).map_err(unfit)?;
    let seed = args.seed.unwrap_or_else(random_seed);
    let colours = if args.no_colour || std::env::var_os("NO_COLOR").is_some() || !is_terminal_output() {
        Colours::Off
    } else {
        Colours::On
    };
    let random = Random::of_game(seed, u64::from(contest.n_turns()), 0);
    writeln!(out, "{}, seed {seed}", contest.rules().name())?;
    ContestSession::new(contest, players, adviser, random, ContestStyle { colours }, &mut stdin().lock())
        .run(out)?;
    Ok(Status::Done)
}

fn is_terminal_output() -> bool {
    std::io::stdout().is_terminal()
}

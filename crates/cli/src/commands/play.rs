//! `ashta play`: sit down to a contest.

use std::io::{BufRead, IsTerminal, Write, stdin};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use ashta_play::{ContestPlayer, PlayerPlan, Random, UnfitPlayer};
use ashta_position::{CompiledRules, Tables, Word};
use clap::Args;

use crate::choice::read_rules;
use crate::contest::{Colours, Screen, Seat, Session, WithContest, open_contest, with_contest};
use crate::failure::{Failure, Message, Status};

/// Play a contest such as four-handed chaturanga; the program throws the dice
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/play.txt"))]
pub struct PlayArgs {
    /// A contest from `ashta games` or a path to a .toml file, with `+change`s
    game: String,
    /// Who sits where, with / between them: human, P0, P2(first), expect:2...
    #[arg(long, short, value_name = "SEATS", default_value = "human/expect:2")]
    players: String,
    /// Go on from this position, as `position` or `quit` writes it
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Seed of the dice and of the players; a new one each time if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Draw without colours, as the environment's NO_COLOR does
    #[arg(long)]
    no_colour: bool,
}

pub fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    let rules = read_rules(&args.game)?;
    if rules.contest().is_none() {
        let message = Message::new(format!("{} is for two sides; only contests are played here yet", args.game));
        return Err(message.hint("`ashta play four-handed` plays one").into());
    }
    let seats = read_seats(&args.players, rules.sides().len())?;
    let rules = CompiledRules::new(rules);
    let mut input = stdin().lock();
    with_contest(&rules, Sitting { args, seats, input: &mut input, out })
}

/// One seat named for all others, or every seat named.
fn read_seats(text: &str, n_sides: usize) -> Result<Vec<Seat>, Failure> {
    let read = |word: &str| -> Result<Seat, Failure> {
        match word.trim() {
            "human" | "me" => Ok(Seat::Human),
            word => {
                let plan = word.parse::<PlayerPlan>().map_err(ashta_lab::PlanError::Player)?;
                Ok(Seat::Player(plan))
            }
        }
    };
    let seats: Vec<Seat> = text.split('/').map(read).collect::<Result<_, _>>()?;
    match (seats.as_slice(), n_sides) {
        ([one], n) => Ok(vec![one.clone(); n]),
        ([first, others], n) if n > 2 => {
            Ok(std::iter::once(first.clone()).chain(vec![others.clone(); n - 1]).collect())
        }
        (all, n) if all.len() == n => Ok(seats),
        (all, n) => {
            let what = format!("{} seats are named and the game has {n}", all.len());
            let hint = "name one for all, two for the first and all others, or every seat: human/P2/P0/P2";
            Err(Message::new(what).hint(hint).into())
        }
    }
}

struct Sitting<'a> {
    args: &'a PlayArgs,
    seats: Vec<Seat>,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl WithContest for Sitting<'_> {
    type Made = Result<Status, Failure>;

    fn with<W: Word>(self, tables: &Arc<Tables<W>>) -> Result<Status, Failure> {
        let contest = open_contest(tables, self.args.position.as_deref())?;
        let unfit = |error: UnfitPlayer| Failure::from(ashta_lab::PlanError::Unfit(error));
        let sit = |seat: &Seat| match seat {
            Seat::Human => Ok(None),
            Seat::Player(plan) => ContestPlayer::new(plan, &contest, None).map(Some),
        };
        let players = self.seats.iter().map(sit).collect::<Result<Vec<_>, _>>().map_err(unfit)?;
        let adviser = ContestPlayer::new(&PlayerPlan::Expecting { turns: 2 }, &contest, None).map_err(unfit)?;
        let seed = self.args.seed.unwrap_or_else(new_seed);
        let colours = match self.args.no_colour || std::env::var_os("NO_COLOR").is_some() || !is_person() {
            true => Colours::Off,
            false => Colours::On,
        };
        let random = Random::of_game(seed, u64::from(contest.n_turns()), 0);
        writeln!(self.out, "{}, seed {seed}", contest.rules().name())?;
        Session::new(contest, players, adviser, random, Screen { colours }, self.input).run(self.out)?;
        Ok(Status::Done)
    }
}

fn is_person() -> bool {
    std::io::stdout().is_terminal()
}

fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| now.as_nanos() as u64 % 1_000_000)
}

//! What may be asked for as a job, and the command that does it.
//!
//! In: JSON of a request. Out: arguments of a command, each word checked. Never: an option, a path or another program that
//! a request names; games, players and tables are known by name.

use ashta_lab::learn::learning_names;
use ashta_lab::matches::{match_names, value_table_names};
use ashta_lab::{Preset, evolution_names, experiment_names};
use ashta_rules::{game_names, nearest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::data_folder::Name;
use crate::failure::Refusal;
use crate::laboratory::Laboratory;
use crate::players::read_player;

/// Most games, players or lambdas of one job.
const MOST_NAMES: usize = 200;

/// A job.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum JobRequest {
    /// Games played by the thousand and measured.
    Analyze(Analyze),
    /// A published experiment, repeated.
    Reproduce(Reproduce),
    /// Every game between an old one and a new one.
    Evolve(Evolve),
    /// What pieces are worth, learned.
    Learn(Learn),
    /// Two players or tables of values against each other.
    Match(MatchOf),
}

/// Games played by the thousand and measured.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Analyze {
    /// `shogi`, `shatranj+double-step`.
    pub games: Vec<String>,
    /// `P0`, `level:2`, or one for each side: `P3/P0`.
    pub players: Vec<String>,
    /// Games for each game and player.
    pub n_games: Option<u32>,
    /// Play until an interval is this narrow, instead: `E±2%`.
    pub until: Option<String>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// Conventions: `plain`, `paper-000`...
    pub preset: Option<String>,
    /// Plies after which a game is a draw.
    pub max_plies: Option<u32>,
    /// A table of values that was learned or written here.
    pub values: Option<String>,
    /// Keep the games as records: `pgn`, `usi` or `csa`.
    pub keep: Option<String>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// A published experiment, repeated.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Reproduce {
    /// `000-table7`.
    pub name: String,
    /// Games, instead of the paper's number.
    pub n_games: Option<u32>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// Every game between an old one and a new one.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Evolve {
    /// `shatranj-to-chess`.
    pub name: String,
    /// Who plays, instead of the file's player.
    pub player: Option<String>,
    /// Games of each.
    pub n_games: Option<u32>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// What pieces are worth, learned.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct Learn {
    /// `heian-shogi`.
    pub games: Vec<String>,
    /// How far the past counts, from 0 to 1; several are compared.
    pub lambdas: Vec<f64>,
    /// Games of each run.
    pub n_games: Option<u32>,
    /// Independent runs.
    pub n_runs: Option<u32>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// `0.05:0.002@3000`.
    pub alpha: Option<String>,
    /// Plies in full width.
    pub depth: Option<u8>,
    /// Depth at which captures are looked at no further.
    pub quiescence: Option<u8>,
    /// Weights beyond those of kinds: `hand`, `squares`.
    pub features: Vec<String>,
    /// Games played at once before the weights change.
    pub batch: Option<u32>,
    /// The piece that is worth 1.
    pub unit: Option<String>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// Two players or tables of values against each other.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema, Debug)]
#[serde(default)]
pub struct MatchOf {
    /// `chess`.
    pub games: Vec<String>,
    /// Players (`level:3`), tables (`yss`, or one that was learned here), or both: `A3(3)@mine`.
    pub players: [String; 2],
    /// Pairs of games, the sides exchanged.
    pub n_pairs: Option<u32>,
    /// Random plies before the two play.
    pub opening: Option<u32>,
    /// Stop as soon as it is clear which of two Elo differences is true: `0:20`.
    pub sprt: Option<String>,
    /// Plies in full width of a table alone.
    pub depth: Option<u8>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// Threads; all processors if not given.
    pub threads: Option<u32>,
}

/// A command that does a job: its title for people, and its arguments. It is run among the games that were written here.
#[derive(Clone, PartialEq, Debug)]
pub struct JobCommand {
    pub title: String,
    pub arguments: Vec<String>,
}

impl JobRequest {
    /// The command, or what is wrong with the request.
    pub fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        match self {
            JobRequest::Analyze(request) => request.command(laboratory),
            JobRequest::Reproduce(request) => request.command(),
            JobRequest::Evolve(request) => request.command(),
            JobRequest::Learn(request) => request.command(laboratory),
            JobRequest::Match(request) => request.command(laboratory),
        }
    }
}

impl Analyze {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let games = read_games(&self.games, laboratory)?;
        let mut arguments = vec!["analyze".to_string()];
        arguments.extend(games);
        for player in few(&self.players, "player")? {
            player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
            arguments.push(format!("--player={player}"));
        }
        if let Some(preset) = &self.preset {
            let names = Preset::ALL.map(Preset::name);
            arguments.push(format!("--preset={}", known(preset, &names, "preset")?));
        }
        if let Some(keep) = &self.keep {
            let ending = known(keep, &["pgn", "usi", "csa"], "form of records")?;
            arguments.push(format!("--keep={KEEP_HERE}{ending}"));
        }
        option(&mut arguments, "games", self.n_games);
        option(&mut arguments, "until", self.until.as_deref().map(plain).transpose()?);
        option(&mut arguments, "seed", self.seed);
        option(&mut arguments, "max-plies", self.max_plies);
        option(
            &mut arguments,
            "values",
            self.values.as_deref().map(|name| values_file(name, laboratory)).transpose()?,
        );
        option(&mut arguments, "threads", self.threads);
        let players = if self.players.is_empty() { "P0".to_string() } else { self.players.join(", ") };
        Ok(JobCommand { title: format!("{}: {players}", self.games.join(", ")), arguments })
    }
}

/// Stands for the job's own folder in an argument: a request cannot know it.
pub const KEEP_HERE: &str = "{folder}/games.";

impl Reproduce {
    fn command(&self) -> Result<JobCommand, Refusal> {
        let mut names = experiment_names();
        names.extend(learning_names());
        names.extend(match_names());
        let name = known(&self.name, &names, "experiment")?;
        let mut arguments = vec!["reproduce".to_string(), name.to_string()];
        option(&mut arguments, "games", self.n_games);
        option(&mut arguments, "seed", self.seed);
        option(&mut arguments, "threads", self.threads);
        Ok(JobCommand { title: name.to_string(), arguments })
    }
}

impl Evolve {
    fn command(&self) -> Result<JobCommand, Refusal> {
        let name = known(&self.name, &evolution_names(), "evolution")?;
        let mut arguments = vec!["evolve".to_string(), name.to_string()];
        if let Some(player) = &self.player {
            player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
        }
        option(&mut arguments, "player", self.player.as_ref());
        option(&mut arguments, "games", self.n_games);
        option(&mut arguments, "seed", self.seed);
        option(&mut arguments, "threads", self.threads);
        Ok(JobCommand { title: name.to_string(), arguments })
    }
}

impl Learn {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let mut arguments = vec!["learn".to_string()];
        arguments.extend(read_games(&self.games, laboratory)?);
        let lambdas: Vec<String> = few(&self.lambdas, "lambda")?.iter().map(f64::to_string).collect();
        option(&mut arguments, "lambda", (!lambdas.is_empty()).then(|| lambdas.join(",")));
        option(&mut arguments, "games", self.n_games);
        option(&mut arguments, "runs", self.n_runs);
        option(&mut arguments, "seed", self.seed);
        option(&mut arguments, "alpha", self.alpha.as_deref().map(plain).transpose()?);
        option(&mut arguments, "depth", self.depth);
        option(&mut arguments, "quiescence", self.quiescence);
        let features: Result<Vec<&str>, Refusal> =
            few(&self.features, "feature")?.iter().map(|name| plain(name)).collect();
        let features = features?.join(",");
        option(&mut arguments, "features", (!features.is_empty()).then_some(features));
        option(&mut arguments, "batch", self.batch);
        option(&mut arguments, "unit", self.unit.as_deref().map(plain).transpose()?);
        option(&mut arguments, "threads", self.threads);
        let title = format!(
            "{}: λ {}",
            self.games.join(", "),
            if lambdas.is_empty() { "0.8".into() } else { lambdas.join(", ") }
        );
        Ok(JobCommand { title, arguments })
    }
}

impl MatchOf {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let games = read_games(&self.games, laboratory)?.join(",");
        let [first, second] = &self.players;
        let mut arguments =
            vec!["match".to_string(), games, competitor(first, laboratory)?, competitor(second, laboratory)?];
        option(&mut arguments, "pairs", self.n_pairs);
        option(&mut arguments, "opening", self.opening);
        option(&mut arguments, "sprt", self.sprt.as_deref().map(plain).transpose()?);
        option(&mut arguments, "depth", self.depth);
        option(&mut arguments, "seed", self.seed);
        option(&mut arguments, "threads", self.threads);
        Ok(JobCommand { title: format!("{}: {first} – {second}", self.games.join(", ")), arguments })
    }
}

fn option(arguments: &mut Vec<String>, name: &str, value: Option<impl ToString>) {
    // Joined by =, a value that begins with a dash is no option of its own.
    arguments.extend(value.map(|value| format!("--{name}={}", value.to_string())));
}

fn few<'a, T>(all: &'a [T], what: &str) -> Result<&'a [T], Refusal> {
    match all.len() <= MOST_NAMES {
        true => Ok(all),
        false => {
            Err(Refusal::wrong(format!("{} {what}s are too many: {MOST_NAMES} can be asked for", all.len())))
        }
    }
}

/// Games as the command knows them: those that were written here are files of the folder that it runs in.
fn read_games(games: &[String], laboratory: &Laboratory) -> Result<Vec<String>, Refusal> {
    if games.is_empty() {
        return Err(Refusal::wrong("no game is named").hint("name one or more in `games`"));
    }
    few(games, "game")?.iter().map(|game| game_word(game, laboratory)).collect()
}

/// A game as a word of a command.
pub fn game_word(game: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    laboratory.rules(game)?;
    let (name, changes) = game.split_once('+').map_or((game, None), |(name, changes)| (name, Some(changes)));
    Ok(match (game_names().contains(&name), changes) {
        (true, _) => game.to_string(),
        (false, None) => format!("./{name}.toml"),
        (false, Some(changes)) => format!("./{name}.toml+{changes}"),
    })
}

/// A player, a table of values, or both with `@` between them.
fn competitor(text: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    let table = |name: &str| match value_table_names().contains(&name) {
        true => Ok(name.to_string()),
        false => values_file(name, laboratory),
    };
    match text.split_once('@') {
        Some((player, name)) => Ok(format!("{}@{}", read_player(player)?, table(name)?)),
        None => match table(text) {
            Ok(name) => Ok(name),
            Err(_) => Ok(read_player(text)?.to_string()),
        },
    }
}

/// A table of values that is kept here, as a path from the games.
fn values_file(name: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    let name = Name::read(name)?;
    match laboratory.folder.values_file(&name).is_file() {
        true => Ok(format!("../values/{name}.values")),
        false => Err(Refusal::missing(format!("no table of values is named `{name}`"))),
    }
}

fn known<'a>(name: &'a str, all: &[&str], what: &str) -> Result<&'a str, Refusal> {
    if all.contains(&name) {
        return Ok(name);
    }
    let refusal =
        Refusal::missing(format!("no {what} is named `{}`", name.chars().take(60).collect::<String>()));
    Err(match nearest(name, all.iter().copied()) {
        Some(near) => refusal.hint(format!("did you mean `{near}`?")),
        None => refusal.hint(format!("there are {}", all.join(", "))),
    })
}

/// A short word that the command itself reads; it cannot be a path.
fn plain(text: &str) -> Result<&str, Refusal> {
    let is_plain = text.chars().count() <= 60 && !text.contains(['/', '\\', '\0', '\n']);
    match is_plain {
        true => Ok(text),
        false => Err(Refusal::wrong("a value is too long, or has a character that no value has")),
    }
}

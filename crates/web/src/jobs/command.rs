//! The command that does a job.
//!
//! In: a request. Out: its title and arguments, each word checked. Never: an option, a path or another program that a
//! request names; games, players and tables are known by name, plans and evolutions are read and their games looked up.

use ashta_lab::learn::{Bared, FeatureName, Rate, RateError, learning_names};
use ashta_lab::matches::match_names;
use ashta_lab::{Evolution, EvolutionError, Measure, Preset, evolution_names, experiment_names};

use super::again::Again;
use super::request::{Analyze, Evolve, JobRequest, Learn, MatchOf, Merge, Playing, Reproduce, Rerun};
use super::words::{
    competitor, few, game_word, known, learned_values, option, own_name, plain, read_games, shortened,
    values_file,
};
use crate::failure::Refusal;
use crate::laboratory::Laboratory;
use crate::players::read_player;

/// Stands for the job's own folder in an argument: a request cannot know it.
pub const FOLDER: &str = "{folder}";
/// What a job's games are kept in, besides the report.
pub const JOURNAL: &str = "journal";
/// The file that a command of a request with a text reads it from.
const ASKED_PLAN: &str = "asked.json";
const ASKED_EVOLUTION: &str = "evolution.toml";
/// Readings of P'i.
const READINGS: [&str; 4] = ["next", "captures", "promoted", "all"];

/// A command that does a job. It is run among the games that were written here.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct JobCommand {
    /// For people.
    pub title: String,
    /// Its words.
    pub arguments: Vec<String>,
    /// A file that it reads, to be written to the job's folder: its name and what it holds.
    pub file: Option<(&'static str, String)>,
    /// Whether it learns: then it is shown with curves.
    pub is_learning: bool,
}

impl JobRequest {
    /// The command, or what is wrong with the request.
    pub fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        match self {
            JobRequest::Analyze(request) => request.command(laboratory),
            JobRequest::Reproduce(request) => request.command(laboratory),
            JobRequest::Evolve(request) => request.command(laboratory),
            JobRequest::Learn(request) => request.command(laboratory),
            JobRequest::Match(request) => request.command(laboratory),
            JobRequest::Rerun(request) => request.command(laboratory),
            JobRequest::Merge(request) => request.command(laboratory),
            JobRequest::Part => Err(Refusal::wrong("a part comes with its journal")
                .hint("send the journal's bytes to /api/jobs/parts")),
            JobRequest::Bench => {
                let (title, arguments) = ("bench".to_string(), vec!["bench".to_string()]);
                Ok(JobCommand { title, arguments, ..JobCommand::default() })
            }
        }
    }
}

impl Playing {
    fn add_to(&self, arguments: &mut Vec<String>) -> Result<(), Refusal> {
        if self.until.is_some() && (self.n_games.is_some() || self.shard.is_some()) {
            return Err(Refusal::wrong(
                "a run until an interval is narrow has no number of games and no parts",
            )
            .hint("give `until`, or `n_games` and perhaps `shard`"));
        }
        option(arguments, "games", self.n_games);
        option(arguments, "until", self.until.as_deref().map(read_until).transpose()?);
        option(arguments, "most", self.most);
        option(arguments, "seed", self.seed);
        carry(arguments, self.shard.as_deref(), self.keep.as_deref())?;
        option(arguments, "threads", self.threads);
        Ok(())
    }

    /// A title, with which part it is.
    fn titled(&self, title: String) -> String {
        titled(title, self.shard.as_deref())
    }
}

fn titled(title: String, shard: Option<&str>) -> String {
    match shard {
        Some(shard) => format!("{title} · {shard}"),
        None => title,
    }
}

/// A measure and a percentage, as the command reads them again.
fn read_until(text: &str) -> Result<&str, Refusal> {
    let (name, percent) = ["±", "+-", "+/-", ":"].iter().find_map(|sign| text.split_once(sign)).unzip();
    let is_measure = name.is_some_and(|name| Measure::ALL.iter().any(|measure| measure.symbol() == name));
    let percent: Option<f64> = percent.and_then(|text: &str| text.trim_end_matches('%').parse().ok());
    match is_measure && percent.is_some_and(|percent| (0.01..=100.0).contains(&percent)) {
        true => Ok(text),
        false => {
            let names = Measure::ALL.map(Measure::symbol).join(", ");
            Err(Refusal::wrong(format!("`{}` is no measure with a percentage", shortened(text)))
                .hint(format!("one such as E±2% is wanted; measures are {names}")))
        }
    }
}

/// Which part of the work, and where its games are kept.
fn carry(arguments: &mut Vec<String>, shard: Option<&str>, keep: Option<&str>) -> Result<(), Refusal> {
    if shard.is_some() && keep.is_some() {
        return Err(
            Refusal::wrong("a part keeps no games as records").hint("keep them when the parts are joined")
        );
    }
    if let Some(shard) = shard {
        let part =
            shard.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let is_part = |(index, of): &(u32, u32)| (1..=*of).contains(index) && *of <= 10_000;
        let wrong = || Refusal::wrong("a part such as 3/8 is wanted, from 1/8 to 8/8");
        let (index, of) = part.filter(is_part).ok_or_else(wrong)?;
        arguments.push(format!("--shard={index}/{of}"));
    }
    if let Some(keep) = keep {
        let ending = known(keep, &["pgn", "usi", "csa"], "form of records")?;
        arguments.push(format!("--keep={FOLDER}/games.{ending}"));
    }
    Ok(())
}

impl Analyze {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let mut arguments = vec!["analyze".to_string()];
        arguments.extend(read_games(&self.games, laboratory)?);
        for player in few(&self.players, "player")? {
            player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
            arguments.push(format!("--player={player}"));
        }
        if let Some(preset) = &self.preset {
            let names = Preset::ALL.map(Preset::name);
            arguments.push(format!("--preset={}", known(preset, &names, "preset")?));
        }
        option(&mut arguments, "max-plies", self.max_plies);
        let values = self.values.as_deref().map(|name| values_file(name, laboratory)).transpose()?;
        option(&mut arguments, "values", values);
        self.playing.add_to(&mut arguments)?;
        let players = if self.players.is_empty() { "P0".to_string() } else { self.players.join(", ") };
        let title = self.playing.titled(format!("{}: {players}", self.games.join(", ")));
        Ok(JobCommand { title, arguments, ..JobCommand::default() })
    }
}

impl Reproduce {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let mut names = experiment_names();
        let has_players = names.contains(&self.name.as_str());
        names.extend(learning_names());
        names.extend(match_names());
        let name = known(&self.name, &names, "experiment")?;
        if let Some(option) = self.option_of_players().filter(|_| !has_players) {
            return Err(Refusal::wrong(format!(
                "{name} has no players to measure, so `{option}` is not for it"
            ))
            .hint("leave it out"));
        }
        let mut arguments = vec!["reproduce".to_string(), name.to_string()];
        if let Some(reading) = &self.reading {
            reading.split(',').try_for_each(|one| known(one, &READINGS, "reading").map(|_| ()))?;
        }
        option(&mut arguments, "reading", self.reading.as_ref());
        let values = self.values.as_deref().map(|name| learned_values(name, laboratory)).transpose()?;
        option(&mut arguments, "values", values);
        self.playing.add_to(&mut arguments)?;
        let is_learning = learning_names().contains(&name);
        let title = self.playing.titled(name.to_string());
        Ok(JobCommand { title, arguments, is_learning, ..JobCommand::default() })
    }
}

impl Reproduce {
    /// What was chosen and serves only experiments that measure players.
    fn option_of_players(&self) -> Option<&'static str> {
        let given = [
            ("until", self.playing.until.is_some()),
            ("reading", self.reading.is_some()),
            ("values", self.values.is_some()),
            ("keep", self.playing.keep.is_some()),
            ("shard", self.playing.shard.is_some()),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }
}

impl Evolve {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let (word, title, file) = match &self.text {
            None => {
                let name = known(&self.name, &evolution_names(), "evolution")?;
                (name.to_string(), name.to_string(), None)
            }
            Some(text) => {
                let title = read_evolution(text, laboratory)?.title;
                (format!("{FOLDER}/{ASKED_EVOLUTION}"), title, Some((ASKED_EVOLUTION, text.clone())))
            }
        };
        let mut arguments = vec!["evolve".to_string(), word];
        if let Some(player) = &self.player {
            player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
        }
        option(&mut arguments, "player", self.player.as_ref());
        self.playing.add_to(&mut arguments)?;
        Ok(JobCommand { title: self.playing.titled(title), arguments, file, is_learning: false })
    }
}

/// An evolution of somebody's own; its games are of the library, or were written here.
pub fn read_evolution(text: &str, laboratory: &Laboratory) -> Result<Evolution, Refusal> {
    let evolution = Evolution::read(text).map_err(|error| match error {
        EvolutionError::Text { ref what, offset } => {
            let before = text.get(..offset).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Refusal::wrong(format!("line {line} of the evolution: {what}")).at(before.chars().count())
        }
        EvolutionError::Changes(_)
        | EvolutionError::Twice(_)
        | EvolutionError::NothingToTakeBack(_)
        | EvolutionError::NoSuchChange(_) => Refusal::wrong(error.to_string()),
    })?;
    let word = game_word(&own_name(&evolution.base), laboratory)?;
    if word != evolution.base {
        return Err(Refusal::wrong(format!("the base is written `{word}`")));
    }
    for at in 0..evolution.changes.len() {
        laboratory.rules(&own_name(&evolution.cell(1 << at).0))?;
    }
    evolution.player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
    Ok(evolution)
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
        let rate: Option<Rate> = self.alpha.as_deref().map(str::parse).transpose().map_err(no_rate)?;
        option(&mut arguments, "alpha", rate.and(self.alpha.as_deref()).map(plain).transpose()?);
        option(&mut arguments, "depth", self.depth);
        option(&mut arguments, "quiescence", self.quiescence);
        option(&mut arguments, "mate", self.mate);
        option(&mut arguments, "max-plies", self.max_plies);
        option(&mut arguments, "opening", self.opening);
        let ways = Bared::ALL.map(|(_, name)| name);
        let bared =
            self.bared.as_deref().map(|name| known(name, &ways, "way with a bare side")).transpose()?;
        option(&mut arguments, "bared", bared);
        option(&mut arguments, "span", self.span.as_deref().map(plain).transpose()?);
        let names = FeatureName::ALL.map(|(_, name)| name);
        let features: Result<Vec<&str>, Refusal> =
            few(&self.features, "feature")?.iter().map(|name| known(name, &names, "feature")).collect();
        let features = features?.join(",");
        option(&mut arguments, "features", (!features.is_empty()).then_some(features));
        option(&mut arguments, "batch", self.batch);
        option(&mut arguments, "unit", self.unit.as_deref().map(plain).transpose()?);
        option(&mut arguments, "threads", self.threads);
        let lambdas = if lambdas.is_empty() { "0.8".into() } else { lambdas.join(", ") };
        let title = format!("{}: λ {lambdas}", self.games.join(", "));
        Ok(JobCommand { title, arguments, is_learning: true, ..JobCommand::default() })
    }
}

fn no_rate(error: RateError) -> Refusal {
    Refusal::wrong(error.to_string())
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
        option(&mut arguments, "quiescence", self.quiescence);
        option(&mut arguments, "mate", self.mate);
        option(&mut arguments, "max-plies", self.max_plies);
        option(&mut arguments, "seed", self.seed);
        option(&mut arguments, "threads", self.threads);
        let title = format!("{}: {first} – {second}", self.games.join(", "));
        Ok(JobCommand { title, arguments, ..JobCommand::default() })
    }
}

impl Rerun {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let again = Again::read(&self.plan, laboratory)?;
        if again.is_learning() && (self.shard.is_some() || self.keep.is_some()) {
            return Err(Refusal::wrong("learning has no parts and keeps no games"));
        }
        let mut arguments = vec!["rerun".to_string(), format!("{FOLDER}/{ASKED_PLAN}")];
        carry(&mut arguments, self.shard.as_deref(), self.keep.as_deref())?;
        option(&mut arguments, "threads", self.threads);
        let title = titled(again.title(), self.shard.as_deref());
        let file = Some((ASKED_PLAN, again.report()?));
        Ok(JobCommand { title, arguments, file, is_learning: again.is_learning() })
    }
}

impl Merge {
    fn command(&self, laboratory: &Laboratory) -> Result<JobCommand, Refusal> {
        let mut arguments = vec!["merge".to_string()];
        let mut title = String::new();
        for id in few(&self.jobs, "part")? {
            let kept = laboratory.jobs.get(*id)?;
            let job = kept.job.borrow();
            if job.is_learning || !kept.folder.join(JOURNAL).is_file() {
                return Err(Refusal::wrong(format!("job {id} is no part of an experiment")));
            }
            title = job.title.split(" · ").next().unwrap_or_default().to_string();
            arguments.push(format!("../jobs/{id}/{JOURNAL}"));
        }
        if title.is_empty() {
            return Err(Refusal::wrong("no part is named").hint("name their jobs in `jobs`"));
        }
        carry(&mut arguments, None, self.keep.as_deref())?;
        Ok(JobCommand { title, arguments, ..JobCommand::default() })
    }
}

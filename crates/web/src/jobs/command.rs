//! From a job request to a command line.
//!
//! In: a request. Out: its title and arguments, each word checked. Never: an option, a path or another program that a
//! request names; games, players and tables are known by name, plans and evolutions are read and their games looked up.

use ashta_lab::learn::{Bared, FeatureName, Rate, RateError, learning_names};
use ashta_lab::matches::match_names;
use ashta_lab::{Evolution, EvolutionError, Measure, Preset, evolution_names, experiment_names};
use ashta_messages::message;

use super::arguments::{
    check_count, check_name, check_plain, competitor_argument, game_argument, game_name,
    learned_values_argument, push_option, read_games, truncated, values_argument,
};
use super::job::JOURNAL;
use super::queue::JobQueue;
use super::request::{Analyze, Evolve, JobRequest, Learn, MatchOf, Merge, Playing, Reproduce, Rerun};
use super::rerun::RerunPlan;
use crate::api_error::ApiError;
use crate::library::Library;
use crate::players::read_player;

/// Placeholder for the job's folder in an argument.
pub const FOLDER: &str = "{folder}";
/// Input files of a job.
const ASKED_PLAN: &str = "asked.json";
const ASKED_EVOLUTION: &str = "evolution.toml";
/// Readings of P'i.
const READINGS: [&str; 4] = ["next", "captures", "promoted", "all"];

/// The command of a job. Its working directory is the games folder.
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
    pub fn command(&self, library: &Library, queue: &JobQueue) -> Result<JobCommand, ApiError> {
        match self {
            JobRequest::Analyze(request) => request.command(library),
            JobRequest::Reproduce(request) => request.command(library, queue),
            JobRequest::Evolve(request) => request.command(library),
            JobRequest::Learn(request) => request.command(library),
            JobRequest::Match(request) => request.command(library),
            JobRequest::Rerun(request) => request.command(library),
            JobRequest::Merge(request) => request.command(queue),
            JobRequest::Part => Err(ApiError::bad_request(message!("web.part-without-journal"))
                .hint(message!("web.part-without-journal.hint"))),
            JobRequest::Bench => {
                let (title, arguments) = ("bench".to_string(), vec!["bench".to_string()]);
                Ok(JobCommand { title, arguments, ..JobCommand::default() })
            }
        }
    }
}

impl Playing {
    fn add_to(&self, arguments: &mut Vec<String>) -> Result<(), ApiError> {
        if self.until.is_some() && (self.n_games.is_some() || self.shard.is_some()) {
            return Err(ApiError::bad_request(message!("web.until-and-games"))
                .hint(message!("web.until-and-games.hint")));
        }
        push_option(arguments, "games", self.n_games);
        push_option(arguments, "until", self.until.as_deref().map(read_until).transpose()?);
        push_option(arguments, "most", self.most);
        push_option(arguments, "seed", self.seed);
        push_shard_and_keep(arguments, self.shard.as_deref(), self.keep.as_deref())?;
        push_option(arguments, "threads", self.threads);
        Ok(())
    }

    fn title_with_shard(&self, title: String) -> String {
        title_with_shard(title, self.shard.as_deref())
    }
}

fn title_with_shard(title: String, shard: Option<&str>) -> String {
    match shard {
        Some(shard) => format!("{title} · {shard}"),
        None => title,
    }
}

/// Validates a measure and a percentage; the command parses them again.
fn read_until(text: &str) -> Result<&str, ApiError> {
    let (name, percent) = ["±", "+-", "+/-", ":"].iter().find_map(|sign| text.split_once(sign)).unzip();
    let is_measure = name.is_some_and(|name| Measure::ALL.iter().any(|measure| measure.symbol() == name));
    let percent: Option<f64> = percent.and_then(|text: &str| text.trim_end_matches('%').parse().ok());
    if is_measure && percent.is_some_and(|percent| (0.01..=100.0).contains(&percent)) {
        Ok(text)
    } else {
        let names = Measure::ALL.map(Measure::symbol).join(", ");
        Err(ApiError::bad_request(message!("web.not-a-precision", text = truncated(text)))
            .hint(message!("web.not-a-precision.hint", names)))
    }
}

/// Adds `--shard` and `--keep`.
fn push_shard_and_keep(
    arguments: &mut Vec<String>,
    shard: Option<&str>,
    keep: Option<&str>,
) -> Result<(), ApiError> {
    if shard.is_some() && keep.is_some() {
        return Err(ApiError::bad_request(message!("web.shard-keep")).hint(message!("web.shard-keep.hint")));
    }
    if let Some(shard) = shard {
        let part =
            shard.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let is_part = |(index, of): &(u32, u32)| (1..=*of).contains(index) && *of <= 10_000;
        let wrong = || ApiError::bad_request(message!("web.not-a-shard-number"));
        let (index, of) = part.filter(is_part).ok_or_else(wrong)?;
        arguments.push(format!("--shard={index}/{of}"));
    }
    if let Some(keep) = keep {
        let ending = check_name(keep, &["pgn", "usi", "csa"], message!("web.noun.format"))?;
        arguments.push(format!("--keep={FOLDER}/games.{ending}"));
    }
    Ok(())
}

impl Analyze {
    fn command(&self, library: &Library) -> Result<JobCommand, ApiError> {
        let mut arguments = vec!["analyze".to_string()];
        arguments.extend(read_games(&self.games, library)?);
        for player in check_count(&self.players, "players")? {
            player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
            arguments.push(format!("--player={player}"));
        }
        if let Some(preset) = &self.preset {
            let names = Preset::ALL.map(Preset::name);
            arguments.push(format!("--preset={}", check_name(preset, &names, message!("web.noun.preset"))?));
        }
        push_option(&mut arguments, "max-plies", self.max_plies);
        let values = self.values.as_deref().map(|name| values_argument(name, library)).transpose()?;
        push_option(&mut arguments, "values", values);
        self.playing.add_to(&mut arguments)?;
        let players = if self.players.is_empty() { "P0".to_string() } else { self.players.join(", ") };
        let title = self.playing.title_with_shard(format!("{}: {players}", self.games.join(", ")));
        Ok(JobCommand { title, arguments, ..JobCommand::default() })
    }
}

impl Reproduce {
    fn command(&self, library: &Library, queue: &JobQueue) -> Result<JobCommand, ApiError> {
        let mut names = experiment_names();
        let has_players = names.contains(&self.name.as_str());
        names.extend(learning_names());
        names.extend(match_names());
        let name = check_name(&self.name, &names, message!("web.noun.experiment"))?;
        if let Some(option) = self.option_of_players().filter(|_| !has_players) {
            return Err(ApiError::bad_request(message!("web.no-players-to-measure", name, option))
                .hint(message!("web.no-players-to-measure.hint")));
        }
        let mut arguments = vec!["reproduce".to_string(), name.to_string()];
        if let Some(reading) = &self.reading {
            reading
                .split(',')
                .try_for_each(|one| check_name(one, &READINGS, message!("web.noun.reading")).map(|_| ()))?;
        }
        push_option(&mut arguments, "reading", self.reading.as_ref());
        let values =
            self.values.as_deref().map(|name| learned_values_argument(name, library, queue)).transpose()?;
        push_option(&mut arguments, "values", values);
        self.playing.add_to(&mut arguments)?;
        let is_learning = learning_names().contains(&name);
        let title = self.playing.title_with_shard(name.to_string());
        Ok(JobCommand { title, arguments, is_learning, ..JobCommand::default() })
    }
}

impl Reproduce {
    /// A given option that applies only to experiments with players.
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
    fn command(&self, library: &Library) -> Result<JobCommand, ApiError> {
        let (word, title, file) = match &self.text {
            None => {
                let name = check_name(&self.name, &evolution_names(), message!("web.noun.evolution"))?;
                (name.to_string(), name.to_string(), None)
            }
            Some(text) => {
                let title = read_evolution(text, library)?.title.english().to_string();
                (format!("{FOLDER}/{ASKED_EVOLUTION}"), title, Some((ASKED_EVOLUTION, text.clone())))
            }
        };
        let mut arguments = vec!["evolve".to_string(), word];
        if let Some(player) = &self.player {
            player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
        }
        push_option(&mut arguments, "player", self.player.as_ref());
        self.playing.add_to(&mut arguments)?;
        Ok(JobCommand { title: self.playing.title_with_shard(title), arguments, file, is_learning: false })
    }
}

/// Parses a user's evolution and checks that all its games exist.
pub fn read_evolution(text: &str, library: &Library) -> Result<Evolution, ApiError> {
    let evolution = Evolution::read(text).map_err(|error| match error {
        EvolutionError::Text { ref what, offset } => {
            let before = text.get(..offset).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            ApiError::bad_request(message!("web.evolution-text", line, what)).at(before.chars().count())
        }
        EvolutionError::Changes { .. }
        | EvolutionError::Twice { .. }
        | EvolutionError::NothingToUndo { .. }
        | EvolutionError::NoSuchChange { .. } => ApiError::bad_request(error),
    })?;
    let word = game_argument(&game_name(&evolution.base), library)?;
    if word != evolution.base {
        return Err(ApiError::bad_request(message!("web.evolution-base", word)));
    }
    for at in 0..evolution.changes.len() {
        library.rules(&game_name(&evolution.cell(1 << at).0))?;
    }
    evolution.player.split('/').try_for_each(|one| read_player(one).map(|_| ()))?;
    Ok(evolution)
}

impl Learn {
    fn command(&self, library: &Library) -> Result<JobCommand, ApiError> {
        let mut arguments = vec!["learn".to_string()];
        arguments.extend(read_games(&self.games, library)?);
        let lambdas: Vec<String> =
            check_count(&self.lambdas, "lambdas")?.iter().map(f64::to_string).collect();
        push_option(&mut arguments, "lambda", (!lambdas.is_empty()).then(|| lambdas.join(",")));
        push_option(&mut arguments, "games", self.n_games);
        push_option(&mut arguments, "runs", self.n_runs);
        push_option(&mut arguments, "seed", self.seed);
        let rate: Option<Rate> = self.alpha.as_deref().map(str::parse).transpose().map_err(no_rate)?;
        push_option(&mut arguments, "alpha", rate.and(self.alpha.as_deref()).map(check_plain).transpose()?);
        push_option(&mut arguments, "depth", self.depth);
        push_option(&mut arguments, "quiescence", self.quiescence);
        push_option(&mut arguments, "mate", self.mate);
        push_option(&mut arguments, "max-plies", self.max_plies);
        push_option(&mut arguments, "opening", self.opening);
        let ways = Bared::ALL.map(|(_, name)| name);
        let bared = self
            .bared
            .as_deref()
            .map(|name| check_name(name, &ways, message!("web.noun.bared")))
            .transpose()?;
        push_option(&mut arguments, "bared", bared);
        push_option(&mut arguments, "span", self.span.as_deref().map(check_plain).transpose()?);
        let names = FeatureName::ALL.map(|(_, name)| name);
        let features: Result<Vec<&str>, ApiError> = check_count(&self.features, "features")?
            .iter()
            .map(|name| check_name(name, &names, message!("web.noun.feature")))
            .collect();
        let features = features?.join(",");
        push_option(&mut arguments, "features", (!features.is_empty()).then_some(features));
        push_option(&mut arguments, "batch", self.batch);
        push_option(&mut arguments, "unit", self.unit.as_deref().map(check_plain).transpose()?);
        push_option(&mut arguments, "threads", self.threads);
        let lambdas = if lambdas.is_empty() { "0.8".into() } else { lambdas.join(", ") };
        let title = format!("{}: λ {lambdas}", self.games.join(", "));
        Ok(JobCommand { title, arguments, is_learning: true, ..JobCommand::default() })
    }
}

fn no_rate(error: RateError) -> ApiError {
    ApiError::bad_request(error)
}

impl MatchOf {
    fn command(&self, library: &Library) -> Result<JobCommand, ApiError> {
        let games = read_games(&self.games, library)?.join(",");
        let [first, second] = &self.players;
        let mut arguments = vec![
            "match".to_string(),
            games,
            competitor_argument(first, library)?,
            competitor_argument(second, library)?,
        ];
        push_option(&mut arguments, "pairs", self.n_pairs);
        push_option(&mut arguments, "opening", self.opening);
        push_option(&mut arguments, "sprt", self.sprt.as_deref().map(check_plain).transpose()?);
        push_option(&mut arguments, "depth", self.depth);
        push_option(&mut arguments, "quiescence", self.quiescence);
        push_option(&mut arguments, "mate", self.mate);
        push_option(&mut arguments, "max-plies", self.max_plies);
        push_option(&mut arguments, "seed", self.seed);
        push_option(&mut arguments, "threads", self.threads);
        let title = format!("{}: {first} – {second}", self.games.join(", "));
        Ok(JobCommand { title, arguments, ..JobCommand::default() })
    }
}

impl Rerun {
    fn command(&self, library: &Library) -> Result<JobCommand, ApiError> {
        let rerun = RerunPlan::read(&self.plan, library)?;
        if rerun.is_learning() && (self.shard.is_some() || self.keep.is_some()) {
            return Err(ApiError::bad_request(message!("web.learning-shard")));
        }
        let mut arguments = vec!["rerun".to_string(), format!("{FOLDER}/{ASKED_PLAN}")];
        push_shard_and_keep(&mut arguments, self.shard.as_deref(), self.keep.as_deref())?;
        push_option(&mut arguments, "threads", self.threads);
        let title = title_with_shard(rerun.title(), self.shard.as_deref());
        let file = Some((ASKED_PLAN, rerun.report()?));
        Ok(JobCommand { title, arguments, file, is_learning: rerun.is_learning() })
    }
}

impl Merge {
    fn command(&self, queue: &JobQueue) -> Result<JobCommand, ApiError> {
        let mut arguments = vec!["merge".to_string()];
        let mut title = String::new();
        for id in check_count(&self.jobs, "jobs")? {
            let queued = queue.get(*id)?;
            let job = queued.job.borrow();
            if job.is_learning || !queued.folder.join(JOURNAL).is_file() {
                return Err(ApiError::bad_request(message!("web.job-not-a-shard", id)));
            }
            title = job.title.split(" · ").next().unwrap_or_default().to_string();
            arguments.push(format!("../jobs/{id}/{JOURNAL}"));
        }
        if title.is_empty() {
            return Err(ApiError::bad_request(message!("web.no-shards")).hint(message!("web.no-shards.hint")));
        }
        push_shard_and_keep(&mut arguments, None, self.keep.as_deref())?;
        Ok(JobCommand { title, arguments, ..JobCommand::default() })
    }
}

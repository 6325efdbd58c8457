//! The folder of a run: its journal and its reports.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ashta_lab::learn::LearnPlan;
use ashta_lab::report::{ReportPage, Table, csv, html, json, markdown};
use ashta_lab::{
    ContentsOf, Experiment, Journal, JournalContents, JournalError, JournalOf, JournalRecord, Kind, Plan,
    Stop,
};
use ashta_messages::{Language, message};
use ashta_records::{remove_stale_temporaries, write_atomic};

use crate::cli_error::{CliError, ErrorMessage, print_note};

/// Default parent of run folders.
const RUNS: &str = "ashta-runs";
const JOURNAL: &str = "journal";
const PLAN: &str = "plan.json";
/// Bytes that the reports may need.
const REPORT_BYTES: u64 = 8 << 20;
/// Bytes that a game may add to the journal, and those that a unit adds for each ply of its longest game.
const GAME_BYTES: u64 = 80;
const PLY_BYTES: u64 = 40;
/// Games in the smallest unit, for the estimate of disk space.
const UNIT_GAMES: u64 = 5;
/// Disk space that is tested at most.
const MAX_SPACE: u64 = 256 << 20;

#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// The given folder, or one named after the experiment; created, and tested for disk space.
    pub fn open(named: Option<&Path>, experiment: &Experiment) -> Result<RunFolder, CliError> {
        let plan = &experiment.plan;
        let name = match &plan.kind {
            Kind::Analysis => "analyze".to_string(),
            Kind::Reproduction(name) => name.clone(),
            Kind::Evolution(_) => "evolve".to_string(),
        };
        RunFolder::with_disk_space(
            named,
            &format!("{name}-{:08x}", plan.digest() >> 32),
            disk_space_for(experiment),
        )
    }

    /// The given folder, or the default one; created, and tested for disk space.
    pub fn with_disk_space(
        named: Option<&Path>,
        default_name: &str,
        n_bytes: u64,
    ) -> Result<RunFolder, CliError> {
        let default = || Path::new(RUNS).join(default_name);
        let folder = RunFolder { path: named.map_or_else(default, Path::to_path_buf) };
        folder.check_disk_space(n_bytes).map_err(|error| folder.unusable(&error))?;
        Ok(folder)
    }

    /// Writes and removes as many bytes as the run may need: a full disk must be found before hours of work.
    fn check_disk_space(&self, n_bytes: u64) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        remove_stale_temporaries(&self.path);
        // An unlinked file: nothing is left of it after a kill.
        let mut file = tempfile::tempfile_in(&self.path)?;
        let zeros = vec![0; 1 << 20];
        for _ in 0..n_bytes.div_ceil(zeros.len() as u64) {
            file.write_all(&zeros)?;
        }
        file.sync_data()
    }

    fn unusable(&self, error: &io::Error) -> ErrorMessage {
        let message = ErrorMessage::new(message!("cli.run-folder", folder = self.path, error));
        message.hint(message!("cli.run-folder.hint"))
    }

    /// Opens the journal and reads its contents.
    pub fn journal(&self, experiment: &Experiment) -> Result<(Journal, JournalContents), CliError> {
        let text = serde_json::to_string(&experiment.plan).unwrap_or_default();
        self.journal_of(experiment.plan.digest(), &text)
    }

    /// The same for any plan.
    pub fn journal_of<U: JournalRecord>(
        &self,
        digest: u64,
        text: &str,
    ) -> Result<(JournalOf<U>, ContentsOf<U>), CliError> {
        let opened = JournalOf::open_or_create(self.path.join(JOURNAL), digest, text);
        let opened = opened.map_err(|error| {
            let hint = match error {
                JournalError::InUse { .. } => message!("cli.journal-in-use.hint"),
                _ => message!("cli.journal.hint"),
            };
            ErrorMessage::new(error).hint(hint)
        })?;
        report_damage(&opened.1);
        // The journal has the plan it was created with; this file has the current one, which may be longer.
        write_atomic(&self.path.join(PLAN), text).map_err(|error| self.unusable(&error))?;
        Ok(opened)
    }

    /// Saves the plan, where the games are in other journals.
    pub fn save_plan(&self, experiment: &Experiment) -> Result<(), CliError> {
        let text = serde_json::to_string(&experiment.plan).unwrap_or_default();
        write_atomic(&self.path.join(PLAN), text).map_err(|error| self.unusable(&error).into())
    }

    pub fn display(&self) -> String {
        self.path.display().to_string()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn report(&self) -> PathBuf {
        self.path.join("report.html")
    }

    /// Writes the report in every format.
    pub fn write_report(&self, page: &ReportPage, table: &Table) -> Result<(), CliError> {
        let files = [
            ("html", html(page, Language::English)),
            ("ja.html", html(page, Language::Japanese)),
            ("md", markdown(page, Language::English)),
            ("json", json(page)),
            ("csv", csv(table)),
        ];
        for (ending, text) in files {
            let path = self.path.join(format!("report.{ending}"));
            write_atomic(&path, &text).map_err(|error| ErrorMessage::unwritable(&path, &error))?;
        }
        Ok(())
    }
}

/// Reports what was lost of a journal.
pub fn report_damage<U>(contents: &ContentsOf<U>) {
    if contents.n_torn_bytes > 0 {
        print_note(&message!("cli.torn-bytes", n = contents.n_torn_bytes));
    }
    if contents.n_damaged_bytes > 0 {
        print_note(&message!("cli.damaged-bytes", n = contents.n_damaged_bytes));
    }
}

fn disk_space_for(experiment: &Experiment) -> u64 {
    let plan = &experiment.plan;
    let games = match plan.stop {
        Stop::Games(n) => u64::from(n),
        Stop::Until { most_games, .. } => u64::from(most_games),
    };
    let games = games.saturating_mul(plan.cells.len() as u64);
    let plies = u64::from(plan.max_plies).min(1000) * PLY_BYTES / UNIT_GAMES;
    games.saturating_mul(GAME_BYTES + plies / 10).saturating_add(REPORT_BYTES).min(MAX_SPACE)
}

/// Largest report that is read.
const MAX_BYTES: u64 = 256 << 20;

/// The plan of any report.
#[derive(Debug)]
pub enum AnyPlan {
    /// Games of players.
    Experiment(Box<Plan>),
    /// Values of pieces.
    Learning(Box<LearnPlan>),
}

/// The plan of an experiment in a report (.json or .html) or in a run's folder or journal.
pub fn read_plan(path: &Path) -> Result<Plan, CliError> {
    match read_any_plan(path)? {
        AnyPlan::Experiment(plan) => Ok(*plan),
        AnyPlan::Learning(_) => Err(no_plan(path)),
    }
}

/// The plan in a report (.json or .html) or in a run's folder or journal.
pub fn read_any_plan(path: &Path) -> Result<AnyPlan, CliError> {
    let unreadable = |error: io::Error| CliError::from(ErrorMessage::unreadable(path, &error));
    if path.is_dir() {
        let latest = fs::read_to_string(path.join(PLAN)).ok();
        return match latest {
            Some(text) => plan_from(&text, &path.join(PLAN)),
            None => read_any_plan(&path.join(JOURNAL)),
        };
    }
    if fs::metadata(path).map_err(unreadable)?.len() > MAX_BYTES {
        return Err(ErrorMessage::new(message!("cli.report-too-large", path)).into());
    }
    if path.extension().is_none() {
        let contents = Journal::read(path).map_err(ErrorMessage::new)?;
        return plan_from(&contents.plan_text, path);
    }
    let text = String::from_utf8_lossy(&fs::read(path).map_err(unreadable)?).into_owned();
    let embedded = text.split_once("id=\"plan\">").and_then(|(_, rest)| rest.split_once("</script>"));
    match embedded {
        Some((plan, _)) => plan_from(&plan.replace("<\\/", "</"), path),
        None => {
            let report: Option<serde_json::Value> = serde_json::from_str(&text).ok();
            let plan = report.and_then(|report| report.get("plan").map(ToString::to_string));
            plan_from(&plan.unwrap_or_default(), path)
        }
    }
}

fn plan_from(text: &str, path: &Path) -> Result<AnyPlan, CliError> {
    let experiment = serde_json::from_str(text).map(AnyPlan::Experiment);
    experiment.or_else(|_| serde_json::from_str(text).map(AnyPlan::Learning)).map_err(|_| no_plan(path))
}

fn no_plan(path: &Path) -> CliError {
    ErrorMessage::new(message!("cli.no-plan", path)).hint(message!("cli.no-plan.hint")).into()
}

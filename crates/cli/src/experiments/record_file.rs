//! The games of an experiment as records; each is replayed from its seed.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_lab::{Cell, Experiment, Replay, UnitTally, replay, start};
use ashta_messages::{Tell, message};
use ashta_position::notation::{write_coordinates, write_csa, write_san};
use ashta_position::{Game, Move, Reason};
use ashta_search::StopFlag;

use crate::cli_error::{CliError, ErrorMessage};
use ashta_records::AtomicFile;

/// A file of records.
#[derive(Debug)]
pub struct GameRecordFile {
    path: PathBuf,
    format: RecordFormat,
}

#[derive(Clone, Copy, Debug)]
enum RecordFormat {
    Pgn,
    Usi,
    Csa,
}

/// The position that CSA calls PI.
const CSA_START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Columns of a line of moves.
const LINE_WIDTH: usize = 80;

impl GameRecordFile {
    /// The extension decides the format.
    pub fn to(path: &Path) -> Result<GameRecordFile, CliError> {
        let format = match path.extension().and_then(|ending| ending.to_str()) {
            Some("pgn") => RecordFormat::Pgn,
            Some("usi") => RecordFormat::Usi,
            Some("csa") => RecordFormat::Csa,
            _ => {
                let message = ErrorMessage::new(message!("cli.keep-format", path));
                return Err(message.hint(message!("cli.keep-format.hint")).into());
            }
        };
        Ok(GameRecordFile { path: path.to_path_buf(), format })
    }

    /// Checks that the games can be written in this format and to this file; the file is created now, to fail early,
    /// and left unchanged if it exists.
    pub fn check(&self, experiment: &Experiment) -> Result<(), CliError> {
        let contest = experiment.cells.iter().find(|cell| cell.rules.rules().contest().is_some());
        if let (RecordFormat::Usi | RecordFormat::Csa, Some(cell)) = (self.format, contest) {
            let message = ErrorMessage::new(message!("cli.keep-contest", name = cell.name));
            return Err(message.hint(message!("cli.keep-contest.hint")).into());
        }
        if let RecordFormat::Csa = self.format {
            experiment.cells.iter().try_for_each(fits_csa)?;
        }
        let opened = OpenOptions::new().append(true).create(true).open(&self.path);
        opened.map(|_| ()).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> CliError {
        ErrorMessage::unwritable(&self.path, error).into()
    }

    /// Writes every game, in the order of cells and numbers.
    pub fn write(&self, experiment: &Experiment, tallies: &[UnitTally]) -> Result<(), CliError> {
        let write = || -> std::io::Result<()> {
            let mut out = AtomicFile::create(&self.path)?;
            for (at, tally) in tallies.iter().enumerate() {
                for number in 0..tally.rows.len() as u32 {
                    let replay = replay(experiment, at, number, &StopFlag::default());
                    let game = GameText { experiment, at, number, replay };
                    out.write_all(game.text(self.format).as_bytes())?;
                }
            }
            out.finish()
        };
        write().map_err(|error| self.failed(&error))
    }
}

fn fits_csa(cell: &Cell) -> Result<(), CliError> {
    let game = start(cell);
    let why = match game.legal_moves().first().map(|mv| write_csa(&game, *mv)) {
        Some(Err(error)) => error.message(),
        _ if game.text() != CSA_START => message!("cli.keep-csa-start"),
        _ => return Ok(()),
    };
    let message = ErrorMessage::new(message!("cli.keep-csa", name = cell.name, why));
    Err(message.hint(message!("cli.keep-csa.hint")).into())
}

struct GameText<'a> {
    experiment: &'a Experiment,
    at: usize,
    number: u32,
    replay: Replay,
}

impl GameText<'_> {
    fn text(&self, format: RecordFormat) -> String {
        if let Some(turns) = &self.replay.contest {
            return self.contest(turns);
        }
        let mut game = start(&self.experiment.cells[self.at]);
        match format {
            RecordFormat::Pgn => self.pgn(&mut game),
            RecordFormat::Usi => {
                let words: Vec<String> = self.play(&mut game, write_coordinates);
                format!("position startpos moves {}\n", words.join(" "))
            }
            RecordFormat::Csa => {
                let moves = self.play(&mut game, |game, mv| write_csa(game, mv).unwrap_or_default());
                let end = match self.replay.outcome {
                    Some(outcome) if outcome.winner.is_some() => "%TSUMI",
                    _ => "%CHUDAN",
                };
                format!("V2.2\n$EVENT:{}\nPI\n+\n{}\n{end}\n/\n", self.event(), moves.join("\n"))
            }
        }
    }

    /// Plays the moves, writing each before it is played.
    fn play(&self, game: &mut Game, write: impl Fn(&Game, Move) -> String) -> Vec<String> {
        let mut words = Vec::with_capacity(self.replay.moves.len());
        for mv in &self.replay.moves {
            words.push(write(game, *mv));
            game.play_unchecked(*mv);
        }
        words
    }

    fn event(&self) -> String {
        format!("ashta seed {} game {}", self.experiment.plan.seed, self.number + 1)
    }

    fn result(&self) -> &'static str {
        match self.replay.outcome.map(|outcome| outcome.winner) {
            Some(Some(side)) if side.index() == 0 => "1-0",
            Some(Some(_)) => "0-1",
            Some(None) | None => "1/2-1/2",
        }
    }

    /// A contest: tags, then throws and turns, each numbered.
    fn contest(&self, turns: &[String]) -> String {
        let (cell, plan) = (&self.experiment.cells[self.at], &self.experiment.plan.cells[self.at]);
        let sides = cell.rules.rules().sides();
        let winner = self.replay.outcome.and_then(|outcome| outcome.winner);
        let result = winner.map_or("1/2-1/2", |side| &sides[side.index()].name);
        let mut text = String::new();
        push_tag(&mut text, "Event", &self.event());
        push_tag(&mut text, "Variant", &plan.game);
        for (side, player) in sides.iter().zip(&cell.players) {
            push_tag(&mut text, &side.name.replace(' ', ""), &player.to_string());
        }
        push_tag(&mut text, "Result", result);
        text.push('\n');
        let numbered = turns.iter().enumerate().map(|(n, turn)| format!("{}. {turn}", n + 1));
        push_wrapped(&mut text, numbered.chain([result.to_string()]));
        text
    }

    fn pgn(&self, game: &mut Game) -> String {
        let (cell, plan) = (&self.experiment.cells[self.at], &self.experiment.plan.cells[self.at]);
        let words = self.play(game, write_san);
        let player = |side: usize| cell.players.get(side).map(ToString::to_string).unwrap_or_default();
        let termination = self.replay.outcome.map_or(Reason::PlyCap, |outcome| outcome.reason).to_string();
        let mut text = String::new();
        let tags = [
            ("Event", self.event()),
            ("Site", "ashta".to_string()),
            ("Round", (self.number + 1).to_string()),
            ("White", player(0)),
            ("Black", player(1)),
            ("Result", self.result().to_string()),
            ("Variant", plan.game.clone()),
            ("Termination", termination),
        ];
        for (name, value) in tags {
            push_tag(&mut text, name, &value);
        }
        text.push('\n');
        let numbered = words.iter().enumerate().flat_map(|(n, word)| {
            let number = n.is_multiple_of(2).then(|| format!("{}.", n / 2 + 1));
            number.into_iter().chain([word.clone()])
        });
        push_wrapped(&mut text, numbered.chain([self.result().to_string()]));
        text
    }
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    _ = writeln!(text, "[{name} \"{}\"]", value.replace(['"', '\\'], "'"));
}

/// Adds wrapped words and an empty line.
fn push_wrapped(text: &mut String, words: impl Iterator<Item = String>) {
    let mut column = 0;
    for word in words {
        if column > 0 {
            let wraps = column + 1 + word.len() > LINE_WIDTH;
            text.push(if wraps { '\n' } else { ' ' });
            column = if wraps { 0 } else { column + 1 };
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push_str("\n\n");
}

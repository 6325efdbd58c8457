//! Contests shown, their turns listed and counted.

use ashta_search::SearchWord;
use std::io::Write;
use std::sync::Arc;

use ashta_position::{Contest, Roll, Stage, Tables, Turns};
use serde::Serialize;

use super::board::{Colours, ContestStyle, contest_board, status};
use super::{WithContest, open_contest};
use crate::cli_error::{CliError, Status};

/// Draws a contest and writes its text.
pub struct Show<'a> {
    pub position: Option<&'a str>,
    pub out: &'a mut dyn Write,
}

impl WithContest for Show<'_> {
    type Output = Result<(), CliError>;

    fn with<W: SearchWord>(self, tables: &Arc<Tables<W>>) -> Result<(), CliError> {
        let contest = open_contest(tables, self.position)?;
        let style = ContestStyle { colours: Colours::Off };
        let mut lines = contest_board(&contest, None, style).into_iter().chain(status(&contest, style));
        lines.try_for_each(|line| writeln!(self.out, "{line}"))?;
        writeln!(self.out, "{}", contest.text())?;
        Ok(())
    }
}

/// Lists the turns that a throw allows, or how many each throw does.
pub struct List<'a> {
    pub position: Option<&'a str>,
    pub json: bool,
    pub out: &'a mut dyn Write,
}

#[derive(Serialize)]
struct ListedTurns {
    game: String,
    position: String,
    outcome: Option<String>,
    /// Legal turns, if the dice are thrown.
    turns: Vec<String>,
    /// Legal turns for every throw, if they are not.
    throws: Vec<ListedThrow>,
}

#[derive(Serialize)]
struct ListedThrow {
    throw: String,
    n_turns: u32,
}

impl WithContest for List<'_> {
    type Output = Result<Status, CliError>;

    fn with<W: SearchWord>(self, tables: &Arc<Tables<W>>) -> Result<Status, CliError> {
        let contest = open_contest(tables, self.position)?;
        let mut turns: Vec<String> =
            contest.legal_turns().into_iter().map(|turn| contest.turn_text(turn)).collect();
        turns.sort_unstable();
        let throws = throws(&contest);
        if self.json {
            let listed = ListedTurns {
                game: contest.rules().id().to_string(),
                position: contest.text(),
                outcome: contest.outcome().map(|outcome| outcome.words(contest.rules()).to_string()),
                turns,
                throws,
            };
            return crate::output::write_json(self.out, &listed);
        }
        for turn in turns {
            writeln!(self.out, "{turn}")?;
        }
        for ListedThrow { throw, n_turns } in throws {
            writeln!(self.out, "{throw} {n_turns}")?;
        }
        Ok(Status::Done)
    }
}

fn throws<W: SearchWord>(contest: &Contest<W>) -> Vec<ListedThrow> {
    if contest.stage() != Stage::Throw {
        return Vec::new();
    }
    let mut turns = Turns::new(contest);
    turns.look(contest);
    let rolls: Vec<Roll> = turns.rolls().collect();
    let listed = |roll: Roll| ListedThrow { throw: roll.to_string(), n_turns: turns.count(Some(roll)) };
    rolls.into_iter().map(listed).collect()
}

/// Counts sequences of throws and turns.
pub struct Count<'a> {
    pub position: Option<&'a str>,
    pub depth: u32,
}

impl WithContest for Count<'_> {
    type Output = Result<(String, u64), CliError>;

    fn with<W: SearchWord>(self, tables: &Arc<Tables<W>>) -> Result<(String, u64), CliError> {
        let contest = open_contest(tables, self.position)?;
        let text = contest.text();
        let mut turns = Turns::new(&contest);
        let nodes = contest.clone().perft(&mut turns, self.depth);
        Ok((text, nodes))
    }
}

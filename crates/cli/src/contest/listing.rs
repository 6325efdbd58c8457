//! Contests shown, their turns listed and counted.

use ashta_search::SearchWord;
use std::io::Write;
use std::sync::Arc;

use ashta_position::{Contest, Roll, Stage, Tables, Turns};
use serde::Serialize;

use super::board::{Colours, ContestStyle, contest_board, status};
use super::open_contest;
use crate::cli_error::CliError;

/// Draws a contest and writes its text.
pub fn show<W: SearchWord>(
    tables: &Arc<Tables<W>>,
    position: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let contest = open_contest(tables, position)?;
    let style = ContestStyle { colours: Colours::Off };
    let mut lines = contest_board(&contest, None, style).into_iter().chain(status(&contest, style));
    lines.try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out, "{}", contest.text())?;
    Ok(())
}

#[derive(Serialize)]
pub struct ListedTurns {
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

/// The turns that a throw allows, or how many each throw does.
pub fn list<W: SearchWord>(tables: &Arc<Tables<W>>, position: Option<&str>) -> Result<ListedTurns, CliError> {
    let contest = open_contest(tables, position)?;
    let mut turns: Vec<String> =
        contest.legal_turns().into_iter().map(|turn| contest.turn_text(turn)).collect();
    turns.sort_unstable();
    Ok(ListedTurns {
        game: contest.rules().id().to_string(),
        position: contest.text(),
        outcome: contest.outcome().map(|outcome| outcome.words(contest.rules()).to_string()),
        turns,
        throws: throws(&contest),
    })
}

impl ListedTurns {
    pub fn lines(&self) -> Vec<String> {
        let throws = self.throws.iter().map(|throw| format!("{} {}", throw.throw, throw.n_turns));
        self.turns.iter().cloned().chain(throws).collect()
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
pub fn count<W: SearchWord>(
    tables: &Arc<Tables<W>>,
    position: Option<&str>,
    depth: u32,
) -> Result<(String, u64), CliError> {
    let contest = open_contest(tables, position)?;
    let text = contest.text();
    let mut turns = Turns::new(&contest);
    let nodes = contest.clone().perft(&mut turns, depth);
    Ok((text, nodes))
}

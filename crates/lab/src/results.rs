//! Results of an experiment, cell by cell.
//!
//! In: an experiment and the tally of each of its cells. Out: measures with their names. Never: how they are shown.

use ashta_messages::{Arg, Message, ToArg};
use ashta_position::Roll;
use ashta_rules::words::{Language, kind_name, side_name};

use crate::contest_measures::ContestMeasures;
use crate::measures::Measures;
use crate::plan::Experiment;
use crate::tally::UnitTally;

/// What was found of one cell.
#[derive(Clone, PartialEq, Debug)]
pub struct CellResult {
    /// The game, as reports call it.
    pub game: String,
    /// The players: one name if all are the same.
    pub players: String,
    pub sides: Vec<Arg>,
    /// Names of the kinds of pieces, in the order of the tally.
    pub kinds: Vec<Arg>,
    /// What was seen.
    pub tally: UnitTally,
    /// What it says.
    pub measures: Measures,
    /// What it says of a contest.
    pub contest: Option<ContestMeasures>,
    pub seats: Vec<String>,
    pub teams: Vec<u8>,
}

pub fn results(experiment: &Experiment, tallies: Vec<UnitTally>) -> Vec<CellResult> {
    let measured = experiment.cells.iter().zip(tallies).map(|(cell, tally)| {
        let rules = cell.rules.rules();
        let teams: Vec<u8> = rules.sides().iter().map(|side| side.team).collect();
        let conventions = experiment.plan.conventions;
        let names: Vec<String> = cell.players.iter().map(ToString::to_string).collect();
        let all_same = names.windows(2).all(|pair| pair[0] == pair[1]);
        CellResult {
            game: cell.name.clone(),
            players: if all_same { names[0].clone() } else { names.join(" v ") },
            sides: rules
                .sides()
                .iter()
                .map(|side| named(|language| side_name(side, rules, language)))
                .collect(),
            kinds: rules.kinds().iter().map(|kind| named(|language| kind_name(kind, language))).collect(),
            measures: Measures::of(&tally.rows, rules.sides().len(), conventions),
            contest: rules.contest().map(|contest| {
                let n_rolls = Roll::all(contest).len();
                ContestMeasures::of(&tally.rows, &tally.contests, &teams, n_rolls, conventions)
            }),
            seats: names,
            teams,
            tally,
        }
    });
    measured.collect()
}

/// A name in each language.
pub fn named(name: impl Fn(Language) -> String) -> Arg {
    Message::name(name(Language::English), name(Language::Japanese)).to_arg()
}

/// Every different value of a part of the results, in the order in which they first come.
pub fn distinct<'a>(cells: &'a [CellResult], part: impl Fn(&'a CellResult) -> &'a str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in cells.iter().map(part) {
        if !found.iter().any(|other| other == name) {
            found.push(name.to_string());
        }
    }
    found
}

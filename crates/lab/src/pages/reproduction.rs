//! The page of a published experiment: paper and measurement side by side, with the agreement of each figure.

use ashta_messages::{Arg, Message, ToArg, message};

use super::analysis::{captures_section, measures_table, wins_of};
use super::contest::{strength_sections, strength_summary, turn_sections};
use super::parts::{along_games, blank_page, by_game_and_player, drawn_games};
use crate::catalog::{PublishedExperiment, PublishedRow};
use crate::compare::{Agreement, Proportion, Published, agreement, agreement_of_shares};
use crate::estimate::Estimate;
use crate::figures::{Axis, Figure, Picture, PointsFigure, PointsRow};
use crate::measures::Measure;
use crate::plan::Experiment;
use crate::report::{Column, ReportPage, Section, Table, TableCell};
use crate::results::CellResult;

/// One published figure beside ours.
#[derive(Clone, PartialEq, Debug)]
pub struct PublishedComparison {
    pub game: String,
    /// The player.
    pub player: String,
    /// What is measured.
    pub measure: PublishedMeasure,
    /// The figure as printed.
    pub printed: String,
    /// Ours; shares as shares.
    pub ours: Estimate,
    /// The figure as a number, with the error that a measurement on so many games has.
    pub theirs: Estimate,
    /// Whether they agree.
    pub agreement: Agreement,
}

/// What papers print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PublishedMeasure {
    Branching,
    Length,
    Complexity,
    /// Legal turns of a contest that are to be expected.
    ExpectedTurns,
    /// Legal turns of a contest before the throw.
    TurnsBeforeThrow,
    /// Games drawn, in percent.
    Draws,
    /// Games won by a side, in percent.
    Wins(usize),
}

impl PublishedMeasure {
    fn name(self) -> Arg {
        match self {
            PublishedMeasure::Branching => Measure::Branching.short_name(),
            PublishedMeasure::Length => Measure::Length.short_name(),
            PublishedMeasure::Complexity => Measure::Complexity.short_name(),
            PublishedMeasure::ExpectedTurns => message!("lab.expected-turns").to_arg(),
            PublishedMeasure::TurnsBeforeThrow => message!("lab.turns-before-throw").to_arg(),
            PublishedMeasure::Draws => in_percent(message!("lab.column-draws")),
            PublishedMeasure::Wins(side) => in_percent(wins_of(side)),
        }
    }

    fn is_percent(self) -> bool {
        matches!(self, PublishedMeasure::Draws | PublishedMeasure::Wins(_))
    }
}

fn in_percent(measure: Message) -> Arg {
    message!("lab.in-percent", measure).to_arg()
}

/// Every figure of a paper beside ours.
pub fn comparisons(published: &PublishedExperiment, cells: &[CellResult]) -> Vec<PublishedComparison> {
    let mut found = Vec::new();
    for row in &published.published {
        let same = |cell: &&CellResult| cell.game == row.game && is_player(cell, &row.player);
        for cell in cells.iter().filter(same) {
            found.extend(row_comparisons(row, published.games_each, cell));
        }
    }
    found
}

/// Whether a cell's players are those that a paper's row names: one, or one for each side with `/` between them.
fn is_player(cell: &CellResult, named: &str) -> bool {
    base_player(&cell.players) == named || named.split('/').eq(cell.seats.iter().map(String::as_str))
}

/// The player without the reading that was chosen for it: `P'2(next)` is the paper's `P'2`.
fn base_player(player: &str) -> &str {
    if player.starts_with("P'") { player.split('(').next().unwrap_or(player) } else { player }
}

/// The reading alone: `(next)` of `P'2(next)`.
fn reading(player: &str) -> Arg {
    let written = player.find('(').filter(|_| player.starts_with("P'"));
    written.map_or_else(|| message!("lab.reading-as-written").to_arg(), |at| player[at..].to_arg())
}

/// Where several readings of a player were played: which comes closest to the paper.
fn closest_reading(comparisons: &[PublishedComparison]) -> Option<Message> {
    let mut readings: Vec<(Arg, usize, Vec<f64>)> = Vec::new();
    for comparison in comparisons {
        let name = reading(&comparison.player);
        let at = readings.iter().position(|(other, ..)| *other == name).unwrap_or_else(|| {
            readings.push((name, 0, Vec::new()));
            readings.len() - 1
        });
        readings[at].1 += usize::from(comparison.agreement.agrees());
        if let Agreement::Agrees { z } | Agreement::Differs { z } = comparison.agreement {
            readings[at].2.push(z.abs());
        }
    }
    if readings.len() < 2 {
        return None;
    }
    let told = readings.into_iter().map(|(reading, agreeing, mut sizes)| {
        sizes.sort_by(f64::total_cmp);
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(f64::NAN);
        let (all, shown) = (sizes.len(), format!("{median:.1}"));
        (median, message!("lab.reading-agreement", reading, agreeing, all, median = shown))
    });
    let mut told: Vec<(f64, Message)> = told.collect();
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told = told.into_iter().map(|(_, line)| line);
    let readings = told.reduce(|first, second| message!("lab.two-readings", first, second))?;
    Some(message!("lab.readings", readings))
}

fn row_comparisons(row: &PublishedRow, games_each: u32, cell: &CellResult) -> Vec<PublishedComparison> {
    let measures = &cell.measures;
    let n_games = row.games.unwrap_or(games_each) as usize;
    let mut means = vec![
        (PublishedMeasure::Branching, &row.branching, &measures.branching),
        (PublishedMeasure::Length, &row.length, &measures.length),
        (PublishedMeasure::Complexity, &row.complexity, &measures.complexity),
    ];
    if let Some(contest) = &cell.contest {
        means.push((PublishedMeasure::ExpectedTurns, &row.expected, &contest.expected));
        means.push((PublishedMeasure::TurnsBeforeThrow, &row.before, &contest.before));
    }
    // What the paper left out of its means it did not measure them on: its sample is smaller by its own draws.
    let n_counted = (n_games as f64 * measures.n_counted as f64 / measures.n_games.max(1) as f64).round();
    let mut found = Vec::new();
    for (measure, printed, ours) in means {
        if let Some((value, decimals)) = number(printed) {
            let published = Published::new(value, decimals, n_counted.max(1.0) as usize);
            found.push((measure, printed, *ours, published, agreement(ours, published)));
        }
    }
    let shares = [
        (PublishedMeasure::Draws, &row.draws, Some(&measures.draws)),
        (PublishedMeasure::Wins(0), &row.first, measures.wins.first()),
        (PublishedMeasure::Wins(1), &row.second, measures.wins.get(1)),
        (PublishedMeasure::Wins(3), &row.fourth, measures.wins.get(3)),
    ];
    for (measure, printed, ours) in shares {
        if let (Some((value, decimals)), Some(ours)) = (number(printed), ours) {
            let n_hits = (ours.value * measures.n_games as f64).round() as usize;
            let share = Proportion { n_hits, n: measures.n_games };
            let published = Published::percent(value, decimals, n_games);
            found.push((measure, printed, *ours, published, agreement_of_shares(share, published)));
        }
    }
    let comparison = |(measure, printed, ours, published, agreement): (PublishedMeasure, _, _, _, _)| {
        let printed: &Option<String> = printed;
        let theirs = if measure.is_percent() { share_of(published) } else { published.as_estimate(&ours) };
        PublishedComparison {
            game: cell.game.clone(),
            player: cell.players.clone(),
            measure,
            printed: printed.clone().unwrap_or_default(),
            ours,
            theirs,
            agreement,
        }
    };
    found.into_iter().map(comparison).collect()
}

fn share_of(published: Published) -> Estimate {
    let n_hits = (published.value * published.n_games as f64).round() as usize;
    Estimate::share(n_hits, published.n_games)
}

/// The paper's E and ours for every row.
fn side_by_side(comparisons: &[PublishedComparison]) -> Picture {
    let series = vec![message!("lab.column-paper").to_arg(), message!("lab.column-ours").to_arg()];
    let rows = comparisons
        .iter()
        .filter(|comparison| comparison.measure == PublishedMeasure::Complexity)
        .map(|comparison| PointsRow {
            name: format!("{}, {}", comparison.game, comparison.player).to_arg(),
            points: vec![Some(comparison.theirs), Some(comparison.ours)],
        })
        .collect();
    let axis = Axis::plain(Measure::Complexity.words());
    Picture::new(message!("lab.comparison-caption"), Figure::Points(PointsFigure { series, rows, axis }))
}

/// A printed number and how many decimals it was printed with.
fn number(printed: &Option<String>) -> Option<(f64, i32)> {
    let text = printed.as_ref()?;
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    text.parse().ok().map(|value| (value, decimals))
}

/// Paper and measurement side by side.
pub fn comparison_table(comparisons: &[PublishedComparison]) -> Table {
    let columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-player")),
        Column::words(message!("lab.column-measure")),
        Column::numbers(message!("lab.column-paper")),
        Column::numbers(message!("lab.column-ours")).unit(message!("lab.unit-interval")),
        Column::numbers("z"),
        Column::words(message!("lab.column-verdict")),
    ];
    let row = |comparison: &PublishedComparison| {
        let (z, word) = match comparison.agreement {
            Agreement::Agrees { z } => (Some(z), message!("lab.verdict-agrees")),
            Agreement::Differs { z } => (Some(z), message!("lab.verdict-differs")),
            Agreement::Unknown => (None, message!("lab.verdict-unknown")),
        };
        vec![
            TableCell::words(&comparison.game),
            TableCell::words(&comparison.player),
            TableCell::words(comparison.measure.name()),
            TableCell {
                text: comparison.printed.to_arg(),
                number: comparison.printed.parse().ok(),
                interval: None,
            },
            if comparison.measure.is_percent() {
                TableCell::percent(&comparison.ours)
            } else {
                TableCell::estimate(&comparison.ours)
            },
            z.map_or_else(TableCell::default, |z| TableCell::number(z, 1)),
            TableCell::words(word),
        ]
    };
    Table { columns, rows: comparisons.iter().map(row).collect() }
}

/// Agreement by player, for a summary: how many figures of how many.
fn counted(comparisons: &[PublishedComparison]) -> Vec<Message> {
    let mut players: Vec<&str> = Vec::new();
    for comparison in comparisons {
        if !players.contains(&comparison.player.as_str()) {
            players.push(&comparison.player);
        }
    }
    let line = |player: &&str| {
        let of: Vec<&PublishedComparison> =
            comparisons.iter().filter(|comparison| comparison.player == **player).collect();
        let agreeing = of.iter().filter(|comparison| comparison.agreement.agrees()).count();
        message!("lab.figures-agree", player, agreeing, all = of.len())
    };
    players.iter().map(line).collect()
}

/// The page of a published experiment.
pub fn reproduction_page(
    published: &PublishedExperiment,
    experiment: &Experiment,
    cells: &[CellResult],
) -> ReportPage {
    let comparisons = comparisons(published, cells);
    let mut page = blank_page(experiment, &published.title);
    page.summary = if comparisons.is_empty() {
        strength_summary(cells).into_iter().chain([message!("lab.nothing-printed").to_arg()]).collect()
    } else {
        let played = message!("lab.paper-games", n = published.games_each);
        let told = closest_reading(&comparisons).into_iter().chain(counted(&comparisons)).chain([played]);
        told.map(|sentence| sentence.to_arg()).collect()
    };
    // Where nothing is printed to compare with, strength is what the experiment is about.
    let strength = strength_sections(cells);
    let (first, after) = if comparisons.is_empty() { (strength, Vec::new()) } else { (Vec::new(), strength) };
    page.sections.extend(first);
    let complexity = by_game_and_player(
        cells,
        Measure::Complexity,
        Axis::plain(Measure::Complexity.words()),
        message!("lab.our-complexity-caption"),
    );
    page.sections.push(Section {
        heading: message!("lab.our-complexity-heading").to_arg(),
        figure: Some(complexity),
        table: Some(measures_table(cells)),
        ..Section::default()
    });
    if !comparisons.is_empty() {
        let is_complexity = |of: &PublishedComparison| of.measure == PublishedMeasure::Complexity;
        page.sections.push(Section {
            heading: message!("lab.comparison-heading").to_arg(),
            figure: comparisons.iter().any(is_complexity).then(|| side_by_side(&comparisons)),
            paragraphs: vec![message!("lab.comparison-explained").to_arg()],
            table: Some(comparison_table(&comparisons)),
        });
    }
    if !published.remarks.is_empty() {
        let heading = if comparisons.is_empty() {
            message!("lab.played-heading")
        } else {
            message!("lab.differences-heading")
        };
        page.sections.push(Section {
            heading: heading.to_arg(),
            paragraphs: published.remarks.iter().map(ToArg::to_arg).collect(),
            ..Section::default()
        });
    }
    page.sections.extend(after);
    page.sections.extend(turn_sections(cells));
    page.sections.push(drawn_games(cells));
    page.sections.extend(along_games(cells));
    if comparisons.is_empty() {
        page.sections.push(captures_section(cells));
    }
    page
}

//! The page of a published experiment: paper and measurement side by side, with the agreement of each figure.

use super::analysis::measures_table;
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
    pub measure: &'static str,
    /// The figure as printed.
    pub printed: String,
    /// Ours; shares as shares.
    pub ours: Estimate,
    /// The figure as a number, with the error that a measurement on so many games has.
    pub theirs: Estimate,
    /// Whether it is a percentage.
    pub is_percent: bool,
    /// Whether they agree.
    pub agreement: Agreement,
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
fn reading(player: &str) -> &str {
    let written = player.find('(').filter(|_| player.starts_with("P'"));
    written.map_or("as written", |at| &player[at..])
}

/// Where several readings of a player were played: which comes closest to the paper.
fn closest_reading(comparisons: &[PublishedComparison]) -> Option<String> {
    let mut readings: Vec<(&str, usize, Vec<f64>)> = Vec::new();
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
    let told = readings.iter_mut().map(|(name, agreeing, sizes)| {
        sizes.sort_by(f64::total_cmp);
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(f64::NAN);
        (median, format!("{name}: {agreeing} of {} agree, median |z| {median:.1}", sizes.len()))
    });
    let mut told: Vec<(f64, String)> = told.collect();
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    let lines: Vec<String> = told.into_iter().map(|(_, line)| line).collect();
    Some(format!("Readings of the player, the closest first. {}.", lines.join("; ")))
}

fn row_comparisons(row: &PublishedRow, games_each: u32, cell: &CellResult) -> Vec<PublishedComparison> {
    let measures = &cell.measures;
    let n_games = row.games.unwrap_or(games_each) as usize;
    let mut means = vec![
        ("B", &row.branching, &measures.branching),
        ("D", &row.length, &measures.length),
        ("E", &row.complexity, &measures.complexity),
    ];
    if let Some(contest) = &cell.contest {
        means.push(("expected turns", &row.expected, &contest.expected));
        means.push(("turns before the throw", &row.before, &contest.before));
    }
    // What the paper left out of its means it did not measure them on: its sample is smaller by its own draws.
    let n_counted = (n_games as f64 * measures.n_counted as f64 / measures.n_games.max(1) as f64).round();
    let mut found = Vec::new();
    for (measure, printed, ours) in means {
        if let Some((value, decimals)) = number(printed) {
            let published = Published::new(value, decimals, n_counted.max(1.0) as usize);
            found.push((measure, printed, *ours, published, false, agreement(ours, published)));
        }
    }
    let shares = [
        ("draws", &row.draws, Some(&measures.draws)),
        ("first wins", &row.first, measures.wins.first()),
        ("second wins", &row.second, measures.wins.get(1)),
        ("fourth wins", &row.fourth, measures.wins.get(3)),
    ];
    for (measure, printed, ours) in shares {
        if let (Some((value, decimals)), Some(ours)) = (number(printed), ours) {
            let n_hits = (ours.value * measures.n_games as f64).round() as usize;
            let share = Proportion { n_hits, n: measures.n_games };
            let published = Published::percent(value, decimals, n_games);
            found.push((measure, printed, *ours, published, true, agreement_of_shares(share, published)));
        }
    }
    let comparison = |(measure, printed, ours, published, is_percent, agreement)| {
        let printed: &Option<String> = printed;
        let theirs = if is_percent { share_of(published) } else { published.as_estimate(&ours) };
        PublishedComparison {
            game: cell.game.clone(),
            player: cell.players.clone(),
            measure,
            printed: printed.clone().unwrap_or_default(),
            ours,
            theirs,
            is_percent,
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
fn side_by_side(comparisons: &[PublishedComparison], measure: &str, axis: Axis, caption: &str) -> Picture {
    let series = ["paper", "ours"].map(String::from).to_vec();
    let rows = comparisons
        .iter()
        .filter(|comparison| comparison.measure == measure)
        .map(|comparison| PointsRow {
            name: format!("{}, {}", comparison.game, comparison.player),
            points: vec![Some(comparison.theirs), Some(comparison.ours)],
        })
        .collect();
    Picture::new(caption, Figure::Points(PointsFigure { series, rows, axis }))
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
        Column::words("game"),
        Column::words("player"),
        Column::words("measure"),
        Column::numbers("paper", ""),
        Column::numbers("ours", "95% interval"),
        Column::numbers("z", ""),
        Column::words("verdict"),
    ];
    let row = |comparison: &PublishedComparison| {
        let (z, word) = match comparison.agreement {
            Agreement::Agrees { z } => (Some(z), "agrees"),
            Agreement::Differs { z } => (Some(z), "DIFFERS"),
            Agreement::Unknown => (None, "too few games"),
        };
        vec![
            TableCell::words(&comparison.game),
            TableCell::words(&comparison.player),
            TableCell::words(if comparison.is_percent {
                format!("{}, %", comparison.measure)
            } else {
                comparison.measure.into()
            }),
            TableCell {
                text: comparison.printed.clone(),
                number: comparison.printed.parse().ok(),
                interval: None,
            },
            if comparison.is_percent {
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
fn counted(comparisons: &[PublishedComparison]) -> Vec<String> {
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
        format!("{player}: {agreeing} of {} figures agree within the sampling error of both.", of.len())
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
    let mut page = blank_page(experiment, published.title.clone());
    page.summary = if comparisons.is_empty() {
        let none = "No figures are printed to compare these with.".to_string();
        strength_summary(cells).into_iter().chain([none]).collect()
    } else {
        let played = format!("The paper played {} games for each row.", published.games_each);
        closest_reading(&comparisons).into_iter().chain(counted(&comparisons)).chain([played]).collect()
    };
    // Where nothing is printed to compare with, strength is what the experiment is about.
    let strength = strength_sections(cells);
    let (first, after) = if comparisons.is_empty() { (strength, Vec::new()) } else { (Vec::new(), strength) };
    page.sections.extend(first);
    let complexity = by_game_and_player(
        cells,
        Measure::Complexity,
        Axis::plain(Measure::Complexity.words()),
        "Our E by game and player, with 95% intervals.",
    );
    page.sections.push(Section {
        heading: "E by game and player".into(),
        figure: Some(complexity),
        table: Some(measures_table(cells)),
        ..Section::default()
    });
    if !comparisons.is_empty() {
        let axis = Axis::plain(Measure::Complexity.words());
        page.sections.push(Section {
            heading: "Paper and measurement".into(),
            figure: comparisons.iter().any(|comparison| comparison.measure == "E").then(|| {
                side_by_side(
                    &comparisons,
                    "E",
                    axis,
                    "E as printed, with the interval that so few games allow, and as measured here.",
                )
            }),
            paragraphs: vec![
                "z is the difference in standard errors of both figures, beyond the rounding of the printed one; the \
                 paper's error is taken from our spread between games. Of figures that do agree one in twenty is \
                 called different by chance."
                    .into(),
            ],
            table: Some(comparison_table(&comparisons)),
        });
    }
    if !published.remarks.is_empty() {
        let heading =
            if comparisons.is_empty() { "What was played" } else { "What is known of the differences" };
        page.sections.push(Section {
            heading: heading.into(),
            paragraphs: published.remarks.clone(),
            ..Section::default()
        });
    }
    page.sections.extend(after);
    page.sections.extend(turn_sections(cells));
    page.sections.push(drawn_games(cells));
    page.sections.extend(along_games(cells));
    page
}

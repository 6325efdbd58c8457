//! The page of an analysis: how games differ, and how they change with the strength of the players.

use ashta_messages::{Arg, Message, ToArg, message};

use super::contest::{strength_sections, turn_sections};
use super::parts::{along_games, blank_page, by_game_and_player, drawn_games, table_of};
use crate::estimate::Estimate;
use crate::figures::Axis;
use crate::measures::Measure;
use crate::plan::Experiment;
use crate::report::{Column, ReportPage, Section, Table, TableCell};
use crate::results::{CellResult, distinct};
use crate::tally::{INTACT_PLIES, OPENING_PLIES};

/// B, D, results and E of every cell.
pub fn measures_table(cells: &[CellResult]) -> Table {
    let sides = cells.iter().map(|cell| cell.sides.len()).max().unwrap_or(0);
    let mut columns = vec![
        Column::numbers("B"),
        Column::numbers("D").unit(message!("lab.unit-plies")),
        Column::numbers("E"),
        Column::numbers(message!("lab.column-draws")).percent(),
    ];
    columns.extend((0..sides).map(|side| Column::numbers(wins_of(side)).percent()));
    table_of(cells, columns, |cell| {
        let measures = &cell.measures;
        let mut row = vec![
            TableCell::estimate(&measures.branching),
            TableCell::estimate(&measures.length),
            TableCell::estimate(&measures.complexity),
            TableCell::percent(&measures.draws),
        ];
        row.extend(
            (0..sides).map(|side| measures.wins.get(side).map(TableCell::percent).unwrap_or_default()),
        );
        row
    })
}

/// The column of the games that a side won.
pub(super) fn wins_of(side: usize) -> Message {
    match side {
        0 => message!("lab.column-first-wins"),
        1 => message!("lab.column-second-wins"),
        2 => message!("lab.column-third-wins"),
        _ => message!("lab.column-fourth-wins"),
    }
}

/// Everything else that is measured in one number.
fn more_measures(cells: &[CellResult]) -> Table {
    let shown = [
        Measure::Ratio,
        Measure::Product,
        Measure::TreeSize,
        Measure::LeadChanges,
        Measure::Captures,
        Measure::Checks,
    ];
    let mut columns: Vec<Column> =
        shown.iter().map(|measure| Column::numbers(measure.short_name())).collect();
    columns.push(Column::numbers(message!("lab.column-first-side-advantage")).percent());
    columns.extend(OPENING_PLIES.map(|n| Column::numbers(message!("lab.column-openings", n))));
    table_of(cells, columns, |cell| {
        let measures = &cell.measures;
        let mut row: Vec<TableCell> =
            shown.iter().map(|measure| TableCell::estimate(measures.get(*measure))).collect();
        row.push(TableCell::percent(&measures.first_side_advantage));
        row.extend(measures.openings.iter().map(TableCell::estimate));
        row
    })
}

/// Survival and mobility of each kind of piece.
fn pieces_table(cells: &[CellResult]) -> Table {
    let columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-players")),
        Column::words(message!("lab.column-piece")),
        Column::numbers(message!("lab.column-at-start")),
        Column::numbers(message!("lab.column-at-end")),
        Column::numbers(message!("lab.column-moves-of-piece")),
    ];
    let mut rows = Vec::new();
    for cell in cells {
        let n_games = cell.measures.n_games.max(1) as f64;
        for (name, kind) in cell.kinds.iter().zip(&cell.tally.by_kind) {
            rows.push(vec![
                TableCell::words(&cell.game),
                TableCell::words(&cell.players),
                TableCell::words(name),
                TableCell::number(kind.n_at_start as f64 / n_games, 1),
                TableCell::number(kind.n_at_end as f64 / n_games, 2),
                kind.mobility().map_or_else(TableCell::default, |mobility| TableCell::number(mobility, 2)),
            ]);
        }
    }
    Table { columns, rows }
}

/// When the pieces of each kind are captured, and what it costs.
fn captures_table(cells: &[CellResult]) -> Table {
    let mut columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-players")),
        Column::words(message!("lab.column-piece")),
        Column::numbers(message!("lab.column-seen")).percent(),
        Column::numbers(message!("lab.column-captured")).percent(),
        Column::numbers(message!("lab.column-first-capture")).unit(message!("lab.unit-plies")),
    ];
    columns.extend(INTACT_PLIES.map(|n| Column::numbers(message!("lab.column-intact", n)).percent()));
    columns.push(Column::numbers(message!("lab.column-losers-won")).percent());
    let mut rows = Vec::new();
    for cell in cells {
        let share = |n: u64, of: u64| match of {
            0 => TableCell::default(),
            _ => TableCell::percent(&Estimate::share(n as usize, of as usize)),
        };
        let n_as_long = |ply: u32| {
            let rows = &cell.tally.rows;
            rows.iter().filter(|row| row.n_plies >= ply).count() as u64
        };
        let seen = cell.kinds.iter().zip(&cell.tally.by_kind).filter(|(_, kind)| kind.history.n_seen > 0);
        for (name, kind) in seen {
            let history = &kind.history;
            let mut row = vec![
                TableCell::words(&cell.game),
                TableCell::words(&cell.players),
                TableCell::words(name),
                share(history.n_seen, cell.measures.n_games as u64),
                share(history.n_lost, history.n_seen),
                if history.n_lost > 0 {
                    TableCell::estimate(&history.first_loss())
                } else {
                    TableCell::default()
                },
            ];
            row.extend(INTACT_PLIES.iter().zip(history.n_intact).map(|(ply, n)| match kind.n_at_start {
                0 => TableCell::default(),
                _ => share(n, n_as_long(*ply)),
            }));
            row.push(share(history.n_losers_won, history.n_losers));
            rows.push(row);
        }
    }
    Table { columns, rows }
}

/// The page of an analysis.
pub fn analysis_page(experiment: &Experiment, cells: &[CellResult]) -> ReportPage {
    let games = distinct(cells, |cell| &cell.game);
    let title = match games.as_slice() {
        [game] => message!("lab.analysis-of-game", game),
        many => message!("lab.analysis-of-games", n = many.len()),
    };
    let mut page = blank_page(experiment, title);
    page.summary = summary(cells);
    page.sections = vec![
        Section {
            heading: message!("lab.complexity-heading").to_arg(),
            paragraphs: vec![message!("lab.complexity-explained").to_arg()],
            figure: Some(by_game_and_player(
                cells,
                Measure::Complexity,
                Axis::plain(Measure::Complexity.words()),
                message!("lab.complexity-caption"),
            )),
            table: Some(measures_table(cells)),
        },
        drawn_games(cells),
    ];
    page.sections.extend(strength_sections(cells));
    page.sections.extend(turn_sections(cells));
    page.sections.extend(along_games(cells));
    page.sections.push(Section {
        heading: message!("lab.more-measures-heading").to_arg(),
        paragraphs: vec![message!("lab.more-measures-explained").to_arg()],
        table: Some(more_measures(cells)),
        ..Section::default()
    });
    page.sections.push(Section {
        heading: message!("lab.pieces-heading").to_arg(),
        paragraphs: vec![message!("lab.pieces-explained").to_arg()],
        table: Some(pieces_table(cells)),
        ..Section::default()
    });
    page.sections.push(captures_section(cells));
    page
}

/// When the pieces of each kind are captured.
pub(super) fn captures_section(cells: &[CellResult]) -> Section {
    Section {
        heading: message!("lab.captures-heading").to_arg(),
        paragraphs: vec![message!("lab.captures-explained").to_arg()],
        table: Some(captures_table(cells)),
        ..Section::default()
    }
}

fn summary(cells: &[CellResult]) -> Vec<Arg> {
    let n_games: usize = cells.iter().map(|cell| cell.measures.n_games).sum();
    let n_plies: u64 = cells.iter().flat_map(|cell| &cell.tally.rows).map(|row| u64::from(row.n_plies)).sum();
    let contests = cells.iter().flat_map(|cell| &cell.tally.contests);
    let n_moves: u64 = contests.map(|row| u64::from(row.n_piece_moves)).sum();
    let played = match n_moves {
        0 => message!("lab.summary-games", n_games, n_plies),
        _ => message!("lab.summary-contest-games", n_games, n_plies, n_moves),
    };
    let mut summary = vec![played.to_arg()];
    let known = cells.iter().filter(|cell| cell.measures.complexity.value.is_finite());
    let highest = known.max_by(|a, b| a.measures.complexity.value.total_cmp(&b.measures.complexity.value));
    if let Some(cell) = highest.filter(|_| cells.len() > 1) {
        let CellResult { game, players, measures, .. } = cell;
        let highest = message!("lab.highest-complexity", game, players, complexity = measures.complexity);
        summary.push(highest.to_arg());
    }
    summary
}

//! The page of an analysis: how games differ, and how they change with the strength of the players.

use super::contest::{strength_sections, turn_sections};
use super::parts::{along_games, blank_page, by_game_and_player, drawn_games, table_of};
use crate::figures::Axis;
use crate::measures::Measure;
use crate::plan::Experiment;
use crate::report::{Column, ReportPage, Section, Table, TableCell};
use crate::results::{CellResult, distinct};

/// B, D, results and E of every cell.
pub fn measures_table(cells: &[CellResult]) -> Table {
    let sides = cells.iter().map(|cell| cell.sides.len()).max().unwrap_or(0);
    let wins = ["first wins", "second wins", "third wins", "fourth wins"];
    let mut columns = vec![
        Column::numbers("B", ""),
        Column::numbers("D", "plies"),
        Column::numbers("E", ""),
        Column::numbers("draws", "%"),
    ];
    columns.extend((0..sides).map(|side| Column::numbers(wins[side & 3], "%")));
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
        shown.iter().map(|measure| Column::numbers(measure.symbol(), "")).collect();
    columns.push(Column::numbers("first side's advantage", "%"));
    columns.push(Column::numbers("openings after 4 plies", ""));
    columns.push(Column::numbers("openings after 8 plies", ""));
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
    let columns = ["game", "players", "piece"].map(Column::words).into_iter();
    let numbers = [("at the start", ""), ("at the end", ""), ("moves of one piece", "")];
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
    Table { columns: columns.chain(numbers.map(|(name, unit)| Column::numbers(name, unit))).collect(), rows }
}

/// The page of an analysis.
pub fn analysis_page(experiment: &Experiment, cells: &[CellResult]) -> ReportPage {
    let games = distinct(cells, |cell| &cell.game);
    let title = match games.as_slice() {
        [game] => format!("Analysis of {game}"),
        many => format!("Analysis of {} games", many.len()),
    };
    let mut page = blank_page(experiment, title);
    page.summary = summary(cells);
    page.sections = vec![
        Section {
            heading: "Strategic complexity E by game and player".into(),
            paragraphs: vec![
                "E = sqrt(B)/D, where B is the number of legal moves and D the length of a game in plies. For experts at \
                 chess, xiangqi and shogi it is about 0.07 (paper 001, table 1)."
                    .into(),
            ],
            figure: Some(by_game_and_player(
                cells,
                Measure::Complexity,
                Axis::plain(Measure::Complexity.words()),
                "E by game and player, with 95% intervals.",
            )),
            table: Some(measures_table(cells)),
        },
        drawn_games(cells),
    ];
    page.sections.extend(strength_sections(cells));
    page.sections.extend(turn_sections(cells));
    page.sections.extend(along_games(cells));
    page.sections.push(Section {
        heading: "More measures".into(),
        paragraphs: vec![
            "BxD is the number of moves looked at in a game; log10(B^D) the size of the game tree. Captures and checks \
             are shares of plies. The number of openings is the effective one: as many as would be met if all were \
             equally frequent."
                .into(),
        ],
        table: Some(more_measures(cells)),
        ..Section::default()
    });
    page.sections.push(Section {
        heading: "What becomes of the pieces".into(),
        paragraphs: vec![
            "Pieces of both sides, on the board and in hand, in the mean of all games; moves of one piece of the side \
             to move, sampled every 64th ply."
                .into(),
        ],
        table: Some(pieces_table(cells)),
        ..Section::default()
    });
    page
}

fn summary(cells: &[CellResult]) -> Vec<String> {
    let n_games: usize = cells.iter().map(|cell| cell.measures.n_games).sum();
    let n_plies: u64 = cells.iter().flat_map(|cell| &cell.tally.rows).map(|row| u64::from(row.n_plies)).sum();
    let contests = cells.iter().flat_map(|cell| &cell.tally.contests);
    let n_moves: u64 = contests.map(|row| u64::from(row.n_piece_moves)).sum();
    let in_contests = if n_moves > 0 { format!(", {n_moves} moves of pieces") } else { String::new() };
    let mut summary = vec![format!("{n_games} games, {n_plies} plies{in_contests}.")];
    let known = cells.iter().filter(|cell| cell.measures.complexity.value.is_finite());
    let highest = known.max_by(|a, b| a.measures.complexity.value.total_cmp(&b.measures.complexity.value));
    if let Some(cell) = highest.filter(|_| cells.len() > 1) {
        let complexity = &cell.measures.complexity;
        summary.push(format!("The highest E is that of {}, {}: {complexity}.", cell.game, cell.players));
    }
    summary
}

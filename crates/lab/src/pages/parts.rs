//! Parts that several pages have: pictures by game and player, tables of measures, where a report comes from.

use ashta_messages::{Arg, Message, ToArg, message};

use crate::figures::{
    Axis, EndingsFigure, EndingsRow, Figure, LengthSample, LengthsFigure, MovesFigure, Picture, PlyCurve,
    PointsFigure, PointsRow,
};
use crate::measures::{LENGTH_QUANTILES, Measure};
use crate::plan::{Experiment, Stop};
use crate::report::{Column, ReportPage, Section, Table, TableCell};
use crate::results::{CellResult, distinct};

/// A page with its origin told and nothing on it yet.
pub fn blank_page(experiment: &Experiment, title: impl ToArg) -> ReportPage {
    let plan = &experiment.plan;
    let games = match plan.stop {
        Stop::Games(n) => message!("lab.convention-games", n),
        Stop::Until { measure, percent, most_games } => {
            message!("lab.convention-until", measure = measure.short_name(), percent, most = most_games)
        }
    };
    let [branching, drawn] = plan.conventions.words();
    let mut conventions = vec![
        message!("lab.convention-preset", name = plan.preset.name(), branching, drawn),
        message!("lab.convention-max-plies", n = plan.max_plies),
        games,
        message!("lab.convention-intervals"),
    ];
    if matches!(plan.stop, Stop::Until { .. }) {
        conventions.push(message!("lab.convention-stopping"));
    }
    let mut digests: Vec<(String, String)> = Vec::new();
    for cell in &plan.cells {
        let digest = (cell.game.clone(), cell.digest.clone());
        if !digests.contains(&digest) {
            digests.push(digest);
        }
    }
    ReportPage {
        title: title.to_arg(),
        command: plan.command.clone(),
        version: plan.version.clone(),
        seed: plan.seed,
        conventions: conventions.iter().map(ToArg::to_arg).collect(),
        digests,
        plan: serde_json::to_string_pretty(plan).unwrap_or_default(),
        ..ReportPage::default()
    }
}

/// Most players that marks of their own tell apart in one row.
const MOST_MARKS: usize = 8;

/// A measure by game and player: a row for each game and a mark for each player or, where one game has many players, a
/// row for each of them. Of many games with many players, only those are shown in which all sides play alike.
pub fn by_game_and_player(cells: &[CellResult], measure: Measure, axis: Axis, caption: Message) -> Picture {
    let too_many = distinct(cells, |cell| &cell.players).len() > MOST_MARKS;
    let alike = |cell: &&CellResult| cell.seats.windows(2).all(|pair| pair[0] == pair[1]);
    let alone: Vec<CellResult> = cells.iter().filter(alike).cloned().collect();
    let several = distinct(cells, |cell| &cell.game).len() > 1;
    let cells = if too_many && several && !alone.is_empty() { alone.as_slice() } else { cells };
    let players = distinct(cells, |cell| &cell.players);
    let games = distinct(cells, |cell| &cell.game);
    if games.len() == 1 && players.len() > MOST_MARKS {
        let row = |cell: &CellResult| PointsRow {
            name: cell.players.to_arg(),
            points: vec![Some(*cell.measures.get(measure))],
        };
        let rows = cells.iter().map(row).collect();
        let series = games.iter().map(ToArg::to_arg).collect();
        return Picture::new(caption, Figure::Points(PointsFigure { series, rows, axis }));
    }
    let row = |game: String| {
        let of = |player: &String| {
            let cell = cells.iter().find(|cell| cell.game == game && cell.players == *player);
            cell.map(|cell| *cell.measures.get(measure))
        };
        PointsRow { points: players.iter().map(of).collect(), name: game.to_arg() }
    };
    let rows = games.into_iter().map(row).collect();
    let series = players.iter().map(ToArg::to_arg).collect();
    Picture::new(caption, Figure::Points(PointsFigure { series, rows, axis }))
}

/// How many games are drawn, by game and player.
pub fn drawn_games(cells: &[CellResult]) -> Section {
    let (axis, caption) = (Axis::percent(message!("lab.draws-axis")), message!("lab.draws-caption"));
    Section {
        heading: message!("lab.draws-heading").to_arg(),
        figure: Some(by_game_and_player(cells, Measure::Draws, axis, caption)),
        ..Section::default()
    }
}

/// A cell's name among others: its game, and its players if they differ between cells.
pub fn cell_name(cell: &CellResult, cells: &[CellResult]) -> String {
    let (games, players) = (distinct(cells, |cell| &cell.game), distinct(cells, |cell| &cell.players));
    match (games.len(), players.len()) {
        (_, 1) => cell.game.clone(),
        (1, _) => cell.players.clone(),
        _ => format!("{}, {}", cell.game, cell.players),
    }
}

/// Most cells for which curves are drawn: more panels are not looked at.
const MOST_PANELS: usize = 24;

/// What happens along games: legal moves by ply, lengths, reasons they ended.
pub fn along_games(cells: &[CellResult]) -> Vec<Section> {
    let shown = &cells[..cells.len().min(MOST_PANELS)];
    let named = |cell: &CellResult| cell_name(cell, cells);
    let curves = shown.iter().map(|cell| PlyCurve::new(named(cell), &cell.tally.by_ply)).collect();
    let lengths = |cell: &CellResult| LengthSample {
        name: named(cell).to_arg(),
        n_plies: cell.tally.rows.iter().map(|row| row.n_plies).collect(),
    };
    let lengths = shown.iter().map(lengths).collect();
    let endings = |cell: &CellResult| {
        let count = |reason| cell.tally.rows.iter().filter(|row| row.reason == reason).count();
        let reasons = cell.measures.reasons.iter().map(|(reason, _)| (*reason, count(*reason)));
        EndingsRow { name: named(cell).to_arg(), counts: reasons.collect() }
    };
    let endings = cells.iter().map(endings).collect();
    vec![
        pictured(
            message!("lab.endings-heading"),
            Picture::new(message!("lab.endings-caption"), Figure::Endings(EndingsFigure::new(endings))),
            Some(endings_table(cells)),
        ),
        pictured(
            message!("lab.moves-heading"),
            Picture::new(message!("lab.moves-caption"), Figure::Moves(MovesFigure::new(curves))),
            None,
        ),
        pictured(
            message!("lab.lengths-heading"),
            Picture::new(message!("lab.lengths-caption"), Figure::Lengths(LengthsFigure::new(lengths))),
            Some(lengths_table(cells)),
        ),
    ]
}

fn pictured(heading: Message, picture: Picture, table: Option<Table>) -> Section {
    Section { heading: heading.to_arg(), paragraphs: Vec::new(), figure: Some(picture), table }
}

fn name_columns() -> Vec<Column> {
    vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-players")),
        Column::numbers(message!("lab.column-games")),
    ]
}

fn name_cells(cell: &CellResult) -> Vec<TableCell> {
    vec![
        TableCell::words(&cell.game),
        TableCell::words(&cell.players),
        TableCell::count(cell.measures.n_games),
    ]
}

/// A table with a row for each cell: its name, then these.
pub fn table_of(
    cells: &[CellResult],
    columns: Vec<Column>,
    row: impl Fn(&CellResult) -> Vec<TableCell>,
) -> Table {
    let rows = cells.iter().map(|cell| name_cells(cell).into_iter().chain(row(cell)).collect());
    Table { columns: name_columns().into_iter().chain(columns).collect(), rows: rows.collect() }
}

fn endings_table(cells: &[CellResult]) -> Table {
    let occurs = |at: &usize| cells.iter().any(|cell| cell.measures.reasons[*at].1.value > 0.0);
    let n_reasons = cells.first().map_or(0, |cell| cell.measures.reasons.len());
    let shown: Vec<usize> = (0..n_reasons).filter(occurs).collect();
    let words = |at: &usize| cells.first().map_or(Arg::Absent, |cell| cell.measures.reasons[*at].0.to_arg());
    let columns = shown.iter().map(|at| Column::numbers(words(at)).percent()).collect();
    table_of(cells, columns, |cell| {
        shown.iter().map(|at| TableCell::percent(&cell.measures.reasons[*at].1)).collect()
    })
}

fn lengths_table(cells: &[CellResult]) -> Table {
    let title = |quantile: &f64| {
        let percent = quantile * 100.0;
        let name = message!("lab.column-length-quantile", percent);
        Column::numbers(name).unit(message!("lab.unit-plies"))
    };
    let columns = LENGTH_QUANTILES.iter().map(title).collect();
    table_of(cells, columns, |cell| cell.measures.length_quantiles.iter().map(TableCell::estimate).collect())
}

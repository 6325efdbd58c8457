//! The page of learning: what each piece is worth, how steadily it was learned, the curves.

use super::parts::pieces_in_japanese;
use crate::estimate::Estimate;
use crate::figures::{Axis, CurveAxes, CurvePanel, CurvesFigure, Figure, Picture, PointsFigure, PointsRow};
use crate::learn::summary::{Span, Spread, run_summary, spread};
use crate::learn::{
    Curves, FeatureName, LearnCell, LearnPlan, Learning, Mode, Printed, ReportOptions, Role,
    published_learning,
};
use crate::report::{Column, ReportPage, Section, Table, TableCell};

/// A game and a lambda, with all their runs.
struct Group<'a> {
    first: &'a LearnCell,
    cells: Vec<usize>,
    spread: Vec<Spread>,
}

/// What is told, and in which units.
#[derive(Clone, Debug)]
pub struct LearningView {
    /// Games over which values are averaged.
    pub span: Span,
    /// The piece that is worth 1; the first of each game if nothing is said.
    pub unit: Option<String>,
    /// What the page is called, if it repeats something published, and what is known of it.
    pub published: Option<(String, Vec<String>)>,
    /// Pieces of different games that are told side by side.
    pub roles: Vec<Role>,
}

impl LearningView {
    /// As a plan says.
    pub fn of(plan: &LearnPlan) -> LearningView {
        let ReportOptions { span, unit, published } = &plan.report_options;
        let published = published.as_deref().and_then(published_learning);
        LearningView {
            span: span.unwrap_or(Span::of(plan.n_games)),
            unit: unit.clone(),
            roles: published.as_ref().map(|published| published.roles.clone()).unwrap_or_default(),
            published: published.map(|published| (published.title, published.remarks)),
        }
    }
}

/// Which weight is the unit: that of the piece asked for, or of the game's first.
pub fn unit_of(cell: &LearnCell, unit: Option<&str>) -> usize {
    unit.and_then(|unit| cell.features.names().iter().position(|name| name == unit)).unwrap_or(0)
}

fn groups<'a>(learning: &'a Learning, curves: &Curves, view: &LearningView) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (at, cell) in learning.cells.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if cell.run > 0 => group.cells.push(at),
            _ => groups.push(Group { first: cell, cells: vec![at], spread: Vec::new() }),
        }
    }
    for group in &mut groups {
        let unit = unit_of(group.first, view.unit.as_deref());
        group.spread = spread(curves, &group.cells, view.span, unit);
    }
    groups
}

/// The page of learning and the table that matters most.
pub fn learning_page(learning: &Learning, curves: &Curves, view: &LearningView) -> (ReportPage, Table) {
    let groups = groups(learning, curves, view);
    let games: Vec<(String, String)> =
        learning.plan.games.iter().map(|game| (game.name.clone(), game.game.clone())).collect();
    let printed = Printed::of(&games);
    let mut page = blank_page(learning, view);
    let table = worths_table(&groups, &printed);
    page.summary = summary(learning, curves, &groups);
    page.sections = roles_section(&groups, &view.roles).into_iter().collect();
    page.sections.push(Section {
        heading: "What each piece is worth".into(),
        paragraphs: vec![format!(
            "Means over games {} to {}, divided by the mean of the piece that is worth 1. With several runs the interval \
             is that of their mean; one run has no interval. Steady is the share of these games after which a weight was \
             within 5% of its mean (paper 004, table 1).",
            view.span.from, view.span.to
        )],
        table: Some(table.clone()),
        ..Section::default()
    });
    let disagreeing: Vec<String> = groups.iter().flat_map(|group| disagreements(group, &printed)).collect();
    if !disagreeing.is_empty() {
        let heading = "Where it disagrees with the paper".into();
        page.sections.push(Section { heading, paragraphs: disagreeing, ..Section::default() });
    }
    page.sections.extend(curve_sections(learning, curves, &groups));
    page.sections.push(steadiness_section(&groups, &printed));
    page.sections.push(games_section(learning, curves));
    let main = roles_table(&groups, &view.roles).unwrap_or(table);
    (page, main)
}

/// What has a role in a game, and what it is worth.
fn in_role<'a>(group: &'a Group<'_>, role: &'a Role) -> Option<(&'a str, Estimate)> {
    let names = group.first.features.names();
    let piece = role.piece(&group.first.name, names)?;
    let at = names.iter().position(|name| name == piece)?;
    group.spread.get(at).map(|spread| (piece, spread.relative))
}

/// A row for each role, a column for each game.
fn roles_table(groups: &[Group<'_>], roles: &[Role]) -> Option<Table> {
    let mut columns = vec![Column::words("piece")];
    columns.extend(groups.iter().map(|group| Column::numbers(&group.first.name, "")));
    let cell = |group: &Group<'_>, role: &Role| match in_role(group, role) {
        Some((piece, worth)) => {
            let cell = over_runs(&worth, 2);
            TableCell { text: format!("{piece} {}", cell.text), ..cell }
        }
        None => TableCell::words("–"),
    };
    let row = |role: &Role| {
        let name = std::iter::once(TableCell::words(&role.name));
        name.chain(groups.iter().map(|group| cell(group, role))).collect()
    };
    (!roles.is_empty()).then(|| Table { columns, rows: roles.iter().map(row).collect() })
}

fn roles_section(groups: &[Group<'_>], roles: &[Role]) -> Option<Section> {
    let table = roles_table(groups, roles)?;
    let series = roles.iter().map(|role| role.name.clone()).collect();
    let points = |group: &Group<'_>| PointsRow {
        name: group.first.name.clone(),
        points: roles.iter().map(|role| in_role(group, role).map(|(_, worth)| closed(worth))).collect(),
    };
    let rows = groups.iter().map(points).collect();
    let axis = Axis::plain("worth, in foot soldiers");
    Some(Section {
        heading: "Each piece through history".into(),
        figure: Some(Picture::new(
            "What each piece is worth in each game.",
            Figure::Points(PointsFigure { series, rows, axis }),
        )),
        table: Some(table),
        ..Section::default()
    })
}

/// For a picture: one run has no interval, and is drawn without.
fn closed(estimate: Estimate) -> Estimate {
    match estimate.n {
        0 | 1 => Estimate { low: estimate.value, high: estimate.value, ..estimate },
        _ => estimate,
    }
}

fn blank_page(learning: &Learning, view: &LearningView) -> ReportPage {
    let plan = &learning.plan;
    let names: Vec<&str> = plan.games.iter().map(|game| game.name.as_str()).collect();
    let usual = || format!("What pieces are worth in {}", names.join(", "));
    let mode = match plan.mode {
        Mode::EveryMove => "weights change after every move".to_string(),
        Mode::Batches(size) => format!("weights change after every {size} games"),
    };
    let features = plan.features.iter().map(|feature| weighed(*feature));
    let features: Vec<&str> = std::iter::once("kinds of pieces").chain(features).collect();
    let mut conventions = vec![
        format!("rate {}, lambda {:?}", plan.rate, plan.lambdas),
        mode,
        format!(
            "depth {}, captures to depth {}, mates by checks within {} plies first",
            plan.depth, plan.quiescence, plan.mate
        ),
        format!(
            "a game of {} plies is a draw; a bare side that the rules let play on: {}",
            plan.max_plies,
            plan.bared.name()
        ),
        format!("weights for {}", features.join(", ")),
    ];
    if plan.n_opening_plies > 0 {
        let n = plan.n_opening_plies;
        conventions.push(format!("each game begins with {n} random plies, from which nothing is learned"));
    }
    conventions.extend(view.published.iter().flat_map(|(_, remarks)| remarks.clone()));
    ReportPage {
        title: view.published.as_ref().map_or_else(usual, |(title, _)| title.clone()),
        command: plan.command.clone(),
        version: plan.version.clone(),
        seed: plan.seed,
        conventions,
        digests: plan.games.iter().map(|game| (game.game.clone(), game.digest.clone())).collect(),
        plan: serde_json::to_string_pretty(plan).unwrap_or_default(),
        pieces_in_japanese: pieces_in_japanese(learning.cells.iter().map(|cell| &cell.rules)),
        ..ReportPage::default()
    }
}

fn weighed(feature: FeatureName) -> &'static str {
    match feature {
        FeatureName::Hand => "pieces in hand",
        FeatureName::Squares => "pieces on squares",
        FeatureName::Mobility => "squares attacked",
    }
}

fn worths_table(groups: &[Group<'_>], printed: &Printed) -> Table {
    let mut columns = ["game", "lambda", "piece"].map(Column::words).to_vec();
    columns.extend(
        [("value", ""), ("paper", ""), ("learned weight", ""), ("steady", "%")]
            .map(|(n, u)| Column::numbers(n, u)),
    );
    let mut rows = Vec::new();
    for group in groups {
        for (name, spread) in group.first.features.names().iter().zip(&group.spread) {
            let paper =
                printed.worth(&group.first.name, name).and_then(|text| Some((text, text.parse().ok()?)));
            rows.push(vec![
                TableCell::words(&group.first.name),
                TableCell::words(group.first.lambda.to_string()),
                TableCell::words(name),
                over_runs(&spread.relative, 2),
                paper.map_or_else(TableCell::default, |(text, number)| TableCell {
                    text: text.into(),
                    number: Some(number),
                    interval: None,
                }),
                over_runs(&spread.learned, 4),
                over_runs(&spread.steadiness.rescaled(100.0, 0.0), 1),
            ]);
        }
    }
    Table { columns, rows }
}

/// An estimate over runs, or a plain number if there was one run.
fn over_runs(estimate: &Estimate, n_decimals: usize) -> TableCell {
    let cell = TableCell::number(estimate.value, n_decimals);
    match (estimate.n, estimate.has_interval()) {
        (0 | 1, _) => cell,
        (n, false) => TableCell { text: format!("{} ({n} runs)", cell.text), ..cell },
        (_, true) => TableCell {
            text: format!("{estimate:.n_decimals$}"),
            number: Some(estimate.value),
            interval: Some((estimate.low, estimate.high)),
        },
    }
}

/// A value that differs from the paper's by more than this share is told of, if one run has no interval.
const FAR: f64 = 0.1;

fn summary(learning: &Learning, curves: &Curves, groups: &[Group<'_>]) -> Vec<String> {
    let n_games: usize = curves.games.iter().map(Vec::len).sum();
    let n_plies: u64 = curves.games.iter().map(|games| run_summary(games).n_plies).sum();
    let n_runs = learning.plan.n_runs;
    let mut lines = vec![format!(
        "{n_games} games, {n_plies} plies, {n_runs} {} of each game and lambda.",
        if n_runs == 1 { "run" } else { "runs" }
    )];
    for group in groups {
        let of = |(name, spread): (&String, &Spread)| format!("{name} {:.2}", spread.relative.value);
        let values: Vec<String> = group.first.features.names().iter().zip(&group.spread).map(of).collect();
        lines.push(format!("{}, lambda {}: {}.", group.first.name, group.first.lambda, values.join(", ")));
    }
    lines
}

/// A line on each value that disagrees with the paper's.
fn disagreements(group: &Group<'_>, printed: &Printed) -> Vec<String> {
    let line = |(name, spread): (&String, &Spread)| {
        let paper = printed.worth(&group.first.name, name)?;
        let theirs: f64 = paper.parse().ok()?;
        let (ours, far) = (&spread.relative, FAR * theirs.abs());
        let reach = if ours.has_interval() { ours.reach() } else { far };
        let apart = ours.value - theirs;
        let is_more = if apart > 0.0 { "more" } else { "less" };
        (apart.abs() > reach && apart.abs() > 0.005).then(|| {
            format!(
                "{}, lambda {}: the {name} is worth {}, {:.0}% {is_more} than the paper's {paper}.",
                group.first.name,
                group.first.lambda,
                over_runs(ours, 2).text,
                apart.abs() / theirs.abs() * 100.0
            )
        })
    };
    group.first.features.names().iter().zip(&group.spread).filter_map(line).collect()
}

/// Curves of pieces that stand on the board from the start and of those that only promotion brings.
fn curve_sections(learning: &Learning, curves: &Curves, groups: &[Group<'_>]) -> Vec<Section> {
    let axes = CurveAxes { x: Axis::plain("games learned from"), y: Axis::plain("weight") };
    let section = |heading: &str, wanted: &dyn Fn(&LearnCell, usize) -> bool| {
        let panel = |at: &usize| {
            let cell = &learning.cells[*at];
            let n_worths = cell.features.n_worths();
            let curve = |n: usize| {
                let values = curves.games[*at].iter().map(|game| game.worths[n]).collect();
                (cell.features.names()[n].clone(), values)
            };
            let name = match learning.plan.n_runs {
                1 => format!("{}, lambda {}", cell.name, cell.lambda),
                _ => format!("{}, lambda {}, run {}", cell.name, cell.lambda, cell.run + 1),
            };
            CurvePanel { name, curves: (0..n_worths).filter(|n| wanted(cell, *n)).map(curve).collect() }
        };
        let panels: Vec<CurvePanel> = groups.iter().flat_map(|group| &group.cells).map(panel).collect();
        let panels: Vec<CurvePanel> = panels.into_iter().filter(|panel| !panel.curves.is_empty()).collect();
        (!panels.is_empty()).then(|| Section {
            heading: heading.into(),
            figure: Some(Picture::new(
                "Weights after each game.",
                Figure::Curves(CurvesFigure { panels, axes: axes.clone() }),
            )),
            ..Section::default()
        })
    };
    let plain = section("Learning curves: pieces of the start", &|cell, n| !is_promoted(cell, n));
    plain.into_iter().chain(section("Learning curves: promoted pieces", &is_promoted)).collect()
}

/// Whether a weight is that of a kind which no side has at the start.
fn is_promoted(cell: &LearnCell, weight: usize) -> bool {
    let (rules, name) = (cell.rules.rules(), cell.features.names()[weight].trim_start_matches("hand "));
    if rules.kinds().iter().all(|kind| kind.name != name) {
        return false;
    }
    let start = rules.start();
    let on_board = start.board.iter().flatten().any(|(_, kind)| rules.kind(*kind).name == name);
    let in_hand =
        |hand: &Vec<u8>| rules.kinds().iter().zip(hand).any(|(kind, n)| *n > 0 && kind.name == name);
    !on_board && !start.hands.iter().any(in_hand)
}

/// Table 1 of the paper, ours above the paper's.
fn steadiness_section(groups: &[Group<'_>], printed: &Printed) -> Section {
    let mut names: Vec<String> = Vec::new();
    for name in
        groups.iter().flat_map(|group| &group.first.features.names()[..group.first.features.n_worths()])
    {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let mut columns = ["game", "lambda", "whose"].map(Column::words).to_vec();
    columns.extend(names.iter().map(|name| Column::numbers(name, "%")));
    let mut rows = Vec::new();
    for Group { first, spread, .. } in groups {
        let head = |whose: &str| {
            vec![
                TableCell::words(&first.name),
                TableCell::words(first.lambda.to_string()),
                TableCell::words(whose),
            ]
        };
        let at = |name: &String| first.features.names().iter().position(|other| other == name);
        let ours = |name: &String| match at(name).and_then(|at| spread.get(at)) {
            Some(spread) => over_runs(&spread.steadiness.rescaled(100.0, 0.0), 1),
            None => TableCell::default(),
        };
        rows.push(head("ours").into_iter().chain(names.iter().map(ours)).collect());
        let theirs: Vec<Option<f64>> =
            names.iter().map(|name| printed.steadiness(&first.name, first.lambda, name)).collect();
        if theirs.iter().any(Option::is_some) {
            let cells = theirs
                .into_iter()
                .map(|percent| percent.map_or_else(TableCell::default, |p| TableCell::number(p, 1)));
            rows.push(head("paper").into_iter().chain(cells).collect());
        }
    }
    Section {
        heading: "How steadily it was learned".into(),
        paragraphs: vec![
            "The share of the games of the span after which a weight was within 5% of its mean.".into(),
        ],
        table: Some(Table { columns, rows }),
        ..Section::default()
    }
}

fn games_section(learning: &Learning, curves: &Curves) -> Section {
    let mut columns = ["game", "lambda", "run"].map(Column::words).to_vec();
    let numbers = [
        ("games", ""),
        ("plies a game", ""),
        ("first wins", ""),
        ("second wins", ""),
        ("draws", ""),
        ("broken off", ""),
    ];
    columns.extend(numbers.map(|(name, unit)| Column::numbers(name, unit)));
    let row = |(cell, games): (&LearnCell, &Vec<crate::learn::GameLearned>)| {
        let run_summary = run_summary(games);
        let mut row = vec![
            TableCell::words(&cell.name),
            TableCell::words(cell.lambda.to_string()),
            TableCell::words((cell.run + 1).to_string()),
            TableCell::count(games.len()),
            TableCell::number(run_summary.n_plies as f64 / games.len().max(1) as f64, 1),
        ];
        row.extend(
            [run_summary.first, run_summary.second, run_summary.drawn, run_summary.broken_off]
                .map(TableCell::count),
        );
        row
    };
    Section {
        heading: "How the games went".into(),
        table: Some(Table { columns, rows: learning.cells.iter().zip(&curves.games).map(row).collect() }),
        ..Section::default()
    }
}

//! The page of learning: what each piece is worth, how steadily it was learned, the curves.

use ashta_messages::{Arg, Message, ToArg, message};
use ashta_rules::words::kind_name;

use super::analysis::wins_of;
use crate::estimate::Estimate;
use crate::figures::{Axis, CurveAxes, CurvePanel, CurvesFigure, Figure, Picture, PointsFigure, PointsRow};
use crate::learn::summary::{Span, Spread, run_summary, spread};
use crate::learn::{
    Bared, Curves, FeatureName, LearnCell, LearnPlan, Learning, Mode, Printed, ReportOptions, Role,
    published_learning,
};
use crate::local_text::LocalText;
use crate::report::{Column, ReportPage, Section, Table, TableCell};
use crate::results::named;

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
    pub published: Option<(LocalText, Vec<LocalText>)>,
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
        heading: message!("lab.values-heading").to_arg(),
        paragraphs: vec![message!("lab.values-explained", from = view.span.from, to = view.span.to).to_arg()],
        table: Some(table.clone()),
        ..Section::default()
    });
    let disagreeing: Vec<Arg> = groups.iter().flat_map(|group| disagreements(group, &printed)).collect();
    if !disagreeing.is_empty() {
        let heading = message!("lab.disagreements-heading").to_arg();
        page.sections.push(Section { heading, paragraphs: disagreeing, ..Section::default() });
    }
    page.sections.extend(curve_sections(learning, curves, &groups));
    page.sections.push(steadiness_section(&groups, &printed));
    page.sections.push(games_section(learning, curves));
    let main = roles_table(&groups, &view.roles).unwrap_or(table);
    (page, main)
}

/// What a weight is called: a piece, a piece in hand, or as the features call it.
fn weight_name(cell: &LearnCell, name: &str) -> Arg {
    let kinds = cell.rules.rules().kinds();
    let piece = |name: &str| {
        let kind = kinds.iter().find(|kind| kind.name == name)?;
        Some(named(|language| kind_name(kind, language)))
    };
    let found = match name.strip_prefix("hand ") {
        None => piece(name),
        Some(in_hand) => piece(in_hand).map(|piece| message!("lab.in-hand", piece).to_arg()),
    };
    found.unwrap_or_else(|| name.to_arg())
}

/// The same where all games that have the weight agree on it: a pawn of chess is not called like one of shogi.
fn shared_name(groups: &[Group<'_>], name: &String) -> Arg {
    let having = groups.iter().filter(|group| group.first.features.names().contains(name));
    let mut names = having.map(|group| weight_name(group.first, name));
    let first = names.next();
    first.filter(|first| names.all(|other| other == *first)).unwrap_or_else(|| name.to_arg())
}

/// What has a role in a game, and what it is worth.
fn in_role(group: &Group<'_>, role: &Role) -> Option<(Arg, Estimate)> {
    let names = group.first.features.names();
    let piece = role.piece(&group.first.name, names)?;
    let at = names.iter().position(|name| name == piece)?;
    group.spread.get(at).map(|spread| (weight_name(group.first, piece), spread.relative))
}

/// A row for each role, a column for each game.
fn roles_table(groups: &[Group<'_>], roles: &[Role]) -> Option<Table> {
    let mut columns = vec![Column::words(message!("lab.column-piece"))];
    columns.extend(groups.iter().map(|group| Column::numbers(&group.first.name)));
    let cell = |group: &Group<'_>, role: &Role| match in_role(group, role) {
        Some((piece, worth)) => {
            let cell = over_runs(&worth, 2);
            TableCell { text: message!("lab.piece-value", piece, value = cell.text).to_arg(), ..cell }
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
    let series = roles.iter().map(|role| role.name.to_arg()).collect();
    let points = |group: &Group<'_>| PointsRow {
        name: group.first.name.to_arg(),
        points: roles.iter().map(|role| in_role(group, role).map(|(_, worth)| closed(worth))).collect(),
    };
    let rows = groups.iter().map(points).collect();
    let axis = Axis::plain(message!("lab.roles-axis"));
    Some(Section {
        heading: message!("lab.roles-heading").to_arg(),
        figure: Some(Picture::new(
            message!("lab.roles-caption"),
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
    let usual = || message!("lab.learning-title", games = names).to_arg();
    let mut conventions: Vec<Arg> = conventions(plan).iter().map(ToArg::to_arg).collect();
    conventions.extend(view.published.iter().flat_map(|(_, remarks)| remarks).map(ToArg::to_arg));
    ReportPage {
        title: view.published.as_ref().map_or_else(usual, |(title, _)| title.to_arg()),
        command: plan.command.clone(),
        version: plan.version.clone(),
        seed: plan.seed,
        conventions,
        digests: plan.games.iter().map(|game| (game.game.clone(), game.digest.clone())).collect(),
        plan: serde_json::to_string_pretty(plan).unwrap_or_default(),
        ..ReportPage::default()
    }
}

fn conventions(plan: &LearnPlan) -> Vec<Message> {
    let mode = match plan.mode {
        Mode::EveryMove => message!("lab.convention-every-move"),
        Mode::Batches(n) => message!("lab.convention-batches", n),
    };
    let (depth, captures, mate) = (plan.depth, plan.quiescence, plan.mate);
    let features = plan.features.iter().map(|feature| weighed(*feature));
    let features: Vec<Message> = std::iter::once(message!("lab.weights-kinds")).chain(features).collect();
    let mut conventions = vec![
        message!("lab.convention-rate", rate = plan.rate.to_string(), lambdas = plan.lambdas),
        mode,
        message!("lab.convention-learner", depth, captures, mate),
        message!("lab.convention-bare", n = plan.max_plies, bare = bared(plan.bared)),
        message!("lab.convention-weights", features),
    ];
    if plan.n_opening_plies > 0 {
        conventions.push(message!("lab.convention-random-opening", n = plan.n_opening_plies));
    }
    conventions
}

fn bared(bared: Bared) -> Message {
    match bared {
        Bared::PlaysOn => message!("lab.bared-plays-on"),
        Bared::BreaksOff => message!("lab.bared-breaks-off"),
        Bared::Draws => message!("lab.bared-draws"),
        Bared::Loses => message!("lab.bared-loses"),
    }
}

fn weighed(feature: FeatureName) -> Message {
    match feature {
        FeatureName::Hand => message!("lab.weights-hand"),
        FeatureName::Squares => message!("lab.weights-squares"),
        FeatureName::Mobility => message!("lab.weights-mobility"),
    }
}

fn worths_table(groups: &[Group<'_>], printed: &Printed) -> Table {
    let columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-lambda")),
        Column::words(message!("lab.column-piece")),
        Column::numbers(message!("lab.column-value")),
        Column::numbers(message!("lab.column-paper")),
        Column::numbers(message!("lab.column-weight")),
        Column::numbers(message!("lab.column-steady")).percent(),
    ];
    let mut rows = Vec::new();
    for group in groups {
        for (name, spread) in group.first.features.names().iter().zip(&group.spread) {
            let paper =
                printed.worth(&group.first.name, name).and_then(|text| Some((text, text.parse().ok()?)));
            rows.push(vec![
                TableCell::words(&group.first.name),
                TableCell::words(group.first.lambda),
                TableCell::words(weight_name(group.first, name)),
                over_runs(&spread.relative, 2),
                paper.map_or_else(TableCell::default, |(text, number)| TableCell {
                    text: text.to_arg(),
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
        (n, false) => TableCell { text: message!("lab.over-runs", value = cell.text, n).to_arg(), ..cell },
        (_, true) => TableCell {
            text: estimate.with_decimals(n_decimals),
            number: Some(estimate.value),
            interval: Some((estimate.low, estimate.high)),
        },
    }
}

/// A value that differs from the paper's by more than this share is told of, if one run has no interval.
const FAR: f64 = 0.1;

fn summary(learning: &Learning, curves: &Curves, groups: &[Group<'_>]) -> Vec<Arg> {
    let n_games: usize = curves.games.iter().map(Vec::len).sum();
    let n_plies: u64 = curves.games.iter().map(|games| run_summary(games).n_plies).sum();
    let n_runs = learning.plan.n_runs;
    let mut lines = vec![message!("lab.learning-summary", n_games, n_plies, n_runs).to_arg()];
    for Group { first, spread, .. } in groups {
        let of = |(name, spread): (&String, &Spread)| {
            let (piece, value) = (weight_name(first, name), format!("{:.2}", spread.relative.value));
            message!("lab.piece-value", piece, value)
        };
        let values: Vec<Message> = first.features.names().iter().zip(spread).map(of).collect();
        let line = message!("lab.learned-values", game = first.name, lambda = first.lambda, values);
        lines.push(line.to_arg());
    }
    lines
}

/// A line on each value that disagrees with the paper's.
fn disagreements(group: &Group<'_>, printed: &Printed) -> Vec<Arg> {
    let LearnCell { name: game, lambda, .. } = group.first;
    let line = |(name, spread): (&String, &Spread)| {
        let paper = printed.worth(&group.first.name, name)?;
        let theirs: f64 = paper.parse().ok()?;
        let (ours, far) = (&spread.relative, FAR * theirs.abs());
        let reach = if ours.has_interval() { ours.reach() } else { far };
        let apart = ours.value - theirs;
        let (piece, value) = (weight_name(group.first, name), over_runs(ours, 2).text);
        let percent = format!("{:.0}", apart.abs() / theirs.abs() * 100.0);
        let told = if apart > 0.0 {
            message!("lab.worth-more", game, lambda, piece, value, percent, paper)
        } else {
            message!("lab.worth-less", game, lambda, piece, value, percent, paper)
        };
        (apart.abs() > reach && apart.abs() > 0.005).then(|| told.to_arg())
    };
    group.first.features.names().iter().zip(&group.spread).filter_map(line).collect()
}

/// Curves of pieces that stand on the board from the start and of those that only promotion brings.
fn curve_sections(learning: &Learning, curves: &Curves, groups: &[Group<'_>]) -> Vec<Section> {
    let (x, y) = (message!("lab.curves-games-axis"), message!("lab.curves-weight-axis"));
    let axes = CurveAxes { x: Axis::plain(x), y: Axis::plain(y) };
    let section = |heading: Message, wanted: &dyn Fn(&LearnCell, usize) -> bool| {
        let panel = |at: &usize| {
            let cell = &learning.cells[*at];
            let n_worths = cell.features.n_worths();
            let curve = |n: usize| {
                let values = curves.games[*at].iter().map(|game| game.worths[n]).collect();
                (weight_name(cell, &cell.features.names()[n]), values)
            };
            let name = match learning.plan.n_runs {
                1 => message!("lab.game-and-lambda", game = cell.name, lambda = cell.lambda),
                _ => {
                    let run = cell.run + 1;
                    message!("lab.game-lambda-and-run", game = cell.name, lambda = cell.lambda, run)
                }
            };
            CurvePanel {
                name: name.to_arg(),
                curves: (0..n_worths).filter(|n| wanted(cell, *n)).map(curve).collect(),
            }
        };
        let panels: Vec<CurvePanel> = groups.iter().flat_map(|group| &group.cells).map(panel).collect();
        let panels: Vec<CurvePanel> = panels.into_iter().filter(|panel| !panel.curves.is_empty()).collect();
        (!panels.is_empty()).then(|| Section {
            heading: heading.to_arg(),
            figure: Some(Picture::new(
                message!("lab.curves-caption"),
                Figure::Curves(CurvesFigure { panels, axes: axes.clone() }),
            )),
            ..Section::default()
        })
    };
    let plain = section(message!("lab.curves-of-start-heading"), &|cell, n| !is_promoted(cell, n));
    plain.into_iter().chain(section(message!("lab.curves-of-promoted-heading"), &is_promoted)).collect()
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
    let mut columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-lambda")),
        Column::words(message!("lab.column-source")),
    ];
    columns.extend(names.iter().map(|name| Column::numbers(shared_name(groups, name)).percent()));
    let mut rows = Vec::new();
    for Group { first, spread, .. } in groups {
        let head = |source: Message| {
            vec![TableCell::words(&first.name), TableCell::words(first.lambda), TableCell::words(source)]
        };
        let at = |name: &String| first.features.names().iter().position(|other| other == name);
        let ours = |name: &String| match at(name).and_then(|at| spread.get(at)) {
            Some(spread) => over_runs(&spread.steadiness.rescaled(100.0, 0.0), 1),
            None => TableCell::default(),
        };
        rows.push(head(message!("lab.column-ours")).into_iter().chain(names.iter().map(ours)).collect());
        let theirs: Vec<Option<f64>> =
            names.iter().map(|name| printed.steadiness(&first.name, first.lambda, name)).collect();
        if theirs.iter().any(Option::is_some) {
            let cells = theirs
                .into_iter()
                .map(|percent| percent.map_or_else(TableCell::default, |p| TableCell::number(p, 1)));
            rows.push(head(message!("lab.column-paper")).into_iter().chain(cells).collect());
        }
    }
    Section {
        heading: message!("lab.steadiness-heading").to_arg(),
        paragraphs: vec![message!("lab.steadiness-explained").to_arg()],
        table: Some(Table { columns, rows }),
        ..Section::default()
    }
}

fn games_section(learning: &Learning, curves: &Curves) -> Section {
    let columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-lambda")),
        Column::words(message!("lab.column-run")),
        Column::numbers(message!("lab.column-games")),
        Column::numbers(message!("lab.column-plies-per-game")),
        Column::numbers(wins_of(0)),
        Column::numbers(wins_of(1)),
        Column::numbers(message!("lab.column-draws")),
        Column::numbers(message!("lab.column-broken-off")),
    ];
    let row = |(cell, games): (&LearnCell, &Vec<crate::learn::GameLearned>)| {
        let run_summary = run_summary(games);
        let mut row = vec![
            TableCell::words(&cell.name),
            TableCell::words(cell.lambda),
            TableCell::words(cell.run + 1),
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
        heading: message!("lab.learning-games-heading").to_arg(),
        table: Some(Table { columns, rows: learning.cells.iter().zip(&curves.games).map(row).collect() }),
        ..Section::default()
    }
}

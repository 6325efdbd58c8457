//! The page of a match: who won how often, with which side, and by how much.

use ashta_messages::{Arg, Message, ToArg, message};

use crate::estimate::Estimate;
use crate::figures::{Axis, Figure, Picture, PointsFigure, PointsRow};
use crate::matches::{Match, MatchGame, MatchPlan, PairPlayed, PrintedMatch, Score, Sprt, SprtDecision};
use crate::report::{Column, ReportPage, Section, Table, TableCell};

/// The page of a match and its table.
pub fn match_page(of: &Match, pairs: &[Vec<PairPlayed>], printed: &[PrintedMatch]) -> (ReportPage, Table) {
    let scores: Vec<Score> = pairs.iter().map(|pairs| Score::of(pairs)).collect();
    let table = match_table(&of.plan.games, &scores, printed);
    let plan = &of.plan;
    let digests = plan.games.iter().map(|game| (game.game.clone(), game.digest.clone())).collect();
    let sections = vec![Section {
        heading: message!("lab.elo-heading").to_arg(),
        figure: Some(elo_figure(&plan.games, &scores)),
        table: Some(table.clone()),
        ..Section::default()
    }];
    let page = ReportPage {
        title: title(&plan.games).to_arg(),
        summary: plan
            .games
            .iter()
            .zip(&scores)
            .map(|(game, score)| sentence(game, score, plan.sprt))
            .collect(),
        command: plan.command.clone(),
        version: plan.version.clone(),
        seed: plan.seed,
        conventions: conventions(plan).iter().map(ToArg::to_arg).collect(),
        digests,
        plan: serde_json::to_string_pretty(plan).unwrap_or_default(),
        sections,
    };
    (page, table)
}

fn conventions(plan: &MatchPlan) -> Vec<Message> {
    let (depth, captures, mate) = plan.depths;
    let mut conventions = vec![
        message!("lab.convention-pairs", n = plan.n_opening_plies),
        message!("lab.convention-max-plies", n = plan.max_plies),
        message!("lab.convention-tables", depth, captures, mate),
        message!("lab.convention-pair-intervals"),
    ];
    conventions.extend(
        plan.sprt.map(|Sprt { elo0: first, elo1: second }| message!("lab.convention-sprt", first, second)),
    );
    conventions
}

fn title(games: &[MatchGame]) -> Message {
    match games {
        [MatchGame { name: game, competitors: [first, second], .. }] => {
            message!("lab.match-title", first = first.name, second = second.name, game)
        }
        many => message!("lab.match-in-games", n = many.len()),
    }
}

fn sentence(game: &MatchGame, score: &Score, sprt: Option<Sprt>) -> Arg {
    let scored = scored(game, score);
    match sprt {
        None => scored.to_arg(),
        Some(sprt) => message!("lab.two-sentences", first = scored, second = tested(score, &sprt)).to_arg(),
    }
}

fn scored(game: &MatchGame, score: &Score) -> Message {
    let [first, second] = [0, 1].map(|n| &game.competitors[n].name);
    let (game, percent, elo) = (&game.name, score.mean.rescaled(100.0, 0.0), score.elo());
    if !score.mean.has_interval() {
        let (score, n) = (format!("{:.1}", percent.value), 2 * score.mean.n);
        return message!("lab.match-too-few", game, first, second, score, n);
    }
    let verdict = match (elo.low > 0.0, elo.high < 0.0) {
        (true, _) => message!("lab.match-stronger"),
        (_, true) => message!("lab.match-weaker"),
        (false, false) => message!("lab.match-unclear"),
    };
    let [elo, low, high] = [elo.value, elo.low, elo.high].map(|elo| format!("{elo:+.0}"));
    message!(
        "lab.match-score",
        game,
        first,
        second,
        score = percent.with_decimals(1),
        elo,
        low,
        high,
        verdict
    )
}

fn tested(score: &Score, sprt: &Sprt) -> Message {
    let ratio = format!("{:.2}", score.log_likelihood_ratio(sprt));
    let accepts = |accepted: f64, rejected: f64| message!("lab.sprt-accepts", accepted, rejected, ratio);
    match sprt.decision(score) {
        SprtDecision::Upper => accepts(sprt.elo1, sprt.elo0),
        SprtDecision::Lower => accepts(sprt.elo0, sprt.elo1),
        SprtDecision::Open => message!("lab.sprt-open", ratio),
    }
}

/// `+191 [+20, +400]`; of too few games only the first.
fn elo_text(elo: &Estimate) -> String {
    if elo.low.is_finite() || elo.high.is_finite() {
        format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high)
    } else {
        format!("{:+.0}", elo.value)
    }
}

fn elo_figure(games: &[MatchGame], scores: &[Score]) -> Picture {
    let row = |(game, score): (&MatchGame, &Score)| {
        let MatchGame { name: game, competitors: [first, second], .. } = game;
        let name = message!("lab.elo-row", game, first = first.name, second = second.name).to_arg();
        PointsRow { name, points: vec![Some(score.elo())] }
    };
    let rows = games.iter().zip(scores).map(row).collect();
    let axis = Axis::plain(message!("lab.elo-axis"));
    let figure = PointsFigure { series: vec!["Elo".to_arg()], rows, axis };
    Picture::new(message!("lab.elo-caption"), Figure::Points(figure))
}

fn match_table(games: &[MatchGame], scores: &[Score], printed: &[PrintedMatch]) -> Table {
    let results = |name: Message| Column::numbers(name).unit(message!("lab.unit-wins-draws-losses"));
    let mut columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-first")),
        Column::words(message!("lab.column-second")),
        Column::numbers(message!("lab.column-games")),
        results(message!("lab.column-moving-first")),
        results(message!("lab.column-moving-second")),
        Column::numbers(message!("lab.column-score")).percent(),
        Column::numbers("Elo"),
        Column::numbers(message!("lab.column-pairs")).unit("0-½-1-1½-2"),
        Column::numbers(message!("lab.column-plies-per-game")),
    ];
    if !printed.is_empty() {
        columns.push(results(message!("lab.column-paper-moving-first")));
        columns.push(results(message!("lab.column-paper-moving-second")));
    }
    let row = |(game, score): (&MatchGame, &Score)| {
        let printed = printed.iter().find(|printed| printed.game == game.name);
        match_row(game, score, printed)
    };
    Table { columns, rows: games.iter().zip(scores).map(row).collect() }
}

fn dashed(counts: &[u32]) -> TableCell {
    TableCell::words(counts.iter().map(u32::to_string).collect::<Vec<_>>().join("-"))
}

fn match_row(game: &MatchGame, score: &Score, printed: Option<&PrintedMatch>) -> Vec<TableCell> {
    let elo = score.elo();
    let n_games = score.mean.n * 2;
    let mut row = vec![
        TableCell::words(&game.name),
        TableCell::words(&game.competitors[0].name),
        TableCell::words(&game.competitors[1].name),
        TableCell::count(n_games),
        dashed(&score.moving_first),
        dashed(&score.moving_second),
        TableCell::percent(&score.mean),
        TableCell {
            text: elo_text(&elo).to_arg(),
            number: Some(elo.value),
            interval: Some((elo.low, elo.high)),
        },
        dashed(&score.pentanomial),
        TableCell::number(score.n_plies as f64 / n_games.max(1) as f64, 1),
    ];
    if let Some(printed) = printed {
        let ordered = |[wins, losses, draws]: [u32; 3]| dashed(&[wins, draws, losses]);
        row.extend([ordered(printed.moving_first), ordered(printed.moving_second)]);
    }
    row
}

//! The page of a match: who won how often, with which side, and by how much.

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
        heading: "Elo difference of the first competitor".into(),
        figure: Some(elo_figure(&plan.games, &scores)),
        table: Some(table.clone()),
        ..Section::default()
    }];
    let page = ReportPage {
        title: title(&plan.games),
        summary: plan
            .games
            .iter()
            .zip(&scores)
            .map(|(game, score)| sentence(game, score, plan.sprt))
            .collect(),
        command: plan.command.clone(),
        version: plan.version.clone(),
        seed: plan.seed,
        conventions: conventions(plan),
        digests,
        plan: serde_json::to_string_pretty(plan).unwrap_or_default(),
        sections,
        ..ReportPage::default()
    };
    (page, table)
}

fn conventions(plan: &MatchPlan) -> Vec<String> {
    let mut conventions = vec![
        format!("pairs of games with the sides exchanged, after {} random plies", plan.n_opening_plies),
        format!("a game of {} plies without another end is a draw", plan.max_plies),
        format!(
            "a table of values alone looks {} plies in full width, at captures to depth {}, for mates by checks within {} plies first",
            plan.depths.0, plan.depths.1, plan.depths.2
        ),
        "intervals are 95% intervals made of pairs, which are independent; the games of one are not"
            .to_string(),
    ];
    conventions.extend(
        plan.sprt.map(|sprt| {
            format!("sequential test of Elo {} against {}, both errors 5%", sprt.elo0, sprt.elo1)
        }),
    );
    conventions
}

fn title(games: &[MatchGame]) -> String {
    match games {
        [game] => {
            format!("{} against {} in {}", game.competitors[0].name, game.competitors[1].name, game.name)
        }
        many => format!("A match in {} games", many.len()),
    }
}

fn sentence(game: &MatchGame, score: &Score, sprt: Option<Sprt>) -> String {
    let [a, b] = &game.competitors;
    let percent = score.mean.rescaled(100.0, 0.0);
    let elo = score.elo();
    let tested = sprt.map(|sprt| {
        let said = match sprt.decision(score) {
            SprtDecision::Upper => format!("it is stronger by {} rather than {}", sprt.elo1, sprt.elo0),
            SprtDecision::Lower => format!("it is stronger by {} rather than {}", sprt.elo0, sprt.elo1),
            SprtDecision::Open => "it is not decided".to_string(),
        };
        format!(" The sequential test says that {said} (ratio {:.2}).", score.log_likelihood_ratio(&sprt))
    });
    let tested = tested.unwrap_or_default();
    if !score.mean.has_interval() {
        let (value, n_games) = (percent.value, 2 * score.mean.n);
        let (game, a, b) = (&game.name, &a.name, &b.name);
        return format!(
            "{game}: {a} scores {value:.1}% against {b} in {n_games} games, too few to say more.{tested}"
        );
    }
    let clear = match (elo.low > 0.0, elo.high < 0.0) {
        (true, _) => "it is stronger",
        (_, true) => "it is weaker",
        (false, false) => "who is stronger is not clear",
    };
    format!(
        "{}: {} scores {percent:.1}% against {}, Elo {:+.0} [{:+.0}, {:+.0}]: {clear}.{tested}",
        game.name, a.name, b.name, elo.value, elo.low, elo.high,
    )
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
    let rows = games
        .iter()
        .zip(scores)
        .map(|(game, score)| PointsRow {
            name: format!("{}: {} v {}", game.name, game.competitors[0].name, game.competitors[1].name),
            points: vec![Some(score.elo())],
        })
        .collect();
    let axis = Axis::plain("Elo difference");
    let figure = PointsFigure { series: vec!["Elo".to_string()], rows, axis };
    Picture::new("Elo differences with 95% intervals.", Figure::Points(figure))
}

fn match_table(games: &[MatchGame], scores: &[Score], printed: &[PrintedMatch]) -> Table {
    let mut columns = ["game", "first", "second"].map(Column::words).to_vec();
    let numbers = [
        ("games", ""),
        ("moving first", "win-draw-loss"),
        ("moving second", "win-draw-loss"),
        ("score", "%"),
        ("Elo", ""),
        ("pairs", "0-½-1-1½-2"),
        ("plies a game", ""),
    ];
    columns.extend(numbers.map(|(name, unit)| Column::numbers(name, unit)));
    if !printed.is_empty() {
        columns.push(Column::numbers("paper, moving first", "win-draw-loss"));
        columns.push(Column::numbers("paper, moving second", "win-draw-loss"));
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
        TableCell { text: elo_text(&elo), number: Some(elo.value), interval: Some((elo.low, elo.high)) },
        dashed(&score.pentanomial),
        TableCell::number(score.n_plies as f64 / n_games.max(1) as f64, 1),
    ];
    if let Some(printed) = printed {
        let ordered = |[wins, losses, draws]: [u32; 3]| dashed(&[wins, draws, losses]);
        row.extend([ordered(printed.moving_first), ordered(printed.moving_second)]);
    }
    row
}

//! Reports in Japanese: no text of any page is English.

use std::collections::BTreeSet;

use ashta_lab::learn::{
    Bared, Curves, FeatureName, GameLearned, LearnError, LearnGame, LearnPlan, Learning, Mode, ReportOptions,
    learning_names, published_learning,
};
use ashta_lab::matches::{
    CompetitorError, CompetitorPlan, Match, MatchError, MatchGame, MatchPlan, PairPlayed, PrintedMatch,
    match_names, published_match,
};
use ashta_lab::pages::{LearningView, learning_page, match_page, page_of};
use ashta_lab::report::html;
use ashta_lab::{
    CellPlan, ContestRow, Evolution, GameRow, Kind, KindTally, Measure, NamedGame, Plan, Preset, ReportPage,
    Stop, UnitTally, digest_text, evolution_names, evolution_source, experiment_names, published_experiment,
    results,
};
use ashta_messages::Language;
use ashta_position::Reason;
use ashta_rules::{Rules, load};

use super::runs;

fn rules(game: &str) -> Rules {
    load(game).unwrap_or_else(|problems| panic!("{game}: {problems}"))
}

/// Games that were never played, with every end there is.
fn tally(rules: &Rules, cell: usize) -> UnitTally {
    let mut tally = UnitTally::default();
    let n_sides = rules.sides().len();
    for n in 0..44 {
        let n_plies = 20 + ((n * 37 + cell * 11) % 90) as u32;
        let winner = (n % (n_sides + 1)).checked_sub(1).map(|side| side as u8);
        let reason = Reason::ALL[n % Reason::ALL.len()];
        let n_moves = u64::from(n_plies) * (20 + cell as u64 % 7);
        tally.rows.push(GameRow { n_plies, n_moves, winner, reason, ..GameRow::NEW });
        for ply in 0..n_plies as usize {
            let sums = tally.ply_mut(ply);
            sums.n_games += 1;
            sums.moves_sum += 20;
            sums.moves_squared_sum += 400;
        }
        let takes = [[1; 4]; 4];
        let row = ContestRow {
            n_all_rolls: 900,
            n_before_doubled: 800,
            n_piece_moves: 60,
            takes,
            ..ContestRow::default()
        };
        tally.contests.extend((n_sides > 2).then_some(row));
    }
    tally.by_kind = rules.kinds().iter().map(|_| KindTally::default()).collect();
    tally
}

/// A page, and the names on it that are the same in every language.
struct Sample {
    page: ReportPage,
    names: Vec<String>,
}

fn experiment(kind: Kind, stop: Stop, cells: Vec<[String; 3]>) -> Sample {
    let cell = |[name, game, player]: [String; 3]| CellPlan { name, ..runs::cell(&game, &player) };
    let plan = Plan { kind, ..runs::plan(cells.into_iter().map(cell).collect(), stop) };
    let experiment = runs::experiment(plan);
    let tallies = experiment.cells.iter().enumerate().map(|(n, cell)| tally(cell.rules.rules(), n)).collect();
    let (page, _) = page_of(&experiment, &results(&experiment, tallies));
    let mut names: Vec<String> = Preset::ALL.iter().map(|preset| preset.name().to_string()).collect();
    for cell in &experiment.plan.cells {
        names.extend([cell.name.clone(), cell.game.clone()]);
        names.extend(cell.players.iter().cloned());
        names.extend(piece_names(&cell.game));
    }
    Sample { page, names }
}

/// They stay as they are where games of one page have different ones.
fn piece_names(game: &str) -> Vec<String> {
    rules(game).kinds().iter().map(|kind| kind.name.clone()).collect()
}

fn analyses() -> Vec<Sample> {
    let cell = |game: &str, player: &str| [game, game, player].map(String::from);
    let until = Stop::Until { measure: Measure::Length, percent: 8.0, most_games: 2000 };
    let two = vec![cell("minishogi", "P0"), cell("shatranj", "P1"), cell("shatranj", "P1/P0")];
    let seats = ["P0", "P1(first)", "P0/P1(first)", "P1(first)/P0"].map(|player| cell("four-handed", player));
    vec![
        experiment(Kind::Analysis, Stop::Games(44), vec![cell("chess", "P0")]),
        experiment(Kind::Analysis, until, two),
        experiment(Kind::Analysis, Stop::Games(44), seats.to_vec()),
    ]
}

fn reproductions() -> Vec<Sample> {
    let sample = |name: &str| {
        let published = published_experiment(name).expect(name);
        let cells = published.all_cells().into_iter();
        // Two readings of a player make a page say which is closer.
        let readings = |player: &str| {
            if player.starts_with("P'") {
                vec![player.to_string(), format!("{player}(next)")]
            } else {
                vec![player.to_string()]
            }
        };
        let cells = cells.flat_map(|cell| {
            readings(&cell.player)
                .into_iter()
                .map(move |player| [cell.name.clone(), cell.game.clone(), player])
        });
        experiment(Kind::Reproduction(name.into()), Stop::Games(44), cells.collect())
    };
    experiment_names().into_iter().map(sample).collect()
}

fn evolutions() -> Vec<Sample> {
    let sample = |name: &str| {
        let source = evolution_source(name).expect(name);
        let evolution = Evolution::read(source).expect(name);
        let cells = (0..evolution.n_cells()).map(|subset| {
            let (game, name) = evolution.cell(subset);
            [name, game, evolution.player.clone()]
        });
        experiment(Kind::Evolution(source.into()), Stop::Games(44), cells.collect())
    };
    evolution_names().into_iter().map(sample).collect()
}

fn learning(
    games: &[NamedGame],
    n_runs: u32,
    features: Vec<FeatureName>,
    report_options: ReportOptions,
) -> Sample {
    let game = |named: &NamedGame| LearnGame {
        name: named.name.clone(),
        game: named.game.clone(),
        digest: digest_text(&rules(&named.game)),
    };
    let plan = LearnPlan {
        command: String::new(),
        version: String::new(),
        seed: 5,
        n_games: 12,
        games: games.iter().map(game).collect(),
        lambdas: vec![0.8, 0.5],
        n_runs,
        rate: "0.05:0.01@30".parse().expect("a rate"),
        depth: 1,
        quiescence: 2,
        mate: 1,
        max_plies: 60,
        n_opening_plies: n_runs - 1,
        bared: Bared::PlaysOn,
        features,
        mode: if n_runs > 1 { Mode::Batches(8) } else { Mode::EveryMove },
        report_options,
    };
    let learning = Learning::new(plan, |game| Ok::<_, LearnError>(rules(game))).expect("the plan is sound");
    let games = learning.cells.iter().enumerate().map(|(at, cell)| {
        let worths =
            |game: usize| (0..cell.features.n_worths()).map(|n| 1.0 + (n + at + game) as f64 / 9.0).collect();
        let games = (0..12).map(|game| GameLearned { n_plies: 40, result: 1.0, worths: worths(game) });
        games.collect()
    });
    let weights = learning.cells.iter().map(|cell| cell.features.start()).collect();
    let (page, _) = learning_page(
        &learning,
        &Curves { games: games.collect(), weights },
        &LearningView::of(&learning.plan),
    );
    let named = learning
        .plan
        .games
        .iter()
        .flat_map(|game| [vec![game.name.clone(), game.game.clone()], piece_names(&game.game)].concat());
    // A feature is called by its name, as the options are.
    let names = named.chain(FeatureName::ALL.map(|(_, name)| name.to_string())).collect();
    Sample { page, names }
}

fn learnings() -> Vec<Sample> {
    let minishogi = [NamedGame { name: "minishogi".into(), game: "minishogi".into() }];
    let features = FeatureName::ALL.map(|(feature, _)| feature).to_vec();
    let published = |name: &str| {
        let report_options = ReportOptions { published: Some(name.into()), ..ReportOptions::default() };
        learning(&published_learning(name).expect(name).games, 1, Vec::new(), report_options)
    };
    let own = learning(&minishogi, 2, features, ReportOptions::default());
    learning_names().into_iter().map(published).chain([own]).collect()
}

fn a_match(
    games: Vec<(NamedGame, [CompetitorPlan; 2])>,
    points: [u8; 2],
    printed: &[PrintedMatch],
) -> Sample {
    let named = games.iter().flat_map(|(game, competitors)| {
        [game.name.clone(), game.game.clone(), competitors[0].name.clone(), competitors[1].name.clone()]
    });
    let names = named.collect();
    let game = |(game, competitors): (NamedGame, [CompetitorPlan; 2])| MatchGame {
        digest: digest_text(&rules(&game.game)),
        name: game.name,
        game: game.game,
        competitors,
    };
    let plan = MatchPlan {
        command: String::new(),
        version: String::new(),
        seed: 3,
        games: games.into_iter().map(game).collect(),
        n_pairs: 30,
        n_opening_plies: 2,
        max_plies: 80,
        depths: (1, 2, 1),
        sprt: printed.is_empty().then(|| "0:50".parse().expect("a test")),
    };
    let of = Match::new(plan, |game| Ok::<_, MatchError>(rules(game))).expect("the plan is sound");
    let drawn = PairPlayed { points: [1, 1], n_plies: [40, 50] };
    let pairs =
        vec![[vec![PairPlayed { points, ..drawn }; 25], vec![drawn; 5]].concat(); of.plan.games.len()];
    Sample { page: match_page(&of, &pairs, printed).0, names }
}

fn matches() -> Vec<Sample> {
    let competitor =
        |text: &str| CompetitorPlan::read(text, |_| None::<Result<String, CompetitorError>>).expect(text);
    let minishogi = NamedGame { name: "minishogi".into(), game: "minishogi".into() };
    let one = |points| {
        a_match(vec![(minishogi.clone(), [competitor("given"), competitor("mobility")])], points, &[])
    };
    let published = |name: &str| {
        let published = published_match(name).expect(name);
        a_match(published.games(), [2, 1], &published.printed)
    };
    let all = match_names().into_iter().map(published);
    all.chain([[2, 2], [0, 0], [1, 1]].map(one)).collect()
}

/// Words of three letters or more that are English, and no names; what stands between backquotes is a command.
fn english_words(text: &str, names: &BTreeSet<String>) -> Vec<String> {
    let told: String = text.split('`').step_by(2).collect();
    let is_english = |word: &&str| {
        word.chars().filter(char::is_ascii_alphabetic).count() > 2
            && word.contains(|c: char| c.is_ascii_lowercase())
            && !names.contains(*word)
    };
    words(&told).filter(is_english).map(str::to_string).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && !"+-'".contains(c)).filter(|word| !word.is_empty())
}

/// What a reader sees of a page, in lines: texts between tags.
fn visible(html: &str) -> impl Iterator<Item = &str> {
    let body = html.split_once("</head>").map_or(html, |(_, body)| body);
    let body = body.split_once("<section class=\"origin\">").map_or(body, |(shown, _)| shown);
    body.split('>').filter_map(|part| part.split('<').next())
}

#[test]
fn every_text_of_every_page_is_in_japanese() {
    let mut left = BTreeSet::new();
    for Sample { page, names } in
        [analyses(), reproductions(), evolutions(), learnings(), matches()].into_iter().flatten()
    {
        let always = ["Elo", "log10", "expect", "YSS", "SPRT"].map(String::from);
        let names = names.iter().flat_map(|name| words(name).map(str::to_string)).chain(always).collect();
        let japanese = html(&page, Language::Japanese);
        assert!(japanese.contains("<html lang=\"ja\">"));
        let japanese = japanese.replace("&apos;", "'").replace("&amp;", "&").replace("&quot;", "\"");
        let conventions: Vec<String> =
            page.conventions.iter().map(|arg| arg.text(Language::Japanese)).collect();
        for text in visible(&japanese).chain(conventions.iter().map(String::as_str)) {
            let words = english_words(text, &names);
            if !words.is_empty() {
                left.insert(format!("{text:?}, of which {words:?} are English"));
            }
        }
    }
    let left: Vec<String> = left.into_iter().collect();
    assert!(left.is_empty(), "these are not messages:\n{}", left.join("\n"));
}

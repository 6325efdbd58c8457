//! A whole report, from games that were never played: every writer gives the same bytes twice.

use ashta_lab::figures::{
    Axis, EffectRow, EffectsFigure, EndingsFigure, EndingsRow, Figure, LatticeFigure, LengthSample,
    LengthsFigure, MovesFigure, Picture, PlyCurve, PointsFigure, PointsRow,
};
use ashta_lab::report::{Column, TableCell, csv, html, markdown, terminal};
use ashta_lab::{
    Average, Conventions, Drawn, Effect, Estimate, GameRow, KindTally, Lattice, Measures, ReportPage,
    Section, Table, UnitTally,
};
use ashta_messages::{Language, ToArg};
use ashta_position::Reason;

const GAMES: [&str; 6] = [
    "chess",
    "chaturanga",
    "shatranj",
    "shatranj+double-step",
    "shatranj+queen-and-bishop",
    "shatranj+double-step+queen-and-bishop",
];
const PLAYERS: [&str; 4] = ["P0", "P1", "P2", "P3"];
const CONVENTIONS: Conventions = Conventions { branching: Average::Games, drawn: Drawn::Counted };

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Games whose length falls with the player and whose moves rise with the game.
fn tally(game: u64, player: u64) -> UnitTally {
    let mut random = Random(game * 31 + player);
    let mut tally = UnitTally::default();
    for _ in 0..200 {
        let n_plies =
            20 + (random.below(300) + random.below(300) + random.below(250)) / (1 + player) + 8 * (6 - game);
        let mut row = GameRow {
            n_plies: n_plies as u32,
            n_moves: 0,
            winner: [Some(0), Some(1), None, None][random.below(2 + 6 / (player + 2)).min(3) as usize],
            reason: Reason::Checkmate,
            n_captures: 0,
            n_checks: (n_plies / 12) as u32,
            n_lead_changes: random.below(6) as u32,
            openings: [1 + random.below(40), 1 + random.below(4000)],
        };
        if row.winner.is_none() {
            row.reason = [Reason::Stalemate, Reason::BothBare, Reason::Repetition, Reason::PlyCap]
                [random.below(4) as usize];
        }
        for ply in 0..n_plies {
            let bend = 14 * ply.min(60) / 60 - 12 * ply.min(400) / 400;
            let n_moves = 16 + 2 * game + bend + random.below(11);
            row.n_moves += n_moves;
            let sums = tally.ply_mut(ply as usize);
            sums.n_games += 1;
            sums.moves_sum += n_moves;
            sums.moves_squared_sum += n_moves * n_moves;
        }
        tally.rows.push(row);
    }
    tally.by_kind.push(KindTally {
        n_at_start: 3200,
        n_at_end: 900,
        n_mobile_moves: 4000,
        n_mobile_pieces: 3000,
        ..KindTally::default()
    });
    tally
}

fn points_of(measures: &[Vec<Measures>], of: impl Fn(&Measures) -> Estimate) -> Vec<PointsRow> {
    let row = |(name, by_player): (&&str, &Vec<Measures>)| PointsRow {
        name: name.to_arg(),
        points: by_player.iter().map(|measures| Some(of(measures))).collect(),
    };
    GAMES.iter().zip(measures).map(row).collect()
}

fn main_table(measures: &[Vec<Measures>]) -> Table {
    let columns = vec![
        Column::words("game"),
        Column::words("player"),
        Column::numbers("games"),
        Column::numbers("B").unit("legal moves"),
        Column::numbers("D").unit("plies"),
        Column::numbers("E").unit("sqrt(B)/D"),
        Column::numbers("draws").unit("% [95%]"),
        Column::numbers("first wins").unit("% [95%]"),
        Column::numbers("openings").unit("after 4 plies"),
    ];
    let row = |game: usize, player: usize| {
        let m = &measures[game][player];
        vec![
            TableCell::words(GAMES[game]),
            TableCell::words(PLAYERS[player]),
            TableCell::count(m.n_games),
            TableCell::estimate(&m.branching),
            TableCell::estimate(&m.length),
            TableCell::estimate(&m.complexity),
            TableCell::percent(&m.draws),
            TableCell::percent(&m.wins[0]),
            TableCell::estimate(&m.openings[0]),
        ]
    };
    let rows = (0..6).flat_map(|game| (0..4).map(move |player| (game, player)));
    Table { columns, rows: rows.map(|(game, player)| row(game, player)).collect() }
}

fn lattice() -> Lattice {
    let names =
        ["double step", "queen and bishop", "castling", "stalemate is a draw", "promotion to any piece"];
    let cell = |cell: u64| {
        Measures::of(&tally(1 + u64::from(cell.count_ones()), cell % 3).rows, 2, CONVENTIONS).complexity
    };
    Lattice::new(names.map(|name| name.to_arg()).to_vec(), (0..32).map(cell).collect())
        .expect("a cell for each subset")
}

fn figure(heading: &str, caption: &str, figure: Figure) -> Section {
    let paragraphs =
        vec!["What is to be seen in the figure is said in a sentence or two, such as this.".to_arg()];
    Section {
        heading: heading.to_arg(),
        paragraphs,
        figure: Some(Picture::new(caption, figure)),
        table: None,
    }
}

fn figures_of_games(tallies: &[Vec<UnitTally>], measures: &[Vec<Measures>]) -> Vec<Section> {
    let by_game = || GAMES.iter().zip(tallies).map(|(name, by_player)| (name.to_arg(), &by_player[1]));
    let curves = by_game().map(|(name, tally)| PlyCurve::new(name, &tally.by_ply)).collect();
    let n_plies = |tally: &UnitTally| tally.rows.iter().map(|row| row.n_plies).collect();
    let lengths = by_game().map(|(name, tally)| LengthSample { name, n_plies: n_plies(tally) }).collect();
    let count = |tally: &UnitTally, reason| tally.rows.iter().filter(|row| row.reason == reason).count();
    let counts = |tally: &UnitTally| Reason::ALL.map(|reason| (reason, count(tally, reason))).to_vec();
    let endings = by_game().map(|(name, tally)| EndingsRow { name, counts: counts(tally) }).collect();
    let points = |axis, of: fn(&Measures) -> Estimate| {
        let series = PLAYERS.map(|player| player.to_arg()).to_vec();
        Figure::Points(PointsFigure { series, rows: points_of(measures, of), axis })
    };
    let axis = Axis::plain("strategic complexity E = sqrt(B)/D, 1/ply");
    let share = Axis::percent("share of games drawn");
    vec![
        figure(
            "Strategic complexity",
            "E by game and player, with 95% intervals",
            points(axis, |measures| measures.complexity),
        ),
        figure("Draws", "Share of games drawn, with 95% intervals", points(share, |measures| measures.draws)),
        figure("Why games ended", "Reasons, for P1", Figure::Endings(EndingsFigure::new(endings))),
        figure(
            "The game's course",
            "Legal moves by ply, mean and one standard deviation",
            Figure::Moves(MovesFigure::new(curves)),
        ),
        figure("How long games are", "Distribution of lengths", Figure::Lengths(LengthsFigure::new(lengths))),
    ]
}

fn figures_of_changes() -> Vec<Section> {
    let lattice = lattice();
    let (axis, path) = (Axis::plain("E = sqrt(B)/D, 1/ply"), lattice.steadiest_path().order());
    let graph = LatticeFigure::new(lattice.clone(), axis, path, "climbs most steadily");
    let row = |effect: Effect| EffectRow { name: effect.name, difference: effect.difference };
    let effects = lattice.main_effects().into_iter().map(row).collect();
    let axis = Axis::plain("change of E, 1/ply");
    vec![
        figure("The way from the old game to the new", "E of all 32 games", Figure::Lattice(graph)),
        figure(
            "What each change does",
            "Main effects on E",
            Figure::Effects(EffectsFigure::new(effects, axis)),
        ),
    ]
}

fn page() -> ReportPage {
    let by_player = |game| (0..4).map(|player| tally(game, player)).collect();
    let tallies: Vec<Vec<UnitTally>> = (0..6).map(by_player).collect();
    let measured = |tally: &UnitTally| Measures::of(&tally.rows, 2, CONVENTIONS);
    let measures: Vec<Vec<Measures>> = tallies.iter().map(|row| row.iter().map(measured).collect()).collect();
    let table =
        Section { heading: "All figures".to_arg(), table: Some(main_table(&measures)), ..Section::default() };
    ReportPage {
        title: "Semi-random players from shatranj to chess".to_arg(),
        summary: vec![
            "E rises with the strength of the player in all six games (p < 0.001).".to_arg(),
            "The queen and the bishop raise E more than the pawn's double step: 0.0031 [0.0027, 0.0035]."
                .to_arg(),
        ],
        command: "ashta analyze chess chaturanga shatranj --player P0,P1,P2,P3 --games 200 --seed 1".into(),
        version: "ashta 0.1.0".into(),
        seed: 1,
        conventions: CONVENTIONS.words().map(|words| words.to_arg()).to_vec(),
        digests: GAMES.iter().map(|name| (name.to_string(), "9f86d081884c7d65".into())).collect(),
        plan: r#"{"games":["chess"],"note":"</script>"}"#.into(),
        sections: [figures_of_games(&tallies, &measures), figures_of_changes(), vec![table]].concat(),
    }
}

#[test]
fn every_writer_gives_the_same_bytes_twice() {
    let (first, second) = (page(), page());
    assert_eq!(html(&first, Language::English), html(&second, Language::English));
    assert_eq!(markdown(&first, Language::Japanese), markdown(&second, Language::Japanese));
    let table = |page: &ReportPage| {
        page.sections.last().and_then(|section| section.table.clone()).expect("a table at the end")
    };
    assert_eq!(csv(&table(&first)), csv(&table(&second)));
    assert_eq!(terminal(&table(&first), 120), terminal(&table(&second), 120));
    // To be looked at: page.html and page.txt in the folder that cargo keeps for tests.
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("page.html"), html(&first, Language::English)).expect("a folder to write to");
    std::fs::write(folder.join("page.txt"), terminal(&table(&first), 120) + &terminal(&table(&first), 70))
        .expect("a folder to write to");
}

#[test]
fn a_page_needs_no_network_and_holds_its_plan() {
    let text = html(&page(), Language::English);
    let links: Vec<&str> =
        text.split("http").skip(1).filter(|link| !link.starts_with("://www.w3.org/2000/svg")).collect();
    assert!(links.is_empty(), "{links:?}");
    assert!(text.contains(
        r#"<script type="application/json" id="plan">{"games":["chess"],"note":"\u003c/script>"}</script>"#
    ));
    assert!(markdown(&page(), Language::English).contains("- seed: `1`"));
}

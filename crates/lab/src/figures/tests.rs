//! Figures of realistic and of strange data: well-formed, escaped, the same bytes twice.

use ashta_messages::{Arg, ToArg};
use ashta_position::Reason;

use super::*;
use crate::compare::Difference;
use crate::effects::Lattice;
use crate::estimate::Estimate;

fn estimate(value: f64, reach: f64) -> Estimate {
    Estimate { value, low: value - reach, high: value + reach, standard_error: reach / 2.0, n: 100 }
}

fn names(n: usize) -> Vec<Arg> {
    let long = |at: usize| format!("old-game{}", "+double-step+queen-and-bishop".repeat(at % 3));
    (0..n).map(|at| if at < 6 { long(at).to_arg() } else { format!("a<b & \"{at}\"").to_arg() }).collect()
}

/// Every figure, for this many games and series.
fn all_figures(n_games: usize, n_series: usize, width: Width) -> Vec<(&'static str, String)> {
    let value = |game: usize, series: usize| 0.011 + 0.004 * game as f64 + 0.007 * series as f64;
    let point = |game, series| Some(estimate(value(game, series), 0.001 + 0.0006 * series as f64));
    let points = |(game, name): (usize, Arg)| PointsRow {
        name,
        points: (0..n_series).map(|series| point(game, series)).collect(),
    };
    let rows: Vec<PointsRow> = names(n_games).into_iter().enumerate().map(points).collect();
    let series: Vec<Arg> = (0..n_series).map(|at| format!("P{at}").to_arg()).collect();
    let endings = |(n, name): (usize, Arg)| EndingsRow {
        name,
        counts: Reason::ALL
            .iter()
            .enumerate()
            .map(|(at, reason)| (*reason, (at * 7 + n * 13) % 40))
            .collect(),
    };
    let moves = |game: usize, ply: f64| 20.0 + 3.0 * game as f64 + 12.0 * (-ply / 200.0).exp() * (ply / 60.0);
    let curve = |(game, name)| PlyCurve {
        name,
        points: (0..200 + 90 * game).map(|ply| (moves(game, ply as f64), 5.0 + game as f64 / 2.0)).collect(),
    };
    let lengths = |(game, name)| LengthSample {
        name,
        n_plies: (0..500).map(|n: u32| 30 + (n * n) % (400 + 37 * game as u32)).collect(),
    };
    let games = || names(n_games).into_iter().enumerate();
    let (lattice, axis) =
        (lattice(if n_games == 12 { 8 } else { n_games.min(5) }), Axis::plain("E = sqrt(B)/D, per ply"));
    let path = lattice.steadiest_path().order();
    let graph = LatticeFigure::new(lattice.clone(), axis.clone(), path, "climbs most steadily");
    let effects: Vec<EffectRow> = lattice
        .main_effects()
        .into_iter()
        .chain(lattice.interactions())
        .map(|effect| EffectRow { name: effect.name, difference: effect.difference })
        .collect();
    vec![
        ("points", PointsFigure { series, rows, axis }.draw(width, Language::English)),
        ("endings", EndingsFigure::new(games().map(endings).collect()).draw(width, Language::English)),
        ("moves", MovesFigure::new(games().map(curve).collect()).draw(width, Language::English)),
        ("lengths", LengthsFigure::new(games().map(lengths).collect()).draw(width, Language::English)),
        ("lattice", graph.draw(width, Language::English)),
        ("effects", EffectsFigure::new(effects, Axis::plain("change of E")).draw(width, Language::English)),
    ]
}

fn lattice(k: usize) -> Lattice {
    let known = [
        "pawn's double step",
        "queen and bishop",
        "castling",
        "stalemate is a draw",
        "promotion to any piece",
    ];
    let name = |n: usize| known.get(n).map_or(format!("change {n}").to_arg(), ToArg::to_arg);
    let parts = [0.004, 0.011, 0.0008, -0.0021, 0.0013, 0.002, -0.001, 0.003];
    let value = |cell: usize| {
        let sum: f64 = (0..k).filter(|c| cell >> c & 1 == 1).map(|c| parts[c]).sum();
        0.0132 + sum + if cell & 3 == 3 { 0.003 } else { 0.0 } + ((cell * 7919) % 13) as f64 * 0.0001
    };
    let cells = (0..1 << k).map(|cell| estimate(value(cell), 0.0007)).collect();
    Lattice::new((0..k).map(name).collect(), cells).expect("a cell for each subset")
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    for (n_games, n_series) in [(1, 1), (2, 2), (6, 4), (12, 9)] {
        for width in [Width::Wide, Width::Narrow] {
            let (first, second) =
                (all_figures(n_games, n_series, width), all_figures(n_games, n_series, width));
            assert_eq!(first, second);
        }
    }
}

#[test]
fn names_are_escaped_and_sheets_have_their_size() {
    for (name, svg) in all_figures(12, 3, Width::Narrow) {
        assert!(svg.starts_with(r#"<svg width="370""#), "{name}");
        assert!(svg.trim_end().ends_with("</svg>"), "{name}");
        assert!(!svg.contains("a<b") && !svg.contains("& \""), "{name} does not escape");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name} holds what is no number");
    }
}

#[test]
fn nothing_is_drawn_without_a_panic() {
    let axis = || Axis::percent("share");
    let effect = |value, error| EffectRow { name: "x".to_arg(), difference: Difference::new(value, error) };
    let length = |n_plies| vec![LengthSample { name: "x".to_arg(), n_plies }];
    let row = PointsRow { name: Arg::default(), points: vec![Some(Estimate::UNKNOWN), None] };
    let series = vec!["P0".to_arg(), "P1".to_arg()];
    let unknown =
        Lattice::new(vec!["x".to_arg()], vec![Estimate::UNKNOWN; 2]).expect("a cell for each subset");
    for width in [Width::Wide, Width::Narrow] {
        PointsFigure { series: vec![], rows: vec![], axis: axis() }.draw(width, Language::English);
        PointsFigure { series: series.clone(), rows: vec![row.clone()], axis: axis() }
            .draw(width, Language::English);
        EndingsFigure::new(vec![EndingsRow { name: "x".to_arg(), counts: vec![] }])
            .draw(width, Language::English);
        EndingsFigure::new(vec![]).draw(width, Language::English);
        MovesFigure::new(vec![PlyCurve::new("x", &[])]).draw(width, Language::English);
        MovesFigure::new(vec![]).draw(width, Language::English);
        LengthsFigure::new(length(vec![])).draw(width, Language::English);
        LengthsFigure::new(length(vec![0, u32::MAX])).draw(width, Language::English);
        EffectsFigure::new(vec![effect(f64::NAN, 1.0)], axis()).draw(width, Language::English);
        EffectsFigure::new(vec![effect(0.0, 0.0)], axis()).draw(width, Language::English);
        LatticeFigure::new(unknown.clone(), axis(), vec![0], "").draw(width, Language::English);
    }
}

#[test]
fn japanese_is_broken_between_letters_and_not_before_signs_that_close() {
    let text = "strategic complexity E = √B / D（戦略的複雑さ）、手";
    let lines = canvas::wrapped(text, 120.0, 14.0);
    assert_eq!(lines.concat(), text);
    assert!(lines.len() > 2 && lines.iter().all(|line| canvas::text_width(line.trim_end(), 14.0) <= 134.0));
    assert!(lines.iter().all(|line| !line.starts_with(['）', '、'])), "{lines:?}");
}

#[test]
fn every_colour_has_one_twin_for_dark_paper() {
    let themed_colours = dark::themed_colours();
    let lights: Vec<&str> = themed_colours.iter().map(|(light, _)| light.as_str()).collect();
    assert!(lights.windows(2).all(|pair| pair[0] != pair[1]), "a colour has two twins: {themed_colours:?}");
    for (name, svg) in all_figures(12, 9, Width::Wide) {
        for written in svg.split("=\"#").skip(1) {
            assert!(lights.contains(&&written[..6]), "{name} has #{}", &written[..6]);
        }
    }
}

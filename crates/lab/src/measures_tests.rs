//! Measures against small examples worked by hand, and intervals against samples whose truth is known.

use super::*;

const OVER_GAMES: Conventions = Conventions { branching: Average::Games, drawn: Drawn::Counted };
const OVER_PLIES: Conventions = Conventions { branching: Average::Plies, drawn: Drawn::Counted };

fn row(n_plies: u32, n_moves: u64, winner: Option<u8>) -> GameRow {
    let reason = if winner.is_some() { Reason::Checkmate } else { Reason::Repetition };
    let openings = [u64::from(n_plies), 0];
    GameRow {
        n_plies,
        n_moves,
        winner,
        reason,
        n_captures: n_plies / 2,
        n_checks: 1,
        n_lead_changes: 2,
        openings,
    }
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{a} is not {b}");
}

#[test]
fn values_by_hand() {
    let rows = [row(10, 200, Some(0)), row(30, 900, None), row(20, 500, Some(1)), row(20, 400, Some(0))];
    let measures = Measures::of(&rows, 2, OVER_GAMES);
    near(measures.branching.value, (20.0 + 30.0 + 25.0 + 20.0) / 4.0);
    near(measures.length.value, 20.0);
    near(measures.complexity.value, 23.75f64.sqrt() / 20.0);
    near(measures.ratio.value, 23.75 / 20.0);
    near(measures.product.value, 475.0);
    near(measures.tree_size.value, 20.0 * 23.75f64.log10());
    near(measures.captures.value, 0.5);
    near(measures.captures.standard_error, 0.0);
    near(measures.checks.value, 4.0 / 80.0);
    near(measures.lead_changes.value, 2.0);
    near(measures.draws.value, 0.25);
    near(measures.decisiveness.value, 0.75);
    assert_eq!(measures.wins.iter().map(|share| share.value).collect::<Vec<_>>(), [0.5, 0.25]);
    near(measures.first_side_advantage.value, (0.5 + 0.0 - 0.5 + 0.5) / 4.0);
    assert_eq!(measures.length_quantiles.map(|q| q.value), [10.0, 10.0, 20.0, 20.0, 30.0]);
    assert_eq!(measures.reasons[0].1.value, 0.75);
    assert_eq!(measures.openings[0].value, 6.0);
    assert!(measures.openings[1].value.is_nan());
    near(Measures::of(&rows, 2, OVER_PLIES).branching.value, 25.0);
}

#[test]
fn intervals_by_hand() {
    // d = 10, 30 and m = 200, 900: b = 20, 30; B = 25, D = 20; influences ±5 and ±10.
    let rows = [row(10, 200, Some(0)), row(30, 900, Some(1))];
    let measures = Measures::of(&rows, 2, OVER_GAMES);
    near(measures.branching.standard_error, 5.0);
    near(measures.length.standard_error, 10.0);
    // E = 0.25: 0.25 (5/50 - 10/20) = -0.1.
    near(measures.complexity.standard_error, 0.1);
    near(measures.product.standard_error, 20.0 * 5.0 + 25.0 * 10.0);
    near(measures.ratio.standard_error, 25.0 * 10.0 / 400.0 - 5.0 / 20.0);
    // Over plies B = 27.5, influences (200 - 275) / 20 = -3.75 and (900 - 825) / 20.
    near(Measures::of(&rows, 2, OVER_PLIES).branching.standard_error, 3.75);
}

#[test]
fn draws_left_out_count_in_results_only() {
    let rows = [row(10, 200, Some(0)), row(1000, 9000, None), row(30, 900, Some(1))];
    let measures = Measures::of(&rows, 2, Conventions { branching: Average::Games, drawn: Drawn::LeftOut });
    assert_eq!((measures.n_games, measures.n_counted), (3, 2));
    near(measures.length.value, 20.0);
    near(measures.draws.value, 1.0 / 3.0);
    assert_eq!(measures.draws.n, 3);
    assert_eq!(measures.length_quantiles[4].value, 30.0);
}

#[test]
fn four_sides_share_a_draw() {
    let rows = [row(8, 80, Some(0)), row(8, 80, None), row(8, 80, Some(3)), row(8, 80, Some(2))];
    let measures = Measures::of(&rows, 4, OVER_GAMES);
    near(measures.first_side_advantage.value, (1.0 + 0.25) / 4.0 - 0.25);
    assert_eq!(measures.wins.iter().map(|share| share.value).collect::<Vec<_>>(), [0.25, 0.0, 0.25, 0.25]);
}

#[test]
fn nothing_and_nearly_nothing_do_not_panic() {
    for rows in [vec![], vec![row(0, 0, None)], vec![row(0, 0, None); 3], vec![row(5, 0, Some(1))]] {
        for conventions in [OVER_GAMES, OVER_PLIES] {
            let measures = Measures::of(&rows, 2, conventions);
            Measure::ALL.iter().for_each(|measure| assert!(!measures.get(*measure).to_string().is_empty()));
        }
    }
}

#[test]
fn every_measure_has_its_own_names() {
    let symbols = Measure::ALL.map(Measure::symbol);
    assert_eq!(symbols.iter().collect::<std::collections::BTreeSet<_>>().len(), 12);
    let codes = Measure::ALL.map(|measure| measure.words().code());
    assert_eq!(codes.iter().collect::<std::collections::BTreeSet<_>>().len(), 12);
}

/// Knuth's linear congruential generator: the same games on every machine.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A game of 20 to 219 plies, whose mean number of moves falls with its length.
    fn game(&mut self) -> GameRow {
        let n_plies = 20 + (self.unit() * 200.0) as u32;
        let mean = 40.0 - f64::from(n_plies) / 10.0 + 6.0 * self.unit();
        let winner = [Some(0), Some(1), None][(self.unit() * 3.0) as usize];
        row(n_plies, (mean * f64::from(n_plies)) as u64, winner)
    }
}

/// How many of 1000 samples of 100 games have the truth within their interval.
fn n_covered(conventions: Conventions, measure: Measure) -> usize {
    let mut random = Random(11);
    let many: Vec<GameRow> = (0..400_000).map(|_| random.game()).collect();
    let truth = Measures::of(&many, 2, conventions).get(measure).value;
    let covers = |estimate: &Estimate| estimate.low <= truth && truth <= estimate.high;
    let mut sample = || (0..100).map(|_| random.game()).collect::<Vec<_>>();
    (0..1000).filter(|_| covers(Measures::of(&sample(), 2, conventions).get(measure))).count()
}

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    let left_out = Conventions { branching: Average::Plies, drawn: Drawn::LeftOut };
    let mut wrong = Vec::new();
    for conventions in [OVER_GAMES, OVER_PLIES, left_out] {
        for measure in Measure::ALL {
            let constant = matches!(measure, Measure::LeadChanges);
            let n = n_covered(conventions, measure);
            if !constant && !(920..=980).contains(&n) {
                wrong.push(format!("{measure:?} under {conventions:?}: {n} of 1000"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

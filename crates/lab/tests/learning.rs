//! Learning and matches come to the same whatever the threads, and wherever they were stopped.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_lab::learn::{
    Bared, Curves, FeatureName, LearnEnd, LearnError, LearnGame, LearnPlan, Learning, Mode, ReportOptions,
    learn,
};
use ashta_lab::matches::{
    CompetitorError, CompetitorPlan, Match, MatchEnd, MatchError, MatchGame, MatchPlan, PairPlayed, Score,
    run_match,
};
use ashta_lab::{JournalOf, JournalRecord, UnitId, digest_text};
use ashta_rules::load;
use tempfile::TempDir;

const GAME: &str = "minishogi";

fn plan(n_games: u32, mode: Mode) -> LearnPlan {
    let digest = digest_text(&load(GAME).expect("the library is sound"));
    LearnPlan {
        command: String::new(),
        version: String::new(),
        seed: 5,
        n_games,
        games: vec![LearnGame { name: GAME.into(), game: GAME.into(), digest }],
        lambdas: vec![0.8, 0.5],
        n_runs: 2,
        rate: "0.05:0.01@30".parse().expect("a rate"),
        depth: 1,
        quiescence: 2,
        mate: 1,
        max_plies: 60,
        n_opening_plies: 0,
        bared: Bared::PlaysOn,
        features: vec![FeatureName::Hand, FeatureName::Squares, FeatureName::Mobility],
        mode,
        report_options: ReportOptions::default(),
    }
}

fn learning(n_games: u32, mode: Mode) -> Learning {
    Learning::new(plan(n_games, mode), |game| Ok::<_, LearnError>(load(game).expect("the library is sound")))
        .expect("the plan is sound")
}

fn opened<U: JournalRecord>(folder: &Path, digest: u64) -> (JournalOf<U>, BTreeMap<UnitId, U>) {
    let (journal, contents) =
        JournalOf::open_or_create(folder.join("journal"), digest, "").expect("a journal");
    (journal, contents.units)
}

fn learned(learning: &Learning, folder: &Path, n_threads: usize) -> Curves {
    let (mut journal, done) = opened(folder, learning.plan.digest());
    let never = AtomicBool::new(false);
    match learn(learning, &mut journal, done, n_threads, &never, |_| {}).expect("it can be written") {
        LearnEnd::Complete(curves) => curves,
        LearnEnd::Cancelled(n) => panic!("stopped after {n} games"),
    }
}

fn assert_same(a: &Curves, b: &Curves) {
    assert_eq!(a.weights, b.weights);
    assert_eq!(a.games, b.games);
}

#[test]
fn the_same_weights_on_any_number_of_threads() {
    for mode in [Mode::EveryMove, Mode::Batches(8)] {
        let learning = learning(24, mode);
        let curves = [1, 2, 5].map(|n_threads| {
            let folder = TempDir::new().expect("a folder");
            learned(&learning, folder.path(), n_threads)
        });
        assert_same(&curves[0], &curves[1]);
        assert_same(&curves[0], &curves[2]);
        let cells = &curves[0].weights;
        assert_eq!(cells.len(), 4);
        assert!(cells.windows(2).all(|pair| pair[0] != pair[1]), "runs and lambdas are independent");
        assert!(cells.iter().all(|weights| weights.iter().all(|weight| weight.is_finite())));
    }
}

#[test]
fn games_begin_differently_where_that_is_asked() {
    let [plain, opened] = [0, 6].map(|n_opening_plies| {
        let plan = LearnPlan { n_opening_plies, ..plan(8, Mode::EveryMove) };
        Learning::new(plan, |game| Ok::<_, LearnError>(load(game).expect("sound")))
            .expect("the plan is sound")
    });
    assert_ne!(plain.plan.digest(), opened.plan.digest(), "a journal of one is not one of the other");
    let curves = [(&plain, 1), (&opened, 1), (&opened, 3)].map(|(learning, n_threads)| {
        let folder = TempDir::new().expect("a folder");
        learned(learning, folder.path(), n_threads)
    });
    assert_ne!(curves[0].games, curves[1].games);
    assert_same(&curves[1], &curves[2]);
}

#[test]
fn batches_learn_otherwise_than_moves() {
    let [moves, batches] = [Mode::EveryMove, Mode::Batches(8)].map(|mode| {
        let folder = TempDir::new().expect("a folder");
        learned(&learning(8, mode), folder.path(), 1)
    });
    assert_ne!(moves.weights, batches.weights);
}

#[test]
fn stopped_and_made_longer_it_is_as_if_it_had_never_stopped() {
    for mode in [Mode::EveryMove, Mode::Batches(8)] {
        let [whole, parts] = [(); 2].map(|()| TempDir::new().expect("a folder"));
        let straight = learned(&learning(48, mode), whole.path(), 1);
        learned(&learning(24, mode), parts.path(), 1);
        let longer = learning(48, mode);
        let (mut journal, done) = opened(parts.path(), longer.plan.digest());
        // Stopped again as soon as something was added.
        let stop = AtomicBool::new(false);
        let told = |_: &ashta_lab::learn::LearnProgress<'_>| stop.store(true, Ordering::Relaxed);
        let ended = learn(&longer, &mut journal, done, 2, &stop, told).expect("it can be written");
        assert!(matches!(ended, LearnEnd::Cancelled(n) if n > 96), "{mode:?}");
        drop(journal);
        assert_same(&straight, &learned(&longer, parts.path(), 2));
    }
}

#[test]
fn a_plan_of_more_runs_than_memory_holds_is_refused() {
    let plan = LearnPlan { n_runs: u32::MAX, ..plan(8, Mode::EveryMove) };
    let error =
        Learning::new(plan, |game| Ok::<_, LearnError>(load(game).expect("sound"))).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "the plan has 8589934590 runs of games and lambdas; at most 10000 are allowed"
    );
}

#[test]
fn what_was_learned_is_worth_something() {
    let folder = TempDir::new().expect("a folder");
    let mut plan = plan(150, Mode::EveryMove);
    (plan.lambdas, plan.n_runs, plan.features) = (vec![0.8], 1, Vec::new());
    let learning = Learning::new(plan, |game| Ok::<_, LearnError>(load(game).expect("sound")))
        .expect("the plan is sound");
    let curves = learned(&learning, folder.path(), 1);
    let names = learning.cells[0].features.names();
    let worth = |name: &str| curves.weights[0][names.iter().position(|n| n == name).expect(name)];
    assert!(worth("rook") > worth("pawn"), "{names:?} {:?}", curves.weights[0]);
}

fn competitor(text: &str) -> CompetitorPlan {
    CompetitorPlan::read(text, |_| None::<Result<String, CompetitorError>>).expect(text)
}

fn a_match(n_pairs: u32, sprt: Option<&str>) -> Match {
    let digest = digest_text(&load(GAME).expect("the library is sound"));
    let competitors = [competitor("given"), competitor("P0")];
    let plan = MatchPlan {
        command: String::new(),
        version: String::new(),
        seed: 3,
        games: vec![MatchGame { name: GAME.into(), game: GAME.into(), digest, competitors }],
        n_pairs,
        n_opening_plies: 2,
        max_plies: 80,
        depths: (1, 2, 1),
        sprt: sprt.map(|text| text.parse().expect("a test")),
    };
    Match::new(plan, |game| Ok::<_, MatchError>(load(game).expect("sound"))).expect("the plan is sound")
}

fn played(of: &Match, folder: &Path, n_threads: usize) -> Vec<PairPlayed> {
    let (mut journal, done) = opened(folder, of.plan.digest());
    let never = AtomicBool::new(false);
    match run_match(of, &mut journal, done, n_threads, &never, |_| {}).expect("it can be written") {
        MatchEnd::Complete(mut games) => games.remove(0),
        MatchEnd::Cancelled(n) => panic!("stopped after {n} pairs"),
        MatchEnd::Broken(fault) => panic!("{fault}"),
    }
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads_and_can_be_made_longer() {
    let [one, two] = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let whole = played(&a_match(30, None), one.path(), 1);
    played(&a_match(12, None), two.path(), 2);
    assert_eq!(played(&a_match(30, None), two.path(), 2), whole);
    let score = Score::of(&whole);
    assert!(score.elo().low > 0.0, "who looks ahead beats who does not: {score:?}");
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_whatever_the_threads() {
    let pairs = [1, 3].map(|n_threads| {
        let folder = TempDir::new().expect("a folder");
        played(&a_match(400, Some("0:50")), folder.path(), n_threads)
    });
    assert_eq!(pairs[0], pairs[1]);
    assert!(pairs[0].len() < 400);
}

//! Runs of experiments: the same bytes however they are divided, interrupted or made longer, and statistics that a slow
//! observer confirms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ashta_lab::report::{csv, html, json, markdown};
use ashta_lab::{
    CellPlan, Division, Evolution, Experiment, GameRow, Journal, Kind, KindTally, Measure, OPENING_PLIES,
    Plan, PlanError, PlyTally, Preset, Replay, RunEnd, Schedule, Shard, Stop, UnitId, UnitTally, digest_text,
    evolution_names, evolution_source, pages, play_unit, replay, results, run, start,
};
use ashta_messages::Language;
use ashta_position::{Game, Move, Outcome, Reason};
use ashta_rules::{Rules, Side, load};
use ashta_search::{MobilityCount, StopFlag, Values};

const WHOLE: Shard = Shard { index: 0, of: 1 };

fn rules(game: &str) -> Rules {
    load(game).unwrap_or_else(|problems| panic!("{game}: {problems}"))
}

pub fn cell(game: &str, player: &str) -> CellPlan {
    let (rules, players) = (rules(game), player.split('/').cycle());
    let players = players.take(rules.sides().len()).map(str::to_string).collect();
    let digest = digest_text(&rules);
    CellPlan { name: game.to_string(), game: game.to_string(), digest, players, values: None }
}

pub fn plan(cells: Vec<CellPlan>, stop: Stop) -> Plan {
    Plan {
        kind: Kind::Analysis,
        command: "a test".to_string(),
        version: "0".to_string(),
        preset: Preset::Plain,
        conventions: Preset::Plain.conventions(),
        seed: 7,
        max_plies: 300,
        stop,
        cells,
    }
}

pub fn experiment(plan: Plan) -> Experiment {
    Experiment::new::<PlanError>(plan, |game| Ok(rules(game))).unwrap_or_else(|error| panic!("{error}"))
}

fn journal(folder: &Path, experiment: &Experiment) -> (Journal, BTreeMap<UnitId, UnitTally>) {
    let text = serde_json::to_string(&experiment.plan).expect("plans can be written");
    let opened = Journal::open_or_create(folder.join("journal"), experiment.plan.digest(), &text);
    let (journal, contents) = opened.unwrap_or_else(|error| panic!("{error}"));
    (journal, contents.units)
}

/// How a run went: whether to its end, and how many units it played.
struct Went {
    schedule: Schedule,
    is_whole: bool,
    n_played: usize,
}

/// Goes on with a run, and cancels it after so many units.
fn go_on(
    folder: &Path,
    experiment: &Experiment,
    n_threads: usize,
    shard: Shard,
    cancel_after: usize,
) -> Went {
    let (mut journal, done) = journal(folder, experiment);
    let (cancel, n_played) = (AtomicBool::new(false), AtomicUsize::new(0));
    let ran = run(experiment, &mut journal, done, Division { n_threads, shard }, &cancel, |_| {
        if n_played.fetch_add(1, Ordering::Relaxed) + 1 >= cancel_after {
            cancel.store(true, Ordering::Relaxed);
        }
    });
    let (schedule, is_whole) = match ran.unwrap_or_else(|error| panic!("{error}")) {
        RunEnd::Complete(schedule) => (schedule, true),
        RunEnd::Cancelled(schedule) => (schedule, false),
    };
    Went { schedule, is_whole, n_played: n_played.into_inner() }
}

fn run_in_new_folder(experiment: &Experiment, n_threads: usize) -> Schedule {
    let folder = tempfile::tempdir().expect("a folder");
    let went = go_on(folder.path(), experiment, n_threads, WHOLE, usize::MAX);
    assert!(went.is_whole);
    went.schedule
}

fn whole_tallies(schedule: &Schedule) -> Vec<UnitTally> {
    let tallies: Option<Vec<UnitTally>> = schedule.tallies().into_iter().collect();
    tallies.expect("every cell is whole")
}

/// The report in every form.
fn report(experiment: &Experiment, schedule: &Schedule) -> [String; 4] {
    let cells = results(experiment, whole_tallies(schedule));
    let (page, table) = pages::page_of(experiment, &cells);
    [html(&page, Language::English), markdown(&page, Language::English), json(&page), csv(&table)]
}

/// Two reports, compared without printing pages of HTML when they differ.
fn assert_same_report(one: &[String; 4], other: &[String; 4], what: &str) {
    for (form, (a, b)) in ["html", "md", "json", "csv"].iter().zip(one.iter().zip(other)) {
        let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
        assert!(a == b, "{what}: {form} differs: {differs:?}");
    }
}

#[test]
fn threads_do_not_change_the_report() {
    let cells = || vec![cell("minishogi", "P0"), cell("minishogi", "P1"), cell("shatranj", "P'1/P0")];
    let until = Stop::Until { measure: Measure::Length, percent: 8.0, most_games: 2000 };
    for stop in [Stop::Games(35), until] {
        let experiment = experiment(plan(cells(), stop));
        let alone = run_in_new_folder(&experiment, 1);
        let expected = report(&experiment, &alone);
        for n_threads in [2, 8] {
            let schedule = run_in_new_folder(&experiment, n_threads);
            assert_same_report(&report(&experiment, &schedule), &expected, &format!("{n_threads} threads"));
        }
        if let Stop::Until { most_games, .. } = stop {
            let n_games: Vec<usize> = whole_tallies(&alone).iter().map(|tally| tally.rows.len()).collect();
            assert!(n_games.iter().all(|n| *n >= 30 && *n < most_games as usize), "{n_games:?}");
            let n_units = experiment.cells.iter().zip(&n_games);
            let is_whole =
                |(cell, n): (&ashta_lab::Cell, &usize)| n.is_multiple_of(cell.games_per_unit as usize);
            assert!(n_units.clone().all(is_whole), "{n_games:?}");
            assert!(n_units.clone().any(|(cell, n)| *n > cell.games_per_unit as usize), "{n_games:?}");
        }
    }
}

#[test]
fn another_seed_gives_other_games() {
    let first = experiment(plan(vec![cell("minishogi", "P0")], Stop::Games(20)));
    let second = experiment(Plan { seed: 8, ..first.plan.clone() });
    let rows = |experiment| whole_tallies(&run_in_new_folder(experiment, 1)).remove(0).rows;
    assert_ne!(rows(&first), rows(&second));
    // Nor do cells of one plan share their random numbers, but for cells that are the same.
    let cells = vec![cell("minishogi", "P0"), cell("minishogi", "P0/P1"), cell("minishogi", "P1/P0")];
    let several = experiment(plan(cells, Stop::Games(5)));
    let purposes: BTreeSet<u64> = several.cells.iter().map(|cell| cell.purpose).collect();
    assert_eq!(purposes.len(), 3);
}

#[test]
fn shards_share_the_work_out() {
    let experiment =
        experiment(plan(vec![cell("minishogi", "P0"), cell("minishogi", "P1")], Stop::Games(30)));
    let units = |shard| {
        let mut schedule = Schedule::new(&experiment, BTreeMap::new(), shard, 2);
        std::iter::from_fn(|| schedule.next_unit()).collect::<Vec<UnitId>>()
    };
    let all: BTreeSet<UnitId> = units(WHOLE).into_iter().collect();
    assert_eq!(all.len(), 1 + 6, "a unit of 30 quick games, six of 5 slow ones");
    for of in 1..=9 {
        let parts: Vec<UnitId> = (0..of).flat_map(|index| units(Shard { index, of })).collect();
        assert_eq!(parts.len(), all.len(), "no unit is played twice");
        assert_eq!(parts.into_iter().collect::<BTreeSet<_>>(), all, "every unit is played");
    }
}

#[test]
fn shards_merged_are_one_run() {
    let experiment = experiment(plan(vec![cell("minishogi", "P1"), cell("shatranj", "P0")], Stop::Games(40)));
    let expected = report(&experiment, &run_in_new_folder(&experiment, 2));
    let mut units = BTreeMap::new();
    for index in 0..3 {
        let missing = Schedule::new(&experiment, units.clone(), WHOLE, 1);
        assert!(missing.tallies().contains(&None), "a part is missing");
        let folder = tempfile::tempdir().expect("a folder");
        let went = go_on(folder.path(), &experiment, 2, Shard { index, of: 3 }, usize::MAX);
        assert!(went.is_whole && went.n_played > 0);
        drop(went);
        units.extend(Journal::read(folder.path().join("journal")).expect("a journal").units);
    }
    let merged = Schedule::new(&experiment, units, WHOLE, 1);
    assert_same_report(&report(&experiment, &merged), &expected, "shards");
}

#[test]
fn a_run_cancelled_again_and_again_loses_nothing() {
    let cells = || vec![cell("minishogi", "P1"), cell("chess", "P0")];
    let until = Stop::Until { measure: Measure::Branching, percent: 3.0, most_games: 300 };
    for stop in [Stop::Games(60), until] {
        let experiment = experiment(plan(cells(), stop));
        let expected = report(&experiment, &run_in_new_folder(&experiment, 2));
        let folder = tempfile::tempdir().expect("a folder");
        let mut n_played = 0;
        let last = loop {
            let went = go_on(folder.path(), &experiment, 2, WHOLE, 2);
            n_played += went.n_played;
            if went.is_whole {
                break went.schedule;
            }
            assert!(went.n_played >= 2);
            assert_eq!(went.schedule.done().len(), n_played, "what was played before is there");
        };
        assert_eq!(last.done().len(), n_played, "no unit was played twice");
        assert_same_report(&report(&experiment, &last), &expected, "a run in pieces");
    }
}

#[test]
fn a_run_can_be_made_longer() {
    for (player, fewer, more) in [("P0", 100, 200), ("P1", 20, 35)] {
        let of = |n_games| experiment(plan(vec![cell("minishogi", player)], Stop::Games(n_games)));
        let (short, long) = (of(fewer), of(more));
        assert_eq!(short.plan.digest(), long.plan.digest(), "{player}");
        let folder = tempfile::tempdir().expect("a folder");
        let first = go_on(folder.path(), &short, 2, WHOLE, usize::MAX);
        let before = whole_tallies(&first.schedule).remove(0).rows;
        assert_eq!(before.len(), fewer as usize);
        let second = go_on(folder.path(), &long, 2, WHOLE, usize::MAX);
        let size = long.cells[0].games_per_unit;
        assert_eq!(second.n_played as u32, (more - fewer) / size, "only what was missing is played");
        let after = whole_tallies(&second.schedule).remove(0).rows;
        assert_eq!((after.len(), &after[..fewer as usize]), (more as usize, &before[..]));
        let expected = report(&long, &run_in_new_folder(&long, 2));
        assert_same_report(&report(&long, &second.schedule), &expected, "a longer run");
    }
    // Where the units would be others, the games are too: such a journal is another plan's.
    let of = |n_games| plan(vec![cell("minishogi", "P0")], Stop::Games(n_games)).digest();
    assert_ne!(of(50), of(49));
}

#[test]
fn what_a_run_depends_on_is_in_its_digest() {
    let base = plan(vec![cell("minishogi", "P1")], Stop::Games(20));
    let with_values = CellPlan { values: Some("pawn = 1".to_string()), ..cell("minishogi", "P1") };
    let others = [
        Plan { seed: 8, ..base.clone() },
        Plan { max_plies: 301, ..base.clone() },
        Plan { cells: vec![cell("minishogi", "P2")], ..base.clone() },
        Plan { cells: vec![cell("minishogi", "P1/P2")], ..base.clone() },
        Plan { cells: vec![cell("shatranj", "P1")], ..base.clone() },
        Plan { cells: vec![with_values], ..base.clone() },
    ];
    let digests: BTreeSet<u64> = others.iter().chain([&base]).map(Plan::digest).collect();
    assert_eq!(digests.len(), others.len() + 1);
    // How figures are averaged and told changes no game.
    let told = Plan { preset: Preset::Paper000, conventions: Preset::Paper000.conventions(), ..base.clone() };
    assert_eq!(told.digest(), base.digest());
}

/// The outcome as a row has it: a game that nothing ended was too long.
fn as_counted(outcome: Option<Outcome>) -> (Option<u8>, Reason) {
    outcome.map_or((None, Reason::PlyCap), |outcome| (outcome.winner.map(|side| side.0), outcome.reason))
}

#[test]
fn a_game_replayed_is_the_game_that_was_counted() {
    let cancel = AtomicBool::new(false);
    let players = ["P0", "P2", "P'1", "A2(3)", "nodes:200", "P0/P1"];
    for game in ["minishogi", "shatranj", "chess"] {
        let cells = players.iter().map(|player| cell(game, player)).collect();
        let experiment = experiment(Plan { max_plies: 80, ..plan(cells, Stop::Games(5)) });
        for (at, cell) in experiment.cells.iter().enumerate() {
            // The second unit too: its games must not depend on those before.
            for unit in [0, 1] {
                let tally = play_unit(&experiment, at, unit, &cancel).expect("nobody cancels");
                assert_eq!(tally.rows.len() as u32, cell.games_per_unit);
                // In reverse, so that no game finds what the one before it left.
                for (n, row) in tally.rows.iter().enumerate().rev() {
                    let Replay { moves, outcome, .. } =
                        replay(&experiment, at, unit * cell.games_per_unit + n as u32, &StopFlag::default());
                    let said = (moves.len() as u32, as_counted(outcome));
                    assert_eq!(said, (row.n_plies, (row.winner, row.reason)), "{game} {}", players[at]);
                    let mut game = start(cell);
                    for mv in moves.iter().take(OPENING_PLIES[1] as usize) {
                        game.play(*mv).unwrap_or_else(|error| panic!("{error}"));
                    }
                    if row.n_plies >= OPENING_PLIES[1] {
                        assert_eq!(game.key(), row.openings[1], "{}", players[at]);
                    }
                }
            }
        }
    }
}

#[test]
fn a_contest_replayed_is_the_contest_that_was_counted() {
    let cancel = AtomicBool::new(false);
    let cells = ["P0", "P1", "expect:1", "P1/P0/P0/P0"].map(|player| cell("four-handed", player));
    let experiment = experiment(Plan { max_plies: 150, ..plan(cells.to_vec(), Stop::Games(4)) });
    for (at, cell) in experiment.cells.iter().enumerate() {
        let tally = play_unit(&experiment, at, 1, &cancel).expect("nobody cancels");
        assert_eq!(tally.rows.len(), tally.contests.len());
        for ((n, row), contest) in tally.rows.iter().enumerate().zip(&tally.contests).rev() {
            let number = cell.games_per_unit + n as u32;
            let Replay { contest: words, outcome, .. } =
                replay(&experiment, at, number, &StopFlag::default());
            let words = words.expect("it is a contest");
            let turns: Vec<&String> = words.iter().filter(|word| word.contains(':')).collect();
            let n_passes = turns.iter().filter(|turn| turn.ends_with(":-")).count();
            let said = (turns.len() as u32, n_passes as u32, as_counted(outcome));
            assert_eq!(said, (row.n_plies, contest.n_passes, (row.winner, row.reason)), "{words:?}");
        }
    }
}

/// What is on the board and in the hands, one entry for each piece.
fn pieces(game: &Game) -> Vec<(Side, usize)> {
    let rules = game.rules();
    let mut found: Vec<(Side, usize)> = board(game);
    for side in (0..rules.sides().len() as u8).map(Side) {
        for kind in rules.kind_ids() {
            (0..game.in_hand(side, kind)).for_each(|_| found.push((side, kind.index())));
        }
    }
    found
}

fn board(game: &Game) -> Vec<(Side, usize)> {
    let squares = game.rules().grid().squares();
    squares.filter_map(|square| game.piece(square)).map(|(side, kind)| (side, kind.index())).collect()
}

/// The first side's pieces minus the second's.
fn balance(game: &Game, values: &Values) -> i32 {
    let kinds: Vec<_> = game.rules().kind_ids().collect();
    let value = |(side, kind): (Side, usize)| match side {
        Side::FIRST => values.of(kinds[kind]),
        _ => -values.of(kinds[kind]),
    };
    pieces(game).into_iter().map(value).sum()
}

/// When pieces appear and are captured, by comparing boards.
struct SlowHistory {
    at_start: BTreeSet<usize>,
    seen: BTreeSet<usize>,
    /// Ply, side and kind of each loss.
    losses: Vec<(u64, Side, usize)>,
}

impl SlowHistory {
    fn of(game: &Game) -> SlowHistory {
        let at_start: BTreeSet<usize> = pieces(game).into_iter().map(|(_, kind)| kind).collect();
        SlowHistory { seen: at_start.clone(), at_start, losses: Vec::new() }
    }

    fn add(&mut self, before: &[(Side, usize)], after: &[(Side, usize)], mover: Side, ply: u64) {
        let count = |board: &[(Side, usize)], piece| board.iter().filter(|other| **other == piece).count();
        for piece in before.iter().filter(|(side, _)| *side != mover) {
            if count(after, *piece) < count(before, *piece) {
                self.losses.push((ply, piece.0, piece.1));
            }
        }
        self.seen.extend(after.iter().map(|(_, kind)| *kind));
    }

    fn finish(&self, tally: &mut UnitTally, n_plies: u64, winner: Option<u8>) {
        for kind in &self.seen {
            let history = &mut tally.by_kind[*kind].history;
            let losses = || self.losses.iter().filter(|(_, _, lost)| lost == kind);
            history.n_seen += 1;
            let first = losses().map(|(ply, _, _)| *ply).min();
            if let Some(ply) = first {
                history.n_lost += 1;
                history.first_loss_sum += ply;
                history.first_loss_squared_sum += ply * ply;
            }
            let losers: BTreeSet<u8> = losses().map(|(_, side, _)| side.0).collect();
            if let Some(winner) = winner {
                history.n_losers += losers.len() as u64;
                history.n_losers_won += u64::from(losers.contains(&winner));
            }
            for (n, ply) in history.n_intact.iter_mut().zip([40, 80, 120]) {
                let is_intact = first.is_none_or(|first| first > ply);
                *n += u64::from(self.at_start.contains(kind) && n_plies >= ply && is_intact);
            }
        }
    }
}

/// Watches a game the slow and obvious way.
fn watch_slowly(tally: &mut UnitTally, mut game: Game, moves: &[Move], outcome: Option<Outcome>) {
    let values = Values::by_mobility(game.rules(), MobilityCount::Promoted);
    pieces(&game).iter().for_each(|(_, kind)| tally.by_kind[*kind].n_at_start += 1);
    let (mut n_moves, mut captures, mut checks) = (Vec::new(), Vec::new(), Vec::new());
    let (mut balances, mut keys) = (vec![balance(&game, &values)], vec![game.key()]);
    let mut history = SlowHistory::of(&game);
    for (ply, mv) in moves.iter().enumerate() {
        let legal = game.legal_moves();
        assert!(legal.contains(mv), "ply {ply} is not legal");
        assert_eq!(game.outcome(), None, "the game was over before ply {ply}");
        n_moves.push(legal.len() as u64);
        // One ply in 64, from another one in each game of a unit.
        if (ply + tally.rows.len()).is_multiple_of(64) {
            for mover in legal.iter().filter_map(|mv| game.piece(mv.from()?)) {
                tally.by_kind[mover.1.index()].n_mobile_moves += 1;
            }
            for (side, kind) in board(&game) {
                tally.by_kind[kind].n_mobile_pieces += u64::from(side == game.turn());
            }
        }
        let (n_before, n_in_hands) = (board(&game).len(), pieces(&game).len() - board(&game).len());
        let (before, mover) = (board(&game), game.turn());
        game.play(*mv).unwrap_or_else(|error| panic!("{error}"));
        history.add(&before, &board(&game), mover, ply as u64 + 1);
        let n_after = board(&game).len();
        let was_dropped = mv.from().is_none() && *mv != Move::PASS;
        assert!(!was_dropped || (n_after == n_before + 1 && n_in_hands > 0), "a drop adds a piece");
        captures.push(n_after < n_before);
        checks.push(game.is_in_check());
        balances.push(balance(&game, &values));
        keys.push(game.key());
    }
    // Whoever is ahead leads, from the first change of material on; who is level with the leader does not take over.
    let changed: Vec<i32> =
        balances.windows(2).filter(|pair| pair[0] != pair[1]).map(|pair| pair[1]).collect();
    let leaders: Vec<bool> = changed.iter().filter(|balance| **balance != 0).map(|b| *b > 0).collect();
    for ply in 0..moves.len() {
        let PlyTally { n_games, moves_sum, moves_squared_sum, n_captures, n_checks } = tally.ply_mut(ply);
        *n_games += 1;
        *moves_sum += n_moves[ply];
        *moves_squared_sum += n_moves[ply] * n_moves[ply];
        *n_captures += u64::from(captures[ply]);
        *n_checks += u64::from(checks[ply]);
    }
    pieces(&game).iter().for_each(|(_, kind)| tally.by_kind[*kind].n_at_end += 1);
    let (winner, reason) = as_counted(outcome);
    assert_eq!(outcome, game.outcome(), "the outcome is the line's");
    history.finish(tally, moves.len() as u64, winner);
    tally.rows.push(GameRow {
        n_plies: moves.len() as u32,
        n_moves: n_moves.iter().sum(),
        winner,
        reason,
        n_captures: captures.iter().filter(|captures| **captures).count() as u32,
        n_checks: checks.iter().filter(|checks| **checks).count() as u32,
        n_lead_changes: leaders.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32,
        openings: OPENING_PLIES.map(|ply| keys.get(ply as usize).copied().unwrap_or(0)),
    });
}

#[test]
fn a_slow_observer_sees_the_same() {
    // Drops, en passant and castling, bare kings, hoppers and passes, a set-up phase, royal captures.
    let games = [
        "minishogi",
        "shogi",
        "chess",
        "shatranj",
        "xiangqi",
        "janggi",
        "sittuyin",
        "tori-shogi",
        "chu-shogi",
    ];
    let cancel = AtomicBool::new(false);
    let mut seen = GameRow {
        n_plies: 0,
        n_moves: 0,
        winner: None,
        reason: Reason::PlyCap,
        n_captures: 0,
        n_checks: 0,
        n_lead_changes: 0,
        openings: [0; 2],
    };
    for name in games {
        let cells = vec![cell(name, "P0"), cell(name, "P1/P0")];
        let experiment = experiment(plan(cells, Stop::Games(6)));
        for (at, cell) in experiment.cells.iter().enumerate() {
            for unit in [0, 1] {
                let tally = play_unit(&experiment, at, unit, &cancel).expect("nobody cancels");
                let mut slow = UnitTally {
                    by_kind: vec![KindTally::default(); cell.rules.rules().kinds().len()],
                    ..UnitTally::default()
                };
                for n in 0..cell.games_per_unit {
                    let Replay { moves, outcome, .. } =
                        replay(&experiment, at, unit * cell.games_per_unit + n, &StopFlag::default());
                    watch_slowly(&mut slow, start(cell), &moves, outcome);
                }
                for (n, (row, slow)) in tally.rows.iter().zip(&slow.rows).enumerate() {
                    assert_eq!(row, slow, "{name}, game {n} of unit {unit}");
                    seen.n_captures += row.n_captures;
                    seen.n_checks += row.n_checks;
                    seen.n_lead_changes += row.n_lead_changes;
                }
                for (ply, (sums, slow)) in tally.by_ply.iter().zip(&slow.by_ply).enumerate() {
                    assert_eq!(sums, slow, "{name}, ply {ply}");
                }
                for (kind, (sums, slow)) in tally.by_kind.iter().zip(&slow.by_kind).enumerate() {
                    assert_eq!(sums, slow, "{name}, {}", cell.rules.rules().kinds()[kind].name);
                }
                assert_eq!(tally, slow, "{name}");
            }
        }
    }
    assert!(seen.n_captures > 1000 && seen.n_checks > 100 && seen.n_lead_changes > 50, "{seen:?}");
}

#[test]
fn every_game_of_every_evolution_is_another_game() {
    assert!(evolution_names().len() >= 2);
    for name in evolution_names() {
        let text = evolution_source(name).expect("it is named");
        let evolution = Evolution::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut digests = BTreeSet::new();
        let mut cells = Vec::new();
        for subset in 0..evolution.n_cells() {
            let (game, shown) = evolution.cell(subset);
            let digest = digest_text(&rules(&game));
            assert!(digests.insert(digest.clone()), "{name}: {game} is the same as another");
            let players = vec![evolution.player.clone(); 2];
            cells.push(CellPlan { name: shown, game, digest, players, values: None });
        }
        let kind = Kind::Evolution(text.to_string());
        let experiment = experiment(Plan { kind, ..plan(cells, Stop::Games(1)) });
        assert_eq!(experiment.cells.len(), evolution.n_cells(), "{name}");
    }
}

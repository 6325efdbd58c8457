//! Mates where royal pieces are captured: the solvers agree with a plain search that knows nothing but legal moves and
//! which royal pieces stand on the board.

use std::sync::atomic::AtomicBool;

use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game, Move, SetupUse};
use ashta_rules::{Setup, Side, Verdict, load_text};
use ashta_study::problem::{
    Attempt, Detail, Futile, TsumeAnswer, attempt_mate, attempt_tsume, open_problem, solve_mate, solve_tsume,
};

use crate::problems::random;

/// Lions that move twice, an elephant that becomes a second royal piece, a limit on capturing lions.
const LIONS: &str = r#"
name = "Lions"
about = "Lions and princes."
[board]
files = 5
ranks = 5
start = "nklre/5/5/5/ERLKN w - - 0 1"
[regions]
zone = "ranks 4-5"
[pieces.king]
letter = "K"
moves = "K"
royal = true
[pieces.prince]
letter = "+E"
moves = "K"
royal = true
[pieces.elephant]
letter = "E"
moves = "FfsW"
promotes = { to = "prince", zone = "zone", on = ["enter", "capture"], choice = "may" }
[pieces.lion]
letter = "L"
moves = "KNADcaKmabK"
[pieces.rook]
letter = "R"
moves = "R"
[pieces.knight]
letter = "N"
moves = "N"
[bans.distant]
by = "lion"
of = "lion"
farther-than = 1
if = "guarded"
[ends]
royal = "capture"
stalemate = "loss"
"#;

/// The same with a bare-king rule and hoppers.
const BARE: (&str, &str) =
    ("stalemate = \"loss\"", "stalemate = \"draw\"\nbare = { verdict = \"loss\", waits = \"retake\" }");
const HOPPERS: (&str, &str) = ("moves = \"N\"", "moves = \"mRcpR\"");
/// A royal piece that no lion may capture from afar.
const PROTECTED: (&str, &str) = ("of = \"lion\"", "of = [\"lion\", \"king\"]");
/// A royal lion.
const ROYAL_LION: (&str, &str) = ("letter = \"K\"\nmoves = \"K\"", "letter = \"K\"\nmoves = \"KNADcaKmabK\"");

const CHESS: &str = r#"
name = "Captured kings"
about = "Chess without the rule of check."
extends = "chess"
[ends]
royal = "capture"
repetition = "none"
"#;

fn compiled(text: &str, changes: &[(&str, &str)]) -> CompiledRules {
    let text = changes.iter().fold(text.to_string(), |text, (was, is)| {
        assert!(text.contains(was), "{was}");
        text.replace(was, is)
    });
    CompiledRules::new(load_text("test.toml", &text, &[]).unwrap_or_else(|problems| panic!("{problems}")))
}

/// The slow twin.
struct Naive<'r> {
    rules: &'r CompiledRules,
}

impl Naive<'_> {
    fn n_royals(&self, game: &Game, side: Side) -> usize {
        let pieces = self.rules.rules().grid().squares().filter_map(|square| game.piece(square));
        pieces.filter(|(of, kind)| *of == side && self.rules.rules().kind(*kind).royal).count()
    }

    fn takes(&self, game: &mut Game, mv: Move) -> bool {
        let them = game.turn().other();
        if self.n_royals(game, them) == 0 {
            return false;
        }
        game.play_unchecked(mv);
        let taken = self.n_royals(game, them) == 0;
        game.take_back();
        taken
    }

    fn can_take(&self, game: &mut Game) -> bool {
        game.legal_moves().into_iter().any(|mv| self.takes(game, mv))
    }

    fn is_in_check(&self, game: &Game) -> bool {
        let setup = game.setup();
        let passed = Setup { turn: 1 - setup.turn, en_passant: None, remembered_capture: None, ..setup };
        self.can_take(&mut Game::for_use(self.rules, &passed, SetupUse::Study).expect("the same pieces"))
    }

    /// The winner, if any, if the game is over.
    fn end(&self, game: &Game) -> Option<Option<Side>> {
        let (me, them) = (game.turn(), game.turn().other());
        if self.n_royals(game, me) == 0 || self.n_royals(game, them) == 0 {
            let loses = self.rules.rules().ends().stalemate == Verdict::Loss;
            return game.legal_moves().is_empty().then_some(loses.then_some(them));
        }
        game.outcome().map(|outcome| outcome.winner)
    }

    fn is_mated(&self, game: &mut Game) -> bool {
        let loses = |game: &mut Game, mv: Move| {
            if self.takes(game, mv) {
                return false;
            }
            game.play_unchecked(mv);
            let loses = self.end(game).is_none() && self.can_take(game);
            game.take_back();
            loses
        };
        let moves = game.legal_moves();
        self.is_in_check(game) && !moves.is_empty() && moves.into_iter().all(|mv| loses(game, mv))
    }

    /// Whether the defender, who is to move, loses within `n` moves of the attacker. With `checks`, all must be checks.
    fn is_lost(&self, game: &mut Game, n: u16, checks: bool) -> bool {
        if self.n_royals(game, game.turn()) == 0 {
            return true;
        }
        if let Some(winner) = self.end(game) {
            return winner == Some(game.turn().other());
        }
        let all_lose = |game: &mut Game| {
            game.legal_moves().into_iter().all(|mv| {
                !self.takes(game, mv) && {
                    game.play_unchecked(mv);
                    let wins = self.wins(game, n, checks);
                    game.take_back();
                    wins
                }
            })
        };
        self.is_mated(game) || n > 0 && all_lose(game)
    }

    fn wins(&self, game: &mut Game, n: u16, checks: bool) -> bool {
        if let Some(winner) = self.end(game) {
            return winner == Some(game.turn());
        }
        n > 0 && game.legal_moves().into_iter().any(|mv| self.wins_by(game, mv, n, checks))
    }

    fn wins_by(&self, game: &mut Game, mv: Move, n: u16, checks: bool) -> bool {
        if self.takes(game, mv) {
            return true;
        }
        game.play_unchecked(mv);
        let wins = (!checks || self.is_in_check(game)) && self.is_lost(game, n - 1, checks);
        game.take_back();
        wins
    }

    /// The shortest win within `max` moves with all its first moves.
    fn solve(&self, game: &Game, max: u16, checks: bool) -> Option<(u16, Vec<Move>)> {
        let mut game = game.clone();
        (1..=max).find_map(|n| {
            let mut keys = game.legal_moves();
            keys.retain(|mv| self.wins_by(&mut game, *mv, n, checks));
            keys.sort_unstable();
            (!keys.is_empty()).then_some((n, keys))
        })
    }
}

fn go() -> AtomicBool {
    AtomicBool::new(false)
}

fn mate(game: &Game, max: u16) -> Option<(u16, Vec<Move>)> {
    let solution = solve_mate(game, max, Detail::Keys, &go()).expect("the stop flag is never set");
    solution.moves.map(|n| (n, solution.keys.iter().map(|key| key.mv).collect()))
}

fn tsume(game: &Game, max: u16) -> Option<(u16, Vec<Move>)> {
    let answer = solve_tsume(game, 2 * max - 1, Futile::Count, &go()).expect("the stop flag is never set").0;
    match answer {
        TsumeAnswer::Mate(mate) => Some((mate.plies.div_ceil(2), mate.keys)),
        TsumeAnswer::NotWithin(_) | TsumeAnswer::Never => None,
    }
}

/// Some pieces on random squares, the first side to move.
fn scattered(rules: &CompiledRules, seed: &mut u64, pieces: &str) -> String {
    let (files, ranks) = (rules.rules().grid().files() as usize, rules.rules().grid().ranks() as usize);
    let mut board = vec![vec!["1".to_string(); files]; ranks];
    for piece in pieces.split(' ') {
        board[random(seed) % ranks][random(seed) % files] = piece.to_string();
    }
    let shorter =
        |text: String| (2..=8).rev().fold(text, |text, n| text.replace(&"1".repeat(n), &n.to_string()));
    let ranks: Vec<String> = board.iter().map(|rank| shorter(rank.concat())).collect();
    format!("{} w - - 0 1", ranks.join("/"))
}

/// Compares both solvers with the twin in random positions; gives how many mates were found.
fn compare(rules: &CompiledRules, pieces: &[&str], n_positions: usize, seed: &mut u64) -> usize {
    let naive = Naive { rules };
    let mut n_mates = 0;
    let factor = if std::env::var_os("ASHTA_DEEP").is_some() { 20 } else { 1 };
    for n in 0..n_positions * factor {
        let text = scattered(rules, seed, pieces[n % pieces.len()]);
        let Ok(game) = open_problem(rules, &text) else { continue };
        if naive.end(&game).is_some() {
            continue;
        }
        let few = game.legal_moves().len() < 16;
        let wanted = naive.solve(&game, if few { 2 } else { 1 }, false);
        assert_eq!(mate(&game, if few { 2 } else { 1 }), wanted, "mate: {text}");
        let by_checks = naive.solve(&game, 2, true);
        assert_eq!(tsume(&game, 2), by_checks, "checks: {text}");
        tried(&game, &by_checks);
        n_mates += usize::from(wanted.is_some()) + usize::from(by_checks.is_some());
    }
    n_mates
}

/// A key is right, another move is not.
fn tried(game: &Game, solution: &Option<(u16, Vec<Move>)>) {
    let Some((n, keys)) = solution else { return };
    for mv in game.legal_moves().into_iter().step_by(5).chain([keys[0]]) {
        let text = format!("{} {}", game.text(), write_coordinates(game, mv));
        let by_checks = attempt_tsume(game, mv, 2 * n - 1, Futile::Count, &go()).expect("it is not stopped");
        assert_eq!(matches!(by_checks, Attempt::Right(_)), keys.contains(&mv), "{text}: {by_checks:?}");
        if keys.contains(&mv) {
            let any = attempt_mate(game, mv, *n, &go()).expect("it is not stopped");
            assert!(matches!(any, Attempt::Right(_)), "{text}: {any:?}");
        }
    }
}

const MEN: [&str; 6] =
    ["k n e L R", "k +e L N R K", "k r L L e", "k l L K R r", "+e k e L N l", "k e R N K l"];

/// Our own, in chu shogi: the lion drives the king before it; a prince that steps aside; position, moves, key.
const CHU: [(&str, u16, &str); 3] = [
    ("12/2k9/3e8/12/1G10/N2p8/12/12/12/12/12/12 b - 1", 2, "12f11d"),
    ("12/5G6/1k3p6/3e8/12/3N8/12/12/12/12/12/12 b - 1", 2, "9f9d"),
    ("2k9/5N6/+eR10/12/12/1S10/12/12/12/12/12/12 b - 1", 2, "11c12c+"),
];

#[test]
fn chu_shogi() {
    let rules = CompiledRules::new(ashta_rules::load("chu-shogi").expect("the library is sound"));
    let naive = Naive { rules: &rules };
    for (text, n, key) in CHU {
        let game = open_problem(&rules, text).expect("a problem");
        let found = mate(&game, n);
        let keys = found
            .as_ref()
            .map(|(n, keys)| (*n, keys.iter().map(|mv| write_coordinates(&game, *mv)).collect()));
        assert_eq!(keys, Some((n, vec![key.to_string()])), "{text}");
        assert_eq!(tsume(&game, n), naive.solve(&game, n, true), "{text}");
        tried(&game, &tsume(&game, n));
    }
}

#[test]
fn lions_and_princes() {
    let mut seed = 3;
    let n_mates = compare(&compiled(LIONS, &[]), &MEN, 90, &mut seed);
    assert!(n_mates > 25, "{n_mates}");
}

#[test]
fn bare_kings_hoppers_and_protected_royals() {
    let mut seed = 17;
    for changes in [&[BARE][..], &[HOPPERS], &[PROTECTED], &[ROYAL_LION], &[BARE, HOPPERS, PROTECTED]] {
        let n_mates = compare(&compiled(LIONS, changes), &MEN, 30, &mut seed);
        assert!(n_mates > 5, "{changes:?} {n_mates}");
    }
}

#[test]
fn chess_with_captured_kings() {
    let men = ["k K Q p", "k R R p", "k K R R n", "k q Q N P K", "k p p R B K", "K k P p Q b"];
    let mut seed = 29;
    let n_mates = compare(&compiled(CHESS, &[]), &men, 60, &mut seed);
    assert!(n_mates > 10, "{n_mates}");
}

//! Every move that may not be played has a reason, and the reason fits; a move that may be played has none.

use crate::twin::{Twin, TwinMove};
use crate::walk::{
    SplitMix64, compile, every_contest_and_change, every_game_and_change, in_parallel, is_deep, start_contest,
};
use ashta_position::notation::read_move;
use ashta_position::{Answer, Attempt, CompiledRules, Contest, Game, Illegal, Roll, Stage, why_illegal};
use ashta_rules::{KindId, Square};

/// Whether a reason is about what the move brings about: for the royal piece, or where that is forbidden.
fn is_danger(why: &Illegal) -> bool {
    matches!(
        why,
        Illegal::StillInCheck { .. }
            | Illegal::IntoCheck { .. }
            | Illegal::Pinned { .. }
            | Illegal::Exposes { .. }
            | Illegal::ExplodesOwn { .. }
            | Illegal::GivesCheck { .. }
            | Illegal::MustCapture { .. }
            | Illegal::StillFaces { .. }
            | Illegal::OnlyTakes { .. }
    )
}

/// Asks of every way from square to square, of every drop and of passing.
fn check_all(game: &Game, spec: &str) {
    let rules = game.rules();
    let twin = Twin::new(rules, &game.setup());
    let (candidates, legal) = (twin.pseudo_legal_moves(), twin.legal_moves());
    let goes = |moves: &[TwinMove], from: Square, to: Square| {
        moves.iter().any(|mv| match mv {
            TwinMove::Walk { from: f, to: t, .. } => (*f, *t) == (from, to),
            TwinMove::Castle(n) => {
                let castling = &rules.castlings()[*n];
                (castling.royal.0, castling.target) == (from, to)
            }
            TwinMove::TwoLegs { .. } | TwinMove::Drop { .. } | TwinMove::Pass => false,
        })
    };
    let place = || format!("{spec}: {}", game.text());
    for from in rules.grid().squares() {
        for to in rules.grid().squares() {
            let promotes = game.piece(from).is_some_and(|(_, kind)| rules.kind(kind).promotion.is_some());
            let forms = rules.kind_ids().filter(|_| promotes).map(Some).chain([None]);
            let whys: Vec<Option<Illegal>> =
                forms.map(|becomes| why_illegal(game, Attempt::Go { from, to, becomes })).collect();
            let way = format!("{} {}{}", place(), rules.grid().name(from), rules.grid().name(to));
            let is_legal = goes(&legal, from, to);
            assert_eq!(whys.iter().any(Option::is_none), is_legal, "{way} {whys:?}");
            let plain = whys.last().and_then(Option::as_ref);
            if let Some(why) = plain.filter(|_| !is_legal) {
                assert_eq!(is_danger(why), goes(&candidates, from, to), "{way} {why:?}");
                assert!(!why.words(rules).to_string().contains('{'));
            }
        }
    }
    for kind in rules.kind_ids() {
        for to in rules.grid().squares() {
            let drop = TwinMove::Drop { kind, to };
            let why = why_illegal(game, Attempt::Drop { kind, to });
            assert_eq!(why.is_none(), legal.contains(&drop), "{} {kind:?} {to:?} {why:?}", place());
            let is_danger = why.as_ref().is_some_and(is_danger);
            assert_eq!(is_danger, candidates.contains(&drop) && !legal.contains(&drop), "{}", place());
        }
    }
    let pass = why_illegal(game, Attempt::Pass);
    assert_eq!(pass.is_none(), legal.contains(&TwinMove::Pass), "{} {pass:?}", place());
}

#[test]
fn every_illegal_move_of_every_game_has_a_reason_that_fits() {
    let (n_positions, step) = if is_deep() { (12, 8) } else { (3, 17) };
    in_parallel(&every_game_and_change(), |spec| {
        let rules = compile(spec);
        let mut random = SplitMix64(18);
        let mut game = Game::start(&rules);
        for _ in 0..n_positions {
            check_all(&game, spec);
            for _ in 0..step {
                let legal = game.legal_moves();
                if legal.is_empty() || game.outcome().is_some() {
                    game = Game::start(&rules);
                } else {
                    game.play_unchecked(legal[random.below(legal.len())]);
                }
            }
        }
    });
}

/// Every single move of a contest, with a throw: it is a turn, or there is a reason that fits.
fn check_contest(contest: &Contest<u64>, spec: &str) {
    let (rules, grid) = (contest.rules(), contest.rules().grid());
    let empty = grid.squares().find(|square| contest.piece(*square).is_none());
    for from in grid.squares().filter(|square| contest.piece(*square).is_some() || Some(*square) == empty) {
        for to in grid.squares() {
            let text = format!("{}{}", grid.name(from), grid.name(to));
            let (turn, why) = (contest.read_turn(&text), contest.why_illegal(&text));
            let place = || format!("{spec}: {} {text} {why:?}", contest.text());
            assert_eq!(turn.is_ok(), why.is_none(), "{}", place());
            let fits = match why {
                None => true,
                Some(Illegal::NothingThere { .. }) => contest.piece(from).is_none(),
                Some(Illegal::NotYours { .. }) => {
                    contest.piece(from).is_some_and(|(side, _)| side != contest.turn())
                }
                Some(Illegal::NotThrown { number, .. }) => {
                    contest.piece(from).is_some_and(|(_, kind)| rules.kind(kind).number == Some(number))
                }
                Some(_) => true,
            };
            assert!(fits, "{}", place());
        }
    }
}

#[test]
fn every_turn_that_may_not_be_taken_has_a_reason() {
    let n_turns = if is_deep() { 60 } else { 5 };
    in_parallel(&every_contest_and_change(), |spec| {
        let rules = compile(spec);
        let mut random = SplitMix64(18);
        let mut contest = start_contest(&rules);
        let rolls = rules.rules().contest().map_or_else(Vec::new, Roll::all);
        for _ in 0..n_turns {
            match (contest.outcome(), contest.stage()) {
                (Some(_), _) => return,
                (None, Stage::Throw) => _ = contest.throw(rolls[random.below(rolls.len())]),
                (None, Stage::Exchange(_)) => _ = contest.answer(Answer::Exchange),
                (None, Stage::Turn) => {
                    check_contest(&contest, spec);
                    let turns = contest.legal_turns();
                    contest.play_unchecked(turns[random.below(turns.len())]);
                }
            }
        }
    });
}

fn square(rules: &CompiledRules, name: &str) -> Square {
    rules.rules().grid().read_square(name).expect("a square").0
}

/// What is said of a move in coordinates; `P*5e` is a drop.
fn said(spec: &str, position: &str, text: &str) -> String {
    let rules = compile(spec);
    let game = Game::from_text(&rules, position).unwrap_or_else(|error| panic!("{position}: {error}"));
    let attempt = match text.split_once('*') {
        Some((letter, to)) => {
            let kinds = rules.rules().kinds();
            let kind = kinds.iter().position(|kind| kind.letter == letter).expect("a kind");
            Attempt::Drop { kind: KindId(kind as u8), to: square(&rules, to) }
        }
        None => {
            let (from, rest) = rules.rules().grid().read_square(text).expect("a square");
            Attempt::Go { from, to: square(&rules, rest), becomes: None }
        }
    };
    let why = why_illegal(&game, attempt).unwrap_or_else(|| panic!("{position} {text} is legal"));
    let words = why.words(rules.rules());
    format!("{}: {words}", words.code().trim_start_matches("position."))
}

#[test]
fn reasons_are_told_in_words() {
    let chess = [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a1a2", "nothing-there: there is no piece on a1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8e7", "not-yours: the king on e8 belongs to Black"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", "not-its-move: the king on e1 does not move to e3"),
        (
            "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1",
            "e2e4",
            "blocked: the pawn on e2 cannot reach e4: it is blocked on e3",
        ),
        ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e3", "only-moves: the pawn on e2 does not capture on e3"),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "e2d3",
            "only-captures: the pawn on e2 moves to d3 only to capture",
        ),
        (
            "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
            "e3e5",
            "has-moved: the pawn on e3 may not move to e5: it has moved before",
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "e1e2",
            "own-piece: the king on e1 may not capture the pawn on e2: it is on the same side",
        ),
        ("4k3/8/8/8/4q3/8/4R3/4K3 w - - 0 1", "e2d2", "pinned: the rook on e2 is pinned by the queen on e4"),
        (
            "4k3/8/8/8/4q3/8/7R/4K3 w - - 0 1",
            "h2h3",
            "still-in-check: the king on e1 would still be in check from the queen on e4",
        ),
        (
            "4k3/8/8/8/3q4/8/8/4K3 w - - 0 1",
            "e1d1",
            "into-check: the king on e1 would be in check on d1 from the queen on d4",
        ),
        (
            "4k3/8/8/8/8/5q2/8/4K2R w K - 0 1",
            "e1g1",
            "castling-through-check: the king on e1 may not castle through f1, which the queen on f3 attacks",
        ),
        (
            "4k3/8/8/8/4q3/8/8/4K2R w K - 0 1",
            "e1g1",
            "castling-in-check: the king on e1 may not castle out of check from the queen on e4",
        ),
        (
            "4k3/8/8/8/6q1/8/8/4K2R w K - 0 1",
            "e1g1",
            "into-check: the king on e1 would be in check on g1 from the queen on g4",
        ),
        (
            "4k3/8/8/8/8/8/8/4K1NR w K - 0 1",
            "e1g1",
            "castling-blocked: the king on e1 may not castle: g1 is occupied",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "e1g1",
            "castling-lost: the king on e1 may not castle: it or its partner has moved",
        ),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "must-promote: the pawn on e7 must promote on e8"),
        (
            "8/8/8/K2pP2q/8/8/8/7k w - d6 0 1",
            "e5d6",
            "exposes: this would expose the king on a5 to check from the queen on h5",
        ),
    ];
    let shogi = [
        (
            "4k4/9/9/9/9/9/4P4/9/4K4 b P 1",
            "P*5e",
            "file-is-full: a pawn may not be dropped on 5e: its side already has 1 on this file",
        ),
        ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*9a", "could-never-move: a pawn dropped on 9a could never move"),
        ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "G*9b", "not-in-hand: there is no gold in hand"),
        (
            "4k4/9/9/9/9/9/4P4/9/4K4 b G 1",
            "G*5g",
            "occupied: pieces are dropped on empty squares, not on the pawn on 5g",
        ),
        ("4k4/9/9/9/9/9/4P4/9/4K4 b G 1", "K*5e", "never-dropped: a king is never dropped"),
        ("7nk/9/8G/9/9/9/9/9/K8 b PL 1", "P*1b", "drop-mates: a pawn may not be dropped to give mate"),
        (
            "4k4/9/9/9/4r4/9/9/9/4K4 b G 1",
            "G*9b",
            "still-in-check: the king on 5i would still be in check from the rook on 5e",
        ),
    ];
    let others = [
        (
            "xiangqi",
            "3k5/9/9/9/9/9/9/9/9/3AK4 w - - 0 1",
            "d1c2",
            "out-of-bounds: the advisor on d1 may not move to c2: it is confined to its region",
        ),
        (
            "xiangqi",
            "4k4/9/9/9/9/9/9/9/4C4/3K5 w - - 0 1",
            "e2e10",
            "needs-hurdle: the cannon on e2 must hop over exactly one piece to reach e10",
        ),
        (
            "xiangqi",
            "4k4/9/9/9/9/9/9/4N4/9/4K4 w - - 0 1",
            "e3d5",
            "pinned: the horse on e3 is pinned by the general on e10",
        ),
        (
            "xiangqi",
            "3k5/9/9/9/9/9/9/9/4P4/3NK4 w - - 0 1",
            "d1f2",
            "blocked: the horse on d1 cannot reach f2: it is blocked on e1",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "e1e1",
            "stays-put: the king on e1 must move to another square",
        ),
        (
            "sittuyin",
            "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[K2R2N2SFk2r2n2sf] w - - 0 1",
            "e4e5",
            "place-first: all pieces in hand must be placed first",
        ),
    ];
    let all = chess.iter().map(|(position, text, wanted)| ("chess", *position, *text, *wanted));
    let all = all.chain(shogi.iter().map(|(position, text, wanted)| ("shogi", *position, *text, *wanted)));
    for (spec, position, text, wanted) in all.chain(others) {
        assert_eq!(said(spec, position, text), wanted, "{spec} {position}");
    }
}

/// Texts that name a kind only, or castling: the piece that comes nearest is told of.
#[test]
fn moves_in_san_are_explained() {
    let cases = [
        ("4k3/8/8/8/4q3/8/4N3/1N2K3 w - - 0 1", "Nc3", None),
        ("4k3/8/8/8/4q3/8/4N3/6NK w - - 0 1", "Nd5", Some("no knight can move to d5")),
        ("4k3/8/8/8/4q3/8/4N3/4K3 w - - 0 1", "Nc3", Some("the knight on e2 is pinned by the queen on e4")),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Rd1", Some("there is no rook to move")),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e5", Some("the pawn on e2 does not move to e5")),
        (
            "4k3/8/8/8/8/5q2/8/4K2R w K - 0 1",
            "O-O",
            Some("the king on e1 may not castle through f1, which the queen on f3 attacks"),
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--", Some("passing is not allowed here")),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8k", Some("the pawn on e7 does not promote to a king on e8")),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "N@e4", Some("a knight is never dropped")),
    ];
    let rules = compile("chess");
    for (position, text, wanted) in cases {
        let game = Game::from_text(&rules, position).unwrap_or_else(|error| panic!("{position}: {error}"));
        let read = read_move(&game, text);
        match wanted {
            None => assert!(read.is_ok(), "{position} {text} {read:?}"),
            Some(words) => {
                let error = read.expect_err(text).to_string();
                assert_eq!(error, format!("`{text}` is not legal here: {words}"), "{position}");
            }
        }
    }
}

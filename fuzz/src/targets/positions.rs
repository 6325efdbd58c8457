//! Positions, moves in every notation, games played move by move, contests.

use ashta_position::notation::{
    read_coordinates, read_csa, read_kif, read_san, write_coordinates, write_csa, write_kif, write_san,
};
use ashta_position::{CompiledRules, Contest, ContestWord, Game, Line, Position, Tables, with_line};
use ashta_rules::game_names;
use std::sync::Arc;

use super::{Reading, Target};
use crate::fixtures::{library_game, record, two_sided, with_game};
use crate::input::{game_and_rest, game_and_text, play_bytes, refused};

/// A text as a position: an error, or a position that is read again as it is written.
pub const POSITION: Target = Target {
    name: "position",
    reads: "a position (FEN, SFEN) of any game",
    run: position,
    seeds: positions,
    words: &["w", "b", "KQkq", "-", "/", "+P", "e3", "8", "10", "16", "[QRr]", "2P3p", "k", "K", "~"],
    max_bytes: 512,
    share: 800,
};

/// A text as a move, in every notation: an error, or a legal move.
pub const MOVES: Target = Target {
    name: "moves",
    reads: "a move in coordinates, SAN, CSA and KIF",
    run: moves,
    seeds: move_texts,
    words: &[
        "O-O", "O-O-O", "e8=Q", "x", "+", "#", "P*5e", "@", "0000", "同", "成", "不成", "打", "歩", "７六",
        "+7776FU", "(77)",
    ],
    max_bytes: 160,
    share: 800,
};

/// Bytes choose a game and its moves: every position equals one made afresh, and taking all back restores the start.
pub const PLAY: Target = Target {
    name: "play",
    reads: "moves chosen by bytes",
    run: play,
    seeds: || (0..32u8).map(|n| (0..120u8).map(|ply| ply.wrapping_mul(2 * n + 1) ^ n).collect()).collect(),
    words: &[],
    max_bytes: 400,
    share: 150,
};

/// A text as a contest of four sides and dice, and as a turn of it.
pub const CONTEST: Target = Target {
    name: "contest",
    reads: "a contest and a turn of it",
    run: contest,
    seeds: contests,
    words: &["\n", "2-5", "6-6", "exchange", "keep", "a1c3+c3a5", "r", "-", "/", "8"],
    max_bytes: 512,
    share: 250,
};

fn position(bytes: &[u8]) -> Reading {
    let Some((rules, text)) = game_and_text(bytes) else { return Reading::Refused };
    let game = match Game::from_text(rules, text) {
        Ok(game) => game,
        Err(error) => return refused(error),
    };
    let mut after = game.clone();
    for mv in game.legal_moves() {
        after.play_unchecked(mv);
        after.take_back();
    }
    assert_eq!(after.setup(), game.setup(), "taking back restores the position");
    _ = game.outcome();
    let again = Game::from_text(rules, &game.text()).expect("a written position can be read");
    assert_eq!(again.setup(), game.setup(), "{}", game.text());
    assert_eq!(again.key(), game.key(), "{}", game.text());
    Reading::Accepted
}

fn positions() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (number, rules) in two_sided() {
        for n_plies in [0, 30, 120] {
            let mut game = Game::start(rules);
            record(rules, n_plies, 7).moves.into_iter().for_each(|mv| game.play_unchecked(mv));
            all.push(with_game(number, game.text()));
        }
    }
    all
}

const MAX_PLIES: usize = 64;

/// The bytes are: the game, how many plies lead to the position, a byte for each of them, the text.
fn moves(bytes: &[u8]) -> Reading {
    let Some((rules, [plies, rest @ ..])) = game_and_rest(bytes) else { return Reading::Refused };
    let Some((choices, text)) = rest.split_at_checked(*plies as usize % MAX_PLIES) else {
        return Reading::Refused;
    };
    let Ok(text) = std::str::from_utf8(text) else { return Reading::Refused };
    let mut game = Game::start(rules);
    play_bytes(&mut game, choices);
    let mut reading = Reading::Refused;
    for read in
        [read_coordinates(&game, text), read_san(&game, text), read_csa(&game, text), read_kif(&game, text)]
    {
        match read {
            Ok(mv) => {
                assert!(game.is_legal(mv), "{text}: {mv:?} in {}", game.text());
                reading = Reading::Accepted;
            }
            Err(error) => _ = refused(error),
        }
    }
    reading
}

fn move_texts() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (number, rules) in two_sided() {
        for n_plies in [0u8, 5, 12] {
            let choices: Vec<u8> = (0..n_plies).map(|ply| ply.wrapping_mul(37)).collect();
            let mut game = Game::start(rules);
            play_bytes(&mut game, &choices);
            let Some(mv) = game.legal_moves().last().copied() else { continue };
            let texts = [
                Some(write_coordinates(&game, mv)),
                Some(write_san(&game, mv)),
                write_csa(&game, mv).ok(),
                write_kif(&game, mv).ok(),
            ];
            for text in texts.into_iter().flatten() {
                let mut bytes = vec![number, n_plies];
                bytes.extend_from_slice(&choices);
                bytes.extend_from_slice(text.as_bytes());
                all.push(bytes);
            }
        }
    }
    all
}

fn play(bytes: &[u8]) -> Reading {
    let Some((rules, choices)) = game_and_rest(bytes) else { return Reading::Refused };
    let mut game = Game::start(rules);
    play_bytes(&mut game, choices);
    _ = game.outcome();
    // A game that ends by capture of the royal piece has no fresh twin after that.
    if let Ok(fresh) = Game::from_setup(rules, &game.setup()) {
        assert_eq!(fresh.key(), game.key(), "{}", game.text());
        assert_eq!(fresh.legal_moves(), game.legal_moves(), "{}", game.text());
    }
    with_line!(game.line_mut(), line => take_all_back(line));
    Reading::Accepted
}

fn take_all_back<W: ContestWord>(line: &mut Line<W>) {
    while line.take_back().is_some() {}
    let start = Position::start(line.position().tables().clone());
    assert_eq!(line.position().setup(), start.setup(), "taking back restores the start");
    assert!(line.position().state() == start.state(), "taking back restores what a setup does not show");
}

fn contest_games() -> impl Iterator<Item = (u8, &'static CompiledRules)> {
    let games = (0..game_names().len() as u8).map(|n| (n, library_game(n)));
    games.filter(|(_, rules)| rules.rules().contest().is_some())
}

/// The bytes are: the text of a contest, a line feed, the text of a turn.
fn contest(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    let (text, turn) = text.split_once('\n').unwrap_or((text, ""));
    let mut reading = Reading::Refused;
    for (_, rules) in contest_games() {
        let read = match rules {
            CompiledRules::W64(tables) => contest_of(tables, text, turn),
            CompiledRules::W128(tables) => contest_of(tables, text, turn),
            CompiledRules::W256(tables) => contest_of(tables, text, turn),
        };
        if read == Reading::Accepted {
            reading = read;
        }
    }
    reading
}

fn contest_of<W: ContestWord>(tables: &Arc<Tables<W>>, text: &str, turn: &str) -> Reading {
    let mut contest = match Contest::read(tables.clone(), text) {
        Ok(contest) => contest,
        Err(error) => return refused(error),
    };
    let again = Contest::read(tables.clone(), &contest.text()).expect("a written contest can be read");
    assert_eq!(again.text(), contest.text());
    _ = contest.outcome();
    match contest.read_turn(turn) {
        Ok(turn) => {
            let (before, mark) = (contest.text(), contest.play_unchecked(turn));
            contest.take_back(mark);
            assert_eq!(contest.text(), before, "taking back restores the contest");
        }
        Err(error) => {
            _ = refused(error);
            _ = contest.why_illegal(turn);
        }
    }
    Reading::Accepted
}

fn contests() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (_, rules) in contest_games() {
        match rules {
            CompiledRules::W64(tables) => contest_seeds(tables, &mut all),
            CompiledRules::W128(tables) => contest_seeds(tables, &mut all),
            CompiledRules::W256(tables) => contest_seeds(tables, &mut all),
        }
    }
    all
}

fn contest_seeds<W: ContestWord>(tables: &Arc<Tables<W>>, all: &mut Vec<Vec<u8>>) {
    let Some(mut contest) = Contest::start(tables.clone()) else { return };
    let mut turns = ashta_position::Turns::new(&contest);
    let mut list = Vec::new();
    for n in 0..40u32 {
        match contest.stage() {
            _ if contest.outcome().is_some() => break,
            ashta_position::Stage::Throw => _ = contest.throw(turns.roll(n * 7 % turns.n_rolls())),
            ashta_position::Stage::Exchange(_) => _ = contest.answer(ashta_position::Answer::Keep),
            ashta_position::Stage::Turn => {
                turns.look(&contest);
                list.clear();
                turns.list(&contest, contest.turn_state().roll(), &mut list);
                let Some(turn) = list.get(n as usize * 5 % list.len().max(1)) else { break };
                all.push(format!("{}\n{}", contest.text(), contest.turn_text(*turn)).into_bytes());
                _ = contest.play_unchecked(*turn);
            }
        }
    }
}

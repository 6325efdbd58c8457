//! Moves from random positions are those of the fastest specialised generators: `cozy-chess` and `haitaka`.

use crate::walk;
use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game};
use ashta_rules::{Setup, Side};

const N_POSITIONS: usize = 500;

/// Compares the legal moves in random positions with those another program finds in the same text.
fn compare(spec: &str, others_moves: impl Fn(&CompiledRules, &Game) -> Vec<String>) {
    let rules = walk::compile(spec);
    let n_positions = if walk::is_deep() { 20 * N_POSITIONS } else { N_POSITIONS };
    let games = walk::positions(&rules, 3, n_positions, 200);
    assert!(games.len() > n_positions / 2, "only {} positions", games.len());
    for game in games {
        let mut ours: Vec<String> =
            game.legal_moves().iter().map(|mv| write_coordinates(&game, *mv)).collect();
        let mut theirs = others_moves(&rules, &game);
        ours.sort_unstable();
        theirs.sort_unstable();
        let lists = || walk::difference(["ours", "theirs"], [&ours, &theirs]);
        assert!(ours == theirs, "{spec}: {}\n{}", game.text(), lists());
    }
}

#[test]
fn chess_moves_are_those_of_cozy_chess() {
    compare("chess", |rules, game| {
        // It knows no clock beyond fifty moves.
        let text = Setup { quiet: 0, ..game.setup() }.write(rules.rules());
        let board: cozy_chess::Board = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut moves = Vec::new();
        board.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().map(|mv| chess_text(&board, mv)));
            false
        });
        moves
    });
}

/// It writes castling as the king taking his own rook.
fn chess_text(board: &cozy_chess::Board, mv: cozy_chess::Move) -> String {
    let text = mv.to_string();
    match board.color_on(mv.to) == Some(board.side_to_move()) {
        true => text[..2].to_string() + &text[2..].replace('h', "g").replace('a', "c"),
        false => text,
    }
}

#[test]
fn shogi_moves_are_those_of_haitaka() {
    compare("shogi", |rules, game| {
        let text = game.text();
        let board = haitaka::Board::from_sfen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut moves = Vec::new();
        board.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().map(|mv| mv.to_string()));
            false
        });
        moves.retain(|text| !is_forbidden_mate(rules, game, text));
        moves
    });
}

/// Whether a text is the drop of a pawn that mates, which it lists and shogi forbids.
fn is_forbidden_mate(rules: &CompiledRules, game: &Game, text: &str) -> bool {
    let square = text.strip_prefix("P*").and_then(|to| rules.rules().grid().read_square(to));
    let pawn = rules.rules().kind_ids().find(|kind| rules.rules().kind(*kind).letter == "P");
    let (Some((to, "")), Some(pawn)) = (square, pawn) else { return false };
    let mut after = game.setup();
    let side = Side(after.turn);
    after.hands[side.index()][pawn.index()] -= 1;
    after.board[to.0 as usize] = Some((side, pawn));
    after.turn = 1 - after.turn;
    Game::from_setup(rules, &after).is_ok_and(|game| game.is_in_check() && game.legal_moves().is_empty())
}

//! Moves as text: parsing, listing, why one is illegal.

use ashta_messages::{Message, Tell, message};
use ashta_position::notation::{
    MoveTextError, explain_kif, read_csa, read_kif, write_coordinates, write_ki2, write_san,
};
use ashta_position::{Action, Game, Move};
use ashta_rules::{Coordinates, Side, Square};

use crate::draw;
use crate::game_arguments::{promotions, read_move};

/// Castling keys as in a magazine listing of 1982.
const CASTLING_KEYS: [(&str, &str); 2] = [("k", "O-O"), ("q", "O-O-O")];

/// A move as the game's players write it: as Japanese books have it where they have words for the game, else SAN.
pub fn written(game: &Game, mv: Move) -> String {
    let japanese = match game.rules().grid().coordinates() {
        Coordinates::Numbers => write_ki2(game, mv).ok(),
        Coordinates::Letters => None,
    };
    japanese.unwrap_or_else(|| write_san(game, mv))
}

/// A move as players write it and, if that is different, as it is typed.
pub fn both_ways(game: &Game, mv: Move) -> String {
    let (written, typed) = (written(game, mv), write_coordinates(game, mv));
    if written == typed { written } else { format!("{written} ({typed})") }
}

/// Every legal move in the ways it may be typed on a keyboard.
pub fn typed(game: &Game) -> Vec<String> {
    let moves = game.legal_moves();
    let mut words: Vec<String> = moves.iter().map(|mv| write_coordinates(game, *mv)).collect();
    if game.rules().grid().coordinates() == Coordinates::Letters {
        words.extend(moves.iter().map(|mv| write_san(game, *mv)));
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// Reads a move: a number of the list, coordinates, SAN, Japanese, CSA; or says why it cannot be played.
pub fn read(game: &Game, text: &str) -> Result<Move, Message> {
    let moves = game.legal_moves();
    let by_number = text.parse::<usize>().ok().and_then(|n| moves.get(n.checked_sub(1)?));
    if let Some(mv) = by_number {
        return Ok(*mv);
    }
    let castling = CASTLING_KEYS.iter().find(|(key, _)| *key == text).map(|(_, castling)| *castling);
    let first = match read_move(game, castling.unwrap_or(text)) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let japanese = read_kif(game, text).or_else(|_| read_csa(game, text));
    japanese.map_err(|_| match explain_kif(game, text) {
        Some(why) => message!("cli.list-moves", why = why.words(game.rules())),
        None => explain_illegal(game, text, &first),
    })
}

fn explain_illegal(game: &Game, text: &str, error: &MoveTextError) -> Message {
    let (ways, comment_text) = promotions(game, text);
    if !ways.is_empty() && comment_text.is_empty() {
        return message!("cli.type-promotion", text, ways = draw::list(&ways, "or"));
    }
    let (from, grid) = (game.rules().grid().read_square(text), game.rules().grid());
    let from = from.filter(|(_, rest)| grid.read_square(rest).is_some()).map(|(from, _)| from);
    match (error, from) {
        (MoveTextError::Unreadable { .. }, _) => {
            let why = message!("cli.neither-move-nor-command", text);
            message!("cli.list-moves", why)
        }
        (MoveTextError::Explained { why, .. }, Some(from)) => with_other_targets(game, from, why.message()),
        (MoveTextError::Explained { why, .. }, None) => message!("cli.list-moves", why),
        (error, _) => message!("cli.list-moves", why = error),
    }
}

/// Adds the legal targets of the piece.
fn with_other_targets(game: &Game, from: Square, why: Message) -> Message {
    if game.piece(from).is_none_or(|(side, _)| side != game.turn()) {
        return why;
    }
    let targets = targets_from(game, from);
    if targets.is_empty() {
        message!("cli.no-targets", why)
    } else {
        message!("cli.other-targets", why, targets = draw::list(&targets, "or"))
    }
}

fn targets_from(game: &Game, from: Square) -> Vec<String> {
    let grid = game.rules().grid();
    let mut targets: Vec<String> = Vec::new();
    for mv in game.legal_moves() {
        if let Action::Go { from: start, to, .. } = mv.action()
            && start == from
            && !targets.contains(&grid.name(to).to_string())
        {
            targets.push(grid.name(to).to_string());
        }
    }
    targets
}

/// The legal moves, numbered, filtered by a text.
pub fn listed(game: &Game, filter: &str) -> Vec<String> {
    let all = game.legal_moves();
    let entry = |(n, mv): (usize, &Move)| {
        let (short, long) = (written(game, *mv), write_coordinates(game, *mv));
        let fits = short.contains(filter) || long.contains(filter);
        let text = if short == long { short } else { format!("{short} {long}") };
        fits.then(|| format!("{:>3} {text}", n + 1))
    };
    let wanted: Vec<String> = all.iter().enumerate().filter_map(entry).collect();
    let widest = wanted.iter().map(|text| draw::width(text)).max().unwrap_or(0);
    let columns = (draw::PAGE_WIDTH / (widest + 2)).max(1);
    let row = |row: &[String]| {
        let cells: String = row.iter().map(|text| draw::left(text, widest + 2)).collect();
        cells.trim_end().to_string()
    };
    wanted.chunks(columns).map(row).collect()
}

/// The moves of a game with their sides.
pub fn move_list(start: &Game, moves: &[Move]) -> Vec<(Side, String)> {
    let mut game = start.clone();
    let mut words = Vec::new();
    for mv in moves {
        words.push((game.turn(), written(&game, *mv)));
        game.play_unchecked(*mv);
    }
    words
}

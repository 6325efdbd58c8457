//! Moves as players write them: `e4`, `Nbd2`, `exd6`, `e8=Q#`, `O-O`, `P@e4`; on shogi boards in Hodges' notation: `P-7f`,
//! `G6i-5h`, `Bx3c+`, `S-3b=`, `B*5e`.
//!
//! In: a game and a legal move, or text. Out: text that no other legal move has, or a legal move.
//! Never: a guess between several moves.
//!
//! The kind whose letter is `P` is not named on boards with lettered files. A promotion to the piece's own letter with
//! a `+` is `=+`, on shogi boards `+`; any other is `=` and the letter; `=` alone says that the piece could have promoted and
//! stays. Where `+` may be a promotion, check is not marked.

use ashta_messages::message;
use ashta_rules::{Coordinates, Grid, KindId, Rules, Square};

use super::coordinates::{drop_sign, read_coordinates};
use super::san_text::{Becoming, Origin, Reading, SanText, name_in_text, read_text};
use super::{MoveTextError, only_one, promotes, same_way, shorten, silence_stays, unreadable};
use crate::game::Game;
use crate::moves::{Action, Move};

/// Writes a legal move.
pub fn write_san(game: &Game, mv: Move) -> String {
    let rules = game.rules();
    let mut text = match mv.action() {
        Action::Pass => "--".to_string(),
        Action::Drop { kind, to } => {
            format!("{}{}{}", name_in_text(rules, kind), drop_sign(rules), rules.grid().name(to))
        }
        Action::Castle { .. } => castling_text(castling_letter(game, mv)),
        Action::EnPassant { from, to, .. } | Action::Go { from, to, .. } => way_text(game, mv, from, to),
        Action::TwoLegs { from, middle, to } => two_leg_text(game, from, middle, to),
    };
    match rules.grid().coordinates() {
        Coordinates::Numbers => {}
        Coordinates::Letters => match check_sign(game, mv) {
            Some('+') if text.ends_with('=') => {}
            sign => text.extend(sign),
        },
    }
    text
}

pub(super) fn castling_letter(game: &Game, mv: Move) -> char {
    let turn = game.turn();
    let mut ours = game.rules().castlings().iter().filter(|castling| castling.side == turn);
    ours.nth(mv.castling_index()).map_or('K', |castling| castling.letter.to_ascii_uppercase())
}

fn castling_text(letter: char) -> String {
    match letter {
        'K' => "O-O".to_string(),
        'Q' => "O-O-O".to_string(),
        other => format!("O-O/{other}"),
    }
}

fn way_text(game: &Game, mv: Move, from: Square, to: Square) -> String {
    let rules = game.rules();
    let legal = game.legal_moves();
    let letter = game.piece(from).map_or(String::new(), |(_, kind)| written_letter(rules, kind));
    let captures = match mv.action() {
        Action::EnPassant { .. } => true,
        _ => from != to && game.piece(to).is_some(),
    };
    let clues: &[Clue] = match rules.grid().coordinates() {
        // Shogi players who say where a piece comes from name its square, never half of it.
        Coordinates::Numbers => &[Origin::unsaid, Origin::square],
        Coordinates::Letters if letter.is_empty() && captures => &[Origin::file, Origin::square],
        Coordinates::Letters if letter.is_empty() => &[Origin::unsaid, Origin::file, Origin::square],
        Coordinates::Letters => &[Origin::unsaid, Origin::file, Origin::rank, Origin::square],
    };
    let origin = shortest_origin(game, clues, from, &rivals(game, &legal, from, to));
    let between = match (captures, rules.grid().coordinates()) {
        (true, _) => "x",
        (false, Coordinates::Numbers) => "-",
        (false, Coordinates::Letters) => "",
    };
    format!("{letter}{origin}{between}{}{}", rules.grid().name(to), becoming_text(game, mv, &legal))
}

/// `Nx8ex9d`, `Nx4d-3c`, and `Nx!5h` for a capture and return; the origin where another piece could do the same.
fn two_leg_text(game: &Game, from: Square, middle: Square, to: Square) -> String {
    let (rules, grid) = (game.rules(), game.rules().grid());
    let is_rival = |mv: &Move| match mv.action() {
        Action::TwoLegs { from: other, middle: over, to: end } => {
            let returns = (other == end) == (from == to);
            other != from && over == middle && returns && (end == to || from == to)
        }
        _ => false,
    };
    let same_kind = |mv: &Move| {
        mv.from().and_then(|other| game.piece(other)).map(|(_, kind)| kind) == kind_on(game, from)
    };
    let is_ambiguous = game.legal_moves().iter().any(|mv| is_rival(mv) && same_kind(mv));
    let letter = kind_on(game, from).map_or(String::new(), |kind| written_letter(rules, kind));
    let origin = if is_ambiguous { grid.name(from).to_string() } else { String::new() };
    let middle = grid.name(middle);
    match (from == to, game.piece(to).is_some()) {
        (true, _) => format!("{letter}{origin}x!{middle}"),
        (false, true) => format!("{letter}{origin}x{middle}x{}", grid.name(to)),
        (false, false) => format!("{letter}{origin}x{middle}-{}", grid.name(to)),
    }
}

fn kind_on(game: &Game, square: Square) -> Option<KindId> {
    game.piece(square).map(|(_, kind)| kind)
}

fn written_letter(rules: &Rules, kind: KindId) -> String {
    match rules.grid().coordinates() {
        Coordinates::Letters if rules.kind(kind).move_letter() == "P" => String::new(),
        _ => name_in_text(rules, kind),
    }
}

/// Where other pieces written with the same letter stand that may go to the same square.
fn rivals(game: &Game, legal: &[Move], from: Square, to: Square) -> Vec<Square> {
    let letter = |square: Square| game.piece(square).map(|(_, kind)| game.rules().kind(kind).move_letter());
    let steps = legal.iter().filter(|mv| !mv.is_castle() && mv.to() == Some(to));
    let starts = steps.filter_map(|mv| mv.from());
    starts.filter(|other| *other != from && letter(*other) == letter(from)).collect()
}

/// A part of a square's name.
type Clue = fn(Grid, Square) -> Origin;

/// The first of the clues that no rival shares.
fn shortest_origin(game: &Game, clues: &[Clue], from: Square, rivals: &[Square]) -> String {
    let grid = game.rules().grid();
    let mut origins = clues.iter().map(|clue| clue(grid, from));
    let unshared = origins.find(|origin| !rivals.iter().any(|rival| origin.holds(grid, *rival)));
    unshared.unwrap_or(Origin::square(grid, from)).text(grid)
}

fn becoming_text(game: &Game, mv: Move, legal: &[Move]) -> String {
    let rules = game.rules();
    match mv.action() {
        Action::Go { becomes: Some(kind), .. } if is_own_plus(game, mv, kind) => {
            match rules.grid().coordinates() {
                Coordinates::Numbers => "+".to_string(),
                Coordinates::Letters => "=+".to_string(),
            }
        }
        Action::Go { becomes: Some(kind), .. } => format!("={}", rules.kind(kind).move_letter()),
        _ if legal.iter().any(|other| promotes(*other) && same_way(*other, mv)) => "=".to_string(),
        _ => String::new(),
    }
}

/// Whether a kind's letter is the mover's with a `+` before it.
fn is_own_plus(game: &Game, mv: Move, kind: KindId) -> bool {
    let rules = game.rules();
    let mover = mv.from().and_then(|from| game.piece(from)).map(|(_, mover)| &rules.kind(mover).letter);
    mover.is_some() && rules.kind(kind).letter.strip_prefix('+') == mover.map(String::as_str)
}

fn is_own_plain(game: &Game, mv: Move, kind: KindId) -> bool {
    let rules = game.rules();
    let mover = mv.from().and_then(|from| game.piece(from)).map(|(_, mover)| &rules.kind(mover).letter);
    mover.and_then(|letter| letter.strip_prefix('+')) == Some(&rules.kind(kind).letter)
}

fn check_sign(game: &Game, mv: Move) -> Option<char> {
    crate::with_line!(game.line(), line => {
        let mut position = line.position().clone();
        position.play_unchecked(mv);
        position.is_in_check().then(|| if position.has_legal_move() { '+' } else { '#' })
    })
}

/// Reads a legal move, written in this notation or nearly so.
///
/// Signs of check, capture and promotion may be missing; the origin may be said where it need not be; `0-0`,
/// `e2-e4`, `e2e4`, `Pe4`, `e8(Q)`, `exd6 e.p.`, `Nf3!?` are understood, and castling as a move of the king.
pub fn read_san(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    let text = text.trim();
    let legal = game.legal_moves();
    let grid = game.rules().grid();
    let second = grid.read_square(text).and_then(|(_, rest)| grid.read_square(rest));
    if second.is_some_and(|(_, rest)| grid.read_square(rest).is_some()) {
        return read_coordinates(game, text);
    }
    let is_two_legs = |mv: &&Move| matches!(mv.action(), Action::TwoLegs { .. });
    let unmarked = text.trim_end_matches(['+', '#', '!', '?']);
    if let Some(mv) = legal
        .iter()
        .filter(is_two_legs)
        .find(|mv| write_san(game, **mv).trim_end_matches(['+', '#']) == unmarked)
    {
        return Ok(*mv);
    }
    let readings = match read_text(game.rules(), text) {
        SanText::Pass => {
            let passes: Vec<Move> = legal.into_iter().filter(|mv| *mv == Move::PASS).collect();
            return only_one(game, text, &passes);
        }
        SanText::Castling(letter) => {
            let meant = |mv: &Move| mv.is_castle() && castling_letter(game, *mv) == letter;
            let castlings: Vec<Move> = legal.into_iter().filter(meant).collect();
            return only_one(game, text, &castlings);
        }
        SanText::Readings(readings) => readings,
    };
    if readings.is_empty() {
        let example = legal.first().map(|mv| write_san(game, *mv)).unwrap_or_default();
        return Err(unreadable(text, message!("position.move-example", example)));
    }
    for reading in readings {
        let mut found: Vec<Move> = legal.iter().copied().filter(|mv| fits(game, &reading, *mv)).collect();
        if reading.becoming == Becoming::Unsaid {
            silence_stays(&mut found);
        }
        if found.len() > 1 {
            // Castling and a step of the king may have both squares in common.
            let exact = found.iter().copied().find(|mv| write_san(game, *mv) == text);
            return exact.map_or_else(|| only_one(game, text, &found), Ok);
        }
        if let [mv] = found[..] {
            return Ok(mv);
        }
    }
    Err(MoveTextError::Illegal { text: shorten(text) })
}

fn fits(game: &Game, reading: &Reading, mv: Move) -> bool {
    let is_meant = |kind: KindId| reading.kind.is_none_or(|wanted| is_written_alike(game, wanted, kind));
    match mv.action() {
        // Read as a whole.
        Action::TwoLegs { .. } | Action::Pass => false,
        Action::Drop { kind, to } => reading.origin == Origin::Hand && to == reading.to && is_meant(kind),
        Action::Castle { from, to } | Action::EnPassant { from, to, .. } | Action::Go { from, to, .. } => {
            to == reading.to
                && reading.origin.holds(game.rules().grid(), from)
                && game.piece(from).is_some_and(|(_, kind)| is_meant(kind))
                && becomes_so(game, reading.becoming, mv)
        }
    }
}

fn becomes_so(game: &Game, becoming: Becoming, mv: Move) -> bool {
    let becomes = match mv.action() {
        Action::Go { becomes, .. } => becomes,
        _ => None,
    };
    match becoming {
        Becoming::Unsaid => true,
        Becoming::Stays => becomes.is_none(),
        Becoming::Plus => becomes.is_some_and(|kind| is_own_plus(game, mv, kind)),
        Becoming::Minus => becomes.is_some_and(|kind| is_own_plain(game, mv, kind)),
        Becoming::Into(kind) => {
            let mover = mv.from().and_then(|from| game.piece(from)).map(|(_, mover)| mover);
            becomes.or(mover).is_some_and(|other| is_written_alike(game, other, kind))
        }
    }
}

fn is_written_alike(game: &Game, one: KindId, other: KindId) -> bool {
    game.rules().kind(one).move_letter() == game.rules().kind(other).move_letter()
}

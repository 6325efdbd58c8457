//! Why a text that is written as a move is not legal.
//!
//! In: a game and text. Out: the reason, of all moves that the text may mean that of the one which comes nearest to a
//! legal move. Never: a legal move.

use ashta_rules::{Castling, CastlingStarts, Kind, KindId, Rules, Square, Targets};

use super::coordinates::drop_sign;
use super::kif::kif_attempts;
use super::san_text::{Becoming, Origin, Reading, SanText, read_text};
use crate::game::Game;
use crate::legality::{Attempt, Illegal, why_illegal};

/// Why a move in coordinates or SAN is not legal; nothing if the text is ambiguous or unreadable.
pub fn explain_text(game: &Game, text: &str) -> Option<Illegal> {
    if let Some(attempt) = in_coordinates(game, text) {
        return why_illegal(game, attempt);
    }
    match read_text(game.rules(), text.trim()) {
        SanText::Pass => why_illegal(game, Attempt::Pass),
        SanText::Castling(letter) => why_illegal(game, castling(game, letter)?),
        SanText::Readings(readings) => readings.iter().find_map(|reading| explain(game, reading)),
    }
}

/// `e2e4`, `e7e8q`, `2d2a+`, `P*5e`.
fn in_coordinates(game: &Game, text: &str) -> Option<Attempt> {
    let (rules, grid) = (game.rules(), game.rules().grid());
    let lettered = |letter: &str| {
        let found = rules.kinds().iter().position(|kind| kind.letter.eq_ignore_ascii_case(letter));
        found.map(|kind| KindId(kind as u8))
    };
    if let Some((letter, to)) = text.split_once(drop_sign(rules)) {
        let (to, rest) = grid.read_square(to)?;
        return rest.is_empty().then_some(Attempt::Drop { kind: lettered(letter)?, to });
    }
    let (from, rest) = grid.read_square(text)?;
    let (to, rest) = grid.read_square(rest)?;
    let mover = game.piece(from).map(|(_, kind)| rules.kind(kind));
    let becomes = match rest {
        "" => None,
        "+" => Some(lettered(&format!("+{}", mover?.letter))?),
        letter => Some(promotion_to(rules, mover, letter).or_else(|| lettered(letter))?),
    };
    Some(Attempt::Go { from, to, becomes })
}

/// What a piece becomes that promotes to this letter, as moves are written.
fn promotion_to(rules: &Rules, mover: Option<&Kind>, letter: &str) -> Option<KindId> {
    let targets: Vec<KindId> = match &mover?.promotion.as_ref()?.to {
        Targets::Kinds(kinds) => kinds.clone(),
        Targets::ByFile(kinds) => kinds.iter().flatten().copied().collect(),
    };
    targets.into_iter().find(|kind| rules.kind(*kind).move_letter().eq_ignore_ascii_case(letter))
}

/// The way of the royal piece that castles so.
fn castling(game: &Game, letter: char) -> Option<Attempt> {
    let setup = game.setup();
    let is_it =
        |castling: &&Castling| castling.side == game.turn() && castling.letter.eq_ignore_ascii_case(&letter);
    let mut all = game.rules().castlings().iter().filter(is_it);
    let castling = match game.rules().castling_starts() {
        CastlingStarts::Fixed => all.next(),
        CastlingStarts::AnyFile { .. } => all.find(|castling| game.rules().stand_to_castle(castling, &setup)),
    }?;
    Some(Attempt::Go { from: castling.royal.0, to: castling.target, becomes: None })
}

/// Why none of the pieces that a text may mean can go there.
fn explain(game: &Game, reading: &Reading) -> Option<Illegal> {
    let to = reading.to;
    if reading.origin == Origin::Hand {
        return why_illegal(game, Attempt::Drop { kind: reading.kind?, to });
    }
    let meant = pieces(game, reading).map(|(from, kind)| attempt(game, reading, from, kind)).collect();
    nearest(game, meant, reading.kind, to)
}

/// Why a move as Japanese records have it is not legal; nothing if the text is ambiguous or unreadable.
pub fn explain_kif(game: &Game, text: &str) -> Option<Illegal> {
    let (kind, to, meant) = kif_attempts(game, text)?;
    nearest(game, meant, Some(kind), to)
}

/// Of several moves that may be meant, none of them legal, the reason of the one that comes nearest.
fn nearest(game: &Game, meant: Vec<Attempt>, kind: Option<KindId>, to: Square) -> Option<Illegal> {
    let n_meant = meant.len();
    let whys: Option<Vec<Illegal>> = meant.into_iter().map(|attempt| why_illegal(game, attempt)).collect();
    match (whys?.into_iter().max_by_key(moves_so), n_meant) {
        (None, _) => Some(Illegal::NoSuchPiece { kind: kind? }),
        (Some(why), n) if n > 1 && !moves_so(&why) => Some(Illegal::NoneReaches { kind: kind?, to }),
        (Some(why), _) => Some(why),
    }
}

/// The pieces of the side to move that a text may mean.
fn pieces(game: &Game, reading: &Reading) -> impl Iterator<Item = (Square, KindId)> {
    let grid = game.rules().grid();
    grid.squares().filter(move |square| reading.origin.holds(grid, *square)).filter_map(move |square| {
        let (side, kind) = game.piece(square)?;
        let letter = |kind: KindId| game.rules().kind(kind).move_letter();
        let is_meant =
            side == game.turn() && reading.kind.is_none_or(|wanted| letter(wanted) == letter(kind));
        is_meant.then_some((square, kind))
    })
}

fn attempt(game: &Game, reading: &Reading, from: Square, kind: KindId) -> Attempt {
    let rules = game.rules();
    let becomes = match reading.becoming {
        Becoming::Unsaid | Becoming::Stays => None,
        Becoming::Plus => {
            let plus = format!("+{}", rules.kind(kind).letter);
            rules.kind_ids().find(|other| rules.kind(*other).letter == plus)
        }
        Becoming::Minus => {
            let plain = rules.kind(kind).letter.strip_prefix('+');
            rules.kind_ids().find(|other| Some(rules.kind(*other).letter.as_str()) == plain)
        }
        Becoming::Into(other) => {
            let written = rules.kind(other).move_letter();
            let target = promotion_to(rules, Some(rules.kind(kind)), written).unwrap_or(other);
            Some(target).filter(|target| *target != kind)
        }
    };
    Attempt::Go { from, to: reading.to, becomes }
}

/// Whether the piece moves so, but for what stands around it.
fn moves_so(why: &Illegal) -> bool {
    !matches!(why, Illegal::NotItsMove { .. } | Illegal::OutOfBounds { .. } | Illegal::StaysPut { .. })
}

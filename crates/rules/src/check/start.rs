//! The start of a game: its position, and what must stand there.

use ashta_messages::message;

use crate::fields::Collected;
use crate::grid::{Coordinates, Square};
use crate::problem::{Place, Problem};
use crate::rule_parts::{Castling, CastlingStarts};
use crate::rules::Rules;
use crate::setup::Setup;

/// Reads the start position into the rules and checks it against them.
pub fn read(rules: &mut Rules, text: (&str, &Place), problems: &Collected) {
    read_start(rules, text, problems);
    check_start(rules, text.1, problems);
}

fn read_start(rules: &mut Rules, (text, place): (&str, &Place), problems: &Collected) {
    match Setup::read(text, rules) {
        Ok(start) => rules.start = start,
        Err(error) => {
            let inside = Place { offset: place.offset + 1 + error.offset, ..place.clone() };
            let what = message!("rules.in-start", what = error.what);
            problems.borrow_mut().push(Problem::new(inside, what));
            return;
        }
    }
    let remembers = |square: &Square| {
        rules.start.board[square.0 as usize].is_some_and(|(_, kind)| {
            let kind = rules.kind(kind);
            kind.moves.iter().any(|part| part.movement.first_move_only) && !Rules::only_goes_forward(kind)
        })
    };
    let first_moves: Vec<Square> = rules.grid.squares().filter(remembers).collect();
    rules.first_move_squares = first_moves;
    let n_checks = usize::from(rules.ends.checks.unwrap_or(0)) * rules.sides.len();
    if rules.first_move_squares.len() + rules.n_castling_rights() + n_checks > 32 {
        let what = message!("rules.many-rights");
        problems.borrow_mut().push(Problem::new(place.clone(), what));
        return;
    }
    let unmoved = rules.start.unmoved_rights(rules);
    let writes_castlings =
        rules.grid.coordinates() == Coordinates::Letters && text.split_whitespace().count() > 2;
    let castling_rights = ((1u64 << rules.n_castling_rights()) - 1) as u32;
    // Castlings as the text has them, if it has them; everything that has not moved may make its first move.
    rules.start.rights |= if writes_castlings { unmoved & !castling_rights } else { unmoved };
}

fn check_start(rules: &Rules, place: &Place, problems: &Collected) {
    if rules.start.board.is_empty() {
        return;
    }
    // A side that starts without a royal piece, while the other has one, never castles; from any file the position says where the
    // pieces stand.
    let may_castle = |castling: &&Castling| {
        let side = castling.side;
        rules.castling_starts == CastlingStarts::Fixed
            && (rules.has_royal_at_start(side) || !rules.has_royal_at_start(side.other()))
    };
    for castling in rules.castlings.iter().filter(may_castle) {
        let at =
            |square: Square| rules.start.board[square.0 as usize].filter(|(side, _)| *side == castling.side);
        // Where no piece is royal, any may castle: nothing keeps it from attacked squares.
        let is_any = rules.kinds.iter().all(|kind| !kind.royal);
        let royal = at(castling.royal.0).is_some_and(|(_, kind)| rules.kind(kind).royal || is_any);
        if !royal || at(castling.partner.0).is_none() {
            let (letter, side) = (castling.letter, rules.side_message(castling.side));
            let [royal, partner] =
                [castling.royal.0, castling.partner.0].map(|square| rules.grid.name(square).to_string());
            let what = message!("rules.castling-start", letter, side, royal, partner);
            let hint = message!("rules.castling-start.hint");
            problems.borrow_mut().push(Problem::new(place.clone(), what).hint(hint));
        }
    }
    for kind in rules.kinds.iter().filter(|kind| !kind.first_move_lost_to.is_empty()) {
        let has_right = kind.moves.iter().any(|part| part.movement.first_move_only);
        if !has_right || Rules::only_goes_forward(kind) {
            let hint = message!("rules.leave-out", key = "first-move-lost-to");
            let what = message!("rules.first-move-lost", kind);
            problems.borrow_mut().push(Problem::new(place.clone(), what).hint(hint));
        }
    }
    // Without royal pieces a game ends by extinction, or none of its kinds is royal.
    let may_lack = rules.ends.extinction.is_some() || rules.kinds.iter().all(|kind| !kind.royal);
    for side in rules.side_ids() {
        if !rules.has_royal_at_start(side) && !may_lack {
            let what = message!("rules.start-royal", side = rules.side_message(side));
            let hint = message!("rules.start-royal.hint");
            problems.borrow_mut().push(Problem::new(place.clone(), what).hint(hint));
        }
    }
}

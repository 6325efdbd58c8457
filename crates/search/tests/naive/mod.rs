//! The searches by their definitions: full width, nothing remembered, nothing pruned. Slow, and plain to see.

use ashta_position::{Move, Position};
use ashta_search::SearchWord;
use ashta_search::{Depth, Leaves, Material, WIN};

fn after<W: SearchWord>(position: &Position<W>, mv: Move) -> Position<W> {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// The value of an ended game for the side to move.
pub fn ended<W: SearchWord>(position: &Position<W>) -> Option<i32> {
    position.end_knowing(!position.legal_moves().is_empty()).map(|outcome| match outcome.winner {
        None => 0,
        Some(winner) if winner == position.turn() => WIN,
        Some(_) => -WIN,
    })
}

/// Minimax on won and lost ends.
fn forced_value<W: SearchWord>(position: &Position<W>, depth: u32) -> i32 {
    if let Some(value) = ended(position) {
        return value.signum();
    }
    if depth == 0 {
        return 0;
    }
    let values = position.legal_moves().into_iter().map(|mv| -forced_value(&after(position, mv), depth - 1));
    values.max().unwrap_or(0)
}

/// P_i by its definition.
pub fn semi_random_moves<W: SearchWord>(position: &Position<W>, depth: u32) -> Vec<Move> {
    let moves = position.legal_moves();
    let value = |mv: &Move| -forced_value(&after(position, *mv), depth - 1);
    let with = |good: &dyn Fn(i32) -> bool| -> Vec<Move> {
        moves.iter().copied().filter(|mv| good(value(mv))).collect()
    };
    let (wins, safe) = (with(&|value| value > 0), with(&|value| value >= 0));
    match (wins.is_empty(), safe.is_empty()) {
        (false, _) => wins,
        (true, false) => safe,
        (true, true) => moves,
    }
}

/// Minimax on material, counted anew at every leaf; then captures and promotions that gain.
fn material_value<W: SearchWord>(
    position: &Position<W>,
    material: &Material,
    depth: Depth,
    leaves: Leaves,
) -> i32 {
    let sees_ends = depth.plies > 0 || leaves == Leaves::SeeEnds;
    if let Some(value) = ended(position).filter(|_| sees_ends) {
        return value;
    }
    let next = |mv: Move, depth: Depth| -material_value(&after(position, mv), material, depth, leaves);
    let moves = position.legal_moves();
    if depth.plies > 0 {
        let depth = Depth { plies: depth.plies - 1, ..depth };
        return moves.into_iter().map(|mv| next(mv, depth)).max().unwrap_or(0);
    }
    let standing = material.value(position);
    if depth.captures == 0 {
        return standing;
    }
    let gains = |mv: &Move| match material.is_plain() {
        true => -material.balance(&after(position, *mv)) > material.balance(position),
        false => material.exchanged(position, *mv) > 0,
    };
    let depth = Depth { plies: 0, captures: depth.captures - 1 };
    moves.into_iter().filter(gains).map(|mv| next(mv, depth)).fold(standing, i32::max)
}

/// P'_i by its definition, with the value.
pub fn evaluating_moves<W: SearchWord>(
    position: &Position<W>,
    material: &Material,
    depth: Depth,
    leaves: Leaves,
) -> (i32, Vec<Move>) {
    let below = Depth { plies: depth.plies - 1, ..depth };
    let value = |mv: Move| -material_value(&after(position, mv), material, below, leaves);
    let valued: Vec<(i32, Move)> = position.legal_moves().into_iter().map(|mv| (value(mv), mv)).collect();
    let best = valued.iter().map(|(value, _)| *value).max().unwrap_or(0);
    (best, valued.into_iter().filter(|(value, _)| *value == best).map(|(_, mv)| mv).collect())
}

fn mates<W: SearchWord>(position: &Position<W>, plies: u8) -> bool {
    plies > 0 && position.legal_moves().into_iter().any(|mv| mates_with(position, mv, plies))
}

/// Whether a move mates by consecutive checks.
pub fn mates_with<W: SearchWord>(position: &Position<W>, mv: Move, plies: u8) -> bool {
    let next = after(position, mv);
    let replies = next.legal_moves();
    next.is_in_check()
        && (replies.is_empty()
            || plies >= 3 && replies.into_iter().all(|reply| mates(&after(&next, reply), plies - 2)))
}

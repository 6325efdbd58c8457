//! Values as protocols write them.

use ashta_search::engine::Score;

/// `cp 35`, `mate 3`, `mate -2`: moves of the winner, as UCI counts.
pub fn in_moves(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("cp {points}"),
        Score::WinIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Score::LossIn(plies) => format!("mate -{}", plies / 2),
    }
}

/// The same in plies, as USI counts.
pub fn in_plies(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("cp {points}"),
        Score::WinIn(plies) => format!("mate {plies}"),
        Score::LossIn(plies) => format!("mate -{plies}"),
    }
}

/// One number, as XBoard wants it: a mate in n is 100000 + n.
pub fn in_one(score: Score) -> i32 {
    match score {
        Score::Centipawns(points) => points,
        Score::WinIn(plies) => 100_000 + plies.div_ceil(2) as i32,
        Score::LossIn(plies) => -100_000 - (plies / 2) as i32,
    }
}
